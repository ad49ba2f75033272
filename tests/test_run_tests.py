"""All checks by one command: two at a time, each one's words together, and nothing goes on behind a failure."""

from __future__ import annotations

import asyncio
import fcntl
import os
import sys
from pathlib import Path

import pytest

import install
import run_tests

TOGETHER = """
import pathlib, sys, time
mine, other = map(pathlib.Path, sys.argv[1:])
print("first", mine.name, flush=True)
mine.touch()
end = time.monotonic() + 30
while not other.exists() and time.monotonic() < end:
    time.sleep(0.01)
print("last", mine.name, other.exists())
"""
"""Waits for another one that runs at the same time."""

HOLDS = """
import fcntl, subprocess, sys, time
if sys.argv[2:]:
    subprocess.run([sys.executable, "-c", sys.argv[2], sys.argv[1]])
else:
    with open(sys.argv[1], "r+") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        held.write("held"), held.flush()
        time.sleep(30)
        held.write(", and let go")
"""
"""Has a child of its own that holds a file for long."""

FAILS = """
import pathlib, sys, time
while not pathlib.Path(sys.argv[1]).read_text():
    time.sleep(0.01)
sys.exit(3)
"""


def run(monkeypatch: pytest.MonkeyPatch, **steps: list[str]) -> None:
    """Run these programs as checks."""
    monkeypatch.setattr(install, "PYTHON", sys.executable)
    monkeypatch.setattr(run_tests, "STEPS", {name: ["-c", *words] for name, words in steps.items()})
    asyncio.run(run_tests.run_checks(list(steps), dict(os.environ)))


def test_two_checks_run_at_once_and_each_is_heard_as_a_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    a, b = str(tmp_path / "a"), str(tmp_path / "b")
    run(monkeypatch, a=[TOGETHER, a, b], b=[TOGETHER, b, a])
    said = capsys.readouterr().out
    for name in "ab":
        assert f"first {name}\nlast {name} True\n=== {name}: " in said


def test_a_check_that_fails_is_named_and_what_runs_beside_it_ends_with_all_its_children(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "held"
    file.touch()
    never = tmp_path / "never"
    with pytest.raises(SystemExit, match=r"the step 'fails' failed \(exit 3\)"):
        run(
            monkeypatch,
            holds=[HOLDS, str(file), HOLDS],
            fails=[FAILS, str(file)],
            never=["import sys; open(sys.argv[1], 'w')", str(never)],
        )
    with file.open() as held:
        fcntl.flock(held, fcntl.LOCK_EX)  # nobody else has it any longer
        assert held.read() == "held"
    assert not never.exists()
