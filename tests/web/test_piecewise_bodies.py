"""Long bodies leave the server piece by piece, as fast as the client reads them."""

from __future__ import annotations

import asyncio
import gzip
import random
from pathlib import Path
from typing import Any

import pytest

from ratscrew.log.memory import MemoryLog
from ratscrew.table.record.clock import SystemClock
from ratscrew.table.record.entries import Entry
from ratscrew.web.app import GATE, make_app
from ratscrew.web.edge.connections import GuardedHandler
from ratscrew.web.edge.piecewise_bodies import PIECE, PiecewiseBody, UnpackedBody
from ratscrew.web.http.static_files import StaticFiles
from ratscrew.web.rendering.worker import execute_here
from tests.web.raw_connections import parse_response, raw_server, request


@pytest.mark.parametrize("size", [0, 1, PIECE - 1, PIECE, PIECE + 1, 10 * PIECE + 7])
def test_the_pieces_are_the_body(size: int) -> None:
    plain = random.Random(size).randbytes(size)
    for body in (PiecewiseBody(plain, size), UnpackedBody(gzip.compress(plain))):
        pieces = list(body.pieces())
        assert (b"".join(pieces), body.size) == (plain, size)
        assert all(len(piece) <= PIECE for piece in pieces)


def test_what_unpacks_to_much_is_unpacked_as_it_is_sent() -> None:
    body = UnpackedBody(gzip.compress(bytes(50_000_000)))
    first = next(body.pieces())
    assert len(first) == PIECE


@pytest.mark.parametrize("accepted", ["gzip", "identity"])
async def test_a_client_that_reads_nothing_makes_the_server_keep_one_piece(tmp_path: Path, accepted: str) -> None:
    """Also of a file, and however many it requests on one connection."""
    plain = random.Random(1).randbytes(20_000_000).hex().encode()
    (tmp_path / "big.js").write_bytes(plain)
    app = make_app(MemoryLog[Entry](), SystemClock(), StaticFiles(tmp_path), execute=execute_here)
    async with raw_server(SystemClock(), app) as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=2**14)
        transport: Any = writer.transport
        transport.pause_reading()
        writer.write(request("GET", "/big.js", f"Accept-Encoding: {accepted}"))
        (handler,) = await until_sending(app[GATE].open)
        waiting = await settled(handler)
        assert 0 < waiting <= 2 * PIECE
        transport.resume_reading()
        status, headers, body = parse_response(await reader.read())
        writer.close()
    assert status == 200
    assert (gzip.decompress(body) if "Content-Encoding" in headers else body) == plain
    assert int(headers["Content-Length"]) == len(body)


async def until_sending(connections: dict[object, str]) -> list[GuardedHandler]:
    """The connections with bytes that wait for their client, as soon as there are any."""
    async with asyncio.timeout(30):
        while not (found := [each for each in connections if isinstance(each, GuardedHandler) and waiting(each)]):
            await asyncio.sleep(0.01)
    return found


def waiting(handler: GuardedHandler) -> int:
    """Bytes that wait for a client."""
    return handler.transport.get_write_buffer_size() if handler.transport else 0


async def settled(handler: GuardedHandler) -> int:
    """How many bytes wait, once that does not change any more: the system's buffers are full."""
    async with asyncio.timeout(30):
        same, before = 0, -1
        while same < 20:
            await asyncio.sleep(0.01)
            same, before = (same + 1 if waiting(handler) == before else 0), waiting(handler)
    return before
