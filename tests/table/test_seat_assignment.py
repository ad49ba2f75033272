"""Seats: appearances that differ, leaving and being removed, seats that are compacted, the host, reactions."""

from __future__ import annotations

from typing import Any

import pytest

from ratscrew.bots.bot import Plan
from ratscrew.errors import Refusal
from ratscrew.table.core.room_commands import execute
from ratscrew.table.record import requests
from ratscrew.table.record.effects import Reseat
from ratscrew.table.record.entries import Appearance, HostPassed, Left, Muted, Sat
from ratscrew.table.record.messages import Reacted
from ratscrew.table.record.requests import Request
from ratscrew.table.state.log_snapshot import decode_snapshot
from ratscrew.table.state.seat_assignment import nearest
from tests.table.driver import LiveTable, at_table, new_table
from tests.table.looks import refused
from tests.table.test_joining import begin, waiting

THREE = "Ana: 9S 2C 5D | Bo: TH 4H 6D | Cy: KC 7C 8S"


def ask(live: LiveTable, seat: int, request: Request) -> list[Any]:
    """The effects of a seat's request."""
    return live.act(execute(live.table, seat, request, live.now_us))


def names(live: LiveTable) -> list[str]:
    """The names of the players who have not left."""
    return [seat.name for seat in live.table.state.staying]


def again(live: LiveTable) -> LiveTable:
    """The same table after a restart of the server."""
    table = new_table()
    first = live.entries[0]
    table.restore(live.table.state.round, live.entries, decode_snapshot(first))
    return LiveTable(table, live.clock)


# Appearances


@pytest.mark.parametrize(
    ("wish", "taken", "got"),
    [
        (Appearance(3, "wing"), [], Appearance(3, "wing")),
        (Appearance(3, "wing"), [Appearance(3, "paw")], Appearance(4, "wing")),
        (Appearance(7, "paw"), [Appearance(7, "paw"), Appearance(0, "paw")], Appearance(1, "paw")),
        (Appearance(2, "leaf"), [Appearance(hue, "palm") for hue in range(8)], Appearance(2, "leaf")),
        (Appearance(2, "palm"), [Appearance(hue, "palm") for hue in range(8)], Appearance(2, "paw")),
    ],
)
def test_a_hand_is_as_wished_or_as_near_as_can_be_told_from_the_others(
    wish: Appearance, taken: list[Appearance], got: Appearance
) -> None:
    assert nearest(wish, taken) == got


def test_thirty_hands_all_differ_and_the_first_eight_in_colour() -> None:
    live = waiting(house="1;blog", guests=" ".join(f"P{number}" for number in range(29)))
    appearances = [seat.appearance for seat in live.table.seats]
    assert len(set(appearances)) == 30
    assert len({appearance.hue for appearance in appearances[:8]}) == 8


def test_a_log_without_hands_and_numbers_gives_everybody_some() -> None:
    live = at_table(THREE)
    assert [(seat.player_id, seat.appearance) for seat in live.table.seats] == [
        (0, Appearance(0, "palm")),
        (1, Appearance(1, "paw")),
        (2, Appearance(2, "claw")),
    ]


# Leaving before a game


def test_the_next_who_comes_takes_the_chair_of_who_has_left_with_a_number_of_his_own() -> None:
    live = waiting(guests="Bo Cy")
    ask(live, 1, requests.Leave())
    seat = live.join("Di")
    assert (seat, names(live), live.table.seats[1].player_id) == (1, ["Ana", "Di", "Cy"], 3)
    assert live.entries[-1].event == Sat(1, "Di", None, 3, Appearance(1, "paw"))


def test_the_host_that_leaves_is_followed_by_the_next_person_who_stays_it() -> None:
    live = waiting(guests="Bo")
    ask(live, 0, requests.AddBot("steady"))
    ask(live, 0, requests.Leave())
    assert live.table.state.host == 1
    assert live.join("Cy") == 3
    assert live.table.state.host == 1
    begin(live, 1)
    assert [seat.player_id for seat in live.table.seats] == [1, 2, 3]
    assert live.table.state.host == 0


def test_who_has_left_asks_for_nothing_any_more() -> None:
    live = waiting(guests="Bo")
    ask(live, 0, requests.Leave())
    begin(live, 0)
    assert refused(live) == ["not_playing"]


