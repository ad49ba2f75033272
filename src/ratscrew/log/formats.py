"""The formats of a log's file, each as the step that makes it of the one before. A step that was published stays.

A new file takes all of them. Format 1 is left out: its events did not say what they led to, as later ones do.
"""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Callable, Mapping


def _tables(database: sqlite3.Connection) -> None:
    """Games, their entries, and values that are kept."""
    database.execute("CREATE TABLE game (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE)")
    database.execute(
        "CREATE TABLE entry (game INTEGER NOT NULL REFERENCES game, number INTEGER NOT NULL, body BLOB NOT NULL, "
        "PRIMARY KEY (game, number)) WITHOUT ROWID"
    )
    database.execute("CREATE TABLE kept (name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID")


def _sums(database: sqlite3.Connection) -> None:
    """Each entry has a checksum, by which one that was damaged where it lay is found out."""
    database.create_function("crc32", 1, zlib.crc32, deterministic=True)
    database.execute("ALTER TABLE entry ADD COLUMN sum INTEGER NOT NULL DEFAULT 0")
    database.execute("UPDATE entry SET sum = crc32(CAST(body AS BLOB))")


STEPS: Mapping[int, Callable[[sqlite3.Connection], None]] = {2: _tables, 3: _sums}
"""What makes each format of the one before, in order."""

CHECKSUMS_FROM = 3
"""The first format whose entries have checksums."""

TABLES = {"game", "entry", "kept"}

EARLIEST, FORMAT = min(STEPS), max(STEPS)
"""The first format that can be brought to the present one, and that."""
