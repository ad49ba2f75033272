"""Runs all checks and tests, or the steps named: those of STEPS, in their order.

Brings .venv up to date first, while PostgreSQL and the browsers are found or installed. The checks keep one core busy
each and run two at a time; then the tests run, one step after the other on all cores. Stops at the first step that
fails, names it, and says how long each one took.

Every test must run, and pass at its first attempt. tests/exceptions.toml names the exceptions; scripts/outcomes.py
applies them. The last line of a run names each test that was skipped or needed its second run.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import secrets
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from typing import NamedTuple

import browsers
import debian
import install
import outcomes
import postgres

PYTEST = ["-m", "pytest", "-q"]
MANY = ["--dist", "worksteal", "-n", f"{(os.cpu_count() or 1) + 2}"]
"""Two tests more at a time than there are cores: they often wait for a page or another process."""
FEWER = ["--dist", "worksteal", "-n", f"{(os.cpu_count() or 1) + 1}"]
"""A page of WebKit keeps a core busy."""
STEPS = {
    "lint": ["-m", "ruff", "check"],
    "format": ["-m", "ruff", "format", "--check"],
    "types": ["-m", "mypy"],
    "client": ["hatch_build.py", "npm", "run", "check"],
    "client-lint": ["hatch_build.py", "npm", "run", "lint"],
    "client-unit": ["hatch_build.py", "npm", "run", "test", "--", "--allowOnly=false"],
    "kernel": [f"{install.VENV}/bin/ratscrew", "lab", "run", "--games", "2"],  # compiles it once for all workers
    "unit": [*PYTEST, *MANY, "--ignore=tests/browser", "--ignore=tests/webkit"],
    "chromium": [*PYTEST, *MANY, "tests/browser"],
    "webkit": [*PYTEST, *FEWER, "tests/webkit"],
    "firefox": [*PYTEST, *MANY, "-m", "each_engine", "tests/browser"],
    "all-firefox": [*PYTEST, *MANY, "tests/browser"],
    "audit": ["scripts/audit.py"],
}
ENGINES = {**{name: name for name in browsers.ENGINES}, "all-firefox": "firefox"}
"""The steps that drive a browser, and its engine."""
TESTS = ("unit", *ENGINES)
CORES_FOR_ALL = 4
"""With fewer, all tests of Chromium on Firefox too would take too long: the step is `firefox`, not `all-firefox`."""
BESIDE = {"unit": ("pgbouncer",), **dict.fromkeys(("chromium", "firefox", "all-firefox"), ("nginx", "caddy"))}
"""Programs of other projects that tests put in front of a server or a database; where they are missing, these tests are
skipped (tests/exceptions.toml)."""
SECOND_RUN = [*PYTEST, "-n", "0"]


def main(names: list[str]) -> None:
    """Run the steps named, or all for this machine, in the order above."""
    unknown = [name for name in names if name not in STEPS]
    if unknown:
        raise SystemExit(f"no such step: {', '.join(unknown)}; there are {', '.join(STEPS)}")
    steps, left_out = choose(names)
    with ThreadPoolExecutor(1) as beside:
        preparing = beside.submit(environment_for, steps)  # either needs one core
        install.main("dev")
        failure = asyncio.run(run_checks([name for name in steps if name not in TESTS], base_environment()))
    environment = preparing.result()
    if failure:
        install.stop(failure)
    if any(step in ENGINES for step in steps):
        environment.setdefault("PLAYWRIGHT_NODEJS_PATH", node())
    found = [run_tests(name, environment) for name in TESTS if name in steps]
    print(f"\n{summary(steps, found, left_out)}")


def choose(names: list[str]) -> tuple[list[str], list[str]]:
    """The steps to run, in their order, and those that this system cannot run and nobody named."""
    if names:
        return [name for name in STEPS if name in names], []
    other = "firefox" if (os.cpu_count() or 1) >= CORES_FOR_ALL else "all-firefox"
    steps = [name for name in STEPS if name != other]
    left_out = [name for name in steps if name in ENGINES and browsers.only_as_snap(ENGINES[name])]
    return [name for name in steps if name not in left_out], left_out


def base_environment() -> dict[str, str]:
    """The environment of the checks: this program's own, with compiled modules kept.

    Containers often set PYTHONDONTWRITEBYTECODE: each of the tests' hundreds of processes would compile the project.
    """
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def environment_for(steps: list[str]) -> dict[str, str]:
    """The environment of the tests: with the database and browsers that these steps need."""
    environment = base_environment()
    if "unit" in steps:
        environment["RATSCREW_POSTGRES"] = postgres.find_or_install()
        print(f"PostgreSQL: {environment['RATSCREW_POSTGRES']}")
    debian.install_missing(*(program for step in steps for program in BESIDE.get(step, ())))
    for engine in dict.fromkeys(ENGINES[step] for step in steps if step in ENGINES):
        environment[browsers.variable(engine)] = browsers.find_or_install(engine)
        print(f"{engine}: {environment[browsers.variable(engine)]}")
    return environment


class StepFailed(Exception):
    """A check ended with an exit code other than 0."""


async def run_checks(names: list[str], environment: dict[str, str]) -> str:
    """Run checks two at a time; the first that fails ends the others. Returns why it failed, or nothing."""
    cores, failed, failure = asyncio.Semaphore(2), asyncio.Event(), ""
    try:
        async with asyncio.TaskGroup() as checks:
            for name in names:
                checks.create_task(run_check(name, environment, cores, failed))
    except* StepFailed as failed:
        failure = str(failed.exceptions[0])
    return failure


async def run_check(name: str, environment: dict[str, str], cores: asyncio.Semaphore, failed: asyncio.Event) -> None:
    """Run one check when a core is free, unless one has failed, and print its output when it has ended."""
    async with cores:
        if failed.is_set():
            return
        began = time.monotonic()
        check = await asyncio.create_subprocess_exec(
            install.PYTHON,
            *STEPS[name],
            cwd=install.ROOT,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,  # so that what npm starts can be ended with it
        )
        try:
            said, _ = await check.communicate()
            if check.returncode:
                failed.set()  # before the core is free for another check
        finally:
            if check.returncode is None:
                with contextlib.suppress(ProcessLookupError):  # it has just ended by itself
                    os.killpg(check.pid, signal.SIGTERM)
                await check.wait()
    announce(name)
    print(said.decode(errors="replace"), end="")
    conclude(name, began)
    if check.returncode:
        raise StepFailed(
            f"Stopped: the step '{name}' failed (exit {check.returncode}), see above. Alone: {alone(name)}"
        )


class TestStep(NamedTuple):
    """What a test step that passed had to accept: skipped tests, and failed ones with how many second runs so far."""

    skipped: tuple[str, ...]
    second_runs: Mapping[str, int]


def run_tests(name: str, environment: dict[str, str]) -> TestStep:
    """Run one of the test steps, with one second run for failures in quarantine; end the program if it fails."""
    announce(name)
    began = time.monotonic()
    second_runs: Mapping[str, int] = {}
    if name in ENGINES:
        environment = {"BROWSER_SEED": str(secrets.randbelow(10**9)), **environment, "RATSCREW_ENGINE": ENGINES[name]}
        print(
            f"The games draw from the seed {environment['BROWSER_SEED']}. Again: {again(name, environment)}", flush=True
        )
    try:
        allowed = outcomes.read_exceptions(install.ROOT)
        found = run_pytest(STEPS[name], f".pytest_cache/{name}.xml", environment)
        problems = outcomes.check_first_run(found, allowed)
        if found.failed and not problems:
            print(f"\n=== {name}, second run of what is in quarantine", flush=True)
            second_runs = outcomes.count_second_runs(install.ROOT, found.failed, date.today())
            second = run_pytest([*SECOND_RUN, *found.failed], f".pytest_cache/{name}-second.xml", environment)
            problems = outcomes.check_second_run(second, found.failed)
    except ValueError as error:
        install.stop(f"Stopped: the step '{name}' failed: {error}. Alone: {alone(name)}")
    conclude(name, began)
    if problems:
        hint = again(name, environment) if name in ENGINES else alone(name)
        install.stop("\n  ".join([f"Stopped: the step '{name}' failed. Alone: {hint}", *problems]))
    return TestStep(found.skipped, second_runs)


def run_pytest(command: list[str], report: str, environment: dict[str, str]) -> outcomes.Outcomes:
    """Run pytest and return what it wrote to the report file.

    Raises: ValueError if it ran no test to its end; see `outcomes.read_report`.
    """
    (install.ROOT / report).unlink(missing_ok=True)
    words = [str(install.PYTHON), *command, f"--junitxml={report}"]
    code = subprocess.run(words, cwd=install.ROOT, env=environment).returncode
    return outcomes.read_report(install.ROOT, report, code)


def summary(steps: list[str], found: list[TestStep], left_out: Sequence[str] = ()) -> str:
    """The last line of a run that passed.

    It names every step that this system cannot run, what few cores left out, and every test that was skipped or needed
    its second run.
    """
    allowed = outcomes.read_exceptions(install.ROOT)
    second_runs = {test: count for step in found for test, count in step.second_runs.items()}
    skipped = [test for step in found for test in step.skipped]
    parts = [f"All checks passed: {', '.join(steps)}"]
    parts += [f"{name} was not run: {browsers.SNAPS[ENGINES[name]]}" for name in left_out]
    if "firefox" in steps:
        parts.append(f"with fewer than {CORES_FOR_ALL} cores, on Firefox only what is marked each_engine")
    if second_runs:
        names = ", ".join(f"{test} ({count} so far)" for test, count in second_runs.items())
        entries = [entry for entry in allowed.quarantine if any(outcomes.covers({entry}, test) for test in second_runs)]
        parts.append(f"{len(entries)} of {len(allowed.quarantine)} quarantined tests needed a second run: {names}")
    if skipped:
        parts.append(f"{len(skipped)} skipped: {', '.join(skipped)}")
    return "; ".join(parts)


def announce(name: str) -> None:
    """Say which step this is."""
    print(f"\n=== {name}: {' '.join(STEPS[name])}", flush=True)


def conclude(name: str, began: float) -> None:
    """Say how long a step took."""
    print(f"=== {name}: {time.monotonic() - began:.1f} s", flush=True)


def node() -> str:
    """The node that builds the page, to drive the browser: Playwright's own needs a library bare systems lack."""
    command = [str(install.PYTHON), "hatch_build.py", "node"]
    answer = subprocess.run(command, stdout=subprocess.PIPE, text=True, cwd=install.ROOT)
    if answer.returncode:
        raise SystemExit(answer.returncode)
    return answer.stdout.strip()


def again(name: str, environment: Mapping[str, str]) -> str:
    """The command that runs only this step of a browser, with the seed that it has had."""
    return f"BROWSER_SEED={environment['BROWSER_SEED']} {alone(name)}"


def alone(name: str) -> str:
    """The command that runs only this step."""
    return f"scripts/python scripts/run_tests.py {name}"


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except KeyboardInterrupt:
        install.stop("Stopped.")
