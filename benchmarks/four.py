"""Rooms of four people, as the server sees them: what their pages send in real play, and how soon all four are told.

They cost this process little, so that the server is what is measured: the four pages of a room share what they know
of the game, and most messages are not read further than their kind.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import msgspec

from benchmarks.person import REACTION_S, SEES, TEXT, TURN_S, Line, Sample, connect_raw, frame
from benchmarks.ticket import Ticket

PEOPLE = 4
ERRS = 0.01
"""The share of the cards that somebody slaps by mistake."""

FIRST_BEAT_S, BEAT_S, BEATS_S = 0.15, 0.05, 1.5
"""When a page begins to say that nothing has been slapped, how often it does, and until when."""

_V = len('{"t":"told","v":')
_K = len('{"t":"ping","k":')


class To(msgspec.Struct):
    """Where play stands."""

    phase: str
    turn: int


class Event(msgspec.Struct):
    """What is needed of an event."""

    e: str
    n: int = 0
    seat: int = -1
    card: str | None = None
    order: Any = None
    to: To | None = None


class Told(msgspec.Struct):
    """An event with its number."""

    v: int
    e: Event


class View(msgspec.Struct):
    """What is needed of a view."""

    n: int
    to: To


class Message(msgspec.Struct):
    """What is needed of the messages that are read."""

    game: str = ""
    version: int = 0
    view: View | None = None
    n: int = 0
    at_ms: float = 0
    what: str = ""


_told = msgspec.json.Decoder(Told).decode
_read = msgspec.json.Decoder(Message).decode


class Waited:
    """Something that one has sent, and all four wait to be told of."""

    __slots__ = ("heard", "sent")

    def __init__(self, sent: float) -> None:
        self.sent, self.heard = sent, 0


class _Page:
    """One of the four, with both sockets; `version` is what he has of the game."""

    def __init__(self, room: Four, seat: int) -> None:
        self._room, self._seat, self.version = room, seat, 0
        self.line: Line | None = None
        self.lane: Line | None = None

    def hear(self, body: bytes, now: float) -> None:
        """A message of the server."""
        room = self._room
        room.sample().counts["out"] += 1
        match body[6:8]:
            case b"to":
                version = int(body[_V : body.index(b",", _V)])
                room.sample().counts["gaps"] += version != self.version + 1
                self.version = version
                room.told(version, body, now)
            case b"tu":
                room.flies(now)
            case b"pi":
                room.say(self.line, b'{"t":"pong","k":%s,"c_ms":%.3f}' % (body[_K:-1], now * 1e3))
            case b"so":
                room.soon(_read(body))
            case b"we":
                message = _read(body)
                self.version = message.version
                room.welcome(message)
            case b"re" if _read(body).what == "play":
                room.again()


class Four:
    """A room with four people, who turn their cards, slap what they see, and now and then what is not there."""

    def __init__(self, sample: Callable[[], Sample], tickets: Iterable[Ticket]) -> None:
        self.sample, self._tickets = sample, tuple(tickets)
        self._pages = [_Page(self, seat) for seat in range(PEOPLE)]
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._game, self._ranks = "", ""
        self._version = self._n = self._soon = self._serial = 0
        self._to = To("", 0)
        self._play: Waited | None = None
        self._slapped: dict[int, float] = {}
        self._waited: dict[int, Waited] = {}

    async def come(self, port: int, begin: bool = True) -> None:
        """All sit down; with `begin` each has the second socket of who plays, and the host deals if it is time."""
        self._loop, self._begin = asyncio.get_running_loop(), begin
        for page, ticket in zip(self._pages, self._tickets, strict=True):
            page.line = await connect_raw(port, page.hear, ticket.room, ticket.cookie)
            page.line.say(ticket.hello)
            if begin:
                page.lane = await connect_raw(port, lambda body, now: None, ticket.room, ticket.cookie)
                page.lane.say({**ticket.hello, "only": "slaps"})

    def go(self) -> None:
        """All get up."""
        for timer in self._timers.values():
            timer.cancel()
        for page in self._pages:
            for line in (page.line, page.lane):
                if line:
                    line.close()

    def say(self, line: Line | None, body: bytes) -> None:
        """One of them says something."""
        if line:
            self.sample().counts["in"] += 1
            line.send(frame(TEXT, body))

    # What they hear

    def welcome(self, message: Message) -> None:
        """One of them has come, or a game begins."""
        if message.view is None:
            if self._begin:
                self._later("turn", TURN_S[1], lambda: self.say(self._pages[0].line, b'{"t":"start"}'))
        elif message.game != self._game or message.version > self._version:
            self._game, self._version, self._n = message.game, message.version, message.view.n
            self._ranks, self._soon = "", 0
            self._mind(message.view.to)

    def soon(self, message: Message) -> None:
        """A card comes; each page will say that it has painted it."""
        if message.n > self._soon:
            self._soon, shown = message.n, message.at_ms / 1e3
            self._later("seen", shown - time.perf_counter(), lambda: self._seen(message.n, shown))

    def flies(self, now: float) -> None:
        """One of them has been told that a card has left its hand."""
        if self._play:
            self._heard(self._play, "play", now)

    def told(self, version: int, body: bytes, now: float) -> None:
        """One of them has been told an event; who is the first has it read."""
        if version > self._version:
            self._version = version
            self._happened(_told(body), now)
        if waited := self._waited.get(version):
            self._heard(waited, "wrong slap", now)
            if waited.heard == PEOPLE:
                del self._waited[version]

    def again(self) -> None:
        """A card could not be turned."""
        self._mind(self._to)

    # What they do

    def _happened(self, told: Told, now: float) -> None:
        event = told.e
        match event.e:
            case "played":
                self.sample().counts["cards"] += 1
                self._n, self._ranks = event.n, (str(event.card)[0] + self._ranks)[:3]
                self._slapped.clear()
                self._look()
            case "fouled" if sent := self._slapped.pop(event.seat, 0.0):
                self._waited[told.v] = Waited(sent)
            case "judged" if sent := self._slapped.pop(event.order[0]["seat"], 0.0):
                self.sample().delays_ms["race"].append((now - sent) * 1e3)
            case "taken":
                self._ranks = ""
        if event.e in ("judged", "measured", "slapped", "taken"):
            self._cancel("beat")
        if event.to:
            self._mind(event.to)

    def _heard(self, waited: Waited, what: str, now: float) -> None:
        waited.heard += 1
        if waited.heard == PEOPLE:
            self.sample().delays_ms[what].append((now - waited.sent) * 1e3)
            self._play = None if waited is self._play else self._play

    def _mind(self, to: To) -> None:
        """Whose turn it is turns his card after a while."""
        self._to = to
        if to.phase == "over":
            self._later("turn", TURN_S[1], lambda: self.say(self._pages[0].line, b'{"t":"again"}'))
        elif to.phase in ("play", "last"):
            self._later("turn", random.uniform(*TURN_S), self._turn)
        else:
            self._cancel("turn")

    def _turn(self) -> None:
        self._play = Waited(time.perf_counter())
        self.say(self._pages[self._to.turn].line, b'{"t":"play","n":%d}' % self._n)

    def _look(self) -> None:
        """Each slaps the newest card, or not."""
        share = SEES if self._ranks[:1] in self._ranks[1:] else ERRS
        for seat in range(PEOPLE):
            if random.random() < share:
                self._later(f"slap {seat}", max(0.25, random.gauss(*REACTION_S)), partial(self._slap, seat, self._n))

    def _slap(self, seat: int, n: int) -> None:
        now = self._slapped[seat] = time.perf_counter()
        self._serial += 1
        page, shown = self._pages[seat], now - REACTION_S[0]
        body = b'{"t":"slap","n":%d,"p_ms":%.3f,"t_ms":%.3f,"s":%d}' % (n, shown * 1e3, now * 1e3, self._serial)
        for line in (page.line, page.lane):
            self.say(line, body)

    def _seen(self, n: int, shown: float) -> None:
        self._all(b'{"t":"seen","n":%d,"p_ms":%.3f,"f_ms":16.667}' % (n, shown * 1e3))
        self._later("beat", FIRST_BEAT_S, lambda: self._beat(shown + BEATS_S))

    def _beat(self, until: float) -> None:
        now = time.perf_counter()
        self._all(b'{"t":"beat","c_ms":%.3f}' % (now * 1e3))
        if now < until:
            self._later("beat", BEAT_S, lambda: self._beat(until))

    def _all(self, body: bytes) -> None:
        """All four say the same."""
        self.sample().counts["in"] += PEOPLE
        data = frame(TEXT, body)
        for page in self._pages:
            if page.line:
                page.line.send(data)

    def _later(self, name: str, delay_s: float, do: Callable[[], None]) -> None:
        self._cancel(name)
        self._timers[name] = self._loop.call_later(max(0.0, delay_s), do)

    def _cancel(self, name: str) -> None:
        if timer := self._timers.pop(name, None):
            timer.cancel()
