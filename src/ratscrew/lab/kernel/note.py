"""The kernel's trace: what happened, row by row, for whoever compares. Where nobody asked for it, it costs nothing."""

from __future__ import annotations

from typing import Any, TypeAlias

from ratscrew.lab.compiled import compiled
from ratscrew.lab.kernel.layout import Record

Book: TypeAlias = Any
"""An array of rows to write into, or None: then all of this is left out of what is compiled."""

(
    PLAYED,
    PASSED,
    SLAPPED,
    FOULED,
    BURNED,
    GIVEN,
    STRUCK,
    LOCKED,
    HAND_BURNED,
    INDEBTED,
    ELIMINATED,
    VOIDED,
    TIED,
    RESUMED,
    TAKEN,
    TOUCHED,
    SPARED,
    WON,
    LOST,
    DRAWN,
    REDEALT,
) = range(21)
"""The kinds of rows, as the engine's events."""

ROW = ("us", "kind", "seat", "card", "count")


@compiled
def note(game: Record, book: Book, kind: int, seat: int, card: int, count: int) -> None:
    """One more row; beyond the end of the book nothing is written."""
    if book is not None:
        row = game.rows
        if row < book.shape[0]:
            book[row, 0] = game.now_us
            book[row, 1] = kind
            book[row, 2] = seat
            book[row, 3] = card
            book[row, 4] = count
        game.rows = row + 1
