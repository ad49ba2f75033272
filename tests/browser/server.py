"""A real server for browser tests: the command itself, in a process of its own, on a free port."""

from __future__ import annotations

import itertools
import multiprocessing
import os
import re
import sys
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from types import TracebackType
from typing import Self

import glin_profanity
from typer import _adapters

from ratscrew.cli import main
from ratscrew.cli.server import serving
from ratscrew.game.codec import Codec
from ratscrew.log.reader import SqliteReader
from ratscrew.table.record.entries import Entry
from ratscrew.table.registry.placement import RoomsHere
from ratscrew.testing.ports import free_port
from ratscrew.web.http import static_files as pages
from tests.browser.seed import draw_from, seed_for_server

_PROCESSES = multiprocessing.get_context("forkserver")
# Imported once and not for every server, where imports would be most of the work of a start. A name that cannot be
# imported there is ignored, so the names are taken from modules that this one imports.
_PROCESSES.set_forkserver_preload([main.__module__, serving.__name__, _adapters.__name__, glin_profanity.__name__])


STOPPED = set[str]()
"""The addresses of servers that a test has stopped: pages that are still open may ask them for something."""


class Server:
    """`ratscrew serve`, with its log in one file; it can be stopped and started again on the same port.

    With `deal`, every game is dealt as the game in that file. With `proxied`, clients connect through a relay, and the
    server gets the option `--proxied`: the connection to the relay is not theirs. `more` are further words of the
    command.
    """

    def __init__(
        self,
        file: Path,
        speed: float = 1.0,
        deal: Path | None = None,
        proxied: bool = False,
        more: tuple[str, ...] = (),
    ) -> None:
        self.file, self.speed, self.deal, self.proxied = file, speed, deal, proxied
        self.more, self.port = more, free_port()
        self.page: Path | None = None
        """Another built page than the package's own."""
        self.constants: dict[str, float] = {}
        """Constants of modules that have other values in this server, by module and name."""
        self._process: BaseProcess | None = None

    @property
    def url(self) -> str:
        """Where its pages are."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def named_url(self) -> str:
        """The same, by a name that could be another machine's; browsers look `localhost` names up themselves."""
        return f"http://table.localhost:{self.port}"

    def start(self) -> None:
        """Start it and wait until it listens."""
        heard, said = _PROCESSES.Pipe(duplex=False)
        self._process = _PROCESSES.Process(
            target=_run, args=(self.words(), said, self.page, self.constants, seed_for_server(self.file))
        )
        self._process.start()
        said.close()
        self._output = os.fdopen(os.dup(heard.fileno()), encoding="utf-8")
        line = self._output.readline()
        assert re.search(rf"http://127\.0\.0\.1:{self.port}/", line), f"the server said {line!r}"

    def words(self) -> list[str]:
        """The words of the command."""
        words = ["serve", "--port", str(self.port), "--data", str(self.file), "--speed", str(self.speed)]
        words += ["--deal", str(self.deal)] if self.deal else []
        return [*words, *(["--proxy"] if self.proxied else []), *self.more]

    def stop(self) -> None:
        """Stop it politely."""
        STOPPED.add(self.url)
        self._end(kill=False)

    def kill(self) -> None:
        """End it as a crash would."""
        self._end(kill=True)

    def log_of(self, room: str) -> list[Entry]:
        """The entries of a room's latest game, read from the file."""
        log = SqliteReader(self.file, Codec[Entry](Entry))
        try:
            return log.read(log.games(f"{room}-")[-1])
        finally:
            log.close()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._process:
            self.stop()

    def _end(self, kill: bool) -> None:
        assert self._process
        if kill:
            self._process.kill()
        else:
            self._process.terminate()
        self._process.join(10)
        assert not self._process.is_alive(), "the server does not stop"
        self._output.close()
        self._process = None


_rooms = itertools.count(1)
AGE = 45
"""Binary digits of the time in microseconds that the name of a room has as zeros, about 13 months."""


def _name(rooms: RoomsHere, code: str) -> str:
    """A room's name with a number for the time of its opening: the cards follow from the name, too.

    It is in the future, so that the code is in use.
    """
    return f"{code}-{(((rooms.clock.now_us() >> AGE) + 1) << AGE) + next(_rooms):x}"


def _run(words: list[str], output: Connection, page: Path | None, constants: dict[str, float], seed: str) -> None:
    """In the server's process: the command with these words, its output sent to the test."""
    draw_from(seed)
    setattr(RoomsHere, "new_name", _name)  # noqa: B010
    os.dup2(output.fileno(), 1)
    sys.stdout = os.fdopen(1, "w", encoding="utf-8", buffering=1)
    if page:
        pages.StaticFiles.__init__.__defaults__ = (page, "")
    for name, value in constants.items():
        module, _, constant = name.rpartition(".")
        setattr(sys.modules[module], constant, value)
    sys.argv = ["ratscrew", *words]
    main()
