"""Who may do what at which kind of table: every request at every kind, by the host and by another player."""

from __future__ import annotations

from typing import get_args

import pytest

from ratscrew.errors import RefusalReason
from ratscrew.judge.page_state import PageState
from ratscrew.table.core.rights import KINDS, RIGHTS, TableKind
from ratscrew.table.core.room_commands import execute, name_of
from ratscrew.table.record import requests
from ratscrew.table.record.effects import Send
from ratscrew.table.record.entries import Left, Listed, TookPart
from ratscrew.table.record.messages import Refused, RequestName
from ratscrew.table.record.requests import Request
from ratscrew.table.record.room_kind import KindSet, RatingTerms
from ratscrew.table.state.evolve import opening
from tests.table.driver import LiveTable, at_table, change, change_seat, new_table

REQUESTS: tuple[Request, ...] = (
    requests.Act("collect"), requests.Start(), requests.House("1;wiki"), requests.Reopen(), requests.DealAgain(),
    requests.Ready(True), requests.Pause(True), requests.ComeBack(), requests.AddBot(), requests.Remove(2),
    requests.Vote(2, True), requests.Leave(), requests.Mute(2, True), requests.PassHost(2), requests.ListRoom(True),
    requests.LockRoom(True), requests.Readmit(), requests.React("wow"), requests.GiveNonce("p", "0" * 32),
)  # fmt: skip

NOT_A_RIGHT = {RefusalReason.NOT_HOST, RefusalReason.NO_HOST, RefusalReason.BY_VOTE, RefusalReason.NOT_SO_HERE}
"""Reasons that say that this player has no such right here. Any other one says that it cannot be done now."""

ALWAYS = {"act", "come_back", "leave", "react", "nonce"}
OF_THE_HOST = {"start", "house", "reopen", "bot", "list", "lock", "readmit", "mute", "pass_host"}
HOST: dict[TableKind, set[str]] = {
    "friends": ALWAYS | OF_THE_HOST | {"again", "ready", "pause", "remove"},
    "listed": ALWAYS | OF_THE_HOST | {"again", "ready", "pause", "vote"},
    "rated": ALWAYS | OF_THE_HOST | {"again", "ready", "vote"},
    "quick": ALWAYS | {"ready", "vote"},
    "arena": ALWAYS | {"vote"},
}
"""What the first player may do while a game is running, by the kind of table."""

OTHERS = {kind: may - OF_THE_HOST - {"pause", "remove"} for kind, may in HOST.items()}


def table_of(kind: TableKind) -> LiveTable:
    """A running game of four players at different devices."""
    live = at_table("Ana: 9S 2C | Bo: TH 3H | Cy: 4H 5H | Di: 6H 7H")
    change(live.table, kind="listed" if kind == "rated" else kind)
    change(live.table, closed_us=live.now_us + 1)
    if kind == "rated":
        assert live.table.session
        live.table.session.rated = True
        change(live.table, unrated=())
    return live


def refusals(live: LiveTable, seat: int, request: Request) -> list[RefusalReason]:
    effects = live.act(execute(live.table, seat, request, live.now_us))
    return [
        RefusalReason(each.message.reason)
        for each in effects
        if isinstance(each, Send) and isinstance(each.message, Refused)
    ]


def test_every_request_has_a_right_at_every_kind_of_table() -> None:
    assert set(RIGHTS) == set(get_args(RequestName))
    assert all(tuple(who) == KINDS for who in RIGHTS.values())
    assert {name_of(request) for request in REQUESTS} == {each.__struct_config__.tag for each in get_args(Request)}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("request_", REQUESTS, ids=name_of)
def test_a_player_has_exactly_the_rights_of_the_kind_of_table(kind: TableKind, request_: Request) -> None:
    for seat, may in ((0, HOST), (1, OTHERS)):
        refused = not NOT_A_RIGHT.isdisjoint(refusals(table_of(kind), seat, request_))
        assert refused == (name_of(request_) not in may[kind]), (kind, seat, name_of(request_))


