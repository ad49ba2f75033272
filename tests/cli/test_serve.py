"""The server as a process: it says where it is, answers there, and stops when it is asked to."""

from __future__ import annotations

import json
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from ratscrew.game.codec import Codec
from ratscrew.log.sqlite import SqliteLog
from ratscrew.table.record import Entry

PROGRAM = """
import sys
from pathlib import Path
from ratscrew import cli
from ratscrew.web.pages import Pages
page = Path(sys.argv.pop(1))
cli.serving.Pages = lambda: Pages(page)
cli.main()
"""
"""The command, with a page of ours in place of the built one."""

UPGRADE = (
    b"GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
)


@contextmanager
def serving(folder: Path, *words: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A running server and its address; whatever becomes of it, it does not outlive the test."""
    (folder / "page").mkdir(exist_ok=True)
    (folder / "page" / "index.html").write_text("the page")
    command = [sys.executable, "-c", PROGRAM, str(folder / "page"), "serve", "--port", "0", *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout
            line = server.stdout.readline()
            found = re.fullmatch(r"Ratscrew is at (http://127\.0\.0\.1:\d+)/\n", line)
            if not found:
                server.kill()
                raise AssertionError((line, *end(server)))
            yield server, found[1]
        finally:
            server.kill()


def end(server: subprocess.Popen[str]) -> tuple[str, str]:
    """Wait for the end of a server: what else it said, and what it complained of."""
    server.wait(60)
    assert server.stdout
    assert server.stderr
    return server.stdout.read(), server.stderr.read()


def get(address: str, body: Any = None) -> Any:
    """The answer of a server, from JSON."""
    data = None if body is None else json.dumps(body).encode()
    with urllib.request.urlopen(address, data, timeout=30) as answer:
        return json.load(answer)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_the_server_answers_where_it_says_and_stops_soon_when_asked_to(tmp_path: Path, number: signal.Signals) -> None:
    """It stops though somebody holds a socket open and answers nothing; what was played is in the file."""
    with serving(tmp_path, "--data", str(tmp_path)) as (server, address):
        assert get(f"{address}/api/health") == {"ok": True, "rooms": 0}
        joined = get(f"{address}/api/rooms", {"name": "Ana", "bots": 1, "strength": "sharp"})
        assert get(f"{address}/api/health") == {"ok": True, "rooms": 1}
        with socket.create_connection(("127.0.0.1", int(address.rpartition(":")[2])), timeout=30) as browser:
            browser.sendall(UPGRADE)
            assert browser.recv(12) == b"HTTP/1.1 101"
            started = time.monotonic()
            server.send_signal(number)
            out, complaints = end(server)
            assert time.monotonic() - started < 3.5
    assert (server.returncode, complaints) == (0, "")
    assert out.splitlines() == [
        f"Games are kept in {tmp_path / 'ratscrew.sqlite3'}. Stop with Ctrl-C; they go on where they were.",
        "Stopping.",
    ]
    with closing(SqliteLog(tmp_path / "ratscrew.sqlite3", Codec[Entry](Entry))) as log:
        (game,) = log.games(f"{joined['room']}-")
        assert len(log.read(game)) == 3


def test_a_stop_that_comes_with_the_first_word_is_heard(tmp_path: Path) -> None:
    """Whoever waits for the address may stop the server as soon as it stands there."""
    with serving(tmp_path, "--data", str(tmp_path)) as (server, _):
        server.send_signal(signal.SIGTERM)
        out, complaints = end(server)
    assert (server.returncode, complaints) == (0, "")
    assert out.endswith("Stopping.\n")
