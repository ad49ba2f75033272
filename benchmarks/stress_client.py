"""Clients that send without pause and record all events they receive, for tests that no event gets lost.

They play and slap much faster than people, over sockets without a library. All clients of a run share one
`ReceivedEvents`.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable, Sequence
from random import Random
from typing import Any, NamedTuple

import msgspec

from benchmarks.credentials import Credentials
from benchmarks.simulated_player import Message, WebSocketClient, open_socket
from ratscrew.game.codec import Codec
from ratscrew.log.protocol import EventLog
from ratscrew.table.history.game_names import GameNames
from ratscrew.table.record.entries import Entry
from ratscrew.table.record.messages import EventMessage
from ratscrew.table.record.redaction import redact

TURN_S, SLAP_S = (0.005, 0.06), (0.03, 0.3)
"""The bounds of the delays after which a client turns its card, and slaps the newest one."""

SLAP_SHARE, REACTION_SHARE = 0.15, 0.03
"""The shares of the cards that a client slaps, pattern or not, and reacts to with an emoji."""

_CODEC = Codec[EventMessage](EventMessage)


class Comparison(NamedTuple):
    """A log compared with the received events: their number, how many are missing, how many differ."""

    received: int
    missing: int
    different: int


class ReceivedEvents:
    """All events that any client received, by game and event number.

    `upto` is the highest number that the server mentioned; `conflicting` are events that two clients received with
    different contents; `gaps` counts jumps in the event numbers of one client.
    """

    def __init__(self) -> None:
        self.events: dict[tuple[str, int], Any] = {}
        self.upto: dict[str, int] = {}
        self.conflicting: set[tuple[str, int]] = set()
        self.gaps = 0

    def note_version(self, game: str, version: int) -> None:
        """Record that the server said a game has this many events."""
        self.upto[game] = max(version, self.upto.get(game, 0))

    def add(self, game: str, version: int, event: Any) -> None:
        """Record a received event."""
        self.note_version(game, version)
        if self.events.setdefault((game, version), event) != event:
            self.conflicting.add((game, version))

    def compare(self, log: EventLog[Entry]) -> Comparison:
        """Compare with the log, which must also hold events whose number was only mentioned."""
        missing, different, names = 0, set(self.conflicting), GameNames.read(log)
        for game, upto in self.upto.items():
            entries = log.read(names.in_log(game) or game)
            missing += max(0, upto - len(entries))
            for version, entry in enumerate(entries, 1):
                stored = msgspec.json.decode(_CODEC.encode(EventMessage(version, redact(entry.event))))["e"]
                if self.events.get((game, version), stored) != stored:
                    different.add((game, version))
        return Comparison(sum(self.upto.values()), missing, len(different))


class StressClient:
    """One client, at a seat or watching. A reconnecting client sends the version that it has."""

    def __init__(self, received: ReceivedEvents, rng: Random, credentials: Credentials) -> None:
        self.credentials = credentials
        self.seat: int | None = None
        self.events_received = 0
        self._received, self._rng = received, rng
        self._game, self._version, self._n, self._slaps = "", 0, 0, 0
        self._socket: WebSocketClient | None = None

    async def connect(self, port: int) -> None:
        """Connect, or reconnect.

        Raises: OSError if no server is there.
        """
        self._socket = await open_socket(port, self._on_message, self.credentials.room, self.credentials.cookie)
        have = {"game": self._game, "version": self._version} if self._game else {}
        self._send({**self.credentials.hello, **have})

    def close(self) -> None:
        """Close the connection."""
        if self._socket:
            self._socket.close()

    async def wait_closed(self) -> None:
        """Wait until the connection has ended and all its messages are received."""
        if self._socket:
            await self._socket.closed

    def reset(self) -> None:
        """Forget the state of the room."""
        self._game, self._version, self.seat, self.events_received = "", 0, None, 0

    def leave(self) -> None:
        """Ask to leave the seat for good, and close the connection."""
        self._send({"t": "leave"})
        self.close()

    def _on_message(self, message: Message, now_s: float) -> None:
        match message["t"]:
            case "ping":
                self._send({"t": "pong", "k": message["k"], "c_ms": now_s * 1e3})
            case "welcome":
                self._game, self._version, self.seat = message["game"], message["version"], message["you"]
                self._received.note_version(self._game, self._version)
                if message["view"]:
                    self._n = message["view"]["n"]
                    self._act(message["view"]["standing"])
                elif self.seat is not None and self.seat == message["host"]:
                    self._send_later(TURN_S, {"t": "start"})
            case "reconnected":
                self._received.note_version(self._game, message["version"])
            case "event":
                self._on_event(message)
            case "refused" if message["request"] == "play" and message["reason"] != "twice":
                self._send_later(SLAP_S, {"t": "play", "n": self._n})

    def _on_event(self, message: Message) -> None:
        version, event = message["v"], message["e"]
        self._received.gaps += version != self._version + 1
        self._version = version
        self._received.add(self._game, version, event)
        self.events_received += 1
        self._react(event)

    def _react(self, event: Message) -> None:
        """Act after an event: slap, react with an emoji, turn the next card."""
        if event["e"] == "played":
            self._n = event["n"]
            if self._rng.random() < SLAP_SHARE:
                self._slaps, now_ms = self._slaps + 1, time.perf_counter() * 1e3
                slap = {"t": "slap", "n": self._n, "p_ms": now_ms, "t_ms": now_ms, "s": self._slaps}
                self._send_later(SLAP_S, slap)
            if self._rng.random() < REACTION_SHARE:
                self._send_later(SLAP_S, {"t": "react", "reaction": "wow"})
        if "standing" in event:
            self._act(event["standing"])

    def _act(self, standing: Message) -> None:
        """Turn a card or start another game, if it is this client's turn to."""
        if self.seat is None:
            return
        if standing["phase"] == "over":
            self._send_later(SLAP_S, {"t": "again"})
        elif standing["phase"] in ("play", "last_chance") and standing["turn"] == self.seat:
            self._send_later(TURN_S, {"t": "play", "n": self._n})

    def _send_later(self, between: tuple[float, float], message: Message) -> None:
        asyncio.get_running_loop().call_later(self._rng.uniform(*between), self._send, message)

    def _send(self, message: Message) -> None:
        if self._socket:
            self._socket.send_message(message)


async def connect_all(clients: Iterable[StressClient], port: int) -> None:
    """Connect all clients at once; without a server they stay disconnected."""
    await asyncio.gather(*(client.connect(port) for client in clients), return_exceptions=True)


def rooms_lost(clients: Sequence[StressClient]) -> set[str]:
    """The rooms in which a player has lost their seat, or no event has arrived since all clients were reset."""
    seated = {
        client.credentials.room
        for client in clients
        if client.credentials.player_id is not None and client.seat is None
    }
    return seated | (
        {client.credentials.room for client in clients}
        - {client.credentials.room for client in clients if client.events_received}
    )
