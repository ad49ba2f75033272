"""Passes connected sockets between the workers of one machine: SCM_RIGHTS over UNIX sockets. Does not parse HTTP.

A connection is one datagram: why it is passed on, the bytes that were read from it, and its file descriptor. The
kernel's connection stays the same, and with it what the kernel knows of its round trip. Each worker has a socket in a
folder that only this user may enter.
"""

from __future__ import annotations

import asyncio
import os
import socket
from array import array
from collections.abc import Callable
from contextlib import suppress
from enum import IntEnum
from pathlib import Path
from typing import NamedTuple, Protocol

from aiohttp import web

SUPPORTED = hasattr(socket, "send_fds") and hasattr(socket, "AF_UNIX")
"""Whether this system can pass sockets."""

BYTES_MOST = 40 * 1024
"""Bytes that were read from a connection: a request's headers, its body, and what a client sent right behind it."""

TAKEN_AT_ONCE = 32
"""Connections that a worker takes over in one iteration of its event loop."""

SEND_WITHIN_S, TRY_AGAIN_S = 1.0, 0.002
"""How long a connection is held for a worker whose queue is full (Linux: `net.unix.max_dgram_qlen`); how often it is
tried."""


class Reason(IntEnum):
    """Why a worker passes a connection on."""

    KEY = 1
    """The idempotency key of its request is the other worker's."""
    ROOM = 2
    """The other worker has the room. Nobody passes it on again."""
    OPENING = 3
    """The other worker has fewer rooms: it opens the room, unless strangers wait elsewhere."""


class WorkerGroup(NamedTuple):
    """The workers behind one port: nodes `NAME.1` to `NAME.size`, with one public address. This one is `number`."""

    folder: Path
    name: str
    size: int
    number: int

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all workers as nodes."""
        return tuple(f"{self.name}.{number}" for number in range(1, self.size + 1))

    @property
    def me(self) -> str:
        """The name of this worker."""
        return self.names[self.number - 1]

    def path(self, name: str) -> Path:
        """The socket of a worker. A name of a node has no slash."""
        return self.folder / name


class TakenOver(Protocol):
    """The protocol of a connection that another worker has accepted."""

    def take_over(self, reason: Reason, data: bytes) -> None:
        """Called before `connection_made`: the bytes that were read before."""


class SocketPassing:
    """Sends connections to the other workers, and takes over those that they send."""

    def __init__(self, group: WorkerGroup) -> None:
        self.group = group
        self._outgoing = _datagram_socket()
        self._incoming: socket.socket | None = None
        self._tasks = set[asyncio.Task[None]]()
        self.taken = 0
        """How many connections were taken over."""

    async def send(self, name: str, file: int, reason: Reason, data: bytes) -> None:
        """Send a connection, by its file descriptor, to another worker, with the bytes that were read from it.

        Raises: OSError if the worker has ended, or takes nothing in time.
        """
        loop, path = asyncio.get_running_loop(), str(self.group.path(name))
        files = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array("i", [file]))]
        until_s = loop.time() + SEND_WITHIN_S
        while True:
            try:
                self._outgoing.sendmsg([bytes((reason,)), data], files, 0, path)  # `send_fds` ignores the address
            except BlockingIOError:
                if loop.time() > until_s:
                    raise
                await asyncio.sleep(TRY_AGAIN_S)
            else:
                return

    def start(self, new: Callable[[], TakenOver]) -> None:
        """Take over connections; `new` creates the protocol of each, an `asyncio.Protocol`.

        Raises: OSError.
        """
        path = self.group.path(self.group.me)
        path.unlink(missing_ok=True)  # of a process that was killed
        self._incoming = _datagram_socket()
        self._incoming.bind(str(path))
        asyncio.get_running_loop().add_reader(self._incoming, self._take, new)

    def close(self) -> None:
        """Neither send nor take any more. Connections that wait are closed."""
        self._outgoing.close()
        if self._incoming is not None:
            asyncio.get_running_loop().remove_reader(self._incoming)
            self._incoming.close()
            self.group.path(self.group.me).unlink(missing_ok=True)

    def _take(self, new: Callable[[], TakenOver]) -> None:
        assert self._incoming is not None
        for _ in range(TAKEN_AT_ONCE):
            try:
                data, files, _, _ = socket.recv_fds(self._incoming, 1 + BYTES_MOST, 1)
            except OSError:  # none waits
                return
            for file in files:
                connection = socket.socket(fileno=file)
                task = asyncio.create_task(self._serve(connection, Reason(data[0]), data[1:], new))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)

    async def _serve(
        self, connection: socket.socket, reason: Reason, data: bytes, new: Callable[[], TakenOver]
    ) -> None:
        def protocol() -> asyncio.Protocol:
            found = new()
            found.take_over(reason, data)
            assert isinstance(found, asyncio.Protocol)
            return found

        connection.setblocking(False)
        try:
            await asyncio.get_running_loop().connect_accepted_socket(protocol, connection)
        except OSError:  # the client has gone
            connection.close()
        self.taken += 1


SOCKET_PASSING = web.AppKey("socket_passing", SocketPassing)


def _datagram_socket() -> socket.socket:
    found = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    found.setblocking(False)
    with suppress(OSError):
        found.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4 * BYTES_MOST)
    return found


def duplicate(connection: socket.socket) -> int:
    """A file descriptor of the same connection, to be closed by the caller: it stays valid if the client leaves.

    Raises: OSError, ValueError if the connection is closed already.
    """
    return os.dup(connection.fileno())
