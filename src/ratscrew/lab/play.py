"""Play many games of a house and line-up, compiled if possible, else by the engine in many processes.

The same games give the same tally on every backend and in any number of chunks. Independent of what a tally counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import AbstractContextManager
from enum import StrEnum
from functools import partial
from itertools import pairwise
from typing import cast

from ratscrew.bots.bot import Bot
from ratscrew.bots.user_modules import load_all, loaded
from ratscrew.lab import executors, simulation
from ratscrew.lab.bitboard import runner as bitboard
from ratscrew.lab.kernel.runner import BLOCK, Kernel
from ratscrew.lab.kernel.setup import BotModel, unsupported_reason
from ratscrew.lab.tally import Tally
from ratscrew.rules.house import Rules


class Backend(StrEnum):
    """What plays: compiled code with 64 games side by side or one after the other, or the game's own engine."""

    BITBOARD = "bitboard"
    KERNEL = "kernel"
    ENGINE = "engine"


MIN_CHUNKS = 100
"""The least number of chunks, and so of progress reports."""

MAX_CHUNK = 16_384
"""The most games of a chunk, so that stopping does not take long."""


def play_games(
    rules: Rules,
    bots: Sequence[Bot],
    games: int,
    seed: int,
    *,
    first: int = 0,
    threads: int = 1,
    engine: bool = False,
    on_progress: Callable[[int], object] = lambda games: None,
) -> Tally:
    """The tally of so many games of a seed, from game `first` on; `on_progress` gets the size of each finished chunk.

    Raises: RulesError if the house does not allow so many players.
    """
    tally = Tally()
    for chunk in play_chunks(
        rules, bots, [first + bound for bound in chunk_bounds(games)], seed, threads=threads, engine=engine
    ):
        on_progress(chunk.games)
        tally += chunk
    return tally


def chunk_bounds(games: int, min_chunks: int = MIN_CHUNKS) -> list[int]:
    """The bounds of the chunks of games, none of which is empty or greater than `MAX_CHUNK`."""
    count = min(games, max(min_chunks, -(-games // MAX_CHUNK)))
    return [games * chunk // count for chunk in range(count + 1)]


def play_chunks(
    rules: Rules, bots: Sequence[Bot], bounds: Sequence[int], seed: int, *, threads: int = 1, engine: bool = False
) -> Iterator[Tally]:
    """The tally of each chunk between two of the bounds, in order."""
    chunks = [(end - start, start) for start, end in pairwise(bounds)]
    backend = choose_backend(rules, bots, engine)
    pool: Callable[[int], AbstractContextManager[Executor]] = executors.thread_pool
    if backend is Backend.ENGINE:
        play_chunk = partial(_by_engine, rules, bots, seed)
        pool = partial(executors.process_pool, prepare=partial(load_all, loaded()))
    else:
        ready = Kernel.of(rules, cast("Sequence[BotModel]", bots))
        play_compiled = _by_bitboard if backend is Backend.BITBOARD else _by_kernel
        play_chunk = partial(play_compiled, ready, rules, seed)
    if threads == 1 or len(chunks) == 1:
        yield from (play_chunk(*chunk) for chunk in chunks)
        return
    with pool(threads) as executor:
        futures = [executor.submit(play_chunk, *chunk) for chunk in chunks]
        yield from (future.result() for future in futures)


def play_singly(
    rules: Rules, bots: Sequence[Bot], games: int, seed: int, *, first: int = 0, engine: bool = False
) -> Iterator[Tally]:
    """The tally of each game, in order."""
    if choose_backend(rules, bots, engine) is Backend.ENGINE:
        yield from (_by_engine(rules, bots, seed, 1, number) for number in range(first, first + games))
        return
    ready = Kernel.of(rules, cast("Sequence[BotModel]", bots))
    yield from (ready.block(seed, number, 1) for number in range(first, first + games))


def choose_backend(rules: Rules, bots: Sequence[Bot], engine: bool = False) -> Backend:
    """The fastest backend that supports this house with these bots; the engine if `engine` is set."""
    if engine or unsupported_reason(rules, bots):
        return Backend.ENGINE
    if bitboard.only_turn(bots) and not bitboard.unsupported_reason(rules):
        return Backend.BITBOARD
    return Backend.KERNEL


def _by_engine(rules: Rules, bots: Sequence[Bot], seed: int, games: int, first: int) -> Tally:
    return simulation.run(rules, bots, games, seed, first=first)


def _by_bitboard(ready: Kernel, rules: Rules, seed: int, games: int, first: int) -> Tally:
    """The bitboard's tally; if a game never ended, the kernel plays the chunk again, which is rare."""
    found = bitboard.run(rules, games, seed, first=first)
    return _by_kernel(ready, rules, seed, games, first) if found.never_ended else found


def _by_kernel(ready: Kernel, _: Rules, seed: int, games: int, first: int) -> Tally:
    starts = range(first, first + games, BLOCK)
    return sum((ready.block(seed, start, min(BLOCK, first + games - start)) for start in starts), Tally())
