"""Credit at a table: how far the page's clock counts, slap by slap, and what the log stores of it.

All players begin with 25 ms that are free each time and 50 in the purse. Bo is 100 away: a slap should arrive 50 after
it was pressed by Bo's page's clock; every ms later is its *excess*.
"""

from __future__ import annotations

import pytest

from ratscrew.judge.credit import Credit
from ratscrew.judge.judgement import CardTiming, SlapStamps, judge
from ratscrew.table.record.entries import Proof
from tests.table.driver import LiveTable, at_table, change_seat, new_table
from tests.table.looks import refused
from tests.table.pages import credit, hits, paints, presses, says, wait

MS = 1_000


def nothing() -> LiveTable:
    """Nothing here can be slapped, and Bo has cards enough to be wrong."""
    live = at_table("Ana: 2C 5C 7C 2D 5D | Bo: 9S 3H 4S 6H 8S TH 4D 6C 8H TC")
    live.far(1, 100)
    credit(live, 1)
    return live


def double(**given: object) -> LiveTable:
    """Two nines lie there; Bo has a new credit, or the given one."""
    live = at_table("Ana: 9S 2C 4H | Bo: 9H 3H 5H")
    live.far(1, 100)
    live.turn(0, 1)
    credit(live, 1, **given)
    paints(live, 1)
    return live


def wrong(live: LiveTable, excess_ms: float) -> Proof:
    """The next card comes, and Bo slaps it: pressed at 300, so much later than it should arrive. Returns the proof."""
    live.turn(live.game.standing.turn)
    paints(live, 1)
    wait(live, 350 + excess_ms)
    presses(live, 1, 300)
    proof = hits(live)[-1].proof
    assert proof
    return proof


def purse_ms(live: LiveTable) -> float:
    """What is in Bo's purse."""
    return live.table.seats[1].credit.purse_us / MS


# Slap by slap


def test_the_purse_is_spent_beyond_what_is_free_and_fills_with_every_clean_slap() -> None:
    """Excess, credit, the reaction that counts, and the purse afterwards."""
    live = nothing()
    story = [
        (10, 10, 300, 55),  # within the 25: 5 go into the purse
        (40, 40, 300, 40),  # 15 of it from the purse
        (0, 0, 300, 45),
        (-10, -10, 300, 50),  # sooner than its round trip explains: that counts
        (90, 75, 315, 0),  # 25 and all 50
        (30, 25, 305, 0),
        (25, 25, 300, 5),
    ]
    for excess_ms, granted_ms, counts_ms, left_ms in story:
        before_ms = purse_ms(live)
        proof = wrong(live, excess_ms)
        assert (proof.free_us, proof.purse_us, proof.granted_us) == (25 * MS, before_ms * MS, granted_ms * MS)
        assert (hits(live)[-1].us, purse_ms(live)) == (counts_ms * MS, left_ms)


def test_whose_network_always_seems_slow_has_less_that_is_free() -> None:
    """The median of eight slaps is 18: 8 more than an honest connection has."""
    live = nothing()
    change_seat(live.table, 1, credit=Credit(excesses_us=(18 * MS,) * 7))
    assert wrong(live, 18).free_us == 25 * MS
    assert wrong(live, 20).free_us == 17 * MS
    assert purse_ms(live) == 50 + 5 - 3


@pytest.mark.parametrize(
    ("purse", "arrives_ms", "order"),
    [
        (50, 500, "1 390, 0 400"),  # 60 late: 25 free, 35 from the purse
        (10, 470, "1 390, 0 400"),  # 30 late
        (10, 480, "1 395, 0 400"),  # 40 late, and 35 credited
        (0, 470, "1 395, 0 400"),  # 30 late, and 25 credited
    ],
)
def test_a_hand_that_was_held_up_wins_as_far_as_credit_goes(purse: int, arrives_ms: int, order: str) -> None:
    """Bo's hand of 390 should be there at 440; Ana's of 400 is there first."""
    live = double(purse_us=purse * MS)
    live.slap(0, after_ms=400)
    wait(live, arrives_ms)
    presses(live, 1, 390)
    assert live.told[-2] == f"double on 2: {order}"


