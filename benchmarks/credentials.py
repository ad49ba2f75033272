"""The room, seat and cookie of a simulated client."""

from __future__ import annotations

from typing import Any, NamedTuple

from aiohttp import ClientResponse


class Credentials(NamedTuple):
    """A room's code, the player's id (None: only watches), and the cookie with the seat's token."""

    room: str
    player_id: int | None = None
    cookie: str = ""

    @classmethod
    async def from_response(cls, response: ClientResponse) -> Credentials:
        """The credentials in the response to a request for a seat."""
        joined, (cookie,) = await response.json(), response.cookies.values()
        return cls(joined["room"], joined["player_id"], f"{cookie.key}={cookie.value}")

    @property
    def hello(self) -> dict[str, Any]:
        """The first message on a socket."""
        return {"t": "hello", "player_ids": [] if self.player_id is None else [self.player_id]}
