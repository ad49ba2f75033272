"""Another game is dealt when everybody is ready, or five seconds after the first player was, unless one objects."""

from __future__ import annotations

import pytest

from ratscrew.errors import RefusalReason
from ratscrew.judge.page_state import PageState
from ratscrew.table.core.room_commands import execute
from ratscrew.table.record import requests
from ratscrew.table.record.messages import Countdown, ReadySeats, Refused
from tests.table.driver import LiveTable, at_table, new_table
from tests.table.test_joining import waiting


def ended() -> LiveTable:
    """Two people play against a bot; Bo has won."""
    live = at_table("Ana: 9S | Bo: 9H | Thoth*:")
    live.turn(0, 1)
    live.slap(1)
    assert live.game.winner == 1
    return live


def ready(live: LiveTable, seat: int, on: bool = True) -> None:
    """A player is ready, or asks the others to wait."""
    live.act(execute(live.table, seat, requests.Ready(on), live.now_us))


def test_one_player_who_is_ready_deals_to_nobody_until_the_countdown_is_over() -> None:
    live = ended()
    ready(live, 0)
    assert live.heard(ReadySeats)[-1] == ReadySeats((0,))
    assert live.heard(Countdown)[-1] == Countdown(0, "again", 5000)
    live.pass_ms(4999)
    assert live.table.state.round == 1
    live.pass_ms(1)
    assert live.table.state.round == 2
    assert live.table.rematch.ready == set()


def test_the_game_is_dealt_at_once_when_everybody_is_ready() -> None:
    live = ended()
    ready(live, 0)
    live.pass_ms(1000)
    ready(live, 1)
    assert live.table.state.round == 2


def test_a_player_alone_with_bots_need_not_wait() -> None:
    live = ended()
    live.go(0)
    ready(live, 1)
    assert live.table.state.round == 2


def test_somebody_who_asks_to_wait_stops_the_countdown_until_somebody_is_ready_again() -> None:
    live = ended()
    ready(live, 0)
    ready(live, 1, on=False)
    assert live.heard(Countdown)[-1] == Countdown(0, "again", 0)
    live.pass_ms(60_000)
    assert live.table.state.round == 1
    ready(live, 1)
    assert live.table.state.round == 2


def test_all_players_at_one_screen_are_ready_together() -> None:
    live = ended()
    page_state = PageState()
    for seat in (0, 1):
        live.act(live.table.come(seat, live.now_us, page_state))
    ready(live, 0)
    assert live.table.state.round == 2


def test_a_player_who_goes_is_not_ready_any_more() -> None:
    live = ended()
    ready(live, 0)
    live.go(0)
    assert live.heard(ReadySeats)[-1] == ReadySeats(())
    live.pass_ms(60_000)
    assert live.table.state.round == 1


# The first game, if the host is here and does nothing


def test_players_who_do_not_want_to_wait_for_their_host_begin_half_a_minute_later() -> None:
    live = waiting(guests="Bo Cy")
    ready(live, 2)
    assert (live.heard(ReadySeats)[-1], live.heard(Countdown)[-1]) == (ReadySeats((2,)), Countdown(0, "again", 30_000))
    live.pass_ms(10_000)
    ready(live, 1)
    assert live.heard(Countdown)[-1] == live.table.clock(live.now_us) == Countdown(0, "again", 20_000)
    live.pass_ms(19_999)
    assert not live.table.state.playing
    live.pass_ms(1)
    assert live.table.state.playing
    assert (live.table.rematch.ready, live.table.state.host, len(live.game.hands)) == (set(), 0, 3)


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_anybody_asks_the_others_to_wait_also_the_host(seat: int) -> None:
    live = waiting(guests="Bo Cy")
    ready(live, 1)
    ready(live, seat, on=False)
    assert live.heard(Countdown)[-1] == Countdown(0, "again", 0)
    live.pass_ms(600_000)
    assert not live.table.state.playing
    ready(live, 2)
    live.pass_ms(30_000)
    assert live.table.state.playing


def test_a_host_who_wants_to_begin_too_begins_at_once() -> None:
    live = waiting(guests="Bo")
    ready(live, 1)
    ready(live, 0)
    assert live.table.state.playing


def test_a_host_who_goes_while_the_others_count_down_hides_it_from_nobody() -> None:
    live = waiting(guests="Bo Cy")
    ready(live, 1)
    live.go(0)
    assert live.heard(Countdown)[-1] == live.table.clock(live.now_us) == Countdown(0, "again", 30_000)
    live.come(0)
    live.go(0)
    ready(live, 2, on=False)
    assert live.heard(Countdown)[-1] == live.table.clock(live.now_us) == Countdown(1, "host", 20_000)
    ready(live, 1)
    live.pass_ms(30_000)
    assert live.table.state.playing
    assert live.table.state.host == 1  # and the role has passed meanwhile


def test_a_player_alone_begins_nothing_and_nobody_does_before_a_second_one_comes() -> None:
    live = waiting()
    ready(live, 0)
    assert live.said[-1].message == Refused("ready", RefusalReason.TOO_FEW)
    live.pass_ms(60_000)
    assert not live.table.state.playing


def test_nobody_can_be_ready_before_the_game_is_over() -> None:
    live = at_table("Ana: 9S 2C | Bo: TH 3H")
    ready(live, 0)
    assert live.said[-1].message == Refused("ready", RefusalReason.NOT_OVER)


# The series


def test_strangers_who_are_all_ready_begin_without_waiting_for_others() -> None:
    table = new_table()
    for name in ("Ana", "Bo"):
        table.add_seat(name)
    live = LiveTable(table)
    live.act(table.open(live.now_us, live.now_us + 8_000_000))
    live.come(0)
    live.come(1)
    ready(live, 0)
    assert live.heard(ReadySeats)[-1] == ReadySeats((0,))
    assert table.session is None
    ready(live, 1)
    assert [seat.bot_level for seat in table.seats] == [None, None, "steady", "steady"]  # as when the time is up
    assert table.state.playing


def test_every_game_that_a_player_wins_in_a_room_counts() -> None:
    live = ended()
    assert [seat.wins for seat in live.table.seats] == [0, 1, 0]
    live.slap(0)  # the game is over: nothing happens any more
    assert [seat.wins for seat in live.table.seats] == [0, 1, 0]
    ready(live, 0)
    ready(live, 1)
    assert live.table.state.round == 2
    assert [seat.wins for seat in live.table.seats] == [0, 1, 0]


def test_the_wins_of_a_player_go_with_them_to_another_seat_and_a_newcomer_has_none() -> None:
    live = ended()
    live.act(execute(live.table, 0, requests.Leave(), live.now_us))
    ready(live, 1)
    assert [(seat.name, seat.wins) for seat in live.table.seats] == [("Bo", 1), ("Thoth", 0)]
    seat, effects = live.table.join("Cy", live.now_us)
    live.act(effects)
    assert live.table.seats[seat].wins == 0
