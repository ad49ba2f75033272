"""The log in memory is a log."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from ratscrew.errors import Conflict
from ratscrew.log.memory import MemoryLog
from ratscrew.testing.log_checks import check_log

POSITIONS, RACERS = 200_000, 4


def test_the_log_in_memory_keeps_every_promise_of_a_log() -> None:
    check_log(MemoryLog)


@pytest.fixture
def restless() -> Iterator[None]:
    """Threads take turns as often as they can, so that one is often stopped in the middle of something."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


@pytest.mark.usefixtures("restless")
def test_of_many_threads_one_wins_each_position() -> None:
    log, start = MemoryLog[int](), Barrier(RACERS)

    def race(me: int) -> int:
        after = wins = 0
        start.wait(30)
        while after < POSITIONS:
            try:
                after, wins = log.append("g", after, [me]), wins + 1
            except Conflict:
                after += len(log.read("g", after))
        return wins

    with ThreadPoolExecutor(RACERS) as racers:
        wins = sum(racers.map(race, range(RACERS)))
    assert wins == len(log.read("g")) == POSITIONS
