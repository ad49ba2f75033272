"""The kernel favours no seat: with the seats renumbered, the same things happen under the new numbers.

Two kernel games get the same commands, one with each seat renamed as in `tests/game/relabel.py`. What may depend on
seat numbers: two hands in the same microsecond come down in the order of the seats, so the times here differ. In a
whole game the bots also draw their chances in the order of the seats; no bots play here. Lanes play only games without
slaps between two players, whom they tell apart by who leads and never by seat.
"""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

import numpy as np
import pytest

from ratscrew.bots.ladder import PLAIN
from ratscrew.lab import random_houses
from ratscrew.lab.jit import jit_cached
from ratscrew.lab.kernel.deal import deal
from ratscrew.lab.kernel.layout import GAME, NEVER, OVER, Record
from ratscrew.lab.kernel.runner import unsupported_reason
from ratscrew.lab.kernel.setup import tabulate
from ratscrew.lab.kernel.slap import slap
from ratscrew.lab.random_stream import RandomStream
from ratscrew.rules.house import Rules
from ratscrew.rules.presets import house
from tests.game.relabel import Relabelling
from tests.lab.kernel_step import go_on

ONE_SEAT = ("turn", "by", "last", "loser", "back_turn", "back_by", "tied", "winner", "was_by", "kept_turn")
"""Fields of a game that hold one seat or -1."""

MASKS = ("barred", "holding", "missed")
"""Fields with a bit for each seat."""

BY_SEAT = {
    "head",
    "held",
    "empty",
    "slap_us",
    "forehead_us",
    "out",
    "strikes",
    "fouls",
    "streak",
    "streak_n",
    "locked",
    "hand_burned",
    "debt",
    "convicted",
    "touched",
    "good",
    "wrong",
    "ring",
    "kept_held",
}
"""Fields with one value for each seat."""

SCRATCH = ("hands", "trace_rows", "readable", "kept_cards")
"""Fields in which nothing is kept from one command to the next, and the hands of an earlier state one after the other,
which are in another order: whether they come back is compared."""

COMMAND_US = 400_000
"""The time between two commands."""

NO_PATTERN = {"double": False, "sandwich": False, "instant": []}

HOUSES: dict[str, dict[str, Any]] = {
    "a card to everybody": {"wrong_slap": {"kind": "give", "to": "everybody"}},
    "players are thrown out": {
        "max_streak": 1,
        "slaps": NO_PATTERN,
        "wrong_slap": {"kind": "none"},
        "no_cards": {"kind": "ignore"},
    },
    "cards are dealt anew": {
        "stalemate": "redeal",
        "max_streak": 3,
        "chances": {"J": 0, "Q": 0, "K": 0, "A": 1},
        "pickup": "shuffle",
    },
    "a last chance": {"last_chance": 5, "last_chance_who": "anyone", "max_streak": 2},
}
"""Houses in which several seats are served one after the other."""


@jit_cached
def begin(config: Record, game: Record, seed: np.uint64) -> None:
    """Deal a game; seat 0 leads."""
    deal(config, game, seed, np.uint64(0))


@jit_cached
def slap_now(config: Record, game: Record) -> None:
    """Every hand that has a time comes down."""
    game.taken = -1
    slap(config, game, NEVER)


def renamed(game: Record, name: str, how: Relabelling) -> Any:
    """The value of a field of a game once the seats are renumbered."""
    value = game[name]
    if name in ONE_SEAT:
        return how.seat(int(value))
    if name in MASKS:
        return sum(1 << how.seat(seat) for seat in range(how.seats) if int(value) >> seat & 1)
    if name in BY_SEAT:
        new = value.copy()
        new[[how.seat(seat) for seat in range(how.seats)]] = value[: how.seats]
        return new
    return value


