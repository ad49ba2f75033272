"""A guest at the other end of a socket: what his page says goes to the room, what the room says goes to his page.

Nothing in this file knows what is said about; it only carries it.
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from random import random
from typing import Literal, cast

from ratscrew.errors import Refusal, RefusalReason, WireError
from ratscrew.game.codec import Codec
from ratscrew.judge.page_state import PageState
from ratscrew.table.clock import Clock
from ratscrew.table.delivery.subscriber import Line, TableSnapshot
from ratscrew.table.messages import Asked, Done, Message, Refused, Told
from ratscrew.table.players.seat import Seat as TableSeat
from ratscrew.table.records.log_budget import PRICES, price_unchanged
from ratscrew.table.rooms.room import Room
from ratscrew.table.rooms.room_registry import code_of
from ratscrew.table.session.slap_measurement import Press
from ratscrew.table.session.slap_tracker import SlapContact
from ratscrew.web import wire
from ratscrew.web.limits import Limits
from ratscrew.web.metrics_sink import LatencyProbe, MetricsSink
from ratscrew.web.request_dispatch import pass_on
from ratscrew.web.rtt_probe import RttProbe
from ratscrew.web.send_queue import SendQueue
from ratscrew.web.typescript import wire_hash

PING_EVERY_S, REST_EVERY_S = 1.0, 2.0
"""How often a page is asked how far away it is: while a game is on, and otherwise. A page that hears nothing for 4 s
takes the line for dead."""

PROOF_EVERY = 5
"""While no game is on, one in so many pings is proved by the browser's network code, and by the page's other socket."""

BURST, BURST_EVERY_S = 10, 0.06
"""Who comes is pinged so often at first, so that his line is known by the first card."""

PING_AFTER_CARD_S = 0.01
"""After each card comes a ping: a lost packet with a card in it is noticed when another one follows it."""

PINGS_MOST = 256
"""Pings that may be without an answer: one each second, one behind each card, and the first ones are far fewer."""

MISSED_MOST = 64 * 1024
"""Bytes of missed events; a page that has missed more is shown the table anew."""

SILENT_S = 10.0
"""How long a ping may be without an answer: a browser that is more behind is gone, and has to come back."""

_FOR_A_SEAT = frozenset(("act", "leave", "react", "nonce"))
"""Requests whose `seat` is which of the page's own seats asks; in others it is whom the request is about."""

WIRE = wire_hash()
TO = Codec[wire.ServerMessage](wire.ServerMessage)


