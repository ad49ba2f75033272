"""Shared by all attacks: source addresses, connections, requests, frames, and counts of the results."""

from __future__ import annotations

import asyncio
import base64
import itertools
import json
import os
import random
import string
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Any

from ratscrew.table.registry.codes import DIGITS_LEAST, WORDS

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]

TIMEOUT_S = 2.0
"""How long an attacker waits for a response before it opens a new connection."""

CARDS = "+".join(rank + suit for rank in "23456789TJQKA" for suit in "CDHS")

LONG_HOUSE = ";".join(
    ["1;chaos", "slaps.run.len=4"]
    + [f"{choice}={CARDS}" for choice in ("stoppers", "slaps.wild", "slaps.instant")]
    + [f"chances.{rank}{suit}=1" for rank in "23456789T" for suit in "CDHS"]
)
"""A house as text of 1,000 characters with many patterns, in which every card is special."""

JUNK_COOKIES = ";".join(
    f"seat-{''.join(name)}=a"
    for length in (1, 2)
    for name in itertools.islice(itertools.product(string.ascii_letters + string.digits, repeat=length), 900)
)[:8000]
"""A `Cookie` header with many seats that do not exist."""


class Attacker:
    """Many connections from `addresses` sources, 127.66.`row`.1 and up, against one server.

    `counts`: `attempts` is how often an attack was tried, `refused` how many of these the server rejected (429, 503,
    `bye`, `rate_limited`, or a closed connection), `answered` how many got another response. Attacks add their own
    counts.
    """

    def __init__(self, port: int, addresses: int, row: int = 0) -> None:
        self.port, self.addresses, self.row = port, addresses, row
        self.counts: Counter[str] = Counter()
        self._shared: dict[str, asyncio.Task[Any]] = {}

    def source(self, number: int) -> str:
        """The source address of this connection."""
        return f"127.66.{self.row}.{1 + number % self.addresses}"

    async def connect(self, number: int, source: str = "", limit: int = 2**16) -> Streams:
        """Open a connection."""
        self.counts["connections"] += 1
        async with asyncio.timeout(TIMEOUT_S):
            return await asyncio.open_connection(
                "127.0.0.1", self.port, local_addr=(source or self.source(number), 0), limit=limit
            )

    async def shared(self, name: str, make: Callable[[], Awaitable[Any]]) -> Any:
        """A value shared by all connections, by name; created for the first that needs it, and anew if that failed."""
        made = self._shared.get(name)
        if made is None or (made.done() and (made.cancelled() or made.exception())):
            self._shared[name] = asyncio.ensure_future(make())
            self._shared[name].add_done_callback(_retrieve_exception)
        return await asyncio.shield(self._shared[name])

    async def exchange(self, streams: Streams, request: bytes) -> tuple[int, bytes, bytes]:
        """Send a request, read its response (status, head and body), and count it."""
        reader, writer = streams
        self.counts["attempts"] += 1
        try:
            writer.write(request)
            async with asyncio.timeout(TIMEOUT_S):
                head = await reader.readuntil(b"\r\n\r\n")
                length = 0
                for line in head.lower().split(b"\r\n"):
                    if line.startswith(b"content-length:"):
                        length = int(line.partition(b":")[2])
                body = b"" if request.startswith(b"HEAD") else await reader.readexactly(length)
        except (OSError, EOFError, TimeoutError):
            self.counts["refused"] += 1
            raise
        status = int(head[9:12])
        self.counts["refused" if status in (429, 503) else "answered"] += 1
        self.counts[f"status {status}"] += 1
        if b"\r\nconnection: close\r\n" in head.lower():
            writer.close()
        return status, head, body

    async def hammer(self, number: int, request: Callable[[], bytes]) -> None:
        """Send requests one after the other on one connection, until the server closes it."""
        streams = await self.connect(number)
        try:
            while not streams[1].is_closing():
                await self.exchange(streams, request())
        finally:
            streams[1].close()

    async def room(self, number: int = 0, source: str = "", **choices: Any) -> tuple[str, str]:
        """Open a room: its code, and the cookie that holds the host's seat.

        Raises: ConnectionError if the server opens none.
        """
        body = {"name": "Eve", "bots": 0, "wait": True} | choices
        streams = await self.connect(number, source)
        try:
            status, head, response = await self.exchange(streams, post("/api/rooms", json.dumps(body).encode()))
        finally:
            streams[1].close()
        if status != 201:
            raise ConnectionError(f"no room: {response[:200]!r}")
        return str(json.loads(response)["room"]), cookies_in(head)

    async def socket(
        self, number: int, room: str, cookie: str = "", hello: str | None = '{"t":"hello"}', source: str = ""
    ) -> Streams:
        """A WebSocket to a room, after `hello`.

        Raises: ConnectionError if there is none.
        """
        self.counts["attempts"] += 1
        reader, writer = await self.connect(number, source)
        try:
            writer.write(handshake(room, cookie))
            async with asyncio.timeout(TIMEOUT_S):
                head = await reader.readuntil(b"\r\n\r\n")
            if not head.startswith(b"HTTP/1.1 101"):
                raise ConnectionError(head[:40])
            if hello:
                writer.write(frame(hello.encode()))
        except BaseException as error:
            if not isinstance(error, asyncio.CancelledError):
                self.counts["refused"] += 1
            writer.close()
            raise
        return reader, writer

    async def drain(self, reader: asyncio.StreamReader) -> None:
        """Read messages until the connection ends, and count the server's refusals."""
        while data := await reader.read(2**16):
            for refusal in (b'"t":"rate_limited"', b'"t":"refused"', b'"t":"bye"'):
                self.counts["refused"] += data.count(refusal)


def get(path: str, method: str = "GET", headers: str = "") -> bytes:
    """A request without a body."""
    return f"{method} {path} HTTP/1.1\r\nHost: localhost\r\n{headers}\r\n".encode()


def post(path: str, body: bytes, method: str = "POST", headers: str = "") -> bytes:
    """A request with a body."""
    head = f"{method} {path} HTTP/1.1\r\nHost: localhost\r\n{headers}Content-Length: {len(body)}\r\n\r\n"
    return head.encode() + body


def handshake(room: str, cookie: str = "") -> bytes:
    """A request for a WebSocket."""
    key = base64.b64encode(os.urandom(16)).decode()
    upgrade = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    held = f"Cookie: {cookie}\r\n" if cookie else ""
    return get(f"/api/rooms/{room}/socket", headers=f"{upgrade}Sec-WebSocket-Key: {key}\r\n{held}")


def frame(body: bytes, opcode: int = 1, fin: bool = True) -> bytes:
    """A frame of a WebSocket, masked with zeros."""
    size = bytes((0x80 | len(body),)) if len(body) < 126 else b"\xfe" + len(body).to_bytes(2, "big")
    return bytes(((0x80 if fin else 0) | opcode,)) + size + bytes(4) + body


def cookies_in(head: bytes) -> str:
    """The cookies that a response sets, as a request sends them back."""
    rows = head.decode().split("\r\n")
    given = [line.partition(":")[2].strip() for line in rows if line.lower().startswith("set-cookie:")]
    return "; ".join(each.partition(";")[0] for each in given)


def random_code(digits: int = DIGITS_LEAST) -> str:
    """A random room code with this many digits."""
    return random.choice(WORDS) + "".join(random.choices(string.digits, k=digits))


def _retrieve_exception(future: asyncio.Future[Any]) -> None:
    """Retrieve the exception, as tasks that awaited it may have been cancelled before."""
    if not future.cancelled():
        future.exception()
