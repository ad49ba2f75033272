"""Races on a manual clock: near and far players, bots, and how long the verdict waits.

Ana's nine and Bo's nine on it: a double. Bo's card is card 2; all times count from its reveal. The verdict waits
for a player who has not slapped 1 ms longer than they could still win, because it could be a tie.
"""

from __future__ import annotations

from typing import Any

import pytest

from ratscrew.bots.bot import Plan
from ratscrew.table.record.entries import Judged
from ratscrew.table.record.messages import Late, TurnCancelled
from tests.table.driver import LiveTable, at_table, last, line


def race(*rtts_ms: float, **options: Any) -> LiveTable:
    """Four players who see a double, each so far away."""
    live = at_table("Ana: 9S 2C 4H | Bo: 9H 3H 5H | Cy: 7H KC | Di: 8H 8S", **options)
    live.turn(0, 1)
    for seat, rtt_ms in enumerate(rtts_ms):
        live.far(seat, rtt_ms)
    return live


def verdict_ms(live: LiveTable) -> float:
    """When the verdict came."""
    judged = next((entry for entry in live.entries if isinstance(entry.event, Judged)), None)
    assert judged, "there was no verdict"
    return (judged.at_us - live.shown_us) / 1000


def test_the_shorter_reaction_wins_though_its_message_comes_second() -> None:
    """Ana: 430 - 10/2 = 425. Cy: 520 - 240/2 = 400, though it arrives 90 ms after Ana's."""
    live = race(10, 10, 240, 10)
    live.slap(0, after_ms=430)
    live.slap(2, after_ms=520)
    assert live.told[-2:] == ["double on 2: 2 400, 0 425", "2 takes 2: slap:double"]


def test_the_nearer_player_wins_with_the_shorter_reaction() -> None:
    """Ana: 380 - 5 = 375. Cy: 500 - 120 = 380. Bo, 300 away, is waited for until 375 + 1 + 150."""
    live = race(10, 300, 240, 10)
    live.slap(0, after_ms=380)
    live.slap(2, after_ms=500)
    live.pass_ms(25)
    assert live.told[-2:] == ["double on 2: 0 375, 2 380", "0 takes 2: slap:double"]
    assert verdict_ms(live) == 526


def test_the_verdict_waits_for_who_could_still_win_and_no_longer() -> None:
    """Ana needed 425 ms. With 1 more, a tie, Cy, 240 away, arrives at 426 + 120 = 546."""
    live = race(10, 10, 240, 10)
    live.slap(0, after_ms=430)
    assert live.told[-1] == "1 turns 9H"
    live.pass_ms(114.999)
    assert live.told[-1] == "1 turns 9H"
    live.pass_ms(0.001)
    assert live.told[-1] == "0 takes 2: slap:double"
    assert verdict_ms(live) == 546


def test_a_better_hand_brings_the_verdict_forward() -> None:
    """Di slaps too, in 415: now Cy could win until 416 + 120 = 536."""
    live = race(10, 10, 240, 100)
    live.slap(0, after_ms=430)
    live.slap(3, after_ms=465)
    live.pass_ms(1000)
    assert verdict_ms(live) == 536
    assert live.told[-2] == "double on 2: 3 415, 0 425"


def test_when_the_last_who_could_win_has_slapped_the_verdict_is_there() -> None:
    live = race(10, 10, 240, 10)
    live.slap(0, after_ms=430)
    live.slap(2, after_ms=541)
    assert live.told[-2:] == ["double on 2: 2 421, 0 425", "2 takes 2: slap:double"]
    assert verdict_ms(live) == 541


def test_where_nobody_is_far_the_verdict_waits_for_a_tie_alone() -> None:
    live = race(0, 0, 0, 0)
    live.slap(3, after_ms=333)
    assert verdict_ms(live) == 334


def test_who_is_gone_is_not_waited_for() -> None:
    """Bo and Di, 10 away, are: until 425 + 1 + 5."""
    live = race(10, 10, 240, 10)
    live.go(2)
    live.slap(0, after_ms=430)
    assert verdict_ms(live) == 431


def test_a_line_counts_as_it_was_when_the_card_was_sent() -> None:
    """Cy's page has answered sooner since: 520 are 520 - 240/2 all the same."""
    live = race(10, 10, 240, 10)
    live.page_state(2).rtt_estimator = line(live.now_us, 40)
    live.slap(0, after_ms=430)
    live.slap(2, after_ms=520)
    assert live.told[-2] == "double on 2: 2 400, 0 425"


def test_who_goes_in_the_middle_of_a_race_is_not_waited_for_any_longer() -> None:
    live = race(10, 10, 240, 10)
    live.slap(0, after_ms=430)
    live.until(live.shown_us + 450_000)
    live.go(2)
    live.pass_ms(0)
    assert verdict_ms(live) == 450


def test_who_may_not_slap_is_not_waited_for() -> None:
    live = at_table("Ana: 3S 9S 4H | Bo: 9H 5H | Cy:", no_cards={"kind": "strikes", "limit": 1})
    live.turn(0)
    live.slap(2)
    assert live.told[-1] == "2 is locked: game"
    live.turn(1, 0)
    live.far(2, 300)
    live.slap(1, after_ms=430)
    assert verdict_ms(live) == 431


