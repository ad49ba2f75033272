"""How far a player's own clock is believed."""

from __future__ import annotations

from collections.abc import Iterable

from ratscrew.judge.credit import Credit

MS = 1_000


def after(*excesses_ms: float, credit: Credit | None = None) -> Credit:
    """The credit after slaps with these excesses."""
    credit = credit or Credit()
    for excess_ms in excesses_ms:
        credit = credit.after(round(excess_ms * MS))
    return credit


def often(excess_ms: float, times: int) -> Iterable[float]:
    return [excess_ms] * times


def test_at_first_a_slap_is_credited_25_ms_and_a_purse_of_50() -> None:
    assert Credit().grant_us(10 * MS) == 10 * MS
    assert Credit().grant_us(75 * MS) == 75 * MS
    assert Credit().grant_us(90 * MS) == 75 * MS


def test_a_page_that_says_it_was_slower_is_believed() -> None:
    assert Credit().grant_us(-8 * MS) == -8 * MS


def test_a_clean_slap_puts_5_ms_into_the_purse_up_to_100() -> None:
    assert after(0).purse_us == 55 * MS
    assert after(*often(0, 9)).purse_us == 95 * MS
    assert after(*often(0, 30)).purse_us == 100 * MS


def test_what_goes_beyond_the_free_credit_is_paid_from_the_purse() -> None:
    assert after(25).purse_us == 55 * MS
    assert after(40).purse_us == 35 * MS
    assert after(90).purse_us == 0
    assert after(90, 90).grant_us(90 * MS) == 25 * MS


def test_from_the_eighth_slap_on_a_high_median_takes_from_the_free_credit() -> None:
    assert after(*often(18, 7)).free_us == 25 * MS
    assert after(*often(18, 8)).free_us == 17 * MS
    assert after(*often(10, 24)).free_us == 25 * MS
    assert after(*often(30, 8)).free_us == 5 * MS


def test_a_player_who_claims_too_much_in_more_than_half_of_24_slaps_is_penalised() -> None:
    twelve = after(*often(0, 12), *often(31, 12))
    assert not twelve.penalised
    thirteen = after(31, credit=twelve)
    assert thirteen.penalised
    assert thirteen.grant_us(50 * MS) == 0
    assert thirteen.grant_us(-5 * MS) == -5 * MS


def test_of_fewer_slaps_more_than_half_is_as_many_but_at_least_half_of_eight() -> None:
    assert not after(*often(31, 4)).penalised
    assert after(*often(31, 5)).penalised
    assert not after(*often(0, 6), *often(31, 6)).penalised
    assert after(*often(0, 6), *often(31, 7)).penalised


def test_a_penalised_player_is_free_again_below_a_quarter_and_begins_with_an_empty_purse() -> None:
    struck = after(*often(31, 13))
    assert struck.penalised
    six = after(*often(0, 18), credit=struck)  # of the last 24 slaps, six are the old ones
    assert six.penalised
    five = after(0, credit=six)
    assert not five.penalised
    assert five.purse_us == 5 * MS


def test_thirty_milliseconds_are_not_too_much() -> None:
    assert not after(*often(30, 24)).penalised
