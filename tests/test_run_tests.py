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


SHAKY = """
import pathlib, pytest
pytestmark = pytest.mark.browser
@pytest.mark.parametrize("name", ["a b", "c"])
def test_shaky(name):
    tried = pathlib.Path(name)
    before = tried.exists()
    tried.touch()
    assert before
"""
"""Fails at the first try, and at no other."""

STEADY = """
import pytest
pytestmark = pytest.mark.browser
@pytest.mark.parametrize("one", range({failing}))
def test_steady(one):
    assert {failing} == 0
"""


def browse(monkeypatch: pytest.MonkeyPatch, folder: Path, **files: str) -> None:
    """Run these files as the browser tests."""
    (folder / "pytest.ini").write_text("[pytest]\nmarkers =\n    browser\n")
    (folder / "tests").mkdir()
    for name, text in files.items():
        (folder / "tests" / f"{name}.py").write_text(text)
    monkeypatch.setattr(install, "PYTHON", sys.executable)
    monkeypatch.setattr(install, "ROOT", folder)
    alone = ["-n", "0", f"--junitxml={run_tests.REPORT}"]
    monkeypatch.setitem(run_tests.STEPS, "browser", ["-m", "pytest", "-q", "-m", "browser", *alone])
    run_tests.run_tests("browser", dict(os.environ))


def test_browser_tests_that_failed_beside_others_are_tried_again_alone_and_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    browse(monkeypatch, tmp_path, test_shaky=SHAKY)
    said = capfd.readouterr().out
    assert "passed alone:\ntests/test_shaky.py::test_shaky[a b]\ntests/test_shaky.py::test_shaky[c]\n" in said


@pytest.mark.parametrize("failing", [1, run_tests.MOST_TRIED_AGAIN + 1])
def test_who_fails_twice_has_failed_and_many_are_not_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], failing: int
) -> None:
    with pytest.raises(SystemExit, match="the step 'browser' failed"):
        browse(monkeypatch, tmp_path, test_shaky=SHAKY, test_steady=STEADY.format(failing=failing))
    said = capfd.readouterr().out
    assert ("a second try" in said) == (failing == 1)
    assert "passed alone" not in said
