"""An account is deleted at one server while it plays at another with the same store."""

from __future__ import annotations

import asyncio
from pathlib import Path

from aiohttp import CookieJar
from aiohttp.test_utils import TestClient, TestServer

from ratscrew.accounts.values import PREFIX
from ratscrew.log.memory import MemoryLog
from ratscrew.table.record.entries import AccountLinked, Entry
from ratscrew.testing.clock import ManualClock, on_manual_clock
from ratscrew.web.access.account_erasure import DELETED_KEPT_US, hash_id, mark_deleted, read_deleted
from ratscrew.web.access.community import CommunityOptions
from ratscrew.web.app import REGISTRY, make_app
from ratscrew.web.http.static_files import StaticFiles
from ratscrew.web.rendering.worker import execute_here
from tests.web.http_requests import ask, socket_of
from tests.web.pages import Page

NAME = "Xanthippe"


@on_manual_clock
async def test_a_room_at_another_node_deals_a_game_and_then_forgets_the_name(
    clock: ManualClock, tmp_path: Path
) -> None:
    log, jar = MemoryLog[Entry](), CookieJar(unsafe=True)
    apps = [
        make_app(log, clock, StaticFiles(tmp_path), execute=execute_here, community=CommunityOptions())
        for _ in range(2)
    ]
    async with (
        TestClient(TestServer(apps[0]), cookie_jar=jar) as here,
        TestClient(TestServer(apps[1]), cookie_jar=jar) as elsewhere,
    ):
        account = (await ask(here, {"name": NAME}, "/api/account"))[1]["account"]["id"]
        _, joined = await ask(elsewhere, {"name": NAME, "bots": 1, "wait": True})
        page = Page(await elsewhere.ws_connect(socket_of(joined["room"]), autoping=False))
        await page.send("hello", player_ids=[joined["player_id"]])
        await page.receive("welcome")
        await here.delete("/api/account")
        await page.send("start")
        (room,) = apps[1][REGISTRY]
        while room.table.session is None:
            await asyncio.sleep(0.01)
        await room.stored()
        assert NAME in repr(log.read(room.table.log.game)), "the other node does not know it yet"
        async with asyncio.timeout(60):
            while NAME in repr([log.read(game) for game in log.games()]) or room.table.seats[0].account:
                await asyncio.sleep(1)
        await page.socket.close()
        linked = [entry.event for game in log.games() for entry in log.read(game)]
        assert account not in [event.account for event in linked if isinstance(event, AccountLinked)]
        assert NAME not in repr(log.get())
        assert list(room.table.state.seats_of([joined["player_id"]])) == [0], "the player keeps the seat"


def test_the_note_of_a_deletion_is_stored_for_a_day() -> None:
    log = MemoryLog[Entry]()
    mark_deleted(log, "0123456789abcdef", "gone-1", 5)
    assert read_deleted(log, DELETED_KEPT_US + 4) == {hash_id("0123456789abcdef"): "gone-1"}
    assert read_deleted(log, DELETED_KEPT_US + 5) == {}
    assert log.get(PREFIX) == {}
