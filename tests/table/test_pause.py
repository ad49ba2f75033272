"""A pause: by the only device, or by the host; its clocks stand still, it ends by itself, and the log has it."""

from __future__ import annotations

import pytest

from ratscrew.bots.bot import Plan
from ratscrew.errors import RefusalReason
from ratscrew.judge.page_state import PageState
from ratscrew.log.memory import MemoryLog
from ratscrew.table.core.pause import PAUSE_MOST_US, RESUME_ALONE_US, RESUME_US
from ratscrew.table.core.room_commands import execute
from ratscrew.table.record import requests
from ratscrew.table.record.entries import Entry, Judged, Paused
from ratscrew.table.record.messages import Countdown, Refused
from ratscrew.table.registry.restoring import restore
from ratscrew.table.session.timing import SLAP_WINDOW_US
from ratscrew.table.state.log_writer import STATE_EVERY
from tests.table.driver import LiveTable, at_table, new_table
from tests.table.test_games import restored

HOUR_MS = 3_600_000
BOTS_TURN = Plan(turn_us=700_000)


def pause(live: LiveTable, on: bool = True, seat: int = 0) -> list[str]:
    """A player asks for a pause, or goes on; the reasons of refusals."""
    effects = live.act(execute(live.table, seat, requests.Pause(on), live.now_us))
    return [
        message.reason
        for message in (getattr(each, "message", None) for each in effects)
        if isinstance(message, Refused)
    ]


def alone(lead: int = 0) -> LiveTable:
    """One player against a bot that flips its card after 0.7 s."""
    return at_table("Ana: 9S 2C 4H | Thoth*: TH 3H 5H", lead=lead, plan=BOTS_TURN, turn_ms=5000)


@pytest.mark.parametrize("lead", [0, 1])
def test_nothing_happens_while_the_game_is_paused(lead: int) -> None:
    live = alone(lead)
    assert pause(live) == []
    assert live.entries[-1].event == Paused(True)
    assert live.table.wake_us() == live.now_us + PAUSE_MOST_US
    live.pass_ms(PAUSE_MOST_US / 1000 - 1)
    assert live.game.n == 0
    assert live.answer(live.play(0))[0] == Refused("play", RefusalReason.PAUSED)


def test_a_bot_goes_on_after_the_pause() -> None:
    live = alone(lead=1)
    pause(live)
    live.pass_ms(60_000)
    pause(live, on=False)
    live.pass_ms(2000)
    assert live.game.n == 1


