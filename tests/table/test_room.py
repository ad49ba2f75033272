"""The room: it tells people only what the log has, in order, and shows who comes back what he has missed."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from ratscrew.errors import Conflict, LogError, Why
from ratscrew.game.codec import Codec
from ratscrew.log.memory import MemoryLog
from ratscrew.log.sqlite import SqliteLog
from ratscrew.table import room as room_module
from ratscrew.table.message import Clock, Message, Presence, Refused, Told, Turning
from ratscrew.table.record import Entry
from ratscrew.table.room import Room, Scene
from ratscrew.testing.clock import ManualClock, on_manual_clock
from tests.table.driver import Live, at_table, new_table, say


@dataclass
class Person:
    """A guest with a memory."""

    seat: int | None
    rtt_us: int = 0
    got: list[Any] = field(default_factory=list)

    def scene(self, scene: Scene) -> None:
        """See `Guest`."""
        self.got.append(scene)

    def missed(self, scene: Scene, events: Iterable[Told]) -> None:
        """See `Guest`."""
        self.got.append(("missed", scene.version, list(events)))

    def hear(self, message: Message) -> None:
        """See `Guest`."""
        self.got.append(message)

    def leave(self, why: str) -> None:
        """See `Guest`."""
        self.got.append(f"leave: {why}")

    def now(self) -> list[Any]:
        """What has come since the last look."""
        got, self.got = self.got, []
        return got

    def events(self) -> list[str]:
        """The events among what has come since the last look, numbered, in words."""
        return [numbered(some) for some in self.now() if isinstance(some, Told)]


def numbered(some: Told) -> str:
    """An event in words, with its number."""
    return f"{some.v}: {say(some.e)}"  # type: ignore[arg-type]


class SlowLog(MemoryLog[Entry]):
    """A log that keeps what it is given when it is told to."""

    def __init__(self) -> None:
        super().__init__()
        self.waiting: list[tuple[Future[int], str, int, Sequence[Entry]]] = []

    def append_soon(self, game: str, after: int, events: Sequence[Entry]) -> Future[int]:
        """See `EventLog`; done later, by hand."""
        done: Future[int] = Future()
        self.waiting.append((done, game, after, events))
        return done

    async def keep_now(self, which: int = 0, count: int = 1) -> None:
        """Keep the append that waits there, and as many as asked for."""
        for _ in range(count):
            done, game, after, events = self.waiting.pop(which)
            done.set_result(after + len(events) if which else self.append(game, after, events))
        await settle()

    async def fail_now(self, error: LogError) -> None:
        """Refuse the append that has waited longest."""
        self.waiting.pop(0)[0].set_exception(error)
        await settle()


async def settle() -> None:
    """Let the loop do what is at hand; no time passes."""
    for _ in range(5):
        await asyncio.sleep(0)


async def pass_ms(ms: float) -> None:
    """Let time pass on the manual clock."""
    await asyncio.sleep(ms / 1000)


HANDS = "Ana: 9S 2C 4H 6D | Bo: TH 3H 5H 7D"


def room_of(live: Live, log: MemoryLog[Entry], clock: ManualClock) -> Room:
    """A room around a table that has a log already."""
    MemoryLog.append(log, live.table.id, 0, live.entries)
    return Room(live.table, log, clock)


def two(clock: ManualClock, log: MemoryLog[Entry] | None = None, hands: str = HANDS) -> tuple[Room, Person, Person]:
    """A room with two people who have been shown everything."""
    room = room_of(at_table(hands, here=[]), MemoryLog() if log is None else log, clock)
    ana, bo = Person(0), Person(1)
    for person in (ana, bo):
        room.enter(person)
    ana.now(), bo.now()
    return room, ana, bo


# Nobody is told what is not kept


@on_manual_clock
async def test_an_event_is_told_when_the_log_has_it_and_no_sooner(clock: ManualClock) -> None:
    log = SlowLog()
    room, ana, bo = two(clock, log)
    room.play(ana, 0)
    assert ana.now() == bo.now() == [Turning(0)]  # a card in the air is no event: it can go back
    await pass_ms(2000)
    assert (ana.now(), len(log.waiting)) == ([], 1)
    await log.keep_now()
    assert bo.events() == ["4: 0 turns 9S"]
    assert [type(some) for some in ana.now()] == [Told, Clock]


@on_manual_clock
async def test_what_follows_an_event_waits_behind_it(clock: ManualClock) -> None:
    log = SlowLog()
    room, ana, bo = two(clock, log)
    room.play(ana, 0)
    await pass_ms(500)
    ana.now(), bo.now()
    room.play(bo, 0)  # he cannot have seen card 1: the log has not got it
    room.exit(ana)
    assert (ana.now(), bo.now()) == ([], [])
    await log.keep_now()
    assert [type(some).__name__ for some in bo.now()] == ["Told", "Clock", "Refused", "Presence"]


@on_manual_clock
async def test_events_are_told_in_their_order_even_if_the_log_answers_out_of_order(clock: ManualClock) -> None:
    log = SlowLog()
    room, ana, bo = two(clock, log)
    room.play(ana, 0)
    await pass_ms(500)
    room.play(bo, 1)
    await pass_ms(500)
    ana.now()
    await log.keep_now(which=1)
    assert ana.now() == []
    await log.keep_now()
    assert ana.events() == ["4: 0 turns 9S", "5: 1 turns TH"]


@on_manual_clock
async def test_who_enters_is_shown_only_what_is_kept(clock: ManualClock) -> None:
    """The card lies on the table, but not in the log yet: a watcher is shown nothing at all until it does."""
    log = SlowLog()
    room, ana, _ = two(clock, log)
    room.play(ana, 0)
    await pass_ms(500)
    watcher = Person(None)
    room.enter(watcher)
    assert watcher.now() == []
    await log.keep_now()
    (scene,) = watcher.now()
    assert (scene.version, scene.game, str(scene.view.pile[0])) == (4, "TEST-1-1", "9S")


@on_manual_clock
async def test_who_enters_is_told_each_later_event_once(clock: ManualClock) -> None:
    """One event before him, one while he waits for his scene, one after it: he is shown the first, told the others."""
    log = SlowLog()
    room, ana, bo = two(clock, log)
    room.play(ana, 0)
    await pass_ms(500)
    watcher = Person(None)
    room.enter(watcher)
    room.play(bo, 1)
    await pass_ms(500)
    await log.keep_now(count=2)
    scene, *others = watcher.now()
    assert scene.version == 4
    assert [numbered(some) for some in others if isinstance(some, Told)] == ["5: 1 turns TH"]
    room.play(ana, 2)
    await pass_ms(500)
    await log.keep_now()
    assert watcher.events() == ["6: 0 turns 2C"]


@on_manual_clock
async def test_the_deal_of_a_new_room_is_shown_when_it_is_kept(clock: ManualClock) -> None:
    log, table, ana = SlowLog(), new_table(), Person(0)
    table.sit("Ana"), table.sit("Thoth", "sharp")
    room = Room(table, log, clock)
    room.start()
    room.enter(ana)
    assert ana.now() == []
    await log.keep_now()
    scene = ana.now()[0]
    assert (scene.version, scene.view.held) == (3, (26, 26))


# The log fails


@pytest.mark.parametrize("error", [LogError("the disk is full"), Conflict("append after 3, but the last entry is 9")])
@on_manual_clock
async def test_a_room_whose_log_fails_is_closed_and_says_so(
    clock: ManualClock, error: LogError, caplog: pytest.LogCaptureFixture
) -> None:
    log = SlowLog()
    room, ana, bo = two(clock, log)
    room.play(ana, 0)
    await pass_ms(500)
    ana.now(), bo.now()
    await log.fail_now(error)
    assert (room.closed, room.empty) == (True, True)
    assert ana.now() == bo.now() == ["leave: closed"]
    assert caplog.record_tuples[-1][1:] == (logging.ERROR, f"room TEST-1 is closed: its log failed: {error}")


@on_manual_clock
async def test_who_was_at_the_door_of_a_room_that_closes_is_told_too(clock: ManualClock) -> None:
    log = SlowLog()
    room, ana, _ = two(clock, log)
    room.play(ana, 0)
    await pass_ms(500)
    room.enter(watcher := Person(None))
    await log.fail_now(LogError("the disk is full"))
    assert watcher.now() == ["leave: closed"]


@on_manual_clock
async def test_who_comes_to_a_closed_room_is_told_too(clock: ManualClock) -> None:
    room, _, _ = two(clock)
    room.close()
    room.enter(watcher := Person(None))
    assert watcher.now() == ["leave: closed"]


@on_manual_clock
async def test_in_a_closed_room_nothing_is_said_or_done_any_more(clock: ManualClock) -> None:
    log = SlowLog()
    room, ana, bo = two(clock, log)
    room.play(ana, 0)
    await pass_ms(500)
    await log.fail_now(LogError("no"))
    ana.now(), bo.now()
    waiting = len(log.waiting)
    await pass_ms(60_000)
    room.exit(ana)
    assert (ana.now(), bo.now(), len(log.waiting)) == ([], [], waiting)


@on_manual_clock
async def test_close_shows_everybody_out(clock: ManualClock) -> None:
    room, ana, bo = two(clock)
    room.close("restart")
    assert ana.now() == bo.now() == ["leave: restart"]
    assert room.closed
    await pass_ms(60_000)
    assert ana.now() == []


def test_what_the_log_keeps_after_the_server_has_stopped_is_no_error(caplog: pytest.LogCaptureFixture) -> None:
    """A stop in the middle of an append: the loop is gone when the log answers."""
    log = SlowLog()

    @on_manual_clock
    async def story(clock: ManualClock) -> None:
        room, ana, _ = two(clock, log)
        room.play(ana, 0)
        await pass_ms(500)
        room.close("restart")

    story()
    log.waiting[0][0].set_result(4)
    assert caplog.record_tuples == []


# Coming back


async def five_cards(clock: ManualClock) -> tuple[Room, Person, Person]:
    """A room in which five cards were turned: version 8."""
    room, ana, bo = two(clock)
    for n in range(5):
        room.play((ana, bo)[n % 2], n)
        await pass_ms(500)
    return room, ana, bo


@pytest.mark.parametrize("version", [4, 5, 7, 8])
@on_manual_clock
async def test_who_comes_back_is_told_exactly_the_events_after_what_he_has(clock: ManualClock, version: int) -> None:
    room, ana, bo = await five_cards(clock)
    room.exit(ana)
    heard = [some for some in bo.now() if isinstance(some, Told)]
    room.enter(back := Person(0), "TEST-1-1", version)
    assert back.now()[0] == ("missed", 8, [some for some in heard if some.v > version])
    room.play(bo, 5)
    await pass_ms(500)
    assert back.events() == ["9: 1 turns 5H"]


@pytest.mark.parametrize(
    ("game", "version"), [(None, 0), ("TEST-1-2", 8), ("TEST-1-1", 9), ("TEST-1-1", -1), ("TEST-1-1", 10**18), ("", 8)]
)
@on_manual_clock
async def test_who_has_seen_something_else_is_shown_everything(clock: ManualClock, game: str, version: int) -> None:
    room, _, _ = await five_cards(clock)
    room.enter(back := Person(None), game, version)
    (scene,) = back.now()
    assert (scene.game, scene.version, len(scene.view.pile)) == ("TEST-1-1", 8, 5)


@on_manual_clock
async def test_who_has_missed_more_than_is_at_hand_is_shown_everything(
    clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(room_module, "REMEMBERED", 3)
    room, _, _ = await five_cards(clock)
    for version in (5, 4):
        room.enter(back := Person(None), "TEST-1-1", version)
        (first,) = back.now()
        assert isinstance(first, Scene) == (version == 4)


@on_manual_clock
async def test_a_room_taken_up_from_its_log_has_the_rest_for_who_has_it_all(clock: ManualClock) -> None:
    room = room_of(at_table(HANDS, here=[]), MemoryLog(), clock)
    room.enter(knows := Person(None), "TEST-1-1", 3)
    room.enter(knows_less := Person(None), "TEST-1-1", 2)
    assert knows.now() == [("missed", 3, [])]
    assert isinstance(knows_less.now()[0], Scene)


@on_manual_clock
async def test_events_of_the_last_game_are_not_told_in_the_new_one(clock: ManualClock) -> None:
    room, ana, bo = two(clock, hands="Ana: 9S | Bo: 9H")
    room.play(ana, 0)
    await pass_ms(500)
    room.play(bo, 1)
    await pass_ms(500)
    room.slap(bo, 2, clock.now_us(), 0, 0)
    assert bo.events()[-1].endswith("1 wins")
    room.again(ana)
    room.enter(back := Person(None), "TEST-1-1", 5)
    assert isinstance(back.now()[0], Scene)
    room.enter(back, "TEST-1-2", -1)
    assert isinstance(back.now()[0], Scene)
    room.enter(back, "TEST-1-2", 1)
    missed = back.now()[0]
    assert [some.v for some in missed[2]] == [2, 3]


# Another game


@on_manual_clock
async def test_everybody_is_shown_another_game(clock: ManualClock) -> None:
    room, ana, bo = two(clock, hands="Ana: 9S | Bo: 9H")
    room.enter(watcher := Person(None))
    room.again(ana)
    assert ana.now()[-1] == Refused("again", Why.NOT_OVER)
    room.play(ana, 0)
    await pass_ms(500)
    room.play(bo, 1)
    await pass_ms(500)
    room.slap(ana, 2, clock.now_us(), 0, 0)
    ana.now(), bo.now(), watcher.now()
    room.again(bo)
    for person in (ana, bo, watcher):
        scene, *others = person.now()
        assert not any(isinstance(other, Told) for other in others)
        assert (scene.game, scene.version, scene.view.held, scene.view.n) == ("TEST-1-2", 3, (26, 26), 0)


@on_manual_clock
async def test_another_game_is_shown_when_the_log_has_it(clock: ManualClock) -> None:
    log = SlowLog()
    room, ana, bo = two(clock, log, hands="Ana: 9S | Bo: 9H")
    for person, n in ((ana, 0), (bo, 1)):
        room.play(person, n)
        await pass_ms(500)
    room.slap(ana, 2, clock.now_us(), 0, 0)
    await log.keep_now(count=3)
    ana.now()
    room.again(bo)
    room.enter(watcher := Person(None))
    assert (ana.now(), watcher.now()) == ([], [])
    await log.keep_now()
    assert [some.game for some in (*ana.now(), *watcher.now()) if isinstance(some, Scene)] == ["TEST-1-2"] * 2


# Seats


@on_manual_clock
async def test_a_second_guest_in_a_seat_sends_the_first_away(clock: ManualClock) -> None:
    room, ana, bo = two(clock)
    room.enter(other := Person(0))
    assert ana.now()[-1] == "leave: elsewhere"
    room.exit(ana)  # his connection ends a moment later
    room.play(other, 0)
    await pass_ms(500)
    assert ana.now() == []
    assert other.events() == bo.events() == ["4: 0 turns 9S"]
    assert room.table.seats[0].here


@on_manual_clock
async def test_watchers_do_not_send_each_other_away(clock: ManualClock) -> None:
    room, ana, _ = two(clock)
    room.enter(one := Person(None))
    room.enter(two_ := Person(None))
    room.play(ana, 0)
    await pass_ms(500)
    assert one.events() == two_.events() == ["4: 0 turns 9S"]


@on_manual_clock
async def test_who_comes_back_while_the_log_is_slow_is_here(clock: ManualClock) -> None:
    """His page is loaded anew while an event waits for the log: the old connection's end must not undo the new one."""
    log = SlowLog()
    room, ana, bo = two(clock, log)
    room.play(ana, 0)
    await pass_ms(500)
    room.exit(ana)
    room.enter(Person(0), "TEST-1-1", 3)
    await log.keep_now()
    assert room.table.seats[0].here
    assert [some.here for some in bo.now() if isinstance(some, Presence)][-1]


