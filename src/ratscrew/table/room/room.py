"""A room on the event loop: carries out its table's effects, wakes it, and sends only what the log has.

Everything a room sends goes through one queue. Behind a `Store` the queue waits until the log has it, so no client gets
what a crash could undo; a client that comes gets its snapshot through the same queue.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection, Iterable
from functools import partial
from typing import ParamSpec

from msgspec.structs import replace

from ratscrew.errors import RefusalReason
from ratscrew.log.protocol import EventLog
from ratscrew.table.core.erasure import delete_names_at_table, seated_by, without_name
from ratscrew.table.core.room_commands import execute, name_of
from ratscrew.table.core.table import Table
from ratscrew.table.record.clock import Clock
from ratscrew.table.record.effects import Effects, Reseat, RevealTime, Send, Store
from ratscrew.table.record.entries import Appearance, Entry, Owned, RequestId
from ratscrew.table.record.messages import Done, Message, Refused, RequestName
from ratscrew.table.record.moment import Moment
from ratscrew.table.record.requests import Request, seat_of
from ratscrew.table.room.delivery import CommitQueue, DelayedDelivery
from ratscrew.table.room.listing import Listing, listing_of
from ratscrew.table.room.log_wait import LogWait
from ratscrew.table.room.ownership import Ownership, append, why_closed
from ratscrew.table.room.page_pinger import PagePinger
from ratscrew.table.room.recent_events import RecentEvents
from ratscrew.table.room.request_deduplicator import RequestDeduplicator
from ratscrew.table.room.room_events import FirstCardTurned, GameOver, ListingChanged, RoomEvents, Timed
from ratscrew.table.room.seat_passes import SeatPasses
from ratscrew.table.room.secure_draw import SecureDraw
from ratscrew.table.room.subscriber import Broadcast, Subscriber, TableSnapshot, snapshot_of
from ratscrew.table.session.slap_measurement import Press
from ratscrew.table.session.slap_tracker import SlapContact
from ratscrew.turns import Turns

P = ParamSpec("P")
_draw = SecureDraw()
_logger = logging.getLogger(__name__)


class Room:
    """One table with its clients. All methods are for the event loop's thread."""

    def __init__(
        self,
        table: Table,
        log: EventLog[Entry],
        clock: Clock,
        turns: Turns | None = None,
        recent: RecentEvents | None = None,
        ownership: Ownership | None = None,
        events: RoomEvents | None = None,
    ) -> None:
        """A room; rooms share `turns` and publish `events`. `recent` are those of its game, if it was restored."""
        self.table = table
        self._log, self._clock, self._ownership, self._turns = log, clock, ownership, turns or Turns()
        self._events, self._over = events or RoomEvents(), ""
        self._loop = asyncio.get_running_loop()
        self._subscribers: dict[Subscriber, DelayedDelivery] = {}
        self._coming: dict[Subscriber, DelayedDelivery] = {}
        self._queue = CommitQueue(self._loop, self._fail)
        self._recent = recent or RecentEvents()
        self.log_wait = LogWait(table, self._queue, clock, self._do, self._send, self._subscribers.keys, self._loop)
        self._pinger = PagePinger(table, self._subscribers.keys, clock, self._loop, _draw)
        self._alarm: asyncio.TimerHandle | None = None
        self._alarm_us: int | None = None
        self._requests = RequestDeduplicator(lambda page, number: table.state.has_done(page, number))
        self.passes = SeatPasses()
        self.opener: str | None = None
        """The address from which it was opened; of one that was restored, where the first of its players came back."""
        self.listing: Listing | None = None
        self.closed, self.quiet_since_us = False, clock.now_us()
        self._timed, self._noted_played = False, self.played

    @property
    def empty(self) -> bool:
        """Whether no client is here, not even to watch."""
        return not self._subscribers and not self._coming

    @property
    def epoch(self) -> int:
        """How often the room has changed its owner in a cluster; 0 without one."""
        return self._ownership.epoch if self._ownership else 0

    @property
    def played(self) -> bool:
        """Whether a card was ever turned here."""
        return self.table.state.round > 1 or (self.table.game is not None and self.table.game.n > 0)

    @property
    def settled(self) -> bool:
        """Whether nothing is on its way to the log any more."""
        return self._queue.settled

    # Opening and joining

    def note_address(self, address: str) -> None:
        """A player of the room comes from this address."""
        if self.opener is None:
            self.opener = address
            self._events.publish(ListingChanged(self.table.room))

    def start(self, past: Moment | None = None) -> None:
        """Deal the first game, or go on with one that has this `past`. Raises: RulesError for too many players."""
        self._carry_out(self.table.start(self._clock.now_us(), past))

    def open(self, fill_after_us: int | None = None) -> None:
        """Let players gather before the first game, which bots may fill after so long."""
        now_us = self._clock.now_us()
        self._carry_out(self.table.open(now_us, None if fill_after_us is None else now_us + fill_after_us))

    def take_over(self) -> None:
        """Log that this process goes on with the room, before anything is sent; needs an `ownership`."""
        if own := self._ownership:
            self._carry_out(self.table.record([Owned(own.epoch, own.node)], self._clock.now_us()))

    def join(self, name: str, appearance: Appearance | None = None, key: str | None = None) -> int:
        """Take a seat for another player; the log stores the `key` of the request.

        Raises: Refusal (room_full).
        """
        with self.table.log.signed(RequestId(key, 0) if key else None):
            seat, effects = self.table.join(name, self._clock.now_us(), appearance)
        self._carry_out(effects)
        return seat

    def joined_before(self, key: str) -> int | None:
        """The seat that a request with this key has taken lately."""
        return self.table.state.seat_taken_by(key, self._clock.now_us())

    def change(self, do: Callable[[Table, int], Effects]) -> None:
        """Have the server itself do something at the table, now."""
        self._do(do, self.table, self._clock.now_us())

    def delete_names(self, player_ids: Collection[int]) -> bool:
        """Delete these players' names at the table, and from the events kept for clients; whether there were any."""
        self._carry_out(effects := delete_names_at_table(self.table, player_ids, self._clock.now_us()))
        self._recent.rewrite(lambda message: replace(message, e=without_name(message.e, seated_by(player_ids))))
        return bool(effects)

    # Clients come and go

    def enter(self, subscriber: Subscriber, game: str | None = None, version: int = 0) -> None:
        """A client comes, having seen `game` up to `version`; another client of the same seat is disconnected.

        A card that is turned and not revealed yet is not in the snapshot either.
        """
        if self.closed:
            self._disconnect(subscriber, "closed")
            return
        delivery = self._coming[subscriber] = DelayedDelivery(self._clock, self._loop, partial(self._lose, subscriber))
        for seat in subscriber.seats:
            self._do(self.table.come, seat, self._clock.now_us(), subscriber.page_state)
        if self.closed:
            return
        snapshot, seen_us = self._snapshot(), self.table.seen_us
        missed = self._recent.last(snapshot.version - version) if game == snapshot.game else None
        if missed is not None:
            show = partial(subscriber.resume, snapshot, missed)
        else:
            show = partial(subscriber.send_snapshot, snapshot)
        self._queue.put(partial(delivery.put, show, seen_us))
        self._queue.put(partial(self._welcome, subscriber))

    def exit(self, subscriber: Subscriber) -> None:
        """A client's connection has ended."""
        self._queue.put(partial(self._drop, subscriber))

    def subscriber_at(self, seat: int) -> Subscriber | None:
        """The client that acts for a seat."""
        return next((subscriber for subscriber in self._subscribers if seat in subscriber.seats), None)

    # Requests of clients

    def play(self, subscriber: Subscriber, n: int, seat: int | None = None) -> None:
        """Turn a player's top card, having seen card `n`; `seat` is which of the client's seats, if it has several."""
        if (own := self._own_seat(subscriber, "play", seat)) is not None:
            self._do(self.table.play, own, n, self._clock.now_us())

    def slap(self, subscriber: Subscriber, n: int, press: Press, contact: SlapContact, seat: int | None = None) -> None:
        """Slap card `n`."""
        if (own := self._own_seat(subscriber, "slap", seat)) is not None:
            self._do(self.table.slap, own, n, press, self._clock.now_us(), contact)

    def request(self, subscriber: Subscriber, request: Request) -> None:
        """Execute a client's request."""
        if (own := self._own_seat(subscriber, name_of(request), seat_of(request))) is not None:
            self._do(execute, self.table, own, request, self._clock.now_us())

    def check_race(self) -> None:
        """Check whether a race is over, after a page has sent timings."""
        if self.table.racing:
            self._wake()

    def once(self, subscriber: Subscriber, page: str, number: int, do: Callable[[], None]) -> None:
        """Do request `number` of a page, unless it has been done before; either way it is answered.

        The client gets `done` as soon as the log has its events.
        """
        player = self.table.seats[subscriber.seats[0]].player_id if subscriber.seats else None
        if self._requests.is_new(page, number, player):
            with self.table.log.signed(RequestId(page, number)):
                do()
        self._queue.put(partial(self._send, Done(number), (subscriber,)))

    async def stored(self) -> None:
        """Wait until the log has everything that has happened so far.

        Raises: LogError if it could not be stored.
        """
        await self._queue.stored()

    def close(self, why: str = "closed") -> None:
        """Disconnect every client; the table's log stays as it is."""
        self.closed = True
        self._queue.end()
        self._pinger.end()
        self.log_wait.end()
        if self._alarm:
            self._alarm.cancel()
        if self._timed:
            self._timed = False
            self._events.publish(Timed(self.table.room, False))
        for subscriber, delivery in [*self._subscribers.items(), *self._coming.items()]:
            delivery.end()
            self._disconnect(subscriber, why)
        self._subscribers.clear()
        self._coming.clear()

    # Inside: the table's effects

    def _wake(self) -> None:
        self._do(self.table.tick, self._clock.now_us())

    def _wake_up(self) -> None:
        self._alarm_us = self._alarm = None
        self._wake()

    def _do(self, do: Callable[P, Effects], *args: P.args, **kwargs: P.kwargs) -> None:
        """Have the table do something, and carry out its effects.

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

    def _carry_out(self, effects: Effects) -> None:
        stored = False
        for effect in effects:
            match effect:
                case Store():
                    self._store(effect)
                    stored = True
                case Send(message, to):
                    self._queue_message(message, to)
                case Reseat():
                    self._reseat(effect)
        table, before = self.table, self.listing
        self.listing = listing_of(table) if table.state.listed else None
        if self.listing != before:
            self._events.publish(ListingChanged(table.room))
        if stored and (game := table.state.game) and game.standing.phase == "over" and self._over != table.log.game:
            self.note_over()
        self._pinger.ask()
        if (wake_us := None if self.closed else table.wake_us()) != self._alarm_us:
            if self._alarm:
                self._alarm.cancel()
            self._alarm_us, self._alarm = wake_us, None
            if wake_us is not None:
                self._alarm = self._loop.call_later(self._clock.until_s(wake_us), self._turns.call, self._wake_up)
        if (wake_us is not None) != self._timed:
            self._timed = wake_us is not None
            self._events.publish(Timed(self.table.room, self._timed))

    def note_over(self) -> None:
        """Publish that the game is over, if it is, as soon as the log has its end."""
        table = self.table
        if table.game and table.game.over:
            self._over, linked = table.log.game, any(seat.account for seat in table.seats)
            self._queue.put(partial(self._events.publish, GameOver(table.room, self._over, linked)))

    def _store(self, store: Store) -> None:
        """Append entries to the log, and queue their messages behind them.

        The first entries of a game are sent as a snapshot, so that no client takes them for the end of the last one.
        """
        if self.closed:
            return
        if store.after == 0:
            self._recent.clear()
        self._recent.add(store.messages)
        stored = append(self._log, self._ownership, store, self._queue.last)
        if not self._noted_played and self.played:
            self._noted_played = True
            self._events.publish(FirstCardTurned(self.table.room))
        if store.after:
            self._queue.put(partial(self._broadcast, Broadcast(store.messages), store.reveal), stored)
        else:
            self._queue.put(partial(self._broadcast_snapshot, self._snapshot()), stored)
        if self.log_wait.timer is None and not stored.done():
            self.log_wait.watch()

    def _queue_message(self, message: Message, to: int | None) -> None:
        if to is None:
            self._queue.put(partial(self._broadcast, Broadcast((message,)), None))
            return
        own = [subscriber for subscriber in self._subscribers if to in subscriber.seats]
        if isinstance(message, Refused) and any(len(subscriber.seats) > 1 for subscriber in own):
            message = replace(message, seat=to)
        self._queue.put(partial(self._send, message, own))

    def _reseat(self, effect: Reseat) -> None:
        """Every client acts for its new seat at once; its snapshot follows the events that moved it."""
        self._requests.keep_only({seat.player_id for seat in self.table.seats if not seat.gone})
        for subscriber in [*self._subscribers, *self._coming]:
            before = subscriber.seats
            subscriber.seats = tuple(effect.seats[seat] for seat in before if seat in effect.seats)
            if len(subscriber.seats) < len(before):
                self._queue.put(partial(self._tell_reseated, subscriber, self._snapshot(), effect.removed))

    def _fail(self, error: Exception) -> None:
        """Close the room: nothing may be sent that is not stored. Clients that reconnect find the room as last sent."""
        if self.closed:
            return
        self.close(why := why_closed(self.table.room, error, self._ownership))
        if self._ownership and why == "moved":
            self._ownership.lost()

    # Inside: clients

    def _snapshot(self) -> TableSnapshot:
        return snapshot_of(self.table, self._clock.now_us())

    def _own_seat(self, subscriber: Subscriber, what: RequestName, seat: int | None) -> int | None:
        """The seat that a client acts for; None, and a refusal, for one that only watches or was removed."""
        own = seat if seat is not None else next(iter(subscriber.seats), None)
        if own in subscriber.seats and subscriber in self._subscribers:
            return own
        subscriber.send(Broadcast((Refused(what, RefusalReason.NOT_PLAYING.value),)))
        return None

    def _welcome(self, subscriber: Subscriber) -> None:
        if subscriber not in self._coming:  # it has gone again while the queue waited for the log
            return
        # A seat has one page. The one before is sent away only now, when the new one can be served.
        for other in [other for other in self._subscribers if set(subscriber.seats) & set(other.seats)]:
            self._subscribers.pop(other).end()
            self._disconnect(other, "elsewhere")
            self._leave_seats(set(other.seats) - set(subscriber.seats))
        self._subscribers[subscriber] = self._coming.pop(subscriber)
        self._pinger.come()

    def _drop(self, subscriber: Subscriber) -> None:
        if delivery := self._subscribers.pop(subscriber, None):
            delivery.end()
            self.quiet_since_us = self._clock.now_us()
            self._leave_seats(set(subscriber.seats) - {seat for other in self._coming for seat in other.seats})

    def _leave_seats(self, seats: Iterable[int]) -> None:
        for seat in sorted(seats):
            self._do(self.table.go, seat, self._clock.now_us())

    def _lose(self, subscriber: Subscriber, error: Exception) -> None:
        """Disconnect a client that cannot be sent messages, and only this one. It may reconnect."""
        _logger.error("room %s: a client is disconnected: %r", self.table.room, error, exc_info=error)
        self._disconnect(subscriber, "restart")
        if delivery := self._coming.pop(subscriber, None):
            self._subscribers[subscriber] = delivery
        self._drop(subscriber)

    def _disconnect(self, subscriber: Subscriber, why: str) -> None:
        try:
            subscriber.disconnect(why)
        except Exception:
            _logger.exception("room %s: a client could not be disconnected", self.table.room)

    def _broadcast_snapshot(self, snapshot: TableSnapshot) -> None:
        for subscriber, delivery in list(self._subscribers.items()):
            delivery.put(partial(subscriber.send_snapshot, snapshot))

    def _broadcast(self, broadcast: Broadcast, reveal: RevealTime | None) -> None:
        """Send to every client; a card leaves for each page just in time for its reveal, if its clock is known."""
        if reveal:
            self._pinger.cover_card(reveal.at_us)
        for subscriber, delivery in list(self._subscribers.items()):
            at_us = reveal.at_us if reveal else 0
            shown = subscriber.page_state.card_display(reveal.n) if reveal and subscriber.seats else None
            if reveal and shown and shown.at_us is not None:
                at_us -= shown.head_start_us
                delivery.put(partial(subscriber.announce, reveal.n, shown.at_us), at_us)
            delivery.put(partial(subscriber.send, broadcast), at_us)

    def _send(self, message: Message, to: Collection[Subscriber]) -> None:
        broadcast = Broadcast((message,))
        for subscriber in to:
            if delivery := self._subscribers.get(subscriber):
                delivery.put(partial(subscriber.send, broadcast))

    def _tell_reseated(self, subscriber: Subscriber, snapshot: TableSnapshot, removed: bool) -> None:
        """A client has lost a seat: it goes on with those that it still has, or watches, or is disconnected."""
        if subscriber not in self._subscribers:
            return
        if removed and not subscriber.seats:
            self._subscribers.pop(subscriber).end()
            self._disconnect(subscriber, "removed")
        else:
            self._subscribers[subscriber].put(partial(subscriber.send_snapshot, snapshot), self.table.seen_us)
