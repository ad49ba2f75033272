"""What happened, in the past tense, each with its outcome. Nothing in this file knows why it happened.

An event that moves the play carries `to`, the `Standing` after it, so that whoever follows the events (the
browser, the replay, the log) needs no rule of the game. What is secret in an event, `view.public` leaves out.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from ratscrew.cards import Card, Hand, Pile
from ratscrew.game.event_base import EventBase
from ratscrew.game.incidents import (
    Claimed,
    Contested,
    Downed,
    Feinted,
    Got,
    Grabbed,
    Hovered,
    Resumed,
    Returned,
    Split,
    Stowed,
    Touched,
)
from ratscrew.game.standing import Standing
from ratscrew.rules.house import Rules
from ratscrew.rules.penalties import Place

# What happens between people has a file of its own, but these are events like the others.
__all__ = [
    "Claimed",
    "Contested",
    "Downed",
    "Feinted",
    "Got",
    "Grabbed",
    "Hovered",
    "Resumed",
    "Returned",
    "Split",
    "Stowed",
    "Touched",
]


class Dealt(EventBase, frozen=True):
    """The cards were dealt and `to.turn` leads; `pile` is what could not be dealt evenly. The hands are secret."""

    rules: Rules
    hands: tuple[Hand, ...]
    to: Standing
    pile: Pile = ()


class Played(EventBase, frozen=True):
    """A seat turned a card onto the pile, the `n`-th of this game.

    `chance` is which answer to a challenge it is (0: none, or a challenge itself); `aside` whether it lay aside
    before; `at_ms` when it was turned, where that matters to the house.
    """

    seat: int
    card: Card
    n: int
    to: Standing
    chance: int = 0
    aside: bool = False
    at_ms: int | None = None


class Passed(EventBase, frozen=True):
    """Who had to play has lost his last card otherwise: another goes on, or the pile is won."""

    to: Standing


class Misplayed(EventBase, frozen=True):
    """A seat's card came out of turn and lies dead on the pile, at its bottom or on top."""

    seat: int
    card: Card
    place: Place


class Exposed(EventBase, frozen=True):
    """A seat's card came out before its time and lies aside, face up."""

    seat: int
    card: Card


class Slapped(EventBase, frozen=True):
    """Hands came down on the pile, in this order; `under`: at what lay there before the newest card."""

    seats: tuple[int, ...]
    under: bool = False


class Withdrawn(EventBase, frozen=True):
    """The newest card came too late to cover what was slapped, and is its owner's again.

    It lies under his hand, or first of his cards aside if it had lain there (`aside`). What has fallen onto it since
    lies at the bottom of the pile. `chance` is which answer to a challenge the newest card is now.
    """

    seat: int
    card: Card
    to: Standing
    chance: int
    aside: bool = False


class Fouled(EventBase, frozen=True):
    """A seat's slap was wrong, on the `streak`-th card in a row; what it costs follows."""

    seat: int
    streak: int


class Burned(EventBase, frozen=True):
    """`count` cards of a seat went onto the pile as burned cards, one by one: each to the very bottom, or on top.

    Face down, they are secret.
    """

    seat: int
    count: int
    cards: Hand
    place: Place
    face_up: bool = True


class Given(EventBase, frozen=True):
    """A seat gave its top card to another, under its hand. The card is secret: to the public it is None."""

    seat: int
    receiver: int
    card: Card | None


class Struck(EventBase, frozen=True):
    """A seat without cards has its `strikes`-th strike."""

    seat: int
    strikes: int


class Locked(EventBase, frozen=True):
    """A seat may not slap: until card `until` has been turned, until the pile is taken, or in this game any more."""

    seat: int
    until: int | Literal["pile", "game"]


class HandBurned(EventBase, frozen=True):
    """A seat's hand lies under the pile until the pile is taken or somebody slaps."""

    seat: int


class Indebted(EventBase, frozen=True):
    """A seat owes so many cards in all."""

    seat: int
    cards: int


class Eliminated(EventBase, frozen=True):
    """A seat is out of the game; its `count` cards go under the pile as burned cards, face down they are secret."""

    seat: int
    count: int
    cards: Hand
    face_up: bool = True


class Voided(EventBase, frozen=True):
    """Hands came down together and nobody can tell: the pattern counts for nothing. In order of arrival."""

    seats: tuple[int, ...]


class Tied(EventBase, frozen=True):
    """Hands came down together, in order of arrival; the house's judge decides."""

    seats: tuple[int, ...]
    to: Standing


class Taken(EventBase, frozen=True):
    """A seat took the whole pile of `count` cards under its hand and leads.

    `why` is `challenge`, `sole_holder`, `stalemate`, `penalty`, `bluff`, `last_chance`, or `slap:` and the
    pattern's name. `aside` is the owner of a card aside that went along. `order` is secret: how the cards lie
    now, where the house shuffles what it picks up.
    """

    seat: int
    count: int
    why: str
    to: Standing
    aside: int | None = None
    order: Hand | None = None


class Arrived(EventBase, frozen=True):
    """Somebody came to the table who is not in the game."""

    seat: int


class Joined(EventBase, frozen=True):
    """A newcomer is in the game and sits in this circle, in which play goes round."""

    seat: int
    circle: tuple[int, ...]


class Spared(EventBase, frozen=True):
    """A seat holds every card and turns `to.left` of them as a last chance for who has none."""

    seat: int
    to: Standing


class Won(EventBase, frozen=True):
    """A seat has won the game."""

    seat: int
    to: Standing


class Lost(EventBase, frozen=True):
    """A seat slapped what nobody may slap: everybody loses."""

    seat: int
    to: Standing


class Drawn(EventBase, frozen=True):
    """Nobody holds a card and nothing can be slapped: nobody has won."""

    to: Standing


class Redealt(EventBase, frozen=True):
    """Nobody held a card: all cards were dealt anew, and `to.turn` leads. The hands are secret."""

    hands: tuple[Hand, ...]
    to: Standing


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
    | Got
    | Taken
    | Arrived
    | Joined
    | Touched
    | Hovered
    | Downed
    | Feinted
    | Spared
    | Won
    | Lost
    | Drawn
    | Redealt
)
