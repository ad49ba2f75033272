"""A slow network: a relay on this machine that delays everything in each direction."""

from __future__ import annotations

import asyncio
import ssl
from queue import Queue
from threading import Thread
from types import TracebackType
from typing import Self

GOODBYE_S = 0.5
"""How long an encrypted connection that was closed waits for the other side to close it too."""


class Far:
    """A relay to a port of this machine, in a thread of its own; a round trip takes `rtt_ms` longer.

    The server sees its connections come from the address `source`. With `tls` clients connect encrypted.
    """

    def __init__(self, port: int, rtt_ms: float, source: str = "127.0.0.1", tls: ssl.SSLContext | None = None) -> None:
        self._port, self._delay_s, self._source, self._tls = port, rtt_ms / 2000, source, tls
        self._thread = Thread(target=lambda: asyncio.run(self._relay()), daemon=True)
        self._ready: Queue[tuple[asyncio.AbstractEventLoop, asyncio.Event, int]] = Queue()
        self._lines: set[asyncio.Task[None]] = set()
        self._ends: list[asyncio.StreamWriter] = []

    def __enter__(self) -> Self:
        self._thread.start()
        self._loop, self._stop, self.port = self._ready.get(timeout=10)
        self.url = f"http://127.0.0.1:{self.port}"
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(10)

    async def _relay(self) -> None:
        stop = asyncio.Event()
        encrypted = {"ssl": self._tls, "ssl_shutdown_timeout": GOODBYE_S} if self._tls else {}
        server = await asyncio.start_server(self._meet, "127.0.0.1", **encrypted)  # type: ignore[arg-type]
        async with server:
            self._ready.put((asyncio.get_running_loop(), stop, server.sockets[0].getsockname()[1]))
            await stop.wait()
            await self._come_round()  # asyncio forgets to close what is accepted while its server closes
        for line in self._lines:
            line.cancel()
        await asyncio.gather(*self._lines, return_exceptions=True)
        for end in self._ends:  # also of a connection that was stopped before it began, or whose end is on its way
            if not (self._tls and end.transport.is_closing()):  # an encrypted one can be aborted only once
                end.transport.abort()
        await asyncio.gather(*(end.wait_closed() for end in self._ends), return_exceptions=True)

    async def _come_round(self) -> None:
        """Let the event loop do what it has begun."""
        for _ in range(5):
            await asyncio.sleep(0)

    def _meet(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._ends.append(writer)
        line = asyncio.create_task(self._connect(reader, writer))
        self._lines.add(line)
        line.add_done_callback(self._lines.discard)

    async def _connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Forward both directions until both sides have closed; connections left when the relay ends are aborted."""
        there, back = await asyncio.open_connection("127.0.0.1", self._port, local_addr=(self._source, 0))
        self._ends.append(back)
        await asyncio.gather(self._carry(reader, back), self._carry(there, writer), return_exceptions=True)

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Forward all data in order, each piece delayed, and then the end."""
        loop = asyncio.get_running_loop()
        while data := await reader.read(65536):
            loop.call_later(self._delay_s, writer.write, data)
        loop.call_later(self._delay_s, writer.close)