class PlayerConnection:
    """A guest at the other end of a socket."""

    def __init__(
        self,
        backlog: SendQueue,
        clock: Clock,
        room: Room,
        seats: tuple[int, ...],
        pulse: RttProbe,
        meter: MetricsSink,
        limits: Limits,
        address: str,
        page: str | None = None,
    ) -> None:
        self.seats, self.page_state, self.pulse, self.backlog = seats, PageState(), pulse, backlog
        self._clock, self._room, self._page = clock, room, page
        self._waiting = LatencyProbe(meter)
        self._limits, self._address = limits, address
        self._pinged_us: dict[int, int] = {}
        self._lines: tuple[wire.Line | None, ...] = ()
        self._count = 0

    # What the room says

    def scene(self, scene: TableSnapshot) -> None:
        """See `Subscriber`."""
        self._send(
            wire.Welcome(
                WIRE,
                code_of(scene.game),
                scene.game,
                scene.version,
                next(iter(self.seats), None),
                self.seats,
                scene.host,
                _seats(scene.seats),
                scene.house,
                scene.listed,
                scene.locked,
                scene.removed,
                None if scene.closed_us is None else scene.closed_us // 1000,
                scene.view,
                scene.clock,
                scene.promise,
                scene.commitment,
            )
        )

    def missed(self, scene: TableSnapshot, events: Iterable[Told]) -> None:
        """See `Subscriber`."""
        encoded = [self._room.messages.get_or_encode(event, TO.encode) for event in events]
        if sum(map(len, encoded)) > MISSED_MOST:
            self.scene(scene)
            return
        self._send(wire.Back(scene.version, _seats(scene.seats), scene.clock))
        for data in encoded:
            self.backlog.put(data)

    def soon(self, n: int, at_us: int) -> None:
        """See `Subscriber`."""
        self._send(wire.Soon(n, round(at_us / self._clock.speed) / 1000))
        asyncio.get_running_loop().call_later(PING_AFTER_CARD_S, self._ping)

    def hear(self, message: Message) -> None:
        """See `Subscriber`."""
        self._waiting.hears(message)
        if isinstance(message, Refused | Done):  # for this page alone
            self._send(message)
        else:
            self.backlog.put(self._room.messages.get_or_encode(message, TO.encode))

    def leave(self, why: str) -> None:
        """See `Subscriber`."""
        if why != "restart":
            self._send(wire.Bye(cast(Literal["elsewhere", "closed", "removed", "unkept"], why)))
        self.backlog.put(b"")

    # What the browser says

    def answer(self, message: wire.ClientMessage, arrived_us: int) -> None:
        """Pass a message on to the room.

        Raises: WireError for a second `hello`.
        """
        match message:
            case wire.Beat(c_ms):
                self._learn("beat", self.page_state.record_heartbeat, self._us(c_ms), arrived_us)
            case wire.Seen(n, p_ms):
                self._learn("seen", self.page_state.record_paint, n, self._us(p_ms), arrived_us)
            case wire.Look(visible):
                self.page_state.visible = visible
                self._room.stir()
            case wire.Pong(k, c_ms) if (sent_us := self._pinged_us.get(k)) is not None:
                self._pinged_us = {later: us for later, us in self._pinged_us.items() if later > k}
                self.page_state.record_pong(sent_us, arrived_us, self._us(c_ms))
                self._room.stir()
            case wire.Pong():
                self.page_state.refused[RefusalReason.NOT_SHOWN] += 1
            case wire.Slap():
                self.slap(message, arrived_us)
            case wire.Play(n, seat):
                self._waiting.asks("play")
                self._room.play(self, n, seat)
            case wire.Hello():
                raise WireError("hello is said once")
            case _:
                self._once(message)

    def _once(self, wish: wire.Wish) -> None:
        """Pass a wish on, once: it may come again, and by another connection. Each time it is answered."""
        if self._page is None or wish.s is None:
            self._wish(wish)
        else:
            self._room.once(self, self._page, wish.s, partial(self._wish, wish))

    def _wish(self, wish: wire.Wish) -> None:
        """Pass a wish on, if the page holds a seat and it has not asked for too much."""
        what = cast(Asked, wish.__struct_config__.tag)
        player = self._player(getattr(wish, "seat", None) if what in _FOR_A_SEAT else None)
        if player is None:
            self.hear(Refused(what, RefusalReason.NOT_PLAYING.value))
        elif self._limits.request(self._room, player, self._address, PRICES[what]):
            self.hear(Refused(what, RefusalReason.SLOW_DOWN.value))
        else:
            table = self._room.table
            before = table.round, table.version
            pass_on(wish, self, self._room)
            if (table.round, table.version) == before:
                self._limits.refund_request(self._room, player, self._address, PRICES[what] - price_unchanged(what))

    def _player(self, seat: int | None) -> int | None:
        """The player at a seat of this page, or at its first; None if the page does not hold it."""
        mine = next(iter(self.seats), None) if seat is None else seat
        return self._room.table.seats[mine].who if mine is not None and mine in self.seats else None

    def slap(self, slap: wire.Slap, arrived_us: int, rtt_most_us: int | None = None) -> None:
        """Pass a slap on, once: it comes by two sockets. `rtt_most_us` is what the other one is known to take.

        A slap for a seat that this page does not hold is refused before anything is stored.
        """
        seat = slap.seat if slap.seat is not None else next(iter(self.seats), -1)
        if (player := self._player(seat)) is None:
            self.hear(Refused("slap", RefusalReason.NOT_PLAYING.value, slap.seat))
            return
        pressed_us = self._us(slap.t_ms)
        try:
            if not self.page_state.record_press(
                seat, (slap.s, slap.contact), pressed_us, arrived_us, rtt_most_us is not None
            ):
                return
        except Refusal as refusal:
            self.hear(Refused("slap", refusal.reason.value, slap.seat))
            return
        if self._limits.slap(self._room, player, self._address):
            self.hear(Refused("slap", RefusalReason.SLOW_DOWN.value, slap.seat))
            return
        self._waiting.asks("slap")
        press = Press(arrived_us, self._us(slap.p_ms), pressed_us, rtt_most_us)
        self._room.slap(self, slap.n, press, SlapContact(slap.contact, slap.after), slap.seat)

    def _learn(self, what: Literal["beat", "seen"], learn: Callable[..., None], *args: int) -> None:
        """Note what the page says of itself, or tell it why not."""
        try:
            learn(*args)
        except Refusal as refusal:
            self.hear(Refused(what, refusal.reason.value))
        else:
            self._room.stir()

    def _us(self, page_ms: float) -> int:
        """A page's milliseconds as microseconds of the table's clock, which may go faster."""
        return round(page_ms * 1000 * self._clock.speed)

    # The socket

    async def watch(self) -> None:
        """Keep asking how far away the browser is, and tell it how everybody's line is.

        After a start of the server everybody comes at once: each is asked at a moment of the second of his own.
        """
        with suppress(ConnectionError):
            for _ in range(BURST):
                await self._ask()
                await asyncio.sleep(BURST_EVERY_S)
            await asyncio.sleep(random() * PING_EVERY_S)
            for count in itertools.count():
                playing = self._room.table.playing
                await self._ask(proved=playing or count % PROOF_EVERY == 0)
                self._tell_lines()
                await asyncio.sleep(PING_EVERY_S if playing else REST_EVERY_S)

    def say(self, message: wire.ServerMessage) -> None:
        """Say something that only the connection knows of; a farewell is the last word."""
        self._send(message)
        if isinstance(message, wire.Bye):
            self.backlog.put(b"")

    async def _ask(self, proved: bool = True) -> None:
        self._ping()
        if not proved:
            return
        await self.pulse.ask()
        self.page_state.rtt_estimator = self.page_state.rtt_estimator.with_rtt_bounds(
            self.pulse.control_us, self.pulse.kernel_us
        )
        self.page_state.jitter_us = self.pulse.jitter_us

    def _ping(self) -> None:
        self._count += 1
        self._pinged_us[self._count] = now_us = self._clock.now_us()
        silent_us = now_us - next(iter(self._pinged_us.values()))
        if silent_us > SILENT_S * 1e6 * self._clock.speed or len(self._pinged_us) > PINGS_MOST:
            self.backlog.cut()
            return
        self._send(wire.Ping(self._count))

    def _tell_lines(self) -> None:
        lines = tuple(line and _line(line) for line in self._room.lines())
        if lines != self._lines:
            self._lines = lines
            self._send(wire.Lines(lines))

    def _send(self, message: wire.ServerMessage) -> None:
        self.backlog.put(TO.encode(message))


def _line(line: Line) -> wire.Line:
    """In steps of 5 ms: nobody reads finer, and so it seldom changes."""
    return wire.Line(round(line.rtt_us / 5000) * 5, round(line.jitter_us / 5000) * 5)


def _seats(seats: Iterable[TableSeat]) -> tuple[wire.Seat, ...]:
    return tuple(wire.Seat(seat.name, seat.bot, seat.plays, seat.guise, seat.gone, seat.muted) for seat in seats)
