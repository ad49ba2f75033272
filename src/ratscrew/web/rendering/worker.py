"""Runs expensive work in a separate process, so that it delays no slap and can be killed.

One process runs one job at a time for all clients; addresses take turns (`limits/fair_lock.py`). A job has a budget of
processor time (`rendering_process.py`) and of time (`WITHIN_S`). A job over its budget is killed with the process, and
a new process starts for the next job. A server on which nothing is rendered has no such process.
"""

from __future__ import annotations

import asyncio
import logging
import os
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Awaitable, Callable, Hashable
from contextlib import suppress
from typing import Protocol, TypeAlias

import msgspec

from ratscrew.errors import Overloaded, TooCostly
from ratscrew.limits.fair_lock import FairLock
from ratscrew.limits.limits import Limits
from ratscrew.web.rendering.rendering import Rendered
from ratscrew.web.rendering.rendering_process import framed

WITHIN_S = 10.0
"""Time limit of a job from its start; long, because the machine may be busy."""

START_WITHIN_S = 60.0
"""Time limit for a new process to be ready."""

NICE = 10
"""How much nicer the process is than the server: tables have priority. On a machine with one core it runs only when the
processor is idle (`SCHED_IDLE`), because even a nice process delays tables by some milliseconds each time there."""

RETRY_S = 10.0
"""`Retry-After` when the process cannot be started."""

OVERRUN_COST = 100
"""The charge to `heavy` for a job over its budget: after two of them the address waits ten seconds for each."""

CACHED_MOST, CACHED_BYTES_MOST = 256, 32 * 1024 * 1024
"""Responses in the cache, and their bytes; most clients request the same ones."""

CACHED = (200, 409)
"""The statuses of cached responses. 409 is that of a game that is not over; its key has the number of its entries."""

PIECE = 64 * 1024
"""Bytes that are written to the process at once."""

Argument: TypeAlias = str | bytes

_logger = logging.getLogger(__name__)


class Execute(Protocol):
    """Calls a function of `web/rendering/rendering.py` with its arguments, here or in another process."""

    async def __call__(self, render: Callable[..., Rendered], /, *args: Argument) -> Rendered:
        """The result of the function.

        Raises: TooCostly if it went over its budget; Overloaded if it cannot be called at the moment.
        """
        ...


class RenderingProcess:
    """Renders in a process, which is started on first use and after it was killed."""

    def __init__(self) -> None:
        self._process: Process | None = None
        self._starting = asyncio.Lock()

    async def start(self) -> Process:
        """Start the process unless it runs.

        Raises: Overloaded if it cannot be started.
        """
        async with self._starting:
            if self._process is None or self._process.returncode is not None:
                try:
                    self._process = await asyncio.create_subprocess_exec(
                        *(sys.executable, "-P", "-m", "ratscrew.web.rendering.rendering_process"),
                        stdin=PIPE,
                        stdout=PIPE,
                        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
                        start_new_session=True,  # Ctrl-C is handled by the server
                    )
                    lower_priority(self._process.pid)
                    async with asyncio.timeout(START_WITHIN_S):
                        await _receive(self._process)
                except (OSError, TimeoutError, asyncio.IncompleteReadError) as error:
                    await self.close()
                    _logger.error("the process that renders responses cannot be started: %r", error)
                    raise Overloaded(RETRY_S) from None
            return self._process

    async def __call__(self, render: Callable[..., Rendered], *args: Argument) -> Rendered:
        done = False
        try:
            process = await self.start()
            assert process.stdin
            head = (render.__name__, *(len(each) if isinstance(each, bytes) else each for each in args))
            process.stdin.write(framed(msgspec.msgpack.encode(head)))
            async with asyncio.timeout(WITHIN_S):
                for each in args:
                    if isinstance(each, bytes):
                        await _send(process.stdin, each)
                await process.stdin.drain()
                rendered = await _receive(process)
            done = True
            return rendered
        except (OSError, TimeoutError, asyncio.IncompleteReadError):
            raise TooCostly("this takes the server too long to compute: choose something simpler") from None
        finally:
            if not done:
                await self.close()

    async def close(self) -> None:
        """Kill the process, if there is one."""
        process, self._process = self._process, None
        if process:
            with suppress(ProcessLookupError):
                process.kill()
            assert process.stdin
            assert process.stdout
            process.stdin.close()
            await process.wait()
            with suppress(RuntimeError):  # another task is reading, and gets the end of file
                await process.stdout.read()  # this closes the pipe


