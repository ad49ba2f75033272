"""How far away a page is, and how its clock goes."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ratscrew.judge.constants import SAMPLE_AGING_US_PER_S, SAMPLE_TTL_US
from ratscrew.judge.rtt_estimator import LinkEstimate, RttEstimator

S = 1_000_000
MS = 1_000


def test_before_the_first_answer_nothing_is_known() -> None:
    assert RttEstimator().link_estimate is None


def test_the_clock_of_a_page_is_read_in_the_middle_of_the_round_trip() -> None:
    # sent at 100 ms, back at 140 ms: read at 120 ms of ours, when the page's clock said 5,120 ms
    assert RttEstimator().with_sample(100 * MS, 140 * MS, 5_120 * MS).link_estimate == LinkEstimate(40 * MS, 5_000 * MS)


def test_the_shortest_round_trip_counts() -> None:
    rtt_estimator = (
        RttEstimator().with_sample(0, 80 * MS, 0).with_sample(S, S + 30 * MS, S).with_sample(2 * S, 2 * S + 60 * MS, 0)
    )
    assert rtt_estimator.link_estimate == LinkEstimate(30 * MS, -15 * MS)


def test_a_tenth_of_a_millisecond_for_each_second_of_age() -> None:
    old, new = RttEstimator().with_sample(0, 30 * MS, 0), (20 * S, 20 * S + 31_900, 0)
    assert old.with_sample(*new).link_estimate == LinkEstimate(31_900, -20 * S - 15_950)  # 32.0 against 31.9 ms
    assert old.with_sample(20 * S, 20 * S + 32_100, 0).link_estimate == LinkEstimate(30 * MS, -15 * MS)


def test_after_half_a_minute_a_round_trip_is_forgotten() -> None:
    rtt_estimator = RttEstimator().with_sample(0, 5 * MS, 0).with_sample(31 * S, 31 * S + 50 * MS, 0)
    assert rtt_estimator.link_estimate == LinkEstimate(50 * MS, -31 * S - 25 * MS)


def test_delayed_answers_are_believed_no_further_than_the_kernel_bears_them_out() -> None:
    lying = RttEstimator(kernel_us=20 * MS).with_sample(0, 120 * MS, 0)
    assert lying.link_estimate == LinkEstimate(24 * MS, -12 * MS)
    assert RttEstimator(control_us=22 * MS, kernel_us=20 * MS).with_sample(
        0, 120 * MS, 0
    ).link_estimate == LinkEstimate(22 * MS, -11 * MS)


@given(st.lists(st.tuples(st.integers(0, 60 * S), st.integers(1, S)), min_size=1), st.integers(0, 200 * MS))
def test_the_kernel_bounds_every_reading(pings: list[tuple[int, int]], kernel_us: int) -> None:
    rtt_estimator = RttEstimator(kernel_us=kernel_us)
    for sent_us, rtt_us in sorted(pings):
        rtt_estimator = rtt_estimator.with_sample(sent_us, sent_us + rtt_us, 0)
    link_estimate = rtt_estimator.link_estimate
    assert link_estimate is not None
    assert link_estimate.rtt_us <= kernel_us + 4 * MS


@given(st.lists(st.tuples(st.integers(1, 10 * S), st.integers(1, S)), min_size=1, max_size=60))
def test_the_few_samples_that_are_kept_give_the_same_as_all_of_the_last_half_minute(
    pings: list[tuple[int, int]],
) -> None:
    rtt_estimator, all_pings, best, now_us = RttEstimator(), list[tuple[int, int]](), (0, -SAMPLE_TTL_US), 0
    for apart_us, rtt_us in pings:
        now_us += apart_us
        rtt_estimator = rtt_estimator.with_sample(now_us, now_us + rtt_us, now_us + rtt_us)
        since_us = now_us + rtt_us - SAMPLE_TTL_US
        all_pings = [*(ping for ping in all_pings if ping[1] >= since_us), (rtt_us, now_us)]
        rivals = all_pings if best[1] < since_us else [best, all_pings[-1]]
        best = min(rivals, key=lambda ping: ping[0] * S - ping[1] * SAMPLE_AGING_US_PER_S)
        assert rtt_estimator.best
        assert (rtt_estimator.best.rtt_us, rtt_estimator.best.sent_us) == best
        assert rtt_estimator.app_us == min(all_pings)[0]


def test_samples_that_can_no_longer_count_take_no_memory() -> None:
    rtt_estimator = RttEstimator()
    for second in range(29):
        rtt_estimator = rtt_estimator.with_sample(second * S, second * S + 40 * MS - second, 0)
    assert len(rtt_estimator.samples) == 1
