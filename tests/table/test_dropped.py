"""A slap in a race that does not count any more: the race is decided without it, and other verdicts stand.

Di's round trip was 400 ms when card 2 was revealed and is 10 ms now. So a slap of Di's on card 2 that arrives after
one on card 3 was made before card 3 was revealed, and is a wrong slap, as there was no pattern then. Bo is far away
and does not slap, so that races last.
"""

from __future__ import annotations

import pytest

from ratscrew.judge.constants import MAX_RACE_US
from ratscrew.table.core.room_commands import execute
from ratscrew.table.record import requests
from ratscrew.table.record.entries import Judged
from ratscrew.table.record.messages import Late, Refused
from ratscrew.table.session.slap_measurement import Press
from tests.table.driver import LiveTable, at_table, line

LOCKOUT = "1;classic;wrong_slap.kind=lockout"
TO_LAST = "1;classic;wrong_slap.kind=pile_to_last"
DEAD_ON_TOP = "1;classic;wrong_slap.kind=burn;wrong_slap.place=top"
THROWN_OUT = "1;classic;max_streak=1"
NO_SLAP_IN = "1;classic;slap_in=no"
TWO_ACTIVE = "1;classic;slap_in=while_two_active;endgame=play_out"
HANDS = "Ana: 9S 2C 4H | Bo: 2H 3H 5H | Di: 2D 8S 8C"


def scene(house: str, hands: str = HANDS) -> LiveTable:
    """9S, 2H and 2D lie there, Di turned the last one, and it has just been revealed."""
    live = at_table(hands, house=house)
    live.far(2, 400)
    live.far(1, 380)
    live.turn(0)
    live.play(1)
    while live.game.n < 2:
        live.step()
    show_third(live)
    return live


def show_third(live: LiveTable) -> None:
    """Di's round trip gets short, Di turns 2D, and the shortest reaction time passes."""
    live.until(live.shown_us)
    live.page_state(2).rtt_estimator = line(live.now_us, 10)
    live.play(2)
    while live.game.n < 3:
        live.step()
    live.until(live.shown_us + 156_000)


def slap(live: LiveTable, seat: int, n: int) -> None:
    """A hand comes in now."""
    live.act(live.table.slap(seat, n, Press(live.now_us), live.now_us))


def go_on(live: LiveTable) -> None:
    """Let the race end."""
    assert live.table.racing
    live.pass_ms(MAX_RACE_US / 1000)
    assert not live.table.racing


def order(live: LiveTable) -> list[list[int]]:
    """The seats of each verdict."""
    return [[hit.seat for hit in entry.event.order] for entry in live.entries if isinstance(entry.event, Judged)]


def refusals(live: LiveTable) -> list[tuple[int | None, str]]:
    """The seats whose slaps were refused, and the reasons."""
    return [(said.to, said.message.reason) for said in live.said if isinstance(said.message, Refused)]


def goes_on(live: LiveTable) -> None:
    """Play goes on: the next card comes by its timeout."""
    before = live.game.n
    while live.game.n == before:
        assert live.step(), "the table waits for ever"


@pytest.mark.parametrize(
    ("house", "hands", "why"),
    [
        (LOCKOUT, HANDS, "locked_out"),
        (LOCKOUT + ";wrong_slap.until=9", HANDS, "locked_out"),
        (NO_SLAP_IN, "Ana: 9S 2C 4H | Bo: 2H 3H 5H | Di: 2D 8S", "slap_in"),
    ],
    ids=["locked out until the pile is taken", "locked out for nine cards", "burned the last card"],
)
def test_a_race_whose_only_hand_cannot_count_any_more_ends_and_play_goes_on(house: str, hands: str, why: str) -> None:
    live = scene(house, hands)
    slap(live, 2, 3)
    slap(live, 2, 2)
    live.pass_ms(MAX_RACE_US / 1000)
    assert (live.table.racing, order(live), refusals(live)) == (False, [], [(2, why)])
    goes_on(live)


def test_a_pile_that_a_wrong_slap_below_has_moved_cannot_be_won_by_the_same_hand() -> None:
    live = scene(TO_LAST)
    slap(live, 2, 3)
    slap(live, 2, 2)
    assert [(late.seat, late.n) for late in live.heard(Late)] == [(2, 3)]
    assert (live.table.racing, order(live), live.game.pile) == (False, [], ())
    goes_on(live)


