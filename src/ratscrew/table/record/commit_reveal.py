"""Commit and reveal for shuffles: the hashes published before a deal, by which anyone can verify it after the game.

Everything that is hashed is text, as docs/shuffle.md describes, so that another program gets the same hashes.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator, Sequence
from itertools import count

from ratscrew.deck import Draw

SEED_BYTES = 32
SEED = f"^[0-9a-f]{{{2 * SEED_BYTES}}}$"
"""The pattern of a seed, and of a hash."""

NONCE = "^[0-9a-f]{32}$"
"""The pattern of a player's nonce."""

NO_NONCE = "-"
"""Stands for the nonce of a bot, or of a player whose page has not sent one in time."""

WORDS = 2**32
"""A block of the stream is cut into words of 32 bits, the most significant byte first."""


def new_seed(draw: Draw) -> str:
    """A random seed; it is unpredictable if `draw` is."""
    return bytes(draw(256) for _ in range(SEED_BYTES)).hex()


def promise(game: str, seed: str) -> str:
    """The hash that commits to a seed, published before any player gives a nonce."""
    return _hash("ratscrew promise", game, seed)


def commitment(game: str, seed: str, nonces: Sequence[str]) -> str:
    """The hash of all inputs of the shuffle, with the players' nonces in the order of their seats."""
    return _hash("ratscrew commitment", game, seed, *nonces)


def draws(game: str, seed: str, nonces: Sequence[str]) -> Draw:
    """The random draws of a game: deterministic and uniform."""
    words = _words(seed, "\n".join(("ratscrew draw", game, *nonces)))

    def draw(n: int) -> int:
        return next(word for word in words if word < WORDS - WORDS % n) % n

    return draw


def _hash(*lines: str) -> str:
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def _words(seed: str, text: str) -> Iterator[int]:
    """HMAC-SHA256 of the text and the number of the block, with the seed as the key; eight words a block."""
    for number in count():
        block = hmac.digest(seed.encode(), f"{text}\n{number}".encode(), "sha256")
        yield from (int.from_bytes(block[at : at + 4], "big") for at in range(0, 32, 4))
