"""Entries as rows of a database, each with its number and a checksum of its body. No I/O here."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeAlias, TypeVar

from ratscrew.game.codec import Codec

E = TypeVar("E")

Row: TypeAlias = tuple[int, bytes, int]

LAST_CHARACTER = "\U0010ffff"
"""Sorts after every other character of a name."""

INSERT_ENTRY = "INSERT INTO entry (game, number, body, sum) VALUES (?, ?, ?, ?)"
UPDATE_ENTRY = "UPDATE entry SET body = ?, sum = ? WHERE game = (SELECT id FROM game WHERE name = ?) AND number = ?"


def encode_rows(bodies: Sequence[bytes], after: int) -> Iterator[Row]:
    """The rows for a game's entries after a number."""
    return ((number, body, zlib.crc32(body)) for number, body in enumerate(bodies, after + 1))


def changed_rows(rows: Iterable[Row], codec: Codec[E], change: Callable[[E], E], after: int = 0) -> Iterator[Row]:
    """The rows of a game after a number that a change affects, with their new bodies.

    Raises: ValueError that names the first entry that is missing or cannot be read.
    """
    for number, entry in enumerate(decode_rows(rows, codec, after), after + 1):
        if (changed := change(entry)) != entry:
            yield from encode_rows([codec.encode(changed)], number - 1)


def decode_rows(
    rows: Iterable[Row], codec: Codec[E], after: int = 0, convert: Callable[[bytes], bytes] = bytes
) -> Iterator[E]:
    """The entries of a game's rows after a number; `convert` converts bodies of an earlier format to the present one.

    Raises: ValueError that names the first entry that is missing or cannot be read.
    """
    for expected, (number, body, checksum) in enumerate(rows, after + 1):
        try:
            if number != expected:
                raise ValueError(f"its number is {number}")
            if zlib.crc32(body) != checksum:
                raise ValueError("its checksum is wrong")
            entry = codec.decode(convert(body))
        except ValueError as error:
            raise ValueError(f"entry {expected} cannot be read: {error}") from error
        yield entry


READ_PACKED = (
    "SELECT CAST(group_concat(CAST(body AS TEXT), char(10)) AS BLOB), group_concat(sum), count(*), max(number) FROM "
    "(SELECT number, body, sum FROM entry WHERE game = (SELECT id FROM game WHERE name = ?) AND number > ? "
    "ORDER BY number)"
)
"""All rows of a game as one, whose bodies are lines. A thread that reads row by row has to get the interpreter's lock
back for each of them, and beside a busy event loop that takes half a millisecond. A game has each number once."""


def decode_packed(
    packed: tuple[bytes | None, str | None, int, int | None], codec: Codec[E], after: int
) -> list[E] | None:
    """The entries of a packed row after a number; None if any may be damaged: `decode_rows` tells which one is."""
    bodies, checksums, count, last = packed
    if not count:
        return []
    if bodies is None or checksums is None or last != after + count:
        return None
    lines = bodies.split(b"\n")
    try:
        if list(map(int, checksums.split(","))) != list(map(zlib.crc32, lines)):
            return None
        entries = codec.decode_lines(bodies)
    except ValueError:
        return None
    return entries if len(entries) == count else None
