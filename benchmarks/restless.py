"""Pages that never rest, and remember whatever they were told: for trials in which nothing of it may be lost.

They play and slap much faster than people, by sockets without a library. All pages of a trial share one `Memory`.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable, Sequence
from random import Random
from typing import Any, NamedTuple

import msgspec

from benchmarks.person import Line, Message, connect
from benchmarks.ticket import Ticket
from ratscrew.game.codec import Codec
from ratscrew.log.protocol import EventLog
from ratscrew.table.messages import EventMessage
from ratscrew.table.records.entries import Entry, redact

TURN_S, SLAP_S = (0.005, 0.06), (0.03, 0.3)
"""How soon a page turns its card, and slaps the newest one, between these."""

SLAPS, SIGNS = 0.15, 0.03
"""The shares of the cards that a page slaps, whatever lies there, and makes a sign at."""

_TOLD = Codec[EventMessage](EventMessage)


class Verdict(NamedTuple):
    """What a log has of what was told: so many events, of which so many it has not, or has otherwise."""

    told: int
    missing: int
    different: int


class Memory:
    """Everything that any page was ever told of any game, by the game's name and the event's number.

    `upto` is the last number that was spoken of; `contradicted` are events that two pages were told differently,
    `gaps` are jumps in what one page was told.
    """

    def __init__(self) -> None:
        self.events: dict[tuple[str, int], Any] = {}
        self.upto: dict[str, int] = {}
        self.contradicted: set[tuple[str, int]] = set()
        self.gaps = 0

    def reached(self, game: str, version: int) -> None:
        """A page was told that there are so many events."""
        self.upto[game] = max(version, self.upto.get(game, 0))

    def note(self, game: str, version: int, event: Any) -> None:
        """A page was told an event."""
        self.reached(game, version)
        if self.events.setdefault((game, version), event) != event:
            self.contradicted.add((game, version))

    def verdict(self, log: EventLog[Entry]) -> Verdict:
        """Compare all of it with the log: a number that was only spoken of has to be there as well."""
        missing, different = 0, set(self.contradicted)
        for game, upto in self.upto.items():
            entries = log.read(game)
            missing += max(0, upto - len(entries))
            for version, entry in enumerate(entries, 1):
                kept = msgspec.json.decode(_TOLD.encode(EventMessage(version, redact(entry.event))))["e"]
                if self.events.get((game, version), kept) != kept:
                    different.add((game, version))
        return Verdict(sum(self.upto.values()), missing, len(different))


class Page:
    """One page, in front of a seat, or none: then it watches. It comes back with what it has."""

    def __init__(self, memory: Memory, rng: Random, ticket: Ticket) -> None:
        self.ticket = ticket
        self.seat: int | None = None
        self.heard = 0
        self._memory, self._rng = memory, rng
        self._game, self._version, self._n, self._slaps = "", 0, 0, 0
        self._line: Line | None = None

    async def come(self, port: int) -> None:
        """Come, or come back.

        Raises: OSError if nobody is there.
        """
        self._line = await connect(port, self._hear, self.ticket.room, self.ticket.cookie)
        have = {"game": self._game, "version": self._version} if self._game else {}
        self._say({**self.ticket.hello, **have})

    def go(self) -> None:
        """Hang up."""
        if self._line:
            self._line.close()

    async def ended(self) -> None:
        """Wait until the line has ended, and all that came by it is heard."""
        if self._line:
            await self._line.closed

    def forget(self) -> None:
        """From now on know nothing of the room."""
        self._game, self._version, self.seat, self.heard = "", 0, None, 0

    def leave(self) -> None:
        """Leave the seat for good, if the server hears of it, and go."""
        self._say({"t": "leave"})
        self.go()

    def _hear(self, message: Message, now_s: float) -> None:
        match message["t"]:
            case "ping":
                self._say({"t": "pong", "k": message["k"], "c_ms": now_s * 1e3})
            case "welcome":
                self._game, self._version, self.seat = message["game"], message["version"], message["you"]
                self._memory.reached(self._game, self._version)
                if message["view"]:
                    self._n = message["view"]["n"]
                    self._mind(message["view"]["to"])
                elif self.seat is not None and self.seat == message["host"]:
                    self._soon(TURN_S, {"t": "start"})
            case "back":
                self._memory.reached(self._game, message["version"])
            case "soon" if message["n"] > self._n:
                self._soon(TURN_S, {"t": "seen", "n": message["n"], "p_ms": message["at_ms"], "f_ms": 16.7})
            case "told":
                self._told(message)
            case "refused" if message["what"] == "play" and message["why"] != "twice":
                self._soon(SLAP_S, {"t": "play", "n": self._n})

    def _told(self, message: Message) -> None:
        version, event = message["v"], message["e"]
        self._memory.gaps += version != self._version + 1
        self._version = version
        self._memory.note(self._game, version, event)
        self.heard += 1
        if event["e"] == "played":
            self._n = event["n"]
            if self._rng.random() < SLAPS:
                self._slaps, now_ms = self._slaps + 1, time.perf_counter() * 1e3
                slap = {"t": "slap", "n": self._n, "p_ms": now_ms, "t_ms": now_ms, "s": self._slaps}
                self._soon(SLAP_S, slap)
            if self._rng.random() < SIGNS:
                self._soon(SLAP_S, {"t": "react", "what": "wow"})
        if "to" in event:
            self._mind(event["to"])

    def _mind(self, to: Message) -> None:
        """Do what has to be done where play stands."""
        if self.seat is None:
            return
        if to["phase"] == "over":
            self._soon(SLAP_S, {"t": "again"})
        elif to["phase"] in ("play", "last") and to["turn"] == self.seat:
            self._soon(TURN_S, {"t": "play", "n": self._n})

    def _soon(self, between: tuple[float, float], message: Message) -> None:
        asyncio.get_running_loop().call_later(self._rng.uniform(*between), self._say, message)

    def _say(self, message: Message) -> None:
        if self._line:
            self._line.say(message)


async def arrive(pages: Iterable[Page], port: int) -> None:
    """All come at once; who finds nobody stays away."""
    await asyncio.gather(*(page.come(port) for page in pages), return_exceptions=True)


def lost(pages: Sequence[Page]) -> set[str]:
    """The rooms in which somebody has lost his seat, or nothing has happened since everybody came with nothing."""
    seated = {page.ticket.room for page in pages if page.ticket.player_id is not None and page.seat is None}
    return seated | ({page.ticket.room for page in pages} - {page.ticket.room for page in pages if page.heard})
