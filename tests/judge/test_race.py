"""Who slapped first: the shortest reaction by the server's own estimate, every number worked out by hand.

All times are of a card that was shown at 10 s; in a scene `ms` are milliseconds after that.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratscrew.judge.race import Claim, Placed, Race, Rival, Ruling, reaction_us

SHOWN = 10_000_000


def claim(seat: int, ms: float, rtt_ms: float = 0) -> Claim:
    """A slap that arrives so many milliseconds after the card was shown."""
    return Claim(seat, SHOWN + round(ms * 1000), round(rtt_ms * 1000))


def race(*claims: Claim) -> Race:
    """A race for card 7 that has heard these claims."""
    heard = Race(7, SHOWN)
    for one in claims:
        heard = heard.hear(one)
    return heard


def due_ms(heard: Race, *rivals: Rival, window_ms: int = 0) -> float:
    """When the race is over, in milliseconds after the card was shown."""
    return (heard.due_us(rivals, window_ms * 1000) - SHOWN) / 1000


def rival(seat: int, rtt_ms: float = 0) -> Rival:
    """Somebody who has not slapped yet."""
    return Rival(seat, round(rtt_ms * 1000))


def undrawn(n: int) -> int:
    """For races in which nothing may be drawn."""
    raise AssertionError(f"one of {n} was drawn")


# Reactions


@pytest.mark.parametrize(
    ("arrived_ms", "rtt_ms", "reaction_ms"),
    [
        (400, 0, 400),  # on this machine
        (400, 60, 370),  # 400 - 60/2
        (400, 399, 200.5),  # 400 - 399/2
        (400, 400, 200),  # the longest round trip that is made up for
        (400, 401, 200),  # and not a microsecond more
        (400, 5000, 200),
        (30, 100, 0),  # 30 - 50 is below nothing
        (0, 0, 0),
        (-5, 0, 0),  # arrived before the card was shown
    ],
)
def test_the_reaction_is_the_arrival_less_the_reveal_less_half_the_round_trip(
    arrived_ms: float, rtt_ms: float, reaction_ms: float
) -> None:
    assert reaction_us(claim(0, arrived_ms, rtt_ms), SHOWN) == reaction_ms * 1000


def test_an_odd_round_trip_is_halved_downwards() -> None:
    assert reaction_us(Claim(0, SHOWN + 1000, 3), SHOWN) == 999


def test_what_the_player_says_of_his_own_clock_counts_for_nothing_yet() -> None:
    honest = Claim(0, SHOWN + 400_000, 20_000)
    liar = Claim(0, SHOWN + 400_000, 20_000, painted_us=5_000_000, pressed_us=5_000_001)
    assert reaction_us(liar, SHOWN) == reaction_us(honest, SHOWN) == 390_000


# Hearing


def test_the_first_claim_of_a_seat_is_the_one_that_counts() -> None:
    heard = race(claim(0, 500), claim(1, 450), claim(0, 300))
    assert [(one.seat, one.arrived_us - SHOWN) for one in heard.claims] == [(0, 500_000), (1, 450_000)]


def test_hearing_makes_a_new_race_and_leaves_the_old_one() -> None:
    before = race(claim(0, 500))
    after = before.hear(claim(1, 400))
    assert (len(before.claims), len(after.claims), after.n, after.shown_us) == (1, 2, 7, SHOWN)


# The verdict


def test_alone_on_this_machine_the_verdict_comes_at_once() -> None:
    assert due_ms(race(claim(0, 420))) == 420


def test_the_verdict_waits_for_half_the_round_trip_of_the_slowest_rival() -> None:
    """Shown + 420 best + 120/2: a hand of 420 ms that is still under way arrives at 480."""
    assert due_ms(race(claim(0, 420)), rival(1, 40), rival(2, 120)) == 480


def test_the_verdict_counts_from_the_reaction_and_not_from_the_arrival() -> None:
    """A claim arrives at 470 after a round trip of 100: 420 ms. A rival of 40 with 420 ms arrives at 440: no wait."""
    assert due_ms(race(claim(0, 470, 100)), rival(1, 40)) == 440


def test_a_better_claim_brings_the_verdict_forward() -> None:
    heard = race(claim(0, 420))
    assert due_ms(heard, rival(1, 200), rival(2, 200)) == 520
    assert due_ms(heard.hear(claim(1, 430, 200)), rival(1, 200), rival(2, 200)) == 430  # 330 + 100


def test_who_has_slapped_is_not_waited_for() -> None:
    assert due_ms(race(claim(0, 420, 300)), rival(0, 300)) == 270
    assert due_ms(race(claim(0, 420), claim(1, 700, 390)), rival(0, 8), rival(1, 390), rival(2, 10)) == 425


def test_no_rival_is_waited_for_longer_than_half_of_the_longest_round_trip() -> None:
    assert due_ms(race(claim(0, 420)), rival(1, 2000)) == 420 + 200


def test_where_near_hands_are_together_the_verdict_waits_so_much_longer_for_a_rival() -> None:
    """Shown + 420 best + 120/2 + 30: a hand of 450 ms that is still under way arrives at 510."""
    assert due_ms(race(claim(0, 420)), rival(1, 40), rival(2, 120), window_ms=30) == 510


def test_with_no_rival_left_the_verdict_waits_for_no_window() -> None:
    assert due_ms(race(claim(0, 420)), window_ms=30) == 420
    assert due_ms(race(claim(0, 420), claim(1, 425)), rival(0), rival(1), window_ms=30) == 420


def test_the_window_puts_no_verdict_off_beyond_the_hard_end() -> None:
    assert due_ms(race(claim(0, -500)), rival(1, 400), window_ms=500) == 100


def test_600_ms_after_the_first_arrival_the_race_is_over_whatever_happens() -> None:
    """A claim that came 500 ms before the card was shown: its race is over at 100, not at 0 + 400/2."""
    assert due_ms(race(claim(0, -500)), rival(1, 400)) == 100


def test_the_hard_end_counts_from_the_first_arrival_of_all() -> None:
    assert due_ms(race(claim(1, 10), claim(0, -700)), rival(2, 100)) == -100


def test_a_race_without_a_claim_has_no_end_and_no_order() -> None:
    with pytest.raises(ValueError, match="empty"):
        Race(7, SHOWN).due_us([])
    with pytest.raises(ValueError, match="empty"):
        Race(7, SHOWN).ruling(undrawn)


@given(
    st.lists(st.tuples(st.integers(0, 1500), st.integers(0, 800)), min_size=1, max_size=6),
    st.lists(st.integers(0, 800), max_size=4),
    st.integers(0, 1500),
)
def test_nobody_could_win_after_the_verdict(hands: list[tuple[int, int]], rivals: list[int], reaction: int) -> None:
    """Whatever reaction a rival has: either it is in before the verdict, or it would not have been the best."""
    heard = race(*(claim(seat, ms, rtt) for seat, (ms, rtt) in enumerate(hands)))
    waiting = [rival(len(hands) + seat, rtt) for seat, rtt in enumerate(rivals)]
    due = heard.due_us(waiting)
    best = min(reaction_us(one, SHOWN) for one in heard.claims)
    first = min(one.arrived_us for one in heard.claims)
    assert due <= first + 600_000
    for other in waiting:
        late = Claim(other.seat, SHOWN + reaction * 1000 + min(other.rtt_us, 400_000) // 2, other.rtt_us)
        if due < late.arrived_us <= first + 600_000:
            assert reaction_us(late, SHOWN) > best


# The order


def test_the_shorter_reaction_goes_before_the_earlier_message() -> None:
    """Near: 430 - 10/2 = 425. Far: 520 - 240/2 = 400, though his message came 90 ms later."""
    ruling = race(claim(0, 430, 10), claim(1, 520, 240)).ruling(undrawn)
    assert ruling == Ruling((Placed(1, 400_000), Placed(0, 425_000)), tie=False)


def test_everybody_who_slapped_has_a_place_in_the_order_of_reactions() -> None:
    ruling = race(claim(2, 700), claim(0, 650), claim(3, 600, 20), claim(1, 601)).ruling(undrawn)
    assert [(hand.seat, hand.us) for hand in ruling.order] == [(3, 590_000), (1, 601_000), (0, 650_000), (2, 700_000)]
    assert not ruling.tie


@pytest.mark.parametrize(("apart_us", "tie"), [(0, True), (1, True), (999, True), (1000, True), (1001, False)])
def test_reactions_up_to_one_millisecond_apart_are_a_tie(apart_us: int, tie: bool) -> None:
    heard = race(Claim(0, SHOWN + 400_000), Claim(1, SHOWN + 400_000 + apart_us))
    assert heard.ruling(lambda n: 0).tie == tie


@pytest.mark.parametrize("winner", [0, 1, 2])
def test_a_tie_goes_to_whom_the_draw_names_among_those_in_it(winner: int) -> None:
    """400.0, 400.4 and 400.9 ms are a tie of three; 401.5 is none, though it is near the third."""
    heard = race(claim(3, 401.5), claim(2, 400.9), claim(1, 400.4), claim(0, 400))
    asked: list[int] = []

    def draw(n: int) -> int:
        asked.append(n)
        return winner

    ruling = heard.ruling(draw)
    assert asked == [3]
    assert ruling.tie
    assert [hand.seat for hand in ruling.order] == [winner, *(seat for seat in (0, 1, 2) if seat != winner), 3]


def test_a_tie_behind_the_winner_is_not_drawn() -> None:
    ruling = race(claim(0, 400), claim(1, 450), claim(2, 450)).ruling(undrawn)
    assert [hand.seat for hand in ruling.order] == [0, 1, 2]
    assert not ruling.tie


@given(st.lists(st.tuples(st.integers(0, 2000), st.integers(0, 900)), min_size=1, max_size=8))
def test_the_order_does_not_depend_on_who_is_heard_first(hands: list[tuple[int, int]]) -> None:
    claims = [claim(seat, ms, rtt) for seat, (ms, rtt) in enumerate(hands)]
    there, back = (race(*some).ruling(lambda n: 0) for some in (claims, claims[::-1]))
    assert sorted(hand.seat for hand in there.order) == list(range(len(hands)))
    assert [hand.us for hand in there.order[1:]] == sorted(hand.us for hand in there.order[1:])
    assert there.order[0].us - min(hand.us for hand in there.order) <= 1000
    assert there.tie == back.tie
    assert sorted(there.order, key=lambda hand: hand.seat) == sorted(back.order, key=lambda hand: hand.seat)