# Leaving a game


def test_who_leaves_a_game_is_played_for_and_nobody_takes_his_chair() -> None:
    live = at_table(THREE, lead=1)
    ask(live, 1, requests.Leave())
    live.pass_ms(1500 + 160)
    assert (live.game.n, live.game.cards_held(1)) == (1, 2)
    assert live.join("Di") == 3
    live.play(1)
    assert refused(live) == ["not_playing"]


def test_a_bot_that_is_removed_does_nothing_more_and_is_played_for() -> None:
    live = at_table("Ana: 9S 2C | Thoth*: 9H 4H", plan=Plan(turn_us=600_000, slap_us=300_000))
    live.turn(0)
    ask(live, 0, requests.Remove(1))
    live.pass_ms(1300)
    assert live.game.n == 1
    live.pass_ms(600)
    assert live.game.n == 2
    live.pass_ms(1000)
    assert not any(told.startswith("double") for told in live.told)


def test_the_chairs_close_up_for_the_next_game_and_the_deal_goes_round_by_who_is_left() -> None:
    """Seat 2 dealt (0 led); the next dealer is 0; Bo has left, so Cy, now at seat 1, leads."""
    live = at_table("Ana: 9S | Bo: 9H | Cy:")
    live.turn(0, 1)
    live.slap(0)
    ask(live, 1, requests.Leave())
    effects = ask(live, 2, requests.DealAgain())
    assert [effect.seats for effect in effects if isinstance(effect, Reseat)] == [{0: 0, 2: 1}]
    assert [(seat.name, seat.player_id) for seat in live.table.seats] == [("Ana", 0), ("Cy", 2)]
    assert live.told[:2] == ["0 is Ana", "1 is Cy"]
    assert live.game.standing.turn == 1
    assert live.join("Di") == 2
    assert live.table.seats[2].player_id == 3


def test_where_everybody_has_left_the_table_waits() -> None:
    live = at_table("Ana: 9S 2C | Thoth*: 9H 4H")
    ask(live, 0, requests.Leave())
    assert live.table.wake_us() is None


def test_a_number_is_not_given_again_after_a_stop_of_the_server() -> None:
    live = waiting(guests="Bo Cy Di")
    ask(live, 3, requests.Leave())
    begin(live)
    other = again(live)
    assert [seat.player_id for seat in other.table.seats] == [0, 1, 2]
    other.join("Ed")
    assert other.table.seats[3].player_id == 4


def test_what_has_happened_to_people_survives_a_stop_of_the_server() -> None:
    live = waiting(guests="Bo Cy")
    ask(live, 0, requests.Mute(1, True))
    ask(live, 0, requests.ListRoom(True))
    ask(live, 2, requests.Leave())
    for stage in range(2):
        table = again(live).table
        assert [(seat.name, seat.muted, seat.gone) for seat in table.seats] == [
            ("Ana", False, False),
            ("Bo", True, False),
            *([("Cy", False, True)] if stage == 0 else []),
        ]
        assert table.state.listed
        begin(live)


# The host


@pytest.mark.parametrize(
    "request_",
    [requests.Remove(0), requests.Mute(0, True), requests.ListRoom(True), requests.AddBot("steady")],
)
def test_who_is_not_the_host_may_not(request_: Request) -> None:
    live = waiting(guests="Bo")
    ask(live, 1, request_)
    assert (refused(live), names(live), live.table.state.listed) == (["not_host"], ["Ana", "Bo"], False)


def test_the_host_removes_anybody_but_himself_and_only_who_is_there() -> None:
    live = waiting(guests="Bo")
    for seat in (0, 7, -1):
        ask(live, 0, requests.Remove(seat))
    effects = ask(live, 0, requests.Remove(1))
    assert [effect for effect in effects if isinstance(effect, Reseat)] == [Reseat({0: 0}, removed=True)]
    assert live.entries[-1].event == Left(1, True)
    ask(live, 0, requests.Remove(1))
    assert refused(live) == ["not_so_here"] * 4


