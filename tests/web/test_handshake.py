"""The handshake of a WebSocket: what is accepted, and the bytes of the response."""

from __future__ import annotations

from email.parser import HeaderParser

import pytest
from aiohttp import web
from aiohttp.test_utils import make_mocked_request

from ratscrew.web.http.static_files import PART_HEADERS
from ratscrew.web.socket.handshake import Upgrade

HANDSHAKE = {
    "Upgrade": "websocket",
    "Connection": "keep-alive, Upgrade",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
}

RFC_ACCEPT = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="


def test_the_handshake_of_the_rfc() -> None:
    """RFC 6455, 1.3; a browser may name more options of the connection."""
    response = Upgrade(make_mocked_request("GET", "/", headers=HANDSHAKE))
    lines = response.to_bytes().split(b"\r\n")
    assert lines[0] == b"HTTP/1.1 101 Switching Protocols"
    assert lines[-3:] == [f"Sec-WebSocket-Accept: {RFC_ACCEPT}".encode(), b"", b""]


async def test_the_headers_are_those_that_aiohttp_would_send() -> None:
    """The reference is a response of aiohttp, with the security headers of what is no document.

    Only its date is left out, which RFC 9110, 6.6.1 leaves to the server for 1xx responses, and the name of the server.
    """
    request = make_mocked_request("GET", "/", headers=HANDSHAKE)
    response = Upgrade(request)
    of_protocol = {"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Accept": RFC_ACCEPT}
    plain = web.StreamResponse(status=101, headers=of_protocol | PART_HEADERS)
    for each in (response, plain):
        each.set_cookie("seat-0", "abc", path="/api/rooms/WOLF", httponly=True, samesite="Strict")
    await plain.prepare(request)
    expected = plain.headers.copy()
    head, _, lines = response.to_bytes().decode().partition("\r\n")
    sent = HeaderParser().parsestr(lines)
    assert head == f"HTTP/1.1 101 {plain.reason}"
    del expected["Date"], expected["Server"]
    assert sorted(sent.items()) == sorted(expected.items())


def test_the_handshake_renews_cookies() -> None:
    response = Upgrade(make_mocked_request("GET", "/", headers=HANDSHAKE))
    response.set_cookie("seat-0", "abc", path="/api/rooms/WOLF", httponly=True, samesite="Strict")
    response.set_cookie("seat-1", "def", max_age=3600)
    assert response.to_bytes().split(b"\r\n")[-4:] == [
        b"Set-Cookie: seat-0=abc; HttpOnly; Path=/api/rooms/WOLF; SameSite=Strict",
        b"Set-Cookie: seat-1=def; Max-Age=3600; Path=/",
        b"",
        b"",
    ]


@pytest.mark.parametrize(
    "wrong",
    [
        {"Upgrade": "h2c"},
        {"Connection": "keep-alive"},
        {"Sec-WebSocket-Version": "8"},
        {"Sec-WebSocket-Key": ""},
        {"Sec-WebSocket-Key": "dGhlIHNhbXBsZQ=="},
        {"Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ=!"},
    ],
    ids=str,
)
def test_what_is_no_handshake_is_refused(wrong: dict[str, str]) -> None:
    with pytest.raises(web.HTTPBadRequest):
        Upgrade(make_mocked_request("GET", "/", headers=HANDSHAKE | wrong))
