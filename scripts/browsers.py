"""Finds the browsers that the tests drive, installs Debian's where that is allowed, or says how.

`python scripts/browsers.py firefox` prints the path of one, of Chromium without a name. RATSCREW_CHROMIUM,
RATSCREW_FIREFOX and RATSCREW_WEBKIT name others than those found; WebKit's is its driver.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import debian

DOWNLOADS = Path(os.environ.get("PLAYWRIGHT_BROWSERS_PATH", Path.home() / ".cache" / "ms-playwright"))
SYSTEM_PYTHON = "/usr/bin/python3"
"""Debian's Python, which has Debian's bindings to WebKit."""


class Engine(NamedTuple):
    """A browser engine: how to find a browser with it, and what to install if there is none."""

    title: str
    names: tuple[str, ...]
    """Commands that may be it."""
    question: tuple[str, ...]
    """The arguments that make it answer."""
    answer: str
    """A part of the answer of one that runs."""
    packages: tuple[str, ...]
    """Debian's packages."""
    needs: tuple[tuple[str, ...], ...] = ()
    """Other commands that have to succeed."""
    advice: str = ""
    """Where the browser comes from on a system that is not Debian."""


GI = "import gi; gi.require_version('Gtk', '3.0'); gi.require_version('WebKit2', '4.1')"

ENGINES = {
    "chromium": Engine(
        title="Chromium or Chrome",
        names=("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "/snap/bin/chromium"),
        question=("--version",),
        answer="Chrom",
        packages=("chromium",),
        advice="Or install Google Chrome, or, without root: .venv/bin/playwright install chromium\n",
    ),
    "firefox": Engine(
        title="Firefox",
        names=("firefox-esr", "firefox"),
        question=("--version",),
        answer="Mozilla Firefox",
        packages=("firefox-esr",),
    ),
    "webkit": Engine(
        title="WebKitGTK with its driver",
        names=("WebKitWebDriver",),
        question=("--help",),  # the driver does not know its version
        answer="--replace-on-new-session",
        packages=("webkit2gtk-driver", "gir1.2-webkit2-4.1", "python3-gi", "xvfb", "xauth"),
        needs=((SYSTEM_PYTHON, "-c", GI), ("xvfb-run", "--help")),
    ),
}
"""By the names that RATSCREW_ENGINE and `make browser ENGINE=…` take."""

SNAPS = {
    "chromium": "Ubuntu has Chromium only as a snap:  sudo snap install chromium",
    "firefox": "Ubuntu has Firefox only as a snap, which cannot read profiles of tests. Install another one.",
}
"""What to do about the engines that Ubuntu has no package of."""


def find(engine: str = "chromium") -> str | None:
    """The first browser that runs; the one named by RATSCREW_… and no other if that is set."""
    named = os.environ.get(variable(engine))
    if named:
        path = shutil.which(named)
        return path if path is not None and runs(engine, path) else None
    return next((path for path in candidates(engine) if runs(engine, path)), None)


def only_as_snap(engine: str) -> bool:
    """Whether all that this system has of an engine is a snap that tests cannot drive, and no other one is named."""
    return engine == "firefox" and debian.distribution() == "ubuntu" and not os.environ.get(variable(engine))


def variable(engine: str) -> str:
    """The environment variable that names a browser with this engine."""
    return f"RATSCREW_{engine.upper()}"


def candidates(engine: str) -> Iterator[str]:
    """Where a browser may be: on the PATH, and where Playwright puts its own Chromium."""
    yield from (path for path in map(shutil.which, ENGINES[engine].names) if path is not None)
    if engine == "chromium":
        yield from sorted(map(str, DOWNLOADS.glob("chromium-*/chrome-linux*/chrome")), reverse=True)


def runs(engine: str, path: str) -> bool:
    """Whether a browser answers: on Ubuntu `chromium-browser` and `firefox` may be stubs that only name the snap."""
    wanted = ENGINES[engine]
    try:
        answer = _ask(path, *wanted.question)
        answered = answer.returncode == 0 and wanted.answer in answer.stdout
        return answered and all(_ask(*need).returncode == 0 for need in wanted.needs)
    except (OSError, subprocess.SubprocessError):
        return False


def _ask(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=30)


def find_or_install(engine: str = "chromium") -> str:
    """The path of a browser; if there is none, end the program with a message about what to install."""
    named = os.environ.get(variable(engine))
    found = None if only_as_snap(engine) else find(engine)
    if found is None and named:
        raise SystemExit(f"{variable(engine)}={named} does not run as a browser: mend it, or unset it.")
    system = debian.distribution()
    packaged = system == "debian" or (system == "ubuntu" and engine not in SNAPS)
    if found is None and packaged and debian.install(*ENGINES[engine].packages):
        found = find(engine)
    if found is None:
        raise SystemExit(f"\n{advice(engine)}")
    return found


def advice(engine: str) -> str:
    """What is missing, and what to type on this system."""
    wanted = ENGINES[engine]
    system = debian.distribution()
    install = f"Please install {' '.join(f'`{name}`' for name in wanted.packages)}, or what your system calls it."
    if system == "ubuntu" and engine in SNAPS:
        install = SNAPS[engine]
    elif system in ("debian", "ubuntu"):
        install = f"Please type:  {debian.command_for(*wanted.packages)}"
    return f"""\
The browser tests need {wanted.title}, and none was found that runs.
{install}
{wanted.advice}An installed one that was not found is named with {variable(engine)}=/path/to/{wanted.names[0]}.
Then run the tests again."""


if __name__ == "__main__":
    print(find_or_install(*sys.argv[1:2]))
