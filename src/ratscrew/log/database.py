"""Opens, creates and migrates the SQLite file of a log. Does not depend on what entries contain."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Literal, TypeAlias

from ratscrew.errors import LogError
from ratscrew.log.copy import copy
from ratscrew.log.error_hints import with_hint
from ratscrew.log.formats import EARLIEST, FORMAT, MIGRATIONS, TABLES
from ratscrew.log.private_file import open_private

Durability: TypeAlias = Literal["process", "full"]
"""What a finished append survives: the end of the process at any moment, or (`full`) a power failure too.

With `process`, a power failure does no damage either, but the last seconds may be lost.
"""

BUSY_TIMEOUT_S = 10.0
"""How long to wait for another program that has locked the file."""


def open_database(path: Path, durability: Durability) -> sqlite3.Connection:
    """Open a file for writing, and create it and its tables if needed. Any other kind of file stays unchanged.

    A file of an earlier format is migrated to the present one, after a copy has been put beside it.

    Raises: LogError with the reason if the file cannot be used.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            os.close(open_private(path))
        database = sqlite3.connect(path, timeout=BUSY_TIMEOUT_S, check_same_thread=False)
        try:
            read_format(database, path)
            database.execute("PRAGMA journal_mode=WAL")
            database.execute(f"PRAGMA synchronous={'FULL' if durability == 'full' else 'NORMAL'}")
            database.execute("PRAGMA secure_delete=ON")
            _migrate(database, path)
        except BaseException:
            database.close()
            raise
        return database
    except (sqlite3.Error, OSError) as error:
        raise LogError(f"{path} cannot be used as the log: {with_hint(error)}") from error


def open_read_only(path: Path) -> sqlite3.Connection:
    """Open the file of a log read-only, in the format that it has.

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
    """The number of the file's format; 0 if the file is empty.

    Raises: LogError if the file is not a log, or has an unknown format; sqlite3.Error.
    """
    number: int = database.execute("PRAGMA user_version").fetchone()[0]
    found = {name for (name,) in database.execute("SELECT name FROM sqlite_master")}
    if number == 0 and not found:
        return 0
    if number > FORMAT:
        raise LogError(
            f"{path} was written by a newer Ratscrew (format {number}; this one reads {EARLIEST} to {FORMAT}): "
            "update Ratscrew, or name another file with --data"
        )
    if number < 1 or not found.issuperset(TABLES):
        raise LogError(f"{path} cannot be used as the log: it is not a log of Ratscrew; name another file with --data")
    if number < EARLIEST:
        raise LogError(
            f"{path} was written by an early Ratscrew (format {number}), whose games cannot be continued: "
            "name another file with --data"
        )
    return number


def _migrate(database: sqlite3.Connection, path: Path) -> None:
    """Apply the migrations that the file still needs, all or none. A process that opens it meanwhile waits."""
    with database:
        database.execute("BEGIN IMMEDIATE")
        number = read_format(database, path)
        if 0 < number < FORMAT:
            with closing(open_read_only(path)) as before:
                copy(before, path.with_name(f"{path.name}.format-{number}"))
        for to, step in MIGRATIONS.items():
            if number < to:
                step(database)
        database.execute(f"PRAGMA user_version={FORMAT}")
