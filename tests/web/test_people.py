"""Players at a table over WebSockets: they leave, are removed, join strangers, and keep their seats."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ratscrew.log.memory import MemoryLog
from ratscrew.table.record.entries import Entry, Sat
from ratscrew.testing.clock import ManualClock, on_manual_clock
from tests.web.http_requests import Client, ask, get, socket_of
from tests.web.pages import Page, cookies, full_server
from tests.web.test_waiting_room import gather, refused


async def event(page: Page, kind: str) -> dict[str, Any]:
    """The next event of a kind that a page receives."""
    while (told := await page.receive("event"))["e"]["e"] != kind:
        pass
    return dict(told["e"])


@on_manual_clock
async def test_who_is_removed_hears_it_and_his_cookie_opens_nothing(clock: ManualClock, tmp_path: Path) -> None:
    log, jar = MemoryLog[Entry](), cookies()
    async with full_server(clock, log, tmp_path, jar=jar) as client:
        room = await gather(client)
        ana, _ = await room.enter()
        joined = await room.sit("Bo")
        bo, _ = await room.enter(joined)
        await bo.send("remove", seat=0)
        assert await bo.receive("refused") == refused("remove", "not_host")
        await ana.send("remove", seat=1)
        assert await event(ana, "left") == {"e": "left", "seat": 1, "removed": True, "by": []}
        await bo.expect_close(after="removed")
        assert (await room.enter(joined))[1]["you"] is None
        cy = await room.sit("Cy")
        assert (cy["seat"], (await room.enter(cy))[1]["you"]) == (1, 1)
        assert (await room.enter(joined))[1]["you"] is None
    async with full_server(clock, log, tmp_path, jar=jar) as client:
        room.client = client
        assert [(await room.enter(who))[1]["you"] for who in (None, joined, cy)] == [0, None, 1]


@on_manual_clock
async def test_when_the_chairs_close_up_each_page_follows_its_person(clock: ManualClock, tmp_path: Path) -> None:
    """Bo leaves the waiting room; Cy moves up to that seat and plays there with the same cookie, also on a new page."""
    async with full_server(clock, MemoryLog(), tmp_path) as client:
        room = await gather(client)
        ana, _ = await room.enter()
        bo, _ = await room.enter(await room.sit("Bo"))
        joined = await room.sit("Cy")
        cy, welcome = await room.enter(joined)
        assert welcome["you"] == 2
        await bo.send("leave")
        assert (await bo.receive("welcome"))["you"] is None
        await ana.send("start")
        welcome = await cy.receive("welcome")
        assert (welcome["you"], [seat["name"] for seat in welcome["seats"]]) == (1, ["Ana", "Cy"])
        await cy.send("play", n=9)
        assert await cy.receive("refused") == refused("play", "not_your_turn")
        assert (await room.enter(joined))[1]["you"] == 1


@on_manual_clock
async def test_the_host_leaves_and_the_next_person_is_it(clock: ManualClock, tmp_path: Path) -> None:
    async with full_server(clock, MemoryLog(), tmp_path) as client:
        room = await gather(client)
        ana, _ = await room.enter()
        bo, _ = await room.enter(await room.sit("Bo"))
        await ana.send("leave")
        await event(bo, "left")
        await bo.send("bot", strength="gentle")
        assert (await event(bo, "sat"))["bot"] == "gentle"
        await bo.send("start")
        welcome = await bo.receive("welcome")
        assert (welcome["you"], welcome["host"], welcome["seats"][0]["name"]) == (0, 0, "Bo")


@on_manual_clock
async def test_signs_go_round_until_the_host_mutes_them(clock: ManualClock, tmp_path: Path) -> None:
    async with full_server(clock, MemoryLog(), tmp_path) as client:
        room = await gather(client)
        ana, _ = await room.enter()
        bo, _ = await room.enter(await room.sit("Bo"))
        watcher = Page(await client.ws_connect(socket_of(room.code), autoping=False))
        await watcher.send("hello")
        await watcher.receive("welcome")
        await bo.send("react", reaction="wow")
        for page in (ana, bo, watcher):
            assert await page.receive("reacted") == {"t": "reacted", "seat": 1, "reaction": "wow"}
        await ana.send("mute", seat=1, on=True)
        assert await event(bo, "muted") == {"e": "muted", "seat": 1, "on": True}
        await bo.send("react", reaction="wow")
        assert await bo.receive("refused") == refused("react", "muted")
        await watcher.send("react", reaction="wow")
        assert await watcher.receive("refused") == refused("react", "not_playing")


async def test_hands_are_as_wished_and_kept_in_the_log(client: Client, log: MemoryLog[Entry]) -> None:
    wish = {"hue": 6, "shape": "wing"}
    _, host = await ask(client, {"name": "Ana", "bots": 1, "wait": True, "appearance": wish})
    await ask(client, {"name": "Bo", "appearance": wish}, f"/api/rooms/{host['room']}/seats")
    (game,) = log.games(host["room"])
    appearances = [entry.event.appearance for entry in log.read(game) if isinstance(entry.event, Sat)]
    assert [(each.hue, each.shape) for each in appearances if each] == [(6, "wing"), (1, "paw"), (7, "wing")]
    status, _ = await ask(client, {"name": "Cy", "appearance": {"hue": 8, "shape": "wing"}}, "/api/quick")
    assert status == 400


# Strangers


@on_manual_clock
async def test_a_listed_room_with_somebody_in_it_is_found(clock: ManualClock, tmp_path: Path) -> None:
    async with full_server(clock, MemoryLog(), tmp_path) as client:
        room = await gather(client, listed=True, bots=1, house="1;wiki")
        assert await get(client, "/api/rooms") == (200, [])
        ana, welcome = await room.enter()
        assert welcome["listed"]
        most = {"room": room.code, "host": "Ana", "house": "1;wiki", "people": 1, "bots": 1, "playing": False}
        (row,) = (await get(client, "/api/rooms"))[1]
        assert row == {**most, "most": row["most"]}
        await ana.send("list", on=False)
        assert await event(ana, "listed") == {"e": "listed", "on": False}
        assert await get(client, "/api/rooms") == (200, [])


@pytest.mark.parametrize("house", ["1;beggar", "1;classic"])
@on_manual_clock
async def test_a_full_room_is_not_found(clock: ManualClock, tmp_path: Path, house: str) -> None:
    """Beggar is for two, classic for eight."""
    async with full_server(clock, MemoryLog(), tmp_path) as client:
        room = await gather(client, listed=True, bots=1, house=house)
        await room.enter()
        assert len((await get(client, "/api/rooms"))[1]) == (0 if house == "1;beggar" else 1)


@on_manual_clock
async def test_quick_play_brings_strangers_together_and_bots_fill_the_table(clock: ManualClock, tmp_path: Path) -> None:
    async with full_server(clock, MemoryLog(), tmp_path) as client:
        _, ana = await ask(client, {"name": "Ana"}, "/api/quick")
        page = Page(await client.ws_connect(socket_of(ana["room"]), autoping=False))
        await page.send("hello", player_ids=[ana["player_id"]])
        welcome = await page.receive("welcome")
        assert (welcome["clock"]["awaited"], welcome["clock"]["seat"], welcome["listed"]) == ("fill", 0, True)
        _, bo = await ask(client, {"name": "Bo"}, "/api/quick")
        second = Page(await client.ws_connect(socket_of(ana["room"]), autoping=False))
        await second.send("hello", player_ids=[bo["player_id"]])
        await second.receive("welcome")
        _, other = await ask(client, {"name": "ana"}, "/api/quick")
        assert (bo["room"], bo["seat"], other["room"] != ana["room"]) == (ana["room"], 1, True)
        welcome = await page.receive("welcome")
        assert [seat["bot"] for seat in welcome["seats"]] == [None, None, "steady", "steady"]
        _, cy = await ask(client, {"name": "Cy"}, "/api/quick")
        assert cy["room"] != ana["room"]
