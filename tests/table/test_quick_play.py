"""Quick play: how many rooms are tried for one player."""

from __future__ import annotations

import pytest

from ratscrew.log.memory import MemoryLog
from ratscrew.table.registry.room_registry import QUICK_TRIES, RoomRegistry, RoomRequest
from ratscrew.table.room.room import Room
from ratscrew.testing.clock import ManualClock, on_manual_clock


@on_manual_clock
async def test_a_person_whose_name_is_taken_in_many_rooms_gets_one_without_a_look_at_all(
    clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Anybody can open a hundred rooms that wait for strangers, with the same name in each."""
    registry = RoomRegistry(MemoryLog(), clock)
    opened = {registry.open(RoomRequest("Eve", 0, wait=True, listed=True, fill=True)).table.room for _ in range(100)}
    tried, join = list[Room](), RoomRegistry.join

    def counted(self: RoomRegistry, room: Room, *more: object) -> int:
        tried.append(room)
        return join(self, room, *more)  # type: ignore[arg-type]

    monkeypatch.setattr(RoomRegistry, "join", counted)
    room, _ = registry.quick("Eve")
    assert room.table.room not in opened
    assert len(tried) == QUICK_TRIES
    shared, _ = registry.quick("Ben")
    assert shared.table.room in opened
