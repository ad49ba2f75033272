"""A table's asyncio shell: it wakes the table, keeps its entries, and tells people only what is kept.

Whatever a table says goes through one queue. Behind a `Store` the queue waits until the log has it, so nobody is
told of an effect that a crash could undo; who comes to the table is told how things stand through the same queue.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from concurrent.futures import Future
from functools import partial
from typing import Concatenate, ParamSpec

from msgspec.structs import replace

from ratscrew.errors import LogError, RefusalReason
from ratscrew.log.protocol import EventLog
from ratscrew.table.clock import Clock as RealClock
from ratscrew.table.delivery.commit_queue import CommitQueue
from ratscrew.table.delivery.delayed_delivery import DelayedDelivery
from ratscrew.table.delivery.loop_turns import LoopTurns
from ratscrew.table.delivery.message_cache import MessageCache
from ratscrew.table.delivery.request_deduplicator import RequestDeduplicator
from ratscrew.table.delivery.snapshot import snapshot_of
from ratscrew.table.delivery.subscriber import Line, Subscriber, TableSnapshot, line_of
from ratscrew.table.effects import Effect, Moment, Move, Store, Tell, changes_access
from ratscrew.table.messages import Asked, Done, Message, Refused, Told
from ratscrew.table.records.entries import Entry, Guise, Sat, Wish, signed, told
from ratscrew.table.records.erasure import by_number, nameless, unname
from ratscrew.table.rooms.network_bans import NetworkBans
from ratscrew.table.rooms.seat_passes import Passes
from ratscrew.table.session.slap_measurement import Press
from ratscrew.table.session.slap_tracker import SlapContact
from ratscrew.table.session.table_action import TableAction
from ratscrew.table.table import Table

JOINED_BY_US = 600_000_000
"""How long after somebody sat down the same request gets the same seat again, also after a restart."""

REMEMBERED = 400
"""How many events of a game are at hand for who comes back; who has missed more is shown the table anew."""

P = ParamSpec("P")
_journal = logging.getLogger(__name__)


class Room:
    """One live table with its people. All methods are for the event loop's thread."""

    def __init__(
        self, table: Table, log: EventLog[Entry], clock: RealClock, before: Sequence[Entry] = (),
        turns: LoopTurns | None = None,
    ) -> None:  # fmt: skip
        """A room whose game has these entries already, if it was taken up from the log; rooms share the `turns`."""
        self.table = table
        self._turns = turns or LoopTurns()
        self._log, self._clock = log, clock
        self._loop = asyncio.get_running_loop()
        self._guests: dict[Subscriber, DelayedDelivery] = {}
        self._coming: dict[Subscriber, DelayedDelivery] = {}
        self._queue = CommitQueue(self._loop, self._fail)
        lately = before[-REMEMBERED:]
        self._lately = deque(_numbered(lately, len(before) - len(lately) + 1), maxlen=REMEMBERED)
        self._alarm: asyncio.TimerHandle | None = None
        self.messages = MessageCache()
        self._requests = RequestDeduplicator(entry.wish for entry in before)
        self._joined_by = {
            entry.wish.page: entry.event.who
            for entry in before[-REMEMBERED:]
            if entry.wish and isinstance(entry.event, Sat) and clock.now_us() - entry.at_us < JOINED_BY_US
        }
        self._request: Wish | None = None
        self.networks, self.passes = NetworkBans(), Passes()
        self.changed: Callable[[Room], None] | None = None
        """Called when strangers may find the room, or may no longer, as far as the room itself is concerned."""
        self.closed, self.quiet_since_us = False, clock.now_us()

    @property
    def empty(self) -> bool:
        """Whether nobody is here, not even to watch."""
        return not self._guests and not self._coming

    @property
    def played(self) -> bool:
        """Whether a card was ever turned here."""
        return self.table.round > 1 or (self.table.game is not None and self.table.game.n > 0)

    @property
    def settled(self) -> bool:
        """Whether nothing is on its way to the log any more."""
        return self._queue.settled

    @property
    def watchers(self) -> int:
        """How many are here without a seat."""
        return sum(not guest.seats for guest in [*self._guests, *self._coming])

    def start(self) -> None:
        """Deal the first game.

        Raises: RulesError if the house does not allow so many players.
        """
        self._carry_out(self.table.start(self._clock.now_us()))

    def open(self, fill_after_us: int | None = None) -> None:
        """Let people gather before the first game, which bots may fill after so long."""
        now_us = self._clock.now_us()
        self._carry_out(self.table.open(now_us, None if fill_after_us is None else now_us + fill_after_us))

    def join(self, name: str, guise: Guise | None = None, key: str | None = None) -> int:
        """A seat for one more person; with a `key` the log knows by which request.

        Raises: Refusal (room_full).
        """
        seat, effects = self.table.join(name, self._clock.now_us(), guise)
        self._request = Wish(key, 0) if key else None
        try:
            self._carry_out(effects)
        finally:
            self._request = None
        return seat

    def joined_before(self, key: str) -> int | None:
        """The seat that a request with this key has taken before this server took the room up from the log."""
        who = self._joined_by.get(key)
        return next(iter(self.table.roster.seats_of([who])), None) if who is not None else None

    def enter(self, guest: Subscriber, game: str | None = None, version: int = 0) -> None:
        """Somebody comes, having seen `game` up to `version`; another guest in the same seat has to go.

        A card that is turned and not to be seen yet is not seen by coming either.
        """
        if self.closed:
            self._show_out(guest, "closed")
            return
        post = self._coming[guest] = DelayedDelivery(self._clock, self._loop, partial(self._lose, guest))
        for seat in guest.seats:
            self._do(self.table.come, seat, self._clock.now_us(), guest.page_state)
        if self.closed:
            return
        scene, seen_us, lost = self._scene(), self.table.seen_us, self.table.version - version
        if game == scene.game and 0 <= lost <= len(self._lately):
            events = list(self._lately)[len(self._lately) - lost :]
            self._queue.put(lambda: post.put(lambda: guest.missed(scene, events), seen_us))
        else:
            self._queue.put(lambda: post.put(lambda: guest.scene(scene), seen_us))
        self._queue.put(lambda: self._welcome(guest))

    def exit(self, guest: Subscriber) -> None:
        """Somebody's connection has ended."""
        self._queue.put(lambda: self._miss(guest))

    def play(self, guest: Subscriber, n: int, seat: int | None = None) -> None:
        """A guest wants to turn his top card, having seen card `n`; `seat` is which of his, if he has several."""
        if (mine := self._seat_of(guest, "play", seat)) is not None:
            self._do(self.table.play, mine, n, self._clock.now_us())

    def slap(self, guest: Subscriber, n: int, press: Press, palm: SlapContact, seat: int | None = None) -> None:
        """A guest has slapped card `n`."""
        if (mine := self._seat_of(guest, "slap", seat)) is not None:
            self._do(self.table.slap, mine, n, press, self._clock.now_us(), palm)

    def act(self, guest: Subscriber, deed: TableAction, seat: int | None = None) -> None:
        """A guest does anything else."""
        if (mine := self._seat_of(guest, "act", seat)) is not None:
            self._do(self.table.act, mine, deed, self._clock.now_us())

    def unname(self, whos: Collection[int]) -> None:
        """Delete the names of these at the table, and from what is at hand for who comes back."""
        self._carry_out(unname(self.table, whos, self._clock.now_us()))
        lately = (replace(each, e=nameless(each.e, by_number(whos))) for each in self._lately)
        self._lately = deque(lately, maxlen=REMEMBERED)

    def stir(self) -> None:
        """A page has said something of itself: a race may be over by that."""
        if self.table.racing:
            self._do(self.table.tick, self._clock.now_us())

    def guest_in(self, seat: int) -> Subscriber | None:
        """The page in front of a seat."""
        return next((guest for guest in self._guests if seat in guest.seats), None)

    def lines(self) -> tuple[Line | None, ...]:
        """How the connections of all seats are; None where there is none, or nothing is known of it yet."""
        return tuple(line_of(seat.page_state) for seat in self.table.seats)

    def ask(
        self,
        guest: Subscriber,
        what: Asked,
        seat: int | None,
        wish: Callable[Concatenate[Table, int, int, P], list[Effect]],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> None:
        """A guest wishes for something else: one of `ratscrew.table.rooms.room_commands`."""
        if (mine := self._seat_of(guest, what, seat)) is not None:
            self._do(wish, self.table, mine, self._clock.now_us(), *args, **kwargs)

    def once(self, guest: Subscriber, page: str, s: int, do: Callable[[], None]) -> None:
        """Do what request `s` of a page asks for, unless it has been done before; either way it is answered.

        The guest gets `done` as soon as the log has what came of it.
        """
        player = self.table.seats[guest.seats[0]].who if guest.seats else None
        if self._requests.is_new(page, s, player):
            self._request = Wish(page, s)
            try:
                do()
            finally:
                self._request = None
        self.answered(guest, s)

    def answered(self, guest: Subscriber, s: int) -> None:
        """Tell a guest that request `s` is done or refused, as soon as the log has what came of it."""
        self._queue.put(partial(self._tell, Done(s), (guest,)))

    async def kept(self) -> None:
        """Wait until the log has everything that has happened so far.

        Raises: LogError if it could not be kept.
        """
        await self._queue.kept()

    def close(self, why: str = "closed") -> None:
        """Show everybody out; the table's log stays as it is."""
        self.closed = True
        self._queue.end()
        if self._alarm:
            self._alarm.cancel()
        for guest, post in [*self._guests.items(), *self._coming.items()]:
            post.end()
            self._show_out(guest, why)
        self._guests.clear()
        self._coming.clear()

    # Inside

    def _scene(self) -> TableSnapshot:
        return snapshot_of(self.table, self._clock.now_us())

    def _seat_of(self, guest: Subscriber, what: Asked, seat: int | None) -> int | None:
        """The seat that a guest acts for; whoever has none, or has been sent away from it, only watches."""
        mine = seat if seat is not None else next(iter(guest.seats), None)
        if mine not in guest.seats or guest not in self._guests:
            guest.hear(Refused(what, RefusalReason.NOT_PLAYING.value))
            return None
        return mine

    def _welcome(self, guest: Subscriber) -> None:
        if guest not in self._coming:
            return
        for other in [other for other in self._guests if set(guest.seats) & set(other.seats)]:
            self._guests.pop(other).end()
            self._show_out(other, "elsewhere")
            self._leave_seats(set(other.seats) - set(guest.seats))
        self._guests[guest] = self._coming.pop(guest)

    def _miss(self, guest: Subscriber) -> None:
        if post := self._guests.pop(guest, None):
            post.end()
            self.quiet_since_us = self._clock.now_us()
            self._leave_seats(set(guest.seats) - {seat for other in self._coming for seat in other.seats})

    def _leave_seats(self, seats: Iterable[int]) -> None:
        for seat in sorted(seats):
            self._do(self.table.go, seat, self._clock.now_us())

    def _wake(self) -> None:
        self._do(self.table.tick, self._clock.now_us())

    def _do(self, do: Callable[P, list[Effect]], *args: P.args, **kwargs: P.kwargs) -> None:
        """Have the table do something, and carry out what comes of it.

        An exception in the table closes the room: its state in memory is unknown, and the log has the last good one.
        """
        if self.closed:
            return
        try:
            effects = do(*args, **kwargs)
        except Exception as error:
            self._fail(error)
        else:
            self._carry_out(effects)

    def _carry_out(self, effects: Iterable[Effect]) -> None:
        for effect in effects:
            match effect:
                case Store():
                    self._keep(effect)
                case Tell(message, None):
                    self._queue.put(partial(self._tell, message, self._guests))
                case Tell(message, int(to)):
                    mine = [guest for guest in self._guests if to in guest.seats]
                    if isinstance(message, Refused) and any(len(guest.seats) > 1 for guest in mine):
                        message = replace(message, seat=to)
                    self._queue.put(partial(self._tell, message, mine))
                case Move():
                    self._move(effect)
            if self.changed and changes_access(effect):
                self.changed(self)
        if self._alarm:
            self._alarm.cancel()
        if (wake_us := self.table.wake_us()) is not None and not self.closed:
            self._alarm = self._loop.call_later(self._clock.until_s(wake_us), self._turns.call, self._wake)

    def _keep(self, store: Store) -> None:
        """Give entries to the log; what is said of them waits in the queue until it has them.

        The first entries of a game are shown as a whole, so that nobody takes them for the end of the last one.
        """
        if self.closed:
            return
        if store.after == 0:
            self._lately.clear()
        events = list(_numbered(store.entries, store.after + 1))
        self._lately.extend(events)
        kept = self._append(store)
        tell = partial(self._tell_all, events, store.moment) if store.after else partial(self._show_all, self._scene())
        self._queue.put(tell, kept)

    def _append(self, store: Store) -> Future[int]:
        entries = signed(store.entries, self._request)
        for request in filter(None, (entry.wish for entry in entries)):
            self._requests.note_logged(*request)
        try:
            return self._log.append_soon(store.game, store.after, entries)
        except Exception as error:
            failed: Future[int] = Future()
            failed.set_exception(error)
            return failed

    def _fail(self, error: Exception) -> None:
        """What is not kept is told to nobody: everybody has to go, and finds the room as it was told last."""
        if self.closed:
            return
        if isinstance(error, LogError):
            _journal.error("room %s is closed: its log failed: %s", self.table.room, error)
        else:
            _journal.error("room %s is closed: its table failed", self.table.room, exc_info=error)
        self.close("unkept")

    def _lose(self, guest: Subscriber, error: Exception) -> None:
        """A guest cannot be told what happens: this guest alone has to go, and may come back."""
        _journal.error("room %s: a page is disconnected: %r", self.table.room, error, exc_info=error)
        self._show_out(guest, "restart")
        if post := self._coming.pop(guest, None):
            self._guests[guest] = post
        self._miss(guest)

    def _show_out(self, guest: Subscriber, why: str) -> None:
        try:
            guest.leave(why)
        except Exception:
            _journal.exception("room %s: a page could not be disconnected", self.table.room)

    def _show_all(self, scene: TableSnapshot) -> None:
        for guest, post in list(self._guests.items()):
            post.put(partial(guest.scene, scene))

    def _tell_all(self, events: Iterable[Told], moment: Moment | None) -> None:
        """Tell everybody what has happened; a card leaves for each page just in time for its moment."""
        for guest, post in list(self._guests.items()):
            at_us = moment.at_us if moment else 0
            if moment and guest.seats and (card_display := guest.page_state.card_display(moment.n)):
                at_us -= card_display.lead_us
                post.put(partial(guest.soon, moment.n, card_display.at_us), at_us)
            for event in events:
                post.put(partial(guest.hear, event), at_us)

    def _tell(self, message: Message, to: Collection[Subscriber]) -> None:
        for guest, post in list(self._guests.items()):
            if guest in to:
                post.put(partial(guest.hear, message))

    def _move(self, move: Move) -> None:
        """At once everybody acts for his new seat; he is told behind what has made him move."""
        self._requests.keep_only({seat.who for seat in self.table.seats if not seat.gone})
        for guest in [*self._guests, *self._coming]:
            before, guest.seats = guest.seats, tuple(move.seats[seat] for seat in guest.seats if seat in move.seats)
            if len(guest.seats) < len(before):
                self._queue.put(partial(self._part, guest, self._scene(), move.removed))

    def _part(self, guest: Subscriber, scene: TableSnapshot, removed: bool) -> None:
        """A guest has lost a seat: he goes on with those that he still has, or watches, or has to go."""
        if guest not in self._guests:
            return
        if removed and not guest.seats:
            self._guests.pop(guest).end()
            self._show_out(guest, "removed")
        else:
            self._guests[guest].put(partial(guest.scene, scene), self.table.seen_us)


def _numbered(entries: Sequence[Entry], first: int) -> Iterator[Told]:
    return (Told(number, told(entry.event)) for number, entry in enumerate(entries, first))