@pytest.mark.parametrize("kind", KINDS)
def test_only_the_host_of_a_room_for_friends_removes_a_player_from_a_running_game(kind: TableKind) -> None:
    live = table_of(kind)
    refusals(live, 0, requests.Remove(1))
    assert live.table.seats[1].gone == (kind == "friends")


def test_a_host_removes_players_before_a_game() -> None:
    live = LiveTable(new_table())
    for name in ("Ana", "Bo", "Cy"):
        live.table.add_seat(name)
    change(live.table, kind="listed")
    live.act(live.table.open(live.now_us))
    live.come(0)
    assert refusals(live, 0, requests.Remove(1)) == []
    assert live.table.seats[1].gone


def test_a_room_that_was_listed_stays_one_for_strangers() -> None:
    """Else its host could list it no longer, and then remove those who came."""
    live = table_of("friends")
    for on in (True, False):
        refusals(live, 0, requests.ListRoom(on))
    assert refusals(live, 0, requests.Remove(1)) == [RefusalReason.BY_VOTE]
    (again := new_table()).restore(1, live.entries)
    assert (again.state.kind, again.state.listed) == ("listed", False)
    assert KindSet("listed") in opening(again.state)


def test_a_room_is_for_friends_until_its_log_lists_it() -> None:
    live = table_of("friends")
    assert new_table().state.kind == "friends"
    table = new_table()
    table.restore(1, [*live.entries[:1], live.entries[0].__class__(live.now_us, Listed(True))])
    assert table.state.kind == "listed"


def test_a_player_at_the_only_device_may_pause_a_table_of_quick_play() -> None:
    live = at_table("Ana: 9S 2C | Thoth*: TH 3H")
    change(live.table, kind="quick")
    assert refusals(live, 0, requests.Pause(True)) == []
    assert live.table.pause.on


# Votes


def test_more_than_half_of_the_others_remove_a_player_and_one_alone_nobody() -> None:
    live = table_of("quick")
    refusals(live, 0, requests.Vote(1, True))
    refusals(live, 0, requests.Vote(1, True))
    assert not live.table.seats[1].gone
    refusals(live, 2, requests.Vote(1, True))
    assert live.table.seats[1].gone
    assert [each.event for each in live.entries if isinstance(each.event, Left)] == [Left(1, True, (0, 2))]


def test_of_two_players_none_can_remove_the_other() -> None:
    live = at_table("Ana: 9S 2C | Bo: TH 3H")
    change(live.table, kind="quick")
    assert refusals(live, 0, requests.Vote(1, True)) == [RefusalReason.TOO_FEW]


def test_a_vote_can_be_taken_back_and_ends_with_its_voter_and_its_game() -> None:
    live = table_of("quick")
    refusals(live, 0, requests.Vote(1, True))
    refusals(live, 0, requests.Vote(1, False))
    refusals(live, 2, requests.Vote(1, True))
    refusals(live, 2, requests.Leave())
    refusals(live, 3, requests.Vote(1, True))
    assert not live.table.seats[1].gone
    live.act(live.table.start(live.now_us))
    assert live.table.votes == {}


def test_a_vote_after_the_game_does_not_void_it() -> None:
    live = at_table("Ana: 9S | Bo: 9H | Cy:")
    change(live.table, kind="quick")
    live.turn(0, 1)
    live.slap(1)
    assert live.game.over
    for voter in (0, 2):
        refusals(live, voter, requests.Vote(1, True))
    assert [each.event for each in live.entries if isinstance(each.event, Left)] == [Left(1, True)]
    assert not live.table.state.voted_out


@pytest.mark.parametrize("same", ["page", "network of accounts", "network of guests"])
def test_players_at_one_page_or_in_one_network_have_one_vote(same: str) -> None:
    live = table_of("quick")
    page_state = PageState()
    for seat in (0, 2):
        if same == "page":
            live.table.seats[seat].page_state = page_state
        elif same == "network of accounts":
            change_seat(live.table, seat, network=7)
        else:
            live.table.networks.note(live.table.seats[seat].player_id, "203.0.113.5")
    refusals(live, 0, requests.Vote(1, True))
    refusals(live, 2, requests.Vote(1, True))
    assert not live.table.seats[1].gone
    refusals(live, 3, requests.Vote(1, True))
    assert live.table.seats[1].gone


