"""The benchmark of an arena leads its players to tables and back. Speed is not checked."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_the_players_of_the_benchmark_play_and_win() -> None:
    command = [sys.executable, "-W", "error", "-m", "benchmarks.arena", "--players", "8", "--quick", "--json"]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=110)
    assert ended.returncode == 0, ended.stderr
    found = json.loads(ended.stdout)
    assert found["failed"] == 0
    assert found["wins"] >= 1
    assert found["points"] >= 2 * found["wins"]
