"""A room for strangers: it waits for them, then bots take the empty seats, and the game begins."""

from __future__ import annotations

from ratscrew.table.core.room_commands import execute
from ratscrew.table.record import requests
from ratscrew.table.record.entries import Listed
from ratscrew.table.record.messages import Countdown
from tests.table.driver import LiveTable, change, new_table
from tests.table.test_seat_assignment import again


def strangers() -> LiveTable:
    """Ana waits for strangers, in a room that bots fill after 8 seconds."""
    table = new_table()
    table.add_seat("Ana")
    change(table, listed=True)
    live = LiveTable(table)
    live.act(table.open(live.now_us, live.now_us + 8_000_000))
    return live


def test_bots_fill_a_room_for_strangers_up_to_four_and_the_game_begins() -> None:
    live = strangers()
    live.come(0)
    live.join("Bo")
    assert live.table.clock(live.now_us) == Countdown(0, "fill", 8000)
    live.pass_ms(7999)
    assert live.table.game is None
    live.pass_ms(1)
    assert [seat.bot_level for seat in live.table.seats] == [None, None, "steady", "steady"]
    assert Listed(True) in [entry.event for entry in live.entries]
    assert live.table.state.round == 1


def test_where_nobody_is_here_it_begins_as_soon_as_somebody_is_also_after_a_stop_of_the_server() -> None:
    live = strangers()
    live.pass_ms(20_000)
    assert (live.table.wake_us(), live.table.game) == (None, None)
    other = again(live)
    other.come(0)
    other.pass_ms(0)
    assert (other.table.state.round, len(other.table.seats)) == (1, 4)


def test_a_player_alone_may_begin_at_once() -> None:
    live = strangers()
    live.come(0)
    live.act(execute(live.table, 0, requests.Ready(True), live.now_us))
    assert (live.table.state.round, len(live.table.seats), live.table.state.fill_us) == (1, 4, None)
