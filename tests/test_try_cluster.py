"""`make cluster`: three nodes on a PostgreSQL, one address; all of it ends with the command, however that ends."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

import cluster

ROOT = Path(__file__).resolve().parent.parent


def start(*words: str | Path) -> tuple[subprocess.Popen[str], str, str]:
    """The command when its nodes are ready: with the address and the URL of the database that it printed."""
    command = [sys.executable, ROOT / "scripts/cluster.py", "--port", "0", *words]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout
    said = ""
    for line in process.stdout:
        said += line
        if line == "Stop with Ctrl-C.\n":
            break
    found = re.search(r"(?s)^Ratscrew is at (\S+)/\n.*--log '(\S+)'", said)
    assert found, said
    return process, found[1], found[2]


def processes_with(word: str) -> list[str]:
    """The commands of running processes that contain a word."""
    commands = subprocess.run(["ps", "-ewwo", "args"], capture_output=True, text=True, check=True).stdout
    return [line for line in commands.splitlines() if word in line]


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_a_cluster_runs_until_its_command_ends(tmp_path: Path, how: signal.Signals) -> None:
    process, address, url = start()
    with process:
        body = json.dumps({"name": "Ana", "bots": 2}).encode()
        request = urllib.request.Request(f"{address}/api/rooms", body, {"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=30) as answer:
            assert answer.status == 201
        said = subprocess.run([ROOT / ".venv/bin/ratscrew", "nodes", "--json", "--log", url], capture_output=True)
        assert [json.loads(line)["alive"] for line in said.stdout.splitlines()] == [True] * len(cluster.NAMES)
        folder = url.partition("host=")[2]
        assert len(processes_with(f"{folder} --node")) >= len(cluster.NAMES)
        process.send_signal(how)
    assert process.returncode == (0 if how == signal.SIGINT else -how)
    until_s = time.monotonic() + 30 * (how == signal.SIGKILL)
    while processes_with(folder) or Path(folder).exists():
        assert time.monotonic() < until_s, processes_with(folder)
        time.sleep(0.1)
