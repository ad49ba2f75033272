"""Events between players: claims, cheating, manners."""

from __future__ import annotations

from typing import Literal

from ratscrew.game.event_base import EventBase
from ratscrew.game.standing import Standing


class Claimed(EventBase, frozen=True):
    """A seat claimed the pile: because it slapped it, or because it has won it."""

    seat: int
    claim_type: Literal["slap", "collect"]
    standing: Standing


class Contested(EventBase, frozen=True):
    """A seat contested the claim."""

    seat: int


class Resumed(EventBase, frozen=True):
    """Play goes on as it stood before."""

    standing: Standing


class Grabbed(EventBase, frozen=True):
    """A seat picked up a pile of `count` cards that is not its own but more likely `victim`'s."""

    seat: int
    count: int
    victim: int
    standing: Standing


class Returned(EventBase, frozen=True):
    """The false pickup was noticed: the pile is back."""

    seat: int
    standing: Standing


class Stowed(EventBase, frozen=True):
    """The false pickup was not noticed: the cards are under the seat's hand, and it leads."""

    seat: int
    standing: Standing


class Split(EventBase, frozen=True):
    """The false pickup was noticed late: the cheater's hand is cut in half, and `standing.turn` chooses one half."""

    seat: int
    standing: Standing


class HalfTaken(EventBase, frozen=True):
    """A cheated seat got the top or the bottom half of the cheater's hand, under its own."""

    seat: int
    cheater: int
    half: Literal["top", "bottom"]
    count: int
    standing: Standing


class Touched(EventBase, frozen=True):
    """A seat touched its forehead."""

    seat: int


class Hovered(EventBase, frozen=True):
    """A seat's hand hovers over the pile, or no longer does (`off`)."""

    seat: int
    off: bool


class SlappedDown(EventBase, frozen=True):
    """A seat slapped the hovering hand of `target` down."""

    seat: int
    target: int


class Feinted(EventBase, frozen=True):
    """A seat feinted a slap or a card."""

    seat: int
    feint_type: Literal["slap", "card"]
