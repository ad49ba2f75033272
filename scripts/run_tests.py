"""Runs all checks and tests, or the steps named: those of STEPS, in their order.

Brings .venv up to date first, and finds or installs a browser before anything slow begins. The checks keep one core
busy each and run two at a time, the tests one after the other on all cores. Stops at the first step that fails, names
it, and says how long each one took.

Browser tests are about who was first, with a person's times of reaction, and run beside each other on machines that may
be slow. A few that fail so have a second try, alone and in quiet, and are named at the end; who fails twice has failed.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
import time
from xml.etree import ElementTree

import chromium
import install

REPORT = ".pytest_cache/browser.xml"
PYTEST = ["-m", "pytest", "-q", "--dist", "worksteal"]
CORES = os.cpu_count() or 1
STEPS = {
    "lint": ["-m", "ruff", "check"],
    "format": ["-m", "ruff", "format", "--check"],
    "types": ["-m", "mypy"],
    "client": ["hatch_build.py", "npm", "run", "check"],
    "client-lint": ["hatch_build.py", "npm", "run", "lint"],
    "client-unit": ["hatch_build.py", "npm", "run", "test"],
    "unit": [*PYTEST, "-n", f"{CORES}", "-m", "not browser"],
    "browser": [*PYTEST, "-n", f"{CORES + 1}", "-m", "browser", f"--junitxml={REPORT}"],  # pages often wait
    "audit": ["scripts/audit.py"],
}
TESTS = ("unit", "browser")
QUIETLY = ["-m", "pytest", "-q", "-n", "0", "-m", "browser"]
MOST_TRIED_AGAIN = 6
"""More failures than this are not the machine's."""


def main(names: list[str]) -> None:
    """Run the steps named, or all of them, in the order above."""
    unknown = [name for name in names if name not in STEPS]
    if unknown:
        raise SystemExit(f"no such step: {', '.join(unknown)}; there are {', '.join(STEPS)}")
    install.main("dev")
    steps = [name for name in STEPS if not names or name in names]
    environment = dict(os.environ)
    if "browser" in steps:
        environment["RATSCREW_CHROMIUM"] = chromium.find_or_install()
        environment.setdefault("PLAYWRIGHT_NODEJS_PATH", node())
        print(f"browser: {environment['RATSCREW_CHROMIUM']}")
    asyncio.run(run_checks([name for name in steps if name not in TESTS], environment))
    for name in TESTS:
        if name in steps:
            run_tests(name, environment)
    print(f"\nAll is well: {', '.join(steps)}.")


async def run_checks(names: list[str], environment: dict[str, str]) -> None:
    """Run checks two at a time; the first that fails ends the others and the program."""
    cores = asyncio.Semaphore(2)
    async with asyncio.TaskGroup() as checks:
        for name in names:
            checks.create_task(run_check(name, environment, cores))


async def run_check(name: str, environment: dict[str, str], cores: asyncio.Semaphore) -> None:
    """Run one check when there is a core for it, and show all that it said when it has ended."""
    async with cores:
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
        finally:
            if check.returncode is None:
                with contextlib.suppress(ProcessLookupError):  # it has just ended by itself
                    os.killpg(check.pid, signal.SIGTERM)
                await check.wait()
    announce(name)
    print(said.decode(errors="replace"), end="")
    conclude(name, check.returncode, began)


def run_tests(name: str, environment: dict[str, str]) -> None:
    """Run one of the test steps; end the program if it fails."""
    announce(name)
    began = time.monotonic()
    ended = subprocess.run([install.PYTHON, *STEPS[name]], cwd=install.ROOT, env=environment)
    if ended.returncode == 5:
        install.stop(f"Stopped: there are no {name} tests, and there must be some.")
    code = ended.returncode
    if name == "browser" and code == 1:
        code = try_again(failed(), environment)
    conclude(name, code, began)
    if name == "browser" and skipped():
        install.stop(f"Stopped: {skipped()} browser tests were skipped; each of them must run.")


def try_again(tests: list[str], environment: dict[str, str]) -> int:
    """Run these tests one after the other, if they are few; 0 if all of them pass, and then name them."""
    if not 0 < len(tests) <= MOST_TRIED_AGAIN:
        return 1
    print("\n=== browser, a second try in quiet", flush=True)
    code = subprocess.run([install.PYTHON, *QUIETLY, *tests], cwd=install.ROOT, env=environment).returncode
    if not code:
        print("\nThese failed beside others and passed alone:", *tests, sep="\n", flush=True)
    return code


def announce(name: str) -> None:
    """Say which step this is."""
    print(f"\n=== {name}: {' '.join(STEPS[name])}", flush=True)


def conclude(name: str, code: int | None, began: float) -> None:
    """Say how long a step took; end the program if it failed."""
    print(f"=== {name}: {time.monotonic() - began:.1f} s", flush=True)
    if code:
        install.stop(f"Stopped: the step '{name}' failed (exit {code}), see above. Alone: {alone(name)}")


def node() -> str:
    """The node that builds the page, to drive the browser: Playwright's own needs a library bare systems lack."""
    command = [str(install.PYTHON), "hatch_build.py", "node"]
    answer = subprocess.run(command, stdout=subprocess.PIPE, text=True, cwd=install.ROOT)
    if answer.returncode:
        raise SystemExit(answer.returncode)
    return answer.stdout.strip()


def alone(name: str) -> str:
    """What to type to run one step by itself."""
    return f"scripts/python scripts/run_tests.py {name}"


def skipped() -> int:
    """How many browser tests did not run."""
    return sum(int(suite.get("skipped", "0")) for suite in report().iter("testsuite"))


def failed() -> list[str]:
    """The browser tests that failed, or that could not begin or end, as they are named on a command line."""
    cases = [case for case in report().iter("testcase") if {part.tag for part in case} & {"failure", "error"}]
    return sorted(f"{case.get('classname', '').replace('.', '/')}.py::{case.get('name')}" for case in cases)


def report() -> ElementTree.Element:
    """What the browser tests wrote of themselves."""
    return ElementTree.parse(install.ROOT / REPORT).getroot()


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except KeyboardInterrupt:
        install.stop("Stopped.")
