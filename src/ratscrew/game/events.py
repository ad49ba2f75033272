"""What happened, in the past tense, each with its outcome. Nothing in this file knows why it happened.

An event that moves the play carries `to`, the `Standing` after it, so that whoever follows the events (the
browser, the replay, the log) needs no rule of the game.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

from ratscrew.cards import Card, Hand
from ratscrew.rules.house import Rules

Phase: TypeAlias = Literal["play", "won", "over"]


class Standing(Struct, frozen=True):
    """Where play stands: whose turn it is, and under which challenge.

    In phase `play` the seat `turn` has to turn a card, to answer the challenge of seat `by` with `left` chances
    if there is one. In phase `won` the pile waits for `turn` to take it, and can still be slapped; `why` says how
    it was won. In phase `over` the game is over and `turn` has won it.
    """

    phase: Phase
    turn: int
    by: int | None = None
    left: int = 0
    why: Literal["challenge", "stalemate"] | None = None


class Dealt(Struct, frozen=True, tag_field="e", tag="dealt"):
    """The cards were dealt and `to.turn` leads. The hands are secret: this event never leaves the server."""

    rules: Rules
    hands: tuple[Hand, ...]
    to: Standing


class Played(Struct, frozen=True, tag_field="e", tag="played"):
    """A seat turned its top card onto the pile; it is the `n`-th card turned in this game."""

    seat: int
    card: Card
    n: int
    to: Standing


class Fouled(Struct, frozen=True, tag_field="e", tag="fouled"):
    """A seat slapped a pile that has no pattern on it; what it costs follows."""

    seat: int


class Burned(Struct, frozen=True, tag_field="e", tag="burned"):
    """Cards of a seat went face up under the pile, one by one, each to the very bottom."""

    seat: int
    cards: Hand
    place: Literal["bottom"]
    to: Standing


class Struck(Struct, frozen=True, tag_field="e", tag="struck"):
    """A seat without cards has its `strikes`-th strike; `barred` if it may not slap any more in this game."""

    seat: int
    strikes: int
    barred: bool


class Taken(Struct, frozen=True, tag_field="e", tag="taken"):
    """A seat took the whole pile under its hand and leads.

    `cards` is the pile, bottom first; `why` is `challenge`, `stalemate` or `slap:` and the pattern's name.
    """

    seat: int
    cards: Hand
    why: str
    to: Standing


class Won(Struct, frozen=True, tag_field="e", tag="won"):
    """A seat holds every card: the game is over."""

    seat: int
    to: Standing


Event: TypeAlias = Dealt | Played | Fouled | Burned | Struck | Taken | Won