# Players who are not there


@pytest.mark.parametrize(("kind", "accounts"), [("listed", False), ("quick", False), ("friends", True)])
def test_the_next_deal_frees_the_seats_of_players_who_are_away(kind: TableKind, accounts: bool) -> None:
    live = table_of(kind)
    change(live.table, closed_us=None)
    if accounts:
        for seat in range(4):
            change_seat(live.table, seat, account=f"account {seat}", network=seat)
    live.go(1)
    live.pass_ms(6000)
    live.go(2)  # who is away for a moment only keeps the seat
    live.act(live.table.next_game(live.now_us))
    assert [seat.name for seat in live.table.seats] == ["Ana", "Cy", "Di"]


def test_nobody_is_dealt_in_alone_and_nothing_has_changed_then() -> None:
    live = at_table("Ana: 9S 2C | Bo: TH 3H")
    change(live.table, kind="listed")
    live.go(1)
    live.pass_ms(6000)
    entries = len(live.entries)
    with pytest.raises(Exception, match="others_away"):
        live.table.next_game(live.now_us)
    assert (len(live.entries), live.table.seats[1].gone) == (entries, False)


def test_friends_without_accounts_keep_their_seats_while_they_are_away() -> None:
    live = table_of("friends")
    live.go(1)
    live.pass_ms(60_000)
    live.act(live.table.next_game(live.now_us))
    assert len(live.table.seats) == 4


# Rated games


def test_the_terms_of_a_game_are_in_its_log_and_nobody_joins_a_rated_one() -> None:
    live = LiveTable(new_table(house="1;classic"))
    live.table._rated_rules = frozenset({"1;classic"})
    for seat, name in enumerate(("Ana", "Bo")):
        live.table.add_seat(name)
        change_seat(live.table, seat, account=name, network=seat)
        live.table.seats[seat].page_state = PageState()
        state = live.page_state(seat)
        state.rtt_estimator = state.rtt_estimator.with_rtt_bounds(None, 20_000)
    live.act(live.table.start(live.now_us))
    assert RatingTerms(()) in [entry.event for entry in live.entries]
    assert live.table.rated
    live.join("Cy")
    assert len(live.game.hands) == 2
    assert live.table.rated
    (again := new_table(house="1;classic"))._rated_rules = frozenset({"1;classic"})
    again.restore(1, live.entries)
    assert again.rated


def test_a_game_with_somebody_away_or_over_an_unmeasured_line_is_not_rated() -> None:
    live = LiveTable(new_table(house="1;classic"))
    for seat, name in enumerate(("Ana", "Bo")):
        live.table.add_seat(name)
        change_seat(live.table, seat, account=name, network=seat)
    live.table.seats[0].page_state = PageState()
    live.act(live.table.start(live.now_us))
    assert RatingTerms(("absent", "unvouched")) in [entry.event for entry in live.entries]


def test_the_log_has_that_a_player_took_part_once_also_after_a_refusal() -> None:
    live = table_of("rated")
    before = len(live.entries)
    live.play(1)  # not Bo's turn
    live.act(execute(live.table, 0, requests.ComeBack(), live.now_us))
    live.turn(0, 1)
    parts = [entry.event for entry in live.entries[before:] if isinstance(entry.event, TookPart)]
    assert parts == [TookPart(1), TookPart(0)] or parts == [TookPart(0), TookPart(1)]
    assert [store.after for store in live.stores] == sorted(store.after for store in live.stores)
    (again := new_table()).restore(1, live.entries)
    assert again.state.version == live.table.state.version
    assert [seat.took_part for seat in again.seats] == [True, True, False, False]
