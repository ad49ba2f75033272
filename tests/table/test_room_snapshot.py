"""The state that a table has lived through is the one restored from its log, from its last game alone."""

from __future__ import annotations

from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from ratscrew.bots.ladder import bot
from ratscrew.errors import Refusal, RulesError
from ratscrew.game.codec import Codec
from ratscrew.judge.credit import Credit
from ratscrew.log.memory import MemoryLog
from ratscrew.log.sqlite import SqliteLog
from ratscrew.rules.house import Rules
from ratscrew.rules.presets import house
from ratscrew.table.core.erasure import delete_names_in_log, seated_by
from ratscrew.table.core.room_commands import execute
from ratscrew.table.core.table import Table
from ratscrew.table.names.names import NO_NAME
from ratscrew.table.record import requests
from ratscrew.table.record.effects import Store
from ratscrew.table.record.entries import (
    AccountLinked,
    Closed,
    DoneRequest,
    Entry,
    HostPassed,
    Idle,
    Left,
    NameDeleted,
    Recorded,
    RequestId,
    RoomLocked,
    Sat,
    TookPart,
)
from ratscrew.table.record.requests import Request
from ratscrew.table.registry.restoring import ledger_before, restore
from ratscrew.table.registry.room_registry import RoomRegistry, RoomRequest, code_of
from ratscrew.table.room.room import Room
from ratscrew.table.state.evolve import (
    DONE_REQUESTS_MOST,
    SEAT_REQUESTS_MOST,
    evolve,
    next_game,
    opening,
    with_seat,
)
from ratscrew.table.state.log_snapshot import decode_snapshot
from ratscrew.table.state.log_writer import STATE_EVERY, LogWriter
from ratscrew.table.state.table_state import RECENT_US, Occupant, PauseState, TableState
from ratscrew.testing.clock import ManualClock, on_manual_clock
from ratscrew.testing.house_strategies import houses
from tests.table.driver import LiveTable
from tests.table.pages import paints, presses
from tests.table.people import Person, here
from tests.table.test_anything import start, table_of

ROOM = "TEST-1"
ACTIONS = 20


def empty_table() -> Table:
    return Table(ROOM, house(), bot, lambda n: 0, lambda: 0.5)


