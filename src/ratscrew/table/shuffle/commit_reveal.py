"""The seal of a shuffle: what is promised and told before a deal, so that anybody can shuffle again after the game.

Everything that is hashed is text, and docs/shuffle.md says which, so that another program comes to the same.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator, Sequence
from itertools import count

from ratscrew.deck import Draw

SEED_BYTES = 32
SEED = f"^[0-9a-f]{{{2 * SEED_BYTES}}}$"
"""What a seed looks like, and a hash."""

NONCE = "^[0-9a-f]{32}$"
"""What a player's number looks like."""

NO_NONCE = "-"
"""Stands for the number of who has none: a bot, or somebody whose page has not sent one in time."""

WORDS = 2**32
"""A block of the stream is cut into words of 32 bits, the most significant byte first."""


def new_seed(draw: Draw) -> str:
    """A seed that nobody can guess, if `draw` is one that nobody can."""
    return bytes(draw(256) for _ in range(SEED_BYTES)).hex()


def promise(game: str, seed: str) -> str:
    """The hash by which a seed is promised, before anybody gives a number of his own."""
    return _hash("ratscrew promise", game, seed)


def commitment(game: str, seed: str, nonces: Sequence[str]) -> str:
    """The hash of everything that the shuffle is made from, the players' numbers in the order of their seats."""
    return _hash("ratscrew commitment", game, seed, *nonces)


def draws(game: str, seed: str, nonces: Sequence[str]) -> Draw:
    """The draws of a game: always the same ones, and each number as likely as any other."""
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
