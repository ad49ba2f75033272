"""A callback, a subscriber or a table that fails: the defined thing happens, and nothing waits for ever."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import Future

import pytest

from ratscrew.errors import LogError
from ratscrew.log.memory import MemoryLog
from ratscrew.table.record import requests
from ratscrew.table.record.entries import Entry
from ratscrew.table.record.messages import Message
from ratscrew.table.room import delivery
from ratscrew.table.room.delivery import CommitQueue, DelayedDelivery
from ratscrew.testing.clock import ManualClock, on_manual_clock
from tests.table.people import Person, SlowLog, pass_ms, settle, two


class Broken(Exception):
    """An unexpected error."""


def broken(*_: object, **__: object) -> None:
    """A callback that fails."""
    raise Broken


class Deaf(Person):
    """A subscriber whose `send` fails once it is `deaf`."""

    deaf = False

    def hear(self, message: Message) -> None:
        """See `Person`."""
        if self.deaf:
            raise Broken
        super().hear(message)

    def disconnect(self, why: str) -> None:
        """See `Subscriber`."""
        super().disconnect(why)
        if self.deaf:
            raise Broken


def new_queue() -> tuple[CommitQueue, list[Exception], list[str], Callable[[str], Callable[[], None]]]:
    """A queue, the errors that it failed with, what it did, and how to put something in."""
    errors: list[Exception] = []
    said: list[str] = []
    return CommitQueue(asyncio.get_running_loop(), errors.append), errors, said, lambda text: lambda: said.append(text)


# The queue


@on_manual_clock
async def test_a_callback_that_fails_ends_the_queue_and_says_so_once(clock: ManualClock) -> None:
    some, errors, said, say = new_queue()
    kept: Future[int] = Future()
    some.put(say("first"), kept)
    some.put(broken)
    some.put(say("never"))
    kept.set_result(1)
    await settle()
    assert (said, [type(error) for error in errors]) == (["first"], [Broken])
    some.put(say("later"))
    some.put(broken)
    assert (said, len(errors)) == (["first"], 1)
    with pytest.raises(LogError):
        await some.stored()


@on_manual_clock
async def test_an_append_that_is_cancelled_ends_the_queue(clock: ManualClock) -> None:
    some, errors, said, say = new_queue()
    kept: Future[int] = Future()
    some.put(say("never"), kept)
    kept.cancel()
    await settle()
    assert (said, len(errors)) == ([], 1)


@on_manual_clock
async def test_a_log_that_is_too_slow_ends_the_queue(clock: ManualClock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(delivery, "COMMITS_MOST", 10)
    some, errors, _, say = new_queue()
    some.put(say("never"), Future())
    for _ in range(9):
        some.put(say("never"))
    assert errors == []
    some.put(say("never"))
    assert [type(error) for error in errors] == [LogError]


# Delayed delivery


@on_manual_clock
async def test_post_that_fails_says_so_once_and_nothing_else_leaves(clock: ManualClock) -> None:
    errors: list[Exception] = []
    said: list[int] = []
    mail = DelayedDelivery(clock, asyncio.get_running_loop(), errors.append)
    at_us = clock.now_us() + 100_000
    mail.put(lambda: said.append(1), at_us)
    mail.put(broken)
    mail.put(lambda: said.append(2))
    await pass_ms(200)
    mail.put(lambda: said.append(3))
    assert (said, [type(error) for error in errors]) == ([1], [Broken])


@on_manual_clock
async def test_only_so_much_waits_for_its_moment(clock: ManualClock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(delivery, "DELAYED_MOST", 10)
    errors: list[Exception] = []
    said: list[int] = []
    mail = DelayedDelivery(clock, asyncio.get_running_loop(), errors.append)
    for number in range(12):
        mail.put(lambda number=number: said.append(number), clock.now_us() + 100_000)  # type: ignore[misc]
    await pass_ms(200)
    assert (said, len(errors)) == ([], 1)


# A room


@on_manual_clock
async def test_a_guest_who_cannot_be_told_goes_alone_and_the_rest_goes_on(
    clock: ManualClock, caplog: pytest.LogCaptureFixture
) -> None:
    room, ana, bo = two(clock)
    room.enter(eve := Deaf(None))
    eve.deaf = True
    room.play(ana, 0)
    await pass_ms(500)
    assert "4: 0 turns 9S" in ana.events()
    assert (eve.now()[-1], eve in room._subscribers, room.closed) == ("leave: restart", False, False)
    assert any("a client is disconnected" in record.getMessage() for record in caplog.records)
    bo.now()
    room.request(ana, requests.ListRoom(True))
    assert len(bo.events()) == 1


@on_manual_clock
async def test_a_seat_whose_page_cannot_be_told_is_left(clock: ManualClock) -> None:
    room, _, _ = two(clock)
    room.enter(again := Deaf(0))
    assert room.table.seats[0].here
    again.deaf = True
    room.request(again, requests.ListRoom(True))
    assert (room.table.seats[0].here, room.closed) == (False, False)


@on_manual_clock
async def test_a_page_that_cannot_even_be_shown_the_room_leaves_nothing(clock: ManualClock) -> None:
    log = SlowLog()
    room, ana, _ = two(clock, log)
    room.request(ana, requests.ListRoom(True))
    eve = Deaf(None)
    eve.send_snapshot = broken  # type: ignore[method-assign]
    room.enter(eve)
    await log.keep_now()
    assert (eve in room._subscribers, room.closed) == (False, False)
    assert len(ana.events()) == 1


@pytest.mark.parametrize("name", ["tick", "play"])
@on_manual_clock
async def test_a_table_that_fails_closes_its_room_as_unkept(
    clock: ManualClock, name: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """By its timer, or by a request; after that nothing is written any more."""
    log = SlowLog()
    room, ana, bo = two(clock, log)
    room.play(ana, 0)
    ana.now(), bo.now()
    monkeypatch.setattr(room.table, name, broken)
    room.play(ana, 0)
    await pass_ms(500)
    assert (room.closed, ana.now()[-1], bo.now()[-1]) == (True, "leave: unkept", "leave: unkept")
    assert caplog.record_tuples[-1][1:] == (logging.ERROR, "room TEST-1 is closed: its table failed")
    room.play(ana, 0)
    room.check_race()
    room.exit(ana)
    await pass_ms(5000)
    assert log.waiting == []


@on_manual_clock
async def test_a_guest_who_cannot_be_shown_out_keeps_nobody_in(clock: ManualClock) -> None:
    room, ana, bo = two(clock)
    room.enter(eve := Deaf(None))
    eve.deaf = True
    room.close()
    assert (ana.now()[-1], bo.now()[-1], room.empty) == ("leave: closed", "leave: closed", True)


@on_manual_clock
async def test_a_log_that_takes_nothing_closes_the_room(clock: ManualClock, monkeypatch: pytest.MonkeyPatch) -> None:
    log: MemoryLog[Entry] = MemoryLog()
    room, ana, _ = two(clock, log)
    monkeypatch.setattr(log, "append_soon", broken)
    room.request(ana, requests.ListRoom(True))
    assert (room.closed, ana.now()[-1]) == (True, "leave: unkept")
