"""What may be slapped (clause 4). A card is the set of ranks or suits that it may stand for: a wild card is any."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from tests.oracle.house import RANKS, SUITS, House, named, rank

Ranks = Sequence[set[str]]
"""What each card may be, the newest first."""

ANY_RANK = {*RANKS, "JK"}
RED = {"D", "H"}
LOW, HIGH = "A23456789TJQK", "23456789TJQKA"


def find(house: House, view: Sequence[str], first: str | None, answer: int) -> str | None:
    """The name of the first pattern on top, or None.

    `view` is what a slap may see, the newest card first; `first` is the card that `top_bottom` compares it with. The
    newest card is number `answer` of the answers to a challenge, or 0.
    """
    if not view:
        return None
    ranks = [ANY_RANK if named(card, house.wild) else {rank(card)} for card in view]
    for name, given in house.slaps.items():
        match name:
            case "top_bottom":
                found = first is not None and matches(house, given["match"], view[0], first)
            case "count_match":
                found = 2 <= answer <= 4 and str(answer) in ranks[0]
            case "instant":
                found = named(view[0], given["cards"]) or named(view[0], house.wild)
            case "suit_run":
                found = alike([_suits(house, card) for card in view[: given["len"]]], given["len"])
            case "colour_run":
                found = alike([_colours(house, card) for card in view[: given["len"]]], given["len"])
            case _:
                found = in_ranks(name, ranks, given)
        if found:
            return name
    return None


def in_ranks(name: str, cards: Ranks, given: Mapping[str, Any]) -> bool:
    """Whether a pattern that looks at ranks alone lies on top."""
    seen = len(cards)
    match name:
        case "double":
            return seen > 1 and bool(cards[0] & cards[1])
        case "triple":
            return seen > 2 and bool(cards[0] & cards[1] & cards[2])
        case "triple_six":
            return seen > 2 and all("6" in card for card in cards[:3])
        case "sandwich":
            return seen > 2 and any(cards[1] - {outer} for outer in cards[0] & cards[2])
        case "hoagie":
            return seen > 3 and any(cards[1] - {outer} and cards[2] - {outer} for outer in cards[0] & cards[3])
        case "marriage":
            return are(cards[:2], 2, "QK")
        case "scandal":
            return are(cards[:2], 2, "JQ")
        case "sixty_nine":
            return are(cards[:2], 2, "69")
        case "divorce":
            return are(cards[:3], 3, "QK")
        case "run":
            return len(cards) >= given["len"] and row(cards[: given["len"]], given["step"], given["ace"])
        case "tens":
            return adds_up(cards, given)
    raise NotImplementedError(name)


def are(cards: Ranks, size: int, pair: str) -> bool:
    """Whether the outer cards of a window of this size are two ranks, either way."""
    ways = ((pair[0], pair[1]), (pair[1], pair[0]))
    return len(cards) == size and any(one in cards[0] and other in cards[-1] for one, other in ways)


def row(cards: Ranks, step: str, ace: str) -> bool:
    """Whether ranks go up or down (4.7). With gaps, an ace that wraps stands at either end."""
    lines = {"low": [LOW], "high": [HIGH], "either": [LOW, HIGH], "wrap": [LOW, HIGH]}[ace]
    if step == "monotone":
        return any(climbs(cards, line) or climbs(cards, line[::-1]) for line in lines)
    around = [LOW + LOW[: len(cards) - 1]] if ace == "wrap" else lines
    for some in _parts(around, len(cards)):
        if step == "any_order":
            fixed = [next(iter(card)) for card in cards if len(card) == 1]
            if len({*fixed}) == len(fixed) and {*fixed} <= {*some}:
                return True
        elif any(all(one in card for one, card in zip(way, cards, strict=True)) for way in (some, some[::-1])):
            return True
    return False


def _parts(lines: Sequence[str], size: int) -> Iterator[str]:
    """Every row of so many neighbours of these lines."""
    for line in lines:
        yield from (line[at : at + size] for at in range(len(line) - size + 1))


def climbs(cards: Ranks, line: str) -> bool:
    """Whether each card stands later in the line than the one before; a wild card is the soonest that can."""
    place = -1
    for card in cards:
        later = [at for at in range(place + 1, len(line)) if line[at] in card]
        if not later:
            return False
        place = later[0]
    return True


def adds_up(cards: Ranks, given: Mapping[str, Any]) -> bool:
    """Whether the newest cards, two number cards or more, add up to the total (4.8)."""
    most = 2 if given["addends"] == "two" else len(cards)
    gap = {"block": 0, "skip_one": 1, "skip": len(cards)}[given["faces"]]
    worth = {one: number for number, one in enumerate(LOW[:10], start=1)}
    if not given["ace"]:
        del worth["A"]

    @cache
    def reaches(place: int, left: int, count: int, faces: int) -> bool:
        if place == len(cards) or count == most:
            return False
        for one in cards[place] - {"JK"}:
            rest = left - worth.get(one, 0)
            if one not in worth:
                found = count > 0 and faces < gap and reaches(place + 1, left, count, faces + 1)
            else:
                found = (rest == 0 and count > 0) or (rest > 0 and reaches(place + 1, rest, count + 1, 0))
            if found:
                return True
        return False

    return reaches(0, given["total"], 0, 0)


def alike(cards: Sequence[set[str]], size: int) -> bool:
    """Whether so many cards have one suit, or one colour, in common."""
    return len(cards) == size and bool(set.intersection(*cards))


def matches(house: House, how: str, top: str, other: str) -> bool:
    """Whether two cards match in rank, or also in colour or suit (4.11)."""
    if named(top, house.wild) or named(other, house.wild):
        return True
    if rank(top) != rank(other):
        return False
    return how == "rank" or (_colour(top) == _colour(other) if how == "rank_colour" else _suit(top) == _suit(other))


def _suits(house: House, card: str) -> set[str]:
    return {*SUITS} if named(card, house.wild) else {_suit(card)} - {"none"}


def _colours(house: House, card: str) -> set[str]:
    return {"red", "black"} if named(card, house.wild) else {_colour(card)} - {"none"}


def _suit(card: str) -> str:
    return "none" if rank(card) == "JK" else card[1]


def _colour(card: str) -> str:
    return "none" if rank(card) == "JK" else "red" if card[1] in RED else "black"
