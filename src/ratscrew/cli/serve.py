"""Starting and stopping the server. Every way in which that can fail is told with what to do about it."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import sys
import webbrowser
from contextlib import suppress
from pathlib import Path

from msgspec.structs import replace
from rich.console import Console
from rich.text import Text

from ratscrew.errors import RatscrewError
from ratscrew.game import notation
from ratscrew.game.codec import Codec
from ratscrew.game.events import Dealt
from ratscrew.log.sqlite import SqliteLog
from ratscrew.rules.house import Rules
from ratscrew.table.clock import SystemClock
from ratscrew.table.dealing import Laid
from ratscrew.table.record import Entry
from ratscrew.web.app import Application, make_app
from ratscrew.web.listening import for_others, listening
from ratscrew.web.pages import Pages
from ratscrew.web.pulse import Road

PORT = 8765
FILE_NAME = "ratscrew.sqlite3"


def serve(
    host: str,
    port: int,
    data: Path,
    browser: bool,
    road: Road | None = None,
    speed: float = 1.0,
    dealt: Path | None = None,
) -> None:
    """Serve until a signal says stop; `road` is how people reach the server.

    For trials the tables run `speed` times as fast as life, and every game of as many seats as the game written down
    in the file `dealt` is dealt as that one.

    Raises: RatscrewError with a sentence that says what to do, if it cannot start.
    """
    pages = Pages()
    if not pages.built:
        raise RatscrewError("the browser client is not built: run `make install`, or pip install Ratscrew anew")
    file = data / FILE_NAME if data.is_dir() else data
    log = SqliteLog(file, Codec[Entry](Entry))
    try:
        with asyncio.Runner(loop_factory=_loop_factory()) as runner:
            app = make_app(log, SystemClock(speed), pages, laid_as(dealt) if dealt else None, road)
            runner.run(_serve(host, port, app, file, browser))
    finally:
        log.close()


def road(proxy: bool, rtt_header: str | None) -> Road:
    """How people reach the server.

    Raises: RatscrewError for a header without a proxy: anybody could write it.
    """
    if rtt_header and not proxy:
        raise RatscrewError("--rtt-header is believed only behind a proxy that writes it: add --proxy")
    return Road(proxy, rtt_header)


def laid_as(file: Path) -> Laid:
    """The cards as they lay in a game that is written down; for other numbers of players they are shuffled.

    Raises: RatscrewError if the file cannot be read; NotationError with the line that is wrong.
    """
    try:
        first = notation.read(file.read_text(encoding="utf-8")).events[0]
    except (OSError, UnicodeDecodeError) as error:
        raise RatscrewError(f"{file} cannot be read: {error}") from error

    def laid(rules: Rules, seats: int) -> Dealt | None:
        return replace(first, rules=rules) if isinstance(first, Dealt) and len(first.hands) == seats else None

    return laid


async def _serve(host: str, port: int, app: Application, file: Path, browser: bool) -> None:
    stop = _stop_event()
    async with listening(app, host, port) as address:
        out = Console(highlight=False, soft_wrap=True)
        out.print(Text("Ratscrew is at ").append(address, "bold"))
        if others := for_others(host, address):
            out.print(Text("For others in your network it is at ").append(others, "bold"))
        out.print(Text(f"Games are kept in {file}. Stop with Ctrl-C; they go on where they were.", "dim"))
        if browser:
            _browse(address)
        _calm_the_collector()
        await stop.wait()
        out.print("Stopping.")


def _stop_event() -> asyncio.Event:
    """Set by Ctrl-C or a polite kill."""
    stop, loop = asyncio.Event(), asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        with suppress(NotImplementedError):  # a platform without signals stops at KeyboardInterrupt
            loop.add_signal_handler(number, stop.set)
    return stop


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
