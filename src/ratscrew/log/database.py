"""Opens and creates the SQLite file of a log. Does not depend on what entries contain."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Literal, TypeAlias

from ratscrew.errors import LogError
from ratscrew.log.error_hints import with_hint
from ratscrew.log.private_file import open_private

Durability: TypeAlias = Literal["process", "full"]
"""What a finished append survives: the end of the process at any moment, or (`full`) a power failure too.

With `process`, a power failure does no damage either, but the last seconds may be lost.
"""

BUSY_TIMEOUT_S = 10.0
"""How long to wait for another program that has locked the file."""

FORMAT = 1
"""The format of a file and of the entries in it, which is its `user_version`."""

_TABLES = (
    "CREATE TABLE game (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE)",
    "CREATE TABLE entry (game INTEGER NOT NULL REFERENCES game, number INTEGER NOT NULL, body BLOB NOT NULL, "
    "sum INTEGER NOT NULL, PRIMARY KEY (game, number)) WITHOUT ROWID",
    "CREATE TABLE kept (name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID",
)
"""Games, their entries, each with a checksum that detects damage, and values stored by name."""


def open_database(path: Path, durability: Durability) -> sqlite3.Connection:
    """Open a file for writing, and create it and its tables if needed. Any other kind of file stays unchanged.

    Raises: LogError with the reason if the file cannot be used.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists() and not path.is_file():  # a device, a pipe or a folder: SQLite would blame the disk
            raise LogError(f"{path} cannot be used as the log: it is no ordinary file; name one with --data")
        if not path.exists():
            os.close(open_private(path))
        database = sqlite3.connect(path, timeout=BUSY_TIMEOUT_S, check_same_thread=False)
        try:
            read_format(database, path)
            database.execute("PRAGMA journal_mode=WAL")
            database.execute(f"PRAGMA synchronous={'FULL' if durability == 'full' else 'NORMAL'}")
            database.execute("PRAGMA secure_delete=ON")
            _create_tables(database, path)
        except BaseException:
            database.close()
            raise
        return database
    except (sqlite3.Error, OSError) as error:
        raise LogError(f"{path} cannot be used as the log: {with_hint(error)}") from error


def open_read_only(path: Path) -> sqlite3.Connection:
    """Open the file of a log read-only.

    Raises: LogError with the reason if the file cannot be used.
    """
    try:
        database = sqlite3.connect(
            f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=BUSY_TIMEOUT_S, check_same_thread=False
        )
        try:
            read_format(database, path)
        except BaseException:
            database.close()
            raise
        return database
    except sqlite3.Error as error:
        raise LogError(f"{path} cannot be read as a log: {with_hint(error)}") from error


def vacuum(path: Path) -> None:
    """Rewrite the file without the remains in its unused parts. Slow; no other process may have the file open.

    Raises: LogError with the reason if that fails.
    """
    with closing(open_database(path, "full")) as database:
        try:
            database.execute("VACUUM")
        except sqlite3.Error as error:
            raise LogError(f"{path} cannot be rewritten: {with_hint(error)}") from error


def read_format(database: sqlite3.Connection, path: Path) -> int:
    """The number of the file's format: 0 if the file is empty, otherwise `FORMAT`.

    Raises: LogError if the file is not a log, or has another format; sqlite3.Error.
    """
    number: int = database.execute("PRAGMA user_version").fetchone()[0]
    found = {name for (name,) in database.execute("SELECT name FROM sqlite_master")}
    if number == 0 and not found:
        return 0
    if number < 1 or not found.issuperset({"game", "entry", "kept"}):
        raise LogError(f"{path} cannot be used as the log: it is not a log of Ratscrew; name another file with --data")
    if number != FORMAT:
        raise LogError(
            f"{path} was written by another version of Ratscrew (format {number}; this one reads format {FORMAT}): "
            "use the version that wrote it, or name another file with --data"
        )
    return number


def _create_tables(database: sqlite3.Connection, path: Path) -> None:
    """Create the tables of an empty file, all or none. A process that opens it meanwhile waits."""
    with database:
        database.execute("BEGIN IMMEDIATE")
        if read_format(database, path) == 0:
            for statement in _TABLES:
                database.execute(statement)
            database.execute(f"PRAGMA user_version={FORMAT}")
