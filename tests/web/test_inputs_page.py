"""The page for operators names every input over HTTP, with its price and its bound, as the code has them.

The messages of a socket are in `test_limits_page.py`.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ratscrew.limits import fair_lock, limits
from ratscrew.limits.limits import GLOBAL, LIMITS, Limit
from ratscrew.protocol import session
from ratscrew.web import middleware, server_runner
from ratscrew.web.edge import connections, open_files, piecewise_bodies
from ratscrew.web.http import cookies
from ratscrew.web.http.responses import LANGUAGE_MOST
from ratscrew.web.http.static_files import HEADER_MOST
from ratscrew.web.prices import PRICES
from ratscrew.web.rendering import rendering_process, worker
from ratscrew.web.routes import Route
from ratscrew.web.schema.http_schema import BODY_MOST

ROOT = Path(__file__).parents[2]
SECTION = (ROOT / "docs/operations.md").read_text().split("## Inputs and their limits")[1].split("\n## ")[0]

READ_BY_AIOHTTP = {"Connection", "Content-Length", "Transfer-Encoding", "Upgrade", "Expect", "Sec-WebSocket-Key"}
"""Headers that the library reads by itself, with those that belong to them."""

OF_ANSWERS = {"Allow"}
"""Headers that the code reads of its own answers."""


def rate(limit: Limit | None) -> str:
    """A limit in words."""
    if limit is None:
        return ""
    then = f"{1 / limit.every_s:,.0f} a second" if limit.every_s <= 1 else f"one each {limit.every_s:g} s"
    return f"{limit.most:,}, then {then}"


def row(key: tuple[str, str], route: Route) -> str:
    """The row of a route."""
    besides = f"`{route.limit}`" if route.limit else "`sockets`" if key[1].endswith(("/socket", "/stream")) else ""
    body = f"{BODY_MOST:,} bytes" if route.request is not None else "none"
    return f"| `{' '.join(key)}` | {besides} | {route.max_query:,} bytes | {body} | {'yes' if route.worker else ''} |"


@pytest.mark.parametrize("key", PRICES, ids=" ".join)
def test_every_route_has_its_row(key: tuple[str, str]) -> None:
    expected = row(key, PRICES[key])
    assert expected in SECTION, f"docs/operations.md, 'Inputs and their limits', needs this row:\n{expected}"


def test_no_row_is_of_a_route_that_there_is_not() -> None:
    assert {tuple(found.split(" ")) for found in re.findall(r"^\| `([A-Z]+ /[^`]*)` \|", SECTION, re.MULTILINE)} == set(
        PRICES
    )


@pytest.mark.parametrize("what", ["connections", "requests", "heavy", "rooms", "seats", "room_seats", "sockets"])
def test_every_limit_has_its_row(what: limits.LimitName) -> None:
    expected = f"| `{what}` | {rate(LIMITS[what])} | {rate(GLOBAL.get(what))} |"
    assert expected in SECTION, f"docs/operations.md needs a row that begins so:\n{expected}"


def test_every_header_that_the_code_reads_has_its_row() -> None:
    read = r"headers\.(?:get|getall)\(\s*\"([\w-]+)\"|_forwarded\(request, \"([\w-]+)\""
    files = (ROOT / "src/ratscrew/web").rglob("*.py")
    found = {name for file in files for pair in re.findall(read, file.read_text()) for name in pair if name}
    assert found - OF_ANSWERS >= {"Cookie", "Origin", "X-Forwarded-For"}  # or the pattern has grown old
    rows = "".join(line for line in SECTION.splitlines() if line.startswith("| `"))
    missing = {name for name in found - OF_ANSWERS | READ_BY_AIOHTTP if f"`{name}`" not in rows}
    assert missing == set(), "docs/operations.md, 'Inputs and their limits', needs a row for each of these headers"


@pytest.mark.parametrize(
    "sentence",
    [
        f"{connections.CONNECTIONS_MOST:,} altogether (or as many as the system allows open files, less "
        f"{open_files.FILES_RESERVED}), {connections.OF_ADDRESS_MOST} of one address",
        f"{connections.HEAD_WITHIN_S:g} s from the first byte to the end of the headers",
        f"{connections.HEAD_MOST // 1024} kB of headers",
        f"{server_runner.KEEP_ALIVE_S:g} s between two requests",
        f"{connections.ANSWER_WITHIN_S:g} s to read an answer; {piecewise_bodies.PIECE // 1024} kB of it wait in this "
        "process",
        f"{connections.READS} reads each {connections.READS_EVERY_S * 1000:g} ms, "
        f"{connections.READS_WAITING_MOST:,} of at most {connections.WAITING_BYTES_MOST // 1024} kB wait, "
        "addresses in turn",
        f"{BODY_MOST:,} bytes within {middleware.BODY_WITHIN_S:g} s",
        f"{middleware.PATH_MOST} bytes of path, {middleware.CHOICES_MOST} parts of a query",
        f"{session.HELLO_WITHIN_S:g} s from the handshake to `hello`",
        f"{limits.SOCKETS_MOST} sockets of one address",
        f"{cookies.READ_MOST} cookies of seats",
        f"the first {HEADER_MOST} characters",
        f"{rendering_process.CPU_S:g} s of processor time ({rendering_process.GAME_CPU_S:g} s for a finished game), "
        f"{worker.WITHIN_S:g} s in all",
        f"{fair_lock.OF_ADDRESS_MOST} of one address and {fair_lock.WAITING_MOST} altogether, "
        f"{fair_lock.WAIT_MOST_S:g} s at most",
        f"costs {worker.OVERRUN_COST} of `heavy`",
    ],
)
def test_the_bounds_are_those_of_the_code(sentence: str) -> None:
    assert sentence in " ".join(SECTION.split())
    assert HEADER_MOST == LANGUAGE_MOST
