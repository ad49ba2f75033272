"""The daily deal: one date, one deal, for everybody."""

from __future__ import annotations

from typing import Any

import pytest

from ratscrew.cards import PACK, Hand
from ratscrew.errors import RulesError
from ratscrew.log.memory import MemoryLog
from ratscrew.rules.presets import house
from ratscrew.table.record.entries import Entry, LaidOut
from ratscrew.table.registry.daily_deal import daily_deal
from ratscrew.table.registry.room_registry import RoomRegistry, RoomRequest
from ratscrew.table.room.room import Room
from ratscrew.testing.clock import ManualClock, on_manual_clock

NOON_US = 1_795_608_000 * 1_000_000
"""2026-11-25, 12:00 UTC: 20,782 days after 1970-01-01 and twelve hours."""

TODAY, YESTERDAY, TOMORROW, LATER = "2026-11-25", "2026-11-24", "2026-11-26", "2026-11-27"


def opened(registry: RoomRegistry, day: str, **more: Any) -> Room:
    return registry.open(RoomRequest("Ana", 5, "sharp", "1;sprint")._replace(daily=day, **more))


def hands(room: Room) -> tuple[Hand, ...]:
    assert room.table.game
    return room.table.game.hands


@on_manual_clock
async def test_everybody_gets_the_same_cards_on_one_date_whatever_else_they_ask_for(clock: ManualClock) -> None:
    clock.advance(NOON_US - clock.now_us())
    one, other = RoomRegistry(MemoryLog(), clock), RoomRegistry(MemoryLog(), clock)
    first, second = opened(one, TODAY), opened(other, TODAY, bots=1, nonce="0" * 32)
    assert hands(first) == hands(second)
    assert sorted(card for hand in hands(first) for card in hand) == sorted(PACK)
    assert hands(opened(one, TOMORROW)) != hands(first) != hands(opened(one, YESTERDAY))
    for room in (first, second):
        assert [seat.bot_level for seat in room.table.seats] == [None, "steady", "steady"]
        assert room.table.state.rules == house()


@on_manual_clock
async def test_only_a_date_on_which_somebody_lives_now_has_a_deal(clock: ManualClock) -> None:
    clock.advance(NOON_US - clock.now_us())
    registry = RoomRegistry(MemoryLog(), clock)
    for day in (LATER, "2026-11-23", "2026-02-31", "1970-01-01"):
        with pytest.raises(RulesError, match="clock"):
            opened(registry, day)
    assert len(registry) == 0


@on_manual_clock
async def test_the_log_says_that_the_cards_were_laid_out(clock: ManualClock) -> None:
    clock.advance(NOON_US - clock.now_us())
    log = MemoryLog[Entry]()
    room = opened(RoomRegistry(log, clock), TODAY)
    assert LaidOut() in [entry.event for entry in log.read(room.table.log.game)]


def test_the_next_game_of_the_room_is_shuffled() -> None:
    lay = daily_deal(TODAY)
    assert lay(house(), 3) is not None
    assert lay(house(), 3) is None
