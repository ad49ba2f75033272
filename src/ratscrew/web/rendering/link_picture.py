"""The picture that messengers show beside a room's link: its code in large letters. Does not know which rooms exist.

`scripts/link_picture.py` has drawn the picture and all letters once, in one file. Here the letters of a code are copied
into the picture, so the server needs no library for fonts and images.
"""

from __future__ import annotations

import struct
import zlib
from functools import cache
from pathlib import Path

SHEET = Path(__file__).parent / "link_sheet.png"
"""The picture, and below it the letters: indexed colours, and rows without filters."""

WIDTH, HEIGHT = 1200, 630
"""Pixels; the size that messengers ask for."""

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
TILE = (72, 100)
"""Width and height of a letter in the sheet."""

PER_ROW = 16
CODE_Y = 474
"""Where the letters of a code begin, from above."""

WORD = 4
"""How many letters stand before the gap."""

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_LEVEL = 6


def room_picture(code: str) -> bytes:
    """A PNG with a room's code, such as `WOLF4821`; without it if it has other signs than codes, or is too long."""
    palette, pixels = _sheet()
    picture = bytearray(pixels[: (WIDTH + 1) * HEIGHT])
    signs = f"{code[:WORD]} {code[WORD:]}".strip()
    across = len(signs) * TILE[0]
    if set(signs) <= {*LETTERS, " "} and across <= WIDTH:
        for place, sign in enumerate(signs):
            if sign != " ":
                _copy(picture, pixels, LETTERS.index(sign), (WIDTH - across) // 2 + place * TILE[0])
    head = struct.pack(">IIBBBBB", WIDTH, HEIGHT, 8, 3, 0, 0, 0)
    data = zlib.compress(bytes(picture), _LEVEL)
    return _SIGNATURE + chunk(b"IHDR", head) + chunk(b"PLTE", palette) + chunk(b"IDAT", data) + chunk(b"IEND", b"")


def chunk(name: bytes, data: bytes) -> bytes:
    """A part of a PNG file, after its length and before its checksum."""
    return len(data).to_bytes(4, "big") + name + data + zlib.crc32(name + data).to_bytes(4, "big")


def _copy(picture: bytearray, sheet: bytes, letter: int, x: int) -> None:
    wide, high = TILE
    row, column = divmod(letter, PER_ROW)
    for y in range(high):
        start = (HEIGHT + row * high + y) * (WIDTH + 1) + 1 + column * wide
        target = (CODE_Y + y) * (WIDTH + 1) + 1 + x
        picture[target : target + wide] = sheet[start : start + wide]


@cache
def _sheet() -> tuple[bytes, bytes]:
    """The palette, and the rows of pixels, each after a byte for its filter, which is always 0."""
    data, at, parts = SHEET.read_bytes(), len(_SIGNATURE), dict[bytes, bytes]()
    while at < len(data):
        size = int.from_bytes(data[at : at + 4], "big")
        parts[data[at + 4 : at + 8]] = data[at + 8 : at + 8 + size]
        at += 12 + size
    return parts[b"PLTE"], zlib.decompress(parts[b"IDAT"])
