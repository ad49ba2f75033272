"""The room: it sends only what the log has, in order, and closes when the log fails."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from ratscrew.errors import Conflict, LogError
from ratscrew.game.codec import Codec
from ratscrew.game.events import Fouled
from ratscrew.log.sqlite import SqliteLog
from ratscrew.table.record import requests
from ratscrew.table.record.entries import Entry
from ratscrew.table.record.messages import Countdown, EventMessage, Turning
from ratscrew.table.room.room import Room
from ratscrew.table.room.subscriber import TableSnapshot
from ratscrew.table.session.slap_measurement import Press
from ratscrew.table.session.slap_tracker import FLAT
from ratscrew.testing.clock import ManualClock, on_manual_clock
from tests.table.driver import new_table
from tests.table.people import Person, SlowLog, numbered, pass_ms, two

# Nothing is sent that is not stored


@on_manual_clock
async def test_an_event_is_told_when_the_log_has_it_and_no_sooner(clock: ManualClock) -> None:
    log = SlowLog()
    room, ana, bo = two(clock, log)
    room.play(ana, 0)
    assert ana.now() == bo.now() == [Turning(0)]  # a card on its way is no event: it can go back
    await pass_ms(1000)
    assert (ana.now(), len(log.waiting)) == ([], 1)
    await log.keep_now()
    assert bo.events() == ["4: 0 turns 9S"]
    assert [type(some) for some in ana.now()] == [EventMessage, Countdown]


@on_manual_clock
async def test_what_follows_an_event_waits_behind_it(clock: ManualClock) -> None:
    log = SlowLog()
    room, ana, bo = two(clock, log)
    room.play(ana, 0)
    await pass_ms(500)
    ana.now(), bo.now()
    room.play(bo, 0)  # Bo cannot have seen card 1: the log does not have it
    room.exit(ana)
    assert (ana.now(), bo.now()) == ([], [])
    await log.keep_now()
    assert [type(some).__name__ for some in bo.now()] == ["EventMessage", "Countdown", "Refused", "Presence"]


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
    """The card is on the table, but not in the log yet: a watcher gets nothing at all until it is."""
    log = SlowLog()
    room, ana, _ = two(clock, log)
    room.play(ana, 0)
    await pass_ms(500)
    watcher = Person(None)
    room.enter(watcher)
    assert watcher.now() == []
    await log.keep_now()
    (scene,) = watcher.now()
    assert (scene.version, scene.game, str(scene.view.pile[0].card)) == (4, "TEST-1-1", "9S")


@on_manual_clock
async def test_who_enters_is_told_each_later_event_once(clock: ManualClock) -> None:
    """One event before a client comes, one while it waits for its snapshot, one after: the snapshot has the first."""
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
    assert [numbered(some) for some in others if isinstance(some, EventMessage)] == ["5: 1 turns TH"]
    room.play(ana, 2)
    await pass_ms(500)
    await log.keep_now()
    assert watcher.events() == ["6: 0 turns 2C"]


@on_manual_clock
async def test_the_deal_of_a_new_room_is_shown_when_it_is_kept(clock: ManualClock) -> None:
    log, table, ana = SlowLog(), new_table(), Person(0)
    table.add_seat("Ana"), table.add_seat("Thoth", "sharp")
    room = Room(table, log, clock)
    room.start()
    room.enter(ana)
    assert ana.now() == []
    await log.keep_now()
    scene = ana.now()[0]
    assert (scene.version, scene.view.cards_held) == (5, (26, 26))


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
    assert ana.now() == bo.now() == ["leave: unkept"]
    assert caplog.record_tuples[-1][1:] == (logging.ERROR, f"room TEST-1 is closed: its log failed: {error}")


@on_manual_clock
async def test_who_was_at_the_door_of_a_room_that_closes_is_told_too(clock: ManualClock) -> None:
    log = SlowLog()
    room, ana, _ = two(clock, log)
    room.play(ana, 0)
    await pass_ms(500)
    room.enter(watcher := Person(None))
    await log.fail_now(LogError("the disk is full"))
    assert watcher.now() == ["leave: unkept"]


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


# Time


@on_manual_clock
async def test_the_room_wakes_its_table_by_itself(clock: ManualClock) -> None:
    """A page that is near is sent a card 23 ms before its moment."""
    room, ana, _ = two(clock)
    ana.far(clock, 0)
    await pass_ms(8000 + 160 + 8000 + 136)
    assert ana.events() == ["4: 0 turns 9S"]
    await pass_ms(2)
    assert ana.events() == ["5: 1 turns TH"]
    assert room.table.state.version == 5


@on_manual_clock
async def test_a_table_that_is_woken_too_early_is_woken_again(
    clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    until_s = clock.until_s
    monkeypatch.setattr(clock, "until_s", lambda at_us: 0.9 * until_s(at_us))
    _, ana, _ = two(clock)
    await pass_ms(8000 + 160 + 1)
    assert ana.events() == ["4: 0 turns 9S"]


@on_manual_clock
async def test_an_empty_room_rests(clock: ManualClock) -> None:
    room, ana, bo = two(clock)
    for person in (ana, bo):
        room.exit(person)
    await pass_ms(3_600_000)
    assert room.table.state.version == 3
    room.enter(Person(0))
    await pass_ms(8200)
    assert room.table.state.version == 4


@on_manual_clock
async def test_a_slap_is_judged_by_when_it_arrived_and_by_the_round_trip_of_its_connection(clock: ManualClock) -> None:
    room, ana, bo = two(clock, hands="Ana: 9S 2C | Bo: 9H 3H")
    bo.far(clock, 100)
    room.play(ana, 0)
    await pass_ms(500)
    room.play(bo, 1)
    await pass_ms(500)
    shown = room.table.seen_us
    await pass_ms(470)
    room.slap(bo, 2, Press(shown + 460_000), FLAT)
    await pass_ms(1000)
    assert "6: double on 2: 1 410" in ana.events()


@on_manual_clock
async def test_the_times_of_the_log_do_not_go_back_for_a_slap_that_is_handled_late(clock: ManualClock) -> None:
    """Others are served between its arrival and its handling."""
    log = SlowLog()
    room, ana, bo = two(clock, log)
    room.play(ana, 0)
    await pass_ms(1000)
    arrived = Press(clock.now_us())
    await pass_ms(20)
    room.slap(bo, 1, Press(clock.now_us()), FLAT)
    room.slap(ana, 1, arrived, FLAT)
    fouls = [entry for _, _, _, entries in log.waiting for entry in entries if isinstance(entry.event, Fouled)]
    assert [entry.event.seat for entry in fouls] == [1, 0]  # type: ignore[union-attr]
    assert fouls[0].at_us == fouls[1].at_us


@on_manual_clock
async def test_the_verdict_waits_for_a_far_guest_who_has_done_nothing_yet(clock: ManualClock) -> None:
    """Ana, 300 away, has only watched since she came; her 380 arrive at 530, Bo's 400 at 400."""
    room, ana, bo = two(clock, hands="Ana: 9S 2C | Bo: 9H 3H")
    room.play(ana, 0)
    await pass_ms(500)
    room.play(bo, 1)
    await pass_ms(500)
    room.exit(ana)
    room.enter(ana := Person(0))
    ana.far(clock, 300)  # as the pings of her new connection have found
    shown = room.table.seen_us
    await pass_ms(400)
    room.slap(bo, 2, Press(shown + 400_000), FLAT)
    await pass_ms(130)
    room.slap(ana, 2, Press(shown + 530_000), FLAT)
    await pass_ms(1000)
    assert "6: double on 2: 0 380, 1 400" in bo.events()


