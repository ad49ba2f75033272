"""Differential test: play the same games in the kernel and in the engine, and compare them event for event.

    python -m ratscrew.lab.differential_test --games 2000 --seed 1

The kernel has hands in ring buffers and standings as integers, the engine has tuples. Their decisions, times and random
numbers must be the same. The games are of all presets, and of random houses and bots.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any, NamedTuple, TypeAlias

from ratscrew.bots.ladder import PLAIN
from ratscrew.game import events
from ratscrew.game.events import Event
from ratscrew.game.penalty_logic import FOR_THE_GAME, UNTIL_TAKEN
from ratscrew.game.standing import Phase
from ratscrew.lab import random_houses
from ratscrew.lab.kernel import layout, trace
from ratscrew.lab.kernel.runner import Kernel, unsupported_reason
from ratscrew.lab.kernel.setup import BotModel
from ratscrew.lab.random_stream import RandomStream
from ratscrew.lab.simulation import TimelineEntry, simulate, tally_of
from ratscrew.rules.house import Rules
from ratscrew.rules.presets import PRESETS, house

MAX_CARDS = 300
"""The most cards of a compared game: the engine is slow."""

Row: TypeAlias = tuple[int, int, int, int, int]

_PHASES: Mapping[Phase, int] = {
    "play": layout.PLAY,
    "won": layout.WON,
    "last_chance": layout.LAST,
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
_END_REASONS = ("play", "limit", "repetition")
_LOCKS = {"pile": UNTIL_TAKEN, "game": FOR_THE_GAME}


class Scenario(NamedTuple):
    """A house with bots that both sides play, and a name for it."""

    name: str
    rules: Rules
    bots: Sequence[BotModel]


class Mismatch(NamedTuple):
    """The first difference: the row's index, and the row on each side, None if it has ended."""

    place: int
    kernel: Any
    engine: Any

    def __str__(self) -> str:
        return f"row {self.place}: {self.kernel} in the kernel, {self.engine} by the engine ({', '.join(layout.ROW)})"


def first_mismatch(
    scenario: Scenario, seed: int, number: int, kernel: Kernel | None = None, limit: int = MAX_CARDS
) -> Mismatch | None:
    """The first mismatch of one game, or None if both sides are the same."""
    rows, tally = (kernel or Kernel.of(scenario.rules, scenario.bots, limit)).trace(seed, number)
    timeline = list(simulate(scenario.rules, scenario.bots, seed, number, limit))
    ours = [tuple(map(int, row)) for row in rows]
    theirs = list(trace_rows(timeline, [bound.pattern.name for bound in scenario.rules.patterns]))
    for place, (one, other) in enumerate(zip_longest(ours, theirs)):
        if one != other:
            return Mismatch(place, one, other)
    whole = tally_of(timeline)
    return None if whole == tally else Mismatch(len(ours), tally, whole)


def trace_rows(timeline: Iterable[TimelineEntry], patterns: Sequence[str]) -> Iterator[Row]:
    """The engine's events in the format of the kernel's trace."""
    for entry in timeline:
        for row in _rows(entry.event, patterns):
            yield (entry.us, *row)


def _rows(event: Event, patterns: Sequence[str]) -> Iterator[tuple[int, int, int, int]]:
    match event:
        case events.Played(seat, card, n):
            yield trace.PLAYED, seat, card, n
        case events.Passed(to):
            yield trace.PASSED, to.turn, _PHASES[to.phase], to.chances_left
        case events.Slapped(seats) | events.Voided(seats) | events.Tied(seats):
            kind = {events.Slapped: trace.SLAPPED, events.Voided: trace.VOIDED, events.Tied: trace.TIED}
            yield from ((kind[type(event)], seat, -1, len(seats)) for seat in seats)
        case events.Fouled(seat, streak):
            yield trace.FOULED, seat, -1, streak
        case events.Burned(seat, count, cards) | events.Eliminated(seat, count, cards):
            kind_of = trace.BURNED if isinstance(event, events.Burned) else trace.ELIMINATED
            yield kind_of, seat, cards[0] if cards else -1, count
        case events.Given(seat, receiver, card):
            yield trace.GIVEN, seat, -1 if card is None else card, receiver
        case events.Struck(seat, strikes):
            yield trace.STRUCK, seat, -1, strikes
        case events.Locked(seat, until):
            yield trace.LOCKED, seat, -1, _LOCKS[until] if isinstance(until, str) else until
        case events.HandBurned(seat):
            yield trace.HAND_BURNED, seat, -1, 0
        case events.Indebted(seat, owed):
            yield trace.INDEBTED, seat, -1, owed
        case events.Resumed(to):
            yield trace.RESUMED, to.turn, -1, 0
        case events.Taken(seat, count, why):
            slap = why.removeprefix("slap:")
            yield trace.TAKEN, seat, layout.SLAP + patterns.index(slap) if slap != why else _WHY[why], count
        case events.Touched(seat):
            yield trace.TOUCHED, seat, -1, 0
        case events.LastChanceGiven(seat, to):
            yield trace.SPARED, seat, -1 if to.challenger is None else to.challenger, to.chances_left
        case events.Won(seat, _, why):
            yield trace.WON, seat, -1, _END_REASONS.index(why)
        case events.Lost(seat):
            yield trace.LOST, seat, -1, 0
        case events.Drawn(to, why):
            yield trace.DRAWN, to.turn, -1, _END_REASONS.index(why)
        case events.Redealt(hands, to):
            yield trace.REDEALT, to.turn, -1, sum(map(len, hands))


def scenarios(seed: int) -> Iterator[Scenario]:
    """Endless scenarios: each preset in turn, with two to six players, each followed by a random house."""
    stream, strengths = RandomStream(seed), [*PLAIN.values()]
    while True:
        for preset in PRESETS:
            rules = house(preset)
            seats = 2 + stream.below(min(rules.max_players or 6, 6) - 1)
            line_up = [strengths[stream.below(len(strengths))] for _ in range(seats)]
            yield Scenario(preset, rules, line_up)
            seats = 2 + stream.below(7)
            yield Scenario(
                f"a house by chance for {seats}",
                random_houses.random_house(stream),
                random_houses.random_bots(seats, stream),
            )


def main(words: Sequence[str] | None = None) -> int:
    """Compare the requested number of games; returns 1 if any differs."""
    parser = argparse.ArgumentParser(
        prog="python -m ratscrew.lab.differential_test", description=__doc__.partition("\n")[0]
    )
    parser.add_argument("--games", type=int, default=1000, help="how many games are compared")
    parser.add_argument("--seed", type=int, default=1, help="the seed of the games")
    asked = parser.parse_args(words)
    played = passed = faults = 0
    for scenario in scenarios(asked.seed):
        if played == asked.games:
            break
        if why := unsupported_reason(scenario.rules, scenario.bots):
            passed += 1
            print(f"skipped: {scenario.name}: {why}") if scenario.name in PRESETS else None
            continue
        played += 1
        if mismatch := first_mismatch(scenario, asked.seed, played):
            faults += 1
            print(f"game {played}, {scenario.name}: {mismatch}\n  {scenario.rules}\n  {scenario.bots}")
    print(f"{played} games compared, {faults} differ; {passed} houses skipped that the kernel does not support")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
