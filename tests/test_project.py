"""The repository: content that is forbidden, and locks that fit the requirements."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from packaging.requirements import Requirement

import install

ROOT = Path(__file__).resolve().parent.parent
DEV = "requirements-dev.lock"
MADE = {".git", ".venv", "node_modules", "page", "dist", "build", "__pycache__"}


def texts() -> Iterator[tuple[Path, str]]:
    """The project's own files of text."""
    for folder, folders, files in os.walk(ROOT):
        folders[:] = [name for name in folders if name not in MADE and not name.endswith(("_cache", ".egg-info"))]
        for name in files:
            try:
                yield Path(folder, name), Path(folder, name).read_text(encoding="utf-8")
            except UnicodeDecodeError:
                continue


def test_no_file_names_a_package_registry() -> None:
    hosts = ["py" + "pi.org", "python" + "hosted.org", "registry.npm" + "js", "deb.deb" + "ian.org"]
    found = [f"{path.relative_to(ROOT)}: {host}" for path, text in texts() for host in hosts if host in text]
    assert found == []


def pins(lock: str) -> dict[str, str]:
    """The exact versions in a lock."""
    return dict(re.findall(r"^([a-z0-9-]+)==([^ ;]+)", (ROOT / lock).read_text(), flags=re.MULTILINE))


@pytest.mark.parametrize("lock", install.LOCKS.values())
def test_the_locks_fit_the_ranges_of_the_project(lock: str) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    wanted = list(project["project"]["dependencies"])
    extras = project["project"]["optional-dependencies"]
    if lock in ("requirements-lab.lock", DEV):
        wanted += extras["lab"]
    if lock in ("requirements-postgres.lock", DEV):
        wanted += extras["postgres"]
    if lock == DEV:
        wanted += project["dependency-groups"]["dev"]
    locked = pins(lock)
    needed = [Requirement(line) for line in wanted]
    misfits = [str(need) for need in needed if not need.specifier.contains(locked.get(need.name, "0"))]
    assert misfits == [], "run `make lock`"


def test_a_lock_said_to_be_enough_has_the_same_packages_and_more() -> None:
    for kind, others in install.ENOUGH.items():
        for enough in others:
            assert pins(install.LOCKS[kind]).items() <= pins(install.LOCKS[enough]).items(), (kind, enough)
