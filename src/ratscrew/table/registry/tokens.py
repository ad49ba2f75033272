"""Signed, expiring tokens for the seats that a browser holds. Tokens are not stored; the time is an argument.

A token is valid for the room and the use that it was signed for, and for no other. The key rotates every 30 days; a
token stays valid to its end after the key that signed it was replaced.

The keys are cached in memory; only `__init__` and `refresh` access the store. A clock that was wrong for a while
invalidates no seat: keys of later periods are accepted too, and the time for which the server was off, by its clock,
does not rotate the signing key. `TimestampSigner` of itsdangerous would reject tokens from a clock that was ahead.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterable
from typing import Literal, NamedTuple, TypeAlias

from itsdangerous import BadSignature, Signer

from ratscrew.table.history.game_names import NewKeyStore

Use: TypeAlias = Literal["seat"]
"""The purpose of a token: to hold a seat."""

BetweenNodes: TypeAlias = Literal["ticket", "forward", "node"]
"""The purpose of a text that one node of a cluster signs for another: see `web/http/node_tokens.py`."""

LASTS_S: dict[Use, int] = {"seat": 14 * 24 * 3600}
KEY_LASTS_S = 30 * 24 * 3600
KEYS = "seat-key-"
"""The prefix of the names of keys in the store."""

KEY_AHEAD_S = 24 * 3600
"""How long before its first use `refresh` makes a key."""


class TokenContent(NamedTuple):
    """The content of a token: the ids of the players whose seats it holds, and its end in seconds since 1970."""

    player_ids: tuple[int, ...]
    until_s: int


class Tokens:
    """Signs and verifies tokens with rotating keys."""

    def __init__(self, store: NewKeyStore, now_us: int, alive_us: int | None = None) -> None:
        """`alive_us` is when the previous server process was last alive; without it the clock is trusted.

        Raises: LogError if the keys cannot be read or made.
        """
        self._store = store
        self._keys: dict[int, bytes] = {}
        self._ahead_us = max(0, now_us - alive_us) if alive_us else 0
        self.refresh(now_us)

    def refresh(self, now_us: int) -> None:
        """Reload the keys, and make those of today and tomorrow. Call it at least once a day, off the event loop.

        Raises: LogError if the keys cannot be read or made; those in memory stay.
        """
        signs = self._signs(now_us)
        for number in sorted({signs, self._signs(now_us + KEY_AHEAD_S * 1_000_000)}):
            self._store.get_or_create(f"{KEYS}{number}", lambda: secrets.token_bytes(32))
        kept = {int(name.removeprefix(KEYS)): key for name, key in self._store.get(KEYS).items()}
        self._keys = dict(sorted(kept.items()))

    def sign(self, use: Use, room: str, player_ids: Iterable[int], now_us: int) -> str:
        """A token for the seats of these players in a room, which is given by its full name."""
        until_s = now_us // 1_000_000 + LASTS_S[use]
        claim = f"{'-'.join(map(str, player_ids))}.{until_s}"
        return self._signer(use, room, now_us).sign(claim).decode()

    def read(self, use: Use, room: str, token: str, now_us: int) -> TokenContent | None:
        """The content of a valid token; None if it is forged, expired, or for another use or room."""
        if not token.isascii():
            return None
        try:
            player_ids, _, until_s = self._signer(use, room, now_us).unsign(token).decode().partition(".")
        except BadSignature:
            return None
        claim = TokenContent(tuple(map(int, player_ids.split("-"))), int(until_s))
        return claim if now_us // 1_000_000 < claim.until_s else None

    def sign_text(self, use: BetweenNodes, subject: str, text: str, lasts_s: int, now_us: int) -> str:
        """A signed text about a subject that is valid for so long."""
        return self._signer(use, subject, now_us).sign(f"{now_us // 1_000_000 + lasts_s}.{text}").decode()

    def read_text(self, use: BetweenNodes, subject: str, token: str, now_us: int) -> str | None:
        """A signed text; None if it is forged, expired, or for another use or subject."""
        if not token.isascii():
            return None
        try:
            until_s, _, text = self._signer(use, subject, now_us).unsign(token).decode().partition(".")
        except BadSignature:
            return None
        return text if now_us // 1_000_000 < int(until_s) else None

    def _signer(self, use: Use | BetweenNodes, room: str, now_us: int) -> Signer:
        """Signs with the present key; accepts it, the previous key and later ones: no valid token has an older key."""
        period, signs = _period(now_us), self._signs(now_us)
        last = max((number for number in self._keys if number <= signs), default=min(self._keys))
        keys = [key for number, key in self._keys.items() if number >= period - 1 and number != last]
        salt = f"{use}/{room}".encode()
        return Signer([*keys, self._keys[last]], salt=salt, key_derivation="hmac", digest_method=hashlib.sha256)

    def _signs(self, now_us: int) -> int:
        """The number of the key to sign with: the time for which the server was off does not count."""
        return _period(now_us - self._ahead_us)


def _period(now_us: int) -> int:
    return now_us // 1_000_000 // KEY_LASTS_S
