"""Whatever stops play, and whoever goes on with it: nobody's time for a card begins again, and all see when it does."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratscrew.judge.page_state import PageState
from ratscrew.table.core.pause import RESUME_ALONE_US, RESUME_US
from ratscrew.table.core.room_commands import execute
from ratscrew.table.record import requests
from ratscrew.table.record.entries import Idle, Judged
from ratscrew.table.record.messages import Countdown
from ratscrew.table.room.log_wait import LogWait
from tests.table.driver import LiveTable, at_table
from tests.table.test_games import restored

HANDS = "Ana: 9S 2C 4H 6H 8H | Bo: 9H 2H 5H 7H 2S"


def host_pauses(live: LiveTable) -> LiveTable:
    """The host pauses the game and goes on at a moment of their choice."""
    live.act(execute(live.table, 0, requests.Pause(True), live.now_us))
    live.pass_ms(5000)
    live.act(execute(live.table, 0, requests.Pause(False), live.now_us))
    return live


def somebody_joins_in_a_pause(live: LiveTable) -> LiveTable:
    """A friend of the host ends the pause."""
    live.act(execute(live.table, 0, requests.Pause(True), live.now_us))
    live.pass_ms(5000)
    live.act(live.table.join("Cy", live.now_us)[1])
    return live


def all_reload(live: LiveTable) -> LiveTable:
    """Everybody's connection breaks, and one is back first."""
    live.go(1), live.go(0)
    live.pass_ms(5000)
    live.come(0), live.come(1)
    return live


def all_are_idle(live: LiveTable) -> LiveTable:
    """Everybody lets turns pass, and one is back first."""
    for seat in (0, 1):
        live.act(live.table.record([Idle(seat, True)], live.now_us))
    live.pass_ms(5000)
    for seat in (0, 1):
        live.act(execute(live.table, seat, requests.ComeBack(), live.now_us))
    return live


def log_is_slow(live: LiveTable) -> LiveTable:
    """The log stores nothing for some time."""
    wait = LogWait(live.table, None, live.clock, None, None, list, None)  # type: ignore[arg-type]
    live.act(wait._hold(live.now_us))
    live.pass_ms(5000)
    live.act(wait._go_on(live.now_us))
    return live


def server_restarts(live: LiveTable) -> LiveTable:
    """The server stops, and one player is back first."""
    again = restored(live.entries)
    again.come(0), again.come(1)
    return again


STOPS = [host_pauses, somebody_joins_in_a_pause, all_reload, all_are_idle, log_is_slow, server_restarts]


@pytest.mark.parametrize("stop", STOPS)
def test_a_card_that_lay_there_before_play_stopped_cannot_be_won(stop: Callable[[LiveTable], LiveTable]) -> None:
    live = at_table(HANDS, turn_ms=600_000)
    live.turn(0, 1)
    live = stop(live)
    counted_in = live.heard(Countdown)[-1]
    assert (counted_in.awaited, counted_in.left_ms) == ("resume", RESUME_US // 1000)
    assert [said.to for said in live.said if said.message is counted_in] == [None]  # all see it
    live.pass_ms(RESUME_US / 1000)
    for seat in (0, 1):
        live.slap(seat)
    live.pass_ms(3000)
    assert Judged not in [type(entry.event) for entry in live.entries]
    live.turn(0, 1)
    live.slap(1)
    live.pass_ms(1000)
    assert "1 takes 4: slap:double" in live.told


@pytest.mark.parametrize("stop", STOPS)
def test_nothing_can_be_done_in_the_countdown(stop: Callable[[LiveTable], LiveTable]) -> None:
    live = at_table(HANDS, turn_ms=600_000)
    live.turn(0, 1)
    live = stop(live)
    live.pass_ms(RESUME_US / 1000 - 100)
    entries = len(live.entries)
    live.play(0), live.slap(0), live.slap(1)
    assert (len(live.entries), live.game.n) == (entries, 2)


STEPS = ("turn", "slap", "pause", "resume", "go", "come", "again here", "hold", "go on", "back", "pass", "join")
steps = st.lists(
    st.tuples(st.sampled_from(STEPS), st.integers(0, 2), st.sampled_from([0, 20, 160, 400, 700, 1500, 4000])),
    min_size=10,
    max_size=50,
)


@given(steps)
def test_each_card_is_revealed_once_and_won_only_before_play_stops(done: list[tuple[str, int, int]]) -> None:
    """The tracker asserts that a card is revealed once; here, that no slap wins a card after a stop of the clocks."""
    live = at_table("Ana: 9S 9C 4H 4D 8H 2S | Bo: 9H 9D 4S 4C 8C 2H | Cy: JS 5S 5H 5D 5C 2D", turn_ms=8000)
    wait = LogWait(live.table, None, live.clock, None, None, list, None)  # type: ignore[arg-type]
    stopped_at = -1
    for what, seat, ms in done:
        table = live.table
        if live.game.over:
            break
        here = table.seats[seat].here
        judged = sum(isinstance(entry.event, Judged) for entry in live.entries)
        match what:
            case "turn" if here:
                live.play(live.game.standing.turn)
            case "slap" if here:
                live.slap(seat)
            case "pause" if here:
                live.act(execute(table, seat, requests.Pause(True), live.now_us))
            case "resume" if here:
                live.act(execute(table, seat, requests.Pause(False), live.now_us))
            case "go" if here:
                live.go(seat)
            case "come" if not here:
                live.come(seat)
            case "again here" if here:  # a reload: the new page comes before the old one's end is known
                live.act(table.come(seat, live.now_us, PageState()))
            case "hold":
                live.act(wait._hold(live.now_us))
            case "go on":
                live.act(wait._go_on(live.now_us))
            case "back" if here:
                live.act(execute(table, seat, requests.ComeBack(), live.now_us))
            case "join" if len(table.seats) < 4:
                live.join("Di")
        if table.pause.on:
            stopped_at = live.game.n
        live.pass_ms(ms)
        if table.pause.on:
            stopped_at = live.game.n
        new = [entry.event for entry in live.entries if isinstance(entry.event, Judged)][judged:]
        assert all(event.n > stopped_at or table.pause.on for event in new), (what, seat, new)


def test_a_player_alone_goes_on_sooner() -> None:
    live = at_table("Ana: 9S 2C 4H | Thoth*: 9H 3H 5H")
    live.turn(0)
    live.go(0)
    live.come(0)
    assert live.heard(Countdown)[-1] == Countdown(0, "resume", RESUME_ALONE_US // 1000)
