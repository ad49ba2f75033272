"""Pages that are pinged instead of sending heartbeats: the judge stays as right, and its verdicts soon enough.

The seeds are fixed, so a failure is a change of the code. Limits of shares are widened by three standard errors.
"""

from __future__ import annotations

from functools import cache
from math import sqrt

import pytest

from benchmarks.asking_simulation import PingCount
from benchmarks.fairness import compare_judges, measure, messages, show
from benchmarks.judged_sessions import SCENARIOS, Tally
from benchmarks.liars import ADAPTIVE, LIES, ON_PINGS, asked_liars_gains

RACES, LIARS = 2400, 900
MAX_GAIN_POINTS = 8.0


@cache
def compared(scenario: str) -> tuple[dict[str, Tally], PingCount]:
    """The judges on the same races, with heartbeats and asking; and the pings."""
    tallies, _, count = compare_judges(SCENARIOS[scenario], RACES, 5, asking=True)
    return tallies, count


def at_least(percent: float, races: int) -> float:
    """A limit less three standard errors."""
    return percent - 300 * sqrt(percent / 100 * (1 - percent / 100) / races)


@pytest.mark.parametrize("scenario", ["mixed", "lossy"])
def test_asking_names_the_same_winners_as_heartbeats(scenario: str) -> None:
    tallies, _ = compared(scenario)
    pairs = list(zip(tallies["judge"].right, tallies["judge_asking"].right, strict=True))
    lost, gained = pairs.count((True, False)), pairs.count((False, True))
    assert lost + gained < len(pairs) * 0.03
    assert lost - gained <= 3 * sqrt(max(1, lost + gained))


def test_the_first_hand_wins_if_pages_are_asked() -> None:
    asked = compared("mixed")[0]["judge_asking"]
    clear = sum(margin > 10 for margin in asked.margins)
    assert asked.figures()["all"] >= at_least(95, len(asked.right))
    assert asked.figures()["over_10"] >= at_least(98.5, clear)


@pytest.mark.parametrize("scenario", ["mixed", "lossy"])
def test_verdicts_are_right_as_often_as_they_say(scenario: str) -> None:
    asked = compared(scenario)[0]["judge_asking"]
    races = len(asked.right)
    assert 100 * sum(asked.right) / races == pytest.approx(sum(asked.sure) / races, abs=1)
    for many, stated, right in asked.calibration():
        assert many > 20
        assert abs(right - stated) <= 2 + 300 * sqrt(stated / 100 * (1 - stated / 100) / many), (many, stated, right)


@pytest.mark.parametrize(("scenario", "p50_ms", "p99_ms"), [("mixed", 75, 220), ("lossy", 75, 230)])
def test_verdicts_come_soon_if_pages_are_asked(scenario: str, p50_ms: float, p99_ms: float) -> None:
    figures = compared(scenario)[0]["judge_asking"].figures()
    assert figures["verdict_p50_ms"] <= p50_ms
    assert figures["verdict_p99_ms"] <= p99_ms


def test_pings_and_answers_are_few_and_mostly_cover() -> None:
    found = messages(compared("mixed")[1])
    assert found["cover_pings_and_pongs"] + found["asks_and_pongs"] <= 7
    assert found["asks_among_near_pings_percent"] <= 20


def test_neither_lies_nor_pings_help_a_cheat_much() -> None:
    lies = [ADAPTIVE[0], ADAPTIVE[3], *ON_PINGS.values(), *LIES.values()]
    gains, wrong = asked_liars_gains(lies, LIARS, 6)
    error = 100 * sqrt(0.3 * 0.7 / LIARS)
    assert max(gains) <= MAX_GAIN_POINTS + 3 * error
    assert wrong[2:4] == [0, 0]
    assert min(wrong[4:6]) > 1  # slapping at pings costs more cards than the races it wins bring


def test_the_report_compares_both(capsys: pytest.CaptureFixture[str]) -> None:
    found, cost_us = measure("mixed", 3, 60, 60, 1, asking=True)
    show(found, cost_us, 60)
    printed = capsys.readouterr().out
    assert "| judge asking |" in printed
    assert all(f"| {name} | – |" in printed for name in ON_PINGS)
