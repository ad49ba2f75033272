"""Which seats a browser holds. The only file that knows cookies.

A browser has a cookie for each of its seats, which no script can read and which goes to its room's addresses only.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from aiohttp import web

from ratscrew.table.clock import Clock
from ratscrew.table.lobby import code_of
from ratscrew.table.room import Room
from ratscrew.table.tokens import LASTS_S, Tokens
from ratscrew.web.road import Road

COOKIE = "seat-"
"""How the names of cookies begin; behind it comes whose seat it is."""

RENEWED_AFTER_S = 24 * 3600


class Cookies:
    """Gives out the cookies of seats, and looks at them."""

    def __init__(self, tokens: Tokens, clock: Clock, road: Road) -> None:
        self._tokens, self._clock, self._road = tokens, clock, road

    def give(self, request: web.Request, response: web.StreamResponse, room: Room, whos: Iterable[int]) -> None:
        """Let this browser hold the seats of these."""
        for who in whos:
            response.set_cookie(
                f"{COOKIE}{who}",
                self._tokens.sign("seat", room.table.room, [who], self._clock.now_us()),
                path=f"/api/rooms/{code_of(room.table.room)}",
                max_age=LASTS_S["seat"],
                httponly=True,
                samesite="Strict",
                secure=self._road.is_private(request),
            )

    def held(self, request: web.Request, room: Room, whos: Collection[int]) -> tuple[int, ...]:
        """Which of these this browser holds the seats of, in their order, each once."""
        held = self._held(request, room)
        return tuple(dict.fromkeys(who for who in whos if who in held))

    def renew(self, request: web.Request, response: web.StreamResponse, room: Room) -> None:
        """Who comes back after a day or more has his whole time again."""
        soon_s = self._clock.now_us() // 1_000_000 + LASTS_S["seat"] - RENEWED_AFTER_S
        self.give(request, response, room, [who for who, end_s in self._held(request, room).items() if end_s <= soon_s])

    def make_pass(self, room: Room, whos: Iterable[int]) -> str:
        """What brings these seats to another device, if it is used soon."""
        return self._tokens.sign("pass", room.table.room, whos, self._clock.now_us())

    def read_pass(self, room: Room, text: str) -> tuple[int, ...]:
        """The seats that a pass brings; none if it is none, or is over."""
        claim = self._tokens.read("pass", room.table.room, text, self._clock.now_us())
        return claim.whos if claim else ()

    def _held(self, request: web.Request, room: Room) -> dict[int, int]:
        """Whose seats this browser holds in a room, and until when. Unit: seconds since 1970."""
        texts = [text for name, text in request.cookies.items() if name.startswith(COOKIE)]
        claims = [self._tokens.read("seat", room.table.room, text, self._clock.now_us()) for text in texts]
        return {who: claim.until_s for claim in claims if claim for who in claim.whos}
