"""A proxy in front of a measured server: it says of each client's connection what nginx would, and passes bytes on."""

from __future__ import annotations

import asyncio
import socket
import struct
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

RTT_HEADER, SOCKET_HEADER = "X-Rtt-Us", "X-Client-Socket"
_RTT_AT = 68
"""Where `struct tcp_info` has `tcpi_rtt`, the smoothed round trip, in microseconds: nginx's `$tcpinfo_rtt`."""


@asynccontextmanager
async def relay(host: str, port: int) -> AsyncIterator[int]:
    """A port at `host` that leads to a port of this machine. Only the first request of a connection gets headers."""
    tasks = set[asyncio.Task[None]]()

    async def copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError):
            while data := await reader.read(65536):
                writer.write(data)
        writer.close()

    async def connect(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        end = writer.get_extra_info("socket")
        end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        (client, client_port), (own, own_port) = end.getpeername(), end.getsockname()
        first = await reader.readline()
        (rtt_us,) = struct.unpack_from("I", end.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 256), _RTT_AT)
        lines = (
            f"X-Forwarded-For: {client}",
            f"{RTT_HEADER}: {rtt_us}",
            f"{SOCKET_HEADER}: {client} {client_port} {own} {own_port}",
        )
        server_reader, server = await asyncio.open_connection("127.0.0.1", port)
        server.write(first + "".join(f"{line}\r\n" for line in lines).encode())
        for way in (copy(reader, server), copy(server_reader, writer)):
            tasks.add(task := asyncio.create_task(way))
            task.add_done_callback(tasks.discard)

    server = await asyncio.start_server(connect, host, 0)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
        for task in list(tasks):
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
