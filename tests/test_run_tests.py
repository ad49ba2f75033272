"""`make test`: checks run two at a time, the first failure ends them, and no test fails, hangs or vanishes unseen."""

from __future__ import annotations

import asyncio
import fcntl
import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import debian
import install
import outcomes
import run_tests

ROOT = Path(__file__).resolve().parent.parent

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


def run(monkeypatch: pytest.MonkeyPatch, **steps: list[str]) -> str:
    """Run these programs as checks; returns why one of them failed, or nothing."""
    monkeypatch.setattr(install, "PYTHON", sys.executable)
    monkeypatch.setattr(run_tests, "STEPS", {name: ["-c", *words] for name, words in steps.items()})
    return asyncio.run(run_tests.run_checks(list(steps), dict(os.environ)))


def test_two_checks_run_at_once_and_the_output_of_each_is_printed_as_a_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    a, b = str(tmp_path / "a"), str(tmp_path / "b")
    assert run(monkeypatch, a=[TOGETHER, a, b], b=[TOGETHER, b, a]) == ""
    said = capsys.readouterr().out
    for name in "ab":
        assert f"first {name}\nlast {name} True\n=== {name}: " in said


def test_a_check_that_fails_is_named_and_what_runs_beside_it_ends_with_all_its_children(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "held"
    file.touch()
    never = tmp_path / "never"
    failure = run(
        monkeypatch,
        holds=[HOLDS, str(file), HOLDS],
        fails=[FAILS, str(file)],
        never=["import sys; open(sys.argv[1], 'w')", str(never)],
    )
    assert "the step 'fails' failed (exit 3)" in failure
    with file.open() as held:
        fcntl.flock(held, fcntl.LOCK_EX)  # nobody else has it any longer
        assert held.read() == "held"
    assert not never.exists()


def test_processes_of_the_tests_keep_compiled_modules(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    assert "PYTHONDONTWRITEBYTECODE" not in run_tests.environment_for([])


# Test steps, each with a small test suite of its own

FLAKY = """
import pathlib, pytest
@pytest.mark.parametrize("name", ["a b", "c"])
def test_flaky(name):
    tried = pathlib.Path(name)
    before = tried.exists()
    tried.touch()
    assert before
"""
"""Fails at the first run, and at no other."""

PASSES = """
def test_seat_passes():
    pass
"""

BREAKS = {
    "a_failure": "def test_it(): assert False",
    "a_skip": "import pytest\ndef test_it(): pytest.skip('nothing here')",
    "a_module_that_skips": "import pytest\npytest.skip('nothing here', allow_module_level=True)",
    "an_expected_failure": "import pytest\n@pytest.mark.xfail\ndef test_it(): assert False",
    "a_setup_error": "import pytest\n@pytest.fixture\ndef it(): assert False\ndef test_it(it): pass",
    "a_teardown_error": "import pytest\n@pytest.fixture\ndef it():\n    yield\n    assert False\ndef test_it(it): pass",
    "a_crash": "import os\ndef test_it(): os._exit(0)",
    "a_collection_error": "import no_such_module_anywhere",
}
"""Modules whose only test does not pass."""

QUARANTINE = """
[[quarantine]]
test = "{test}"
reason = "It races with itself."
since = 2026-11-22
"""

ANYTHING = "".join(QUARANTINE.format(test=f"tests/test_{name}.py::test_it") for name in BREAKS)
"""Every test of BREAKS in quarantine."""


def run_suite(
    monkeypatch: pytest.MonkeyPatch,
    folder: Path,
    suite: dict[str, str],
    exceptions: str = "",
    options: tuple[str, ...] = (),
    settings: str = "",
    name: str = "unit",
) -> run_tests.TestStep:
    """Run modules, given by their names and texts, as the only tests of a project of their own, in this test step."""
    (folder / "pytest.ini").write_text(f"[pytest]\n{settings}")
    (folder / "tests").mkdir(exist_ok=True)
    for module, text in suite.items():
        (folder / "tests" / f"{module}.py").write_text(text)
    (folder / outcomes.EXCEPTIONS).write_text(exceptions)
    monkeypatch.setattr(install, "PYTHON", sys.executable)
    monkeypatch.setattr(install, "ROOT", folder)
    plugins = ["-p", "xdist", "-p", "pytest_timeout"]  # and no others: loading all of them takes seconds
    monkeypatch.setattr(run_tests, "SECOND_RUN", ["-m", "pytest", "-q", *plugins])
    monkeypatch.setitem(run_tests.STEPS, name, ["-m", "pytest", "-q", *plugins, *options])
    return run_tests.run_tests(name, os.environ | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"})


def test_a_suite_that_passes_at_once_passes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    step = run_suite(monkeypatch, tmp_path, {"test_seat_passes": PASSES})
    assert step == run_tests.TestStep((), {})
    assert run_tests.summary(["unit"], [step]) == "All checks passed: unit"
    assert not (tmp_path / outcomes.HISTORY).exists()


@pytest.mark.parametrize("kind", [kind for kind in BREAKS if kind != "a_failure"])
def test_other_outcomes_than_a_failure_fail_the_run_even_in_quarantine(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    suite = {"test_seat_passes": PASSES, f"test_{kind}": BREAKS[kind]}
    with pytest.raises(SystemExit, match="the step 'unit' failed"):
        run_suite(monkeypatch, tmp_path, suite, ANYTHING, ("-n", "1") if kind == "a_crash" else ())
    assert "second run" not in capfd.readouterr().out


def test_a_failure_outside_of_the_quarantine_has_no_second_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    listed = QUARANTINE.format(test="tests/test_flaky.py::test_flaky[c]")
    with pytest.raises(SystemExit, match=re.escape("tests/test_flaky.py::test_flaky[a b] failed")):
        run_suite(monkeypatch, tmp_path, {"test_flaky": FLAKY}, listed)
    assert "second run" not in capfd.readouterr().out


def test_a_quarantined_test_that_passes_its_second_run_is_named_in_the_last_line_and_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    listed = QUARANTINE.format(test="tests/test_flaky.py::test_flaky") + QUARANTINE.format(test="tests/test_b.py::test")
    for times in (1, 2):
        for tried in ("a b", "c"):
            (tmp_path / tried).unlink(missing_ok=True)
        step = run_suite(monkeypatch, tmp_path, {"test_flaky": FLAKY, "test_seat_passes": PASSES}, listed)
        assert "2 passed" in capfd.readouterr().out  # the second run has no other tests
        assert run_tests.summary(["unit"], [step]) == (
            "All checks passed: unit; 1 of 2 quarantined tests needed a second run: "
            f"tests/test_flaky.py::test_flaky[a b] ({times} so far), "
            f"tests/test_flaky.py::test_flaky[c] ({times} so far)"
        )
    history = json.loads((tmp_path / outcomes.HISTORY).read_text())
    assert {test: entry["second_runs"] for test, entry in history.items()} == {
        "tests/test_flaky.py::test_flaky[a b]": 2,
        "tests/test_flaky.py::test_flaky[c]": 2,
    }


@pytest.mark.parametrize(
    "then", ["assert False", "pytest.skip('now')", "os._exit(0)"], ids=["failure", "skip", "crash"]
)
def test_a_quarantined_test_that_does_not_pass_its_second_run_fails_the_run(
    then: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = f"""
import os, pathlib, pytest
def test_it():
    if pathlib.Path("tried").exists():
        {then}
    pathlib.Path("tried").touch()
    assert False
"""
    with pytest.raises(SystemExit, match="the step 'unit' failed"):
        run_suite(monkeypatch, tmp_path, {"test_it": text}, QUARANTINE.format(test="tests/test_it.py::test_it"))
    assert "tests/test_it.py::test_it" in (tmp_path / outcomes.HISTORY).read_text()


def test_a_skip_that_is_listed_is_named_in_the_last_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    listed = QUARANTINE.format(test="tests/test_a_skip.py::test_it").replace("quarantine", "skip")
    step = run_suite(monkeypatch, tmp_path, {"test_a_skip": BREAKS["a_skip"], "test_seat_passes": PASSES}, listed)
    assert run_tests.summary(["unit"], [step]) == "All checks passed: unit; 1 skipped: tests/test_a_skip.py::test_it"


@pytest.mark.parametrize("options", [(), ("-n", "1")], ids=["alone", "in a worker"])
def test_a_run_without_tests_fails(options: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SystemExit, match=r"no test was selected, and there must be some \(exit code 5\)"):
        run_suite(monkeypatch, tmp_path, {"test_seat_passes": PASSES}, options=("-m", "nothing", *options))


@pytest.mark.parametrize(
    "left", [None, "<testsuites><testsuite><testcase", "<testsuites/>"], ids=["none", "half", "empty"]
)
def test_a_run_without_a_report_fails_and_an_old_report_does_not_count(
    left: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_suite(monkeypatch, tmp_path, {"test_seat_passes": PASSES})
    file = tmp_path / ".pytest_cache" / "unit.xml"
    assert file.exists()
    write = f"import pathlib; pathlib.Path({str(file)!r}).write_text({left!r})" if left else ""
    monkeypatch.setitem(run_tests.STEPS, "unit", ["-c", write])
    with pytest.raises(SystemExit, match=r"unit\.xml"):
        run_tests.run_tests("unit", dict(os.environ))


@pytest.mark.parametrize(
    "wrong",
    [
        '[[quarantine]]\ntest = "a"\nreason = "b"',
        '[[quarantine]]\ntest = "a"\nreason = " "\nsince = 2026-11-22',
        '[[skip]]\ntest = "a"\nreason = "b"\nsince = "long ago"',
        '[[flaky]]\ntest = "a"\nreason = "b"\nsince = 2026-11-22',
        2 * QUARANTINE.format(test="a"),
        "[[",
    ],
    ids=["no date", "no reason", "date as text", "unknown kind", "twice", "no TOML"],
)
def test_a_wrong_list_of_exceptions_fails_the_run(wrong: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SystemExit, match="the step 'unit' failed"):
        run_suite(monkeypatch, tmp_path, {"test_seat_passes": PASSES}, wrong)


HANGS = {
    "an event": "import threading\ndef test_it(): threading.Event().wait(20)",
    "a task": "import asyncio\ndef test_it(): asyncio.run(asyncio.sleep(20))",
    "a task on uvloop": "import asyncio, uvloop\ndef test_it(): uvloop.run(asyncio.sleep(20))",
    "a fixture": "import pytest, time\n@pytest.fixture\ndef it(): time.sleep(20)\ndef test_it(it): pass",
    "compiled code": "import itertools\ndef test_it(): sum(itertools.repeat(1, 10**12))",  # it never looks for signals
}


@pytest.mark.parametrize("kind", HANGS)
def test_a_test_that_hangs_fails_the_run(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    settings = "timeout = 1\nfaulthandler_timeout = 4\nfaulthandler_exit_on_timeout = true\n"
    suite = {"test_hangs": HANGS[kind], "test_seat_passes": PASSES}
    with pytest.raises(SystemExit, match=r"tests/test_hangs\.py::test_it"):
        run_suite(monkeypatch, tmp_path, suite, options=("-n", "1"), settings=settings)
    said = capfd.readouterr()
    assert "Timeout" in said.out + said.err
    assert "1 passed" in said.out


def test_every_test_of_this_project_has_a_timeout_that_ends_it(request: pytest.FixtureRequest) -> None:
    """A signal ends a test after `timeout`; where no signal is heard, the process ends after `faulthandler_timeout`."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["pytest"]["ini_options"]
    longest = max([settings["timeout"], *map(int, timeouts())])
    assert 0 < longest < settings["faulthandler_timeout"]
    assert settings["faulthandler_exit_on_timeout"] is True
    assert request.config.pluginmanager.has_plugin("timeout")


def timeouts() -> list[str]:
    """The timeouts in seconds that tests set for themselves or others."""
    own = r"mark\.timeout\((\d+)\)|BROWSER_TIMEOUT_S = (\d+)"
    texts = [file.read_text() for file in (ROOT / "tests").rglob("*.py") if file != Path(__file__)]
    return ["".join(found) for text in texts for found in re.findall(own, text)]


PERSONS_TIMES = ("REACTION_MS / self.speed", "SOONER_MS", "HAND_MS", "SIGN_MS", "BOT_TURNS_MS")
"""What a browser test may wait for without a condition: a person takes so long, and the judge measures it, or a bot
would have acted if it could.
"""


def test_browser_tests_wait_for_a_condition_and_not_for_a_time() -> None:
    """Between two looks at a condition up to 100 ms may pass."""
    for file in (ROOT / "tests" / "browser").glob("*.py"):
        text = file.read_text()
        for time_ms in re.findall(r"wait_for_timeout\(([^)]*)\)", text):
            assert time_ms in PERSONS_TIMES or (time_ms.isdigit() and int(time_ms) <= 100), (file.name, time_ms)
        for time_s in re.findall(r"time\.sleep\(([^)]*)\)", text):
            assert float(time_s) <= 0.1, (file.name, time_s)


# The lists of this project


def test_each_test_is_run_by_one_of_the_test_steps(tmp_path: Path) -> None:
    """By its folder: a mark that is forgotten or misplaced hides no test from both."""
    (tmp_path / "tests" / "browser").mkdir(parents=True)
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers =\n browser\n each_engine\n")
    (tmp_path / "tests" / "browser" / "test_page.py").write_text(
        "import pytest\ndef test_unmarked(): pass\n@pytest.mark.each_engine\ndef test_marked(): pass"
    )
    (tmp_path / "tests" / "webkit").mkdir()
    (tmp_path / "tests" / "webkit" / "test_journey.py").write_text("def test_unmarked(): pass")
    (tmp_path / "tests" / "test_unit.py").write_text("import pytest\n@pytest.mark.browser\ndef test_marked(): pass")
    selected = {}
    for name in run_tests.TESTS:
        words = [sys.executable, *run_tests.STEPS[name], "-p", "xdist", "-n", "0", "--collect-only"]
        environment = os.environ | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
        done = subprocess.run(words, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True)
        selected[name] = [line for line in done.stdout.splitlines() if "::" in line]
    pages = ["tests/browser/test_page.py::test_unmarked", "tests/browser/test_page.py::test_marked"]
    assert selected == {
        "unit": ["tests/test_unit.py::test_marked"],
        "chromium": pages,
        "webkit": ["tests/webkit/test_journey.py::test_unmarked"],
        "firefox": pages[1:],
        "all-firefox": pages,
    }


def test_every_engine_is_tested_where_the_system_has_it_and_the_last_line_names_one_left_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("RATSCREW_FIREFOX", raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    monkeypatch.setattr(debian, "distribution", lambda: "debian")
    everywhere, left_out = run_tests.choose([])
    assert {"chromium", "firefox", "webkit", "unit"} <= {*everywhere}
    assert left_out == []
    monkeypatch.setattr(debian, "distribution", lambda: "ubuntu")  # its Firefox is a snap
    steps, left_out = run_tests.choose([])
    assert (left_out, {*everywhere} - {*steps}) == (["firefox"], {"firefox"})
    assert "; firefox was not run: Ubuntu has Firefox only as a snap" in run_tests.summary(steps, [], left_out)
    assert run_tests.choose(["firefox"]) == (["firefox"], [])
    monkeypatch.setenv("RATSCREW_FIREFOX", "/opt/firefox/firefox")
    assert run_tests.choose([]) == (everywhere, [])


def test_each_engine_is_a_step_that_names_it_to_its_tests(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asks = "import os\ndef test_it(): assert os.environ['RATSCREW_ENGINE'] == '{engine}'"
    for step in ("chromium", "firefox", "all-firefox", "webkit"):
        suite = {"test_engine": asks.format(engine=step.removeprefix("all-"))}
        run_suite(monkeypatch, tmp_path, suite, name=step)


def test_each_exception_names_a_test_that_there_is() -> None:
    for test in (found for kind in outcomes.read_exceptions(ROOT) for found in kind):
        file, _, name = test.partition("[")[0].rpartition("::")
        assert re.search(rf"^(async )?def {name}\(", (ROOT / file).read_text(), re.MULTILINE), test


def test_no_test_of_the_client_is_skipped_or_tried_again() -> None:
    files = list((ROOT / "client" / "src").rglob("*.test.ts"))
    assert files
    for file in files:
        words = r"\b(test|it|describe)(\.\w+)*\.(skip|todo|only|skipIf|runIf|fails)\b|\bretry:"
        assert not re.search(words, file.read_text()), file
    assert "--allowOnly=false" in run_tests.STEPS["client-unit"]
