"""A copy of a log's file as it is at one moment, also while somebody writes. It appears once it is whole."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from typing import NamedTuple

from ratscrew.errors import LogError
from ratscrew.log.error_hints import with_hint
from ratscrew.log.private_file import open_private


class Counts(NamedTuple):
    """How much a file holds."""

    games: int
    entries: int


def copy(database: sqlite3.Connection, to: Path) -> Counts:
    """Copy all of it into a file, in whose place there may be another one; say how much it is.

    Only the owner of the new file may read it, from its first byte on: it holds the keys of all seats.

    Raises: LogError if that cannot be; then there is no new file, and the one in its place stays.
    """
    unfinished = to.with_name(f"{to.name}.unfinished")
    try:
        try:
            unfinished.unlink(missing_ok=True)
            os.close(open_private(unfinished, new=True))
            counted = _copy(database, unfinished)
            _fsync(unfinished)
            os.replace(unfinished, to)
            _fsync(to.parent)
        except BaseException:
            with suppress(OSError):
                unfinished.unlink()
            raise
    except (sqlite3.Error, OSError) as error:
        raise LogError(f"{to}: no copy could be made: {with_hint(error)}") from error
    return counted


def _copy(database: sqlite3.Connection, to: Path) -> Counts:
    with closing(sqlite3.connect(to)) as made:
        database.execute("BEGIN")
        try:
            counted = _count(database)
            database.backup(made)
        finally:
            database.rollback()
        made.execute("PRAGMA journal_mode=DELETE")  # so it can be read where nothing can be written
        (found,) = made.execute("PRAGMA integrity_check(1)").fetchone()
        if found != "ok" or _count(made) != counted:
            why = f"it is damaged ({found.splitlines()[-1]}); `ratscrew rescue` copies what can be read of it"
            raise sqlite3.DatabaseError(why)
    return counted


def _count(database: sqlite3.Connection) -> Counts:
    (games,), (entries,) = (database.execute(f"SELECT count(*) FROM {of}").fetchone() for of in ("game", "entry"))
    return Counts(games, entries)


def _fsync(path: Path) -> None:
    """Wait until a file, or what a folder lists, is on the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
