"""Several seats at one page: its own clock decides which of them was first, however close they are.

Ana and Bo share a page, Cy has another. Bo's card is the second nine.
"""

from __future__ import annotations

import pytest

from ratscrew.errors import RefusalReason
from ratscrew.judge.page_state import PageState
from ratscrew.log.memory import MemoryLog
from ratscrew.table.record import requests
from ratscrew.table.record.entries import Judged
from ratscrew.table.record.messages import Presence, Refused
from ratscrew.table.room.room import Room
from ratscrew.table.session.slap_tracker import FLAT
from ratscrew.testing.clock import ManualClock, on_manual_clock
from tests.table.driver import LiveTable, at_table, line
from tests.table.pages import credit, hits, paints, presses, says, sends_slap, verdict_ms, wait
from tests.table.people import Person, now, pass_ms, room_of

NINES = "Ana: 9S 2C 4H | Bo: 9H 3H 5H | Cy: 7H KC"


def shared(rtt_ms: float = 0, drawn: int = 0) -> LiveTable:
    """The double is revealed, and the shared page, so far away, has painted it then."""
    live = at_table(NINES, here=[2], draw=lambda n: drawn)
    page_state = PageState(line(live.now_us, rtt_ms))
    for seat in (0, 1):
        live.act(live.table.come(seat, live.now_us, page_state))
    live.turn(0, 1)
    paints(live, 0)
    return live


def both(live: LiveTable, ana: tuple[float, float], bo: tuple[float, float]) -> LiveTable:
    """Both hands: when they were pressed, and when they came."""
    for seat, (pressed_ms, came_ms) in sorted({0: ana, 1: bo}.items(), key=lambda each: each[1][1]):
        wait(live, came_ms)
        presses(live, seat, pressed_ms)
    live.pass_ms(100)
    return live


# Which of them was first


def test_the_least_difference_counts_which_between_two_pages_would_be_a_tie() -> None:
    live = both(shared(), ana=(400.2, 401), bo=(400.1, 401))
    assert live.told[-2:] == ["double on 2: 1 401, 0 401.1", "1 takes 2: slap:double"]


def test_it_does_not_matter_whose_message_comes_first_or_how_late() -> None:
    """Ana's comes in time, Bo's 26 late, of which 25 count: what does not count for one, does not for the other."""
    live = shared(rtt_ms=60)
    credit(live, 1, purse_us=0)
    both(live, ana=(400.2, 430.2), bo=(400.1, 456.1))
    assert live.told[-2:] == ["double on 2: 1 401.1, 0 401.2", "1 takes 2: slap:double"]


def test_the_purse_of_one_of_them_makes_him_no_faster_than_the_other() -> None:
    """Bo has credit for the 30, and Ana, whose slap came just as late, has none; hers was made first."""
    live = shared(rtt_ms=60)
    credit(live, 1)
    both(live, ana=(400.1, 460.1), bo=(400.2, 460.2))
    assert live.told[-2:] == ["double on 2: 0 430.1, 1 430.2", "0 takes 2: slap:double"]


@pytest.mark.parametrize("drawn", [0, 1])
def test_hands_of_the_very_same_stamp_are_drawn(drawn: int) -> None:
    live = both(shared(drawn=drawn), ana=(400.1, 400.1), bo=(400.1, 400.1))
    other = 1 - drawn
    assert live.told[-2:] == [f"double on 2: {drawn} 400.1, {other} 400.1, drawn", f"{drawn} takes 2: slap:double"]


def test_the_log_says_which_hands_were_on_one_page() -> None:
    live = shared(rtt_ms=60)
    live.slap(2, after_ms=420)
    both(live, ana=(405, 435), bo=(405.5, 435.5))
    assert [(hit.seat, hit.page) for hit in hits(live)] == [(0, 0), (1, 0), (2, None)]


def test_who_sits_there_alone_after_all_has_a_page_of_his_own() -> None:
    live = shared()
    live.go(1)
    wait(live, 400)
    presses(live, 0, 400)
    live.pass_ms(100)
    assert [(hit.seat, hit.page) for hit in hits(live)] == [(0, None)]


# Waiting for them


def test_both_are_waited_for_by_their_one_line_and_cleared_by_its_one_word() -> None:
    """Cy's 400 is there; they are 200 away: 400 + 1 + 100. At 460 their page says 401."""
    live = shared(rtt_ms=200)
    live.slap(2, after_ms=400)
    live.pass_ms(1000)
    assert verdict_ms(live) == 501
    live = shared(rtt_ms=200)
    live.slap(2, after_ms=400)
    wait(live, 460)
    says(live, 0, 401)
    assert verdict_ms(live) == 460


def test_when_one_of_them_has_slapped_the_other_is_waited_for_still() -> None:
    live = shared(rtt_ms=200)
    wait(live, 500)
    presses(live, 0, 400)
    wait(live, 600)
    assert live.told[-1] == "1 turns 9H"
    live.pass_ms(1)
    assert verdict_ms(live) == 601


