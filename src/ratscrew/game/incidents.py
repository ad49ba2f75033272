"""What happens between people: claims, cheating, manners. Nothing in this file knows why it happened."""

from __future__ import annotations

from typing import Literal

from ratscrew.game.event_base import EventBase
from ratscrew.game.standing import Standing


class Claimed(EventBase, frozen=True):
    """A seat says that the pile is his: because he slapped it, or because he has won it."""

    seat: int
    what: Literal["slap", "collect"]
    to: Standing


class Contested(EventBase, frozen=True):
    """A seat says that the claim is false."""

    seat: int


class Resumed(EventBase, frozen=True):
    """Play goes on as it stood before."""

    to: Standing


class Grabbed(EventBase, frozen=True):
    """A seat has picked up a pile of `count` cards that is not his, but more likely `victim`'s."""

    seat: int
    count: int
    victim: int
    to: Standing


class Returned(EventBase, frozen=True):
    """It was noticed: the pile lies there again."""

    seat: int
    to: Standing


class Stowed(EventBase, frozen=True):
    """It was not noticed: the cards are under the seat's hand, and it leads."""

    seat: int
    to: Standing


class Split(EventBase, frozen=True):
    """It was noticed late: the cheater's hand is cut in half, and `to.turn` chooses one."""

    seat: int
    to: Standing


class Got(EventBase, frozen=True):
    """A cheated seat got the top or the bottom half of the cheater's hand, under its own."""

    seat: int
    cheater: int
    half: Literal["top", "bottom"]
    count: int
    to: Standing


class Touched(EventBase, frozen=True):
    """A seat touched its forehead."""

    seat: int


class Hovered(EventBase, frozen=True):
    """A seat's hand hovers over the pile, or no more."""

    seat: int
    off: bool


class Downed(EventBase, frozen=True):
    """A seat slapped the hovering hand of another down."""

    seat: int
    target: int


class Feinted(EventBase, frozen=True):
    """A seat pretended."""

    seat: int
    what: Literal["slap", "card"]
