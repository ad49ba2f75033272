"""The figures that are reasons to look, each with hands whose figure is known by hand. Times are milliseconds."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from ratscrew.judge.suspicion import Sign, Trace, signs


def hand(ms: float = 300, pattern: str | None = "double", **more_ms: float) -> Trace:
    """A hand; `excess`, `lag`, `app` and `kernel` as they are given."""
    known = {f"{name}_us": round(value * 1000) for name, value in more_ms.items()}
    return Trace(round(ms * 1000), pattern, **known)


def sign(name: str, hands: Iterable[Trace]) -> Sign:
    """One figure of a player."""
    (found,) = [sign for sign in signs(list(hands)) if sign.name == name]
    return found


def after(*reactions_ms: float) -> list[Trace]:
    """Good slaps."""
    return [hand(ms) for ms in reactions_ms]


def test_without_a_hand_there_is_no_figure_and_nothing_is_odd() -> None:
    assert [(sign.figure, sign.hands, sign.enough, sign.odd) for sign in signs([])] == [(None, 0, False, False)] * 8


def test_eight_figures_in_the_order_of_the_page() -> None:
    assert [sign.name for sign in signs([])] == [
        "slaps behind heartbeats",
        "good slaps behind wrong ones",
        "median reaction",
        "reactions under 200 ms",
        "spread of reactions",
        "wrong slaps",
        "difference between patterns",
        "answers behind packets",
    ]


# Slaps behind heartbeats


def test_slaps_are_held_against_the_heartbeats_of_the_same_page() -> None:
    """Excesses 10, 11 and 30, lags 1, 2 and 9: the medians are 11 and 2."""
    hands = [hand(excess=10, lag=9), hand(excess=30, lag=1), hand(excess=11, lag=2)]
    found = sign("slaps behind heartbeats", hands)
    assert (found.figure, found.hands, found.needs, found.enough) == (9_000, 3, 50, False)


@pytest.mark.parametrize(("excess_ms", "odd"), [(10, False), (10.001, True)])
def test_more_than_8_ms_over_50_slaps_is_odd(excess_ms: float, odd: bool) -> None:
    late = hand(excess=excess_ms, lag=2)
    assert sign("slaps behind heartbeats", [late] * 50).odd is odd
    assert not sign("slaps behind heartbeats", [late] * 49).odd


def test_a_hand_without_a_proof_says_nothing_of_the_way() -> None:
    assert sign("slaps behind heartbeats", [hand()] * 60).hands == 0
    assert sign("slaps behind heartbeats", [hand(excess=30)] * 60).hands == 0


# Good slaps behind wrong ones


def mixed(good: int, wrong: int, more_ms: float = 8.001) -> list[Trace]:
    """Hands with an excess of 3 on cards that could not be slapped, and of more on the others."""
    return [hand(excess=3 + more_ms)] * good + [hand(pattern=None, excess=3)] * wrong


def test_a_line_that_is_slow_when_it_pays_is_odd() -> None:
    found = sign("good slaps behind wrong ones", mixed(50, 12))
    assert (found.figure, found.odd) == (8_001, True)
    assert not sign("good slaps behind wrong ones", mixed(50, 12, more_ms=8)).odd


def test_it_takes_50_good_slaps_and_12_wrong_ones() -> None:
    few_good, few_wrong = (sign("good slaps behind wrong ones", mixed(*hands)) for hands in ((49, 12), (50, 11)))
    assert (few_good.hands, few_good.needs, few_good.enough) == (49, 50, False)
    assert (few_wrong.hands, few_wrong.needs, few_wrong.enough) == (11, 12, False)
    assert sign("good slaps behind wrong ones", [hand(excess=30)] * 50).figure is None


# Reactions


@pytest.mark.parametrize(("ms", "odd"), [(229.999, True), (230, False)])
def test_a_median_under_230_ms_is_odd(ms: float, odd: bool) -> None:
    """24 quicker, 24 slower, and the two in the middle are the same."""
    hands = after(*[210] * 24, ms, ms, *[700] * 24)
    assert sign("median reaction", hands).figure == ms * 1000
    assert sign("median reaction", hands).odd is odd
    assert not sign("median reaction", after(*[150] * 49)).odd


@pytest.mark.parametrize(("quick", "odd"), [(3, False), (4, True)])
def test_more_than_5_percent_under_200_ms_are_odd(quick: int, odd: bool) -> None:
    """Of 60: three are 5 percent. 200 itself is none of them."""
    found = sign("reactions under 200 ms", after(*[199.999] * quick, *[200] * (60 - quick)))
    assert found.figure == pytest.approx(100 * quick / 60)
    assert found.odd is odd


def test_a_spread_under_15_ms_is_odd() -> None:
    """25 pairs d below and above 300: the sum of squares is 50 d², and the spread d times the root of 50/49."""
    even, people = (after(*[300 - d, 300 + d] * 25) for d in (14.8, 14.9))
    assert sign("spread of reactions", even).figure == pytest.approx(14_800 * (50 / 49) ** 0.5)
    assert sign("spread of reactions", even).odd
    assert not sign("spread of reactions", people).odd


def test_one_reaction_has_no_spread() -> None:
    assert sign("spread of reactions", after(300)).figure is None


def test_only_good_slaps_are_reactions_to_a_pattern() -> None:
    found = sign("median reaction", [hand(300), hand(100, None), hand(100, None)])
    assert (found.figure, found.hands) == (300_000, 1)


# Wrong slaps


def test_300_slaps_without_a_wrong_one_are_odd() -> None:
    assert sign("wrong slaps", [hand()] * 300).odd
    assert not sign("wrong slaps", [hand()] * 299).odd
    erring = sign("wrong slaps", [*[hand()] * 299, hand(pattern=None)])
    assert (erring.figure, erring.hands, erring.odd) == (1, 300, False)


# Patterns


def kinds(**medians_ms: tuple[float, int]) -> list[Trace]:
    """Hands on several patterns: after how long, and how many."""
    return [hand(ms, name) for name, (ms, many) in medians_ms.items() for _ in range(many)]


def test_patterns_that_all_take_the_same_time_are_odd() -> None:
    found = sign("difference between patterns", kinds(double=(300, 80), sandwich=(304.999, 50)))
    assert (found.figure, found.hands, found.odd) == (4_999, 50, True)
    assert not sign("difference between patterns", kinds(double=(300, 80), sandwich=(305, 50))).odd


def test_a_pattern_with_few_hands_does_not_count() -> None:
    """Of the other two the slowest and the quickest: 310 and 300."""
    found = sign("difference between patterns", kinds(double=(300, 50), sandwich=(310, 60), royals=(900, 49)))
    assert found.figure == 10_000


def test_it_takes_two_patterns_with_50_hands_each() -> None:
    few = sign("difference between patterns", kinds(double=(300, 200), sandwich=(300, 49)))
    assert (few.figure, few.hands, few.enough) == (None, 49, False)
    assert sign("difference between patterns", kinds(double=(300, 200))).hands == 0


# Answers


@pytest.mark.parametrize(("app_ms", "odd"), [(28, False), (28.001, True)])
def test_a_page_that_answers_over_8_ms_after_the_packets_is_odd(app_ms: float, odd: bool) -> None:
    slow = hand(app=app_ms, kernel=20)
    assert sign("answers behind packets", [slow] * 50).odd is odd
    assert not sign("answers behind packets", [slow] * 49).odd
    assert sign("answers behind packets", [hand(app=90)] * 50).figure is None


def test_people_as_they_are_give_no_reason_to_look() -> None:
    """240 good slaps from 250 ms on, sandwiches 60 slower than doubles, and 60 wrong ones."""
    hands = [
        hand(250 + number + 60 * (number % 2), ("double", "sandwich")[number % 2], excess=4, lag=3, app=21, kernel=20)
        for number in range(240)
    ]
    hands += [hand(400, None, excess=5, lag=3, app=21, kernel=20)] * 60
    found = signs(hands)
    assert all(sign.enough for sign in found)
    assert not any(sign.odd for sign in found)
