"""An arena that opens by itself each hour, if the operator wants it; on many nodes only one opens it.

The node that stores the hour's first claim opens it. A claim is the arena as it begins. All nodes look again until the
arena itself is stored, too: so if its node dies before, another one takes the room over and goes on with it.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress

from ratscrew.errors import LimitExceeded, Overloaded, Refusal
from ratscrew.log.protocol import EventLog
from ratscrew.table.arenas.arena import Arena
from ratscrew.table.arenas.arena_registry import ArenaRegistry
from ratscrew.table.arenas.stored import STATE
from ratscrew.table.record.entries import Entry
from ratscrew.table.registry.placement import Elsewhere

TITLE = "Hourly arena"
"""Its stored title; pages show it in the player's language."""

EARLY_S, LASTS_S = 600, 45 * 60
"""How long before its hour it is listed, and how long it lasts from then: so the next one begins after its end."""

LEAST_S = 300
"""With less time left it is not opened any more."""

LOOK_EVERY_S = 5.0
HOUR_S = 3600
CLAIM = "arena-hourly/"
"""Under which name the log stores an hour's claim."""


class HourlyArena:
    """Opens the arena of each hour, with these rules."""

    def __init__(self, log: EventLog[Entry], arenas: ArenaRegistry, house: str) -> None:
        self._log, self._arenas, self._house = log, arenas, house
        self._hour = -1

    async def look(self) -> None:
        """Open the arena of this hour, or go on with it, if it is time. If there is no space, the next call tries.

        Raises: LogError.
        """
        now_s = self._arenas.now_s()
        hour = int(now_s + EARLY_S) // HOUR_S
        ends_s = hour * HOUR_S + LASTS_S
        if hour == self._hour or now_s > ends_s - LEAST_S:
            return
        with suppress(LimitExceeded, Overloaded, Refusal):
            if await self._is_open(await self._claimed(hour, max(now_s, hour * HOUR_S), ends_s)):
                self._hour = hour

    async def _claimed(self, hour: int, begins_s: float, ends_s: float) -> Arena:
        """The arena of an hour: the stored one, or a new one."""
        name = f"{CLAIM}{hour}/"
        stored = await asyncio.to_thread(self._log.get, CLAIM)
        if name in stored:
            return STATE.decode(stored[name])
        anchor = self._arenas.open_anchor(TITLE, self._house)
        await anchor.stored()
        mine = Arena(anchor.table.room, TITLE, self._house, begins_s, ends_s, hourly=True)
        claim = await asyncio.to_thread(self._log.get_or_create, name, lambda: STATE.encode(mine))
        for earlier in stored:
            await asyncio.to_thread(self._log.delete_prefix, earlier)
        if (found := STATE.decode(claim)).room != mine.room:  # another node was faster
            anchor.close()
        return found

    async def _is_open(self, arena: Arena) -> bool:
        """Whether a claimed arena is open; opens it if its room is here."""
        room = await self._arenas.room(arena.room)
        if isinstance(room, Elsewhere):
            return await self._arenas.is_stored(arena.room)
        if room and await self._arenas.find(room) is None:
            await self._arenas.start(arena, room).save()
        return True
