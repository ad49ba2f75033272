"""The simulated evening: pairing brings like ratings together. Its figures are in docs/performance.md."""

from __future__ import annotations

from benchmarks.pairing import compare


def test_pairing_brings_ratings_closer_for_little_more_waiting() -> None:
    found = compare(people=300, hours=0.7, seeds=2)
    assert found["gap_ratio"] < 0.8
    assert found["paired"]["wait_s"] < found["first_come"]["wait_s"] + 2
