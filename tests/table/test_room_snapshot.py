"""A room is restored from its last game alone, and is the same as if its whole history had been read."""

from __future__ import annotations

from contextlib import closing, suppress
from functools import partial
from itertools import takewhile
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from ratscrew.bots.ladder import bot
from ratscrew.errors import Refusal, RulesError
from ratscrew.game.codec import Codec
from ratscrew.game.engine import replay
from ratscrew.game.events import Dealt
from ratscrew.judge.credit import Credit
from ratscrew.log.memory import MemoryLog
from ratscrew.log.sqlite import SqliteLog
from ratscrew.rules.house import Rules
from ratscrew.rules.presets import house
from ratscrew.table import requests
from ratscrew.table.players.names import NO_NAME
from ratscrew.table.records.entries import Entry, LedgerSnapshot, RequestId, RoomLocked, Sat, SeatRequest, is_game_event
from ratscrew.table.records.erasure import delete_names_in_log, seated_by
from ratscrew.table.records.log_snapshot import STATE_EVERY
from ratscrew.table.records.logged_requests import DONE_MOST, RECENT_US, SEAT_REQUESTS_MOST, LoggedRequests
from ratscrew.table.requests import Request
from ratscrew.table.rooms.restoring import ledger_before, restore
from ratscrew.table.rooms.room import Room
from ratscrew.table.rooms.room_commands import execute
from ratscrew.table.rooms.room_registry import RoomRegistry, RoomRequest, code_of
from ratscrew.table.table import Table
from ratscrew.testing.clock import ManualClock, on_manual_clock
from ratscrew.testing.houses import houses
from tests.table.driver import LiveTable
from tests.table.pages import paints, presses
from tests.table.people import Person, names
from tests.table.test_anything import company, start, table_of

ROOM = "TEST-1"
ACTIONS = 20


def empty_table() -> Table:
    return Table(ROOM, house(), bot, lambda n: 0, lambda: 0.5)


def restored(log: MemoryLog[Entry]) -> Table:
    found = restore(log, ROOM, empty_table(), 0)
    assert found
    return found.table


def facts(table: Table) -> list[object]:
    """What a table knows besides who is here, and the moment."""
    credits = [(seat.credit, seat.nonce, seat.wins) for seat in table.seats]
    room = [table.rules, table.listed, table.locked, table.closed_us, table.fill_us, table.log.game, table.log.version]
    players = [company(table), credits, table.roster.removed, table.roster.next_player_id]
    return [*room, *players, table.dealer.to_events(), table.dealer.seat, table.game]


def log_of(live: LiveTable) -> MemoryLog[Entry]:
    """The log of everything that a table has stored."""
    log = MemoryLog[Entry]()
    for store in live.stores:
        log.append(store.game, store.after, store.entries)
    return log


def without_state(log: MemoryLog[Entry]) -> MemoryLog[Entry]:
    """The log without the snapshots in the middle of games, so that all entries of the last game are read."""
    whole = MemoryLog[Entry]()
    for game in log.games():
        whole.append(game, 0, [replace(entry, state=None, since=0) for entry in log.read(game)])
    return whole


def ledger_agrees(log: MemoryLog[Entry]) -> bool:
    """Whether the snapshot at the last deal says the same of each of its players as the games before it."""
    game = log.games()[-1]
    snapshot, counted = log.read(game)[0].ledger, ledger_before(log, game)
    assert snapshot
    dealt = takewhile(lambda event: not isinstance(event, Dealt), (entry.event for entry in log.read(game)))
    players = [event.player_id or 0 for event in dealt if isinstance(event, Sat)]
    credits = all(snapshot.credits.get(player, Credit()) == counted.credits.get(player, Credit()) for player in players)
    wins = all(snapshot.wins.get(player, 0) == counted.wins.get(player, 0) for player in players)
    return credits and wins and snapshot.next_player_id >= counted.next_player_id


def last_game_only(log: MemoryLog[Entry]) -> MemoryLog[Entry]:
    """The log without the games before the last."""
    last, short = log.games()[-1], MemoryLog[Entry]()
    short.append(last, 0, log.read(last))
    return short