def test_nobody_is_waited_for_as_if_he_were_farther_than_400_ms() -> None:
    """400 + 1 + 200: a longer round trip is the player's own loss."""
    live = race(0, 0, 1500, 0)
    live.slap(0, after_ms=400)
    live.pass_ms(1000)
    assert verdict_ms(live) == 601


def test_all_hands_are_told_in_their_order() -> None:
    live = race(100, 140, 400, 100)
    for seat, after_ms in ((3, 470), (0, 481), (1, 495)):
        live.slap(seat, after_ms=after_ms)
    live.pass_ms(1000)
    assert live.told[-2] == "double on 2: 3 420, 1 425, 0 431"


def test_who_comes_after_the_verdict_is_late() -> None:
    live = race(10, 10, 240, 10)
    live.slap(0, after_ms=430)
    assert last(live.slap(2, after_ms=550)) == Late(2, 2, 430_000)


@pytest.mark.parametrize(("drawn", "order"), [(0, "2 424.5, 0 425"), (1, "0 425, 2 424.5")])
def test_a_tie_is_drawn_by_the_tables_draw(drawn: int, order: str) -> None:
    """Ana: 430 - 5 = 425. Cy: 545.5 - 121 = 424.5: too close to call."""
    live = race(10, 10, 242, 10, draw=lambda n: drawn)
    live.slap(0, after_ms=430)
    live.slap(2, after_ms=545.5)
    assert live.told[-2:] == [f"double on 2: {order}, drawn", f"{order[0]} takes 2: slap:double"]


# Bots


def with_bot(slap_ms: int) -> LiveTable:
    """Ana, Bo, Cy, and a bot that slaps a pattern after so long."""
    live = at_table("Ana: 9S 2C | Bo: 9H 3H | Cy: KC | Thoth*: 4H", plan=Plan(slap_us=slap_ms * 1000))
    live.turn(0, 1)
    return live


def test_a_bot_waits_for_the_verdict_like_everybody() -> None:
    """The bot needed 430. Ana, 200 away, needed 400 and arrives at 500."""
    live = with_bot(430)
    live.far(0, 200)
    live.slap(0, after_ms=500)
    assert live.told[-2:] == ["double on 2: 0 400, 3 430", "0 takes 2: slap:double"]


def test_a_bot_joins_a_race_that_is_on() -> None:
    """Bo, 300 away, is waited for until 400 + 1 + 150; Ana needed 400, the bot slaps at 430 and is second."""
    live = with_bot(430)
    live.far(1, 300)
    live.slap(0, after_ms=400)
    live.pass_ms(1000)
    assert live.told[-2] == "double on 2: 0 400, 3 430"
    assert verdict_ms(live) == 551


def test_a_bots_hand_counts_from_when_it_was_due_however_late_the_table_wakes() -> None:
    live = with_bot(430)
    live.clock.advance(700_000)
    live.act(live.table.tick(live.now_us))
    assert live.told[-2] == "double on 2: 3 430"
    assert verdict_ms(live) == 700


@pytest.mark.parametrize(("slap_ms", "happened"), [(430, "3 takes 2: slap:double"), (600, "2 turns KC")])
def test_a_late_wake_does_everything_in_the_order_in_which_it_was_due(slap_ms: int, happened: str) -> None:
    """Cy's card was due at 500: a hand of 430 holds it, a hand of 600 comes too late. The table wakes at 700."""
    live = with_bot(slap_ms)
    live.play(2)
    live.clock.advance(700_000)
    live.act(live.table.tick(live.now_us))
    assert live.told[-1] == happened


def test_a_bots_hand_that_was_due_goes_before_a_message_that_the_table_hears_first() -> None:
    """The table wakes late: the bot's slap of 430 is due in it when Ana's of 440 arrives."""
    live = with_bot(430)
    live.clock.advance(440_000)
    live.slap(0)
    assert live.told[-2] == "double on 2: 3 430"
    assert live.heard(Late) == [Late(0, 2, 440_000)]


def test_a_card_that_nobody_has_seen_yet_covers_nothing() -> None:
    """The table wakes late: Cy's card was due at 500 and has not come when Ana's hand does, at 510."""
    live = with_bot(600)
    live.play(2)
    live.clock.advance(510_000)
    live.slap(0, n=2)
    assert live.heard(TurnCancelled) == [TurnCancelled(2)]
    assert live.told[-1] == "0 takes 2: slap:double"


# What else happens in a race


def test_the_race_is_decided_when_everybody_goes_in_the_middle_of_it() -> None:
    live = race(10, 300, 10, 10)
    live.slap(0, after_ms=400)
    for seat in range(4):
        live.go(seat)
    live.pass_ms(0)
    assert live.table.wake_us() is None
    assert live.told[-2:] == ["double on 2: 0 395", "0 takes 2: slap:double"]


def test_no_card_is_played_for_anybody_while_a_race_is_on() -> None:
    """The time of Cy, who has to play, runs out at 1000; Bo is waited for until 900 + 1 + 200."""
    live = race(0, 400, 0, 0, turn_ms=1000)
    live.slap(0, after_ms=900)
    live.pass_ms(1000)
    assert live.told[-2:] == ["double on 2: 0 900", "0 takes 2: slap:double"]
    assert verdict_ms(live) == 1101
