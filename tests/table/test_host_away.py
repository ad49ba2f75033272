"""The role of host passes to another player while the host is away, and returns with them."""

from __future__ import annotations

import pytest

from ratscrew.table.core.host_role import HOST_AWAY_US
from ratscrew.table.core.room_commands import execute
from ratscrew.table.record import requests
from ratscrew.table.record.entries import HostPassed
from ratscrew.table.record.messages import Countdown
from tests.table.driver import LiveTable, at_table, change, new_table
from tests.table.looks import refused
from tests.table.test_joining import begin, waiting
from tests.table.test_seat_assignment import again

AWAY_S = 20
"""What the page promises."""


def clocks(live: LiveTable) -> list[Countdown]:
    """The countdowns that were sent."""
    return [said.message for said in live.said if isinstance(said.message, Countdown)]


def pass_s(live: LiveTable, seconds: float) -> None:
    """Let time pass, with everything that is due in it."""
    live.pass_ms(seconds * 1000)


def test_another_player_deals_when_the_host_has_been_away_for_twenty_seconds() -> None:
    live = waiting(guests="Bo Cy")
    live.go(0)
    pass_s(live, AWAY_S - 0.1)
    assert live.table.state.host == 0
    pass_s(live, 0.2)
    assert live.entries[-1].event == HostPassed(1, away=True)
    begin(live, 1)
    assert (live.table.state.playing, refused(live)) == (True, [])


def test_all_pages_show_who_takes_over_and_when_and_that_the_host_is_back() -> None:
    live = waiting(guests="Bo Cy")
    assert clocks(live) == []
    live.go(0)
    pass_s(live, 5)
    live.go(1)
    assert clocks(live) == [Countdown(1, "host", 20_000), Countdown(2, "host", 15_000)]
    assert live.table.clock(live.now_us) == Countdown(2, "host", 15_000)
    live.come(0)
    assert clocks(live)[2:] == [Countdown(0, "host", 0)]
    pass_s(live, 60)
    assert live.table.state.host == 0


def test_a_host_who_comes_back_is_host_again_also_after_a_restart_or_a_deal() -> None:
    live = waiting(guests="Bo Cy")
    live.go(0)
    pass_s(live, AWAY_S + 1)
    restored = again(live)
    restored.come(0)
    assert (restored.table.state.host, restored.entries[-1].event) == (0, HostPassed(0))
    begin(live, 1)
    dealt = again(live)
    assert (dealt.table.state.host, dealt.table.state.away_host_id) == (1, 0)
    live.come(0)
    assert (live.table.state.host, live.entries[-1].event) == (0, HostPassed(0))


def test_a_host_for_the_time_being_who_goes_too_is_followed_and_the_first_one_comes_back() -> None:
    live = waiting(guests="Bo Cy")
    live.go(0)
    pass_s(live, AWAY_S + 1)
    live.go(1)
    pass_s(live, AWAY_S + 1)
    assert live.table.state.host == 2
    live.come(1)
    assert live.table.state.host == 2
    live.come(0)
    assert live.table.state.host == 0


def test_a_host_who_has_passed_the_role_on_does_not_get_it_back() -> None:
    live = waiting(guests="Bo Cy")
    live.go(0)
    pass_s(live, AWAY_S + 1)
    live.act(execute(live.table, 1, requests.PassHost(2), live.now_us))
    live.come(0)
    assert live.table.state.host == 2


@pytest.mark.parametrize("how", ["leaves", "passes"])
def test_a_role_that_falls_to_a_player_who_is_away_passes_too(how: str) -> None:
    """The first player of those who stay is away: they would be the host for ever."""
    live = waiting(guests="Bo Cy Di")
    live.go(1)
    if how == "leaves":
        live.act(execute(live.table, 0, requests.Leave(), live.now_us))
    else:
        live.go(0)
    pass_s(live, AWAY_S + 1)
    assert live.table.state.host == 2
    begin(live, 2)
    assert live.table.state.playing


def test_a_host_who_never_comes_to_their_new_room_is_followed() -> None:
    table = new_table()
    table.add_seat("Ana")
    live = LiveTable(table)
    live.act(table.open(live.now_us))
    live.join("Bo")
    pass_s(live, AWAY_S + 1)
    assert table.state.host == 1


def test_after_a_restart_the_time_begins_when_somebody_comes() -> None:
    live = again(waiting(guests="Bo Cy"))
    assert live.table.wake_us() is None
    pass_s(live, 100)
    live.come(2)
    pass_s(live, AWAY_S - 1)
    assert live.table.state.host == 0
    pass_s(live, 2)
    assert live.table.state.host == 2


def test_the_role_passes_in_a_game_and_after_it() -> None:
    live = at_table("Ana: 9S 2C | Bo: 9H 4H | Cy: KC 3D")
    live.go(0)
    pass_s(live, AWAY_S + 1)
    assert live.table.state.host == 1
    live.come(0)
    while not live.game.over:
        pass_s(live, 60)
    live.go(0)
    pass_s(live, AWAY_S + 1)
    assert live.table.state.host == 1


def test_a_paused_game_goes_on_when_the_host_who_paused_it_is_gone() -> None:
    """The next host can end the pause; nobody has to wait for the one who began it."""
    live = at_table("Ana: 9S 2C | Bo: 9H 4H | Cy: KC 3D")
    live.act(execute(live.table, 0, requests.Pause(True), live.now_us))
    pass_s(live, 5)
    assert live.table.pause.on
    live.go(0)
    pass_s(live, AWAY_S + 1)
    live.act(execute(live.table, 1, requests.Pause(False), live.now_us))
    pass_s(live, 4)
    assert (live.table.pause.on, refused(live)) == (False, [])


def test_a_table_without_a_host_has_none_to_follow() -> None:
    live = waiting(guests="Bo Cy")
    change(live.table, kind="quick")
    live.go(0)
    pass_s(live, AWAY_S + 1)
    assert not any(isinstance(entry.event, HostPassed) for entry in live.entries)


def test_the_stated_time_is_the_tables() -> None:
    assert HOST_AWAY_US == AWAY_S * 1_000_000
