"""Finds the Chromium or Chrome that the browser tests drive, installs Debian's where that is allowed, or says how.

`python scripts/chromium.py` prints its path. RATSCREW_CHROMIUM names one.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import debian

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "/snap/bin/chromium")
DOWNLOADS = Path(os.environ.get("PLAYWRIGHT_BROWSERS_PATH", Path.home() / ".cache" / "ms-playwright"))

NEEDED = "The browser tests need Chromium or Chrome, and none was found that runs."
ADVICE = {
    "ubuntu": "Ubuntu has Chromium only as a snap:  sudo snap install chromium",
    "debian": f"Please type:  {debian.command_for('chromium')}",
}
OTHERS = """\
Or install Google Chrome, or, without root: .venv/bin/playwright install chromium
An installed one that was not found is named with RATSCREW_CHROMIUM=/path/to/chromium.
Then run make test again."""


def find() -> str | None:
    """The first Chromium or Chrome that runs, the one named by RATSCREW_CHROMIUM and no other if that is set."""
    named = os.environ.get("RATSCREW_CHROMIUM")
    if named:
        path = shutil.which(named)
        return path if path is not None and runs(path) else None
    return next((path for path in candidates() if runs(path)), None)


def candidates() -> Iterator[str]:
    """Where a browser may be: on the PATH, and where Playwright puts its own."""
    yield from (path for path in map(shutil.which, NAMES) if path is not None)
    yield from sorted(map(str, DOWNLOADS.glob("chromium-*/chrome-linux*/chrome")), reverse=True)


def runs(path: str) -> bool:
    """Whether a browser says its version: on Ubuntu `chromium-browser` may be a stub that only names the snap."""
    try:
        answer = subprocess.run([path, "--version"], capture_output=True, text=True, timeout=30)
    except (OSError, subprocess.SubprocessError):
        return False
    return answer.returncode == 0 and "Chrom" in answer.stdout


def find_or_install() -> str:
    """The path of a browser; if there is none, end the program with a message about what to install."""
    named = os.environ.get("RATSCREW_CHROMIUM")
    found = find()
    if found is None and named:
        raise SystemExit(f"RATSCREW_CHROMIUM={named} does not run as a browser: mend it, or unset it.")
    if found is None and debian.distribution() == "debian" and debian.install("chromium"):
        found = find()
    if found is None:
        advice = ADVICE.get(debian.distribution(), "Please install the package `chromium` of your system.")
        raise SystemExit(f"\n{NEEDED}\n{advice}\n{OTHERS}")
    return found


if __name__ == "__main__":
    print(find_or_install())
