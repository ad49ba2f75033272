"""Random houses from everything that the oracle knows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from tests.oracle.house import JOKERS, OPTIONS, PACK, PENALTIES, RANKS, SLAPS, Choice

CARDS = [*RANKS, "JK", *PACK, *JOKERS]

NUMBERS: Mapping[str, Callable[[Random], Any]] = {
    "decks": lambda chance: chance.choice([1, 1, 1, 2]),
    "jokers": lambda chance: chance.randint(0, 3),
    "without": lambda chance: chance.sample(CARDS, chance.randint(0, 6)),
    "chances": lambda chance: random_chances(chance),
    "stoppers": lambda chance: chance.sample(CARDS, chance.randint(1, 4)),
    "tie_window_ms": lambda chance: chance.choice([10, 100]),
    "withdraw_ms": lambda chance: chance.choice([100, 400]),
    "max_streak": lambda chance: chance.randint(1, 3),
    "out_of_turn_burn": lambda chance: chance.randint(1, 3),
    "last_chance": lambda chance: chance.randint(1, 5),
    "limit_cards": lambda chance: chance.randint(1, 150),
    "slaps": lambda chance: random_slaps(chance),
    "wrong_slap": lambda chance: random_penalty(chance, "wrong_slap"),
    "no_cards": lambda chance: random_penalty(chance, "no_cards"),
    "len": lambda chance: chance.choice([2, 2, 3, 3, 4, 5]),
    "total": lambda chance: chance.randint(4, 20),
    "cards": lambda chance: chance.sample(CARDS, chance.randint(1, 4)),
    "count": lambda chance: chance.randint(1, 4),
    "until": lambda chance: chance.choice(["pile", 1, 2, 5]),
    "limit": lambda chance: chance.randint(1, 3),
}
"""A value of each option and parameter that is no choice between few."""

FORCED: Mapping[str, Any] = {
    "slaps": dict.fromkeys(("double", "sandwich", "instant"), False),
    "pickup": "keep",
    "stalemate": "draw",
    "out_of_turn": "reject",
    "out_of_turn_burn": 0,
    "dead_place": "bottom",
}
"""Choices by which the cards alone decide a game, so that it can come back to an earlier state."""


def random_choices(chance: Random) -> dict[str, Any]:
    """The choices of a random house, of which the program may refuse some combinations."""
    share = chance.choice([0.1, 0.3, 0.5])
    some = {name: _value(chance, name, OPTIONS[name]) for name in OPTIONS if chance.random() < share}
    some = {name: value for name, value in some.items() if value is not None}
    for name in ("slaps", "wrong_slap", "no_cards"):
        if chance.random() < 0.8:
            some[name] = NUMBERS[name](chance)
    return some if chance.random() < 0.9 else {**some, **FORCED}


def random_slaps(chance: Random) -> dict[str, Any]:
    """A few patterns with random parameters, now and then none, and wild cards."""
    few = chance.choice([0, 1, 2, 4, 8])
    names = [*SLAPS] if chance.random() < 0.05 else chance.sample([*SLAPS], few)
    slaps: dict[str, Any] = dict.fromkeys(("double", "sandwich", "instant"), False)
    for name in names:
        given = {each: _value(chance, each, choice) for each, choice in SLAPS[name].items()}
        slaps[name] = given or True
    if chance.random() < 0.2:
        slaps["wild"] = chance.sample(CARDS, chance.randint(1, 3))
    return slaps


def random_penalty(chance: Random, option: str) -> dict[str, Any]:
    """A random penalty with random parameters."""
    kind = chance.choice([*PENALTIES[option]])
    return {"kind": kind, **{name: _value(chance, name, choice) for name, choice in PENALTIES[option][kind].items()}}


def random_chances(chance: Random) -> dict[str, int]:
    """The usual challenges or none, and some others."""
    some: dict[str, int] = {} if chance.random() < 0.5 else dict.fromkeys("JQKA", 0)
    return {**some, **{card: chance.randint(1, 6) for card in chance.sample(CARDS, chance.randint(0, 4))}}


def _value(chance: Random, name: str, choice: Choice) -> Any:
    """A random value; None for an option that a dealt game does not see."""
    if choice[1] is not None:
        return chance.choice(choice[1])
    return NUMBERS[name](chance) if name in NUMBERS else None
