"""HTTP requests of a browser, and the responses."""

from __future__ import annotations

import json
from typing import Any, TypeAlias

from aiohttp import web
from aiohttp.test_utils import TestClient

Client: TypeAlias = TestClient[web.Request, web.Application]

ASKED = {"name": "Ana", "bots": 2, "strength": "sharp"}
"""A room as most tests want it."""


def socket_of(room: str) -> str:
    """The path of a room's WebSocket."""
    return f"/api/rooms/{room}/socket"


async def ask(client: Client, body: Any, path: str = "/api/rooms") -> tuple[int, Any]:
    """POST a request for a room, or another one; the response's status and JSON."""
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    answer = await client.post(path, data=data)
    assert answer.content_type == "application/json"
    return answer.status, await answer.json()


async def get(client: Client, path: str, **query: str) -> tuple[int, Any]:
    """GET a path; the response's status and JSON."""
    answer = await client.get(path, params=query)
    assert answer.content_type == "application/json"
    return answer.status, await answer.json()
