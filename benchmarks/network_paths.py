"""Simulated networks between a client and the server, with a given round trip, jitter and packet loss.

Where the machine allows it, the client runs in an unnamed network namespace with one TUN device, whose packets pass
through this process, so the kernel retransmits lost packets and measures the round trip. Elsewhere a proxy on this
machine adds delays only. All of it ends with its processes.
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
"""The server's address for clients in namespaces; from the range reserved for benchmarks (RFC 2544)."""

_TUNSETIFF, _TUN, _NO_INFO = 0x400454CA, 1, 0x1000
_PACKET_MOST = 2048


class NetworkPath(NamedTuple):
    """Round trip without jitter, mean jitter of one direction (exponential), and the share of packets lost."""

    rtt_ms: float
    jitter_ms: float = 0
    loss: float = 0

    def delay_s(self, rng: Random) -> float:
        """The delay of one packet in one direction, drawn at random."""
        return (self.rtt_ms / 2 + (rng.expovariate(1 / self.jitter_ms) if self.jitter_ms else 0)) / 1000


class DelayLine:
    """One direction of a network: delivers data in order, after a delay."""

    def __init__(self, path: NetworkPath, deliver: Callable[[bytes], object]) -> None:
        self._path, self._deliver, self._rng = path, deliver, Random(secrets.randbits(32))
        self._loop = asyncio.get_running_loop()
        self._queue: deque[tuple[float, bytes]] = deque()
        self._free_at = 0.0
        self.more_s = 0.0
        """How much slower the path is at the moment, in seconds."""

    def put(self, data: bytes, more_s: float = 0) -> None:
        """Deliver data after the path's delay and `more_s`, and after all data before it."""
        self._free_at = max(self._free_at, self._loop.time() + self._path.delay_s(self._rng) + self.more_s + more_s)
        if not self._queue:
            self._loop.call_at(self._free_at, self._release)
        self._queue.append((self._free_at, data))

    def put_or_drop(self, data: bytes) -> None:
        """Drop a packet with the path's loss rate, else put it."""
        if self._rng.random() >= self._path.loss:
            self.put(data)

    def put_retransmitted(self, data: bytes) -> None:
        """Put data of a TCP connection; lost data comes after TCP's timeout and holds up the rest."""
        lost = self._rng.random() < self._path.loss
        self.put(data, (200 + 2 * self._path.rtt_ms) / 1000 if lost else 0)

    def _release(self) -> None:
        now = self._loop.time()
        while self._queue and self._queue[0][0] <= now + 0.0005:
            with suppress(OSError):
                self._deliver(self._queue.popleft()[1])
        if self._queue:
            self._loop.call_at(self._queue[0][0], self._release)


# Network namespaces


def can_create_networks() -> bool:
    """Whether this process may create network namespaces and TUN devices."""
    with ExitStack() as stack:
        try:
            _tun_device("rat" + secrets.token_hex(3), stack)
            found = subprocess.run(["unshare", "--net", "ip", "link"], capture_output=True, check=False)
            taken = subprocess.run(["ip", "route", "get", SERVER], capture_output=True, text=True, check=False)
        except OSError:
            return False
        return found.returncode == 0 and "local" not in taken.stdout


class TunLinks:
    """TUN devices that connect namespaces: the server's ends are made before the server, the others by `attach`."""

    def __init__(self, paths: Sequence[NetworkPath], stack: ExitStack) -> None:
        self._paths, self._stack, self._prefix = paths, stack, "rat" + secrets.token_hex(3)
        self._delays: dict[int, list[DelayLine]] = {k: [] for k in range(len(paths))}
        self._near = [_tun_device(f"{self._prefix}n{k}", stack) for k in range(len(paths))]
        for k in range(len(paths)):
            _ip("addr", "add", SERVER, "peer", _address(k), "dev", f"{self._prefix}n{k}")
            _ip("link", "set", f"{self._prefix}n{k}", "up")

    def attach(self, k: int, process: int) -> None:
        """Connect network `k` to this process, which was started with `unshare --net`."""
        name, loop = f"{self._prefix}f{k}", asyncio.get_running_loop()
        near, far = self._near[k], _tun_device(name, self._stack)
        _ip("link", "set", name, "netns", str(process))
        for command in (["addr", "add", _address(k), "peer", SERVER, "dev", name], ["link", "set", name, "up"]):
            subprocess.run(["nsenter", "-t", str(process), "-n", "ip", *command], check=True)
        for source, target in ((near, far), (far, near)):
            delay = DelayLine(self._paths[k], lambda data, target=target: os.write(target, data))  # type: ignore[misc]
            self._delays[k].append(delay)
            loop.add_reader(source, _forward_packets, source, delay)
            self._stack.callback(loop.remove_reader, source)

    def slow_down(self, k: int, more_ms: float) -> None:
        """From now on network `k` takes so much longer in each direction."""
        for delay in self._delays[k]:
            delay.more_s = more_ms / 1000


def _tun_device(name: str, stack: ExitStack) -> int:
    """The file descriptor of a new TUN device; closing it removes the device."""
    descriptor = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    stack.callback(os.close, descriptor)
    fcntl.ioctl(descriptor, _TUNSETIFF, struct.pack("16sH22x", name.encode(), _TUN | _NO_INFO))
    return descriptor


def _forward_packets(source: int, delay: DelayLine) -> None:
    with suppress(OSError):  # nothing more to read, or the device was removed
        while True:
            delay.put_or_drop(os.read(source, _PACKET_MOST))


def _ip(*command: str) -> None:
    subprocess.run(["ip", *command], check=True)


def _address(k: int) -> str:
    return f"198.18.1.{k + 1}"


# A proxy


@asynccontextmanager
async def proxy(path: NetworkPath, port: int) -> AsyncIterator[int]:
    """A port on this machine that forwards to another port with the path's delays."""
    tasks: set[asyncio.Task[None]] = set()

    async def forward(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Forward one direction until it ends."""
        delay = DelayLine(path, lambda data: None if writer.is_closing() else writer.write(data))
        with suppress(ConnectionError):
            while data := await reader.read(65536):
                delay.put_retransmitted(data)
        writer.close()

    async def relay(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        server_reader, server_writer = await asyncio.open_connection("127.0.0.1", port)
        for task in (
            asyncio.create_task(forward(reader, server_writer)),
            asyncio.create_task(forward(server_reader, writer)),
        ):
            tasks.add(task)
            task.add_done_callback(tasks.discard)

    server = await asyncio.start_server(relay, "127.0.0.1", 0)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
        for task in list(tasks):
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
