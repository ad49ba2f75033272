"""The benchmarks run, in their smallest form, and say what they promise to say. How fast anything is, is not asked."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
HALVES = ("apply", "decide", "evolve")
TINY = ("--rooms", "2", "--seconds", "1", "--rounds", "1")


def run(module: str, *arguments: str) -> str:
    """What a benchmark prints."""
    command = [sys.executable, "-W", "error", "-m", f"benchmarks.{module}", *arguments]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


def keys(value: dict[str, Any], *names: str) -> None:
    """These keys, with numbers that are none of them negative."""
    assert set(names) <= set(value)
    assert all(value[name] >= 0 for name in names)


def test_the_engine_is_measured() -> None:
    found = json.loads(run("engine", "--seconds", "0", "--json"))
    steps = {f"{kind}: {half}" for kind in ("play", "good slap", "wrong slap", "collect") for half in HALVES}
    assert steps | {"calibration", "view", "slap_on", "log entry: encode"} <= set(found["figures"])
    for figure in found["figures"].values():
        keys(figure, "us", "ratio")
    assert set(found["watch"]) == {"2", "4", "8"}
    for watched in found["watch"].values():
        keys(watched, "games_per_second", "cards_per_game", "us_per_card", "ratio_per_card")


def test_tables_are_measured_and_searched() -> None:
    found = json.loads(run("table", *TINY, "--most", "2", "--log", "full", "--json"))
    assert list(found["compared"]) == ["echo", "full"]
    for server in found["compared"].values():
        keys(server, "cpu_percent", "waited_percent", "messages_in_per_second", "messages_out_per_second")
        keys(server, "cards_per_second", "memory_kb_per_room", "cpu_us_per_message")
        for spread in ("delay_ms", "server_lag_ms", "client_lag_ms"):
            keys(server[spread], "count", "p50", "p99", "most")
        keys(server["ratios"], "cpu_us_per_message", "p50", "p99")
    assert found["compared"]["full"]["messages_out_per_second"] > 0
    assert {each["rooms"] for each in found["capacity"]["tried"]} == {2}
    assert {"holds", "fails", "disturbed"} <= set(found["capacity"])


def test_two_trees_are_compared_in_a_table_for_people() -> None:
    printed = run("table", *TINY, "--most", "0", "--log", "memory", "--against", str(ROOT / "src"))
    assert all(f"| {name} |" in printed for name in ("echo", "memory", "against"))
