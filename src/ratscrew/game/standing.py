"""The standing of a game: the phase, whose turn it is, and the running challenge."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

Phase: TypeAlias = Literal["play", "won", "claim", "tie", "grab", "split", "last_chance", "over"]
Reason: TypeAlias = Literal["challenge", "sole_holder", "stalemate"]

EndReason: TypeAlias = Literal["play", "limit", "repetition"]
"""Why a game has ended: by play, at its limit of cards, or because it had come back to an earlier state."""


class Standing(Struct, frozen=True, omit_defaults=True):
    """Where play stands: which seat has to act, and under which challenge.

    - `play`: `turn` has to turn a card; under a challenge of seat `challenger` if there is one, with `chances_left`.
    - `won`: the pile waits for `turn` to take it and can still be slapped; `reason` says how it was won.
    - `claim`: `turn` claims the pile; the claim can be contested.
    - `tie`: several slaps were simultaneous; the house's judge names the first.
    - `grab`: `turn` has picked the pile up and not yet put it under its hand.
    - `split`: `turn`, who was cheated, chooses half of the cheater's hand.
    - `last_chance`: `turn` holds everything and turns `chances_left` more cards, for `challenger` alone if given.
    - `over`: the game is over.

    In JSON, fields with their default are left out.
    """

    phase: Phase
    turn: int
    challenger: int | None = None
    chances_left: int = 0
    reason: Reason | None = None
