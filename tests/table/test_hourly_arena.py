"""The hourly arena: when it opens, and what a restart does."""

from __future__ import annotations

import pytest

from ratscrew.log.memory import MemoryLog
from ratscrew.table.arenas.hourly import CLAIM, HourlyArena
from ratscrew.table.record.entries import Entry
from ratscrew.table.registry.room_registry import code_of
from ratscrew.testing.clock import ManualClock, on_manual_clock
from tests.table.people import here
from tests.table.test_arena import PAW, Server


def at(clock: ManualClock, minutes: float) -> None:
    """Set the clock to so many minutes after an hour."""
    clock.advance((100 * 3600 * 1_000_000 - clock.now_us()) + round(minutes * 60e6))


async def titles(server: Server) -> list[tuple[str, float, float]]:
    """The listed arenas, with the minutes after hour 100 at which they begin and end."""
    found = await server.arenas.listed()
    return [(each.title, each.begins_s / 60 - 6000, each.ends_s / 60 - 6000) for each in found]


@on_manual_clock
async def test_each_hour_one_arena_opens_ten_minutes_early_and_ends_before_the_next_opens(clock: ManualClock) -> None:
    server = Server(MemoryLog(), clock)
    hourly = HourlyArena(server.log, server.arenas, "1;classic")
    at(clock, -10.1)
    await hourly.look()
    assert await titles(server) == []
    at(clock, -10)
    for minute in (-10, -9, 0, 20, 44):
        at(clock, minute)
        await hourly.look()
        assert await titles(server) == [("Hourly arena", 0, 45)]
    at(clock, 46)
    await hourly.look()
    assert await titles(server) == []
    at(clock, 50)
    await hourly.look()
    assert await titles(server) == [("Hourly arena", 60, 105)]
    assert len(server.log.get(CLAIM)) == 1, "earlier claims are deleted"


@pytest.mark.parametrize(("minute", "found"), [(20, [("Hourly arena", 20, 45)]), (40.1, [])])
@on_manual_clock
async def test_a_server_that_starts_within_the_hour_opens_the_rest_if_that_is_worth_it(
    clock: ManualClock, minute: float, found: list[tuple[str, float, float]]
) -> None:
    server = Server(MemoryLog(), clock)
    at(clock, minute)
    await HourlyArena(server.log, server.arenas, "1;classic").look()
    assert await titles(server) == found


@on_manual_clock
async def test_a_restart_opens_no_second_hourly_arena_and_goes_on_with_its_players(clock: ManualClock) -> None:
    log = MemoryLog[Entry]()
    server = Server(log, clock)
    at(clock, 1)
    await HourlyArena(log, server.arenas, "1;classic").look()
    (summary,) = await server.arenas.listed()
    room = here(await server.rooms.find(summary.code))
    assert room
    running = await server.arenas.find(room)
    assert running
    running.arena.join("Ana", PAW, 0)
    running.note_changed()
    await running.save()
    server.arenas.close()
    server.rooms.close()
    server = Server(log, clock)
    await HourlyArena(log, server.arenas, "1;classic").look()
    assert [(each.code, each.players) for each in await server.arenas.listed()] == [(summary.code, 1)]
    assert summary.code in [code_of(name) for name in server.arenas._running]


@on_manual_clock
async def test_an_hourly_arena_that_was_claimed_before_a_crash_is_opened_by_the_next_process(
    clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = MemoryLog[Entry]()
    server = Server(log, clock)
    at(clock, 1)
    monkeypatch.setattr(server.arenas, "start", lambda *_: pytest.fail("the server is killed here"))
    with pytest.raises(pytest.fail.Exception, match="killed"):
        await HourlyArena(log, server.arenas, "1;classic").look()
    assert await server.arenas.listed() == []
    server.rooms.close()
    server = Server(log, clock)
    await HourlyArena(log, server.arenas, "1;classic").look()
    assert await titles(server) == [("Hourly arena", 1, 45)]
