"""How often waiting and playing clients are pinged."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from pathlib import Path

import pytest
from aiohttp import WSMsgType

from ratscrew.log.memory import MemoryLog
from ratscrew.testing.clock import ManualClock, on_manual_clock
from tests.web.pages import Page, full_server, messages_in, page_ms
from tests.web.test_judge import lane_of
from tests.web.test_waiting_room import gather

MINUTE_S = 60


async def asked(page: Page) -> tuple[int, int]:
    """How often a page was pinged in a minute, and how often its browser; both answer."""
    pings = signs = 0
    with suppress(TimeoutError):
        async with asyncio.timeout(MINUTE_S):
            while True:
                message = await page.socket.receive()
                if message.type is WSMsgType.PING:
                    signs += 1
                    await page.socket.pong(message.data)
                for said in map(json.loads, messages_in(message.data) if message.type is WSMsgType.TEXT else ()):
                    if said["t"] == "ping":
                        pings += 1
                        await page.send("pong", k=said["k"], c_ms=page_ms())
    return pings, signs


@pytest.mark.parametrize(("playing", "pings", "signs", "lane_signs"), [(False, 30, 6, 7.5), (True, 30, 7.5, 7.5)])
@on_manual_clock
async def test_who_waits_is_asked_less_than_who_plays(
    clock: ManualClock, tmp_path: Path, playing: bool, pings: float, signs: float, lane_signs: float
) -> None:
    """Besides the first ten, at three of which the browser is pinged too, and the pings behind cards."""
    async with full_server(clock, MemoryLog(), tmp_path) as client:
        room = await gather(client, bots=1, house="1;classic;turn_ms=600000")
        ana, _ = await room.enter()
        lane = await lane_of(room, room.host["player_id"])
        if playing:
            await ana.send("start")
        (told, proved), (_, by_lane) = await asyncio.gather(asked(ana), asked(lane))
    assert abs(told - 10 - pings) <= 3
    assert abs(proved - 3 - signs) <= 2
    assert abs(by_lane - lane_signs) <= lane_signs / 3 + 1
