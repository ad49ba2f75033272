"""Random numbers that nobody can foresee, for many small draws."""

from __future__ import annotations

import secrets
from array import array


class SecureDraw:
    """A `Draw` of small numbers from the system's randomness, read in pieces: reading costs more than ten draws.

    Of the numbers below n, some are drawn more often than others by at most n in 2^32.
    """

    def __init__(self) -> None:
        self._words = array("I")

    def __call__(self, below: int) -> int:
        """A random int from 0 to `below` - 1."""
        if not self._words:
            self._words.frombytes(secrets.token_bytes(4096))
        return self._words.pop() * below >> 32
