"""Rooms are restored from the log off the event loop: once for all callers, and a bounded number at a time."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import Future
from threading import Event, get_ident

import pytest

from ratscrew.errors import Corrupt, LimitExceeded, LogError
from ratscrew.judge.credit import Credit
from ratscrew.log.memory import MemoryLog
from ratscrew.table.record.effects import Effect
from ratscrew.table.record.entries import Entry, Listed, Sat
from ratscrew.table.registry import restoring
from ratscrew.table.registry.code_registry import CodeRegistry
from ratscrew.table.registry.restoring import Breaks, RestoreQueue, ledger_before
from ratscrew.table.registry.room_registry import RoomRegistry, RoomRequest, code_of
from ratscrew.table.state.log_snapshot import decode_snapshot
from ratscrew.testing.clock import ManualClock, on_manual_clock
from tests.table.driver import at_table
from tests.table.people import here, settle
from tests.table.test_rejudge import ANA, BO, SPENT, game

DAY_US = 24 * 3600 * 1_000_000


class WatchedLog(MemoryLog[Entry]):
    """A log that counts its reads and notes the threads that asked for them; a read waits for `go`."""

    def __init__(self) -> None:
        super().__init__()
        self.reads: list[str] = []
        self.threads: set[int] = set()
        self.go = Event()
        self.go.set()
        self.error: LogError | None = None

    def read(self, game: str, after: int = 0) -> list[Entry]:
        """See `EventLog`."""
        self.go.wait(30)
        self.reads.append(game)
        self.threads.add(get_ident())
        if self.error:
            raise self.error
        return super().read(game, after)


async def stopped(log: MemoryLog[Entry], clock: ManualClock, rooms: int = 1) -> list[str]:
    """The codes of rooms that an earlier server has opened."""
    registry = RoomRegistry(log, clock)
    codes = [code_of(registry.open(RoomRequest("Ana", 1, "gentle")).table.room) for _ in range(rooms)]
    registry.close()
    return codes


# Once, elsewhere, and not too many


async def test_two_requests_for_one_room_restore_it_once() -> None:
    clock, log = ManualClock(1), WatchedLog()
    (code,) = await stopped(log, clock)
    registry = RoomRegistry(log, clock)
    log.go.clear()
    asked = [asyncio.create_task(registry.find(code)) for _ in range(5)]
    await asyncio.sleep(0)
    assert len(registry) == 0  # half a room is no room
    log.go.set()
    found = await asyncio.gather(*asked)
    assert len(log.reads) == 1
    assert len(set(map(id, found))) == 1
    assert found[0]
    assert list(registry) == [found[0]]
    assert here(await registry.find(code)) is found[0]
    assert len(log.reads) == 1


async def test_the_thread_of_the_event_loop_does_not_read_the_log() -> None:
    clock, log = ManualClock(1), WatchedLog()
    codes = await stopped(log, clock, 3)
    registry = RoomRegistry(log, clock)
    assert all([here(await registry.find(code)) for code in codes])
    assert log.threads
    assert get_ident() not in log.threads


async def test_a_request_that_goes_away_does_not_take_the_room_from_the_others() -> None:
    clock, log = ManualClock(1), WatchedLog()
    (code,) = await stopped(log, clock)
    registry = RoomRegistry(log, clock)
    log.go.clear()
    first, second = (asyncio.create_task(registry.find(code)) for _ in range(2))
    await asyncio.sleep(0)
    first.cancel()
    log.go.set()
    assert await second
    assert first.cancelled()


async def test_more_rooms_than_may_wait_are_refused_and_those_that_wait_are_restored(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(restoring.RestoreQueue.__init__, "__defaults__", (2, 64))
    clock, log = ManualClock(1), WatchedLog()
    codes = await stopped(log, clock, 3)
    registry = RoomRegistry(log, clock)
    log.go.clear()
    waiting = [asyncio.create_task(registry.find(code)) for code in codes[:2]]
    await asyncio.sleep(0)
    with pytest.raises(LimitExceeded, match="try again in 1 s"):
        here(await registry.find(codes[2]))
    log.go.set()
    assert all(await asyncio.gather(*waiting))
    assert here(await registry.find(codes[2]))


@pytest.mark.parametrize("error", [LogError("the disk is away"), Corrupt("entry 3 cannot be read")])
async def test_a_room_that_cannot_be_read_is_asked_for_again(error: LogError) -> None:
    clock, log = ManualClock(1), WatchedLog()
    (code,) = await stopped(log, clock)
    registry = RoomRegistry(log, clock)
    log.error = error
    for _ in range(2):
        with pytest.raises(type(error)):
            here(await registry.find(code))
    log.error = None
    assert here(await registry.find(code))


async def test_a_code_that_leads_nowhere_is_known_without_the_log() -> None:
    clock, log = ManualClock(1), WatchedLog()
    await stopped(log, clock)
    registry = RoomRegistry(log, clock)
    assert here(await registry.find("QQQQ")) is None
    assert log.reads == []


@pytest.mark.parametrize("steps", [1, 3])
async def test_a_server_that_stops_restores_nothing_more(steps: int) -> None:
    clock, log = ManualClock(1), WatchedLog()
    (code,) = await stopped(log, clock)
    registry = RoomRegistry(log, clock)
    log.go.clear()
    asked = asyncio.create_task(registry.find(code))
    for _ in range(steps):
        await asyncio.sleep(0)
    registry.close()
    log.go.set()
    with pytest.raises(LogError, match="the server stops"):
        await asked
    assert len(registry) == 0


async def test_an_error_reaches_every_caller_and_the_next_one_starts_anew() -> None:
    queue, started = RestoreQueue[int](), 0

    async def fail() -> int:
        nonlocal started
        started += 1
        await asyncio.sleep(0)
        raise LogError("away")

    found = await asyncio.gather(queue.run("a", fail), queue.run("a", fail), return_exceptions=True)
    assert (started, [type(error) for error in found]) == (1, [LogError, LogError])
    with pytest.raises(LogError):
        await queue.run("a", fail)
    assert started == 2


# In turn, and only for clients that still want it


class Work:
    """Pieces of work that are done when the test says so, and the order in which they began."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, at_once: int = 1) -> None:
        monkeypatch.setattr(restoring, "AT_ONCE", at_once)
        self.queue = RestoreQueue[str](waiting_most=8, of_address_most=3)
        self.began: list[str] = []
        self.go = asyncio.Semaphore(0)

    def ask(self, key: str, address: str, wanted: Callable[[], bool] = lambda: True) -> asyncio.Task[str]:
        """An address asks for some work."""

        async def work() -> str:
            self.began.append(key)
            await self.go.acquire()
            return key

        return asyncio.create_task(self.queue.run(key, work, address, wanted))

    async def finish(self, *asked: asyncio.Task[str]) -> list[object]:
        """Do all the work, and return what each caller gets."""
        await settle()
        for _ in range(20):
            self.go.release()
        return list(await asyncio.gather(*asked, return_exceptions=True))


