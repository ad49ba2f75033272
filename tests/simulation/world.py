"""The world of a simulation: one clock, one random generator, and what is due next. Nothing really waits.

A server in it is a `Process`: an asyncio loop that the world turns. Everything outside a server (its disk, the
network and the pages) asks the world to be called later.
"""

from __future__ import annotations

import asyncio
import heapq
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from random import Random
from typing import Any, NamedTuple
from unittest import mock

from ratscrew.table.room import room as rooms
from ratscrew.testing.clock import ManualClock

START_US = 1_000_000_000_000_000


class Broken(Exception):
    """An invariant fails."""


class Line(NamedTuple):
    """One line of a trace: the time, the part concerned, and the event."""

    at_us: int
    who: str
    what: str
    data: object

    def __str__(self) -> str:
        data = self.data.decode() if isinstance(self.data, bytes) else self.data
        return f"{(self.at_us - START_US) / 1e6:11.6f}  {self.who:<10} {self.what:<9} {data}"


class World:
    """The clock, random numbers and trace of a simulation; time jumps to what is due next."""

    def __init__(self, seed: int) -> None:
        self.clock, self.chance = ManualClock(START_US), Random(seed)
        self.processes: list[Process] = []
        self.trace: list[Line] = []
        self.broken: Broken | None = None
        self._due: list[tuple[int, int, Callable[[], None]]] = []
        self._count = 0

    @property
    def now_us(self) -> int:
        """What time it is."""
        return self.clock.now_us()

    def note(self, who: str, what: str, data: object = "") -> None:
        """Add a line to the trace."""
        self.trace.append(Line(self.now_us, who, what, data))

    def breaks(self, invariant: str) -> None:
        """Note that an invariant fails. Raised once the world is in control again, as a server might catch it."""
        if self.broken is None:
            self.note("invariant", "broken", invariant)
            self.broken = Broken(invariant)

    def later(self, us: int, do: Callable[[], None]) -> None:
        """Do this after so long."""
        self._count += 1
        heapq.heappush(self._due, (self.now_us + us, self._count, do))

    def happens(self, share: float) -> bool:
        """True with this probability."""
        return self.chance.random() < share

    def between(self, least: int, most: int) -> int:
        """A number from `least` to `most`, small ones more often than large ones."""
        return least + int((most - least) * self.chance.random() ** 3)

    def run(self, us: int, until: Callable[[], bool] = lambda: False) -> bool:
        """Let so much time pass, or less if a condition has become true. Returns whether it has.

        Raises: Broken if an invariant fails.
        """
        end_us = self.now_us + us
        while not (found := until()):
            if self.broken:
                raise self.broken
            running = [process for process in self.processes if not process.paused]
            if ready := next((process for process in running if process.ready), None):
                ready.turn()
                continue
            own_us = self._due[0][0] if self._due else end_us + 1
            theirs = [(due_us, place) for place, each in enumerate(running) if (due_us := each.due_us()) is not None]
            next_us = min([own_us, *(due_us for due_us, _ in theirs)])
            if next_us > end_us:
                self.clock.advance(end_us - self.now_us)
                break
            self.clock.advance(max(0, next_us - self.now_us))
            if next_us == own_us:
                heapq.heappop(self._due)[2]()
            else:
                running[min(theirs)[1]].turn()
        return found

    def hash(self) -> str:
        """A hash of the trace."""
        return sha256("\n".join(map(str, self.trace)).encode()).hexdigest()[:16]


class _NoSelector:
    """Replaces the loop's selector: there are no sockets."""

    def select(self, timeout: float | None) -> list[Any]:
        return []


class Process(asyncio.BaseEventLoop):
    """An event loop on the world's clock, which the world turns."""

    def __init__(self, world: World) -> None:
        super().__init__()
        self._world = world
        self._selector, self._clock_resolution = _NoSelector(), 1e-6
        self.paused, self.held = False, list[Callable[[], None]]()
        self._free_us: dict[int, int] = {}
        self.set_exception_handler(self._complain)

    @property
    def ready(self) -> bool:
        """Whether anything is due at once."""
        return bool(self._ready)  # type: ignore[attr-defined]

    @property
    def timers(self) -> list[asyncio.TimerHandle]:
        """What is due later."""
        return [timer for timer in self._scheduled if not timer.cancelled()]  # type: ignore[attr-defined]

    def due_us(self) -> int | None:
        """When the next timer is due, or a cancelled one was."""
        scheduled: list[asyncio.TimerHandle] = self._scheduled  # type: ignore[attr-defined]
        return START_US + round(scheduled[0].when() * 1e6) if scheduled else None

    def time(self) -> float:
        """Seconds since the world began."""
        return (self._world.now_us - START_US) / 1e6

    def pause(self) -> None:
        """Stop it, as SIGSTOP does: nothing runs, and the time passes."""
        self.paused = True

    def resume(self) -> None:
        """Let it run again; what has come for its threads meanwhile is done now."""
        self.paused = False
        held, self.held = self.held, []
        for do in held:
            if not self.is_closed():
                do()

    def run_in_executor(self, executor: Any, work: Callable[..., Any], *args: Any) -> Any:  # type: ignore[override]
        """Run the work of a thread here, after a moment: with threads a seed would not be reproducible.

        An executor of the product's own has one thread, so its work is done in order.
        """
        done = self.create_future()

        def do() -> None:
            try:
                answer = work(*args)
            except Exception as error:
                done.set_exception(error)
            else:
                done.set_result(answer)

        def ready() -> None:
            if self.paused:
                self.held.append(ready)
            elif not self.is_closed() and not done.cancelled():
                self.call_soon(do)

        now_us = self._world.now_us
        at_us = now_us + self._world.between(50, 3000)
        if executor is not None:
            at_us = self._free_us[id(executor)] = max(at_us, self._free_us.get(id(executor), 0) + 1)
        self._world.later(at_us - now_us, ready)
        return done

    def turn(self) -> None:
        """Run what is due."""
        with self.inside():
            self._run_once()  # type: ignore[attr-defined]

    @contextmanager
    def inside(self) -> Iterator[None]:
        """A context in which this process is the running one."""
        asyncio._set_running_loop(self)
        try:
            yield
        finally:
            asyncio._set_running_loop(None)

    def _process_events(self, events: list[Any]) -> None:
        """Does nothing: there are no sockets."""

    def _write_to_self(self) -> None:
        """Does nothing: no other thread waits."""

    def _complain(self, _: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        self._world.breaks(f"the server stumbles: {context['message']}: {context.get('exception')!r}")


@contextmanager
def chances_of(seed: int) -> Iterator[None]:
    """Make everything drawn in this process follow from the seed, secrets too."""
    before, source = random.getstate(), Random(f"secrets {seed}")
    random.seed(seed)
    try:
        with mock.patch("random._urandom", source.randbytes), mock.patch.object(rooms, "_draw", source.randrange):
            yield
    finally:
        random.setstate(before)