@cache
def word_order(how: Relabelling) -> tuple[Any, Any]:
    """For each 8-byte word of a renumbered game: where it is in the original, and whether it is compared."""
    order, compared = np.arange(GAME.itemsize // 8), np.ones(GAME.itemsize // 8, bool)
    for name, (kind, start, *_) in (GAME.fields or {}).items():
        if name in BY_SEAT:
            words = kind.itemsize // kind.shape[0] // 8
            for seat in range(how.seats):
                first, source = (start // 8 + each * words for each in (how.seat(seat), seat))
                order[first : first + words] = np.arange(source, source + words)
        elif name in SCRATCH:
            compared[start // 8 : (start + kind.itemsize) // 8] = False
    return order[compared], compared


def same(here: Record, there: Record, how: Relabelling) -> bool:
    """Whether a game is the other one with its seats renumbered: `differing` for all fields at once."""
    order, compared = word_order(how)
    expected, found = np.frombuffer(here, np.uint64)[order], np.frombuffer(there, np.uint64)[compared]
    unequal = (expected != found).nonzero()[0]
    if len(unequal) > len(ONE_SEAT) + len(MASKS):
        return False
    places = {GAME.fields[name][1] // 8 for name in (*ONE_SEAT, *MASKS)} if GAME.fields else set()
    if not places >= set(order[unequal].tolist()):
        return False
    return all(renamed(here, name, how) == there[name] for name in (*ONE_SEAT, *MASKS))


def differing(here: Record, there: Record, how: Relabelling) -> list[str]:
    """The fields in which a game is not the other one with its seats renumbered."""
    names = [name for name in GAME.names or () if name not in SCRATCH]
    return [name for name in names if not np.array_equal(renamed(here, name, how), there[name])]


def compared(rules: Rules, how: Relabelling, seed: int, most: int, commands: int = 250) -> None:
    """Give the same commands to a game and to its renumbered twin, and compare them after each.

    Nobody is dealt more than `most` cards, so that players run out soon.
    """
    chance = Random(seed)
    here_config = tabulate(rules, [PLAIN["steady"]] * how.seats, 10**6)
    there_config = here_config.copy()
    there_config["step"] *= -1 if how.reflected else 1
    here = np.zeros(1, GAME)[0]
    begin(here_config, here, np.uint64(seed))
    for seat in range(how.seats):
        here["held"][seat] = min(most, int(here["held"][seat]))
    there = here.copy()
    for name in GAME.names or ():
        there[name] = renamed(here, name, how)
    for number in range(commands):
        if here["phase"] == OVER:
            break
        now_us = (number + 1) * COMMAND_US
        for game in (here, there):
            game["now_us"] = now_us
        if chance.random() < 0.5:
            go_on(here_config, here)
            go_on(there_config, there)
        else:
            winner = int(here["turn"] if here["by"] < 0 else here["by"])
            hands = {winner, *chance.sample(range(how.seats), chance.randint(0, 2))}
            for place, seat in enumerate(chance.sample(sorted(hands), len(hands))):
                here["slap_us"][seat] = there["slap_us"][how.seat(seat)] = now_us + place
            if chance.random() < 0.7:
                here["touched"], there["touched"] = 1, 1
            slap_now(here_config, here)
            slap_now(there_config, there)
        wrong = [] if same(here, there, how) else differing(here, there, how)
        assert not wrong, f"command {number}: {wrong} differ; {how}, seed {seed}; {rules}"


def relabelling(chance: Random) -> Relabelling:
    """Some rotation or reflection of a table of three to six."""
    seats = chance.randint(3, 6)
    return Relabelling(seats, chance.randrange(1, seats), chance.random() < 0.5)


@pytest.mark.parametrize("kind", HOUSES)
def test_renumbered_seats_change_nothing_where_seats_are_served_in_turn(kind: str) -> None:
    for seed in range(40):
        chance = Random(seed)
        rules = house(**HOUSES[kind], direction=chance.choice(["cw", "ccw"]))
        compared(rules, relabelling(chance), seed, chance.randint(2, 10))


def test_renumbered_seats_change_nothing_in_houses_by_chance() -> None:
    played = 0
    for seed in range(100):
        chance = Random(seed)
        rules, how = random_houses.random_house(RandomStream(seed)), relabelling(chance)
        if unsupported_reason(rules, [PLAIN["steady"]] * how.seats):
            continue
        compared(rules, how, seed, chance.randint(2, 10), commands=120)
        played += 1
    assert played > 70


def test_a_difference_in_any_field_is_seen() -> None:
    """A game is itself renumbered by nothing; a change of any one number of it is a difference."""
    game, how = np.zeros(1, GAME)[0], Relabelling(4)
    assert same(game, game, how)
    for name in GAME.names or ():
        other = game.copy()
        value = np.atleast_1d(np.asarray(other[name])).copy()
        value.flat[-1] = 1
        other[name] = value if GAME[name].shape else value[0]
        assert same(game, other, how) == (differing(game, other, how) == []) == (name in SCRATCH), name
