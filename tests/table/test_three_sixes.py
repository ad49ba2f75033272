"""Three sixes: all lose, and the room is closed until tomorrow, unless the host reopens it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from ratscrew.rules.link import to_link
from ratscrew.table.core.room_commands import execute
from ratscrew.table.core.table import Table
from ratscrew.table.record import requests
from ratscrew.table.record.entries import Closed, Reopened
from ratscrew.table.session.timing import next_midnight_us
from tests.table.driver import LiveTable, at_table, new_table
from tests.table.looks import refused

BAN = "1;oxymoron"
SIXES = "Ana: 6S 2C 5D | Bo: 6H 4H 8D | Cy: 6D 3D 7D"
MIDNIGHT = {"America/New_York": 18_000_000_000, "Asia/Tokyo": 54_000_000_000}
"""The first midnight after the driver's clock begins, a quarter of an hour into 1970 in London."""


@pytest.fixture(autouse=True)
def new_york(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The server stands in New York, where it is still the evening of 1969."""
    yield from _stands_in("America/New_York", monkeypatch)


def _stands_in(place: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with monkeypatch.context() as there:
        there.setenv("TZ", place)
        time.tzset()
        yield
    time.tzset()


def lost(house: str = BAN) -> LiveTable:
    """Bo has slapped three sixes."""
    live = at_table(SIXES, house=house)
    live.turn(0, 1, 2)
    live.slap(1, after_ms=400)
    live.pass_ms(50)
    assert live.game.all_lose
    return live


def reopened(live: LiveTable) -> Table:
    """The same room after a restart of the server."""
    table = new_table(house=BAN)
    table.restore(1, live.entries)
    return table


# Until when


def test_the_room_is_closed_until_the_next_midnight_where_the_server_stands() -> None:
    live = lost()
    assert live.table.state.closed_us == MIDNIGHT["America/New_York"]
    assert live.entries[-1].event == Closed(MIDNIGHT["America/New_York"])


@pytest.mark.parametrize("place", MIDNIGHT)
def test_midnight_is_another_where_the_server_stands_elsewhere(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in _stands_in(place, monkeypatch):
        assert lost().table.state.closed_us == MIDNIGHT[place]


@pytest.mark.parametrize(
    ("now", "midnight"),
    [
        ("2026-02-27 15:00", "2026-02-28 00:00"),
        ("2026-12-31 23:59", "2027-01-01 00:00"),
        ("2026-03-08 00:30", "2026-03-09 00:00"),  # a day of 23 hours
        ("2026-11-01 00:30", "2026-11-02 00:00"),  # a day of 25
        ("2026-05-04 00:00", "2026-05-05 00:00"),
    ],
)
def test_tomorrow_begins_at_midnight_however_long_today_is(now: str, midnight: str) -> None:
    def us(text: str) -> int:
        return int(datetime.fromisoformat(text).replace(tzinfo=ZoneInfo("America/New_York")).timestamp()) * 1_000_000

    assert next_midnight_us(us(now)) == us(midnight)


# Closed


def test_until_then_nobody_plays_here() -> None:
    live = lost()
    live.again(0)
    live.until(MIDNIGHT["America/New_York"] - 1)
    live.again(1)
    assert refused(live) == ["room_closed", "room_closed"]
    live.until(MIDNIGHT["America/New_York"])
    live.again(1)
    assert live.table.state.round == 2
    assert live.table.state.closed_us is None


def test_the_host_may_lift_it() -> None:
    live = lost()
    live.act(execute(live.table, 0, requests.Reopen(), live.now_us))
    assert live.entries[-1].event == Reopened()
    live.again(1)
    assert (live.table.state.round, refused(live)) == (2, [])


def test_nobody_else_may() -> None:
    live = lost()
    live.act(execute(live.table, 1, requests.Reopen(), live.now_us))
    live.again(1)
    assert refused(live) == ["not_host", "room_closed"]


def test_where_nothing_is_closed_there_is_nothing_to_lift() -> None:
    live = at_table(SIXES, house=BAN)
    live.act(execute(live.table, 0, requests.Reopen(), live.now_us))
    assert refused(live) == ["not_so_here"]


def test_it_is_closed_after_a_stop_of_the_server_too() -> None:
    table = reopened(lost())
    assert table.state.closed_us == MIDNIGHT["America/New_York"]
    live = LiveTable(table)
    live.again(0)
    assert refused(live) == ["room_closed"]


def test_what_has_been_lifted_stays_so() -> None:
    live = lost()
    live.act(execute(live.table, 0, requests.Reopen(), live.now_us))
    assert reopened(live).state.closed_us is None


def test_another_house_does_not_open_it() -> None:
    live = lost()
    live.act(execute(live.table, 0, requests.House(to_link(new_table(house="1;classic").state.rules)), live.now_us))
    live.again(0)
    assert refused(live) == ["room_closed"]


# Not closed


def test_where_only_the_game_is_lost_the_next_can_begin() -> None:
    live = lost("1;oxymoron;triple_six_ban=false")
    assert live.table.state.closed_us is None
    live.again(1)
    assert live.table.state.round == 2


def test_two_sixes_close_nothing() -> None:
    live = at_table(SIXES, house=BAN)
    live.turn(0, 1)
    live.slap(2, after_ms=400)
    live.pass_ms(50)
    assert (live.told[-1], live.table.state.closed_us) == ("2 takes 2: slap:double", None)
