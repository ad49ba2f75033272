"""A busy event loop accepts several connections in each of its iterations, and the system keeps those that wait."""

from __future__ import annotations

import asyncio
import socket
from contextlib import ExitStack, suppress
from pathlib import Path
from urllib.parse import urlsplit

import uvloop

from ratscrew.log.memory import MemoryLog
from ratscrew.table.record.clock import SystemClock
from ratscrew.web.app import GATE, make_app
from ratscrew.web.http.static_files import StaticFiles
from ratscrew.web.server_runner import ACCEPTS, listening

CLIENTS = 200
"""More than the backlog of asyncio's servers, 100."""


async def iterations() -> int:
    """How many iterations of the loop it takes to accept clients that all wait at one moment."""
    app, loop = make_app(MemoryLog(), SystemClock(), StaticFiles(Path("nowhere"))), asyncio.get_running_loop()
    count, ended = 0, False

    def note() -> None:
        nonlocal count
        count += 1
        if not ended:
            loop.call_soon(note)

    async with listening(app, "127.0.0.1", 0) as url:
        with ExitStack() as stack:
            port = urlsplit(url).port
            for _ in range(CLIENTS):  # at one moment, as the loop does nothing meanwhile
                client = stack.enter_context(socket.socket())
                client.setblocking(False)
                with suppress(BlockingIOError):
                    client.connect(("127.0.0.1", port))
            note()
            while len(app[GATE].open) < CLIENTS:
                await asyncio.sleep(0)
            ended = True
    return count


def test_each_iteration_of_a_uvloop_accepts_several_connections() -> None:
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        took = runner.run(asyncio.wait_for(iterations(), 30))
    assert took <= 2 * CLIENTS / ACCEPTS + 10


def test_asyncios_own_loop_needs_no_copies_of_its_socket() -> None:
    with asyncio.Runner() as runner:
        assert runner.run(asyncio.wait_for(iterations(), 30)) <= 10
