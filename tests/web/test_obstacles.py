"""What operators read when a proxy passes on too little; and headers of other programs on the host."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from aiohttp import ClientSession

from ratscrew.log.memory import MemoryLog
from ratscrew.table.record.clock import SystemClock
from ratscrew.web.app import make_app
from ratscrew.web.http import proxy_policy
from ratscrew.web.http.proxy_policy import ProxyPolicy
from ratscrew.web.http.static_files import StaticFiles
from ratscrew.web.rendering.worker import execute_here
from ratscrew.web.server_runner import listening

SOCKET = "/api/rooms/WOLF4821/socket"
HANDSHAKE = {"Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA=="}


@pytest.fixture
async def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[str]:
    """The address of a server that has warned of nothing."""
    monkeypatch.setattr(proxy_policy, "_warned", set())
    policy = ProxyPolicy(proxied=True)
    app = make_app(MemoryLog(), SystemClock(), StaticFiles(tmp_path), proxy_policy=policy, execute=execute_here)
    async with listening(app, "127.0.0.1", 0) as address:
        yield address.rstrip("/")


def warnings(caplog: pytest.LogCaptureFixture, word: str) -> list[str]:
    return [record.getMessage() for record in caplog.records if word in record.getMessage()]


async def test_a_proxy_that_removes_upgrade_is_named_once_with_the_mend(
    server: str, caplog: pytest.LogCaptureFixture
) -> None:
    async with ClientSession() as browser:
        with caplog.at_level(logging.WARNING):
            for _ in range(3):
                answer = await browser.get(server + SOCKET, headers={**HANDSHAKE, "Origin": server})
                assert answer.status == 400
    (said,) = warnings(caplog, "Upgrade")
    assert "proxy_set_header Upgrade $http_upgrade" in said


@pytest.mark.parametrize(
    ("origin", "headers", "mend"),
    [
        ("https://cards.example", {}, "proxy_set_header Host $http_host"),
        ("https://cards.example", {"Host": "cards.example", "X-Forwarded-Proto": "http"}, "X-Forwarded-Proto"),
    ],
)
@pytest.mark.parametrize("path", ["/api/rooms", SOCKET])
async def test_a_page_that_is_refused_by_its_origin_is_named_once_with_the_mend(
    server: str, caplog: pytest.LogCaptureFixture, origin: str, headers: dict[str, str], mend: str, path: str
) -> None:
    async with ClientSession() as browser:
        with caplog.at_level(logging.WARNING):
            for _ in range(2):
                ask = browser.get if path == SOCKET else browser.post
                answer = await ask(server + path, headers={"Origin": origin, **headers})
                assert answer.status == 403
    (said,) = warnings(caplog, "was refused")
    assert origin in said
    assert mend in said


async def test_a_client_cannot_fill_the_log_by_its_origin(server: str, caplog: pytest.LogCaptureFixture) -> None:
    async with ClientSession() as browser:
        with caplog.at_level(logging.WARNING):
            for number in range(3):
                await browser.post(f"{server}/api/rooms", headers={"Origin": f"https://{number}{'x' * 500}.example"})
    (said,) = warnings(caplog, "was refused")
    assert len(said) < 500


async def test_cookies_of_other_programs_on_the_host_do_no_harm(server: str) -> None:
    host, port = server.removeprefix("http://").split(":")
    cookies = "; ".join(f"other{number}={'x' * 3000}" for number in range(7))
    reader, writer = await asyncio.open_connection(host, int(port))
    writer.write(f"GET /api/health HTTP/1.1\r\nHost: {host}\r\nCookie: {cookies}\r\n\r\n".encode())
    assert (await reader.readline()).startswith(b"HTTP/1.1 200 ")
    writer.close()
    reader, writer = await asyncio.open_connection(host, int(port))
    writer.write(f"GET /api/health HTTP/1.1\r\nHost: {host}\r\nCookie: {cookies * 2}\r\n\r\n".encode())
    answer = await reader.read()
    assert answer.startswith(b"HTTP/1.1 431 ")
    assert b"Delete this host's cookies" in answer
    writer.close()
