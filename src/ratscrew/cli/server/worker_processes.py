"""`ratscrew serve --workers N`: several processes behind one port. This one starts them, and starts a dead one anew.

Each worker is this command again, with the listening sockets, a folder for the sockets by which the workers pass
connections on to each other, and one end of a socket pair: by it a worker says that it is ready, and by its end it
learns that this process has ended.
"""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import socket
import sys
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from pathlib import Path

from rich.console import Console
from rich.text import Text

from ratscrew.cluster.records import DRAIN_WITHIN_S, NodeIdentity
from ratscrew.errors import RatscrewError
from ratscrew.game.codec import Codec
from ratscrew.web.edge.socket_passing import SUPPORTED, WorkerGroup
from ratscrew.web.server_runner import lan_address, listen, url_of

VARIABLE = "_RATSCREW_WORKER"
"""The environment variable by which a process learns that it is a worker."""

STOP_WITHIN_S = DRAIN_WITHIN_S + 10.0
"""How long the workers may take to end; after that they are killed."""

RESTART_AFTER_S, RESTART_AFTER_MOST_S = 0.5, 10.0
"""The pause before a dead worker is started anew; it doubles with each start in vain."""

_READY = b"r"
_logger = logging.getLogger(__name__)


class WorkerProcess:
    """This process as a worker: what it got from the process that started it."""

    def __init__(self, number: int, count: int, name: str, instance: str, folder: str, files: list[int]) -> None:
        """`files` are file descriptors: the end of the socket pair, and the listening sockets."""
        self.group = WorkerGroup(Path(folder), name, count, number)
        self.instance = instance
        for file in files:
            os.set_inheritable(file, False)
        self._parent, *self.listeners = (socket.socket(fileno=file) for file in files)
        self._parent.setblocking(False)

    def identity(self, base: NodeIdentity) -> NodeIdentity:
        """This worker as a node of the cluster. All workers have one `instance`, also when started anew: so a new
        process takes the place of a dead one at once.
        """
        return base._replace(name=self.group.me, instance=self.instance)

    def start(self, stop: asyncio.Event) -> None:
        """Say that this worker is ready, and have it stop when the other process ends."""
        loop = asyncio.get_running_loop()

        def ended() -> None:
            loop.remove_reader(self._parent)
            stop.set()

        loop.add_reader(self._parent, ended)
        with suppress(OSError):
            self._parent.send(_READY)


def this_worker() -> WorkerProcess | None:
    """This process as a worker; None if it is none."""
    text = os.environ.pop(VARIABLE, None)
    return WorkerProcess(**Codec[dict[str, object]](dict).decode(text)) if text else None  # type: ignore[arg-type]


def check_workers(count: int, identity: NodeIdentity | None) -> None:
    """Check that several workers are possible.

    Raises: RatscrewError that says what is missing.
    """
    if not SUPPORTED:
        raise RatscrewError(
            "--workers needs a system that passes sockets between processes (SCM_RIGHTS), such as Linux"
        )
    if identity is None:
        raise RatscrewError(
            f"--workers {count}: several processes share a PostgreSQL as nodes of a cluster; add --node NAME, "
            "--public-url URL and --log postgresql://…"
        )


def run_workers(count: int, identity: NodeIdentity, host: str, port: int) -> None:
    """Run this command as so many workers, until SIGINT or SIGTERM.

    Raises: RatscrewError that says what to do, if the server cannot start.
    """
    check_workers(count, identity)
    with ExitStack() as stack:
        listeners = [stack.enter_context(each) for each in listen(host, port)]
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="ratscrew-"))
        workers = [_Worker(number, count, identity, folder, listeners) for number in range(1, count + 1)]
        asyncio.run(_run(workers, host, listeners))


