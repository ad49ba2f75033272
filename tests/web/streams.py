"""A client's end of an event stream, with the interface of aiohttp's WebSocket: a `Page` plays by it as by a socket."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Mapping
from typing import Any

import aiohttp
from aiohttp import WSMsgType

from tests.web.http_requests import Client

WITHIN_S = 30
FOR_EVER = aiohttp.ClientTimeout(total=None)


def stream_of(room: str) -> str:
    """The path of a room's event streams."""
    return f"/api/rooms/{room}/stream"


class StreamSocket:
    """An event stream. The first message opens it; the others are requests of their own, as many at once as come."""

    usual: Mapping[str, str] = {}
    """Headers of all requests of all streams."""

    def __init__(self, client: Client | aiohttp.ClientSession, url: str, headers: dict[str, str] | None = None) -> None:
        """`url` is that of the room's streams."""
        self.client, self.url, self.headers = client, url, headers or {}
        self.id = ""
        self.number = 0
        self.close_code: int | None = None
        self.statuses: list[int] = []
        self._answer: aiohttp.ClientResponse | None = None
        self._events = deque[str]()
        self._unread = b""
        self.comments = 0

    async def send_str(self, text: str) -> None:
        """Send a message, the first one with the request that opens the stream."""
        if self._answer is None:
            headers = {**self.usual, **self.headers}
            self._answer = await self.client.post(self.url, data=text, headers=headers, timeout=FOR_EVER)
            assert self._answer.status == 200, await self._answer.text()
            assert self._answer.headers["X-Accel-Buffering"] == "no"
        else:
            self.number += 1
            self.statuses.append(await self.post(self.number, text))

    async def send_json(self, message: Any) -> None:
        """Send a message."""
        await self.send_str(aiohttp.typedefs.DEFAULT_JSON_ENCODER(message))

    async def post(self, number: int | str, text: str, **headers: str) -> int:
        """Send a request with messages, one a line; its status."""
        while not self.id:
            await self._read_event()
        url = f"{self.url}/{self.id}/{number}"
        async with self.client.post(url, data=text, headers={**self.usual, **self.headers, **headers}) as answer:
            return answer.status

    async def receive(self) -> aiohttp.WSMessage:
        """The next frame, or the end."""
        while not self._events:
            if not await self._read_event():
                self.close_code = 1000
                return aiohttp.WSMessage(WSMsgType.CLOSED, None, None)
        return aiohttp.WSMessage(WSMsgType.TEXT, self._events.popleft(), None)

    async def pong(self, _: bytes) -> None:
        """There are no pings."""

    async def close(self) -> None:
        """Leave."""
        if self._answer:
            self._answer.close()

    async def _read_event(self) -> bool:
        """Read what has arrived; False at the end."""
        async with asyncio.timeout(WITHIN_S):
            assert self._answer
            try:
                data = await self._answer.content.readany()
            except aiohttp.ClientError:
                data = b""
        if not data:
            return False
        *events, self._unread = (self._unread + data).split(b"\n\n")
        for event in events:
            name, _, value = event.decode().partition(": ")
            if name == "id":
                self.id = value
            elif name == "data":
                self._events.append(value)
            else:
                assert event == b":"
                self.comments += 1
        return True
