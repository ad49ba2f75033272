"""The indicators that are reasons to look, each with slaps whose statistic is known by hand. Times in milliseconds."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from ratscrew.judge.suspicion import Indicator, SlapTrace, indicators


def hand(ms: float = 400, pattern: str | None = "double", **more_ms: float) -> SlapTrace:
    """A slap; `excess`, `lag`, `app`, `kernel`, `control` and `paint` as they are given."""
    known = {f"{name}_us": round(value * 1000) for name, value in more_ms.items()}
    return SlapTrace(round(ms * 1000), pattern, **known)


def sign(name: str, hands: Iterable[SlapTrace]) -> Indicator:
    """One indicator of a player."""
    (found,) = [sign for sign in indicators(list(hands)) if sign.name == name]
    return found


def after(*reactions_ms: float) -> list[SlapTrace]:
    """Good slaps."""
    return [hand(ms) for ms in reactions_ms]


def test_without_a_slap_there_is_no_figure_and_nothing_is_odd() -> None:
    assert [(sign.figure, sign.slaps, sign.enough, sign.flagged) for sign in indicators([])] == [
        (None, 0, False, False)
    ] * 12


def test_the_signs_in_the_order_of_the_page() -> None:
    assert [sign.name for sign in indicators([])] == [
        "slaps behind heartbeats",
        "heartbeats behind slaps",
        "heartbeats behind answers",
        "cards painted late",
        "good slaps behind wrong ones",
        "median reaction",
        "reactions under 200 ms",
        "spread of reactions",
        "reactions to the packet",
        "wrong slaps",
        "answers behind packets",
        "browser does not answer",
    ]


def test_a_median_is_odd_only_if_even_its_bound_is_past_the_limit() -> None:
    """Of 20 slaps the upper bound is the rank 17 from 0 (10 + 2.7 · 2.24 = 16.04): so 18 have to be past the limit."""
    quick = [150] * 17 + [400] * 3
    assert not sign("median reaction", after(*quick)).flagged
    assert sign("median reaction", after(*quick)).past
    assert sign("median reaction", after(*[150] * 18, *[400] * 2)).flagged


def test_ten_slaps_are_not_enough_for_a_median() -> None:
    few, enough = (sign("median reaction", after(*[150] * many)) for many in (10, 11))
    assert (few.slaps, few.min_slaps, few.enough, few.flagged) == (10, 11, False, False)
    assert (enough.enough, enough.flagged) == (True, True)


# The way of a slap


@pytest.mark.parametrize(("excess_ms", "odd"), [(16, False), (16.001, True)])
def test_the_way_of_a_slap_is_compared_with_that_of_the_heartbeat_before_it(excess_ms: float, odd: bool) -> None:
    """The painting, 5 after the moment, is part of the excess and not of the way: 16 - 5 - 3 is 8 behind."""
    hands = [hand(excess=excess_ms, paint=5, lag=3)] * 14
    assert sign("slaps behind heartbeats", hands).flagged is odd


@pytest.mark.parametrize(("lag_ms", "odd"), [(9, False), (9.001, True)])
def test_heartbeats_that_are_slower_than_slaps_have_been_doctored(lag_ms: float, odd: bool) -> None:
    """The slap's way took 5 longer than expected, and the heartbeat's 4 more than that."""
    assert sign("heartbeats behind slaps", [hand(excess=7, paint=2, lag=lag_ms)] * 14).flagged is odd


@pytest.mark.parametrize(("lag_ms", "odd"), [(15, False), (15.001, True)])
def test_heartbeats_that_are_slower_than_answers_to_pings_are_odd(lag_ms: float, odd: bool) -> None:
    assert sign("heartbeats behind answers", [hand(lag=lag_ms)] * 14).flagged is odd


def test_a_card_that_came_late_says_nothing_of_the_way() -> None:
    assert sign("slaps behind heartbeats", [hand(excess=60, paint=36, lag=3)] * 14).flagged
    assert sign("slaps behind heartbeats", [hand(excess=60, paint=36.001, lag=3)] * 14).slaps == 0


def test_a_slap_without_a_proof_or_a_painting_says_nothing_of_the_way() -> None:
    assert sign("slaps behind heartbeats", [hand()] * 60).slaps == 0
    assert sign("slaps behind heartbeats", [hand(excess=30, lag=0)] * 60).slaps == 0


@pytest.mark.parametrize(("paint_ms", "odd"), [(36, False), (36.001, True)])
def test_cards_that_are_all_said_to_come_late_are_odd(paint_ms: float, odd: bool) -> None:
    assert sign("cards painted late", [hand(paint=paint_ms)] * 14).flagged is odd


@pytest.mark.parametrize(("frame_ms", "latest_ms"), [(8, 11), (17, 20), (33, 36), (50, 36), (1000, 36)])
def test_a_page_whose_frames_are_short_has_no_reason_to_show_cards_late(frame_ms: float, latest_ms: float) -> None:
    """A frame and 3 ms are usual; no frames that a page may claim excuse more than those of 30 a second."""
    found = [sign("cards painted late", [hand(paint=late, frame=frame_ms)] * 14) for late in (latest_ms, latest_ms + 1)]
    assert [each.flagged for each in found] == [False, True]


def mixed(good: int, wrong: int, more_ms: float = 3.001) -> list[SlapTrace]:
    """Slaps with an excess of 3 on cards that could not be slapped, and of more on the others."""
    return [hand(excess=3 + more_ms)] * good + [hand(pattern=None, excess=3)] * wrong


def test_a_network_that_is_slow_when_it_pays_is_odd() -> None:
    found = sign("good slaps behind wrong ones", mixed(11, 8))
    assert (found.figure, found.flagged) == (3_001, True)
    assert not sign("good slaps behind wrong ones", mixed(11, 8, more_ms=3)).flagged


def test_it_takes_11_good_slaps_and_8_wrong_ones() -> None:
    few_good, few_wrong = (sign("good slaps behind wrong ones", mixed(*hands)) for hands in ((10, 8), (11, 7)))
    assert (few_good.slaps, few_good.min_slaps, few_good.flagged) == (10, 11, False)
    assert (few_wrong.slaps, few_wrong.min_slaps, few_wrong.enough) == (7, 8, False)
    assert sign("good slaps behind wrong ones", [hand(excess=30)] * 50).figure is None


# Reactions


@pytest.mark.parametrize(("ms", "odd"), [(239.999, True), (240, False)])
def test_a_median_under_240_ms_is_odd(ms: float, odd: bool) -> None:
    assert sign("median reaction", after(*[ms] * 14)).flagged is odd


def test_only_good_slaps_are_reactions_to_a_pattern() -> None:
    found = sign("median reaction", [hand(300), hand(100, None), hand(100, None)])
    assert (found.figure, found.slaps) == (300_000, 1)


@pytest.mark.parametrize(("quick", "odd"), [(9, False), (10, True)])
def test_more_than_8_percent_under_200_ms_are_odd(quick: int, odd: bool) -> None:
    """Of 50, more than 50 · (0.08 + 2.7 · √(0.08 · 0.92 / 50)) = 9.18 have to be. 200 itself is none of them."""
    found = sign("reactions under 200 ms", after(*[199.999] * quick, *[200] * (50 - quick)))
    assert found.figure == pytest.approx(2 * quick)
    assert found.flagged is odd


def test_even_reactions_are_odd_and_a_persons_are_not() -> None:
    """30 evenly spaced reactions: the ranks 7.5 - 4.5 and 22.5 + 4.5 are 2.99 and 27.01, so 26 steps."""
    even, person = (after(*[300 + step * number for number in range(30)]) for step in (1.73, 1.74))
    assert sign("spread of reactions", even).bound == pytest.approx(26 * 1730)
    assert sign("spread of reactions", even).flagged
    assert not sign("spread of reactions", person).flagged


def test_the_spread_is_within_a_pattern_so_that_a_robot_cannot_hide_behind_their_difference() -> None:
    """Doubles always at 300 and sandwiches always at 400."""
    hands = [hand(300)] * 15 + [hand(400, "sandwich")] * 15
    assert sign("spread of reactions", hands).flagged


def test_a_pattern_with_four_slaps_does_not_count_for_the_spread() -> None:
    hands = [hand(300)] * 18 + [hand(400, "sandwich")] * 4
    assert sign("spread of reactions", hands).slaps == 18


def follower(follows: float, many: int = 100) -> list[SlapTrace]:
    """Cards painted 0, 4, 8, 12 ms after their moment; each millisecond makes the reaction so much shorter."""
    paints = [4 * (number % 4) for number in range(many)]
    return [hand(400 + (number // 4 % 3) - follows * paint, paint=paint) for number, paint in enumerate(paints)]


def test_reactions_that_make_up_for_a_late_picture_are_to_the_packet() -> None:
    found = sign("reactions to the packet", follower(1))
    assert found.figure == pytest.approx(100, abs=1)
    assert found.flagged
    assert not sign("reactions to the packet", follower(0)).flagged
    assert not sign("reactions to the packet", follower(1, many=99)).flagged


def test_a_page_that_always_paints_at_the_moment_itself_says_nothing_of_that() -> None:
    assert sign("reactions to the packet", [hand(ms, paint=0) for ms in range(300, 400)]).figure is None


# Wrong slaps


@pytest.mark.parametrize(("wrong", "odd"), [(16, False), (17, True)])
def test_a_player_who_mostly_slaps_wrongly_is_odd(wrong: int, odd: bool) -> None:
    """Of 20, more than 20 · (0.5 + 2.7 · √(0.25 / 20)) = 16.04 have to be."""
    assert sign("wrong slaps", [hand()] * (20 - wrong) + [hand(pattern=None)] * wrong).flagged is odd


# Answers


@pytest.mark.parametrize(("app_ms", "odd"), [(30, False), (30.001, True)])
def test_a_page_that_answers_over_10_ms_after_the_packets_is_odd(app_ms: float, odd: bool) -> None:
    assert sign("answers behind packets", [hand(app=app_ms, kernel=20)] * 14).flagged is odd
    assert sign("answers behind packets", [hand(app=90)] * 50).figure is None


def test_a_page_that_answers_and_whose_browser_does_not_is_odd() -> None:
    silent, answers = [hand(app=30)] * 14, [hand(app=30, control=30)] * 14
    assert sign("browser does not answer", silent).flagged
    assert not sign("browser does not answer", answers).flagged
    assert sign("browser does not answer", [hand()] * 50).slaps == 0


def coarse(ms: float, step_ms: float) -> SlapTrace:
    """A slap 7 ms later by the server's clock than the page says, whose stamps are multiples of some step."""
    return hand(ms, excess=7, lag=90, paint=70, apart=step_ms * round(ms % 3), app=30, kernel=29, control=30)


