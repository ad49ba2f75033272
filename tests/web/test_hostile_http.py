"""Hostile clients over HTTP: they get an error response or are disconnected, and nothing is logged as an error."""

from __future__ import annotations

import asyncio
import gzip
import socket as sockets
import struct
from pathlib import Path

import pytest

from ratscrew.log.memory import MemoryLog
from ratscrew.testing.clock import ManualClock, on_manual_clock
from ratscrew.web.app import REGISTRY, make_app
from ratscrew.web.http.static_files import DATA_HEADERS, HEADERS, StaticFiles
from ratscrew.web.middleware import BODY_WITHIN_S
from ratscrew.web.schema.http_schema import BODY_MOST
from ratscrew.web.server_runner import KEEP_ALIVE_S, LINGER_S
from tests.web.pages import upgrade
from tests.web.raw_connections import exchange, parse_json, parse_response, raw_server, request, warnings_in

ROOM = b'{"name":"Ana","bots":2}'


def post(path: str, body: bytes, *headers: str) -> bytes:
    """A request with a body of this length."""
    return request("POST", path, f"Content-Length: {len(body)}", *headers, body=body)


PACKED = "Send the body without Content-Encoding."
TOO_LONG = "The address of the request is too long, or has too many parameters."
SOCKET = "/api/rooms/BEAR/socket"
FAULTS = {
    "nowhere": (request("GET", "/api/nowhere"), 404, "There is no such page."),
    "no page": (request("GET", "/nowhere"), 404, "There is no such page."),
    "dots": (request("GET", "/../../etc/passwd"), 404, "There is no such page."),
    "packed dots": (request("GET", "/..%2f..%2fetc%2fpasswd"), 404, "There is no such page."),
    "dots in parts": (request("GET", "/assets/..%2f..%2fapp.py"), 404, "There is no such page."),
    "no text": (request("GET", "/%ff%fe%00"), 404, "There is no such page."),
    "method": (request("DELETE", "/api/rooms"), 405, "This address does not take requests of this method."),
    "no method": (request("TRACE", "/"), 405, "This address does not take requests of this method."),
    "post a page": (post("/rules", b"x"), 405, "This address does not take requests of this method."),
    "too large": (
        post("/api/rooms", b"x" * (BODY_MOST + 1)),
        413,
        "The body of a request may have at most 4096 bytes.",
    ),
    "packed": (post("/api/rooms", gzip.compress(b"x" * 10**7), "Content-Encoding: gzip"), 415, PACKED),
    "packed in another way": (post("/nowhere", ROOM, "Content-Encoding: br, deflate"), 415, PACKED),
    "a body where none belongs": (
        request("GET", "/api/health", "Content-Length: 2", body=b"{}"),
        413,
        "The body of a request may have at most 4096 bytes.",
    ),
    "a long path": (request("GET", "/" + "x" * 300), 414, TOO_LONG),
    "a long query": (request("GET", "/api/drill?house=" + "x" * 8001), 414, TOO_LONG),
    "a query of many parts": (request("GET", "/api/drill?" + "&".join("a" * 17)), 414, TOO_LONG),
    "no socket": (request("GET", SOCKET), 400, "The request cannot be understood."),
    "no handshake": (
        request("GET", SOCKET, "Upgrade: websocket", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: x"),
        400,
        "The request cannot be understood.",
    ),
    "from elsewhere": (
        post("/api/rooms", ROOM, "Origin: http://elsewhere.example"),
        403,
        "Only pages of this server may send this request.",
    ),
    "from nowhere": (
        post("/api/house", b"{}", "Origin: null"),
        403,
        "Only pages of this server may send this request.",
    ),
    "a socket from elsewhere": (
        request("GET", SOCKET, "Origin: http://elsewhere.example"),
        403,
        "Only pages of this server may send this request.",
    ),
    "a form": (
        post("/api/rooms", b"name=Ana&bots=2", "Content-Type: application/x-www-form-urlencoded"),
        400,
        "Something in this request isn't right: reload the page and try again",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
@on_manual_clock
async def test_what_cannot_be_met_is_told_in_a_sentence_with_the_headers(
    clock: ManualClock, fault: str, caplog: pytest.LogCaptureFixture
) -> None:
    words, status, sentence = FAULTS[fault]
    async with raw_server(clock) as port:
        found, headers, body = parse_response(await exchange(port, words))
    data = words.split()[1].startswith(b"/api/")
    bound = DATA_HEADERS if data else HEADERS
    assert found == status
    assert {name: headers.get(name) for name in bound} == bound
    assert (parse_json(body)["problems"] if data else [body.decode()]) == [sentence]
    hints = "ratscrew.web.http.proxy_policy"  # to the operator, once
    assert warnings_in([record for record in caplog.records if record.name != hints]) == []


NO_HTTP = {
    "no method": b"BREW / HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "another tongue": b"\x16\x03\x01\x02\x00\x01\x00\x01",
    "zeros": b"\0" * 5000,
    "no version": b"GET / HTTP/9\r\n\r\n",
    "many headers": b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 5000 + b"\r\n",
    "a long header": b"GET / HTTP/1.1\r\nX: " + b"x" * 100_000 + b"\r\n\r\n",
    "a long path": b"GET /" + b"x" * 100_000 + b" HTTP/1.1\r\n\r\n",
    "no address": b"GET http://[/ HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "less than nothing": b"POST /api/rooms HTTP/1.1\r\nHost: localhost\r\nContent-Length: -5\r\n\r\n{}",
    "no chunk": b"POST /api/rooms HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    "two lengths": b"POST / HTTP/1.1\r\nHost: ::1\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
}


@pytest.mark.parametrize("words", NO_HTTP.values(), ids=NO_HTTP)
@on_manual_clock
async def test_what_is_no_http_is_hung_up_on(
    clock: ManualClock, words: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    async with raw_server(clock) as port:
        answer = await exchange(port, words)
    assert answer[9:12] in (b"400", b"411", b"431", b"")
    assert b"Traceback" not in answer
    assert warnings_in(caplog.records) == []


@pytest.mark.parametrize("words", [b"", b"GET / HT", b"GET / HTTP/1.1\r\nHost: localhost\r\n"])
@on_manual_clock
async def test_who_does_not_come_to_an_end_is_hung_up_on(clock: ManualClock, words: bytes) -> None:
    async with raw_server(clock) as port:
        before = clock.now_us()
        assert await exchange(port, words) == b""
    assert (clock.now_us() - before) / 1e6 <= KEEP_ALIVE_S + 1


@on_manual_clock
async def test_nor_does_a_word_now_and_then_keep_a_connection(clock: ManualClock) -> None:
    async with raw_server(clock) as port:
        before = clock.now_us()
        assert await exchange(port, b"GET / HTTP/1.1\r\n", *[b"X: y\r\n"] * 20, every_s=10) == b""
    assert (clock.now_us() - before) / 1e6 <= 20 * 10 + 11  # it was gone long before the last word was said


@on_manual_clock
async def test_a_body_that_does_not_come_is_waited_for_only_so_long(clock: ManualClock) -> None:
    async with raw_server(clock) as port:
        before = clock.now_us()
        answer = await exchange(port, b"POST /api/rooms HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99\r\n\r\n{")
        assert (clock.now_us() - before) / 1e6 <= BODY_WITHIN_S + LINGER_S + 1
    status, _, body = parse_response(answer)
    assert (status, parse_json(body)["code"]) == (408, "slow")


@on_manual_clock
async def test_a_fault_of_our_own_is_told_to_the_journal_alone(
    clock: ManualClock, caplog: pytest.LogCaptureFixture
) -> None:
    app = make_app(MemoryLog(), clock, StaticFiles(Path("nowhere")))

    def faulty(_: object) -> None:
        raise RuntimeError("a secret of ours")

    app[REGISTRY].open_rooms = faulty  # type: ignore[assignment,method-assign]
    async with raw_server(clock, app) as port:
        status, headers, body = parse_response(await exchange(port, request("GET", "/api/rooms")))
    sentence = "Something went wrong on the server, and was logged. Try again."
    assert (status, parse_json(body)) == (500, {"code": "fault", "problems": [sentence]})
    assert {name: headers.get(name) for name in DATA_HEADERS} == DATA_HEADERS
    assert warnings_in(caplog.records) == ["GET /api/rooms went wrong"]


@on_manual_clock
async def test_many_who_hold_on_keep_nobody_from_being_answered(clock: ManualClock) -> None:
    async with raw_server(clock) as port:
        slow = [asyncio.create_task(exchange(port, b"GET / HTTP/1.1\r\n")) for _ in range(200)]
        status, _, body = parse_response(await exchange(port, request("GET", "/api/health")))
        assert (status, parse_json(body)) == (200, {"ok": True, "rooms": 0})
        assert await asyncio.gather(*slow) == [b""] * 200


@on_manual_clock
async def test_who_vanishes_while_he_shakes_hands_is_no_error(
    clock: ManualClock, caplog: pytest.LogCaptureFixture
) -> None:
    """The client is gone before the server reads its request, or while it responds."""
    async with raw_server(clock) as port:
        for _ in range(20):
            with sockets.create_connection(("127.0.0.1", port)) as socket:
                socket.setsockopt(sockets.SOL_SOCKET, sockets.SO_LINGER, struct.pack("ii", 1, 0))
                socket.sendall(upgrade("ABCD", ""))
            await asyncio.sleep(0.01)
    assert warnings_in(caplog.records) == []
