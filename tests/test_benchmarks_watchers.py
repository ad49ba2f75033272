"""The benchmark of watchers has watchers that get what the players do. Speed is not checked."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_watchers_get_the_messages_of_their_table() -> None:
    options = ("--watchers", "15", "--seconds", "2", "--rounds", "1", "--tables", "1", "--json")
    command = [sys.executable, "-W", "error", "-m", "benchmarks.watchers", *options]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=110)
    assert ended.returncode == 0, ended.stderr
    found = json.loads(ended.stdout)
    assert found["watchers"] == 15
    assert found["messages_per_watcher_second"] > 0
    assert found["without"]["players_ms"]["count"] > 0