def test_hands_together_are_one_race_however_near_the_server_is_until_the_page_says_that_there_are_no_more() -> None:
    """Ana's message is there 9 after her hand, when nobody far away could still be better; Bo's was down before."""
    live = both(shared(), ana=(400.2, 409), bo=(400.1, 450))
    assert [hit.seat for hit in hits(live)] == [1, 0]
    live = shared()
    wait(live, 409)
    presses(live, 0, 400.2)
    wait(live, 412)
    says(live, 0, 411)
    assert verdict_ms(live) == 412


def touched_at_400() -> LiveTable:
    """Ana's slap, pressed at 400.2, arrives at 416, after a heartbeat of her page that is stamped 407."""
    live = shared()
    for seat in (0, 1):
        credit(live, seat)
    wait(live, 407)
    says(live, 0, 407)
    wait(live, 416)
    sends_slap(live, 0, 400.2)
    return live


def test_a_heartbeat_that_was_sent_before_a_slap_does_not_say_that_there_are_no_more() -> None:
    live = touched_at_400()
    wait(live, 421)
    sends_slap(live, 1, 400.2, serial=2)
    live.pass_ms(1)
    assert [(hit.seat, hit.us) for hit in hits(live)] == [(0, 400_200), (1, 400_200)]


def test_a_heartbeat_60_ms_after_a_slap_says_that_there_are_no_more() -> None:
    """Fingers that come down together reach the page one after the other."""
    live = touched_at_400()
    for ms in (417, 460, 461):
        assert not any(isinstance(entry.event, Judged) for entry in live.entries)
        wait(live, ms)
        says(live, 0, ms)
    assert verdict_ms(live) == 461


# In a room


def table_of_three(clock: ManualClock) -> tuple[Room, Person, Person]:
    """Ana and Bo at one page, Cy at another."""
    room = room_of(at_table(NINES, here=[]), MemoryLog(), clock)
    pair, cy = Person(0, others=(1,)), Person(2)
    for person in (pair, cy):
        room.enter(person)
        person.now()
    return room, pair, cy


@on_manual_clock
async def test_one_page_acts_for_each_of_its_seats_and_for_no_other(clock: ManualClock) -> None:
    room, pair, _ = table_of_three(clock)
    await pass_ms(500)
    room.play(pair, 0)  # the first of its seats, if it does not say whose
    await pass_ms(500)
    room.play(pair, 1, 1)
    await pass_ms(1000)
    assert pair.events() == ["5: 0 turns 9S", "6: 1 turns 9H"]
    room.play(pair, 2, 2)
    room.slap(pair, 2, now(clock), FLAT, 2)
    room.request(pair, requests.Act("hover", seat=2))
    assert pair.now() == [Refused(what, RefusalReason.NOT_PLAYING) for what in ("play", "slap", "act")]
    room.slap(pair, 2, now(clock), FLAT, 1)
    await pass_ms(150)
    assert pair.events()[-1].endswith("1 takes 2: slap:double")


@on_manual_clock
async def test_a_page_of_several_seats_is_told_whose_wish_was_refused(clock: ManualClock) -> None:
    room, pair, cy = table_of_three(clock)
    pair.now()
    room.play(pair, 0, 1)
    room.play(cy, 0)
    assert (pair.now(), cy.now()) == ([Refused("play", "not_your_turn", 1)], [Refused("play", "not_your_turn")])


@on_manual_clock
async def test_each_page_is_told_a_card_once(clock: ManualClock) -> None:
    room, pair, cy = table_of_three(clock)
    for page in (pair, cy):
        page.far(clock, 0)
    await pass_ms(500)
    room.play(pair, 0)
    await pass_ms(500)
    assert ([n for n, _ in pair.soons], [n for n, _ in cy.soons]) == ([1], [1])


@on_manual_clock
async def test_when_the_page_goes_all_its_seats_are_empty(clock: ManualClock) -> None:
    room, pair, cy = table_of_three(clock)
    room.exit(pair)
    assert [some for some in cy.now() if isinstance(some, Presence)] == [Presence(0, False), Presence(1, False)]
    assert [seat.here for seat in room.table.seats] == [False, False, True]


@on_manual_clock
async def test_who_takes_one_of_its_seats_to_another_page_closes_it_for_all(clock: ManualClock) -> None:
    """Bo comes with another phone: the shared page is disconnected, and Ana is away until she comes again."""
    room, pair, _ = table_of_three(clock)
    room.enter(bo := Person(1))
    assert pair.now()[-1] == "leave: elsewhere"
    assert [seat.here for seat in room.table.seats] == [False, True, True]
    assert room.subscriber_at(1) is bo
    assert room.table.seats[1].page_state is bo.page_state