@on_manual_clock
async def test_who_goes_before_he_was_shown_anything_is_gone(clock: ManualClock) -> None:
    log = SlowLog()
    room, ana, _ = two(clock, log)
    room.play(ana, 0)
    await pass_ms(500)
    room.exit(ana)
    room.enter(back := Person(0))
    room.exit(back)
    await log.keep_now()
    assert not room.table.seats[0].here


@on_manual_clock
async def test_watchers_see_everything_and_may_do_nothing(clock: ManualClock) -> None:
    room, ana, bo = two(clock)
    room.enter(watcher := Person(None))
    watcher.now()
    room.play(watcher, 0)
    room.slap(watcher, 0, clock.now_us(), 0, 0)
    room.again(watcher)
    assert watcher.now() == [Refused(what, "not_playing") for what in ("play", "slap", "again")]
    assert (ana.now(), bo.now()) == ([], [])
    room.play(ana, 0)
    await pass_ms(500)
    room.slap(bo, 1, clock.now_us(), 0, 0)
    assert watcher.now() == ana.now()


@on_manual_clock
async def test_an_answer_to_one_is_not_heard_by_others(clock: ManualClock) -> None:
    room, ana, bo = two(clock)
    room.play(bo, 0)
    assert (ana.now(), bo.now()) == ([], [Refused("play", "not_your_turn")])


