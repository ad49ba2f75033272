"""A table's asyncio shell: it wakes the table, keeps its entries, and tells people only what is kept.

Whatever a table says goes through one queue. Behind a `Store` the queue waits until the log has it, so nobody is
told of an effect that a crash could undo; who comes to the table is told how things stand through the same queue.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from typing import NamedTuple, Protocol

from ratscrew.errors import Why
from ratscrew.game.view import View, view
from ratscrew.judge.race import Claim
from ratscrew.log.protocol import EventLog
from ratscrew.rules.house import Rules
from ratscrew.rules.link import to_link
from ratscrew.table.bout import Palm
from ratscrew.table.clock import Clock as RealClock
from ratscrew.table.core import Table
from ratscrew.table.deeds import Deed
from ratscrew.table.effect import Effect, Store, Tell
from ratscrew.table.message import Asked, Clock, Message, Refused, Told
from ratscrew.table.record import Entry, told
from ratscrew.table.seat import Seat

REMEMBERED = 400
"""How many events of a game are at hand for who comes back; who has missed more is shown the table anew."""

_journal = logging.getLogger(__name__)


class Scene(NamedTuple):
    """A table as it stands, for somebody who comes to it."""

    game: str
    version: int
    seats: tuple[Seat, ...]
    house: str
    closed_us: int | None
    view: View | None
    clock: Clock | None


class Stamps(NamedTuple):
    """When a slap was: arrived by the server's clock, painted and pressed by the player's own. Unit: microseconds."""

    arrived_us: int
    painted_us: int
    pressed_us: int


class Guest(Protocol):
    """Somebody at the table, or watching it: `seat` is None for who watches. None of these calls waits."""

    seat: int | None
    rtt_us: int

    def scene(self, scene: Scene) -> None:
        """Be shown the whole table."""

    def missed(self, scene: Scene, events: Iterable[Told]) -> None:
        """Be told the events that were missed, and where things stand."""

    def hear(self, message: Message) -> None:
        """Be told something."""

    def leave(self, why: str) -> None:
        """Be shown out: there is no place here any more."""


class _Said(NamedTuple):
    """One thing in the queue: `kept` must be done before `say` may be called."""

    kept: Future[int] | None
    say: Callable[[], None]


class Room:
    """One live table with its people. All methods are for the event loop's thread."""

    def __init__(self, table: Table, log: EventLog[Entry], clock: RealClock) -> None:
        self.table = table
        self._log, self._clock = log, clock
        self._loop = asyncio.get_running_loop()
        self._guests: list[Guest] = []
        self._coming: list[Guest] = []
        self._queue: deque[_Said] = deque()
        self._lately: deque[Told] = deque(maxlen=REMEMBERED)
        self._alarm: asyncio.TimerHandle | None = None
        self._flushing = False
        self.closed = False
        self.quiet_since_us = clock.now_us()

    @property
    def empty(self) -> bool:
        """Whether nobody is here, not even to watch."""
        return not self._guests and not self._coming

    def start(self) -> None:
        """Deal the first game.

        Raises: RulesError if the house does not allow so many players.
        """
        self._carry_out(self.table.start(self._clock.now_us()))

    def open(self) -> None:
        """Let people gather before the first game."""
        self._carry_out(self.table.open(self._clock.now_us()))

    def join(self, name: str) -> int:
        """A seat for one more person.

        Raises: Refusal (room_full).
        """
        seat, effects = self.table.join(name, self._clock.now_us())
        self._carry_out(effects)
        return seat

    def enter(self, guest: Guest, game: str | None = None, version: int = 0) -> None:
        """Somebody comes, having seen `game` up to `version`; another guest in the same seat has to go."""
        if self.closed:
            guest.leave("closed")
            return
        self._coming.append(guest)
        if guest.seat is not None:
            self._carry_out(self.table.come(guest.seat, self._clock.now_us()))
        scene, lost = self._scene(), self.table.version - version
        if game == scene.game and 0 <= lost <= len(self._lately):
            events = list(self._lately)[len(self._lately) - lost :]
            self._say(lambda: guest.missed(scene, events))
        else:
            self._say(lambda: guest.scene(scene))
        self._say(lambda: self._welcome(guest))

    def exit(self, guest: Guest) -> None:
        """Somebody's connection has ended."""
        self._say(lambda: self._miss(guest))

    def play(self, guest: Guest, n: int) -> None:
        """A guest wants to turn his top card, having seen card `n`."""
        if (seat := self._seat_of(guest, "play")) is not None:
            self._carry_out(self.table.play(seat, n, self._clock.now_us()))

    def slap(self, guest: Guest, n: int, stamps: Stamps, palm: Palm) -> None:
        """A guest has slapped card `n`."""
        if (seat := self._seat_of(guest, "slap")) is not None:
            self._measure()
            claim = Claim(seat, stamps.arrived_us, guest.rtt_us, stamps.painted_us, stamps.pressed_us)
            self._carry_out(self.table.slap(claim, n, self._clock.now_us(), palm))

    def act(self, guest: Guest, deed: Deed) -> None:
        """A guest does anything else."""
        if (seat := self._seat_of(guest, "act")) is not None:
            self._carry_out(self.table.act(seat, deed, self._clock.now_us()))

    def begin(self, guest: Guest) -> None:
        """The host has the first game dealt."""
        if (seat := self._seat_of(guest, "start")) is not None:
            self._carry_out(self.table.begin(seat, self._clock.now_us()))

    def choose(self, guest: Guest, rules: Rules) -> None:
        """The host chooses the house for the next game."""
        if (seat := self._seat_of(guest, "house")) is not None:
            self._carry_out(self.table.choose(seat, rules, self._clock.now_us()))

    def lift(self, guest: Guest) -> None:
        """The host opens the room again."""
        if (seat := self._seat_of(guest, "lift")) is not None:
            self._carry_out(self.table.lift(seat, self._clock.now_us()))

    def again(self, guest: Guest) -> None:
        """A guest wants another game."""
        if (seat := self._seat_of(guest, "again")) is not None:
            self._carry_out(self.table.again(seat, self._clock.now_us()))

    def close(self, why: str = "closed") -> None:
        """Show everybody out; the table's log stays as it is."""
        self.closed = True
        if self._alarm:
            self._alarm.cancel()
        for guest in self._guests + self._coming:
            guest.leave(why)
        self._guests.clear()
        self._coming.clear()

    # Inside

    def _scene(self) -> Scene:
        table, now_us = self.table, self._clock.now_us()
        shown = view(table.game) if table.game else None
        house = to_link(table.rules)
        return Scene(table.id, table.version, tuple(table.seats), house, table.closed_us, shown, table.clock(now_us))

    def _seat_of(self, guest: Guest, what: Asked) -> int | None:
        """The seat that a guest acts for; whoever has none, or has been sent away from it, only watches."""
        if guest.seat is None or guest not in self._guests:
            guest.hear(Refused(what, Why.NOT_PLAYING.value))
            return None
        return guest.seat

    def _measure(self) -> None:
        """Tell the table how far away everybody is: a verdict may have to wait for who is far."""
        for guest in self._guests:
            if guest.seat is not None:
                self.table.seats[guest.seat].rtt_us = guest.rtt_us

    def _welcome(self, guest: Guest) -> None:
        self._coming.remove(guest)
        for other in [other for other in self._guests if guest.seat is not None and other.seat == guest.seat]:
            self._guests.remove(other)
            other.leave("elsewhere")
        self._guests.append(guest)

    def _miss(self, guest: Guest) -> None:
        if guest in self._guests:
            self._guests.remove(guest)
            self.quiet_since_us = self._clock.now_us()
            if guest.seat is not None and all(other.seat != guest.seat for other in self._coming):
                self._carry_out(self.table.go(guest.seat, self.quiet_since_us))

    def _wake(self) -> None:
        self._measure()
        self._carry_out(self.table.tick(self._clock.now_us()))

    def _carry_out(self, effects: Iterable[Effect]) -> None:
        for effect in effects:
            match effect:
                case Store(game, after, entries):
                    self._keep(game, after, entries)
                case Tell(message, to):
                    self._say(partial(self._tell, message, to))
        if self._alarm:
            self._alarm.cancel()
        if (wake_us := self.table.wake_us()) is not None and not self.closed:
            self._alarm = self._loop.call_later(self._clock.until_s(wake_us), self._wake)

    def _keep(self, game: str, after: int, entries: Sequence[Entry]) -> None:
        """Give entries to the log; what is said of them waits in the queue until it has them.

        The first entries of a game are shown as a whole, so that nobody takes them for the end of the last one.
        """
        if after == 0:
            self._lately.clear()
        events = [Told(number, told(entry.event)) for number, entry in enumerate(entries, after + 1)]
        self._lately.extend(events)
        kept = self._log.append_soon(game, after, entries)
        self._say(partial(self._tell_all, events) if after else partial(self._show_all, self._scene()), kept)
        if not kept.done():
            kept.add_done_callback(self._kept)

    def _kept(self, _: Future[int]) -> None:
        """The log's thread has kept something; the loop may have ended meanwhile, and nobody listens any more."""
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._flush)

    def _say(self, say: Callable[[], None], kept: Future[int] | None = None) -> None:
        self._queue.append(_Said(kept, say))
        self._flush()

    def _flush(self) -> None:
        """Say what may be said: everything up to the first entry that the log does not have yet."""
        if self._flushing:
            return
        self._flushing = True
        while self._queue and not self.closed and ((kept := self._queue[0].kept) is None or kept.done()):
            if kept and (error := kept.exception()):
                _journal.error("room %s is closed: its log failed: %s", self.table.room, error)
                self.close()
                break
            self._queue.popleft().say()
        self._flushing = False

    def _show_all(self, scene: Scene) -> None:
        for guest in self._guests:
            guest.scene(scene)

    def _tell_all(self, events: Iterable[Told]) -> None:
        for event in events:
            self._tell(event, None)

    def _tell(self, message: Message, to: int | None) -> None:
        for guest in self._guests:
            if to is None or guest.seat == to:
                guest.hear(message)
