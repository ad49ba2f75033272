"""Joining a table: before the first game, and while others play."""

from __future__ import annotations

import pytest

from ratscrew.errors import Refusal
from ratscrew.rules.link import from_link, to_link
from ratscrew.table.core.room_commands import execute
from ratscrew.table.record import requests
from ratscrew.table.record.entries import Appearance, RulesChanged, Sat
from ratscrew.table.session.slap_tracker import SlapContact
from ratscrew.table.state.table_state import SEATS_MOST
from tests.table.driver import LiveTable, at_table, new_table
from tests.table.looks import hands, pile, refused, where

TWO = "Ana: 9S 2C 5D 8S | Bo: 9H 4H 6D 7C"
OPEN = "1;classic"
"""A late player may slap in."""


def waiting(house: str = OPEN, guests: str = "") -> LiveTable:
    """Ana has opened a room, and these players have come."""
    table = new_table(house=house)
    table.add_seat("Ana")
    live = LiveTable(table)
    live.act(table.open(live.now_us))
    live.come(0)
    for name in guests.split():
        live.join(name)
    return live


def begin(live: LiveTable, seat: int = 0) -> None:
    """A seat has the first game dealt."""
    live.act(execute(live.table, seat, requests.Start(), live.now_us))


def choose(live: LiveTable, seat: int, house: str) -> None:
    """A seat chooses rules."""
    live.act(execute(live.table, seat, requests.House(to_link(from_link(house))), live.now_us))


def held(live: LiveTable) -> list[int]:
    """How many cards each seat holds."""
    return [len(hand) for hand in live.game.hands]


# Before the first game


def test_people_gather_in_a_room_and_nothing_is_dealt() -> None:
    live = waiting(guests="Bo Cy")
    assert live.table.game is None
    assert [entry.event for entry in live.entries if isinstance(entry.event, Sat)] == [
        Sat(0, "Ana", None, 0, Appearance(0, "palm")),
        Sat(1, "Bo", None, 1, Appearance(1, "paw")),
        Sat(2, "Cy", None, 2, Appearance(2, "claw")),
    ]
    assert live.table.wake_us() is None


def test_the_host_has_the_first_game_dealt_to_everybody() -> None:
    live = waiting(guests="Bo Cy Dee")
    begin(live)
    assert held(live) == [13, 13, 13, 13]
    assert (live.table.state.round, refused(live)) == (1, [])


@pytest.mark.parametrize(
    ("guests", "seat", "why"), [("Bo", 1, "not_host"), ("", 0, "too_few")], ids=["a guest", "the host alone"]
)
def test_nobody_else_begins_and_he_not_alone(guests: str, seat: int, why: str) -> None:
    live = waiting(guests=guests)
    begin(live, seat)
    assert (live.table.game, refused(live)) == (None, [why])


def test_a_game_that_has_begun_is_not_begun_again() -> None:
    live = waiting(guests="Bo")
    begin(live)
    begin(live)
    assert (live.table.state.round, refused(live)) == (1, ["not_over"])


def test_before_it_nobody_plays_slaps_or_does_anything() -> None:
    live = waiting(guests="Bo")
    live.act(live.table.play(0, 0, live.now_us))
    live.slap(0, n=0)
    live.do(0, "forehead")
    assert refused(live) == ["no_game"] * 3


def test_the_host_chooses_the_house() -> None:
    live = waiting(guests="Bo Cy")
    choose(live, 0, "1;wiki;turn_ms=3000")
    assert isinstance(live.entries[-1].event, RulesChanged)
    assert live.entries[-1].event.link == "1;wiki;turn_ms=3000"
    begin(live)
    assert live.game.rules == from_link("1;wiki;turn_ms=3000")


def test_a_guest_chooses_nothing() -> None:
    live = waiting(guests="Bo")
    choose(live, 1, "1;wiki")
    assert (live.table.state.rules, refused(live)) == (from_link(OPEN), ["not_host"])


def test_nor_the_host_while_a_game_is_played() -> None:
    live = waiting(guests="Bo")
    begin(live)
    choose(live, 0, "1;wiki")
    assert (live.table.state.rules, refused(live)) == (from_link(OPEN), ["not_over"])


def test_between_two_games_he_may_and_the_next_is_played_so() -> None:
    live = at_table("Ana: 9S | Bo:", house=OPEN)
    live.turn(0)
    live.pass_ms(1500)
    assert live.game.over
    choose(live, 1, "1;everything2")
    choose(live, 0, "1;blog")
    live.again(1)
    assert live.game.rules == from_link("1;blog")
    assert (held(live), refused(live)) == ([26, 26], ["not_host"])


def test_a_house_that_is_too_small_for_those_who_are_here_cannot_be_chosen() -> None:
    live = waiting(guests="Bo Cy")
    choose(live, 0, "1;beggar")
    assert (live.table.state.rules, refused(live)) == (from_link(OPEN), ["room_full"])


@pytest.mark.parametrize(("house", "most"), [("1;beggar", 2), (OPEN, 8), ("1;blog", SEATS_MOST)])
def test_a_room_is_full_when_every_seat_of_the_house_is_taken(house: str, most: int) -> None:
    live = waiting(house, guests=" ".join(f"P{number}" for number in range(1, most)))
    with pytest.raises(Refusal) as refusal:
        live.join("Zoe")
    assert refusal.value.reason == "room_full"
    assert len(live.table.seats) == most
    begin(live)
    assert len(held(live)) == most