@on_manual_clock
async def test_it_is_told_who_comes_and_goes(clock: ManualClock) -> None:
    room, ana, bo = two(clock)
    room.exit(bo)
    assert ana.now() == [Presence(1, False)]
    room.enter(Person(1))
    assert ana.now() == [Presence(1, True)]
    room.enter(watcher := Person(None))
    room.exit(watcher)
    assert ana.now() == []
    assert [seat.here for seat in room.table.seats] == [True, True]


@on_manual_clock
async def test_a_room_is_empty_when_the_last_has_left_and_remembers_when(clock: ManualClock) -> None:
    room, ana, bo = two(clock)
    room.enter(watcher := Person(None))
    for person in (ana, bo):
        room.exit(person)
    assert not room.empty
    await pass_ms(1000)
    room.exit(watcher)
    assert room.empty
    assert room.quiet_since_us == clock.now_us()


# Time


@on_manual_clock
async def test_the_room_wakes_its_table_by_itself(clock: ManualClock) -> None:
    room, ana, _ = two(clock)
    await pass_ms(8000 + 160 + 8000 + 159)
    assert ana.events() == ["4: 0 turns 9S"]
    await pass_ms(2)
    assert ana.events() == ["5: 1 turns TH"]
    assert room.table.version == 5


@on_manual_clock
async def test_an_empty_room_rests(clock: ManualClock) -> None:
    room, ana, bo = two(clock)
    for person in (ana, bo):
        room.exit(person)
    await pass_ms(3_600_000)
    assert room.table.version == 3
    room.enter(Person(0))
    await pass_ms(8200)
    assert room.table.version == 4