async def test_addresses_take_turns_and_each_has_a_bounded_number_of_rooms_waiting(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    work = Work(monkeypatch)
    asked = [work.ask(key, address) for key, address in (("a1", "a"), ("a2", "a"), ("a3", "a"), ("a4", "a"))]
    asked += [work.ask(key, address) for key, address in (("b1", "b"), ("b2", "b"), ("c1", "c"))]
    await settle()
    with pytest.raises(LimitExceeded, match="too many requests"):
        await work.ask("a5", "a")
    with pytest.raises(LimitExceeded, match="the server is busy"):
        await asyncio.gather(work.ask("d1", "d"), work.ask("d2", "d"))
    await work.finish(*asked)
    assert work.began == ["a1", "a2", "b1", "c1", "d1", "a3", "b2", "a4"]
    assert len(work.queue) == 0


async def test_four_players_of_one_room_begin_it_once_whatever_their_addresses(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    work = Work(monkeypatch)
    busy = [work.ask("busy", "a"), work.ask("first", "a")]
    four = [work.ask("room", address) for address in ("a", "b", "b", "c")]
    assert await work.finish(*busy, *four) == ["busy", "first", *["room"] * 4]
    assert work.began == ["busy", "first", "room"]


async def test_a_room_that_nobody_waits_for_any_more_is_not_restored(monkeypatch: pytest.MonkeyPatch) -> None:
    """One caller is cancelled; another's connection was lost, which cancels nothing; a third's room has one left."""
    work, here = Work(monkeypatch), False
    busy, cancelled = work.ask("busy", "a"), work.ask("cancelled", "a")
    lost, left = work.ask("lost", "b", lambda: here), work.ask("shared", "b", lambda: here)
    stays = work.ask("shared", "c")
    await settle()
    cancelled.cancel()
    found = await work.finish(busy, lost, left, stays)
    assert work.began == ["busy", "shared"]
    assert [type(each) for each in found] == [str, LimitExceeded, str, str]
    assert len(work.queue) == 0


async def test_a_bounded_number_is_restored_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    work = Work(monkeypatch, at_once=2)
    asked = [work.ask(f"room {number}", f"address {number}") for number in range(5)]
    await settle()
    assert len(work.began) == 2
    work.go.release()
    await settle()
    assert len(work.began) == 3
    await work.finish(*asked)


def test_the_thread_leaves_the_loop_its_share_between_two_pieces() -> None:
    slept: list[float] = []
    breaks = Breaks(0.5, slept.append)

    def work() -> None:
        began_s = time.thread_time()
        while time.thread_time() - began_s < 0.02:
            pass

    for _ in range(3):
        breaks.run(work)
    assert len(slept) == 2
    assert all(0.01 < seconds < 0.05 for seconds in slept)
    time.sleep(0.05)
    breaks.run(work)
    assert len(slept) == 2  # it has had its break
    Breaks(0, slept.append).run(work)
    assert len(slept) == 2


# Credits


class NewestOnly(MemoryLog[Entry]):
    """A log of which only the newest game may be read."""

    def read(self, game: str, after: int = 0) -> list[Entry]:
        """See `EventLog`."""
        assert game == self.games()[-1], f"{game} is not the newest game"
        return super().read(game, after)


def second_game(log: MemoryLog[Entry], clock: ManualClock) -> None:
    """A room with one game in which Ana spent some of her purse, and a second that was dealt after it."""
    log.append("QUIZ-1f-1", 0, game(SPENT))
    table = RoomRegistry(MemoryLog(), clock)._table("QUIZ-1f")
    entries = log.read("QUIZ-1f-1")
    table.restore(1, entries)
    log.append("QUIZ-1f-2", 0, [entry for effect in table.start(1) for entry in getattr(effect, "entries", ())])


@on_manual_clock
async def test_a_games_first_entry_says_what_the_games_before_it_come_to(clock: ManualClock) -> None:
    """35 of 50 ms are spent in the first game (`test_rejudge`); the second alone is enough to know that."""
    log = NewestOnly()
    second_game(log, clock)
    found = here(await RoomRegistry(log, clock).find("quiz"))
    assert found
    assert found.table.log.game == "QUIZ-1f-2"
    assert [found.table.seats[seat].credit for seat in (ANA, BO)] == [Credit(15_000, (60_000,)), Credit()]
    assert found.table.state.next_player_id == 2


@on_manual_clock
async def test_the_snapshot_and_the_games_before_agree(clock: ManualClock) -> None:
    log = MemoryLog[Entry]()
    second_game(log, clock)
    snapshot, counted = decode_snapshot(log.read("QUIZ-1f-2")[0]), ledger_before(log, "QUIZ-1f-2")
    assert snapshot
    assert {seat.player_id: seat.credit for seat in snapshot.state.seats} == {ANA: counted.credit(ANA), BO: Credit()}
    assert snapshot.state.next_player_id == counted.next_player_id


# Codes


def test_after_a_restart_a_rooms_last_use_is_its_last_entry() -> None:
    log = MemoryLog[Entry]()
    log.append("QUIZ-1f-1", 0, [Entry(40, Sat(0, "Ana")), Entry(50, Listed(True))])
    log.append("QUIZ-1f-2", 0, [Entry(60, Sat(0, "Ana")), Entry(70, Listed(True))])
    log.append("BEAR-2f-1", 0, [Entry(80, Sat(0, "Bo"))])
    log.append("QUIZ-3f-1", 0, [Entry(90, Sat(0, "Cy"))])
    codes = CodeRegistry(log)
    assert codes.get("QUIZ") == ("QUIZ-3f", 90, True)
    assert codes.get("BEAR") == ("BEAR-2f", 80, True)
    assert len(codes) == 2


def test_a_damaged_entry_does_not_keep_a_server_from_starting() -> None:
    class Damaged(MemoryLog[Entry]):
        def last(self, game: str) -> Entry | None:
            raise Corrupt(f"{game}: entry 1 cannot be read")

    log = Damaged()
    log.append("QUIZ-1f-1", 0, [Entry(40, Sat(0, "Ana"))])
    assert CodeRegistry(log).get("QUIZ") == ("QUIZ-1f", 0x1F, True)


async def test_a_code_whose_room_was_never_kept_is_free_again() -> None:
    class Full(MemoryLog[Entry]):
        def append_soon(self, *_: object) -> Future[int]:
            failed: Future[int] = Future()
            failed.set_exception(LogError("the disk is full"))
            return failed

    registry = RoomRegistry(Full(), ManualClock(1))
    code = code_of(registry.open(RoomRequest("Ana", 1)).table.room)
    assert here(await registry.find(code)) is None
    registry.sweep()
    assert registry._here.is_free(code)


# Times

AGO_S = 40 * 24 * 3600


@pytest.mark.parametrize("back_s", [0, 1, AGO_S])
@on_manual_clock
async def test_the_times_in_a_log_do_not_go_back_when_the_clock_does(clock: ManualClock, back_s: int) -> None:
    """From the last entry on they go as fast as the clock, in the next game too."""
    log = MemoryLog[Entry]()
    clock.advance(AGO_S * 1_000_000)
    before = RoomRegistry(log, clock)
    room = before.open(RoomRequest("Ana", 1, house="1;classic;turn_ms=20000"))
    before.close()
    last_us = log.read(room.table.log.game)[-1].at_us
    early = ManualClock(clock.now_us() - back_s * 1_000_000)
    table = (here(await RoomRegistry(log, early).find(code_of(room.table.room)))).table  # type: ignore[union-attr]
    times = list[int]()
    effects: list[Effect] = []
    for _ in range(2):
        early.advance(5_000_000)
        effects += table.record([Listed(True)], early.now_us())
    effects += table.start(early.now_us())
    for effect in effects:
        times += [entry.at_us for entry in getattr(effect, "entries", ())]
    assert [times[0] - last_us, times[1] - times[0]] == [max(0, 5 - back_s) * 1_000_000, 5_000_000]
    assert times == sorted(times)


def test_restored_tables_share_equal_rules() -> None:
    one, other = (at_table("Ana: 9S 2C | Bo: 9H 3H", turn_ms=4321).table for _ in range(2))
    assert one.game
    assert other.game
    assert one.state.rules is one.game.rules is other.state.rules is other.game.rules
