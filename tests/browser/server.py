"""A real server for browser tests: the command itself, in a process of its own, on a free port."""

from __future__ import annotations

import re
import socket
import subprocess
import sys
from pathlib import Path
from types import TracebackType
from typing import Self

from ratscrew.game.codec import Codec
from ratscrew.log.sqlite import SqliteLog
from ratscrew.table.record import Entry


class Server:
    """`ratscrew serve`, with its log in one file; it can be stopped and started again on the same port.

    With `deal`, every game is dealt as the game in that file. Where people come by a relay (`proxied`), the server is
    told so: the line to the relay is not theirs.
    """

    def __init__(self, file: Path, speed: float = 1.0, deal: Path | None = None, proxied: bool = False) -> None:
        self.file, self.speed, self.deal, self.proxied = file, speed, deal, proxied
        self.port = _free_port()
        self.page: Path | None = None
        """Another built page than the package's own."""
        self._process: subprocess.Popen[str] | None = None

    @property
    def url(self) -> str:
        """Where its pages are."""
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Start it and wait until it listens."""
        command = [sys.executable, "-c", self._program(), "serve", "--port", str(self.port)]
        command += ["--data", str(self.file), "--speed", str(self.speed)]
        command += ["--deal", str(self.deal)] if self.deal else []
        command += ["--proxy"] if self.proxied else []
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout
        said = self._process.stdout.readline()
        assert re.search(rf"http://127\.0\.0\.1:{self.port}/", said), f"the server said {said!r}"

    def _program(self) -> str:
        other = f"; pages.Pages.__init__.__defaults__ = (pathlib.Path({str(self.page)!r}),)" if self.page else ""
        return f"import pathlib; from ratscrew.web import pages{other}; from ratscrew.cli import main; main()"

    def stop(self) -> None:
        """Stop it politely."""
        self._end(kill=False)

    def kill(self) -> None:
        """End it as a crash would."""
        self._end(kill=True)

    def log_of(self, room: str) -> list[Entry]:
        """The entries of a room's latest game, read from the file while nobody writes."""
        log = SqliteLog(self.file, Codec[Entry](Entry))
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
        self._process.wait(10)
        if self._process.stdout:
            self._process.stdout.close()
        self._process = None


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port
