"""What a server does from time to time besides serving: unloads idle rooms, notes that it is alive, renews keys."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress

from ratscrew.errors import Detached, LogError
from ratscrew.protocol.metrics_sink import MeasuredLog
from ratscrew.table.record.clock import Clock, SystemClock
from ratscrew.table.registry.room_registry import RoomRegistry
from ratscrew.table.registry.tokens import Tokens

SWEEP_EVERY_S = 60.0

LIVE_EVERY_S = 1.0
"""How often the log is checked, and notes that the server is alive while a room has something to do by itself."""

KEYS_EVERY_S = 3600.0
CLOCK_EVERY_S = 60.0

CLOCK_OFF_S = 60.0
"""A difference between the system's clock and the server's that is worth a warning."""

_logger = logging.getLogger(__name__)


class Upkeep:
    """The steps of these tasks. Each may wait, and raises LogError if the log cannot be used."""

    def __init__(self, log: MeasuredLog, clock: Clock, rooms: RoomRegistry, tokens: Tokens) -> None:
        self._log, self._clock, self._rooms, self._tokens = log, clock, rooms, tokens
        self._behind_s = 0.0

    async def sweep(self) -> None:
        """Unload rooms that have been empty for long, and note which are used."""
        self._rooms.sweep()
        await asyncio.to_thread(self._rooms.note_uses)

    async def note_alive(self) -> None:
        """Check that the log can be written, or close every room; note that the server is alive, if rooms need it."""
        try:
            await asyncio.to_thread(self._log.check)
        except Detached as error:
            if any(not room.closed for room in self._rooms):
                _logger.error("every room is closed: %s", error)
                self._rooms.fail()
            return
        if self._rooms.ticking:
            with suppress(LogError):  # players see it when an action fails, operators by the readiness check
                await asyncio.to_thread(self._rooms.note_alive)

    async def refresh_keys(self) -> None:
        """Make a new key for the tokens of seats when it is time."""
        await asyncio.to_thread(self._tokens.refresh, self._clock.now_us())

    async def watch_clock(self) -> None:
        """Warn once if the system's clock was set, or the machine slept."""
        now_s = self._clock.behind_s() if isinstance(self._clock, SystemClock) else 0
        if abs(now_s - self._behind_s) > CLOCK_OFF_S:
            self._behind_s = now_s
            _logger.warning(
                "the system's clock was set, or the machine slept: it is %+.0f s from the server's clock, which "
                "follows it at the next start",
                now_s,
            )