def test_a_room_that_waits_outlives_a_stop_of_the_server() -> None:
    before = waiting(guests="Bo Cy")
    choose(before, 0, "1;blog")
    table = new_table(house=OPEN)
    table.restore(0, before.entries)
    after = LiveTable(table)
    assert [seat.name for seat in table.seats] == ["Ana", "Bo", "Cy"]
    assert (table.state.rules, table.state.version, table.game) == (
        from_link("1;blog"),
        before.table.state.version,
        None,
    )
    begin(after)
    assert after.game.rules == from_link("1;blog")


# While others play


def test_who_comes_late_slaps_himself_in_and_leads_from_the_end_of_the_circle() -> None:
    live = at_table(TWO, house=OPEN)
    cy = live.join("Cy")
    live.turn(0, 1)
    live.slap(cy, after_ms=400)
    assert (where(live), hands(live)) == ("play 2", "2C 5D 8S | 4H 6D 7C | 9S 9H")
    live.turn(2)
    assert where(live) == "play 0"


@pytest.mark.parametrize(("after", "order"), [(0, [2, 1, 0]), (1, [2, 0, 1]), (None, [2, 0, 1]), (9, [2, 0, 1])])
def test_where_he_may_choose_he_sits_behind_whom_he_likes(after: int | None, order: list[int]) -> None:
    live = at_table("Ana: 9S 2C 5D 8S | Bo: 9H 4H 7C 3D", house="1;classic;join_seat=choose")
    live.join("Cy")
    live.turn(0, 1)
    live.slap(2, after_ms=400, palm=SlapContact(1, after))
    live.turn(2)
    turns = [2]
    for _ in range(2):
        turns.append(live.game.standing.turn)
        live.turn(live.game.standing.turn)
    assert turns == order


def test_where_he_may_not_he_sits_at_the_end() -> None:
    live = at_table(TWO, house="1;classic;join_seat=end")
    live.join("Cy")
    live.turn(0, 1)
    live.slap(2, after_ms=400, palm=SlapContact(1, 0))
    assert live.game.circle == (0, 1, 2)


def test_until_then_he_has_no_turn_and_no_card_is_waited_for_from_him() -> None:
    live = at_table(TWO, house=OPEN)
    cy = live.join("Cy")
    live.play(cy)
    assert refused(live) == ["not_your_turn"]
    live.turn(0, 1)
    assert where(live) == "play 0"


def test_his_wrong_slap_is_one_without_cards() -> None:
    live = at_table(TWO, house=OPEN)
    cy = live.join("Cy")
    live.turn(0)
    live.slap(cy, after_ms=400)
    assert live.told[-1] == "2 has strike 1"


def test_who_comes_disturbs_neither_a_card_on_its_way_nor_a_countdown() -> None:
    live = at_table(TWO, house=OPEN)
    live.turn(0)
    live.pass_ms(1000)
    countdown = live.table.clock(live.now_us)
    live.join("Cy")
    assert live.table.clock(live.now_us) == countdown
    live.play(1)
    live.pass_ms(100)
    live.join("Dee")
    live.pass_ms(60)
    assert pile(live) == "9S 9H"


@pytest.mark.parametrize("bo", ["9H", "9H 4H"], ids=["one holds cards", "two hold cards"])
@pytest.mark.parametrize("slap_in", ["no", "while_two_active", "always"])
def test_a_newcomer_slaps_in_whatever_the_house_says_of_players_without_cards(slap_in: str, bo: str) -> None:
    live = at_table(f"Ana: 9S 2C | Bo: {bo}", house=f"1;classic;slap_in={slap_in}")
    cy = live.join("Cy")
    live.turn(0, 1)
    live.slap(cy, after_ms=300)
    assert (held(live), refused(live), where(live)) == ([1, bo.count(" "), 2], [], "play 2")


def test_where_nobody_may_come_late_he_waits_for_the_next_game() -> None:
    live = at_table("Ana: 9S 2C | Bo: 9H", house="1;classic;late_join=no")
    cy = live.join("Cy")
    live.turn(0, 1)
    live.slap(cy, after_ms=300)
    live.play(cy)
    live.slap(cy, n=1)
    live.do(cy, "fake_slap")
    assert (pile(live), refused(live)) == ("9S 9H", ["not_playing"] * 4)
    live.slap(0, after_ms=400)
    assert live.game.over
    live.again(cy)
    assert sorted(held(live)) == [17, 17, 18]


def test_who_has_come_late_is_dealt_to_in_the_next_game_like_anybody() -> None:
    live = at_table("Ana: 9S 2C | Bo: 9H", house=OPEN)
    live.join("Cy")
    live.turn(0, 1)
    live.slap(0, after_ms=400)
    live.pass_ms(75)  # Cy's credit
    live.again(0)
    assert sorted(held(live)) == [17, 17, 18]
    assert live.game.circle == (0, 1, 2)


def test_who_came_late_sits_there_after_a_stop_of_the_server() -> None:
    live = at_table(TWO, house=OPEN)
    live.join("Cy")
    live.turn(0, 1)
    table = new_table(house=OPEN)
    table.restore(1, live.entries)
    assert (table.game, [seat.name for seat in table.seats]) == (live.game, ["Ana", "Bo", "Cy"])


def test_a_full_room_is_full_while_others_play_too() -> None:
    live = at_table("Ana: 9S 2C | Bo: 9H 3C", house="1;classic;max_players=2")
    with pytest.raises(Refusal):
        live.join("Cy")
    assert len(live.game.hands) == 2
