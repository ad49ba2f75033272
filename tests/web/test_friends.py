"""Friends over HTTP: who sees whom online, and who can be invited to a table."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from aiohttp import CookieJar
from aiohttp.test_utils import TestClient, TestServer

from ratscrew.accounts.blocks import read_blocked, set_blocked
from ratscrew.accounts.played import AccountGame, put_played
from ratscrew.log.memory import MemoryLog
from ratscrew.table.record.entries import Entry
from ratscrew.testing.clock import ManualClock
from ratscrew.web.access.community import CommunityOptions
from ratscrew.web.access.presence import ASKED_US, LOOK_EVERY_US
from ratscrew.web.api.community_friends import AGAIN_US
from ratscrew.web.app import make_app
from ratscrew.web.http.static_files import StaticFiles
from ratscrew.web.rendering.worker import execute_here
from tests.web.http_requests import Client, ask, get, socket_of
from tests.web.pages import Page


class Someone:
    """A browser with an account."""

    def __init__(self, client: Client, account: dict[str, Any]) -> None:
        self.client, self.id, self.name = client, account["id"], account["name"]

    async def friends(self) -> dict[str, Any]:
        """The list of friends."""
        status, found = await get(self.client, "/api/friends")
        assert status == 200
        return dict(found)

    async def add(self, other: Someone) -> dict[str, Any]:
        """Add a player."""
        status, found = await ask(self.client, {"id": other.id}, "/api/friends")
        assert status == 200
        return dict(found)

    async def open_room(self) -> str:
        """A table that waits for people, with a seat for this player."""
        _, joined = await ask(self.client, {"name": self.name[:3], "bots": 0, "wait": True})
        return str(joined["room"])

    async def invite(self, room: str, **whom: Any) -> list[str]:
        """Invite players to a table; returns who was invited."""
        status, found = await ask(self.client, whom, f"/api/rooms/{room}/invitations")
        assert status == 200
        return list(found["players"])


@pytest.fixture
def clock() -> ManualClock:
    """The clock of the server, a day after the beginning."""
    return ManualClock(2 * AGAIN_US)


@pytest.fixture
async def people(log: MemoryLog[Entry], clock: ManualClock, tmp_path: Path) -> AsyncIterator[list[Someone]]:
    """Ana, Ben and Cleo, who keep their games here."""
    app = make_app(log, clock, StaticFiles(tmp_path), execute=execute_here, community=CommunityOptions())
    server = TestServer(app)
    async with server:
        found = []
        for name in ("Ana", "Ben", "Cleo"):
            client: Client = TestClient(server, cookie_jar=CookieJar(unsafe=True))
            _, state = await ask(client, {"name": name}, "/api/account")
            found.append(Someone(client, state["account"]))
        yield found
        for each in found:
            await each.client.session.close()


async def test_a_friend_is_seen_online_only_if_both_have_added_each_other(
    people: list[Someone], clock: ManualClock
) -> None:
    ana, ben, _ = people
    await ben.friends()  # he is online
    clock.advance(LOOK_EVERY_US)
    (friend,) = (await ana.add(ben))["friends"]
    assert friend == {"id": ben.id, "name": ben.name, "mutual": False, "online": None}
    assert await ben.friends() == {"friends": [], "asking": [{"id": ana.id, "name": ana.name}], "invitations": []}
    (friend,) = (await ben.add(ana))["friends"]
    assert friend == {"id": ana.id, "name": ana.name, "mutual": True, "online": "here"}
    clock.advance(ASKED_US + 1)
    (friend,) = (await ben.friends())["friends"]
    assert friend["online"] is None


async def test_a_friend_at_a_table_is_playing(people: list[Someone], clock: ManualClock) -> None:
    ana, ben, _ = people
    await ana.add(ben)
    await ben.add(ana)
    room = await ben.open_room()
    page = Page(await ben.client.ws_connect(socket_of(room), autoping=False))
    await page.send("hello", player_ids=[0])
    await page.receive("welcome")
    clock.advance(ASKED_US + 1)
    (friend,) = (await ana.friends())["friends"]
    assert friend["online"] == "playing"
    await page.socket.close()


async def test_friends_are_invited_to_a_table_and_strangers_are_not(people: list[Someone], clock: ManualClock) -> None:
    ana, ben, cleo = people
    await ana.add(ben)
    await ben.add(ana)
    await ana.add(cleo)
    room = await ana.open_room()
    assert await ana.invite(room, players=[ben.id, cleo.id, "x", ana.id]) == [ben.id]
    (invitation,) = (await ben.friends())["invitations"]
    assert invitation == {"id": ana.id, "name": ana.name, "room": room, "at_us": clock.now_us()}
    assert (await cleo.friends())["invitations"] == []
    assert (await (await ben.client.delete(f"/api/invitations/{ana.id}")).json())["invitations"] == []


async def test_the_players_of_a_game_can_be_invited_again_for_a_day(
    people: list[Someone], clock: ManualClock, log: MemoryLog[Entry]
) -> None:
    ana, ben, _ = people
    room, now_us = await ana.open_room(), clock.now_us()
    for age_us in (1, AGAIN_US):
        end_us = now_us - age_us
        played = AccountGame(f"G-{age_us}", end_us, "1;classic", 0, 2, 0, {ben.id: 1, "gone-1": 2}, ())
        put_played(log, ana.id, played)
    assert await ana.invite(room, again={"game": "G-1", "end_us": now_us - 1}) == [ben.id]
    assert await ana.invite(room, again={"game": f"G-{AGAIN_US}", "end_us": now_us - AGAIN_US}) == []
    assert await ana.invite(room, again={"game": "G-2", "end_us": now_us - 2}) == []


async def test_a_player_who_has_blocked_another_gets_no_invitation_of_theirs(
    people: list[Someone], clock: ManualClock, log: MemoryLog[Entry]
) -> None:
    ana, ben, _ = people
    await ana.add(ben)
    await ben.add(ana)
    room, now_us = await ana.open_room(), clock.now_us()
    put_played(log, ana.id, AccountGame("G-1", now_us - 1, "1;classic", 0, 2, 0, {ben.id: 1}, ()))
    set_blocked(log, ben.id, ana.id, True, now_us)
    assert await ana.invite(room, players=[ben.id], again={"game": "G-1", "end_us": now_us - 1}) == []


async def test_a_blocked_player_cannot_ask_to_be_a_friend_and_sees_nobody_online(
    people: list[Someone], clock: ManualClock, log: MemoryLog[Entry]
) -> None:
    ana, ben, _ = people
    await ana.add(ben)
    await ben.add(ana)
    await ben.invite(await ben.open_room(), players=[ana.id])
    set_blocked(log, ben.id, ana.id, True, clock.now_us())
    assert await ben.friends() == {"friends": [], "asking": [], "invitations": []}  # though she has added him
    (friend,) = (await ana.add(ben))["friends"]
    assert friend == {"id": ben.id, "name": ben.name, "mutual": False, "online": None}
    assert (await ana.friends())["invitations"] == []
    assert (await ben.friends())["asking"] == []
    (friend,) = (await ben.add(ana))["friends"]  # which ends the block
    assert friend == {"id": ana.id, "name": ana.name, "mutual": True, "online": "here"}
    assert read_blocked(log, ben.id) == frozenset()


async def test_only_a_player_at_the_table_invites_to_it(people: list[Someone]) -> None:
    ana, ben, _ = people
    room = await ana.open_room()
    assert (await ask(ben.client, {"players": []}, f"/api/rooms/{room}/invitations"))[0] == 403
    assert (await ask(ben.client, {"players": []}, "/api/rooms/NONE0000/invitations"))[0] == 404


async def test_who_is_deleted_is_nobodys_friend(people: list[Someone], log: MemoryLog[Entry]) -> None:
    ana, ben, _ = people
    await ana.add(ben)
    await ben.add(ana)
    await ana.invite(await ana.open_room(), players=[ben.id])
    await ana.client.delete("/api/account")
    assert await ben.friends() == {"friends": [], "asking": [], "invitations": []}
    stored = [*map(repr, log.get().items()), *(repr(log.read(game)) for game in log.games())]
    assert not [text for text in stored if "Ana" in text or ana.id in text]


async def test_nobody_adds_themselves_or_a_player_who_does_not_exist(people: list[Someone]) -> None:
    ana = people[0]
    for wrong in (ana.id, "0123456789abcdef", "x"):
        assert (await ask(ana.client, {"id": wrong}, "/api/friends"))[0] == 404
    ana.client.session.cookie_jar.clear()
    assert (await get(ana.client, "/api/friends"))[0] == 403