# A log in a file


async def test_a_log_that_answers_from_another_thread_is_waited_for(tmp_path: Path) -> None:
    """On a loop in real time, since a thread keeps its own; the first event comes as soon as the file has it."""
    log = SqliteLog(tmp_path / "log.sqlite3", Codec[Entry](Entry))
    shown = asyncio.get_running_loop().create_future()

    class LatencyProbe(Person):
        def send_snapshot(self, snapshot: TableSnapshot) -> None:
            shown.set_result((snapshot.version, len(log.read(snapshot.game))))

    table = new_table()
    table.add_seat("Ana"), table.add_seat("Thoth", "sharp")
    room = Room(table, log, ManualClock(1))
    with closing(sqlite3.connect(tmp_path / "log.sqlite3", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")  # nothing can be kept meanwhile
        room.start()
        room.enter(LatencyProbe(0))
        assert not shown.done()
        other.execute("ROLLBACK")
    async with asyncio.timeout(20):
        version, kept = await shown
    assert version == kept == 5
    room.close()
    log.close()


@on_manual_clock
async def test_who_comes_is_not_shown_that_somebody_has_left_before_that_is_kept(clock: ManualClock) -> None:
    room, ana, bo = two(clock, log := SlowLog())
    room.request(ana, requests.ListRoom(True))
    room.enter(watcher := Person(None))
    room.request(bo, requests.Leave())
    await log.keep_now()
    (scene,) = watcher.now()
    assert not scene.seats[1].gone
