"""The server as a process of its own: started, read, and ended."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeAlias

PROGRAM = """
import sys
from pathlib import Path
from ratscrew import cli
from ratscrew.cli.server import serving
from ratscrew.web.http.static_files import StaticFiles
page = Path(sys.argv.pop(1))
serving.StaticFiles = lambda **more: StaticFiles(page, **more)
cli.main()
"""
"""The command, with a page of ours in place of the built one."""

Server: TypeAlias = subprocess.Popen[str]


@contextmanager
def starting(folder: Path, *words: str | Path) -> Iterator[Server]:
    """A server that has printed nothing yet; it ends with the test in any case."""
    (folder / "page").mkdir(exist_ok=True)
    (folder / "page" / "index.html").write_text("the page")
    command = [sys.executable, "-c", PROGRAM, folder / "page", "serve", "--port", "0", *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as server:
        try:
            yield server
        finally:
            server.kill()


@contextmanager
def serving(folder: Path, *words: str | Path) -> Iterator[tuple[Server, str]]:
    """A running server and its address."""
    with starting(folder, *words) as server:
        yield server, address(server)


def address(server: Server) -> str:
    """The address that a server prints."""
    found = re.fullmatch(r"Ratscrew is at (http://127\.0\.0\.1:\d+)/\n", line := said(server))
    if not found:
        server.kill()
        raise AssertionError((line, *end(server)))
    return found[1]


def children(process: int) -> list[int]:
    """The processes that a process has started, in their order."""
    return [int(found) for found in Path(f"/proc/{process}/task/{process}/children").read_text().split()]


def said(server: Server) -> str:
    """The next line that a server prints."""
    assert server.stdout
    return server.stdout.readline()


def end(server: Server) -> tuple[str, str]:
    """Wait for the end of a server: the rest of its standard output and error."""
    server.wait(60)
    assert server.stdout
    assert server.stderr
    return server.stdout.read(), server.stderr.read()


def get(address: str, body: Any = None) -> Any:
    """The answer of a server, from JSON."""
    data = None if body is None else json.dumps(body).encode()
    with urllib.request.urlopen(address, data, timeout=30) as answer:
        return json.load(answer)
