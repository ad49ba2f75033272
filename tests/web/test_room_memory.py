"""What a room keeps in memory for four players with two sockets each, by the objects that can be reached from it."""

from __future__ import annotations

import asyncio
import gc
import random
import sys
import types
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import Future
from contextlib import ExitStack, suppress

import pytest
from aiohttp import web

from ratscrew.table.registry import room_registry
from ratscrew.table.registry.daily_deal import daily_deal
from ratscrew.table.registry.room_registry import RoomRequest
from ratscrew.testing.clock import ManualClock, on_manual_clock
from ratscrew.web.socket import channel_handlers
from ratscrew.web.socket.socket_session import SocketSession
from tests.web.pages import Page, ServedRoom, serve

PLAYERS = 4
CARDS = 100
DAY = "2026-01-03"
"""With the deal of this day a game in which nobody slaps has 255 cards; one deal in thirty has fewer than `CARDS`."""

ROOM_KB = 58
"""It was 44 to 46 kB when this was written, and is 55 with all that games
have had since, without what the event loop and C libraries allocate for sockets."""

TOO_LARGE = (web.BaseRequest, web.RequestHandler, ExitStack, random.Random, Future, asyncio.Task)
"""Objects of some kilobytes that nothing in a room at rest needs."""

NOT_THE_ROOMS = (
    type, types.ModuleType, types.FunctionType, types.BuiltinFunctionType, types.CodeType,
    asyncio.AbstractEventLoop, asyncio.BaseTransport,
)  # fmt: skip
"""The search ends at these: at code, and where the event loop begins."""


def reachable(begin: Iterable[object], end: Iterable[object]) -> list[object]:
    """All objects that can be reached from some, without going past those at the end."""
    known = {id(each): each for each in end}
    found, waiting = list[object](), list(begin)
    while waiting:
        each = waiting.pop()
        if id(each) not in known and not isinstance(each, NOT_THE_ROOMS):
            known[id(each)] = each
            found.append(each)
            waiting += gc.get_referents(each)
    return found


async def play_on(page: Page) -> None:
    """Answer pings, and turn a card whenever the table waits for this player."""
    while True:
        message = await page.receive()
        if message["t"] == "clock" and message["awaited"] == "turn" and message["seat"] == page.player_id:
            await page.send("play", n=max(page.painted, default=0))


async def answer_pings(page: Page) -> None:
    """Answer the pings of a socket for slaps."""
    with suppress(AssertionError):
        await page.receive_text()


async def enter(served: ServedRoom, player_id: int) -> list[asyncio.Task[None]]:
    """A player comes with both sockets, and plays."""
    served.use_cookies(served.tokens.sign("seat", served.room.table.room, [player_id], served.clock.now_us()))
    page = await served.enter(player_ids=[player_id])
    page.player_id = player_id
    await page.receive("welcome")
    slaps = await served.enter(player_ids=[player_id], only="slaps")
    if player_id == 0:
        await page.send("start")
    return [asyncio.create_task(play_on(page)), asyncio.create_task(answer_pings(slaps))]


@on_manual_clock
async def test_a_room_of_four_takes_little_memory(clock: ManualClock, monkeypatch: pytest.MonkeyPatch) -> None:
    sessions = list[SocketSession]()

    class Remembered(SocketSession):
        def __init__(self, *args: object) -> None:
            super().__init__(*args)  # type: ignore[arg-type]
            sessions.append(self)

    monkeypatch.setattr(channel_handlers, "SocketSession", Remembered)
    async with serve(clock, asked=RoomRequest("Ana", 0, wait=True), laid=daily_deal(DAY)) as served:
        room = served.room
        for name in ("Bo", "Cy", "Di"):
            room.join(name)
        tasks = [task for player in reversed(range(PLAYERS)) for task in await enter(served, player)]
        async with asyncio.timeout(600):
            while room.table.game is None or room.table.game.n < CARDS:
                await asyncio.sleep(1)
        context = sessions[0]._context
        shared = [
            context,
            *context,
            room._log,
            room._turns,
            room_registry._CHANCE,
            room.table.state.rules,
            served,
            sessions,
        ]
        found = reachable([room, *sessions], shared)
        for task in tasks:
            task.cancel()
    assert len(sessions) == 2 * PLAYERS
    assert not [each for each in found if isinstance(each, TOO_LARGE)]
    kinds = Counter(type(each).__name__ for each in found)
    assert kinds["PlayerConnection"] == kinds["SlapSocket"] == PLAYERS  # the search is complete
    assert kinds["deque"] <= 1, "an empty deque takes 600 bytes"
    size = sum(map(sys.getsizeof, found))
    assert size < ROOM_KB * 1024, [size, *kinds.most_common(20)]
