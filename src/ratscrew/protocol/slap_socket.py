"""The second socket of a page: its slaps count as if they had come by the first, as soon as one of both has them."""

from __future__ import annotations

import asyncio
from random import random

from ratscrew.errors import WireError
from ratscrew.judge.rtt_estimator import RttEstimator
from ratscrew.protocol import wire
from ratscrew.protocol.player_connection import PlayerConnection
from ratscrew.protocol.rtt_probe import RttProbe
from ratscrew.table.room.room import Room

PING_EVERY_S, REST_EVERY_S = 2.0, 8.0
"""How often the browser's network code is pinged: in a game if the kernel does not tell the round trip; otherwise."""


class SlapSocket:
    """Receives slaps for the page that holds the seats of these players.

    Slaps by a socket whose round trip only the page itself tells do not count.
    """

    def __init__(self, room: Room, player_ids: tuple[int, ...], rtt_probe: RttProbe) -> None:
        self._room, self._player_ids, self._rtt_probe = room, player_ids, rtt_probe
        self._loop = asyncio.get_running_loop()
        self._timer = self._loop.call_soon(self._probe)

    def close(self) -> None:
        """The connection has ended."""
        self._timer.cancel()

    def receive(self, slap: wire.ClientMessage, arrived_us: int) -> None:
        """Handle a slap.

        Raises: WireError for any other message.
        """
        if not isinstance(slap, wire.SlapMessage):
            raise WireError("this socket is for slaps")
        seats = self._room.table.state.seats_of(self._player_ids)
        connection = self._room.subscriber_at(seats[0]) if seats else None
        max_rtt_us = self._rtt_probe.bounded(RttEstimator()).max_rtt_us
        if isinstance(connection, PlayerConnection) and connection.seats == seats and max_rtt_us is not None:
            connection.slap(slap, arrived_us, max_rtt_us, by_second=True)

    def _probe(self) -> None:
        self._rtt_probe.ping()
        known = self._rtt_probe.kernel_us is not None
        every_s = PING_EVERY_S if self._room.table.state.playing and not known else REST_EVERY_S
        self._timer = self._loop.call_later(every_s * (0.5 + random()), self._probe)