def test_who_is_locked_out_meanwhile_is_out_of_the_race_and_the_next_fastest_wins() -> None:
    live = scene(LOCKOUT)
    slap(live, 2, 3)
    slap(live, 0, 3)
    slap(live, 2, 2)
    go_on(live)
    assert (order(live), refusals(live)) == ([[0]], [(2, "locked_out")])
    assert live.told[-1] == "0 takes 3: slap:double"


def test_the_verdict_on_somebody_else_does_not_refuse_a_good_slap() -> None:
    """The table is woken late: Ana's slap comes first, and with it the end of Di's race is caught up."""
    live = scene(LOCKOUT)
    slap(live, 2, 3)
    slap(live, 2, 2)
    live.clock.advance(300_000)
    slap(live, 0, 3)
    live.pass_ms(MAX_RACE_US / 1000)
    assert (order(live), refusals(live)) == ([[0]], [(2, "locked_out")])


@pytest.mark.parametrize(
    ("house", "hands"),
    [(TO_LAST, HANDS), (DEAD_ON_TOP, HANDS), (TWO_ACTIVE, "Ana: 9S | Bo: 2H 3H 5H | Di: 2D 8S")],
    ids=["the pile would go", "a dead card would lie on it", "nobody without cards could slap in"],
)
def test_a_wrong_slap_below_does_not_take_from_others_what_they_race_for(house: str, hands: str) -> None:
    """The foul waits for the verdict; then the pile is gone, and the slap is late. Its player is not in the race."""
    live = scene(house, hands)
    slap(live, 0, 3)
    slap(live, 2, 3)
    cards = live.game.cards_held(2)
    slap(live, 2, 2)
    assert live.game.cards_held(2) == cards
    go_on(live)
    assert (order(live), live.told[-1]) == ([[0]], "0 takes 3: slap:double")
    assert [(late.seat, late.n) for late in live.heard(Late)] == [(2, 2)]
    assert live.game.cards_held(2) == cards


def test_who_has_slapped_wrongly_below_cannot_enter_the_race_while_that_waits_for_the_verdict() -> None:
    live = scene(TO_LAST)
    slap(live, 0, 3)
    slap(live, 2, 2)
    slap(live, 2, 3)
    go_on(live)
    assert (order(live), live.told[-1]) == ([[0]], "0 takes 3: slap:double")


def test_a_wrong_slap_below_that_takes_nothing_from_others_costs_its_card_at_once() -> None:
    live = scene("1;classic")
    slap(live, 0, 3)
    cards = live.game.cards_held(2)
    slap(live, 2, 2)
    assert live.game.cards_held(2) == cards - 1
    go_on(live)
    assert live.told[-1] == "0 takes 4: slap:double"


def test_who_is_thrown_out_for_it_is_out_of_the_race() -> None:
    """Two wrong slaps on two cards in a row are more than these rules allow; Di's 2D stays where it lies."""
    live = at_table("Ana: 9S 2C 4H | Bo: 2H 3H 5H | Di: 8D 2D 8S 8C", house=THROWN_OUT)
    live.far(2, 400)
    live.far(1, 380)
    live.turn(0)
    live.pass_ms(400)
    live.play(1)
    while live.game.n < 2:
        live.step()
    slap(live, 2, 1)  # card 2 is turned already, though not revealed yet
    show_third(live)
    slap(live, 0, 3)
    slap(live, 2, 3)
    slap(live, 2, 2)
    assert live.game.seat_states[2].out
    go_on(live)
    assert order(live) == [[0]]
    assert live.told[-1].startswith("0 takes")


@pytest.mark.parametrize("by_host", [True, False], ids=["removed", "of their own accord"])
@pytest.mark.parametrize("others", [True, False], ids=["with another hand in the race", "alone in the race"])
def test_who_has_left_for_good_is_out_of_the_race(by_host: bool, others: bool) -> None:
    live = scene("1;classic")
    slap(live, 2, 3)
    if others:
        slap(live, 0, 3)
    if by_host:
        live.act(execute(live.table, 0, requests.Remove(2), live.now_us))
    else:
        live.act(execute(live.table, 2, requests.Leave(), live.now_us))
    assert (live.table.wake_us() or 0) <= live.now_us + MAX_RACE_US
    go_on(live)
    assert order(live) == ([[0]] if others else [])
    goes_on(live)
