"""The formats of a log's file, each as a migration from the one before. A published migration never changes.

A new file runs all of them. Format 1 is not supported: its events did not hold their results, as later ones do.
"""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Callable, Mapping
from functools import reduce

from ratscrew.log.entry_renames import renamed_body


def _create_tables(database: sqlite3.Connection) -> None:
    """Tables for games, their entries, and values stored by name."""
    database.execute("CREATE TABLE game (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE)")
    database.execute(
        "CREATE TABLE entry (game INTEGER NOT NULL REFERENCES game, number INTEGER NOT NULL, body BLOB NOT NULL, "
        "PRIMARY KEY (game, number)) WITHOUT ROWID"
    )
    database.execute("CREATE TABLE kept (name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID")


def _add_checksums(database: sqlite3.Connection) -> None:
    """Each entry gets a checksum, so that a damaged one is detected."""
    database.create_function("crc32", 1, zlib.crc32, deterministic=True)
    database.execute("ALTER TABLE entry ADD COLUMN sum INTEGER NOT NULL DEFAULT 0")
    database.execute("UPDATE entry SET sum = crc32(CAST(body AS BLOB))")


def _rename_fields(database: sqlite3.Connection) -> None:
    """Tags and fields of entries get their present names, and new checksums. A damaged entry stays unchanged."""
    last = (0, 0)
    while rows := database.execute(_NEXT_ROWS, last).fetchall():
        last = rows[-1][:2]
        intact = ((game, number, body) for game, number, body, checksum in rows if zlib.crc32(body) == checksum)
        bodies = ((game, number, body, renamed_body(body)) for game, number, body in intact)
        changed = ((new, zlib.crc32(new), game, number) for game, number, body, new in bodies if new is not body)
        database.executemany("UPDATE entry SET body = ?, sum = ? WHERE game = ? AND number = ?", changed)


_NEXT_ROWS = (
    "SELECT game, number, CAST(body AS BLOB), sum FROM entry WHERE (game, number) > (?, ?) ORDER BY game, number "
    "LIMIT 1000"
)
"""At most 1,000 rows are in memory at a time, however large the file is."""

MIGRATIONS: Mapping[int, Callable[[sqlite3.Connection], None]] = {
    2: _create_tables,
    3: _add_checksums,
    4: _rename_fields,
}
"""The migration to each format from the one before, in order."""

_CONVERSIONS: Mapping[int, Callable[[bytes], bytes]] = {4: renamed_body}
"""How each format changes the body of an entry."""


def body_converter(number: int) -> Callable[[bytes], bytes]:
    """A function that converts the body of an entry from format `number` to the present one, for read-only files."""
    conversions = [convert for to, convert in _CONVERSIONS.items() if number < to]
    if not conversions:
        return bytes
    return lambda body: reduce(lambda body, convert: convert(body), conversions, body)


CHECKSUMS_FROM = 3
"""The first format whose entries have checksums."""

TABLES = {"game", "entry", "kept"}

EARLIEST, FORMAT = min(MIGRATIONS), max(MIGRATIONS)
"""The first format that can be migrated, and the present one."""
