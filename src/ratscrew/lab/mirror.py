"""The mirror: the same games in the kernel and by the real engine, compared event for event.

    python -m ratscrew.lab.mirror --games 2000 --seed 1

The kernel keeps hands in rings and standings in numbers, the engine in tuples; what they decide, when, and by which
chance must be the same. Games of all presets, and of houses and bots by chance.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any, NamedTuple, TypeAlias

from ratscrew.bots.ladder import PLAIN
from ratscrew.game import events as happened
from ratscrew.game.events import Event
from ratscrew.game.standing import Phase
from ratscrew.lab import some_houses
from ratscrew.lab.draw import Stream
from ratscrew.lab.kernel import layout
from ratscrew.lab.kernel import note as told
from ratscrew.lab.kernel.door import Kernel, why_not
from ratscrew.lab.kernel.setup import Mind
from ratscrew.lab.race import Lap, race, tally_of
from ratscrew.rules.house import Rules
from ratscrew.rules.presets import PRESETS, house

CARDS = 300
"""A mirrored game is no longer: the engine is slow."""

Row: TypeAlias = tuple[int, int, int, int, int]

_PHASES: Mapping[Phase, int] = {
    "play": layout.PLAY,
    "won": layout.WON,
    "last": layout.LAST,
    "tie": layout.TIE,
    "over": layout.OVER,
}
_WHY = {
    "challenge": layout.CHALLENGE,
    "sole_holder": layout.SOLE_HOLDER,
    "stalemate": layout.STALEMATE,
    "penalty": layout.PENALTY,
    "last_chance": layout.LAST_CHANCE,
}
_LOCKS = {"pile": layout.LOCKED_PILE, "game": layout.LOCKED_GAME}


class Pair(NamedTuple):
    """A house with bots that is played on both sides of the mirror, and a name for it."""

    name: str
    rules: Rules
    bots: Sequence[Mind]


class Difference(NamedTuple):
    """Where the two sides part: the row's number, and the row on each side, None if there is none."""

    place: int
    kernel: Any
    engine: Any

    def __str__(self) -> str:
        return f"row {self.place}: {self.kernel} in the kernel, {self.engine} by the engine ({', '.join(layout.ROW)})"


def mirrored(pair: Pair, seed: int, number: int, kernel: Kernel | None = None, limit: int = CARDS) -> Difference | None:
    """Where the two sides of one game first part, or None: they are the same."""
    rows, tally = (kernel or Kernel.of(pair.rules, pair.bots, limit)).trace(seed, number)
    laps = list(race(pair.rules, pair.bots, seed, number, limit))
    ours = [tuple(map(int, row)) for row in rows]
    theirs = list(rows_of(laps, [bound.pattern.name for bound in pair.rules.patterns]))
    for place, (one, other) in enumerate(zip_longest(ours, theirs)):
        if one != other:
            return Difference(place, one, other)
    whole = tally_of(laps)
    return None if whole == tally else Difference(len(ours), tally, whole)


def rows_of(laps: Iterable[Lap], patterns: Sequence[str]) -> Iterator[Row]:
    """What happened by the engine, in the rows of the kernel."""
    for lap in laps:
        for row in _rows(lap.event, patterns):
            yield (lap.us, *row)


def _rows(event: Event, patterns: Sequence[str]) -> Iterator[tuple[int, int, int, int]]:
    match event:
        case happened.Played(seat, card, n):
            yield told.PLAYED, seat, card, n
        case happened.Passed(to):
            yield told.PASSED, to.turn, _PHASES[to.phase], to.left
        case happened.Slapped(seats) | happened.Voided(seats) | happened.Tied(seats):
            kind = {happened.Slapped: told.SLAPPED, happened.Voided: told.VOIDED, happened.Tied: told.TIED}
            yield from ((kind[type(event)], seat, -1, len(seats)) for seat in seats)
        case happened.Fouled(seat, streak):
            yield told.FOULED, seat, -1, streak
        case happened.Burned(seat, count, cards) | happened.Eliminated(seat, count, cards):
            kind_of = told.BURNED if isinstance(event, happened.Burned) else told.ELIMINATED
            yield kind_of, seat, cards[0] if cards else -1, count
        case happened.Given(seat, receiver, card):
            yield told.GIVEN, seat, -1 if card is None else card, receiver
        case happened.Struck(seat, strikes):
            yield told.STRUCK, seat, -1, strikes
        case happened.Locked(seat, until):
            yield told.LOCKED, seat, -1, _LOCKS[until] if isinstance(until, str) else until
        case happened.HandBurned(seat):
            yield told.HAND_BURNED, seat, -1, 0
        case happened.Indebted(seat, owed):
            yield told.INDEBTED, seat, -1, owed
        case happened.Resumed(to):
            yield told.RESUMED, to.turn, -1, 0
        case happened.Taken(seat, count, why):
            slap = why.removeprefix("slap:")
            yield told.TAKEN, seat, layout.SLAP + patterns.index(slap) if slap != why else _WHY[why], count
        case happened.Touched(seat):
            yield told.TOUCHED, seat, -1, 0
        case happened.Spared(seat, to):
            yield told.SPARED, seat, -1 if to.by is None else to.by, to.left
        case happened.Won(seat):
            yield told.WON, seat, -1, 0
        case happened.Lost(seat):
            yield told.LOST, seat, -1, 0
        case happened.Drawn(to):
            yield told.DRAWN, to.turn, -1, 0
        case happened.Redealt(hands, to):
            yield told.REDEALT, to.turn, -1, sum(map(len, hands))


def pairs(seed: int) -> Iterator[Pair]:
    """Houses with bots without end: each preset with two to six players in turn, and as many houses by chance."""
    stream, strengths = Stream(seed), [*PLAIN.values()]
    while True:
        for preset in PRESETS:
            rules = house(preset)
            seats = 2 + stream.below(min(rules.max_players or 6, 6) - 1)
            line_up = [strengths[stream.below(len(strengths))] for _ in range(seats)]
            yield Pair(preset, rules, line_up)
            seats = 2 + stream.below(7)
            yield Pair(f"a house by chance for {seats}", some_houses.house(stream), some_houses.bots(seats, stream))


def main(words: Sequence[str] | None = None) -> int:
    """Compare games until there are as many as asked for; 1 if any differs."""
    parser = argparse.ArgumentParser(prog="python -m ratscrew.lab.mirror", description=__doc__.partition("\n")[0])
    parser.add_argument("--games", type=int, default=1000, help="how many games are compared")
    parser.add_argument("--seed", type=int, default=1, help="which ones")
    asked = parser.parse_args(words)
    played = passed = faults = 0
    for pair in pairs(asked.seed):
        if played == asked.games:
            break
        if why := why_not(pair.rules, pair.bots):
            passed += 1
            print(f"passed over: {pair.name}: {why}") if pair.name in PRESETS else None
            continue
        played += 1
        if difference := mirrored(pair, asked.seed, played):
            faults += 1
            print(f"game {played}, {pair.name}: {difference}\n  {pair.rules}\n  {pair.bots}")
    print(f"{played} games compared, {faults} differ; {passed} houses passed over that the kernel does not play")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
