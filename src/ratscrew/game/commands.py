"""The commands that a game accepts.

A time (`at_ms`) matters if a house has a rule about time; it may be of any clock, as long as it is always the same.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct


class Play(Struct, frozen=True, tag_field="do", tag="play"):
    """The seat turns its top card onto the pile, or the first of its cards aside."""

    seat: int
    at_ms: int | None = None


class Touch(Struct, frozen=True):
    """One hand on the pile: when, with how many fingers, and after which seat a newcomer would like to sit."""

    seat: int
    at_ms: int | None = None
    contact: int = 1
    after: int | None = None


class Slap(Struct, frozen=True, tag_field="do", tag="slap"):
    """Simultaneous slaps, in the order that the judge found.

    `under`: they are at the pile before its newest card, which came too late to cover it.
    """

    touches: tuple[Touch, ...]
    under: bool = False


class Collect(Struct, frozen=True, tag_field="do", tag="collect"):
    """The seat picks up the pile, rightly or not."""

    seat: int


class Timeout(Struct, frozen=True, tag_field="do", tag="timeout"):
    """The game has waited long enough: for a won pile, a claim, a tie, a pickup, a last chance."""


class Reveal(Struct, frozen=True, tag_field="do", tag="reveal"):
    """The seat shows its next card early."""

    seat: int


class Place(Struct, frozen=True, tag_field="do", tag="place"):
    """The seat lays a card that lies aside onto the pile for its owner, whose turn it is."""

    seat: int
    owner: int


class Contest(Struct, frozen=True, tag_field="do", tag="contest"):
    """The seat contests the claim."""

    seat: int


class Award(Struct, frozen=True, tag_field="do", tag="award"):
    """The judge at the table says which of the tied seats was first."""

    seat: int


class Stow(Struct, frozen=True, tag_field="do", tag="stow"):
    """The seat puts the cards it has picked up under its hand."""

    seat: int


class Notice(Struct, frozen=True, tag_field="do", tag="notice"):
    """The seat protests against a false pickup."""

    seat: int


class Choose(Struct, frozen=True, tag_field="do", tag="choose"):
    """The cheated seat chooses half of the cheater's hand."""

    seat: int
    half: Literal["top", "bottom"]


class Forehead(Struct, frozen=True, tag_field="do", tag="forehead"):
    """The seat touches its forehead, as the redneck rule requires before a slap."""

    seat: int


class Hover(Struct, frozen=True, tag_field="do", tag="hover"):
    """The seat's hand hovers over the pile, or (`off`) has been taken away."""

    seat: int
    off: bool = False


class SlapDown(Struct, frozen=True, tag_field="do", tag="slap_down"):
    """The seat slaps a hovering hand down onto the pile."""

    seat: int
    target: int


class Feint(Struct, frozen=True, tag_field="do", tag="feint"):
    """The seat feints: a slap that stops short, or a card that is not let go."""

    seat: int
    feint_type: Literal["slap", "card"]


class Arrive(Struct, frozen=True, tag_field="do", tag="arrive"):
    """A newcomer arrives, who is not in the game yet and gets the next seat number, without cards."""


class SetLimit(Struct, frozen=True, tag_field="do", tag="set_limit"):
    """The game ends when the pile has been taken after so many cards have been turned, at the latest."""

    cards: int


Command: TypeAlias = (
    Play
    | Slap
    | Collect
    | Timeout
    | Reveal
    | Place
    | Contest
    | Award
    | Stow
    | Notice
    | Choose
    | Forehead
    | Hover
    | SlapDown
    | Feint
    | Arrive
    | SetLimit
)


def slap(seat: int, at_ms: int | None = None, contact: int = 1, after: int | None = None, under: bool = False) -> Slap:
    """A single slap."""
    return Slap((Touch(seat, at_ms, contact, after),), under)