# What costs nothing


def test_a_hand_in_a_race_costs_when_the_race_is_decided() -> None:
    """Ana, as far as Bo, is waited for until 300 + 1 + 50."""
    live = double()
    live.far(0, 200)
    wait(live, 390)
    presses(live, 1, 300)
    assert purse_ms(live) == 50
    wait(live, 401)
    assert (live.told[-1], purse_ms(live)) == ("1 takes 2: slap:double", 50 - 15)


def test_a_hand_that_comes_too_late_or_was_moving_or_is_down_already_costs_nothing() -> None:
    live = double()
    wait(live, 300)
    presses(live, 1, 149)
    presses(live, 0, 300)
    wait(live, 600)
    presses(live, 1, 300)
    presses(live, 1, 310)
    assert refused(live) == ["moving", "twice"]
    assert live.table.seats[1].credit == Credit()


# How long it lasts


def test_going_and_coming_back_fills_no_purse() -> None:
    live = nothing()
    wrong(live, 60)
    before = live.table.seats[1].credit
    assert before == Credit(15 * MS, (60 * MS,))
    page = live.page_state(1)
    live.go(1)
    live.come(1)
    assert live.page_state(1) is not page
    assert live.table.seats[1].credit == before


def test_nor_does_another_game() -> None:
    live = at_table("Ana: 9S | Bo: 9H")
    live.far(1, 100)
    live.turn(0, 1)
    credit(live, 1)
    paints(live, 1)
    wait(live, 400)
    presses(live, 1, 300)
    live.pass_ms(10)
    live.again(0)
    assert live.table.state.round == 2
    assert purse_ms(live) == 25


def test_nor_a_stop_of_the_server() -> None:
    live = nothing()
    for excess_ms in (10, 60, 30):
        wrong(live, excess_ms)
    again = new_table()
    again.restore(1, live.entries)
    assert again.seats[1].credit == live.table.seats[1].credit == Credit(15 * MS, (10 * MS, 60 * MS, 30 * MS))


# What the log keeps


@pytest.mark.parametrize("excess_ms", [-10, 0, 20, 60, 90])
def test_what_is_kept_is_enough_to_judge_again(excess_ms: float) -> None:
    live = nothing()
    proof = wrong(live, excess_ms)
    assert (proof.arrived_us, proof.pressed_us, proof.rtt_us) == (round((350 + excess_ms) * MS), 300 * MS, 100 * MS)
    again = judge(
        SlapStamps(proof.arrived_us, proof.pressed_us), CardTiming(0, proof.rtt_us, 0), Credit(proof.purse_us)
    )
    assert (again.reaction_us, again.granted_us) == (hits(live)[-1].us, proof.granted_us)


def test_a_heartbeat_that_came_before_is_kept_with_it() -> None:
    """At 430 the page said that until 380 nothing was slapped. A slap of 300 that comes at 440 is 368, 22 late."""
    live = double()
    wait(live, 432)
    says(live, 1, 380)
    wait(live, 440)
    presses(live, 1, 300)
    live.pass_ms(1)
    (hit,) = hits(live)
    assert hit.proof
    assert (hit.us, hit.proof.beat_us, hit.proof.lag_us, hit.proof.granted_us) == (368 * MS, 380 * MS, 2 * MS, 22 * MS)
    again = judge(SlapStamps(440 * MS, 300 * MS, hit.proof.beat_us), CardTiming(0, 100 * MS, 0), Credit())
    assert (again.reaction_us, again.back_dated) == (368 * MS, True)


def test_of_a_page_that_gives_no_stamps_nothing_is_kept_and_nothing_credited() -> None:
    live = double()
    live.slap(1, after_ms=480)
    (hit,) = hits(live)
    assert (hit.us, hit.proof, live.table.seats[1].credit) == (430 * MS, None, Credit())
