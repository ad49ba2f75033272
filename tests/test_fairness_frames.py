"""Players whose pages draw 30 to 120 frames a second are judged alike, and lies gain no more among them.

The seeds are fixed, so a failure is a change of the code. Limits of shares are widened by three standard errors.
"""

from __future__ import annotations

import pytest

from benchmarks import frame_rates
from benchmarks.frame_rates import RATES, RateTally, judge_rates, liars_among_rates, measure_rates, show_rates
from benchmarks.liars import LIES, ON_PINGS

RACES, LIARS = 2400, 300
MAX_BIAS_POINTS = 1.0
MAX_MORE_POINTS = 3.0
"""Three standard errors, if one race in twenty-five has another winner."""


def biases() -> dict[str, dict[str, float]]:
    """The figures of each frame rate, on the same races each time."""
    return {name: tally.figures() for name, tally in judge_rates(dict.fromkeys(RATES, 1), RACES, 7).rates.items()}


def test_a_bias_is_the_share_of_races_judged_for_a_player_less_the_share_truly_won() -> None:
    tally = RateTally()
    for first, judged in ((True, True), (True, False), (False, True), (False, True), (False, False)):
        tally.add(first, judged)
    assert tally.figures() | {"standard_error": 0} == {
        "races": 5,
        "first": 40,
        "judged_first": 60,
        "bias": 20,
        "standard_error": 0,
        "right": 50,
    }


def test_no_frame_rate_is_favoured_and_the_moment_of_the_card_is_why(monkeypatch: pytest.MonkeyPatch) -> None:
    aligned = biases()
    for name, figures in aligned.items():
        assert abs(figures["bias"]) <= MAX_BIAS_POINTS + 3 * figures["standard_error"], name
    monkeypatch.setattr(frame_rates, "aligned_reveal_us", lambda moment_us, known: moment_us)
    assert biases()["30"]["bias"] < aligned["30"]["bias"] < 0


def test_no_lie_gains_more_where_cards_wait_for_slow_frames() -> None:
    """Few races have another winner at another moment, so the differences are known better than the gains."""
    gains = liars_among_rates(LIARS, 8)
    for moment in ("aligned", "aligned, says 30"):
        more = {lie: points - gains["fixed"][lie] for lie, points in gains[moment].items()}
        assert max(more.values()) <= MAX_MORE_POINTS, (moment, more)
    assert gains["fixed"]["none"] == gains["aligned"]["none"] == 0
    assert gains["aligned, says 30"] != gains["aligned"]


def test_the_report_has_every_frame_rate_and_lie(capsys: pytest.CaptureFixture[str]) -> None:
    show_rates(measure_rates(40, 1, liars=20))
    printed = capsys.readouterr().out
    assert all(f"| {name} |" in printed for name in (*RATES, *LIES, *ON_PINGS, "none", "best adaptive"))
    assert "liar" not in measure_rates(40, 1)
