"""Entries as rows of a database, each with its number and a checksum of its body. No I/O here.

`Packed` has all entries of a game without decoding them, so that another process can do that (`unpack`).
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple, TypeAlias, TypeVar

from ratscrew.game.codec import Codec

E = TypeVar("E")

Row: TypeAlias = tuple[int, bytes, int]

DECODED_AT_ONCE = 200
"""Entries that are decoded in one piece, in half a millisecond."""

LAST_CHARACTER = "\U0010ffff"
"""Sorts after every other character of a name."""

INSERT_ENTRY = "INSERT INTO entry (game, number, body, sum) VALUES (?, ?, ?, ?)"
UPDATE_ENTRY = "UPDATE entry SET body = ?, sum = ? WHERE game = (SELECT id FROM game WHERE name = ?) AND number = ?"


class Packed(NamedTuple):
    """A game's entries as they are stored, one a line, with the checksum of each, separated by commas."""

    bodies: bytes = b""
    checksums: bytes = b""

    @classmethod
    def of(cls, bodies: Sequence[bytes]) -> Packed:
        """These entries, with new checksums."""
        return cls(b"\n".join(bodies), b",".join(b"%d" % zlib.crc32(body) for body in bodies))


def unpack(packed: Packed, codec: Codec[E]) -> list[E]:
    """The entries of a game, decoded in pieces, since each piece holds the interpreter's lock.

    Raises: ValueError if any is damaged; `decode_rows` says which one.
    """
    if not packed.bodies:
        return []
    lines = packed.bodies.split(b"\n")
    if list(map(int, packed.checksums.split(b","))) != list(map(zlib.crc32, lines)):
        raise ValueError("a checksum is wrong")
    pieces = (lines[begin : begin + DECODED_AT_ONCE] for begin in range(0, len(lines), DECODED_AT_ONCE))
    entries = [entry for piece in pieces for entry in codec.decode_lines(b"\n".join(piece))]
    if len(entries) != len(lines):
        raise ValueError("an entry is empty")
    return entries


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


def decode_rows(rows: Iterable[Row], codec: Codec[E], after: int = 0) -> Iterator[E]:
    """The entries of a game's rows after a number.

    Raises: ValueError that names the first entry that is missing or cannot be read.
    """
    for expected, (number, body, checksum) in enumerate(rows, after + 1):
        try:
            if number != expected:
                raise ValueError(f"its number is {number}")
            if zlib.crc32(body) != checksum:
                raise ValueError("its checksum is wrong")
            entry = codec.decode(body)
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


def packed_row(row: tuple[bytes | None, str | None, int, int | None], after: int) -> Packed | None:
    """A packed row after a number; None if an entry is missing."""
    bodies, checksums, count, last = row
    if not count:
        return Packed()
    if bodies is None or checksums is None or last != after + count:
        return None
    packed = Packed(bodies, checksums.encode())
    return packed if packed.checksums.count(b",") == count - 1 else None
