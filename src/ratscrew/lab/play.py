"""Many games of one house and line-up, by the kernel where it can play them, else by the engine in many processes.

Nothing in this file knows what is counted. Whichever way, and in however many pieces: the same games, the same tally.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import pairwise
from typing import Literal, TypeAlias, cast

from ratscrew.bots.bot import Bot
from ratscrew.lab import crew, race
from ratscrew.lab.kernel.door import BLOCK, Kernel
from ratscrew.lab.kernel.setup import Mind, why_not
from ratscrew.lab.lanes import door as lanes
from ratscrew.lab.tally import Tally
from ratscrew.rules.house import Rules

Way: TypeAlias = Literal["lanes", "kernel", "engine"]
"""Who plays: 64 games side by side, one after the other but compiled, or the game's own code."""

PIECES = 100
"""In so many pieces games are played: as often one hears how far they are."""

GREATEST = 16_384
"""Games of the greatest piece: whoever wants to stop does not wait long."""


def play(
    rules: Rules,
    bots: Sequence[Bot],
    games: int,
    seed: int,
    *,
    first: int = 0,
    threads: int = 1,
    engine: bool = False,
    told: Callable[[int], object] = lambda games: None,
) -> Tally:
    """The tally of so many games of a seed, from game `first` on; `told` hears how many more are over.

    Raises: RulesError if the house does not allow so many players.
    """
    tally = Tally()
    for piece in pieces(rules, bots, [first + cut for cut in cuts(games)], seed, threads=threads, engine=engine):
        told(piece.games)
        tally += piece
    return tally


def cuts(games: int, pieces: int = PIECES) -> list[int]:
    """Where games are cut into pieces, more where one would be greater than `GREATEST`; none is empty."""
    count = min(games, max(pieces, -(-games // GREATEST)))
    return [games * cut // count for cut in range(count + 1)]


def pieces(
    rules: Rules, bots: Sequence[Bot], cuts: Sequence[int], seed: int, *, threads: int = 1, engine: bool = False
) -> Iterator[Tally]:
    """The tally of the games between each cut and the next, in their order."""
    spans = [(end - start, start) for start, end in pairwise(cuts)]
    way = way_of(rules, bots, engine)
    if way == "engine":
        piece, pool = partial(_by_engine, rules, bots, seed), crew.processes
    else:
        ready = Kernel.of(rules, cast("Sequence[Mind]", bots))
        piece, pool = partial(_by_lanes if way == "lanes" else _by_kernel, ready, rules, seed), crew.threads
    if threads == 1 or len(spans) == 1:
        yield from (piece(*span) for span in spans)
        return
    with pool(threads) as players:
        futures = [players.submit(piece, *span) for span in spans]
        yield from (future.result() for future in futures)


def way_of(rules: Rules, bots: Sequence[Bot], engine: bool = False) -> Way:
    """Who plays a house with these bots; the engine where it is asked for."""
    if engine or why_not(rules, bots):
        return "engine"
    return "lanes" if lanes.only_turn(bots) and not lanes.why_not(rules) else "kernel"


def _by_engine(rules: Rules, bots: Sequence[Bot], seed: int, games: int, first: int) -> Tally:
    return race.run(rules, bots, games, seed, first=first)


def _by_lanes(ready: Kernel, rules: Rules, seed: int, games: int, first: int) -> Tally:
    """Games that never end are rare enough for the kernel to play all that are beside them once more."""
    found = lanes.run(rules, games, seed, first=first)
    return _by_kernel(ready, rules, seed, games, first) if found.never_ended else found


def _by_kernel(ready: Kernel, _: Rules, seed: int, games: int, first: int) -> Tally:
    starts = range(first, first + games, BLOCK)
    return sum((ready.block(seed, start, min(BLOCK, first + games - start)) for start in starts), Tally())
