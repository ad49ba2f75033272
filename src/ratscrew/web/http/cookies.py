"""Cookies that prove which seats a browser holds: one for each seat, which is sent only to paths of its room.

A page whose browser takes no cookies says so, and keeps the proofs of its seats in its own memory: it gets them in a
header of the response, and sends them in the same header of its requests, and in `hello`. No script can read a cookie,
so all other pages get these only.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from itertools import chain, islice

from aiohttp import web

from ratscrew.table.record.clock import Clock
from ratscrew.table.registry.room_registry import code_of
from ratscrew.table.registry.tokens import LASTS_S, Tokens
from ratscrew.table.room.room import Room
from ratscrew.web.http.browser_cookies import READ_BYTES, BrowserCookies

COOKIE, _PLAYER, _TOKEN = "seat", r"-(\d{1,6})", r"(\d{1,6}\.(\d{1,12})\.[\w-]{20,100})"
"""What its name begins with, the player's id at its end, and the token, with the expiry that it claims."""

PROOF = "Seat-Proof"
"""The header with the proofs of a page whose browser takes no cookies, separated by spaces. Such a page sends it with
its requests, empty as long as it has none; the response has the proofs of new seats in the same header."""

READ_MOST = 16
"""Proofs of one request whose signatures are checked: a page has eight seats at most."""

RENEWED_AFTER_S = 24 * 3600

_VERIFIED = web.RequestKey("checked", tuple[str, frozenset[int]])
"""Where a request stores the result of the check: the room, and the players whose seats the browser holds."""

_HELLO_PROOFS = web.RequestKey("hello_proofs", str)
"""Where a request stores the proofs in the `hello` of its WebSocket."""


class Cookies:
    """Issues and verifies the cookies of seats."""

    def __init__(self, tokens: Tokens, clock: Clock, cookies: BrowserCookies) -> None:
        self._tokens, self._clock, self._cookies = tokens, clock, cookies

    def issue(self, request: web.Request, response: web.StreamResponse, room: str, player_ids: Iterable[int]) -> None:
        """Give this browser the seats of these players in a room, which is given by its full name."""
        path = f"/api/rooms/{code_of(room)}"
        for player_id in player_ids:
            token = self._tokens.sign("seat", room, [player_id], self._clock.now_us())
            if PROOF in request.headers:
                response.headers.add(PROOF, token)
                continue
            self._cookies.set(request, response, self._cookies.name(COOKIE, player_id), token, path, LASTS_S["seat"])

    def held(self, request: web.Request, room: Room, player_ids: Collection[int]) -> tuple[int, ...]:
        """Those of these players whose seats this browser holds, in the given order, each once."""
        held = self.all_held(request, room.table.room)
        return tuple(dict.fromkeys(player_id for player_id in player_ids if player_id in held))

    def all_held(self, request: web.Request, room: str) -> frozenset[int]:
        """The players whose seats this browser holds in a room, given by its full name. Checked once per request."""
        if (known := request.get(_VERIFIED)) is None or known[0] != room:
            held = self._held(room, (token for token, _ in self._seat_tokens(request)))
            known = request[_VERIFIED] = (room, frozenset(held))
        return known[1]

    def accept(self, request: web.Request, room: str, player_ids: Collection[int]) -> None:
        """Let a request hold the seats of these players too: a ticket has proved it."""
        request[_VERIFIED] = (room, self.all_held(request, room).union(player_ids))

    def accept_proofs(self, request: web.Request, proofs: str) -> None:
        """Add the proofs in a client's `hello` to those of its request: a page cannot set a WebSocket's headers."""
        request[_HELLO_PROOFS] = proofs
        request.pop(_VERIFIED, None)

    def may_renew(self, request: web.Request) -> bool:
        """Whether a browser sends a cookie that claims to be old enough for renewal. Does no look-up."""
        return bool(self._renewable(request))

    def renew(self, request: web.Request, response: web.StreamResponse, room: str) -> None:
        """Renew the cookies of a browser that comes back after a day or more: they last their full time again."""
        self.issue(request, response, room, self._held(room, self._renewable(request)))

    def _held(self, room: str, tokens: Iterable[str]) -> dict[int, int]:
        """The players of the valid tokens of a room, with the expiry of each. Unit: seconds since 1970."""
        claims = [self._tokens.read("seat", room, token, self._clock.now_us()) for token in tokens]
        return {player_id: claim.until_s for claim in claims if claim for player_id in claim.player_ids}

    def _renewable(self, request: web.Request) -> list[str]:
        """The tokens that claim to be a day old or more, and not expired."""
        now_s = self._clock.now_us() // 1_000_000
        soon_s = now_s + LASTS_S["seat"] - RENEWED_AFTER_S
        return [token for token, until_s in self._seat_tokens(request) if now_s < until_s <= soon_s]

    def _seat_tokens(self, request: web.Request) -> list[tuple[str, int]]:
        """The unverified tokens of a request's cookies and proofs, with their expiries; `READ_MOST` at most."""
        cookies = ((match[2], match[3]) for match in self._cookies.find(request, COOKIE, _TOKEN, _PLAYER))
        kept = f"{request.headers.get(PROOF, '')} {request.get(_HELLO_PROOFS, '')}"[:READ_BYTES]
        proofs = ((match[1], match[2]) for match in re.finditer(rf"(?<!\S){_TOKEN}(?!\S)", kept, re.ASCII))
        return [(token, int(until_s)) for token, until_s in islice(chain(cookies, proofs), READ_MOST)]
