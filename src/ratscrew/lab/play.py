"""Many games of one house and line-up, by the kernel where it can play them, else by the engine in many processes.

Nothing in this file knows what is counted. Whichever way, and in however many pieces: the same games, the same tally.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from ratscrew.bots.bot import Bot
from ratscrew.lab import race
from ratscrew.lab.crew import crew
from ratscrew.lab.tally import Tally
from ratscrew.rules.house import Rules


def why_not(rules: Rules, bots: Sequence[Bot]) -> str | None:
    """Why the kernel cannot play this, or None."""
    return "there is no kernel yet"


PIECES = 100
"""In so many pieces games are played: as often one hears how far they are."""


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


def cuts(games: int, most: int = PIECES) -> list[int]:
    """Where games are cut into pieces, as many as there may be: none is empty."""
    count = min(games, most)
    return [games * cut // count for cut in range(count + 1)]


def pieces(
    rules: Rules, bots: Sequence[Bot], cuts: Sequence[int], seed: int, *, threads: int = 1, engine: bool = False
) -> Iterator[Tally]:
    """The tally of the games between each cut and the next, in their order."""
    if threads == 1 or len(cuts) == 2:
        yield from (_by_engine(rules, bots, seed, start, end) for start, end in pairwise(cuts))
        return
    with crew(threads) as players:
        futures = [players.submit(_by_engine, rules, bots, seed, start, end) for start, end in pairwise(cuts)]
        yield from (future.result() for future in futures)


def _by_engine(rules: Rules, bots: Sequence[Bot], seed: int, start: int, end: int) -> Tally:
    return race.run(rules, bots, end - start, seed, first=start)
