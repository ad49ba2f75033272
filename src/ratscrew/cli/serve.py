"""Starting and stopping the server. Every way in which that can fail is told with what to do about it."""

from __future__ import annotations

import asyncio
import errno
import gc
import os
import signal
import sys
import webbrowser
from contextlib import suppress
from pathlib import Path

from aiohttp import web
from rich.console import Console

from ratscrew.errors import RatscrewError
from ratscrew.game.codec import Codec
from ratscrew.log.sqlite import SqliteLog
from ratscrew.table.clock import SystemClock
from ratscrew.table.record import Entry
from ratscrew.web.app import make_app
from ratscrew.web.pages import Pages

PORT = 8765
FILE_NAME = "ratscrew.sqlite3"
STOP_WITHIN_S = 2.0


def serve(host: str, port: int, data: Path, browser: bool, speed: float = 1.0) -> None:
    """Serve until a signal says stop; the tables run `speed` times as fast as life.

    Raises: RatscrewError with a sentence that says what to do, if it cannot start.
    """
    pages = Pages()
    if not pages.built:
        raise RatscrewError("the browser client is not built: run `make install`, or pip install Ratscrew anew")
    file = data / FILE_NAME if data.is_dir() else data
    log = SqliteLog(file, Codec[Entry](Entry))
    try:
        with asyncio.Runner(loop_factory=_loop_factory()) as runner:
            app = make_app(log, SystemClock(speed), pages)
            runner.run(_serve(host, port, app, file, browser))
    finally:
        log.close()


async def _serve(host: str, port: int, app: web.Application, file: Path, browser: bool) -> None:
    runner = web.AppRunner(app, access_log=None, handle_signals=False, shutdown_timeout=STOP_WITHIN_S)
    await runner.setup()
    try:
        try:
            site = web.TCPSite(runner, host, port)
            await site.start()
        except OSError as error:
            raise RatscrewError(_why_not(host, port, error)) from error
        address = f"http://{_shown(host)}:{runner.addresses[0][1]}/"
        out = Console(highlight=False, soft_wrap=True)
        out.print(f"Ratscrew is at [bold]{address}[/bold]")
        out.print(f"[dim]Games are kept in {file}. Stop with Ctrl-C; they go on where they were.[/dim]")
        if browser:
            _browse(address)
        _calm_the_collector()
        await _stopped()
        out.print("Stopping.")
    finally:
        await runner.cleanup()


async def _stopped() -> None:
    """Wait for Ctrl-C or a polite kill."""
    stop, loop = asyncio.Event(), asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        with suppress(NotImplementedError):  # a platform without signals stops at KeyboardInterrupt
            loop.add_signal_handler(number, stop.set)
    await stop.wait()


def _why_not(host: str, port: int, error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"port {port} is in use: stop what runs there, or name another with --port (0 takes any free one)"
    if error.errno == errno.EACCES:
        return f"port {port} needs more rights than you have: name one above 1023 with --port"
    return f"cannot listen on {host}, port {port} ({error.strerror}): name an address of this machine with --host"


def _shown(host: str) -> str:
    if host in ("0.0.0.0", "::", ""):
        return "localhost"
    return f"[{host}]" if ":" in host else host


def _browse(address: str) -> None:
    """Open the page if there is a desktop; where there is none, the printed address has to do."""
    desktop = sys.platform in ("win32", "darwin") or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    if desktop:
        with suppress(webbrowser.Error):
            webbrowser.open(address)


def _loop_factory() -> type[asyncio.AbstractEventLoop] | None:
    try:
        import uvloop
    except ImportError:
        return None
    return uvloop.Loop


def _calm_the_collector() -> None:
    """Collection in mid-race makes slow verdicts: what stands now is never looked at again, the rest seldom."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 50, 100)
