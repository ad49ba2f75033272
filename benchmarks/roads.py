"""Ways between a page and the server that are as long, as uneven and as lossy as they are told to be.

Where the machine allows it a way is real: the page has a network of its own (a namespace without a name), and the one
wire out of it goes through this process, packet by packet, so the kernel repairs losses and knows the round trip.
Elsewhere it is a proxy on this machine, with the delays alone. Whatever is made here ends with its processes.
"""

from __future__ import annotations

import asyncio
import fcntl
import os
import secrets
import struct
import subprocess
from collections import deque
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import ExitStack, asynccontextmanager, suppress
from random import Random
from typing import NamedTuple

SERVER = "198.18.0.1"
"""Where the server is for pages in networks of their own; the addresses are those set aside for benchmarks."""

_TUNSETIFF, _TUN, _NO_INFO = 0x400454CA, 1, 0x1000
_PACKET_MOST = 2048


class Way(NamedTuple):
    """How a page is reached: its least round trip, the mean of what a packet takes longer, the share that is lost."""

    rtt_ms: float
    jitter_ms: float = 0
    loss: float = 0

    def takes_s(self, chance: Random) -> float:
        """What one packet takes in one direction."""
        return (self.rtt_ms / 2 + (chance.expovariate(1 / self.jitter_ms) if self.jitter_ms else 0)) / 1000


class Line:
    """One direction: what goes in comes out in the same order, later."""

    def __init__(self, way: Way, out: Callable[[bytes], object]) -> None:
        self._way, self._out, self._chance = way, out, Random(secrets.randbits(32))
        self._loop = asyncio.get_running_loop()
        self._waiting: deque[tuple[float, bytes]] = deque()
        self._free_at = 0.0

    def put(self, data: bytes, more_s: float = 0) -> None:
        """Data goes in."""
        self._free_at = max(self._free_at, self._loop.time() + self._way.takes_s(self._chance) + more_s)
        if not self._waiting:
            self._loop.call_at(self._free_at, self._let_go)
        self._waiting.append((self._free_at, data))

    def drop_or_put(self, data: bytes) -> None:
        """A packet goes in, if it is not lost."""
        if self._chance.random() >= self._way.loss:
            self.put(data)

    def repair_and_put(self, data: bytes) -> None:
        """What goes over a connection goes in; what is lost comes after TCP's timeout, and holds up the rest."""
        lost = self._chance.random() < self._way.loss
        self.put(data, (200 + 2 * self._way.rtt_ms) / 1000 if lost else 0)

    def _let_go(self) -> None:
        now = self._loop.time()
        while self._waiting and self._waiting[0][0] <= now + 0.0005:
            with suppress(OSError):
                self._out(self._waiting.popleft()[1])
        if self._waiting:
            self._loop.call_at(self._waiting[0][0], self._let_go)


# Networks of their own


def can_make_networks() -> bool:
    """Whether this process may give others a network of their own, and stand in the wire to it."""
    with ExitStack() as stack:
        try:
            _wire("rat" + secrets.token_hex(3), stack)
            found = subprocess.run(["unshare", "--net", "ip", "link"], capture_output=True, check=False)
            taken = subprocess.run(["ip", "route", "get", SERVER], capture_output=True, text=True, check=False)
        except OSError:
            return False
        return found.returncode == 0 and "local" not in taken.stdout


class Wires:
    """The near ends of the wires to some networks, made before the server; the far ends when the pages are there."""

    def __init__(self, ways: Sequence[Way], stack: ExitStack) -> None:
        self._ways, self._stack, self._mark = ways, stack, "rat" + secrets.token_hex(3)
        self._near = [_wire(f"{self._mark}n{k}", stack) for k in range(len(ways))]
        for k in range(len(ways)):
            _ip("addr", "add", SERVER, "peer", _there(k), "dev", f"{self._mark}n{k}")
            _ip("link", "set", f"{self._mark}n{k}", "up")

    def lead_to(self, k: int, process: int) -> None:
        """The wire of network `k` goes to this process, which was started with `unshare --net`."""
        name, loop = f"{self._mark}f{k}", asyncio.get_running_loop()
        near, far = self._near[k], _wire(name, self._stack)
        _ip("link", "set", name, "netns", str(process))
        for command in (["addr", "add", _there(k), "peer", SERVER, "dev", name], ["link", "set", name, "up"]):
            subprocess.run(["nsenter", "-t", str(process), "-n", "ip", *command], check=True)
        for source, target in ((near, far), (far, near)):
            line = Line(self._ways[k], lambda data, target=target: os.write(target, data))  # type: ignore[misc]
            loop.add_reader(source, _drain, source, line)
            self._stack.callback(loop.remove_reader, source)


def _wire(name: str, stack: ExitStack) -> int:
    """The end of a wire that is a network device at its other end; both are gone when it is closed."""
    end = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    stack.callback(os.close, end)
    fcntl.ioctl(end, _TUNSETIFF, struct.pack("16sH22x", name.encode(), _TUN | _NO_INFO))
    return end


def _drain(source: int, line: Line) -> None:
    with suppress(OSError):  # nothing more to read, or the device has gone
        while True:
            line.drop_or_put(os.read(source, _PACKET_MOST))


def _ip(*command: str) -> None:
    subprocess.run(["ip", *command], check=True)


def _there(k: int) -> str:
    return f"198.18.1.{k + 1}"


# A proxy


@asynccontextmanager
async def proxy(way: Way, port: int) -> AsyncIterator[int]:
    """A port on this machine that leads to another, later."""
    open_ones: set[asyncio.Task[None]] = set()

    async def carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One direction, until it ends."""
        line = Line(way, lambda data: None if writer.is_closing() else writer.write(data))
        with suppress(ConnectionError):
            while data := await reader.read(65536):
                line.repair_and_put(data)
        writer.close()

    async def lead(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, thither = await asyncio.open_connection("127.0.0.1", port)
        for task in (asyncio.create_task(carry(reader, thither)), asyncio.create_task(carry(there, writer))):
            open_ones.add(task)
            task.add_done_callback(open_ones.discard)

    server = await asyncio.start_server(lead, "127.0.0.1", 0)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
        for task in list(open_ones):
            task.cancel()
        await asyncio.gather(*open_ones, return_exceptions=True)
