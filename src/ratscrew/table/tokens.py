"""Signed tokens: whose seats are whose, and until when. Nothing is stored for a token, and nothing here knows the time.

A token opens the room and serves the use it was signed for, no other. The key changes every 30 days; what the key
before has signed is good as long as it lasts.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Iterable
from typing import Literal, NamedTuple, TypeAlias

from itsdangerous import BadSignature, Signer

Use: TypeAlias = Literal["seat", "pass"]
"""What a token is for: to sit somewhere, or to bring a seat to another device."""

LASTS_S: dict[Use, int] = {"seat": 14 * 24 * 3600, "pass": 10 * 60}
KEY_LASTS_S = 30 * 24 * 3600
KEYS = "seat-key-"
"""How the names begin under which keys are kept."""

Keep: TypeAlias = Callable[[str, Callable[[], bytes]], bytes]
"""The value kept under a name, which is made the first time."""


class Claim(NamedTuple):
    """Whose seats a token is for, by their numbers, and until when. Unit: seconds since 1970."""

    whos: tuple[int, ...]
    until_s: int


class Tokens:
    """Signs tokens and reads them, by keys that are kept somewhere else."""

    def __init__(self, keep: Keep) -> None:
        self._keep = keep

    def sign(self, use: Use, room: str, whos: Iterable[int], now_us: int) -> str:
        """A token for the seats of these in a room, which is given by its full name."""
        until_s = now_us // 1_000_000 + LASTS_S[use]
        claim = f"{'-'.join(map(str, whos))}.{until_s}"
        return self._signer(use, room, now_us).sign(claim).decode()

    def read(self, use: Use, room: str, token: str, now_us: int) -> Claim | None:
        """What a token says; None if it is none of ours, or for something else, or is over."""
        if not token.isascii():
            return None
        try:
            whos, _, until_s = self._signer(use, room, now_us).unsign(token).decode().partition(".")
        except BadSignature:
            return None
        claim = Claim(tuple(map(int, whos.split("-"))), int(until_s))
        return claim if now_us // 1_000_000 < claim.until_s else None

    def _signer(self, use: Use, room: str, now_us: int) -> Signer:
        """Signs by the key of now, and knows the one before: no token outlives that."""
        now = now_us // 1_000_000 // KEY_LASTS_S
        keys = [self._keep(f"{KEYS}{number}", lambda: secrets.token_bytes(32)) for number in (now - 1, now)]
        return Signer(keys, salt=f"{use}/{room}".encode(), key_derivation="hmac", digest_method=hashlib.sha256)