def play_games(rules: Rules, seed: int, games: int, state_every: int = STATE_EVERY) -> LiveTable | None:
    """A table after some games of random actions, each broken off; None if the rules have too few cards."""
    table, rng = table_of(rules, seed), Random(seed)
    for name, level in [("Ana", None), ("Thoth", "sharp"), ("Bo", None)][: rules.max_players or 3]:
        table.add_seat(name, level)
    live = LiveTable(table, state_every=state_every)
    if not start(live):
        return None
    for number in range(games):
        if number:
            deal_after_a_short_visit(live, rng)
        for seat in (seat for seat, each in enumerate(table.seats) if each.stays and not each.here):
            live.come(seat)
        for _ in range(ACTIONS):
            act_at_random(live, rng)
    return live


def deal_after_a_short_visit(live: LiveTable, rng: Random) -> None:
    """The next game is dealt; perhaps another player has come before, and left again."""
    if rng.random() < 0.5:
        with suppress(Refusal):
            visitor = live.join("Flo")
            live.act(execute(live.table, visitor, requests.Leave(), live.now_us))
    with suppress(Refusal, RulesError):
        live.act(live.table.next_game(live.now_us))


def act_at_random(live: LiveTable, rng: Random) -> None:
    """A player does anything."""
    here = [seat for seat, each in enumerate(live.table.seats) if each.here]
    if not here:
        return
    seat, other, yes = rng.choice(here), rng.randrange(4), rng.random() < 0.5
    room: list[Request] = [requests.AddBot("gentle"), requests.Mute(other, yes), requests.Lock(yes), requests.List(yes)]
    room += [requests.Remove(other), requests.Give(live.table.dealer.promise or "", f"{rng.getrandbits(128):032x}")]
    room += [requests.Leave(), requests.Readmit()] if rng.random() < 0.3 else []
    live.far(seat, rng.choice((20, 100)))
    match rng.randrange(8):
        case 0:
            live.act(execute(live.table, seat, rng.choice(room), live.now_us))
        case 1 if len(live.table.seats) < 5:
            with suppress(Refusal):
                live.join(rng.choice(("Cy", "Di", "Ed")))
        case 2 | 3 | 4 if live.game.n and not live.table.seats[seat].gone:
            with suppress(Refusal):
                paints(live, seat)
            live.pass_ms(rng.choice((200, 300, 400)))
            if live.table.seats[seat].here:
                presses(live, seat, 200)
        case _ if not live.table.seats[live.game.standing.turn].bot:
            live.play(live.game.standing.turn)
    live.pass_ms(rng.choice((50, 160, 500, 700)))


@given(houses(), st.integers(0, 99999))
def test_a_room_restored_from_its_snapshot_is_the_one_restored_from_its_whole_history(rules: Rules, seed: int) -> None:
    if (live := play_games(rules, seed, seed % 3 + 1)) is None:
        return
    log = log_of(live)
    whole = facts(restored(without_state(log)))
    assert ledger_agrees(log)
    assert facts(restored(last_game_only(log))) == facts(restored(log)) == whole
    assert [fact for fact in facts(live.table) if fact is not live.table.game] == whole[:-1]
    assert (
        live.table.game
        == whole[-1]
        == replay([entry.event for entry in log.read(log.games()[-1]) if is_game_event(entry.event)])
    )


@pytest.mark.usefixtures("tireless")
def test_games_won_survive_a_restart_between_two_games_and_in_the_middle_of_the_next() -> None:
    table = table_of(house(), 3)
    for name, level in (("Ana", None), ("Thoth", "sharp")):
        table.add_seat(name, level)
    live = LiveTable(table)
    assert start(live)
    live.come(0)
    live.play_out()
    wins = [seat.wins for seat in table.seats]
    assert sum(wins) == 1
    assert [seat.wins for seat in restored(log_of(live)).seats] == wins
    live.act(table.next_game(live.now_us))
    assert live.table.log.round == 2
    for log in (log_of(live), last_game_only(log_of(live)), without_state(log_of(live))):
        assert [seat.wins for seat in restored(log).seats] == wins


def test_the_random_games_are_worth_comparing() -> None:
    """Some players have spent credit before the last deal, some have left, and some were removed."""
    seen = set[str]()
    for seed in range(40):
        live = play_games(house(), seed, 3)
        assert live
        for store in live.stores:
            if store.game.endswith("-3") and not store.after and (ledger := store.entries[0].ledger):
                seen |= {"credit"} if ledger.credits else set()
                seen |= {"ids"} if ledger.next_player_id > len(live.table.seats) else set()
        seen |= {"removed"} if live.table.roster.removed else set()
        seen |= {"locked"} if live.table.locked else set()
    assert seen == {"credit", "ids", "removed", "locked"}