async def _run(workers: Sequence[_Worker], host: str, listeners: Sequence[socket.socket]) -> None:
    """Raises: RatscrewError if a worker does not start."""
    stop, out = asyncio.Event(), Console(highlight=False, soft_wrap=True)
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    tasks: list[asyncio.Task[object]] = [asyncio.create_task(stop.wait())]
    try:
        first, *others = workers  # one alone at first: all would find the same mistake in the configuration
        for some in ([first], others):
            ready = [asyncio.Event() for _ in some]
            for worker, each in zip(some, ready, strict=True):
                tasks.append(asyncio.create_task(worker.keep_running(each)))
            for each in ready:
                waits: asyncio.Task[object] = asyncio.create_task(each.wait())
                await asyncio.wait([*tasks, waits], return_when=asyncio.FIRST_COMPLETED)
                waits.cancel()
                if any(task.done() for task in tasks):
                    return
        address = url_of(host, listeners)
        out.print(Text("Ratscrew is at ").append(address, "bold"))
        if lan := lan_address(host, address):
            out.print(Text("On your network: ").append(lan, "bold"))
        out.print(Text(f"{len(workers)} workers are ready. Stop with Ctrl-C; games continue at the next start.", "dim"))
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        out.print("Stopping.")
    finally:
        await asyncio.gather(*(worker.stop() for worker in workers))
        for task in tasks:
            task.cancel()
        failed = await asyncio.gather(*tasks, return_exceptions=True)
    for error in failed:
        if isinstance(error, RatscrewError):
            raise error


class _Worker:
    """A worker, as the process that starts it sees it."""

    def __init__(
        self, number: int, count: int, identity: NodeIdentity, folder: str, listeners: Sequence[socket.socket]
    ) -> None:
        self._words = {
            "number": number,
            "count": count,
            "name": identity.name,
            "instance": identity.instance,
            "folder": folder,
        }
        self.name = f"{identity.name}.{number}"
        self._listeners = [each.fileno() for each in listeners]
        self._process: asyncio.subprocess.Process | None = None
        self._stopping = False

    async def keep_running(self, ready: asyncio.Event) -> None:
        """Run the worker until `stop`, and start it anew whenever it ends; `ready` is set when it is ready at first.

        Raises: RatscrewError if it ends before it is ready for the first time.
        """
        pause_s = RESTART_AFTER_S
        while not self._stopping:
            started = await self._run_once(ready)
            if self._stopping:
                return
            if not ready.is_set():
                raise RatscrewError(f"worker {self.name} did not start: the reason stands above")
            pause_s = RESTART_AFTER_S if started else min(2 * pause_s, RESTART_AFTER_MOST_S)
            await asyncio.sleep(pause_s)

    async def stop(self) -> None:
        """Have the worker give its rooms away and end, and wait for it."""
        self._stopping = True
        process = self._process
        if process is None or process.returncode is not None:
            return
        with suppress(ProcessLookupError):
            process.terminate()
            try:
                async with asyncio.timeout(STOP_WITHIN_S):
                    await process.wait()
            except TimeoutError:
                _logger.warning("worker %s does not end: it is killed", self.name)
                process.kill()
                await process.wait()

    async def _run_once(self, ready: asyncio.Event) -> bool:
        """Run the worker until it ends; returns whether it was ready."""
        loop = asyncio.get_running_loop()
        ours, its = socket.socketpair()
        with ours, its:
            ours.setblocking(False)
            files = [its.fileno(), *self._listeners]
            words = Codec[dict[str, object]](dict).encode({**self._words, "files": files}).decode()
            process = self._process = await asyncio.create_subprocess_exec(
                sys.executable,
                *sys.orig_argv[1:],
                env={**os.environ, VARIABLE: words},
                stdin=asyncio.subprocess.DEVNULL,
                pass_fds=files,
            )
            its.close()
            try:
                if started := await loop.sock_recv(ours, 1) == _READY:
                    ready.set()
                code = await process.wait()
            except asyncio.CancelledError:
                with suppress(ProcessLookupError):
                    process.kill()
                raise
        if not self._stopping and ready.is_set():
            extra = {"worker": self.name, "pid": process.pid, "code": code}
            _logger.warning("a worker has ended, and is started anew", extra=extra)
        return started
