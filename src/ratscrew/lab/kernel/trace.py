"""The kernel's trace: one row per event, for comparisons. It costs next to nothing when disabled."""

from __future__ import annotations

from ratscrew.lab.jit import jit_inline
from ratscrew.lab.kernel.layout import ROWS, Record

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
"""The kinds of rows; they correspond to the engine's events."""


@jit_inline
def emit(game: Record, kind: int, seat: int, card: int, count: int) -> None:
    """Append a row if tracing is enabled; rows beyond the last are dropped."""
    if game.tracing:
        row = game.rows
        if row < ROWS:
            game.trace_rows[row, 0] = game.now_us
            game.trace_rows[row, 1] = kind
            game.trace_rows[row, 2] = seat
            game.trace_rows[row, 3] = card
            game.trace_rows[row, 4] = count
        game.rows = row + 1
