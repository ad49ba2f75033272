"""Turns and their countdowns: for players who are here, for players who are away, and with no player here."""

from __future__ import annotations

from typing import Any

import pytest

from ratscrew.bots.bot import Plan
from ratscrew.game.events import Played, Taken
from ratscrew.table.core.pause import RESUME_ALONE_US
from ratscrew.table.record.messages import Countdown, Presence, Turning
from tests.table.driver import START_US, LiveTable, at_table, last, new_table

TWO = "Ana: 9S 2C 4H | Bo: TH 3H 5H"


def test_a_person_who_is_here_has_turn_ms_for_a_card_and_then_it_is_turned_for_him() -> None:
    live = at_table(TWO, turn_ms=3000)
    assert last(live.come(0)) == Countdown(0, "turn", 3000)
    live.pass_ms(2999)
    assert live.heard(Turning) == []
    live.pass_ms(1)
    assert live.heard(Turning) == [Turning(0)]
    live.pass_ms(160)
    assert live.when_ms(Played) == [3127]  # turned for the log, and on its way
    assert live.shown_us == START_US + 3_160_000


def test_the_next_person_has_his_time_from_when_the_card_lies_there() -> None:
    live = at_table(TWO, turn_ms=3000)
    live.turn(0)
    assert live.said[-1] == (live.shown_us - 33_000, Countdown(1, "turn", 3000), None)  # it is sent with the card
    live.pass_ms(3000)
    assert live.when_ms(Turning) == [0, 3500]  # the first card came at 500


def test_who_plays_in_time_is_not_played_for() -> None:
    live = at_table(TWO, turn_ms=1000)
    live.pass_ms(999)
    live.play(0)
    live.pass_ms(900)
    assert live.told[3:] == ["0 turns 9S"]


def test_who_is_gone_is_played_for_after_a_second_and_a_half() -> None:
    live = at_table(TWO, here=[1])
    assert live.heard(Countdown)[-1] == Countdown(0, "turn", 1500)
    live.pass_ms(1499)
    assert live.heard(Turning) == []
    live.pass_ms(1)
    assert live.heard(Turning) == [Turning(0)]


def test_who_goes_in_his_turn_has_a_second_and_a_half_from_then() -> None:
    live = at_table(TWO, turn_ms=8000)
    live.pass_ms(2000)
    live.go(0)
    assert live.said[-2:] == [
        (START_US + 2_000_000, Presence(0, False), None),
        (START_US + 2_000_000, Countdown(0, "turn", 1500), None),
    ]
    live.pass_ms(1500)
    assert live.heard(Turning) == [Turning(0)]


@pytest.mark.parametrize(("back_ms", "left_ms"), [(100, 7900), (1400, 6600)])
def test_who_comes_back_in_his_turn_has_what_is_left_of_it(back_ms: int, left_ms: int) -> None:
    live = at_table(TWO, here=[1], turn_ms=8000)
    live.pass_ms(back_ms)
    live.come(0)
    assert [said.message for said in live.said[-2:]] == [Presence(0, True), Countdown(0, "turn", left_ms)]
    live.pass_ms(left_ms - 1)
    assert live.heard(Turning) == []
    live.pass_ms(1)
    assert live.heard(Turning) == [Turning(0)]


@pytest.mark.parametrize(("reload_ms", "left_ms"), [(6499, 1501), (6500, 1500), (6501, 1500), (7999, 1500)])
def test_who_comes_back_late_in_his_turn_has_a_second_and_a_half_to_look(reload_ms: int, left_ms: int) -> None:
    live = at_table(TWO, turn_ms=8000)
    live.pass_ms(reload_ms)
    live.go(0)
    live.come(0)
    assert live.table.clock(live.now_us) == Countdown(0, "turn", left_ms)


def test_reloading_gives_nobody_a_whole_turn_anew() -> None:
    """Ana reloads her page each second: her card is turned at 8000 + 1500 at the latest."""
    live = at_table(TWO, turn_ms=8000)
    for _ in range(20):
        live.pass_ms(1000)
        live.go(0)
        live.come(0)
    assert live.when_ms(Turning)[0] <= 9500


