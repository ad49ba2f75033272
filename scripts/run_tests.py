"""Runs all checks and tests, or the steps named: those of STEPS, in their order.

Brings .venv up to date first, and finds or installs a browser before anything slow begins. Stops at the first step
that fails, names it, and says how long each one took.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from xml.etree import ElementTree

import chromium
import install

REPORT = ".pytest_cache/browser.xml"
PYTEST = ["-m", "pytest", "-q", "-n", "auto", "--dist", "worksteal"]  # one process a core, none idle at the end
STEPS = {
    "lint": ["-m", "ruff", "check"],
    "format": ["-m", "ruff", "format", "--check"],
    "types": ["-m", "mypy"],
    "client": ["hatch_build.py", "npm", "run", "check"],
    "client-lint": ["hatch_build.py", "npm", "run", "lint"],
    "client-unit": ["hatch_build.py", "npm", "run", "test"],
    "unit": [*PYTEST, "-m", "not browser"],
    "browser": [*PYTEST, "-m", "browser", f"--junitxml={REPORT}"],
    "audit": ["scripts/audit.py"],
}


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
    for name in steps:
        run(name, environment)
    print(f"\nAll is well: {', '.join(steps)}.")


def run(name: str, environment: dict[str, str]) -> None:
    """Run one step; end the program if it fails."""
    print(f"\n=== {name}: {' '.join(STEPS[name])}", flush=True)
    began = time.monotonic()
    ended = subprocess.run([install.PYTHON, *STEPS[name]], cwd=install.ROOT, env=environment)
    print(f"=== {name}: {time.monotonic() - began:.1f} s", flush=True)
    if ended.returncode == 5 and name in ("unit", "browser"):
        install.stop(f"Stopped: there are no {name} tests, and there must be some.")
    if ended.returncode:
        install.stop(f"Stopped: the step '{name}' failed (exit {ended.returncode}), see above. Alone: {alone(name)}")
    if name == "browser" and skipped():
        install.stop(f"Stopped: {skipped()} browser tests were skipped; each of them must run.")


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
    suites = ElementTree.parse(install.ROOT / REPORT).getroot().iter("testsuite")
    return sum(int(suite.get("skipped", "0")) for suite in suites)


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except KeyboardInterrupt:
        install.stop("Stopped.")
