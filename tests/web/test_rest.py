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


@pytest.mark.parametrize(("playing", "pings", "signs", "lane_signs"), [(False, 7.5, 3.75, 7.5), (True, 30, 7.5, 7.5)])
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


@pytest.mark.parametrize("playing", [False, True])
@on_manual_clock
async def test_every_ping_comes_when_the_one_before_it_has_said(
    clock: ManualClock, tmp_path: Path, playing: bool
) -> None:
    """A page takes its connection for dead if none comes; a game begins, or ends, after the first minute."""
    async with full_server(clock, MemoryLog(), tmp_path) as client:
        room = await gather(client, bots=1, house="1;classic;turn_ms=5000")
        ana, _ = await room.enter()
        due_ms, came = page_ms() + 4000, 0
        for minute in range(2):
            if playing is (minute == 0):
                await ana.send("start")
            until_ms = page_ms() + 60_000
            while page_ms() < until_ms:
                said = json.loads(await ana.receive_text())
                if said["t"] == "ping":
                    assert page_ms() <= due_ms + 50
                    due_ms, came = page_ms() + said["next_ms"], came + 1
                    await ana.send("pong", k=said["k"], c_ms=page_ms())
        assert came > 10
