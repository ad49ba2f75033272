"""The log of one game is bounded for requests besides play; tests/table/test_log_end.py has play itself."""

from __future__ import annotations

import pytest

from ratscrew.errors import Refusal
from ratscrew.rules.link import from_link, to_link
from ratscrew.table.core.room_commands import execute
from ratscrew.table.record import requests
from ratscrew.table.record.log_budget import ENTRY_COST, HOUSE_COST, REQUESTS_MOST
from ratscrew.table.record.messages import Refused
from tests.table.driver import LiveTable, new_table

HOUSES = [from_link("1;classic"), from_link("1;wiki")]


def waiting() -> LiveTable:
    """Ana and Bo, before their first game."""
    table = new_table()
    table.add_seat("Ana"), table.add_seat("Bo")
    live = LiveTable(table)
    live.act(table.open(live.now_us))
    return live


def refused(live: LiveTable) -> set[str]:
    """The reasons of all refusals."""
    return {refusal.reason for refusal in live.heard(Refused)}


def change_houses(live: LiveTable, times: int) -> None:
    """The host changes the rules again and again."""
    for number in range(times):
        live.act(execute(live.table, 0, requests.House(to_link(HOUSES[(number + 1) % 2])), live.now_us))


def test_the_time_before_a_game_has_only_so_many_houses() -> None:
    live = waiting()
    change_houses(live, 1000)
    assert len(live.entries) <= 5 + REQUESTS_MOST / HOUSE_COST
    assert refused(live) == {"room_log_full"}


@pytest.mark.parametrize("what", ["list", "mute"])
def test_it_has_only_so_many_of_anything_else(what: str) -> None:
    live = waiting()
    for number in range(10_000):
        on = number % 2 == 0
        if what == "list":
            live.act(execute(live.table, 0, requests.ListRoom(on), live.now_us))
        else:
            live.act(execute(live.table, 0, requests.Mute(1, on), live.now_us))
    assert len(live.entries) <= 5 + (REQUESTS_MOST + 400) / ENTRY_COST
    assert refused(live) == {"room_log_full"}


def test_what_others_use_up_leaves_the_host_the_tools_against_them() -> None:
    live = waiting()
    change_houses(live, 1000)
    for number in range(50):
        live.act(execute(live.table, 0, requests.ListRoom(number % 2 == 0), live.now_us))
    live.said.clear()
    live.act(execute(live.table, 0, requests.LockRoom(True), live.now_us))
    assert (live.table.state.locked, refused(live)) == (True, set())


def test_people_who_come_and_go_fill_it_no_further() -> None:
    live = waiting()
    whys = set()
    for _ in range(10_000):
        try:
            seat = live.join("Cy")
        except Refusal as refusal:
            whys.add(refusal.reason.value)
        else:
            live.act(execute(live.table, seat, requests.Leave(), live.now_us))
    assert whys == {"room_log_full"}
    assert len(live.entries) <= 5 + REQUESTS_MOST / ENTRY_COST


def test_when_it_is_full_people_can_still_leave_and_play() -> None:
    live = waiting()
    change_houses(live, 1000)
    live.said.clear()
    live.act(execute(live.table, 0, requests.Start(), live.now_us))
    assert (live.table.state.playing, refused(live)) == (True, set())
    change_houses(live, 1)
    assert refused(live) == {"not_over"}  # the log of the game is another one
    live.act(execute(live.table, 1, requests.Leave(), live.now_us))
    assert live.table.seats[1].gone


def test_a_room_that_is_taken_up_again_knows_how_full_its_log_is() -> None:
    live = waiting()
    change_houses(live, 1000)
    again = new_table()
    again.restore(0, live.entries)
    assert again.state.spent == live.table.state.spent > REQUESTS_MOST - HOUSE_COST
