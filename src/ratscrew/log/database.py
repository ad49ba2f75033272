"""The SQLite file of a log: opened, made, or refused. Nothing in this file knows an entry."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Literal, TypeAlias

from ratscrew.errors import LogError
from ratscrew.log.faults import explained

Durability: TypeAlias = Literal["process", "full"]
"""What is told survives the end of the process at any moment, or (`full`) a loss of power too.

Also with `process` a loss of power damages nothing: it may take back the last seconds.
"""

BUSY_S = 10.0
"""How long another program may hold the file before that is a fault."""

SCHEMA = 2
TABLES = """
    CREATE TABLE game (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
    CREATE TABLE entry (game INTEGER NOT NULL REFERENCES game, number INTEGER NOT NULL, body BLOB NOT NULL,
                        PRIMARY KEY (game, number)) WITHOUT ROWID;
    CREATE TABLE kept (name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
"""


def open_database(path: Path, durability: Durability) -> sqlite3.Connection:
    """The file, with its tables; it is made if there is none. A file of somebody else's is left as it is.

    Raises: LogError that says why it cannot be used.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        database = sqlite3.connect(path, timeout=BUSY_S, check_same_thread=False)
        try:
            _prepare(database, path, durability)
        except BaseException:
            database.close()
            raise
        return database
    except (sqlite3.Error, OSError) as error:
        raise LogError(f"{path} cannot be used as the log: {explained(error)}") from error


def _prepare(database: sqlite3.Connection, path: Path, durability: Durability) -> None:
    version = database.execute("PRAGMA user_version").fetchone()[0]
    if version == 0 and database.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
        raise LogError(f"{path} cannot be used as the log: it holds something else")
    if version not in (0, SCHEMA):
        raise LogError(f"{path} was written by another Ratscrew (format {version}, not {SCHEMA}): name another file")
    database.execute("PRAGMA journal_mode=WAL")
    database.execute(f"PRAGMA synchronous={'FULL' if durability == 'full' else 'NORMAL'}")
    with database:
        database.execute("BEGIN IMMEDIATE")
        if database.execute("PRAGMA user_version").fetchone()[0] == 0:
            for statement in filter(str.strip, TABLES.split(";")):
                database.execute(statement)
            database.execute(f"PRAGMA user_version={SCHEMA}")
