"""The standing of a game: the phase, whose turn it is, and the running challenge."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

Phase: TypeAlias = Literal["play", "won", "claim", "tie", "grab", "split", "last", "over"]
Reason: TypeAlias = Literal["challenge", "sole_holder", "stalemate"]


class Standing(Struct, frozen=True):
    """Where play stands: which seat has to act, and under which challenge.

    - `play`: `turn` has to turn a card; under a challenge of seat `by` if there is one, with `left` chances left.
    - `won`: the pile waits for `turn` to take it and can still be slapped; `why` says how it was won.
    - `claim`: `turn` claims the pile; the claim can be contested.
    - `tie`: several slaps were simultaneous; the house's judge names the first.
    - `grab`: `turn` has picked the pile up and not yet put it under its hand.
    - `split`: `turn`, who was cheated, chooses half of the cheater's hand.
    - `last`: `turn` holds everything and turns `left` more cards as a last chance, for `by` alone if it is a seat.
    - `over`: the game is over.
    """

    phase: Phase
    turn: int
    by: int | None = None
    left: int = 0
    why: Reason | None = None
