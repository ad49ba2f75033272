"""Passes that move a seat to another device, once and within ten minutes.

A pass is a random text. The room keeps a hash of each, in memory only: after a restart no pass is valid, and a used one
is never valid again. A new pass for a seat revokes the one before.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterable
from typing import NamedTuple

LASTS_US = 600_000_000
PASSES_MOST = 64
"""How many passes a room keeps; the oldest is revoked first. A table has 30 seats."""


class _Pass(NamedTuple):
    player_ids: tuple[int, ...]
    until_us: int


class SeatPasses:
    """The passes of one room."""

    def __init__(self) -> None:
        self._passes: dict[bytes, _Pass] = {}

    def create(self, player_ids: Iterable[int], now_us: int) -> str:
        """Create a pass for these players' seats; every earlier pass for one of them is revoked."""
        player_ids, text = tuple(player_ids), secrets.token_urlsafe(24)
        self.revoke(player_ids)
        self._passes[_hash(text)] = _Pass(player_ids, now_us + LASTS_US)
        if len(self._passes) > PASSES_MOST:
            del self._passes[next(iter(self._passes))]
        return text

    def redeem(self, text: str, now_us: int) -> tuple[int, ...]:
        """Use up a pass and return its players; none if it is not a pass, was used or revoked, or has expired."""
        found = self._passes.pop(_hash(text), None)
        return found.player_ids if found and now_us < found.until_us else ()

    def revoke(self, player_ids: Iterable[int]) -> None:
        """Revoke every pass for one of these players."""
        gone = set(player_ids)
        self._passes = {key: made for key, made in self._passes.items() if gone.isdisjoint(made.player_ids)}


def _hash(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
