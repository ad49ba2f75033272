"""The SQLite file of a log: opened, made, brought to this format, or refused. Nothing in this file knows an entry."""

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
"""What is told survives the end of the process at any moment, or (`full`) a loss of power too.

Also with `process` a loss of power damages nothing: it may take back the last seconds.
"""

BUSY_TIMEOUT_S = 10.0
"""How long another program may hold the file before that is a fault."""


def open_database(path: Path, durability: Durability) -> sqlite3.Connection:
    """The file, with its tables; it is made if there is none. A file of somebody else's is left as it is.

    A file of an earlier format is brought to this one; as it was it stays beside it.

    Raises: LogError that says why it cannot be used.
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
    """The file of a log as it is, only to be read.

    Raises: LogError that says why it cannot be used.
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
    """Write the file anew, without what lies in its unused parts. It takes a while, and nobody else may have it.

    Raises: LogError that says why that cannot be.
    """
    with closing(open_database(path, "full")) as database:
        try:
            database.execute("VACUUM")
        except sqlite3.Error as error:
            raise LogError(f"{path} cannot be written anew: {with_hint(error)}") from error


def read_format(database: sqlite3.Connection, path: Path) -> int:
    """The number of the file's format; 0 is one that has nothing in it.

    Raises: LogError if it is somebody else's, or of a format that is not known here; sqlite3.Error.
    """
    number: int = database.execute("PRAGMA user_version").fetchone()[0]
    found = {name for (name,) in database.execute("SELECT name FROM sqlite_master")}
    if number == 0 and not found:
        return 0
    if number > FORMAT:
        raise LogError(
            f"{path} was written by a newer Ratscrew (format {number}; this one knows {EARLIEST} to {FORMAT}): "
            "update Ratscrew, or name another file with --data"
        )
    if number < 1 or not found.issuperset(TABLES):
        raise LogError(f"{path} cannot be used as the log: it holds something else; name another file with --data")
    if number < EARLIEST:
        raise LogError(
            f"{path} was written by an early Ratscrew (format {number}), whose games tell too little to go on from: "
            "name another file with --data"
        )
    return number


def _migrate(database: sqlite3.Connection, path: Path) -> None:
    """Take the steps that the file still needs, all or none. Who opens it meanwhile waits, and finds them taken."""
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
