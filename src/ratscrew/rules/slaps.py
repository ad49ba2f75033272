"""The slap patterns, one function each, in reading order. A new pattern goes here and nowhere else."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Annotated, Literal, TypeAlias

from msgspec import Meta

from ratscrew.cards import JOKER, NAMES, NO_COLOUR, NO_SUIT, RANKS, Card
from ratscrew.rules.pattern import slap
from ratscrew.rules.ranks import (
    ADDENDS,
    CIRCLE,
    ENDS,
    GAPS,
    JACK,
    KING,
    NINE,
    OVER,
    QUEEN,
    SIX,
    UNDER,
    alike,
    any_order,
    in_row,
    monotone,
    places_taken,
    reaches,
    worth,
)

Length: TypeAlias = Annotated[int, Meta(ge=2, le=13)]
CardName: TypeAlias = Annotated[str, Meta(pattern="^([2-9TJQKA]|JK|JKR|JKB|[2-9TJQKA][CDHS])$")]
"""A rank (`T`, `JK` for any joker) or one card (`QS`, `JKR`)."""
FewCards: TypeAlias = Annotated[list[CardName], Meta(max_length=5)]


@slap(yes=["6S 6H 6D"], no=["6S 6H", "5S 5H 5D", "6S 6H 5D 6C"])
def triple_six(top: int, middle: int, under: int, *, ends: Literal["all_lose"] = "all_lose") -> bool:
    """Three sixes in a row.

    ends: Outcome. What it leads to.
    ends = all_lose: everyone loses the game
    """
    return top == middle == under == SIX


@slap(yes=["4S 4H 4D", "9C KS KH KD"], no=["4S 4H", "4S 4H 5D 4C"])
def triple(top: int, middle: int, under: int, *, ends: Literal["pile", "win"] = "pile") -> bool:
    """Three cards of the same rank in a row.

    ends: Outcome. What it leads to.
    ends = pile: (the pile, like any other slap)
    ends = win: the player who slaps it wins the game
    """
    return top == middle == under


@slap(yes=["9S 9H", "4C 5S 5D", "KS KD", "JKR JKB"], no=["9S 8S", "5S 7D 5H", "9C* 9S", "5S 5H*"])
def double(top: int, under: int) -> bool:
    """Two cards of the same rank in a row."""
    return top == under


@slap(yes=["5S 7D 5H", "QS KD QH", "2C 5S AD 5H"], no=["5S 5D 5H", "5S 9D 2H 5C", "5S 9H* 5D", "5S 7D"])
def sandwich(top: int, filling: int, under: int) -> bool:
    """Two cards of the same rank with one card of another rank in between."""
    return top == under != filling


@slap(yes=["5S 9D 2H 5C", "5S 9D 9H 5C"], no=["5S 5D 9H 5C", "5S 9D 5H 5C", "5S 9D 5H"])
def hoagie(top: int, filling: int, more: int, under: int) -> bool:
    """Two cards of the same rank with two cards of other ranks in between."""
    return top == under and top not in (filling, more)


@slap(
    yes=[
        ("5S 6D 7H 8C", {"len": 4}),
        ("5S 4D 3H 2C", {"len": 4}),
        ("7S 8D 9H JC", {"len": 4, "step": "monotone"}),
        ("AS 2D 3H", {"len": 3}),
        ("QS KD AH", {"len": 3}),
        ("QS KD AH 2C", {"len": 4, "ace": "wrap"}),
        ("5S 7D 6H", {"len": 3, "step": "any_order"}),
    ],
    no=[
        ("5S 7D 5H", {"len": 3, "step": "any_order"}),
        ("5S 8D 6H", {"len": 3, "step": "any_order"}),
        ("7S 8D 9H JC", {"len": 4}),
        ("KS AD 2H", {"len": 3}),
        ("QS KD AH", {"len": 3, "ace": "low"}),
        ("AS 2D 3H", {"len": 3, "ace": "high"}),
        ("5S 6D 5H", {"len": 3}),
        ("9S JKR JH", {"len": 3}),
    ],
)
def run(
    *cards: int,
    len: Length,
    step: Literal["consecutive", "monotone", "any_order"] = "consecutive",
    ace: Literal["either", "low", "high", "wrap"] = "either",
) -> bool:
    """Cards whose ranks go steadily up or down.

    len: Cards. How many it takes.
    len = {}: {} cards
    step: Steps. Whether ranks can be skipped, or come in any order.
    step = consecutive: one rank at a time
    step = monotone: ranks can be skipped
    step = any_order: neighbouring ranks in any order
    ace: Ace. Where it can go.
    ace = either: an ace goes below a two or above a king
    ace = low: an ace goes below a two
    ace = high: an ace goes above a king
    ace = wrap: a run can go on from king through ace to two
    """
    if step == "any_order":
        return any_order(cards, len, ENDS[ace])
    return in_row(cards, ENDS[ace]) if step == "consecutive" else monotone(cards, ENDS[ace])


@slap(
    yes=[
        ("3S 5D 2H", {"addends": "many", "faces": "skip"}),
        ("9S AD", {"addends": "many", "faces": "skip"}),
        ("3S 7D", {"addends": "two", "faces": "skip_one"}),
        ("AS KD 9H", {"addends": "two", "faces": "skip_one"}),
        ("2S AD 7H", {"addends": "three", "faces": "block"}),
    ],
    no=[
        ("2S AD 3H 4C", {"addends": "three", "faces": "block"}),
        ("TS KD", {"addends": "many", "faces": "skip"}),
        ("4S 2D 6H", {"addends": "two", "faces": "skip_one"}),
        ("3S 7D KH", {"addends": "many", "faces": "skip"}),
        ("9S AD", {"addends": "two", "faces": "block", "ace": 0}),
        ("AS KD QC 9H", {"addends": "two", "faces": "skip_one"}),
        ("4S JKR 6H", {"addends": "many", "faces": "skip"}),
    ],
)
def tens(
    *cards: int,
    addends: Literal["two", "three", "many"] = "two",
    faces: Literal["block", "skip_one", "skip"] = "block",
    ace: Annotated[int, Meta(ge=0, le=1)] = 1,
    total: Annotated[int, Meta(ge=4, le=20)] = 10,
) -> bool:
    """Number cards that add up to a total, including the newest card.

    addends: Number cards. How many count.
    addends = two: two of them
    addends = three: two or three of them
    addends = many: two or more of them
    faces: Face cards. Whether they can lie between the number cards.
    faces = block: no face card can lie in between
    faces = skip_one: one face card can lie in between
    faces = skip: face cards can lie in between
    ace: Ace. What it counts as.
    ace = 0: an ace counts as a face card
    ace = 1: an ace counts as one
    total: Total. What they must add up to.
    total = {}: the total is {}
    """
    return reaches(cards, total, ADDENDS[addends], GAPS[faces], ace)


@slap(yes=["QS KD", "KS QD"], no=["KS JD", "QS 5H KD"])
def marriage(top: int, under: int) -> bool:
    """A queen and a king in a row, in either order."""
    return {top, under} == {QUEEN, KING}


@slap(yes=["KS 5D QH", "QS KS KH", "QS 2D KH"], no=["KS QD", "KS 5D JH"], special=True)
def divorce(top: int, between: int, under: int) -> bool:
    """A queen and a king with one card in between."""
    return {top, under} == {QUEEN, KING}


@slap(yes=["JS QD", "QS JD"], no=["JS KD"], special=True)
def scandal(top: int, under: int) -> bool:
    """A jack and a queen in a row, in either order."""
    return {top, under} == {JACK, QUEEN}


@slap(yes=["9S 6D", "6S 9D"], no=["6S KH 9D", "6S 6D"], special=True)
def sixty_nine(top: int, under: int) -> bool:
    """A six and a nine in a row, in either order."""
    return {top, under} == {SIX, NINE}


@slap(
    yes=[
        ("JS 7D", {"cards": ["J", "7"], "ranks": "other"}),
        ("4S 8D", {"ranks": "double"}),
        ("2C AS", {"ranks": "double"}),
        ("4S 9D 6C", {"ranks": "total", "gap": 1}),
        ("QS KS", {"cards": ["K", "Q"], "ranks": "other", "suit": "same"}),
        ("5H 9C 7H", {"ranks": "any", "gap": 1, "suit": "same"}),
        ("KS 2C AD", {"ranks": "next", "gap": 1}),
        ("AS 2D", {"ranks": "next"}),
        ("3H 9C 8D 2C 3D", {"ranks": "same", "gap": 3, "suit": "colour"}),
        ("8S 3D", {"ranks": "total", "total": 11, "suit": "other"}),
    ],
    no=[
        ("JS JD", {"cards": ["J", "7"], "ranks": "other"}),
        ("JS 5H 7D", {"cards": ["J", "7"], "ranks": "other"}),
        ("6S QD", {"ranks": "double"}),
        ("4S 9D", {"ranks": "double"}),
        ("4S 6C", {"ranks": "total", "gap": 1}),
        ("4S 9D* 6C", {"ranks": "total", "gap": 1}),
        ("KS QH", {"cards": ["K", "Q"], "ranks": "other", "suit": "same"}),
        ("JKR 9C 7H", {"ranks": "any", "gap": 1, "suit": "same"}),
        ("KS JKR", {"ranks": "next"}),
        ("3H 3C", {"ranks": "same", "suit": "colour"}),
        ("8S JKR", {"ranks": "other", "suit": "other"}),
    ],
    feature="card",
    special=True,
    times=3,
)
def partners(
    top: Card,
    under: Card,
    *,
    cards: list[CardName] = [],  # noqa: B006 - nobody changes a default
    ranks: Literal["any", "same", "other", "next", "double", "total"] = "same",
    total: Annotated[int, Meta(ge=3, le=20)] = 10,
    gap: Annotated[int, Meta(ge=0, le=3)] = 0,
    suit: Literal["any", "same", "colour", "other"] = "any",
) -> bool:
    """Two cards that go together, in either order.

    cards: Cards. Which ones count.
    cards = -: (every card)
    cards = {}: each is {}
    ranks: Ranks. How they go together.
    ranks = any: (any ranks)
    ranks = same: of the same rank
    ranks = other: of different ranks
    ranks = next: of neighbouring ranks
    ranks = double: one number is double the other
    ranks = total: two numbers add up to the total
    total: Total. What they must add up to.
    total = {}: the total is {}
    gap: Cards between. How many lie between the two.
    gap = 0: in a row
    gap = 1: with one card in between
    gap = {}: with {} cards in between
    suit: Suits. How they go together.
    suit = any: (any suits)
    suit = same: of one suit
    suit = colour: of one colour
    suit = other: of different suits
    """
    if cards and not all(str(card) in cards or RANKS[card.rank] in cards for card in (top, under)):
        return False
    return _ranks_match(top.rank, under.rank, ranks, total) and _suits_match(top, under, suit)


@slap(
    yes=[("KS JD QC", {"cards": ["J", "Q", "K"]}), ("QS 5H QD", {"cards": ["Q", "QS", "5"]})],
    no=[
        ("KS JD KC", {"cards": ["J", "Q", "K"]}),
        ("JD QC", {"cards": ["J", "Q", "K"]}),
        ("QH 5H QD", {"cards": ["Q", "QS", "5"]}),
    ],
    feature="card",
    special=True,
)
def family(*laid: int, cards: FewCards) -> bool:
    """All of these cards in a row, in any order.

    cards: Cards. Which ones it takes.
    cards = {}: it takes {every}
    """
    exact, by_rank = places_of(tuple(cards))
    return places_taken(laid, exact, by_rank)


@slap(yes=[("2H 9H KH", {"len": 3})], no=[("2H 9H KD", {"len": 3}), ("2H JKR KH", {"len": 3})], feature="suit")
def suit_run(*suits: int, len: Length) -> bool:
    """Cards of one suit in a row.

    len: Cards. How many it takes.
    len = {}: {} cards
    """
    return alike(suits, NO_SUIT)


@slap(yes=[("2H 9D KH 5D", {"len": 4})], no=[("2H 9D KS 5D", {"len": 4}), ("2H JKR", {"len": 2})], feature="colour")
def colour_run(*colours: int, len: Length) -> bool:
    """Cards of one colour in a row.

    len: Cards. How many it takes.
    len = {}: {} cards
    """
    return alike(colours, NO_COLOUR)


@slap(
    yes=["4S 7D 2S QD 8S 4H", ("3H 9C 8D 3D", {"match": "rank_colour"})],
    no=[
        "4S 7D 2S 5H",
        "8S",
        "3C* 4S 7D 2S 8S 4H",
        ("3C* 5S 8H", {"anchor": "game", "opening": "8C"}),
        ("3H 9C 8D 3C", {"match": "rank_colour"}),
    ],
    feature="card",
)
def top_bottom(
    top: Card,
    *,
    first: Card | None,
    lowest: Card | None,
    opening: Card | None,
    burned: bool,
    anchor: Literal["pile", "game"] = "pile",
    match: Literal["rank", "rank_colour", "rank_suit"] = "rank",
    after_burn: Literal["void", "ignore_burns", "burn_is_bottom"] = "void",
) -> bool:
    """The newest card matches the first one.

    anchor: First card. Which card that is.
    anchor = pile: the first of the pile
    anchor = game: the first of the whole game
    match: Match. How the two must match.
    match = rank: in rank
    match = rank_colour: in rank and colour
    match = rank_suit: in rank and suit
    after_burn: Burned cards. What they change.
    after_burn = void: not once cards have been burned into the pile
    after_burn = ignore_burns: burned cards don't count
    after_burn = burn_is_bottom: a burned card at the bottom is the first one
    """
    if burned and after_burn == "void":
        return False
    if anchor == "game":
        return _matches(top, opening, match)
    return _matches(top, lowest if after_burn == "burn_is_bottom" else first, match)


@slap(
    yes=[
        ("KS 7H 2D", {"chance_no": 2}),
        ("AS 7H 9D 6C 4S", {"chance_no": 4}),
        ("9S 5H 3D", {"count": "pile"}),
    ],
    no=[
        "KS 2D",
        ("KS 2D", {"chance_no": 1}),
        ("KS 7H 3D", {"chance_no": 2}),
        ("AS AD", {"chance_no": 1}),
        ("2S AD", {"count": "pile"}),
    ],
    special=True,
)
def count_match(
    top: int, *, chance_no: int, pile_no: int, game_no: int, count: Literal["challenge", "pile", "game"] = "challenge"
) -> bool:
    """A card whose number comes up while you count along.

    count: Counting. Which cards are counted.
    count = challenge: the second, third or fourth answer to a challenge is a two, three or four
    count = pile: the cards of a pile are counted from ace to king, again and again
    count = game: the cards of the game are counted from ace to king, again and again
    """
    if count == "challenge":
        return 1 < chance_no <= 4 and top == chance_no - 2
    number = pile_no if count == "pile" else game_no
    return number > 0 and top != JOKER and (top + 1) % CIRCLE == (number - 1) % CIRCLE


@slap(
    yes=[("7S JKB", {"cards": ["JK"]}), ("5S TD", {"cards": ["T"]}), ("5S QS", {"cards": ["QS"]})],
    no=[("JKB 7S", {"cards": ["JK"]}), ("7S JKB", {"cards": ["JKR"]}), ("5S QH", {"cards": ["QS"]})],
    feature="card",
)
def instant(top: Card, *, cards: list[CardName]) -> bool:
    """A card you can slap on sight.

    cards: Cards. Which ones you can slap on sight.
    cards = {}: {}
    """
    return str(top) in cards or RANKS[top.rank] in cards


def _matches(one: Card, other: Card | None, how: str) -> bool:
    if other is None or one.rank != other.rank:
        return False
    return how == "rank" or (one.colour == other.colour if how == "rank_colour" else one.suit == other.suit)


@lru_cache(maxsize=256)
def places_of(names: tuple[str, ...]) -> tuple[Sequence[int], Sequence[int]]:
    """How many of these names are a card, by card, and how many a rank, by rank."""
    return tuple(map(names.count, NAMES)), tuple(map(names.count, RANKS))


def _ranks_match(one: int, other: int, how: str, total: int) -> bool:
    match how:
        case "same":
            return one == other
        case "other":
            return one != other
        case "next":
            return in_row((one, other), UNDER | OVER)
        case "double":
            return worth(one) > 0 and (worth(one) == 2 * worth(other) or worth(other) == 2 * worth(one))
        case "total":
            return min(worth(one), worth(other)) > 0 and worth(one) + worth(other) == total
    return True


def _suits_match(one: Card, other: Card, how: str) -> bool:
    if how == "any":
        return True
    if JOKER in (one.rank, other.rank):
        return False
    return one.colour == other.colour if how == "colour" else (one.suit == other.suit) == (how == "same")
