"""Signed tokens: whose seats are whose, and until when. Nothing is stored for a token, and nothing here knows the time.

A token opens the room and serves the use it was signed for, no other. The key changes every 30 days; what the key
before has signed is good as long as it lasts.

The keys are in memory; only `__init__` and `refresh` read or write where they are kept. A clock that was wrong for a
while makes no seat unreadable: what a key of a later period has signed is read too, and the time for which the server
was off, by its clock, does not change the key with which it signs.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Iterable
from typing import Literal, NamedTuple, Protocol, TypeAlias

from itsdangerous import BadSignature, Signer

Use: TypeAlias = Literal["seat"]
"""What a token is for: to sit somewhere."""

LASTS_S: dict[Use, int] = {"seat": 14 * 24 * 3600}
KEY_LASTS_S = 30 * 24 * 3600
KEYS = "seat-key-"
"""How the names begin under which keys are kept."""

KEY_AHEAD_S = 24 * 3600
"""So long before its first use a key is made, if `refresh` is called meanwhile."""


class KeyStore(Protocol):
    """Where keys are kept; an event log is one (see `EventLog`)."""

    def keep(self, name: str, make: Callable[[], bytes]) -> bytes:
        """The value kept under a name; the first time, `make` makes it."""
        ...

    def kept(self, prefix: str = "") -> dict[str, bytes]:
        """The kept values whose names begin so, by name."""
        ...


class Claim(NamedTuple):
    """Whose seats a token is for, by their numbers, and until when. Unit: seconds since 1970."""

    whos: tuple[int, ...]
    until_s: int


class Tokens:
    """Signs tokens and reads them, by keys that are kept somewhere else."""

    def __init__(self, store: KeyStore, now_us: int, alive_us: int | None = None) -> None:
        """`alive_us` is when the server before this one was alive last; without it the clock is believed.

        Raises: LogError if the keys cannot be read or made.
        """
        self._store = store
        self._keys: dict[int, bytes] = {}
        self._ahead_us = max(0, now_us - alive_us) if alive_us else 0
        self.refresh(now_us)

    def refresh(self, now_us: int) -> None:
        """Read the keys anew, and make those of today and tomorrow: at least once a day, off the event loop.

        Raises: LogError if the keys cannot be read or made; those in memory stay.
        """
        signs = self._signs(now_us)
        for number in sorted({signs, self._signs(now_us + KEY_AHEAD_S * 1_000_000)}):
            self._store.keep(f"{KEYS}{number}", lambda: secrets.token_bytes(32))
        kept = {int(name.removeprefix(KEYS)): key for name, key in self._store.kept(KEYS).items()}
        self._keys = dict(sorted(kept.items()))

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
        """Signs by the key of now; reads what it, the key before or a later one has signed: no token outlives that."""
        period, signs = _period(now_us), self._signs(now_us)
        last = max((number for number in self._keys if number <= signs), default=min(self._keys))
        keys = [key for number, key in self._keys.items() if number >= period - 1 and number != last]
        salt = f"{use}/{room}".encode()
        return Signer([*keys, self._keys[last]], salt=salt, key_derivation="hmac", digest_method=hashlib.sha256)

    def _signs(self, now_us: int) -> int:
        """The number of the key that signs: the time for which the server was off does not count."""
        return _period(now_us - self._ahead_us)


def _period(now_us: int) -> int:
    return now_us // 1_000_000 // KEY_LASTS_S
