"""How long a verdict waits for players who have not slapped: until nothing that they could send would win.

Ana's slap of 400 ms is there at 400. Bo, 100 away, might still be faster.
"""

from __future__ import annotations

from typing import Any

import pytest

from ratscrew.errors import Refusal, RefusalReason
from ratscrew.judge.page_state import PageState
from ratscrew.table.record.messages import Late
from tests.table.driver import LiveTable, at_table, line
from tests.table.pages import credit, hits, paints, presses, says, verdict_ms, wait


def double(rtt_ms: float = 100, **given: Any) -> LiveTable:
    """Two nines lie there; Bo is so far away, and has a new credit."""
    live = at_table("Ana: 9S 2C 4H | Bo: 9H 3H 5H")
    for seat, far_ms in ((0, 0), (1, rtt_ms)):
        live.far(seat, far_ms)
    live.turn(0, 1)
    credit(live, 1, **given)
    return live


def slapped(live: LiveTable) -> float:
    """Ana slaps, nothing else comes: when the verdict is there."""
    live.slap(0, after_ms=400)
    live.pass_ms(1000)
    return verdict_ms(live)


# A page without heartbeats


@pytest.mark.parametrize(
    ("given", "over_ms"),
    [
        ({}, 400 + 1 + 50 + 25 + 50),
        ({"purse_us": 0}, 400 + 1 + 50 + 25),
        ({"purse_us": 100_000}, 400 + 1 + 50 + 25 + 100),
        ({"excesses_us": (20_000,) * 8}, 400 + 1 + 50 + 15 + 50),  # always 20 late: 10 less is free
        ({"excesses_us": (20_000,) * 7}, 400 + 1 + 50 + 25 + 50),  # too few to say so
        ({"purse_us": 0, "penalised": True}, 400 + 1 + 50),
    ],
)
def test_who_says_nothing_is_waited_for_as_long_as_his_line_and_his_credit_could_explain(
    given: dict[str, Any], over_ms: float
) -> None:
    assert slapped(double(**given)) == over_ms


@pytest.mark.parametrize(("arrives_ms", "order"), [(525, "0 400, 1 400, drawn"), (523, "1 398, 0 400")])
def test_what_comes_just_before_could_still_tie_or_win(arrives_ms: int, order: str) -> None:
    """Stamped 390, Bo is credited 75: 525 - 50 - 75 = 400."""
    live = double()
    paints(live, 1)
    live.slap(0, after_ms=400)
    wait(live, arrives_ms)
    presses(live, 1, 390)
    assert live.told[-2] == f"double on 2: {order}"


def test_what_comes_after_it_is_late() -> None:
    """Even a player who would have won by their own clock."""
    live = double()
    paints(live, 1)
    live.slap(0, after_ms=400)
    wait(live, 527)
    presses(live, 1, 350)
    assert live.told[-1] == "0 takes 2: slap:double"
    assert live.heard(Late) == [Late(1, 2, 402_000)]  # 527 - 50 - 75


# A page whose heartbeats say that nothing was slapped


@pytest.mark.parametrize(("stamp_ms", "over_ms"), [(405.999, 526), (406, 456)])
def test_who_says_so_is_not_waited_for_any_longer(stamp_ms: float, over_ms: float) -> None:
    """Bo's page painted the card 5 late: a slap of 400, and 1 for a tie, would be stamped 406."""
    live = double()
    wait(live, 60)
    paints(live, 1, 5)
    live.slap(0, after_ms=400)
    wait(live, 456)
    says(live, 1, stamp_ms)
    live.pass_ms(1000)
    assert verdict_ms(live) == over_ms


def test_an_answer_to_a_ping_says_it_as_well() -> None:
    live = double()
    paints(live, 1)
    live.slap(0, after_ms=400)
    wait(live, 470)
    live.page_state(1).record_pong(live.now_us - 100_000, live.now_us, live.now_us - 50_000)
    live.act(live.table.tick(live.now_us))
    assert verdict_ms(live) == 470


def test_who_has_not_said_when_he_has_seen_the_card_says_nothing_by_it() -> None:
    live = double()
    live.slap(0, after_ms=400)
    wait(live, 470)
    says(live, 1, 420)
    live.pass_ms(1000)
    assert verdict_ms(live) == 526


def test_where_everybody_has_said_so_before_the_first_hand_comes_the_verdict_is_there_with_it() -> None:
    """Ana is the far one: her 400 comes at 500, and Bo's page has said 430 at 430."""
    live = double(rtt_ms=0)
    live.far(0, 200)
    paints(live, 1)
    wait(live, 430)
    says(live, 1, 430)
    live.until(live.shown_us + 500_000)
    live.slap(0)
    assert (verdict_ms(live), live.told[-2]) == (500, "double on 2: 0 400")


# Players who cannot slap, or whose page is hidden


def test_a_page_that_is_hidden_is_not_waited_for() -> None:
    live = double()
    live.page_state(1).visible = False
    assert slapped(live) == 400


def test_nor_from_when_on_it_is_hidden() -> None:
    live = double()
    live.slap(0, after_ms=400)
    wait(live, 440)
    live.page_state(1).visible = False
    live.act(live.table.tick(live.now_us))
    assert verdict_ms(live) == 440


def test_but_a_hand_from_there_counts() -> None:
    live = double()
    live.page_state(1).visible = False
    live.slap(1, after_ms=400)
    assert live.told[-2] == "double on 2: 1 350"


def test_who_goes_is_not_waited_for() -> None:
    live = double()
    live.slap(0, after_ms=400)
    wait(live, 440)
    live.go(1)
    live.pass_ms(0)
    assert verdict_ms(live) == 440


def test_who_comes_back_with_another_page_is_waited_for_by_its_line_and_judged_by_ours_alone() -> None:
    """40 away now, and not shown the card there: 400 + 1 + 20 + 75; the 405 comes at 425, whatever its stamp."""
    live = double()
    live.slap(0, after_ms=400)
    live.act(live.table.come(1, live.now_us, PageState(line(live.now_us, 40))))
    with pytest.raises(Refusal) as refusal:
        paints(live, 1)
    assert refusal.value.reason == RefusalReason.NOT_SHOWN
    wait(live, 425)
    presses(live, 1, 350)
    assert (verdict_ms(live), live.told[-2]) == (425, "double on 2: 0 400, 1 405")
    assert hits(live)[1].proof is None


def test_and_who_comes_back_and_does_nothing_by_that_line() -> None:
    live = double()
    live.slap(0, after_ms=400)
    live.act(live.table.come(1, live.now_us, PageState(line(live.now_us, 40))))
    live.pass_ms(1000)
    assert verdict_ms(live) == 496


# The longest


def test_the_farthest_with_the_most_credit_is_waited_for_326_ms() -> None:
    assert slapped(double(rtt_ms=900, purse_us=100_000)) == 400 + 1 + 200 + 25 + 100


def test_no_race_is_longer_than_600_ms_whatever_the_house_waits_for() -> None:
    """Slaps within 500 are together in these rules: Bo would be waited for until 400 + 500 + 200 + 75."""
    live = at_table("Ana: 9S 2C 4H | Bo: 9H 3H 5H", house="1;classic;tie=void;tie_window_ms=500")
    live.turn(0, 1)
    live.far(1, 400)
    credit(live, 1)
    live.slap(0, after_ms=400)
    live.pass_ms(2000)
    assert verdict_ms(live) == 1000
