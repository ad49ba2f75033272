"""Metrics of a server as Prometheus reads them; measuring delays no client."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from aiohttp.test_utils import TestClient, TestServer
from prometheus_client.parser import text_string_to_metric_families

from ratscrew.log.memory import MemoryLog
from ratscrew.protocol.metrics_sink import measure_loop_lag
from ratscrew.table.record.entries import Entry
from ratscrew.testing.clock import ManualClock, on_manual_clock
from ratscrew.web.app import QUEUES, REGISTRY, make_app
from ratscrew.web.http.static_files import StaticFiles
from ratscrew.web.metrics import Metrics
from tests.web.http_requests import socket_of
from tests.web.pages import Page, open_room


async def figures(metrics: Metrics) -> dict[Any, float]:
    """All figures by their name and labels, as they are read over HTTP."""
    async with TestClient(TestServer(metrics.application())) as reader:
        text = await (await reader.get("/metrics")).text()
    return {
        (sample.name.removeprefix("ratscrew_"), *sorted(sample.labels.values())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


@on_manual_clock
async def test_a_game_is_counted(clock: ManualClock) -> None:
    """Ana and two bots: she is refused once, out of turn or too soon. Then she only says that she is still here."""
    log, metrics = MemoryLog[Entry](), Metrics()
    app = make_app(log, clock, StaticFiles(Path("nowhere")), metrics=metrics)
    metrics.register_gauges(app[REGISTRY], app[QUEUES])
    async with TestClient(TestServer(app)) as client:
        joined = await open_room(client)
        page = Page(await client.ws_connect(socket_of(joined["room"]), autoping=False))
        await page.send("hello", player_ids=[joined["player_id"]])
        await page.receive("welcome")
        await page.send("play", n=10**9)
        refused = await page.receive("refused")
        while (said := await page.receive("event", "idle_warning")).get("e", {}).get("e") != "judged":
            if said["t"] == "idle_warning":
                await page.send("come_back")
        found = await figures(metrics)
        (game,) = log.games()
        judged = sum(entry.event.__class__.__name__ == "Judged" for entry in log.read(game))
        kept = len(log.read(game))
    assert (found["rooms",], found["bots",], found["connections",]) == (1, 2, 1)
    assert (found["people", "yes"], found["people", "no"], found["queue_length", "log"]) == (1, 0, 0)
    assert found["http_responses_total", "201"] == 1
    assert found["refusals_total", *sorted(("play", refused["reason"]))] == 1
    assert found["reply_seconds_count", "play"] == 1
    assert found["log_entries_total",] == kept
    assert found["log_append_seconds_count",] > 0
    verdicts = [value for name, value in found.items() if name[0] == "verdicts_total"]
    assert sum(verdicts) == found["race_spread_seconds_count",] == judged > 0
    assert said["e"]["order"]


@on_manual_clock
async def test_a_loop_that_was_held_up_is_seen_to_be_late(clock: ManualClock) -> None:
    """The watch wants to wake after 0.1 s. Something holds the loop for 0.3 s, and the second time nothing does."""
    late: list[float] = []
    watching = asyncio.create_task(measure_loop_lag(late.append))
    await asyncio.sleep(0)
    clock.advance(300_000)
    while len(late) < 2:
        await asyncio.sleep(0.01)
    watching.cancel()
    assert late == pytest.approx([0.2, 0], abs=0.001)
