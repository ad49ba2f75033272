"""The Python interface of the kernel: plays games of a house, and returns a tally or a trace."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ratscrew.lab.kernel.layout import GAME, SUMS, Record
from ratscrew.lab.kernel.play import play_many
from ratscrew.lab.kernel.setup import BotModel, tabulate, unsupported_reason
from ratscrew.lab.random_stream import MASK
from ratscrew.lab.simulation import MAX_CARDS
from ratscrew.lab.tally import Tally, strip_zeros
from ratscrew.rules.house import Rules

__all__ = ["Kernel", "run", "unsupported_reason"]

BLOCK = 2048
"""How many games a thread plays at a time: few enough that no sum overflows."""


@dataclass(frozen=True, slots=True)
class Kernel:
    """A house with its bots, ready to be played: their tables, and the names of the patterns."""

    config: Record
    patterns: tuple[str, ...]

    @classmethod
    def of(cls, rules: Rules, bots: Sequence[BotModel], limit: int = MAX_CARDS) -> Kernel:
        """The kernel of a house with these bots, for which `unsupported_reason` must be None."""
        return cls(tabulate(rules, bots, limit), tuple(bound.pattern.name for bound in rules.patterns))

    def block(self, seed: int, first: int, games: int) -> Tally:
        game, sums = np.zeros(1, GAME)[0], np.zeros(1, SUMS)[0]
        play_many(self.config, game, sums, np.uint64(seed & MASK), np.uint64(first & MASK), games)
        return self._tally(game, sums)

    def trace(self, seed: int, number: int) -> tuple[NDArray[np.int64], Tally]:
        """The trace of one game, in the columns of `layout.ROW`, and its tally."""
        game, sums = np.zeros(1, GAME)[0], np.zeros(1, SUMS)[0]
        game["tracing"] = 1
        play_many(self.config, game, sums, np.uint64(seed & MASK), np.uint64(number & MASK), 1)
        return game["trace_rows"][: int(game["rows"])], self._tally(game, sums)

    def _tally(self, game: Record, sums: Record) -> Tally:
        counts = {name: int(sums[name]) for name in sums.dtype.names if sums[name].ndim == 0}
        slaps = zip(self.patterns, game["slaps"], strict=False)
        return Tally(
            **counts,
            wins=_counts(sums["wins"]),
            lengths=_counts(sums["lengths"]),
            good=_counts(game["good"]),
            wrong=_counts(game["wrong"]),
            slaps={name: int(count) for name, count in slaps if count},
        )


def run(
    rules: Rules,
    bots: Sequence[BotModel],
    games: int,
    seed: int,
    *,
    first: int = 0,
    threads: int = 1,
    limit: int = MAX_CARDS,
) -> Tally:
    """The tally of `games` games of a seed, from number `first` on; the same with any number of threads.

    With 0 threads there are as many as the machine has cores.
    """
    kernel = Kernel.of(rules, bots, limit)
    blocks = [(place, min(BLOCK, first + games - place)) for place in range(first, first + games, BLOCK)]
    if threads == 1 or len(blocks) < 2:
        return sum((kernel.block(seed, *block) for block in blocks), Tally())
    with ThreadPoolExecutor(threads or os.cpu_count()) as pool:
        return sum(pool.map(lambda block: kernel.block(seed, *block), blocks), Tally())


def _counts(some: NDArray[np.int64]) -> tuple[int, ...]:
    return strip_zeros(tuple(map(int, some)))