@on_manual_clock
async def test_a_slap_is_judged_by_when_it_arrived_and_by_the_round_trip_of_its_connection(clock: ManualClock) -> None:
    room, ana, bo = two(clock, hands="Ana: 9S 2C | Bo: 9H 3H")
    room.play(ana, 0)
    await pass_ms(500)
    room.play(bo, 1)
    await pass_ms(500)
    shown = clock.now_us()
    await pass_ms(470)
    bo.rtt_us = 100_000
    room.slap(bo, 2, shown + 460_000, 1, 2)
    await pass_ms(1000)
    assert "6: double on 2: 1 410" in ana.events()


@on_manual_clock
async def test_the_verdict_waits_for_a_far_guest_who_has_done_nothing_yet(clock: ManualClock) -> None:
    """Ana, 300 away, has only looked on since she came; her 380 arrive at 530, Bo's 400 at 400."""
    room, ana, bo = two(clock, hands="Ana: 9S 2C | Bo: 9H 3H")
    room.play(ana, 0)
    await pass_ms(500)
    room.play(bo, 1)
    await pass_ms(500)
    room.exit(ana)
    room.enter(ana := Person(0))
    ana.rtt_us = 300_000  # as the pings of her new connection have found
    shown = clock.now_us()
    await pass_ms(400)
    room.slap(bo, 2, shown + 400_000, 0, 0)
    await pass_ms(130)
    room.slap(ana, 2, shown + 530_000, 0, 0)
    await pass_ms(1000)
    assert "6: double on 2: 0 380, 1 400" in bo.events()


# A log in a file


async def test_a_log_that_answers_from_another_thread_is_waited_for(tmp_path: Path) -> None:
    """On a loop in real time, since a thread keeps its own; the first event comes as soon as the file has it."""
    log = SqliteLog(tmp_path / "log.sqlite3", Codec[Entry](Entry))
    shown = asyncio.get_running_loop().create_future()

    class Waiting(Person):
        def scene(self, scene: Scene) -> None:
            shown.set_result((scene.version, len(log.read(scene.game))))

    table = new_table()
    table.sit("Ana"), table.sit("Thoth", "sharp")
    room = Room(table, log, ManualClock(1))
    room.start()
    room.enter(Waiting(0))
    assert not shown.done()
    async with asyncio.timeout(20):
        version, kept = await shown
    assert version == kept == 3
    room.close()
    log.close()
