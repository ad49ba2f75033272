"""Finds PostgreSQL for the tests and for `make cluster`, installs Debian's where that is allowed, or says how.

`python scripts/postgres.py` prints the folder of its programs. RATSCREW_POSTGRES names one. No server has to run: they
start their own.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import debian

PROGRAMS = ("initdb", "postgres")
DEBIAN = Path("/usr/lib/postgresql")
DISTRIBUTIONS = ("debian", "ubuntu")

NEEDED = "Clusters, and the tests of the log in PostgreSQL, need PostgreSQL, and none was found that runs."
OTHERS = """\
An installed one that was not found is named with RATSCREW_POSTGRES=/path/to/its/bin.
Then run make again."""


def find() -> str | None:
    """The folder of the newest PostgreSQL that runs: only the one in RATSCREW_POSTGRES if that is set."""
    named = os.environ.get("RATSCREW_POSTGRES")
    return next((str(folder) for folder in ([Path(named)] if named else candidates()) if runs(folder)), None)


def candidates() -> Iterator[Path]:
    """Where PostgreSQL may be: where Debian puts each version, the newest first, and on the PATH."""
    versions = (folder for folder in DEBIAN.glob("*/bin") if folder.parent.name.isdecimal())
    yield from sorted(versions, key=lambda folder: int(folder.parent.name), reverse=True)
    if found := shutil.which("postgres"):
        yield Path(found).resolve().parent


def runs(folder: Path) -> bool:
    """Whether the programs in a folder say their version."""
    try:
        answers = [
            subprocess.run([folder / name, "--version"], capture_output=True, text=True, timeout=30)
            for name in PROGRAMS
        ]
    except (OSError, subprocess.SubprocessError):
        return False
    return all(answer.returncode == 0 and "PostgreSQL" in answer.stdout for answer in answers)


def find_or_install() -> str:
    """The folder of PostgreSQL's programs; if there is none, end the program with a message about what to install."""
    named = os.environ.get("RATSCREW_POSTGRES")
    found = find()
    if found is None and named:
        raise SystemExit(f"RATSCREW_POSTGRES={named} has no {' and '.join(PROGRAMS)} that run: mend it, or unset it.")
    if found is None and debian.distribution() in DISTRIBUTIONS and debian.install("postgresql"):
        found = find()
    if found is None:
        raise SystemExit(f"\n{NEEDED}\n{advice()}\n{OTHERS}")
    return found


def advice() -> str:
    """What to type on this system."""
    if debian.distribution() in DISTRIBUTIONS:
        return f"Please type:  {debian.command_for('postgresql')}"
    return "Please install the package `postgresql` of your system."


if __name__ == "__main__":
    print(find_or_install())