def test_who_comes_and_goes_out_of_turn_changes_no_clock() -> None:
    live = at_table(TWO, turn_ms=8000)
    live.pass_ms(5000)
    live.go(1)
    live.come(1)
    assert live.table.clock(live.now_us) == Countdown(0, "turn", 3000)
    assert live.heard(Countdown)[1:] == []


def test_a_card_in_the_air_has_no_clock_even_if_its_owner_comes_or_goes() -> None:
    live = at_table(TWO)
    live.play(0)
    live.go(0)
    gone = live.table.clock(live.now_us)
    live.come(0)
    assert (gone, live.table.clock(live.now_us)) == (None, None)


def test_the_clock_that_people_see_counts_down() -> None:
    live = at_table(TWO, turn_ms=8000)
    live.pass_ms(1234.5)
    assert live.table.clock(live.now_us) == Countdown(0, "turn", 6765)
    assert live.table.clock(live.now_us + 99_000_000) == Countdown(0, "turn", 0)


# No player here


def test_with_nobody_here_the_table_waits() -> None:
    live = at_table("Ana: 9S 2C 4H | Thoth*: TH 3H 5H", plan=Plan(700_000))
    live.turn(0)
    live.go(0)
    assert live.table.wake_us() is None
    assert live.table.clock(live.now_us) is None
    live.clock.advance(3_600_000_000)
    assert live.act(live.table.tick(live.now_us)) == []
    assert live.game.n == 1


def test_the_last_to_go_stops_the_clock_for_whoever_watches() -> None:
    live = at_table(TWO, here=[0])
    live.go(0)
    assert live.said[-1].message == Countdown(0, "turn", 0)


def test_a_table_that_nobody_has_come_to_yet_waits() -> None:
    live = LiveTable(new_table())
    live.table.add_seat("Ana")
    live.table.add_seat("Thoth", "sharp")
    live.act(live.table.start(live.now_us))
    assert live.table.wake_us() is None


def test_the_table_goes_on_where_it_was_after_a_countdown() -> None:
    """An hour later the bot's 700 ms begin after the countdown; a card that Ana left lying cannot be slapped."""
    live = at_table("Ana: 9S 2C 4H | Thoth*: 9H 3H 5H", plan=Plan(700_000))
    live.turn(0)
    live.pass_ms(100)
    live.go(0)
    live.clock.advance(3_600_000_000)
    before, at_us = live.game, live.now_us
    live.come(0)
    assert live.game == before
    live.pass_ms(0)
    assert live.table.wake_us() == at_us + RESUME_ALONE_US
    live.pass_ms(RESUME_ALONE_US / 1000)
    assert live.table.wake_us() == at_us + RESUME_ALONE_US + 700_000
    live.pass_ms(860)
    assert live.shown_us == at_us + RESUME_ALONE_US + 860_000
    live.go(0)
    live.clock.advance(3_600_000_000)
    live.come(0)
    live.pass_ms(RESUME_ALONE_US / 1000 + 300)
    live.slap(0)
    assert live.told[-1] == "1 turns 9H"


def test_when_the_table_wakes_whoever_has_to_act_has_what_was_left_and_a_moment_to_look_at_least() -> None:
    live = at_table(TWO, here=[0], turn_ms=10_000)
    live.pass_ms(4000)
    live.go(0)
    live.clock.advance(3_600_000_000)
    live.come(0)
    assert live.table.clock(live.now_us) == Countdown(0, "turn", 6000)
    live.pass_ms(5500)
    for _ in range(2):
        live.go(0)
        live.clock.advance(3_600_000_000)
        live.come(0)
        assert live.table.clock(live.now_us) == Countdown(0, "turn", 1500)
    live.pass_ms(1500 + 160)
    assert live.game.n == 1


