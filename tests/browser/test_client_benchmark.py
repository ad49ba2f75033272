"""The client's benchmark in its smallest form, in a browser. The speed itself is not checked."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.browser.engines import ENGINE

pytestmark = pytest.mark.browser

ROOT = Path(__file__).parents[2]


@pytest.mark.one_engine("It measures by Chromium's DevTools.")
def test_the_page_is_measured_in_a_browser() -> None:
    command = [sys.executable, "-W", "error", "-m", "benchmarks.client", "--quick", "--json"]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert ended.returncode == 0, ended.stderr
    found = json.loads(ended.stdout)
    assert found["browser"]
    assert len(found["machine_load"]) == 2
    assert 20_000 < found["load"]["start"]["bytes"] < found["load"]["table"]["bytes"]
    assert all(page["answers"] > 5 for page in found["load"].values())
    kinds = {f"{page}, {kind}" for page in ("start", "room link", "table") for kind in ("plain", "slow")}
    assert set(found["interactive"]) == kinds
    for page in ("start", "room link", "table"):
        # the slow network alone takes two round trips of 150 ms
        assert found["interactive"][f"{page}, slow"]["least"] > 300
    cards = found["play"]
    assert all(cards["cpu_ms_per_card"][part] >= 0 for part in ("all", "script", "style", "layout"))
    assert cards["frames_late"] >= 0 <= cards["frames_late_percent"]
    assert cards["cards"] > 0 < cards["frame_ms"]["count"]
    assert cards["tap_ms"]["count"] > 0
    assert 0 < cards["tap_ms"]["p50"] <= cards["tap_ms"]["p99"]
    memory = found["memory"]
    assert memory["cards"] > 0 < memory["tap_ms"]["count"]
    assert all(memory["games"][0][what] > 0 for what in ("nodes", "listeners"))
    assert memory["games"][0]["heap_kb"] > 1000


def test_load_and_frames_are_measured_on_this_engine() -> None:
    command = [sys.executable, "-W", "error", "-m", "benchmarks.client_engines", ENGINE, "--quick", "--json"]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert ended.returncode == 0, ended.stderr
    ((engine, figures),) = json.loads(ended.stdout)["engines"].items()
    assert engine == ENGINE
    ((start,), (table,)) = figures["load"].values()
    assert 20_000 < start["bytes"] < table["bytes"]
    assert min(start["responds_ms"], table["responds_ms"]) > 0
    assert figures["play"]["frame_ms"]["count"] > 0
    assert figures["play"]["cards"] > 0 < figures["play"]["tap_ms"]["count"]
