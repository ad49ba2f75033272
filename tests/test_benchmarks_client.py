"""The benchmark of the client in a browser. The speed itself is not checked."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.client import growth, play_for

ROOT = Path(__file__).parents[1]


class SlowPlayer:
    """Turns its first card in the third stretch of play."""

    def __init__(self) -> None:
        self.cards = self.stretches = 0

    async def play(self, seconds: float) -> bool:
        """A stretch of play that never ends the game."""
        assert seconds > 0
        self.stretches += 1
        self.cards = self.stretches // 3
        return False


def test_play_goes_on_until_there_is_a_card_to_measure() -> None:
    player = SlowPlayer()
    asyncio.run(play_for(player, 0.0))  # type: ignore[arg-type]
    assert player.cards == 1


@pytest.mark.browser
def test_the_page_is_measured_in_a_browser() -> None:
    command = [sys.executable, "-W", "error", "-m", "benchmarks.client", "--quick", "--json"]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert ended.returncode == 0, ended.stderr
    found = json.loads(ended.stdout)
    assert found["browser"]
    assert len(found["machine_load"]) == 2
    assert 20_000 < found["load"]["start"]["bytes"] < found["load"]["table"]["bytes"]
    assert all(page["answers"] > 5 for page in found["load"].values())
    kinds = {f"{page}, {kind}" for page in ("start", "table") for kind in ("plain", "slow")}
    assert set(found["interactive"]) == kinds
    for page in ("start", "table"):
        # the slow network alone takes two round trips of 150 ms
        assert found["interactive"][f"{page}, slow"]["least"] > 300
    cards = found["play"]
    assert all(cards["cpu_ms_per_card"][part] >= 0 for part in ("all", "script", "style", "layout"))
    assert cards["frames_late"] >= 0 <= cards["frames_late_percent"]
    assert cards["cards"] > 0 < cards["frame_ms"]["count"]
    assert 0 < cards["tap_ms"]["p50"] <= cards["tap_ms"]["p99"]
    memory = found["memory"]
    assert memory["cards"] > 0 < memory["tap_ms"]["count"]
    assert all(memory["games"][0][what] > 0 for what in ("nodes", "listeners"))
    assert memory["games"][0]["heap_kb"] > 1000


def test_memory_that_a_page_takes_in_its_first_games_is_no_growth() -> None:
    heaps = (2000.0, 3000.0, 3500.0, 4000.0, 4010.0, 4020.0, 4030.0)
    games = [{"heap_kb": heap, "nodes": 700.0, "listeners": 90.0} for heap in heaps]
    assert growth(games) == {"heap_kb": 10, "nodes": 0, "listeners": 0}
    assert growth(games[:4]) == {}