@pytest.mark.parametrize("seed", range(5))
def test_the_snapshot_is_stored_with_the_deal_and_nowhere_else(seed: int) -> None:
    """One append is one transaction: after a crash the log has both or neither."""
    if live := play_games(house(), seed, 3):
        for store in live.stores:
            has = [entry.ledger is not None for entry in store.entries]
            assert has == [store.after == 0, *[False] * (len(has) - 1)]


class CountingCodec(Codec[Entry]):
    """Counts the entries that are decoded."""

    def __init__(self) -> None:
        super().__init__(Entry)
        self.decoded = 0

    def decode(self, data: bytes | str) -> Entry:
        """See `Codec`."""
        self.decoded += 1
        return super().decode(data)

    def decode_lines(self, data: bytes | str) -> list[Entry]:
        """See `Codec`."""
        found = super().decode_lines(data)
        self.decoded += len(found)
        return found


@pytest.mark.parametrize("games", [1, 3, 25])
def test_restoring_reads_the_entries_of_one_game_however_many_there_were(tmp_path: Path, games: int) -> None:
    codec = CountingCodec()
    live = play_games(house(), 1, games)
    assert live
    with closing(SqliteLog(tmp_path / "log.sqlite3", codec, "process")) as log:
        for store in live.stores:
            log.append(store.game, store.after, store.entries)
        last = [store for store in live.stores if store.game == live.table.log.game]
        codec.decoded = 0
        found = restore(log, ROOM, empty_table(), 0)
        assert found
        assert (found.table.log.round, found.table.log.version) == (games, codec.decoded - 1)  # the last one twice
        assert found.table.log.version == sum(len(store.entries) for store in last)


def test_a_game_without_bots_is_restored_without_the_memory_of_bots() -> None:
    table = table_of(house(), 1)
    for name in ("Ana", "Bo"):
        table.add_seat(name)
    live = LiveTable(table)
    live.start()
    session = restored(log_of(live)).session
    assert session
    assert session.bots.memory is None
    live.act(table.next_game(live.now_us))
    table.add_seat("Thoth", "sharp")
    live.act(table.next_game(live.now_us))
    session = restored(log_of(live)).session
    assert session
    assert session.bots.memory


# Names


def test_a_deleted_name_is_in_no_snapshot_and_the_credits_stay(tmp_path: Path) -> None:
    codec = Codec[Entry](Entry)
    snapshot = LedgerSnapshot(2, {0: Credit(15_000, (60_000,))}, (SeatRequest("page of a browser", 3, 0, 50),))
    with closing(SqliteLog(tmp_path / "log.sqlite3", codec)) as log:
        for number in (1, 2):
            sat = [Entry(50, Sat(0, "Ghislaine", None, 0), ledger=snapshot), Entry(50, Sat(1, "Bo", None, 1))]
            log.append(f"{ROOM}-{number}", 0, sat)
        assert delete_names_in_log(log, ROOM, seated_by([0])) == 2
        assert log.purge()
        entries = [entry for game in log.games() for entry in log.read(game)]
        assert [entry.ledger for entry in entries] == [snapshot, None] * 2
        assert b"Ghislaine" not in b"".join(map(codec.encode, entries))
        assert [file.name for file in tmp_path.iterdir() if b"Ghislaine" in file.read_bytes()] == []
    found = restore(SqliteLog(tmp_path / "log.sqlite3", codec), ROOM, empty_table(), 0)
    assert found
    assert [(seat.name, seat.credit.purse_us) for seat in found.table.seats] == [(NO_NAME, 15_000), ("Bo", 50_000)]


@on_manual_clock
async def test_a_snapshot_of_a_room_with_every_kind_of_player_holds_no_name(clock: ManualClock) -> None:
    log = MemoryLog[Entry]()
    registry = RoomRegistry(log, clock)
    room = registry.open(RoomRequest("Ghislaine", 1, wait=True))
    registry.join(room, "Bartholomew", key="a key of Bartholomew's browser".replace("Bartholomew", "that"))
    deal(room)
    snapshot = log.read(room.table.log.game)[0].ledger
    assert snapshot
    assert snapshot.requests
    text = Codec[LedgerSnapshot](LedgerSnapshot).encode(snapshot).decode()
    assert [name for name in names(room) if name in text] == []


# Requests that took seats


def deal(room: Room) -> None:
    """The host deals."""
    room.enter(host := Person(room.table.roster.host))
    room.request(host, requests.Start() if room.table.game is None else requests.Again())


