"""Players who are here and let their turns pass: warned after two, after three a bot plays until they act again."""

from __future__ import annotations

import pytest

from ratscrew.bots.bot import Plan
from ratscrew.errors import RefusalReason
from ratscrew.table.core.room_commands import execute
from ratscrew.table.record import requests
from ratscrew.table.record.entries import AccountLinked, Idle, Judged, Left, Listed
from ratscrew.table.record.messages import Countdown, IdleWarning, Refused
from tests.table.driver import LiveTable, at_table, change_seat, last
from tests.table.test_games import restored

LONG = "2C 4D 6H 8S TC 3D 5H 7S 9C"
OTHER = "3C 5D 7H 9S 2D 4H 6S 8C TD"
BOTS_TURN = Plan(turn_us=700_000, slap_us=400_000)


def two(hands: tuple[str, str] = (LONG, OTHER), **options: object) -> LiveTable:
    """Ana, who does nothing, and Bo."""
    return at_table(f"Ana: {hands[0]} | Bo: {hands[1]}", plan=BOTS_TURN, turn_ms=5000, **options)  # type: ignore[arg-type]


def let_pass(live: LiveTable, turns: int) -> None:
    """Ana lets so many turns pass, and Bo takes his."""
    for _ in range(turns):
        n = live.game.n
        while live.game.n == n:
            live.step()
        live.turn(1)


def idles(live: LiveTable) -> list[Idle]:
    """Who was replaced, or came back, by the log."""
    return [entry.event for entry in live.entries if isinstance(entry.event, Idle)]


def test_a_player_is_warned_after_two_turns_and_replaced_after_three() -> None:
    live = two()
    let_pass(live, 1)
    assert live.heard(IdleWarning) == []
    let_pass(live, 1)
    warnings = [(said.message, said.to) for said in live.said if isinstance(said.message, IdleWarning)]
    assert warnings == [(IdleWarning(0, 1), 0)]
    assert idles(live) == []
    let_pass(live, 1)
    assert idles(live) == [Idle(0, True, "steady")]


def test_any_action_in_between_counts_from_the_beginning() -> None:
    live = two()
    let_pass(live, 2)
    live.act(execute(live.table, 0, requests.React("clap"), live.now_us))
    let_pass(live, 2)
    assert idles(live) == []
    let_pass(live, 1)
    assert idles(live) == [Idle(0, True, "steady")]


def test_turns_in_between_end_the_count_too() -> None:
    live = two()
    let_pass(live, 2)
    live.turn(0, 1)
    let_pass(live, 2)
    assert idles(live) == []


def test_the_bot_turns_and_slaps_until_the_player_is_back() -> None:
    live = two(("2C 4D 6H 8S 9C TC", "3C 5D 7H 9S 2D"))
    let_pass(live, 3)
    before = live.now_us
    live.pass_ms(1500)  # the bot flips the eight after 0.7 s; Ana would have had 5 s
    assert live.game.n == 7
    live.turn(1)  # the nine
    live.pass_ms(1500)  # Bo's nine, and the one that the bot flips on it: a double
    assert live.now_us - before < 5_000_000
    live.pass_ms(1000)
    judged = [entry.event for entry in live.entries if isinstance(entry.event, Judged)]
    assert [(event.order[0].seat, event.order[0].us, event.order[0].proof) for event in judged] == [(0, 400_000, None)]


def test_the_first_action_of_a_player_only_brings_them_back() -> None:
    live = two()
    let_pass(live, 3)
    n = live.game.n
    assert last(live.slap(0, n)) == Refused("slap", RefusalReason.IDLE)
    assert idles(live)[-1] == Idle(0, False)
    assert live.table.seats[0].bot is None
    live.pass_ms(4000)  # their time is theirs again
    assert live.game.n == n
    live.turn(0)
    assert live.game.n == n + 1


def test_a_button_brings_a_player_back_too() -> None:
    live = two()
    let_pass(live, 3)
    live.act(execute(live.table, 0, requests.ComeBack(), live.now_us))
    assert idles(live)[-1] == Idle(0, False)
    assert [message for message in live.heard(Countdown) if message.seat == 0][-1].left_ms > 0


def test_a_page_that_gives_its_nonce_by_itself_is_no_player_who_is_back() -> None:
    live = two()
    let_pass(live, 3)
    live.act(execute(live.table, 0, requests.GiveNonce("x" * 64, "0" * 32), live.now_us))
    assert live.table.seats[0].idle


def test_a_game_whose_last_player_is_idle_waits_for_them() -> None:
    live = at_table(f"Ana: {LONG} | Thoth*: {OTHER}", plan=BOTS_TURN, turn_ms=5000)
    live.pass_ms(60_000)
    assert idles(live) == [Idle(0, True, "steady")]
    n = live.game.n
    live.pass_ms(600_000)
    assert live.game.n == n
    live.play(0)
    assert idles(live)[-1] == Idle(0, False)
    while live.game.standing.turn != 0:
        live.step()
    live.turn(0)
    assert live.game.n > n


def test_where_all_have_accounts_the_cards_are_only_turned() -> None:
    live = two()
    for seat in (0, 1):
        live.act(live.table.record([AccountLinked(seat, f"account-{seat}", seat)], live.now_us))
    let_pass(live, 3)
    assert idles(live) == [Idle(0, True, None)]
    n = live.game.n
    live.pass_ms(2000)  # as for a player who is away: 1.5 s and the flight of the card
    assert live.game.n == n + 1
    assert live.table.seats[0].bot is None


def test_a_restarted_server_knows_who_is_idle() -> None:
    live = two()
    let_pass(live, 3)
    other = restored(live.entries)
    assert (other.table.seats[0].idle, other.table.seats[0].bot is None) == (True, False)
    other.come(1)
    other.pass_ms(30_000)
    assert other.game.n > live.game.n


def test_a_reconnected_page_is_no_player_who_is_back() -> None:
    live = two()
    let_pass(live, 3)
    live.go(0)
    live.come(0)
    assert live.table.seats[0].idle


def test_idle_players_lose_their_seats_at_the_next_deal_among_strangers_only() -> None:
    for listed in (True, False):
        live = at_table("Ana: 2C | Bo: 3C 4D 5H 6S 7C 8D | Cy: 9C", turn_ms=5000)
        live.act(live.table.record([Listed(listed)], live.now_us))
        change_seat(live.table, 0, idle=True, stand_in="steady")
        live.act(live.table.next_game(live.now_us))
        assert [seat.name for seat in live.table.seats] == (["Bo", "Cy"] if listed else ["Ana", "Bo", "Cy"])
        events = [entry.event for store in live.stores for entry in store.entries]
        assert (Left(0) in events) == listed
        assert (Idle(0, True, "steady") in events) == (not listed)


@pytest.mark.parametrize("away", [True, False])
def test_a_player_who_is_away_is_not_counted(away: bool) -> None:
    live = two()
    if away:
        live.go(0)
    let_pass(live, 4)
    assert bool(idles(live)) == (not away)
