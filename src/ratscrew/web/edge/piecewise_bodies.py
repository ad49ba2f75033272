"""Bodies of responses that are sent piece by piece as the client reads them.

A body that waits for its client takes one piece of memory beyond what all clients share, however long it is. So the
bytes that wait for an address are bounded by its connections (`OF_ADDRESS_MOST` of `connections.py`).
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator

from aiohttp import web
from aiohttp.abc import AbstractStreamWriter
from aiohttp.payload import Payload

PIECE = 16 * 1024
"""Bytes of a body that may wait for its client."""

_GZIP = 31
"""zlib's code for the gzip format."""


class PiecewiseBody(Payload):
    """A body in pieces of at most `PIECE` bytes, each of which is written when the one before has been sent."""

    def __init__(self, value: bytes, size: int) -> None:
        super().__init__(value)
        self._size = size

    def pieces(self) -> Iterator[bytes]:
        """The body's pieces, one after the other."""
        return (self._value[begin : begin + PIECE] for begin in range(0, len(self._value), PIECE))

    async def write(self, writer: AbstractStreamWriter) -> None:
        for piece in self.pieces():
            await writer.write(piece)
            await writer.drain()

    def decode(self, encoding: str = "utf-8", errors: str = "strict") -> str:
        return b"".join(self.pieces()).decode(encoding, errors)


class UnpackedBody(PiecewiseBody):
    """A body that was packed by gzip, unpacked while it is sent."""

    def __init__(self, packed: bytes) -> None:
        super().__init__(packed, int.from_bytes(packed[-4:], "little"))  # RFC 1952: the length is at the end

    def pieces(self) -> Iterator[bytes]:
        unpacker = zlib.decompressobj(_GZIP)
        rest = self._value
        while not unpacker.eof:
            yield unpacker.decompress(rest, PIECE)
            rest = unpacker.unconsumed_tail


def send_piecewise(response: web.StreamResponse) -> None:
    """Have a long body of a response sent piece by piece."""
    if isinstance(response, web.Response) and isinstance(body := response.body, bytes) and len(body) > PIECE:
        response.body = PiecewiseBody(body, len(body))
