"""Paces reads of requests: a burst of them waits unparsed, while WebSockets are served. Does not import aiohttp."""

from __future__ import annotations

from functools import partial
from typing import Protocol

from ratscrew.turns import Turns

READS, READS_EVERY_S = 8, 0.004
"""How many reads from clients between two requests happen in each period: 2,000 a second. Between them the loop serves
the tables."""

READS_WAITING_MOST = 8000
"""Reads that may wait: the last one waits 4 s. More clients get 503. The pages of 1,000 rooms wait after a restart: a
refusal takes a quarter of a handshake's time, and a page that is refused comes again twice a second."""


WAITING_BYTES_MOST = 16 * 1024
"""Bytes of a read that may wait, some four times as many as a page's request has: all together take 128 MB at most. A
longer one gets 503 if it would have to wait."""


class PacedConnection(Protocol):
    """A connection whose reads are paced."""

    address: str

    @property
    def has_left(self) -> bool:
        """Whether the client has ended the connection meanwhile."""

    def drop(self) -> None:
        """Close the connection."""

    def hold(self) -> None:
        """Pause reading."""

    def parse(self, data: bytes) -> None:
        """Parse what was read."""


class Pacer:
    """Spreads reads from clients over time: a burst waits here, unparsed, while WebSockets are served.

    Addresses take turns, so one with many connections delays only itself. Behind a proxy all have one address.
    """

    def __init__(self) -> None:
        self._turns = Turns(READS, READS_EVERY_S)

    def read(self, handler: PacedConnection, data: bytes) -> bool:
        """Parse data from a client, now or later; False if too many reads wait already, or this one is too long to."""
        if self._turns.take():
            handler.parse(data)
        elif self.waiting >= READS_WAITING_MOST or len(data) > WAITING_BYTES_MOST:
            return False
        else:
            handler.hold()
            self._turns.call(partial(_parse_later, handler, data), handler.address)
        return True

    @property
    def waiting(self) -> int:
        """How many reads wait."""
        return self._turns.waiting

    def close(self) -> None:
        """Drop all waiting reads."""
        self._turns.close()


def _parse_later(handler: PacedConnection, data: bytes) -> None:
    if handler.has_left:  # it would be answered in vain, and has perhaps come again: the others come sooner
        handler.drop()
    else:
        handler.parse(data)
