"""What somebody who measures holds a seat by."""

from __future__ import annotations

from typing import Any, NamedTuple

from aiohttp import ClientResponse


class Credentials(NamedTuple):
    """What brings one into a room: its code, whose seat one holds (none: one watches), and the cookie that holds it."""

    room: str
    player_id: int | None = None
    cookie: str = ""

    @classmethod
    async def from_response(cls, response: ClientResponse) -> Credentials:
        """What the answer to who asked for a seat holds."""
        joined, (cookie,) = await response.json(), response.cookies.values()
        return cls(joined["room"], joined["player_id"], f"{cookie.key}={cookie.value}")

    @property
    def hello(self) -> dict[str, Any]:
        """What one says first."""
        return {"t": "hello", "player_ids": [] if self.player_id is None else [self.player_id]}
