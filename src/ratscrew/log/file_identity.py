"""Checks that a log's files are still the ones that were opened: writes to a deleted or replaced file are lost."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TypeAlias

from ratscrew.errors import Detached

_BESIDE = ("", "-wal", "-shm")
"""The endings of the database file and of the files that SQLite puts beside it."""

_Identity: TypeAlias = tuple[int, int]


class FileIdentity:
    """The files of an open log, by device and inode."""

    def __init__(self, path: Path) -> None:
        """Remember the files as they are now. SQLite must have opened them."""
        self._path = path
        real = path.resolve()
        self._files = {path, *(real.with_name(real.name + ending) for ending in _BESIDE)}
        self._identities = {file: _identity(file) for file in self._files}

    def check(self) -> None:
        """Check that each file is still in its place. Takes a few microseconds.

        Raises: Detached if one is not: anything written from now on is lost when the process ends.
        """
        for file, identity in self._identities.items():
            if _identity(file) != identity:
                raise Detached(
                    f"{self._path}: {file.name} was deleted or replaced while the server runs: put it back, or stop "
                    "the server"
                )


def _identity(file: Path) -> _Identity | None:
    """The device and inode of a file; None if there is none."""
    try:
        found = os.stat(file)
    except OSError:
        return None
    return found.st_dev, found.st_ino
