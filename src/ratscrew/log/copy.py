"""Copies a log's file as it is at one moment, also while a server writes. The copy appears once it is complete."""

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
    """The number of games and entries in a file."""

    games: int
    entries: int


def copy(database: sqlite3.Connection, to: Path) -> Counts:
    """Copy the whole database to a file, replacing one that exists, and count what was copied.

    Only its owner may read the new file, from its first byte on: it holds the signing keys of all seats.

    Raises: LogError if the copy fails; then there is no new file, and an existing one stays.
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
        raise LogError(f"{to}: the copy failed: {with_hint(error)}") from error
    return counted


def _copy(database: sqlite3.Connection, to: Path) -> Counts:
    with closing(sqlite3.connect(to)) as made:
        database.execute("BEGIN")
        try:
            counted = _count(database)
            database.backup(made)
        finally:
            database.rollback()
        made.execute("PRAGMA journal_mode=DELETE")  # a file in WAL mode cannot be read on a read-only disk
        (found,) = made.execute("PRAGMA integrity_check(1)").fetchone()
        if found != "ok" or _count(made) != counted:
            why = f"it is damaged ({found.splitlines()[-1]}); `ratscrew rescue` copies the readable part"
            raise sqlite3.DatabaseError(why)
    return counted


def _count(database: sqlite3.Connection) -> Counts:
    (games,), (entries,) = (database.execute(f"SELECT count(*) FROM {of}").fetchone() for of in ("game", "entry"))
    return Counts(games, entries)


def _fsync(path: Path) -> None:
    """Wait until a file, or a folder's list of files, is on the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