def test_a_card_that_flew_when_everybody_went_is_back_in_its_hand() -> None:
    """Watchers have seen it go: `turning` is followed by `played` or `turn_cancelled`."""
    live = at_table("Ana: 9S 2C 4H | Thoth*: TH 3H 5H", plan=Plan(700_000))
    live.turn(0)
    live.pass_ms(700)
    assert live.heard(Turning) == [Turning(0), Turning(1)]
    live.go(0)
    live.clock.advance(3_600_000_000)
    live.come(0)
    flights = [
        type(message).__name__ for _, message, _ in live.said if type(message).__name__ in ("Turning", "TurnCancelled")
    ]
    assert flights == ["Turning", "Turning", "TurnCancelled"]
    live.pass_ms(RESUME_ALONE_US / 1000 + 860)
    assert live.told[-1] == "1 turns TH"


def test_one_person_here_is_enough() -> None:
    live = at_table("Ana: 9S 2C 4H | Bo: TH 3H 5H | Cy: 7H 8H", here=[2])
    live.pass_ms(3500)
    assert live.told[4:] == ["0 turns 9S", "1 turns TH"]
    live.go(2)
    assert live.table.wake_us() is None


def test_bots_alone_play_with_nobody_here() -> None:
    table = new_table()
    for name in ("Thoth", "Isis"):
        table.add_seat(name, "gentle")
    live = LiveTable(table).start()
    live.pass_ms(10_000)
    assert live.game.n > 3


def test_bots_have_no_clock() -> None:
    live = at_table("Ana: 9S 2C 4H | Thoth*: TH 3H 5H", plan=Plan(3_000_000))
    live.turn(0)
    assert live.table.clock(live.now_us) is None


# The pile that is won


def won(**options: Any) -> LiveTable:
    """Bo has not answered Ana's jack with the one chance: the pile waits for her."""
    live = at_table("Ana: JS 2C 4H | Bo: TH 3H 5H", **options)
    live.turn(0)
    live.turn(1)
    return live


def test_a_won_pile_is_taken_after_collect_delay_ms() -> None:
    live = won(collect_delay_ms=1500)
    assert live.said[-1].message == Countdown(0, "collect", 1500)
    live.pass_ms(1499)
    assert live.told[-1] == "1 turns TH"
    live.pass_ms(1)
    assert live.told[-1] == "0 takes 2: challenge"
    assert live.when_ms(Taken) == [1000 + 1500]


def test_a_pile_can_be_taken_at_once() -> None:
    live = won(collect_delay_ms=0)
    live.pass_ms(0)
    assert live.told[-1] == "0 takes 2: challenge"


def test_a_won_pile_can_still_be_slapped_until_it_is_taken() -> None:
    """Bo answers Ana's queen with two fives: she has won the pile, and Cy sees the double."""
    live = at_table("Ana: QS 2C | Bo: 5H 5D 8H | Cy: 7H 2D", collect_delay_ms=1500)
    live.turn(0, 1, 1)
    assert (live.game.standing.phase, live.game.standing.turn) == ("won", 0)
    live.slap(2, after_ms=1499)
    assert live.told[-2:] == ["double on 3: 2 1499", "2 takes 3: slap:double"]
    assert live.table.clock(live.now_us) == Countdown(2, "turn", 8000)


def test_a_wrong_slap_does_not_put_off_the_taking() -> None:
    live = won(collect_delay_ms=1500)
    live.slap(1, after_ms=1400)
    assert live.told[-2:] == ["1 slaps wrong", "1 burns 3H"]
    live.pass_ms(100)
    assert live.told[-1] == "0 takes 3: challenge"


def test_a_race_puts_off_the_taking_until_its_verdict() -> None:
    live = at_table("Ana: QS 2C | Bo: 5H 5D 8H | Cy: 7H 2D", collect_delay_ms=1500)
    live.turn(0, 1, 1)
    live.far(1, 200)
    live.slap(2, after_ms=1450)  # Bo could be quicker until 1550
    live.pass_ms(60)
    assert live.game.pile != ()
    live.pass_ms(40)
    assert live.told[-1] == "2 takes 3: slap:double"


def test_a_winner_who_comes_and_goes_does_not_put_off_the_taking() -> None:
    live = won(collect_delay_ms=1500)
    live.pass_ms(1000)
    live.go(0)
    live.come(0)
    live.pass_ms(500)
    assert live.told[-1] == "0 takes 2: challenge"