def test_the_host_passes_the_role_on_and_it_survives_a_restart_and_a_deal() -> None:
    live = waiting(guests="Bo Cy")
    ask(live, 0, requests.PassHost(2))
    assert live.entries[-1].event == HostPassed(2)
    assert [live.table.state.host, again(live).table.state.host] == [2, 2]
    ask(live, 0, requests.ListRoom(True))
    ask(live, 2, requests.ListRoom(True))
    assert (refused(live), live.table.state.listed) == (["not_host"], True)
    ask(live, 1, requests.Leave())
    begin(live, 2)
    assert [live.table.state.host, again(live).table.state.host] == [1, 1]


def test_a_host_who_was_chosen_and_leaves_is_followed_by_the_first_player() -> None:
    live = waiting(guests="Bo Cy")
    ask(live, 0, requests.PassHost(2))
    ask(live, 2, requests.Leave())
    assert live.table.state.host == 0
    assert live.join("Di") == 2
    assert [live.table.state.host, again(live).table.state.host] == [0, 0]


def test_a_player_who_comes_to_a_seat_before_the_host_is_not_the_host() -> None:
    live = waiting(house="1;classic;max_players=2", guests="Bo")
    ask(live, 0, requests.Leave())
    assert (live.join("Cy"), live.table.state.host, again(live).table.state.host) == (0, 1, 1)


def test_only_the_host_passes_the_role_on_and_only_to_another_player_who_is_here() -> None:
    live = waiting(guests="Bo Cy")
    ask(live, 0, requests.AddBot("steady"))
    live.act(live.table.go(2, live.now_us))
    entries = len(live.entries)
    for seat in (0, 2, 3, 4, -1):
        ask(live, 0, requests.PassHost(seat))
    ask(live, 1, requests.PassHost(1))
    assert refused(live) == ["not_so_here"] * 5 + ["not_host"]
    assert (live.table.state.host, len(live.entries)) == (0, entries)


def test_bots_sit_down_until_the_room_is_full_and_have_names_of_their_own() -> None:
    live = waiting(house="1;blog")
    for _ in range(30):
        ask(live, 0, requests.AddBot("sharp"))
    assert (len(set(names(live))), refused(live)) == (30, ["room_full"])


def test_no_bot_sits_down_while_a_game_is_played() -> None:
    live = at_table(THREE)
    ask(live, 0, requests.AddBot("steady"))
    assert (refused(live), len(live.table.seats)) == (["not_over"], 3)


# Reactions


def test_a_sign_is_told_to_everybody_and_not_kept() -> None:
    live = waiting(guests="Bo")
    entries = len(live.entries)
    ask(live, 1, requests.React("wow"))
    assert (live.heard(Reacted), len(live.entries)) == ([Reacted(1, "wow")], entries)


def test_signs_are_800_ms_apart_and_six_in_ten_seconds() -> None:
    live = waiting(guests="Bo")
    for wait_ms in (0, 799, 1, 800, 800, 800, 800, 800, 5199, 1):
        live.clock.advance(wait_ms * 1000)
        ask(live, 1, requests.React("clap"))
    assert len(live.heard(Reacted)) == 7
    assert refused(live) == ["too_soon"] * 3


def test_who_is_muted_makes_no_sign_until_he_may_again() -> None:
    live = waiting(guests="Bo")
    ask(live, 0, requests.Mute(1, True))
    ask(live, 1, requests.React("clap"))
    ask(live, 0, requests.Mute(1, False))
    ask(live, 1, requests.React("oops"))
    assert (refused(live), live.heard(Reacted)) == (["muted"], [Reacted(1, "oops")])
    assert [entry.event for entry in live.entries if isinstance(entry.event, Muted)] == [
        Muted(1, True),
        Muted(1, False),
    ]


# Taking a seat


def test_nobody_is_lost_between_sitting_down_and_coming_into_the_game() -> None:
    """A taken seat and the right to slap in are one append of the log."""
    live = at_table(THREE)
    before = len(live.stores)
    live.join("Di")
    (store,) = live.stores[before:]
    assert [type(entry.event).__name__ for entry in store.entries] == ["Sat", "Arrived"]


def test_a_full_room_takes_nobody_while_the_chair_of_who_left_is_played_for() -> None:
    live = at_table("Ana: 9S 2C | Bo: 9H 3C", max_players=2)
    ask(live, 1, requests.Leave())
    with pytest.raises(Refusal):
        live.join("Cy")
