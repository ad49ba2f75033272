"""The benchmark of the cluster finds what is missing, different, repeated or split, and runs in its smallest form."""

from __future__ import annotations

import json
from typing import Any

import pytest

from benchmarks.cluster import KINDS, missed, order
from benchmarks.told_events import Told, ToldEvents, repeated_entries
from ratscrew.log.memory import MemoryLog
from ratscrew.table.record.entries import Entry, Left
from tests.test_benchmarks import run


def left(seat: int) -> dict[str, Any]:
    """An event as a page receives it."""
    return {"e": "left", "seat": seat, "removed": False, "by": []}


def log_of(*seats: int) -> MemoryLog[Entry]:
    """A log of one game, in which the players of these seats have left."""
    log = MemoryLog[Entry]()
    log.append("G-1", 0, [Entry(at_us, Left(seat)) for at_us, seat in enumerate(seats)])
    return log


def told(*events: tuple[int, int, int, int]) -> ToldEvents:
    """What pages were told: numbers, seats, the epochs of the owners, and what the page knew before."""
    found = ToldEvents()
    for number, seat, epoch, known in events:
        found.receive("G-1", number, left(seat), epoch, known)
    return found


def test_nothing_is_wrong_if_two_pages_were_told_by_two_owners_what_the_log_has() -> None:
    pages = told((1, 5, 1, 0), (2, 6, 1, 1), (1, 5, 1, 0), (2, 6, 2, 1))
    assert pages.compare_all(log_of(5, 6)) == Told(told=4, missing=0, different=0, twice=0, split=0)


@pytest.mark.parametrize(
    ("events", "seats", "found"),
    [
        pytest.param([(1, 5, 1, 0), (2, 6, 1, 1)], [5], {"missing": 1}, id="not in the log"),
        pytest.param([(1, 5, 1, 0), (3, 7, 1, 1)], [5, 6, 7], {"missing": 1}, id="skipped"),
        pytest.param([(1, 5, 1, 0)], [6], {"different": 1}, id="different"),
        pytest.param([(1, 5, 1, 0), (1, 5, 1, 1)], [5], {"twice": 1}, id="received again"),
        pytest.param([(1, 5, 1, 0), (1, 6, 2, 0)], [6], {"different": 1, "split": 1}, id="two owners"),
        pytest.param([(1, 5, 1, 0), (1, 6, 1, 0)], [6], {"different": 1}, id="one owner, two contents"),
    ],
)
def test_what_pages_were_told_is_compared_with_the_log(
    events: list[tuple[int, int, int, int]], seats: list[int], found: dict[str, int]
) -> None:
    expected = {"told": len(events), "missing": 0, "different": 0, "twice": 0, "split": 0} | found
    assert told(*events).compare_all(log_of(*seats))._asdict() == expected


def test_an_entry_that_a_repeated_commit_has_stored_twice_is_found() -> None:
    """The second pair repeats the first; the last entry is another event of a later microsecond."""
    pair = [Entry(1, Left(5)), Entry(1, Left(6))]
    assert repeated_entries([*pair, Entry(2, Left(5))]) == 0
    assert repeated_entries([*pair, *pair, Entry(2, Left(5))]) == 2


def test_the_faults_of_all_kinds_take_turns() -> None:
    assert list(order({"kill": 2, "pause": 0, "drain": 1})) == ["kill", "drain", "kill"]


def test_a_count_that_is_not_0_and_a_page_that_waited_too_long_are_missed_targets() -> None:
    waited = {kind: {"p50_s": 1.0, "p99_s": 1.9} for kind in KINDS}
    good: dict[str, Any] = {"told": 9, "missing": 0, "different": 0, "twice": 0, "rooms_lost": 0, "split": 0}
    good["waited"] = waited
    assert missed(good) == []
    assert missed(good | {"split": 1, "told": 0}) == ["split"]
    assert missed(good | {"waited": waited | {"drain": {"p50_s": 1.0, "p99_s": 2.1}}}) == ["p99 of drain"]
    assert missed(good | {"waited": waited | {"drain": {"p50_s": None, "p99_s": None}}}) == []


def test_a_drained_cluster_loses_nothing() -> None:
    small = ("--nodes", "2", "--rooms", "2", "--kills", "0", "--pauses", "0", "--drains", "1", "--restarts", "0")
    found = json.loads(run("cluster", *small, "--seed", "5", "--json"))
    counts = {"missing": 0, "different": 0, "twice": 0, "rooms_lost": 0, "split": 0}
    assert found == {"told": found["told"], **counts, "waited": found["waited"]}
    assert found["told"] > 0
    assert list(found["waited"]) == list(KINDS)
    assert found["waited"]["drain"]["p99_s"] > 0