def test_a_coarse_clock_of_a_page_says_nothing_and_the_servers_counts() -> None:
    """Nothing that the page stamps to 100 ms is compared; by the server's clock each slap took 7 ms more."""
    found = {sign.name: sign for sign in indicators([coarse(300 + each, 100) for each in range(20)])}
    for name in (
        "slaps behind heartbeats",
        "heartbeats behind answers",
        "cards painted late",
        "reactions to the packet",
    ):
        assert found[name].slaps == 0
    assert found["median reaction"].figure == 309_500 + 7_000
    assert found["answers behind packets"].slaps == 20


def test_a_robot_cannot_hide_behind_a_coarse_clock() -> None:
    """All its stamps are the same, and by the server's clock it still took 157 each time."""
    assert sign("median reaction", [coarse(150, 0)] * 20).flagged


def test_a_fine_clock_is_compared_and_so_are_few_slaps() -> None:
    assert sign("cards painted late", [coarse(300 + each, 19) for each in range(20)]).slaps == 20
    assert sign("cards painted late", [coarse(300 + each, 100) for each in range(10)]).slaps == 10


def test_people_as_they_are_give_no_reason_to_look() -> None:
    """240 good slaps from 250 ms on, sandwiches 60 slower than doubles, and 60 wrong ones."""
    known = {"lag": 3, "app": 21, "control": 20, "kernel": 20}
    hands = [
        hand(250 + number + 60 * (number % 2), ("double", "sandwich")[number % 2], excess=4, paint=number % 7, **known)
        for number in range(240)
    ]
    hands += [hand(400, None, excess=5, paint=2, **known)] * 60
    found = indicators(hands)
    assert all(sign.enough for sign in found)
    assert not any(sign.flagged for sign in found)