async def restart(log: MemoryLog[Entry], clock: ManualClock, room: Room) -> Room:
    """The room in another server, on the same log."""
    found = await RoomRegistry(log, clock).find(code_of(room.table.room))
    assert found
    return found


@on_manual_clock
async def test_a_seat_request_of_an_earlier_game_is_still_known_after_a_restart(clock: ManualClock) -> None:
    """The game in which the player took the seat is not read any more; their answer may still be on its way."""
    log = MemoryLog[Entry]()
    registry = RoomRegistry(log, clock)
    room = registry.open(RoomRequest("Ana", 0, wait=True))
    seat = registry.join(room, "Bo", key="bo's request")
    deal(room)
    again = await restart(log, clock, room)
    assert again.table.log.round == 1
    assert (again.joined_before("bo's request"), again.joined_before("another")) == (seat, None)
    clock.advance(RECENT_US)
    assert (await restart(log, clock, room)).joined_before("bo's request") is None


@on_manual_clock
async def test_a_bot_of_an_earlier_game_is_not_added_again_after_a_restart(clock: ManualClock) -> None:
    log = MemoryLog[Entry]()
    room = RoomRegistry(log, clock).open(RoomRequest("Ana", 0, wait=True))
    room.enter(ana := Person(0))
    room.once(ana, "ana's page", 1, lambda: room.request(ana, requests.AddBot("steady")))
    deal(room)
    for _ in range(2):
        room = await restart(log, clock, room)
        room.enter(ana := Person(0))
        done = list[int]()
        for number in (1, 2):
            room.once(ana, "ana's page", number, partial(done.append, number))
        assert done == [2]


@on_manual_clock
async def test_a_request_of_any_kind_is_not_done_again_after_a_restart(clock: ManualClock) -> None:
    """The table was locked, unlocked, and a game dealt, which was not answered: a repeated lock would stay."""
    log = MemoryLog[Entry]()
    room = RoomRegistry(log, clock).open(RoomRequest("Ana", 1, wait=True))
    room.enter(ana := Person(0))
    wishes: list[requests.Request] = [requests.Lock(True), requests.Lock(False), requests.Start()]
    for number, wish in enumerate(wishes, 1):
        room.once(ana, "ana's page", number, partial(room.request, ana, wish))
    for _ in range(2):
        room = await restart(log, clock, room)
        room.enter(ana := Person(0))
        done = list[int]()
        for number in (1, 2, 3, 4):
            room.once(ana, "ana's page", number, partial(done.append, number))
        assert done == [4]
        assert room.joined_before("ana's page") is None


def test_only_the_recent_requests_go_into_a_snapshot_and_a_bounded_number() -> None:
    begins, lately = (Entry(RECENT_US + 89, Sat(0, "Ana"), ledger=LedgerSnapshot(1, {})),), list(range(90, 100))
    others = LoggedRequests()
    for number in range(100):
        others.sign((Entry(number, RoomLocked(True)), Entry(number, RoomLocked(False))), RequestId("page", number))
    (dealt,) = others.sign(begins, None)
    assert dealt.ledger
    assert ([each.s for each in dealt.ledger.done], dealt.ledger.requests) == (lately, ())
    assert [number for number in range(100) if ("page", number) in LoggedRequests([dealt])] == lately
    many = LoggedRequests([Entry(0, RoomLocked(True), RequestId("page", number)) for number in range(100)])
    assert [number for number in range(100) if ("page", number) in many] == list(range(100 - DONE_MOST, 100))


def test_only_the_recent_seat_requests_go_into_a_snapshot_and_a_bounded_number() -> None:
    seats = LoggedRequests()
    for number in range(100):
        entry = Entry(number, Sat(0, "Ana", None, number))
        seats.sign((entry,), RequestId("page", number))
    (dealt,) = seats.sign((Entry(RECENT_US + 89, Sat(0, "Ana"), ledger=LedgerSnapshot(1, {})),), None)
    assert dealt.ledger
    assert [each.s for each in dealt.ledger.requests] == list(range(90, 100))
    assert [number for number in range(100) if ("page", number) in LoggedRequests([dealt])] == list(range(90, 100))
    many = LoggedRequests([Entry(0, Sat(0, "Ana"), RequestId("page", number)) for number in range(100)])
    assert [number for number in range(100) if ("page", number) in many] == list(range(100 - SEAT_REQUESTS_MOST, 100))
