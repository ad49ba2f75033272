"""The winner of a race: the shortest reaction that counts, every number worked out by hand.

All times are of a card that was revealed at 10 s; in a scene `ms` are milliseconds after that.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratscrew.judge.race import Contender, Placing, Race, Ruling
from ratscrew.judge.watermark import PendingPlayer

MS = 1_000
REVEAL_US = 10_000 * MS


def hand(seat: int, ms: float, claim_ms: float = 0, page: int | None = None, arrived_ms: float = 500) -> Contender:
    """A slap that counts as a reaction of so many milliseconds."""
    return Contender(seat, REVEAL_US + round(arrived_ms * MS), round(ms * MS), round(claim_ms * MS), page)


def race(*hands: Contender) -> Race:
    """A race for card 7 with these slaps."""
    heard = Race(7, REVEAL_US)
    for each in hands:
        heard = heard.add(each)
    return heard


def over_ms(heard: Race, *others: PendingPlayer, window_ms: int = 0) -> float:
    """When the race is over, in milliseconds after the reveal."""
    return (heard.over_us(others, window_ms * MS) - REVEAL_US) / MS


def undrawn(n: int) -> int:
    """For races in which nothing may be drawn."""
    raise AssertionError(f"one of {n} was drawn")


# Adding slaps


def test_the_first_hand_of_a_seat_is_the_one_that_counts() -> None:
    ruling = race(hand(0, 500), hand(1, 450), hand(0, 300)).ruling(undrawn)
    assert ruling.order == (Placing(1, 450 * MS), Placing(0, 500 * MS))


def test_hearing_makes_a_new_race_and_leaves_the_old_one() -> None:
    before = race(hand(0, 500))
    after = before.add(hand(1, 400))
    assert (len(before.contenders), len(after.contenders), after.n, after.reveal_us) == (1, 2, 7, REVEAL_US)


# The order


def test_the_shorter_reaction_goes_before_the_earlier_message() -> None:
    ruling = race(hand(0, 425, arrived_ms=430), hand(1, 400, arrived_ms=520)).ruling(undrawn)
    assert ruling == Ruling((Placing(1, 400 * MS), Placing(0, 425 * MS)), tie=False)


def test_everybody_who_slapped_has_a_place_in_the_order_of_reactions() -> None:
    ruling = race(hand(2, 700), hand(0, 650), hand(3, 590), hand(1, 601)).ruling(undrawn)
    assert [(each.seat, each.us) for each in ruling.order] == [
        (3, 590 * MS),
        (1, 601 * MS),
        (0, 650 * MS),
        (2, 700 * MS),
    ]
    assert not ruling.tie


def test_a_race_without_a_hand_has_no_end() -> None:
    with pytest.raises(ValueError, match="empty"):
        Race(7, REVEAL_US).over_us([])


def test_a_race_without_a_hand_has_no_order() -> None:
    with pytest.raises(ValueError, match="nobody has slapped"):
        Race(7, REVEAL_US).ruling(undrawn)


# Ties


@pytest.mark.parametrize(("apart_us", "tie"), [(0, True), (1, True), (999, True), (1000, True), (1001, False)])
def test_reactions_up_to_one_millisecond_apart_are_a_tie(apart_us: int, tie: bool) -> None:
    assert race(hand(0, 400), hand(1, 400 + apart_us / MS)).ruling(lambda n: 0).tie == tie


@pytest.mark.parametrize("winner", [0, 1, 2])
def test_a_tie_goes_to_whom_the_draw_names_among_those_in_it(winner: int) -> None:
    """400.0, 400.4 and 400.9 ms are a tie of three; 401.5 is none, though it is near the third."""
    asked: list[int] = []

    def draw(n: int) -> int:
        asked.append(n)
        return winner

    ruling = race(hand(3, 401.5), hand(2, 400.9), hand(1, 400.4), hand(0, 400)).ruling(draw)
    assert asked == [3]
    assert ruling.tie
    assert [each.seat for each in ruling.order] == [winner, *(seat for seat in (0, 1, 2) if seat != winner), 3]


def test_a_tie_behind_the_winner_is_not_drawn() -> None:
    ruling = race(hand(0, 400), hand(1, 450), hand(2, 450)).ruling(undrawn)
    assert [each.seat for each in ruling.order] == [0, 1, 2]
    assert not ruling.tie


# Hands on one page


def test_on_one_page_the_hand_that_was_down_first_wins_by_a_tenth_of_a_millisecond() -> None:
    ruling = race(hand(0, 400.1, 400.1, page=5), hand(1, 400, 400, page=5)).ruling(undrawn)
    assert [each.seat for each in ruling.order] == [1, 0]
    assert not ruling.tie


@pytest.mark.parametrize("winner", [0, 1])
def test_on_one_page_equal_claims_are_a_tie_whatever_the_network_did(winner: int) -> None:
    """The page was not believed 20 ms of the second hand's claim, so it is not believed them of the first's."""
    ruling = race(hand(0, 400, 400, page=5), hand(1, 420, 400, page=5)).ruling(lambda n: winner)
    assert ruling == Ruling((Placing(winner, 420 * MS), Placing(1 - winner, 420 * MS)), tie=True)


def test_on_one_page_its_clock_tells_the_order_and_its_largest_doubt_the_distance() -> None:
    """Claims of 400 and 405; doubts of 40 and 5: both count as 40 later than claimed."""
    ruling = race(hand(0, 440, 400, page=5), hand(1, 410, 405, page=5)).ruling(undrawn)
    assert ruling.order == (Placing(0, 440 * MS), Placing(1, 445 * MS))


def test_what_one_page_is_not_believed_costs_no_other_page_anything() -> None:
    hands = hand(0, 440, 400, page=5), hand(1, 410, 405, page=5), hand(2, 443, 420, page=6)
    assert race(*hands).ruling(undrawn).order == (Placing(0, 440 * MS), Placing(2, 443 * MS), Placing(1, 445 * MS))


def test_a_bot_without_a_page_shares_it_with_nobody() -> None:
    ruling = race(hand(0, 440, 400), hand(1, 410, 405)).ruling(undrawn)
    assert ruling.order == (Placing(1, 410 * MS), Placing(0, 440 * MS))


def test_a_hand_that_its_own_page_saw_beaten_takes_no_part_in_a_tie_with_another_page() -> None:
    """400.0 and 400.1 on one page, 400.5 on another: it lies between the first and the third alone."""
    drawn: list[int] = []

    def last(n: int) -> int:
        drawn.append(n)
        return n - 1

    heard = race(hand(0, 400, 400, page=5), hand(1, 400.1, 400.1, page=5), hand(2, 400.5, 400.5, page=6))
    ruling = heard.ruling(last)
    assert drawn == [2]
    assert ruling.tie
    assert [each.seat for each in ruling.order] == [2, 0, 1]


HANDS = st.lists(
    st.tuples(st.integers(150, 900), st.integers(0, 300), st.sampled_from([None, 5, 6])), min_size=1, max_size=8
)
"""Claims and doubts in milliseconds, and pages."""


@given(HANDS)
def test_no_hand_counts_as_faster_than_it_would_alone(drawn: list[tuple[int, int, int | None]]) -> None:
    hands = [hand(seat, claim + doubt, claim, page) for seat, (claim, doubt, page) in enumerate(drawn)]
    order = race(*hands).ruling(lambda n: 0).order
    assert all(placed.us >= (drawn[placed.seat][0] + drawn[placed.seat][1]) * MS for placed in order)


@given(HANDS)
def test_the_order_does_not_depend_on_which_slap_arrives_first(drawn: list[tuple[int, int, int | None]]) -> None:
    hands = [hand(seat, claim + doubt, claim, page) for seat, (claim, doubt, page) in enumerate(drawn)]
    there, back = (race(*some).ruling(lambda n: 0) for some in (hands, hands[::-1]))
    assert sorted(each.seat for each in there.order) == list(range(len(hands)))
    assert [each.us for each in there.order] == sorted(each.us for each in there.order)
    assert there.tie == back.tie
    assert sorted(there.order) == sorted(back.order)


# The verdict


def test_alone_the_verdict_comes_with_the_hand() -> None:
    assert over_ms(race(hand(0, 420, arrived_ms=430))) == 430


def test_the_verdict_waits_for_half_a_round_trip_and_the_credit_from_the_best_reaction() -> None:
    """420 + 120/2 + 75, and not from the arrival at 480 or the hand of 470."""
    heard = race(hand(1, 470, arrived_ms=475), hand(0, 420, arrived_ms=480))
    assert over_ms(heard, PendingPlayer(40 * MS, 25 * MS), PendingPlayer(120 * MS, 75 * MS)) == 555


def test_a_better_hand_brings_the_verdict_forward() -> None:
    heard = race(hand(0, 420, arrived_ms=425))
    assert over_ms(heard, PendingPlayer(200 * MS, 0)) == 520
    assert over_ms(heard.add(hand(1, 330, arrived_ms=430)), PendingPlayer(200 * MS, 0)) == 430


def test_what_a_page_is_not_believed_puts_the_verdict_off() -> None:
    """The best hand counts as 440 and not as 410."""
    heard = race(hand(1, 410, 405, page=5), hand(0, 440, 400, page=5))
    assert over_ms(heard, PendingPlayer(200 * MS, 0)) == 540


def test_where_near_hands_are_together_the_verdict_waits_so_much_longer() -> None:
    heard = race(hand(0, 420))
    assert over_ms(heard, PendingPlayer(120 * MS, 75 * MS), window_ms=30) == 585
    assert heard.over_us([PendingPlayer(120 * MS, 75 * MS)]) == REVEAL_US + 556 * MS  # 1 ms by default


def test_the_hard_end_counts_from_the_first_arrival_of_all() -> None:
    """Opened at 1,000: over at 1,600, though a hand that could win might come until 1,490 + 400/2 + 125 = 1,815."""
    heard = race(hand(1, 1_500, arrived_ms=1_000), hand(0, 1_490, arrived_ms=1_300))
    assert over_ms(heard, PendingPlayer(400 * MS, 125 * MS)) == 1_600
