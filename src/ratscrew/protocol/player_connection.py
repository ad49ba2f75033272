"""One client of a room at the other end of a socket: its messages go to the room, and the room's messages to it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from typing import Literal, cast

from ratscrew.errors import Refusal, RefusalReason, WireError
from ratscrew.game.codec import Codec
from ratscrew.judge.page_state import PageState
from ratscrew.limits.limits import Limits
from ratscrew.protocol import wire
from ratscrew.protocol.channel import Channel
from ratscrew.protocol.metrics_sink import LatencyProbe, MetricsSink
from ratscrew.protocol.ping_bursts import PingBursts
from ratscrew.protocol.rtt_probe import RttProbe
from ratscrew.table.core.room_commands import name_of
from ratscrew.table.record.clock import Clock
from ratscrew.table.record.log_budget import PRICES, price_unchanged
from ratscrew.table.record.messages import EventMessage, Refused, RequestName
from ratscrew.table.record.requests import Request, seat_of
from ratscrew.table.registry.room_registry import code_of
from ratscrew.table.room.page_pinger import probe_every_s
from ratscrew.table.room.room import Room
from ratscrew.table.room.subscriber import Broadcast, TableSnapshot
from ratscrew.table.session.slap_measurement import Press
from ratscrew.table.session.slap_tracker import SlapContact

ENOUGH_S = 1.5
"""A page that was pinged less than so long ago, at a card or in a race, is not pinged by a probe during a game."""

PROOF_EVERY, PROOF_AT_REST_EVERY = 4, 2
"""One in so many probes, while a game is running and otherwise, is also a ping that the browser's network code answers,
and its kernel: these bound what the page's answers may claim. Each probe is, in play, if the kernel does not tell. Of
the first pings to a new page, one in `PROOF_EVERY` is."""

FOLLOWS_CARD_S = 0.01
"""After each card comes an empty frame that needs no answer: a lost packet with the card in it is noticed when another
packet follows it."""

PINGS_MOST = 256
"""Pings that may be without an answer: honest pages have far fewer."""

MISSED_MOST = 64 * 1024
"""Bytes of missed events; a client that has missed more gets a snapshot."""

SILENT_S = 10.0
"""How long a ping may be without an answer: a page that is more behind is gone, and has to come back."""

TO = Codec[wire.ServerMessage](wire.ServerMessage)


class PlayerConnection:
    """A `Subscriber` at the other end of a socket."""

    def __init__(
        self,
        channel: Channel,
        clock: Clock,
        room: Room,
        seats: tuple[int, ...],
        rtt_probe: RttProbe,
        metrics: MetricsSink,
        limits: Limits,
        address: str,
        bursts: PingBursts,
        version: str,
        page: str | None = None,
        leave: Callable[[], wire.RoomMoved] = wire.RoomMoved,
    ) -> None:
        """`version` is the hash of the message types: a page with another one reloads. `leave` makes the message that
        sends the client to another server, when the room goes there."""
        self.seats, self.page_state = seats, PageState(bounded=rtt_probe.bounded)
        self._channel, self._clock, self._room, self._page, self._rtt_probe = channel, clock, room, page, rtt_probe
        self._latency, self._leave, self._version = LatencyProbe(metrics), leave, version
        self._limits, self._address, self._bursts = limits, address, bursts
        self._ping_count = self._probes = self._newest_ping_us = 0
        self._loop = asyncio.get_running_loop()

    # From the room

    def send_snapshot(self, snapshot: TableSnapshot) -> None:
        """See `Subscriber`. In a frame of its own, so that a page of an older version can read that it is outdated."""
        self._channel.flush()
        self._send(welcome(self._version, snapshot, self.seats, self._room.epoch))
        self._channel.flush()

    def resume(self, snapshot: TableSnapshot, missed: Sequence[EventMessage]) -> None:
        frames = [TO.encode(event) for event in missed]
        if sum(map(len, frames)) > MISSED_MOST:
            self.send_snapshot(snapshot)
            return
        self._send(wire.Reconnected(snapshot.version, snapshot.seats, snapshot.ready, snapshot.clock, self._room.epoch))
        for frame in frames:
            self._channel.send(frame)

    def announce(self, n: int, at_us: int) -> None:
        self._send(wire.RevealAt(n, round(at_us / self._clock.speed) / 1000))
        if self._rtt_probe.may_lose_packets:
            self._loop.call_later(FOLLOWS_CARD_S, self._channel.pong, b"")

    def send(self, broadcast: Broadcast) -> None:
        if broadcast.frames is None:
            broadcast.frames = [TO.encode(message) for message in broadcast.messages]
        self._latency.sent(broadcast.messages)
        for frame in broadcast.frames:
            self._channel.send(frame)

    def disconnect(self, why: str) -> None:
        if why == "moved":
            self._send(self._leave())
        elif why != "restart":
            self._send(wire.Bye(cast(Literal["elsewhere", "closed", "removed", "unkept"], why)))
        self._channel.close()

    # From the page

    def receive(self, message: wire.ClientMessage, arrived_us: int) -> None:
        """Handle a message of the page.

        Raises: WireError for a second `hello`.
        """
        match message:
            case wire.SlapMessage():
                self.slap(message, arrived_us, self._rtt_probe.slap_most_us)
            case wire.PlayMessage(n, seat):
                self._latency.received("play")
                self._room.play(self, n, seat)
            case wire.Beat(c_ms):
                try:
                    self.page_state.record_heartbeat(self._us(c_ms), arrived_us)
                except Refusal as refusal:
                    self._refuse("beat", refusal.reason)
                else:
                    self._room.check_race()
            case wire.Visibility(visible):
                self.page_state.visible = visible
                self._room.check_race()
            case wire.Pong(k, c_ms, n, p_ms, f_ms) if (sent_us := self.page_state.pings_us.get(k)) is not None:
                pings_us = self.page_state.pings_us
                self.page_state.pings_us = {later: us for later, us in pings_us.items() if later > k}
                if n is not None and p_ms is not None:
                    self.page_state.note_paint(n, self._us(p_ms), arrived_us)
                if f_ms is not None:
                    self.page_state.frame_us = self._us(f_ms)
                self.page_state.record_pong(sent_us, arrived_us, self._us(c_ms))
                self._room.check_race()
            case wire.Pong():
                self.page_state.refused[RefusalReason.NOT_SHOWN] += 1
            case wire.Hello():
                raise WireError("hello is said once")
            case _ if self._page is None or message.s is None:
                self._request(message)
            case _:  # it may come again, and by another connection; each time it is answered
                self._room.once(self, self._page, message.s, partial(self._request, message))

    def slap(
        self, slap: wire.SlapMessage, arrived_us: int, rtt_most_us: int | None = None, by_second: bool = False
    ) -> None:
        """Pass a slap on, once: it may come `by_second` socket too. `rtt_most_us` is the longest round trip of the way
        by which it came, if that may be another one than the cards'.

        A slap for a seat that this page does not hold is refused before anything is stored.
        """
        seat = slap.seat if slap.seat is not None else next(iter(self.seats), -1)
        if seat not in self.seats:
            self._refuse("slap", RefusalReason.NOT_PLAYING, slap.seat)
            return
        speed = self._clock.speed * 1000
        pressed_us = round(slap.t_ms * speed)
        try:
            if not self.page_state.record_press(seat, (slap.s, slap.contact), pressed_us, arrived_us, by_second):
                return
        except Refusal as refusal:
            self._refuse("slap", refusal.reason, slap.seat)
            return
        if self._limits.slap(self._room, self._room.table.seats[seat].player_id, self._address):
            self._refuse("slap", RefusalReason.SLOW_DOWN, slap.seat)
            return
        self._latency.received("slap")
        press = Press(arrived_us, round(slap.p_ms * speed), pressed_us, rtt_most_us)
        self._room.slap(self, slap.n, press, SlapContact(slap.contact, slap.after), seat)

    def _request(self, request: Request) -> None:
        """Pass a request on, if the page holds a seat and has not asked for too much."""
        what, seat = name_of(request), seat_of(request)
        if seat is None:
            seat = next(iter(self.seats), None)
        if seat is None or seat not in self.seats:
            self._refuse(what, RefusalReason.NOT_PLAYING)
            return
        room, table = self._room, self._room.table
        player, before = table.seats[seat].player_id, (table.state.round, table.state.version)
        if self._limits.request(room, player, self._address, PRICES[what]):
            self._refuse(what, RefusalReason.SLOW_DOWN)
            return
        room.request(self, request)
        if (table.state.round, table.state.version) == before:
            self._limits.refund_request(room, player, self._address, PRICES[what] - price_unchanged(what))

    def _refuse(self, what: RequestName, why: RefusalReason, seat: int | None = None) -> None:
        self.send(Broadcast((Refused(what, why.value, seat),)))

    def _us(self, page_ms: float) -> int:
        """A page's milliseconds as microseconds of the table's clock, which may go faster."""
        return round(page_ms * 1000 * self._clock.speed)

    # Probing

    def start(self) -> None:
        """Ping a new page often at first; then its room probes it. The kernel tells at once how far away it is."""
        self.page_state.update_bounds()
        self._bursts.begin(self._ping_in_burst)

    def close(self) -> None:
        """The connection has ended."""
        self._bursts.end(self._ping_in_burst)
        self._room.exit(self)

    def probe(self, playing: bool) -> None:
        self._probes += 1
        if not playing or self._clock.now_us() - self._newest_ping_us >= ENOUGH_S * self._clock.speed * 1e6:
            self.ping()
        if self._probes % (PROOF_EVERY if playing else PROOF_AT_REST_EVERY) == 0 or (
            playing and self.page_state.rtt_estimator.kernel_us is None
        ):
            self._measure_proof()

    def _ping_in_burst(self) -> None:
        if self._ping_count % PROOF_EVERY == 0 or self.page_state.rtt_estimator.kernel_us is None:
            self._measure_proof()
        self.ping()

    def _measure_proof(self) -> None:
        self._rtt_probe.ping()
        self.page_state.jitter_us = self._rtt_probe.jitter_us

    def ping(self) -> None:
        # At each ping: a client that was slow when it connected is not far away for a moment longer than it is slow.
        self.page_state.update_bounds()
        self._ping_count += 1
        pings_us, now_us = self.page_state.pings_us, self._clock.now_us()
        pings_us[self._ping_count] = self._newest_ping_us = now_us
        silent_us = now_us - next(iter(pings_us.values()))
        if silent_us > SILENT_S * 1e6 * self._clock.speed or len(pings_us) > PINGS_MOST:
            self._channel.abort()
            return
        playing = self._room.table.state.playing
        next_s = probe_every_s(playing) + (ENOUGH_S if playing else 0)
        self._send(wire.Ping(self._ping_count, round(next_s * 1000)))

    def _send(self, message: wire.ServerMessage) -> None:
        self._channel.send(TO.encode(message))


def welcome(
    version: str, snapshot: TableSnapshot, seats: tuple[int, ...], epoch: int, delay_ms: int = 0
) -> wire.Welcome:
    """The snapshot of a table for a page with these seats."""
    return wire.Welcome(
        version,
        code_of(snapshot.room),
        snapshot.game,
        snapshot.version,
        next(iter(seats), None),
        seats,
        snapshot.host,
        snapshot.kind,
        snapshot.rated,
        snapshot.seats,
        snapshot.house,
        snapshot.listed,
        snapshot.locked,
        snapshot.paused,
        snapshot.paused_by,
        snapshot.ready,
        snapshot.removed,
        None if snapshot.closed_us is None else snapshot.closed_us // 1000,
        snapshot.view,
        snapshot.clock,
        snapshot.promise,
        snapshot.commitment,
        epoch,
        delay_ms,
    )
