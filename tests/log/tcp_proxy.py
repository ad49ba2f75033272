"""A proxy in front of PostgreSQL that cuts a connection at a chosen moment of an append."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from enum import Enum
from pathlib import Path
from threading import Event, Thread

from ratscrew.log.postgres.address import PostgresAddress

TIMEOUT_S = 30
PASSWORD = "hidden-password"


class Fault(Enum):
    """What happens to a message that contains the marker."""

    BEFORE = "the connection breaks before the message arrives"
    AFTER = "the message arrives, and the connection breaks before its answer"
    SILENCE = "the message arrives, and its answer never comes, though the connection stays"
    LATE = "the connection breaks, and the message arrives later"


class TcpProxy:
    """Passes connections on to a UNIX socket, but for one prepared fault."""

    def __init__(self, target: Path) -> None:
        self.target = target
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._connections: list[_Connection] = []
        self._held: list[tuple[_Connection, bytes]] = []
        self._fault: Fault | None = None
        self._marker, self._shut = b"", False
        self._open, self.happened = Event(), Event()
        self._open.set()
        Thread(target=self._accept, daemon=True).start()

    def address(self, database: str) -> PostgresAddress:
        """The address of a database by way of this proxy."""
        port = self._listener.getsockname()[1]
        return PostgresAddress(f"postgresql://ratscrew:{PASSWORD}@127.0.0.1:{port}/{database}")

    def inject(self, fault: Fault, marker: str, shut: bool = False) -> None:
        """Prepare a fault for the next message with a marker; with `shut`, new connections wait for `reopen` then."""
        self._fault, self._marker, self._shut = fault, marker.encode(), shut
        self.happened.clear()

    def fault_for(self, data: bytes) -> Fault | None:
        """The prepared fault, once, if it is meant for this message."""
        if self._fault is None or self._marker not in data:
            return None
        fault, self._fault = self._fault, None
        if self._shut:
            self._open.clear()
        return fault

    def hold(self, connection: _Connection, data: bytes) -> None:
        """Keep a message for `deliver`."""
        self._held.append((connection, data))

    @property
    def accepted(self) -> int:
        """How many connections have been passed on so far."""
        return len(self._connections)

    def deliver(self) -> None:
        """Let the held messages arrive now, and wait until the server has answered each."""
        while self._held:
            connection, data = self._held.pop()
            connection.deliver(data)

    def cut(self) -> None:
        """Break all connections; new ones wait for `reopen`."""
        self._open.clear()
        for each in self._connections:
            close(each.client)
            close(each.server)

    def reopen(self) -> None:
        """Accept connections again."""
        self._open.set()

    def close(self) -> None:
        """Close everything."""
        self._open.set()
        for end in (self._listener, *(end for each in self._connections for end in (each.client, each.server))):
            close(end)

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                self._open.wait(TIMEOUT_S)
                server = socket.socket(socket.AF_UNIX)
                try:
                    server.connect(str(self.target))
                except OSError:
                    close(client)
                    close(server)
                else:
                    self._connections.append(_Connection(self, client, server))


class _Connection:
    """A connection that is passed on, with a thread for each direction."""

    def __init__(self, proxy: TcpProxy, client: socket.socket, server: socket.socket) -> None:
        self.client, self.server, self._proxy = client, server, proxy
        self._cut, self._answered = Event(), Event()
        for work in (self._pass_requests, self._pass_answers):
            Thread(target=work, daemon=True).start()

    def deliver(self, data: bytes) -> None:
        """Send a message to the server, and wait for its answer, which the client does not get."""
        self._cut.set()
        self.server.sendall(data)
        assert self._answered.wait(TIMEOUT_S)

    def _pass_requests(self) -> None:
        with suppress(OSError):
            while data := self.client.recv(65536):
                match self._proxy.fault_for(data):
                    case None:
                        self.server.sendall(data)
                        continue
                    case Fault.BEFORE:
                        close(self.server)
                    case Fault.LATE:
                        self._proxy.hold(self, data)
                    case Fault.AFTER:
                        self.deliver(data)
                        close(self.server)
                    case Fault.SILENCE:
                        self.deliver(data)
                        self._proxy.happened.set()
                        continue
                self._cut.set()
                close(self.client)
                self._proxy.happened.set()
                return
        if not self._cut.is_set():
            close(self.server)

    def _pass_answers(self) -> None:
        with suppress(OSError):
            while data := self.server.recv(65536):
                if self._cut.is_set():
                    self._answered.set()
                else:
                    self.client.sendall(data)
        if not self._cut.is_set():
            close(self.client)


def close(end: socket.socket) -> None:
    """Close a socket for both sides, also while another thread reads it."""
    with suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)
    end.close()


@contextmanager
def proxy_to(target: Path) -> Iterator[TcpProxy]:
    """A proxy for one test."""
    proxy = TcpProxy(target)
    try:
        yield proxy
    finally:
        proxy.close()
