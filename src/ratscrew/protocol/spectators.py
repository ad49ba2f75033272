"""Clients that watch a room from elsewhere: each is one of its room's `Audience`, and can only answer pings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, cast
from weakref import WeakKeyDictionary

from ratscrew.errors import RefusalReason, WireError
from ratscrew.game.codec import Codec
from ratscrew.protocol import wire
from ratscrew.protocol.channel import Channel
from ratscrew.protocol.player_connection import TO, welcome
from ratscrew.table.core.room_commands import name_of
from ratscrew.table.record.clock import Clock
from ratscrew.table.record.messages import Message, Refused
from ratscrew.table.room.audience import ALIVE_EVERY_S, DELAY_S, Audience, Encoding
from ratscrew.table.room.room import Room
from ratscrew.table.room.subscriber import TableSnapshot

UNANSWERED_MOST = 3
"""A watcher that has not answered so many pings is disconnected."""

NEXT_S = 3 * ALIVE_EVERY_S
"""Within this time a watcher gets another message: one who has just come is pinged in the round after the next."""

_MESSAGES = Codec[list[Message]](list[Message])
_NOT_A_PLAYER = RefusalReason.NOT_PLAYING.value


class Spectators:
    """The audiences of a server's rooms."""

    def __init__(self, clock: Clock, version: str, frame: Callable[[bytes], bytes]) -> None:
        """`version` is the hash of the message types; `frame` makes of JSON what all their channels send as it is."""
        self._clock, self._version, self._frame = clock, version, frame
        self._audiences: WeakKeyDictionary[Room, Audience] = WeakKeyDictionary()

    def watch(
        self, room: Room, channel: Channel, leave: Callable[[], wire.RoomMoved] = wire.RoomMoved
    ) -> WatcherConnection:
        """Let a client watch a room, until its connection is closed."""
        audience = self._audiences.get(room)
        if audience is None or audience.ended:
            audience = Audience(room.enter, lambda: room.table.state.playing, self._clock, self._encoding(room.epoch))
            self._audiences[room] = audience
        watcher = WatcherConnection(channel, room, audience, leave)
        audience.come(watcher)
        return watcher

    def restart(self, room: Room) -> None:
        """A name was deleted in this room: its watchers get a new snapshot, and nothing that was sent before."""
        if audience := self._audiences.get(room):
            audience.restart()

    def _encoding(self, epoch: int) -> Encoding:
        def snapshot(seen: TableSnapshot) -> bytes:
            return self._frame(TO.encode(welcome(self._version, seen, (), epoch, round(DELAY_S * 1000))))

        def messages(seen: Sequence[Message]) -> bytes:
            return self._frame(_MESSAGES.encode(list(seen)))

        return Encoding(messages, snapshot)


class WatcherConnection:
    """A `Watcher` at the other end of a socket."""

    def __init__(self, channel: Channel, room: Room, audience: Audience, leave: Callable[[], wire.RoomMoved]) -> None:
        self._channel, self._room, self._audience, self._leave = channel, room, audience, leave
        self._pings = self._unanswered = 0
        self.ping()

    def send_frame(self, frame: bytes) -> None:
        self._channel.send_frame(frame)

    def ping(self) -> None:
        self._unanswered += 1
        if self._unanswered > UNANSWERED_MOST:
            self._channel.abort()
            return
        self._pings += 1
        self._channel.send(TO.encode(wire.Ping(self._pings, round(NEXT_S * 1000))))

    def disconnect(self, why: str) -> None:
        if why == "moved":
            self._channel.send(TO.encode(self._leave()))
        elif why != "restart":
            bye = wire.Bye(cast(Literal["closed", "unkept"], why))
            self._channel.send(TO.encode(bye))
        self._channel.close()

    def receive(self, message: wire.ClientMessage, _: int) -> None:
        """Handle a message of the page: it has no seat.

        Raises: WireError for a second `hello`.
        """
        match message:
            case wire.Pong():
                self._unanswered = 0
            case wire.Visibility() | wire.Beat():
                pass
            case wire.Hello():
                raise WireError("hello is said once")
            case wire.PlayMessage():
                self._refuse("play")
            case wire.SlapMessage():
                self._refuse("slap")
            case _:
                self._refuse(name_of(message))

    def close(self) -> None:
        """The connection has ended. With its last watcher an audience leaves its room."""
        self._audience.go(self)
        if not len(self._audience) and not self._audience.ended:
            self._audience.ended = True
            self._room.exit(self._audience)

    def _refuse(self, what: str) -> None:
        self._channel.send(TO.encode(Refused(what, _NOT_A_PLAYER)))  # type: ignore[arg-type]  # a tag of the wire