class Observed(Table):
    """A table that keeps the state after each of its stores."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.lived = list[tuple[Store, TableState]]()

    def _store(self, *args: Any, **options: Any) -> Store:
        store = super()._store(*args, **options)
        self.lived.append((store, self.state))
        return store


def restored(log: MemoryLog[Entry]) -> Table:
    found = restore(log, ROOM, empty_table(), 0)
    assert found
    return found.table


def log_of(live: LiveTable) -> MemoryLog[Entry]:
    """The log of everything that a table has stored."""
    log = MemoryLog[Entry]()
    for store in live.stores:
        log.append(store.game, store.after, store.entries)
    return log


def ledger_agrees(log: MemoryLog[Entry]) -> bool:
    """Whether the state at the last deal says the same of each of its players as the games before it."""
    game = log.games()[-1]
    snapshot, counted = decode_snapshot(log.read(game)[0]), ledger_before(log, game)
    assert snapshot
    seats = [(seat.credit, seat.wins) for seat in snapshot.state.seats]
    ids = [seat.player_id for seat in snapshot.state.seats]
    return (
        seats == [(counted.credits.get(player, Credit()), counted.wins.get(player, 0)) for player in ids]
        and snapshot.state.next_player_id >= counted.next_player_id
    )


def last_game_only(log: MemoryLog[Entry]) -> MemoryLog[Entry]:
    """The log without the games before the last."""
    last, short = log.games()[-1], MemoryLog[Entry]()
    short.append(last, 0, log.read(last))
    return short


def play_games(rules: Rules, seed: int, games: int, state_every: int = STATE_EVERY) -> LiveTable | None:
    """A table after some games of random actions, most of them broken off; None if the rules have too few cards."""
    rng = Random(seed)
    table = Observed("TEST-1", rules, bot, rng.randrange, rng.random)
    table.log.state_every = state_every
    for name, level in [("Ana", None), ("Thoth", "sharp"), ("Bo", None)][: rules.max_players or 3]:
        table.add_seat(name, level if seed % 4 else None)
    live = LiveTable(table)
    if seed % 3 == 0:
        live.act(table.open(live.now_us, live.now_us + 8_000_000 if seed % 2 else None))
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
    """A player does anything, or the server."""
    table = live.table
    here = [seat for seat, each in enumerate(table.seats) if each.here]
    if not here:
        return
    seat, other, yes = rng.choice(here), rng.randrange(4), rng.random() < 0.5
    room: list[Request] = [
        requests.AddBot("gentle"),
        requests.Mute(other, yes),
        requests.LockRoom(yes),
        requests.ListRoom(yes),
    ]
    room += [requests.Remove(other), requests.GiveNonce(table.state.promise or "", f"{rng.getrandbits(128):032x}")]
    room += [requests.Pause(True), requests.Pause(False), requests.PassHost(other), requests.Reopen()]
    room += [requests.Leave(), requests.Readmit(), requests.House("1;wiki")] if rng.random() < 0.3 else []
    live.far(seat, rng.choice((20, 100)))
    match rng.randrange(9):
        case 0:
            with table.log.signed(RequestId("page", rng.randrange(99))):
                live.act(execute(table, seat, rng.choice(room), live.now_us))
        case 1 if len(table.seats) < 5:
            with suppress(Refusal), table.log.signed(RequestId("key", rng.randrange(99))):
                live.act(table.join(rng.choice(("Cy", "Di", "Ed")), live.now_us)[1])
        case 2 | 3 | 4 if live.game.n and not table.seats[seat].gone:
            with suppress(Refusal):
                paints(live, seat)
            live.pass_ms(rng.choice((200, 300, 400)))
            if table.seats[seat].here:
                presses(live, seat, 200)
        case 5:
            by_server: list[Recorded] = [AccountLinked(seat, rng.choice(("a", "b", None)), other), NameDeleted(seat)]
            by_server += [Idle(seat, yes, "steady" if yes else None), Closed(live.now_us), Left(seat, True, (0, 1))]
            by_server += [HostPassed(seat, away=True), TookPart(seat)]
            live.act(table.record([rng.choice(by_server)], live.now_us))
        case 6 if yes:
            live.go(seat)
        case _ if not table.seats[live.game.standing.turn].bot:
            live.play(live.game.standing.turn)
    live.pass_ms(rng.choice((50, 160, 500, 700)))


@given(houses(), st.integers(0, 99999), st.integers(1, 9))
def test_the_state_lived_through_is_the_one_restored_at_every_entry(rules: Rules, seed: int, every: int) -> None:
    """To the last field: from the first entry of each game on, and from each snapshot."""
    if (live := play_games(rules, seed, seed % 3 + 1, every)) is None:
        return
    table, state = live.table, TableState(rules)
    assert isinstance(table, Observed)
    for store, lived in table.lived:
        for number, entry in enumerate(store.entries, store.after + 1):
            snapshot = decode_snapshot(entry)
            state = snapshot.state if snapshot and number == 1 else evolve(state, entry)
            assert snapshot is None or snapshot.state == state
        assert state == lived
    assert table.state == state
    log = log_of(live)
    assert ledger_agrees(log)
    for short in (log, last_game_only(log)):
        again = restored(short)
        assert again.state == table.state
        assert again.bots.memory == table.bots.memory


def test_the_random_games_change_every_field_of_a_state() -> None:
    fields = {TableState: set[str](), Occupant: set[str](), PauseState: set[str]()}
    for seed in range(60):
        live = play_games(house(), seed, 2)
        assert live
        assert isinstance(live.table, Observed)
        for _, state in live.table.lived:
            for value in (state, state.pause, *state.seats):
                new = (each.name for each in msgspec.structs.fields(value) if getattr(value, each.name) != each.default)
                fields[type(value)].update(new)
    constant = {name for kind, seen in fields.items() for name in set(kind.__struct_fields__) - seen}
    assert constant == {"wins"}, "no game ends here: see the next test"


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
    assert live.table.state.round == 2
    for log in (log_of(live), last_game_only(log_of(live))):
        assert [seat.wins for seat in restored(log).seats] == wins


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
        assert found.table.state.round == games
        assert codec.decoded <= 1 + sum(len(store.entries) for store in last)  # the last one twice


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
    state = TableState(house())
    for sat in (Sat(0, "Ghislaine", None, 0), Sat(1, "Bo", None, 1)):
        state = with_seat(state, sat)
    spent = (replace(state.seats[0], credit=Credit(15_000, (60_000,))), state.seats[1])
    requested = (DoneRequest("page of a browser", 3, 50, 0),)
    state = next_game(replace(state, seats=spent, seat_requests=requested))
    with closing(SqliteLog(tmp_path / "log.sqlite3", codec)) as log:
        for number in (1, 2):
            log.append(f"{ROOM}-{number}", 0, LogWriter(ROOM).store(state, opening(state), 50)[1].entries)
        assert delete_names_in_log(log, ROOM, seated_by([0])) == 2
        assert log.purge()
        entries = [entry for game in log.games() for entry in log.read(game)]
        assert b"Ghislaine" not in b"".join(map(codec.encode, entries))
        assert [file.name for file in tmp_path.iterdir() if b"Ghislaine" in file.read_bytes()] == []
    found = restore(SqliteLog(tmp_path / "log.sqlite3", codec), ROOM, empty_table(), 0)
    assert found
    assert found.table.state.seat_requests == requested
    assert [(seat.name, seat.credit.purse_us) for seat in found.table.seats] == [(NO_NAME, 15_000), ("Bo", 50_000)]


# Requests that took seats


def deal(room: Room) -> None:
    """The host deals."""
    room.enter(host := Person(room.table.state.host))
    room.request(host, requests.Start() if room.table.game is None else requests.DealAgain())


async def restart(log: MemoryLog[Entry], clock: ManualClock, room: Room) -> Room:
    """The room in another server, on the same log."""
    found = here(await RoomRegistry(log, clock).find(code_of(room.table.room)))
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
    assert again.table.state.round == 1
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
    wishes: list[requests.Request] = [requests.LockRoom(True), requests.LockRoom(False), requests.Start()]
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


def test_only_the_recent_requests_are_remembered_and_a_bounded_number() -> None:
    state = with_seat(TableState(house()), Sat(0, "Ana"))
    for number in range(100):
        state = evolve(state, Entry(number, RoomLocked(True), RequestId("page", number)))
    assert [number for number in range(100) if state.has_done("page", number)] == [
        *range(100 - DONE_REQUESTS_MOST, 100)
    ]
    state = evolve(state, Entry(RECENT_US + 89, RoomLocked(True), RequestId("page", 100)))
    assert [number for number in range(101) if state.has_done("page", number)] == [*range(90, 101)]


def test_only_the_recent_requests_that_took_seats_are_remembered_and_a_bounded_number() -> None:
    state = evolve(TableState(house()), Entry(0, Sat(0, "Ana")))
    for number in range(100):
        state = evolve(state, Entry(number, Sat(1, "Bo", None, number + 1), RequestId(f"page {number}", 0)))
    assert [each.player_id for each in state.seat_requests] == [*range(101 - SEAT_REQUESTS_MOST, 101)]
    assert (state.seat_taken_by("page 98", 99), state.seat_taken_by("page 99", 99)) == (None, 1)
    assert state.seat_taken_by("page 99", RECENT_US + 99) is None
