"""What a browser asks over HTTP, and the answer."""

from __future__ import annotations

import json
from typing import Any, TypeAlias

from aiohttp import web
from aiohttp.test_utils import TestClient

Client: TypeAlias = TestClient[web.Request, web.Application]

ASKED = {"name": "Ana", "bots": 2, "strength": "sharp"}
"""A room as most tests want it."""


def socket_of(room: str) -> str:
    """Where a room's socket is."""
    return f"/api/rooms/{room}/socket"


async def ask(client: Client, body: Any, path: str = "/api/rooms") -> tuple[int, Any]:
    """The answer to a request for a room, or to another one: its status and its JSON."""
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    answer = await client.post(path, data=data)
    assert answer.content_type == "application/json"
    return answer.status, await answer.json()


async def get(client: Client, path: str, **query: str) -> tuple[int, Any]:
    """What there is at a path: its status and its JSON."""
    answer = await client.get(path, params=query)
    assert answer.content_type == "application/json"
    return answer.status, await answer.json()
