"""The first append of a game ends the game before: no writer goes on in the one while another is in the next."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Barrier
from typing import TypeAlias

import pytest

from ratscrew.errors import Conflict
from ratscrew.log.memory import MemoryLog
from ratscrew.log.protocol import End, SharedLog
from tests.log.conftest import OpenLog

TIMEOUT_S = 30
ROUNDS = 40

OpenShared: TypeAlias = Callable[[], SharedLog[str]]
"""Another writer of the same log."""


@pytest.fixture(params=["memory", "postgres"])
def open_shared(request: pytest.FixtureRequest) -> Iterator[OpenShared]:
    """Opens one log, as often as there are writers."""
    if request.param == "memory":
        memory = MemoryLog[str]()
        yield lambda: memory
    else:
        open_log: OpenLog = request.getfixturevalue("open_log")
        yield lambda: open_log()


def conflicts(done: Future[int]) -> bool:
    """Whether an append was refused because another writer was faster."""
    error = done.exception(TIMEOUT_S)
    assert error is None or isinstance(error, Conflict)
    return error is not None


def test_nothing_is_appended_to_a_game_that_has_ended(open_shared: OpenShared) -> None:
    log, stale = open_shared(), open_shared()
    log.append("g-1", 0, ["a", "b"])
    assert not conflicts(log.begin_soon("g-2", ["c"], End("g-1", 2)))
    assert conflicts(stale.append_soon("g-1", 2, ["late"]))
    assert conflicts(stale.begin_soon("g-2", ["late"], End("g-1", 2)))
    assert conflicts(stale.begin_soon("g-3", ["late"], End("g-1", 2)))
    assert not conflicts(log.append_soon("g-2", 1, ["d"]))
    assert [log.read(game) for game in ("g-1", "g-2", "g-3")] == [["a", "b"], ["c", "d"], []]


@pytest.mark.parametrize("end", [End("g-1", 1), End("g-1", 3), End("none", 1)])
def test_a_game_that_goes_on_elsewhere_is_not_ended(open_shared: OpenShared, end: End) -> None:
    log = open_shared()
    log.append("g-1", 0, ["a", "b"])
    assert conflicts(log.begin_soon("g-2", ["c"], end))
    assert log.read("g-2") == []
    assert not conflicts(log.append_soon("g-1", 2, ["d"]))


def test_a_game_that_another_has_begun_is_left_alone(open_shared: OpenShared) -> None:
    log = open_shared()
    log.append("g-1", 0, ["a"])
    log.append("g-2", 0, ["b"])
    assert conflicts(log.begin_soon("g-2", ["c"], End("g-1", 1)))
    assert log.read("g-2") == ["b"]


def test_appends_at_once_to_both_games_are_executed_in_their_order(open_shared: OpenShared) -> None:
    log = open_shared()
    log.append("g-1", 0, ["a"])
    done = [
        log.append_soon("g-1", 1, ["b"]),
        log.begin_soon("g-2", ["c"], End("g-1", 2)),
        log.append_soon("g-2", 1, ["d"]),
        log.append_soon("g-1", 2, ["never"]),
        log.append_soon("other", 0, ["x"]),
    ]
    assert [conflicts(each) for each in done] == [False, False, False, True, False]
    assert (log.read("g-1"), log.read("g-2")) == (["a", "b"], ["c", "d"])


def test_of_a_writer_that_goes_on_and_one_that_begins_the_next_game_one_wins(open_shared: OpenShared) -> None:
    logs = [open_shared(), open_shared()]
    for number in range(ROUNDS):
        now, after, start = f"r{number}-1", f"r{number}-2", Barrier(2)
        logs[0].append(now, 0, ["a"])

        def go_on(now: str = now, start: Barrier = start) -> bool:
            start.wait(TIMEOUT_S)
            return not conflicts(logs[0].append_soon(now, 1, ["b"]))

        def begin(now: str = now, after: str = after, start: Barrier = start) -> bool:
            start.wait(TIMEOUT_S)
            return not conflicts(logs[1].begin_soon(after, ["c"], End(now, 1)))

        with ThreadPoolExecutor(2) as racers:
            won = [future.result() for future in (racers.submit(go_on), racers.submit(begin))]
        assert sorted(won) == [False, True]
        assert [len(logs[0].read(game)) for game in (now, after)] == [1 + won[0], won[1]]
