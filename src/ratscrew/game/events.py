"""The events of a game: what happened, with its outcome.

An event that moves play carries `standing`, the `Standing` after it, so that a consumer of events (the browser, the
replay, the log) needs no rules of the game. `view.public` removes what is secret in an event.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from ratscrew.cards import Card, Hand, Pile
from ratscrew.game.event_base import EventBase
from ratscrew.game.incidents import (
    Claimed,
    Contested,
    Feinted,
    Grabbed,
    HalfTaken,
    Hovered,
    Resumed,
    Returned,
    SlappedDown,
    Split,
    Stowed,
    Touched,
)
from ratscrew.game.standing import EndReason, Standing
from ratscrew.rules.house import Rules
from ratscrew.rules.penalties import Place

# These have a module of their own because of the size of this one.
__all__ = [
    "Claimed",
    "Contested",
    "Feinted",
    "Grabbed",
    "HalfTaken",
    "Hovered",
    "Resumed",
    "Returned",
    "SlappedDown",
    "Split",
    "Stowed",
    "Touched",
]


class Dealt(EventBase, frozen=True):
    """The cards were dealt and `standing.turn` leads; `pile` is what could not be dealt evenly. Hands are secret."""

    rules: Rules
    hands: tuple[Hand, ...]
    standing: Standing
    pile: Pile = ()


class Played(EventBase, frozen=True):
    """A seat turned a card onto the pile, the `n`-th of this game.

    `answer_number` is which answer to a challenge it is (0: none, or a challenge itself); `aside` whether it lay aside
    before; `at_ms` when it was turned, where that matters to the house.
    """

    seat: int
    card: Card
    n: int
    standing: Standing
    answer_number: int = 0
    aside: bool = False
    at_ms: int | None = None


class Passed(EventBase, frozen=True):
    """The seat to play has lost its last card other than by playing: another goes on, or the pile is won."""

    standing: Standing


class Misplayed(EventBase, frozen=True):
    """A seat played a card out of turn; it lies dead in the pile, at the bottom or on top."""

    seat: int
    card: Card
    place: Place


class Exposed(EventBase, frozen=True):
    """A seat showed a card early; it lies aside, face up."""

    seat: int
    card: Card


class Slapped(EventBase, frozen=True):
    """Seats slapped the pile, in this order; `under`: the pile before its newest card."""

    seats: tuple[int, ...]
    under: bool = False


class Withdrawn(EventBase, frozen=True):
    """The newest card came too late to cover what was slapped, and went back to its owner.

    It goes under the owner's hand, or first among the cards aside if it came from there (`aside`). Cards that fell onto
    it since go to the bottom of the pile. `answer_number` is which answer to a challenge the newest card is now.
    """

    seat: int
    card: Card
    standing: Standing
    answer_number: int
    aside: bool = False


class Fouled(EventBase, frozen=True):
    """A seat's slap was wrong, on the `streak`-th card in a row; the events of its penalty follow."""

    seat: int
    streak: int


class Burned(EventBase, frozen=True):
    """`count` cards of a seat went onto the pile as burned cards, one by one: each to the very bottom, or on top.

    If face down, they are secret.
    """

    seat: int
    count: int
    cards: Hand
    place: Place
    face_up: bool = True


class Given(EventBase, frozen=True):
    """A seat gave its top card to another, under that seat's hand. The card is secret: None in the public event."""

    seat: int
    to_seat: int
    card: Card | None


class Struck(EventBase, frozen=True):
    """A seat without cards got its `strikes`-th strike."""

    seat: int
    strikes: int


class Locked(EventBase, frozen=True):
    """A seat may not slap until card `until` is turned, the pile is taken, or the game is over."""

    seat: int
    until: int | Literal["pile", "game"]


class HandBurned(EventBase, frozen=True):
    """A seat's slapping hand lies under the pile until the pile is taken or another seat slaps."""

    seat: int


class Indebted(EventBase, frozen=True):
    """A seat owes this many cards in all."""

    seat: int
    cards: int


class Eliminated(EventBase, frozen=True):
    """A seat is out of the game; its `count` cards go under the pile as burned cards, secret if face down."""

    seat: int
    count: int
    cards: Hand
    face_up: bool = True


class Voided(EventBase, frozen=True):
    """Simultaneous slaps, in order of arrival, that cancel each other: the pattern no longer counts."""

    seats: tuple[int, ...]


class Tied(EventBase, frozen=True):
    """Simultaneous slaps, in order of arrival; the house's judge decides."""

    seats: tuple[int, ...]
    standing: Standing


class Taken(EventBase, frozen=True):
    """A seat took the whole pile of `count` cards under its hand and leads.

    `reason` is `challenge`, `sole_holder`, `stalemate`, `penalty`, `bluff`, `last_chance`, or `slap:` and the
    pattern's name. `aside` is the owner of a card aside that was taken too. `order` is secret: the new order of the
    cards if the house shuffles a pile that is picked up; with `pickup = shuffle_hand` of the whole hand.
    """

    seat: int
    count: int
    reason: str
    standing: Standing
    aside: int | None = None
    order: Hand | None = None


class Arrived(EventBase, frozen=True):
    """A newcomer arrived at the table, not in the game yet."""

    seat: int


class Joined(EventBase, frozen=True):
    """A newcomer joined the game and sits in this circle, the order of play."""

    seat: int
    circle: tuple[int, ...]


class LastChanceGiven(EventBase, frozen=True):
    """A seat holds every card and turns `standing.chances_left` of them as a last chance for the others."""

    seat: int
    standing: Standing


class LimitSet(EventBase, frozen=True):
    """The game ends when the pile has been taken after `cards` cards have been turned."""

    cards: int


class Won(EventBase, frozen=True):
    """A seat has won the game; if `reason` is `limit`, because it held the most cards."""

    seat: int
    standing: Standing
    reason: EndReason = "play"


class Lost(EventBase, frozen=True):
    """A seat slapped a pattern that makes everybody lose."""

    seat: int
    standing: Standing


class Drawn(EventBase, frozen=True):
    """The game is a draw.

    By `play`: no seat holds a card, and nothing can be slapped. By the `limit`: no seat alone holds the most cards. By
    `repetition`: it would go on like this for ever.
    """

    standing: Standing
    reason: EndReason = "play"


class Redealt(EventBase, frozen=True):
    """No seat held a card: all cards were dealt again, and `standing.turn` leads. The hands are secret."""

    hands: tuple[Hand, ...]
    standing: Standing


Event: TypeAlias = (
    Dealt
    | Played
    | Passed
    | Misplayed
    | Exposed
    | Slapped
    | Withdrawn
    | Fouled
    | Burned
    | Given
    | Struck
    | Locked
    | HandBurned
    | Indebted
    | Eliminated
    | Voided
    | Tied
    | Claimed
    | Contested
    | Resumed
    | Grabbed
    | Returned
    | Stowed
    | Split
    | HalfTaken
    | Taken
    | Arrived
    | Joined
    | Touched
    | Hovered
    | SlappedDown
    | Feinted
    | LastChanceGiven
    | LimitSet
    | Won
    | Lost
    | Drawn
    | Redealt
)