def test_a_player_has_the_rest_of_their_time_after_the_pause() -> None:
    live = alone()
    live.pass_ms(2000)
    pause(live)
    assert live.heard(Countdown)[-1] == Countdown(0, "turn", 0)
    live.pass_ms(60_000)
    pause(live, on=False)
    assert live.heard(Countdown)[-1] == Countdown(0, "resume", RESUME_ALONE_US // 1000)
    live.pass_ms(RESUME_ALONE_US / 1000)
    assert live.heard(Countdown)[-1] == Countdown(0, "turn", 3000)


def test_a_card_on_its_way_goes_back_and_is_flipped_after_the_pause() -> None:
    live = alone()
    live.play(0)
    pause(live)
    assert live.table.session
    assert live.table.session.schedule.reveal is None
    pause(live, on=False)
    live.pass_ms(RESUME_ALONE_US / 1000)
    live.play(0)
    live.pass_ms(700)
    assert live.game.n == 1


def test_a_pause_ends_by_itself() -> None:
    live = alone()
    pause(live)
    live.pass_ms(PAUSE_MOST_US / 1000 + 10_000)
    assert live.entries[-1].event != Paused(True)
    assert live.game.n > 0


def test_only_the_host_can_pause_a_game_in_which_another_device_has_a_seat() -> None:
    live = at_table("Ana: 9S 2C | Bo: TH 3H")
    assert pause(live, seat=1) == [RefusalReason.NOT_SO_HERE]
    live.go(0)
    assert pause(live, seat=1) == [RefusalReason.NOT_SO_HERE]
    assert not live.table.pause.on


def test_several_players_at_one_screen_can_pause() -> None:
    live = at_table("Ana: 9S 2C | Bo: TH 3H", here=())
    page_state = PageState()
    for seat in (0, 1):
        live.act(live.table.come(seat, live.now_us, page_state))
    assert pause(live, seat=1) == []
    live.act(live.table.come(1, live.now_us, PageState()))  # Bo takes the seat along to another device
    assert live.heard(Countdown)[-1] == Countdown(0, "resume", RESUME_US // 1000)
    live.pass_ms(RESUME_US / 1000)
    assert live.entries[-1].event == Paused(False)


def test_a_player_who_joins_ends_the_pause() -> None:
    live = alone()
    pause(live)
    live.join("Bo")
    live.pass_ms(RESUME_US / 1000)
    assert Paused(False) in [entry.event for entry in live.entries]
    assert not live.table.pause.on


def test_a_game_that_was_paused_is_paused_after_a_restart_and_its_time_stood_still() -> None:
    live = alone()
    live.pass_ms(2000)
    pause(live)
    live.pass_ms(60_000)
    other = restored(live.entries)
    other.come(0)
    other.pass_ms(60_000)
    assert other.game.n == 0
    pause(other, on=False)
    other.pass_ms(RESUME_ALONE_US / 1000)
    assert other.heard(Countdown)[-1].left_ms == pytest.approx(3000, abs=1)


def test_a_race_is_decided_before_a_pause() -> None:
    live = at_table("Ana: 9S 2C | Thoth*: 9H 3H", plan=Plan(turn_us=100_000, slap_us=300_000))
    live.turn(0)
    while live.game.n < 2:
        live.step()
    live.far(0, 400)
    while not live.table.racing:
        live.step()
    assert pause(live) == []
    assert not live.table.pause.on
    while not live.table.pause.on:
        assert live.step()
    kinds = [type(entry.event) for entry in live.entries]
    assert kinds.index(Judged) < kinds.index(Paused)


def test_a_card_that_can_be_slapped_is_decided_before_a_pause_and_no_card_covers_it() -> None:
    live = at_table("Ana: 9S 2C 4H | Bo: 9H 3H 5H")
    live.turn(0, 1)
    live.pass_ms(20)
    assert pause(live) == []
    assert live.answer(live.play(0)) == (Refused("play", RefusalReason.PAUSED), 0)
    assert Paused not in [type(entry.event) for entry in live.entries]  # nobody else learns of it
    live.slap(1, after_ms=1900)
    assert "1 takes 2: slap:double" in live.told
    assert live.entries[-1].event == Paused(True, 0)


def test_a_card_that_nobody_slaps_is_decided_after_the_slowest_hands_and_lines() -> None:
    live = at_table("Ana: 9S 2C 4H | Bo: 9H 3H 5H")
    live.turn(0, 1)
    shown_us = live.shown_us
    pause(live)
    live.pass_ms(10_000)
    assert [entry.at_us - shown_us for entry in live.entries if isinstance(entry.event, Paused)] == [SLAP_WINDOW_US]


def test_a_pause_that_is_asked_for_twice_or_ended_twice_is_one() -> None:
    live = at_table("Ana: 9S 2C 4H | Bo: 9H 3H 5H")
    live.turn(0, 1)
    for on in (True, True, False):
        assert pause(live, on) == []
    live.pass_ms(10_000)
    for on in (True, False, False, True):
        assert pause(live, on) == []
    live.pass_ms(10_000)
    assert [entry.event.on for entry in live.entries if isinstance(entry.event, Paused)] == [True, False]


@pytest.mark.parametrize("every", [STATE_EVERY, 1])
def test_a_restart_gives_the_host_no_new_time_for_pauses(every: int) -> None:
    live = at_table("Ana: 9S 2C 4H 6H 8H | Bo: TH 3H 5H 7H 2S", turn_ms=600_000)
    live.table.log.state_every = every
    pause(live)
    live.pass_ms(287_000)
    pause(live, on=False)
    live.pass_ms(RESUME_US / 1000)
    live.turn(0, 1)
    assert any(entry.state for entry in live.entries) == (every == 1)
    log = MemoryLog[Entry]()
    log.append("TEST-1-1", 0, live.entries)
    found = restore(log, "TEST-1", new_table(), live.now_us)
    assert found
    assert found.table.state.pause.left_us == live.table.state.pause.left_us == 10_000_000


def test_the_time_of_a_pause_before_a_restart_counts() -> None:
    live = at_table("Ana: 9S 2C | Bo: TH 3H")
    pause(live)
    live.pass_ms(100_000)
    (table := new_table()).restore(1, live.entries, until_us=live.now_us)
    assert table.state.pause.left_at_us(live.now_us) == 200_000_000


def test_the_host_pauses_the_game_for_players_at_other_devices_and_goes_on() -> None:
    live = at_table("Ana: 9S 2C | Bo: TH 3H", turn_ms=5000)
    assert pause(live, seat=1) == [RefusalReason.NOT_SO_HERE]
    assert pause(live) == []
    assert live.entries[-1].event == Paused(True, 0)
    assert live.heard(Countdown)[-1] == Countdown(0, "resume", 300_000)
    live.pass_ms(60_000)
    assert live.game.n == 0
    assert pause(live, on=False, seat=1) == [RefusalReason.NOT_SO_HERE]
    assert pause(live, on=False) == []
    live.pass_ms(RESUME_US / 1000)
    live.turn(0)
    assert live.game.n == 1


def test_the_pauses_of_a_host_are_five_minutes_a_game_in_all() -> None:
    live = at_table("Ana: 9S 2C 4H 6H 8H | Bo: TH 3H 5H 7H 2S", turn_ms=600_000)
    pause(live)
    live.pass_ms(197_000)
    pause(live, on=False)
    live.pass_ms(RESUME_US / 1000)
    pause(live)
    assert live.heard(Countdown)[-1] == Countdown(0, "resume", 100_000)
    live.pass_ms(100_000)
    assert not live.table.pause.on
    assert pause(live) == [RefusalReason.PAUSED_ENOUGH]


def test_players_who_come_and_go_neither_end_nor_lengthen_the_pause_of_a_host() -> None:
    live = at_table("Ana: 9S 2C | Bo: TH 3H")
    pause(live)
    live.pass_ms(250_000)
    live.go(1)
    live.come(1)
    assert live.table.pause.on
    live.pass_ms(50_000)
    assert not live.table.pause.on


def test_a_restart_does_not_end_the_pause_of_a_host() -> None:
    live = at_table("Ana: 9S 2C | Bo: TH 3H")
    pause(live)
    other = restored(live.entries)
    other.come(1)
    assert other.table.state.pause.seat == 0
    other.pass_ms(299_000)
    assert other.game.n == 0
    other.pass_ms(2000)
    assert not other.table.pause.on
