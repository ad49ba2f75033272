"""The handshake of a WebSocket (RFC 6455): checks the request, and makes the response."""

from __future__ import annotations

import base64
import binascii
import hashlib

from aiohttp import web

from ratscrew.web.http.proxy_policy import warn_once
from ratscrew.web.http.static_files import PART_HEADERS
from ratscrew.web.socket.transport_channel import HandedOver

WITHOUT_UPGRADE = (
    "a proxy in front of this server does not pass on WebSockets, so pages behind it take a detour: let it pass on the "
    "headers Upgrade and Connection (nginx: `proxy_http_version 1.1; proxy_set_header Upgrade $http_upgrade; "
    "proxy_set_header Connection $connection_upgrade;`, as in ops/nginx.conf; Apache: `ProxyPass … upgrade=websocket`)"
)

_GUID = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
_HEADERS = {"Upgrade": "websocket", "Connection": "Upgrade"} | PART_HEADERS
_SWITCHING = "".join(
    ["HTTP/1.1 101 Switching Protocols\r\n", *[f"{name}: {value}\r\n" for name, value in _HEADERS.items()]]
).encode()


class Upgrade(HandedOver):
    """The response to a WebSocket handshake: a few lines, and cookies.

    It has the headers of a part of a page; the other security headers are for documents, and browsers ignore them here.
    """

    def __init__(self, request: web.Request) -> None:
        """Raises: HTTPBadRequest if the request is none that opens a WebSocket."""
        headers = request.headers
        key, options = headers.get("Sec-WebSocket-Key", ""), headers.get("Connection", "").lower().split(",")
        is_upgrade = headers.get("Upgrade", "").lower().strip() == "websocket" and "upgrade" in map(str.strip, options)
        if key and not is_upgrade:
            warn_once("upgrade", WITHOUT_UPGRADE)
        if not is_upgrade or not _is_key(key):
            raise web.HTTPBadRequest(text="This address is for WebSockets.")
        if headers.get("Sec-WebSocket-Version") != "13":
            raise web.HTTPBadRequest(text="Use version 13 of WebSockets.", headers={"Sec-WebSocket-Version": "13"})
        self._accept = base64.b64encode(hashlib.sha1(key.encode() + _GUID).digest())
        super().__init__(status=101)

    def to_bytes(self) -> bytes:
        return b"%bSec-WebSocket-Accept: %b\r\n%b\r\n" % (_SWITCHING, self._accept, self.cookie_lines())


def _is_key(key: str) -> bool:
    try:
        return len(base64.b64decode(key, validate=True)) == 16
    except (binascii.Error, ValueError):
        return False
