"""What a wrong slap costs, one function each. A new penalty goes here and nowhere else.

Two choices of a house meet here: `wrong_slap`, for who has cards to lose, and `no_cards`, for who has none. A
penalty is a function from an `Offence` to what follows from it (`Burn`, `Lock`, ...), which the engine carries
out one after the other; its keyword-only parameters are the parameters of the house's choice. Its docstring
says what it is in its first line, and below it the words of each parameter (see `words`). A penalty that
follows nothing from is a slap without effect.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from inspect import getdoc, signature
from typing import Annotated, Any, Literal, TypeAlias, get_type_hints

from msgspec import Meta, Struct

from ratscrew.rules.words import Words, read_words

Place: TypeAlias = Literal["bottom", "top"]
Count: TypeAlias = Annotated[int, Meta(ge=1, le=52)]


class Offence(Struct, frozen=True):
    """A wrong slap: the player's cards held, strikes, and wrong slaps since the last valid one."""

    held: int
    strikes: int
    fouls: int


class Burn(Struct, frozen=True):
    """The player burns this many cards, or as many as they have."""

    count: int
    place: Place


class PileToLast(Struct, frozen=True):
    """The player of the newest card picks up the pile; `literal`: even one that a challenge has just won."""

    literal: bool


class Give(Struct, frozen=True):
    """The player gives a card to the player of the newest card, or one to each other player."""

    to: Literal["last_player", "everybody"]


class Lock(Struct, frozen=True):
    """The player may not slap for this many cards, until the pile is taken, or for the rest of the game."""

    until: int | Literal["pile", "game"]


class Strike(Struct, frozen=True):
    """The player gets a strike."""


class BurnHand(Struct, frozen=True):
    """The player's hand lies under the pile until the pile is taken or another player slaps."""


class Owe(Struct, frozen=True):
    """The player owes cards, and burns them under the next pile as soon as they have some."""

    count: int


Consequence: TypeAlias = Burn | PileToLast | Give | Lock | Strike | BurnHand | Owe
Penalty: TypeAlias = Callable[..., list[Consequence]]

WRONG_SLAP: dict[str, Penalty] = {}
NO_CARDS: dict[str, Penalty] = {}


def costs(table: dict[str, Penalty]) -> Callable[[Penalty], Penalty]:
    """Decorator that declares a penalty for players with cards (`WRONG_SLAP`) or without (`NO_CARDS`)."""

    def declare(penalty: Penalty) -> Penalty:
        table[penalty.__name__] = penalty
        return penalty

    return declare


@cache
def parameters(penalty: Penalty) -> Mapping[str, Any]:
    """The parameters that a house may choose for a penalty, with their types."""
    kinds = get_type_hints(penalty, include_extras=True)
    return {p.name: kinds[p.name] for p in signature(penalty).parameters.values() if p.kind is p.KEYWORD_ONLY}


@cache
def defaults(penalty: Penalty) -> Mapping[str, Any]:
    """The default values of a penalty's parameters."""
    return {p.name: p.default for p in signature(penalty).parameters.values() if p.kind is p.KEYWORD_ONLY}


def words_of(penalty: Penalty) -> tuple[str, dict[str, Words]]:
    """A penalty's sentence, and the words of each of its parameters."""
    doc = getdoc(penalty) or ""
    return doc.partition("\n")[0], read_words(doc)


@costs(WRONG_SLAP)
def burn(offence: Offence, *, count: Count = 1, place: Place = "bottom", escalate: bool = False) -> list[Consequence]:
    """You burn cards from the top of your hand.

    count: Cards. How many are burned.
    count = 1: one card
    count = {}: {} cards
    place: Place. Where they go.
    place = bottom: under the pile
    place = top: onto the pile
    escalate: Escalation. Whether it costs more each time.
    escalate = false: (it costs the same each time)
    escalate = true: and one more each time until your next good slap
    """
    return [Burn(count + (offence.fouls if escalate else 0), place)]


@costs(WRONG_SLAP)
def pile_to_last(offence: Offence, *, after_fail: Literal["stands", "literal"] = "stands") -> list[Consequence]:
    """The player of the newest card picks up the pile; if that's you, the player before you.

    after_fail: Won piles. What happens to a pile that a challenge has just won.
    after_fail = stands: (a pile that a challenge has won stays won)
    after_fail = literal: even a pile that a challenge has won
    """
    return [PileToLast(after_fail == "literal")]


@costs(WRONG_SLAP)
def give(offence: Offence, *, to: Literal["last_player", "everybody"] = "last_player") -> list[Consequence]:
    """You give a card from the top of your hand.

    to: To. Who gets it.
    to = last_player: to the player of the newest card
    to = everybody: one to each other player
    """
    return [Give(to)]


@costs(WRONG_SLAP)
def lockout(offence: Offence, *, until: Count | Literal["pile"] = "pile") -> list[Consequence]:
    """You can't slap for a while.

    until: Until. How long it lasts.
    until = pile: until the pile is taken
    until = 1: until one more card is flipped
    until = {}: until {} more cards are flipped
    """
    return [Lock(until)]


@costs(WRONG_SLAP)
def none(offence: Offence) -> list[Consequence]:
    """It costs nothing."""
    return []


@costs(NO_CARDS)
def strikes(offence: Offence, *, limit: Count = 3) -> list[Consequence]:
    """You get a strike; after your last one, you can't slap again in this game.

    limit: Strikes. How many you get.
    limit = 1: the first one is your last
    limit = {}: you get {} of them
    """
    return [Strike(), Lock("game")] if offence.strikes + 1 >= limit else [Strike()]


@costs(NO_CARDS)
def ignore(offence: Offence) -> list[Consequence]:
    """It's ignored."""
    return []


@costs(NO_CARDS)
def burn_hand(offence: Offence) -> list[Consequence]:
    """Your hand is locked under the pile, and can't slap, until the pile is taken or someone slaps."""
    return [BurnHand()]


@costs(NO_CARDS)
def debt(offence: Offence) -> list[Consequence]:
    """You owe a card, and burn it under the next pile as soon as you have one."""
    return [Owe(1)]