async def execute_here(render: Callable[..., Rendered], *args: Argument) -> Rendered:
    """Render without a process and without a budget: for tests."""
    await asyncio.sleep(0)
    return render(*args)


class Worker:
    """Renders responses one at a time, and caches the last ones."""

    def __init__(self, limits: Limits, execute: Execute | None = None) -> None:
        self._limits, self._lock, self._process = limits, FairLock(), RenderingProcess()
        self._execute: Execute = execute or self._process
        self._cache: dict[Hashable, Rendered] = {}
        self._cached_bytes = 0
        self._generation = 0

    async def close(self) -> None:
        """End the process."""
        await self._process.close()

    async def render(
        self, address: str, gone: Callable[[], bool], key: Hashable, job: Callable[[Execute], Awaitable[Rendered]]
    ) -> Rendered:
        """The response for a key: from the cache, or rendered by `job`.

        A job whose client is `gone` when it could start is skipped.

        Raises: LimitExceeded, Overloaded (see `FairLock`); TooCostly; ConnectionError if the client is gone; the errors
        of `job`.
        """
        if cached := self._cache.get(key):
            return cached
        async with self._lock.hold(address):
            if cached := self._cache.get(key):
                return cached
            if gone():
                raise ConnectionResetError("the client has gone")
            if self._limits.overdrawn("heavy", address):  # by earlier requests of this address
                self._limits.check("heavy", address)
            generation = self._generation
            try:
                rendered = await job(self._execute)
            except TooCostly:
                self._limits.spend("heavy", address, OVERRUN_COST)
                raise
        if rendered.status in CACHED and generation == self._generation:
            self._cache_response(key, rendered)
        return rendered

    def clear_cache(self, concerns: Callable[[Hashable], bool] = lambda _: True) -> None:
        """Drop the cached responses whose keys this `concerns`, and do not cache one that is being rendered now."""
        self._generation += 1
        self._cache = {key: each for key, each in self._cache.items() if not concerns(key)}
        self._cached_bytes = sum(len(each.packed) for each in self._cache.values())

    def _cache_response(self, key: Hashable, rendered: Rendered) -> None:
        self._cache[key] = rendered
        self._cached_bytes += len(rendered.packed)
        while len(self._cache) > CACHED_MOST or (self._cached_bytes > CACHED_BYTES_MOST and len(self._cache) > 1):
            self._cached_bytes -= len(self._cache.pop(next(iter(self._cache))).packed)


def lower_priority(process: int) -> None:
    """Lower the priority of a process right after its start, which takes half a second of work; see `NICE`."""
    with suppress(OSError):  # it has ended already
        if hasattr(os, "SCHED_IDLE") and len(os.sched_getaffinity(process)) == 1:
            os.sched_setscheduler(process, os.SCHED_IDLE, os.sched_param(0))
        elif hasattr(os, "setpriority"):
            os.setpriority(os.PRIO_PROCESS, process, os.getpriority(os.PRIO_PROCESS, 0) + NICE)


async def _send(writer: asyncio.StreamWriter, body: bytes) -> None:
    """Write bytes piece by piece, as the process reads them: the loop serves others in between."""
    for begin in range(0, len(body), PIECE):
        writer.write(body[begin : begin + PIECE])
        await writer.drain()


async def _receive(process: Process) -> Rendered:
    """The next message of the process.

    Raises: IncompleteReadError if it has ended.
    """
    assert process.stdout
    length = int.from_bytes(await process.stdout.readexactly(4), "big")
    return msgspec.msgpack.decode(await process.stdout.readexactly(length), type=Rendered)
