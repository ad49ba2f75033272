"""Counting in the kernel: adds the result of a game to the sums of its block."""

from __future__ import annotations

from ratscrew.lab import tally
from ratscrew.lab.jit import jit
from ratscrew.lab.kernel.layout import OVER, Record

bin_of = jit(tally.bin_of)


@jit
def count(config: Record, game: Record, sums: Record) -> None:
    """Add one finished game to the sums."""
    winner, ms = game.winner, game.now_us // 1000
    sums.games += 1
    sums.limited += game.limited
    if game.phase != OVER:
        sums.never_ended += 1
    elif winner >= 0:
        sums.wins[winner] += 1
        sums.comebacks += game.empty[winner]
        sums.leader_wins += winner == 0
    elif game.all_lose:
        sums.all_lose += 1
    else:
        sums.drawn += 1
    sums.cards += game.n
    sums.cards2 += game.n * game.n
    sums.tricks += game.tricks
    sums.tricks2 += game.tricks * game.tricks
    sums.time_us += game.now_us
    sums.time2_ms += ms * ms
    sums.lengths[bin_of(game.n)] += 1
