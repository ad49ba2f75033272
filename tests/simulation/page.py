"""A simulated page with one or two players, or one that watches: it comes and goes, plays, slaps, and makes mistakes.

It uses only what the server has sent.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Protocol, get_args

import msgspec
from msgspec.structs import replace

from ratscrew.protocol import wire
from ratscrew.table.record import requests
from ratscrew.table.record.requests import Request
from ratscrew.table.record.table_action import TableAction
from ratscrew.web.http.cookies import COOKIE
from ratscrew.web.typescript import WIRE
from tests.simulation.invariants import Has, Invariants
from tests.simulation.network import Connection, Weather
from tests.simulation.server import IDENTITY, Server, TurnCancelled
from tests.simulation.truth import Known
from tests.simulation.world import START_US, World

DEEDS = [TableAction(do) for do in ("collect", "reveal", "contest", "notice", "forehead", "hover", "unhover", "feint")]
DEEDS += [TableAction(do, seat) for do in ("place", "award", "slap_down") for seat in (0, 1, 2)]
DEEDS += [TableAction("choose", half="top"), TableAction("choose", half="bottom"), TableAction("fake_slap")]

ONCE = (wire.PlayMessage, wire.SlapMessage, *get_args(Request))
"""Requests that have their effect once, however often they come."""

_ENCODER = msgspec.json.Encoder()


class Net(Protocol):
    """How a page reaches a server; it may be down."""

    weather: Weather

    def reach(self, url: str | None) -> Server | None:
        """The server at a URL, or any one; None if it is down."""
        ...


@dataclass
class Manners:
    """A player's habits: how quick, and how often they slap a pattern, or anything, or do something else."""

    quick_us: int = 400_000
    slaps: float = 0.9
    wild: float = 0.0
    hasty: float = 0.0
    odd: float = 0.0
    two_ways: bool = False


PATIENCE_US = 15_000_000
"""After so long without a message a page tries another server, if there are several."""


class Page:
    """One page. `names` are its players, `player_ids` and `cookies` hold their seats."""

    def __init__(self, world: World, net: Net, invariants: Invariants, number: int, manners: Manners) -> None:
        self.names: list[str] = []
        self.player_ids: list[int] = []
        self.cookies: dict[str, str] = {}
        self.code = ""
        self.has = Has()
        self.seats: list[int] = []
        self.shown = self.away = self.over = False
        self.manners = manners
        self._world, self._net, self._invariants, self._me = world, net, invariants, f"page {number}"
        self._name = f"{self._me} of this room"
        self._lines: list[Connection] = []
        self._painted: dict[int, float] = {}
        self._ahead_ms = world.between(-1000, 1_000_000)
        self._serial = self._thought = self._wishes = 0
        self._target: str | None = None
        self._ticket: str | None = None
        self._heard_us = 0
        self.impatient = False

    # Coming and going

    def sit(self, name: str, held: TurnCancelled) -> None:
        """Give the page another player with a seat."""
        self.names.append(name)
        self.player_ids.append(held.player_id)
        self.cookies[f"{COOKIE}-{IDENTITY}-{held.player_id}"] = held.token
        self.code, self.has = held.code, Has()

    def come(self) -> None:
        """Open the room with what the page has of it; if that fails, try again later."""
        if self._lines or self.away or self.over:
            return
        target, self._target = self._target, None
        ticket, self._ticket = self._ticket, None
        server = self._net.reach(target)
        if server is None:
            self._soon(1_000_000, self.come)
            return
        self.shown = False
        player_ids = tuple(self.player_ids)
        self._heard_us = self._world.now_us
        self._open(
            server, wire.Hello(player_ids, None, self.has.game or None, self.has.version, self._name, WIRE, ticket)
        )
        if self.manners.two_ways and player_ids:
            self._open(server, wire.Hello(player_ids, "slaps"))
        if self.impatient:
            self._soon(PATIENCE_US, partial(self._check_silence, self._lines[0]))

    def go(self) -> None:
        """Close the page."""
        self.away = True
        for line in self._lines:
            line.hang_up()
        self._lines = []

    def back(self) -> None:
        """Open it again."""
        self.away = False
        self.come()

    def lost(self, line: Connection) -> None:
        """A connection has ended: the page opens another."""
        if line in self._lines:
            for other in self._lines:
                other.hang_up()
            self._lines = []
            self._soon(self._world.between(0, 2_000_000), self.come)

    def _check_silence(self, line: Connection) -> None:
        if line not in self._lines:
            return
        if (left_us := self._heard_us + PATIENCE_US - self._world.now_us) > 0:
            self._soon(left_us, partial(self._check_silence, line))
        else:
            self.lost(line)

    def settled(self) -> bool:
        """Whether the page is in its room, by what it was sent, or has no room any more."""
        return self.over or (bool(self._lines) and self.shown)

    # Receiving

    def hear(self, line: Connection, data: bytes) -> None:
        """A message of the server has come."""
        if line not in self._lines[:1]:
            return
        message = msgspec.json.decode(data)
        self._heard_us = self._world.now_us
        match message["t"]:
            case "moved":
                self._target, self._ticket = message["to"], message["ticket"]
            case "welcome":
                self.has.game, self.has.version = message["game"], message["version"]
                self.seats, self.shown = message["yours"], True
                self._think_soon()
            case "reconnected":
                self.shown = True
                self._think_soon()
            case "event":
                if message["v"] != self.has.version + 1:
                    self._world.breaks(f"{self._me} has {self.has.version}, and is told {message['v']}")
                self.has.version += 1
                if message["e"]["e"] == "left" and message["e"]["seat"] in self.seats:
                    self.seats.remove(message["e"]["seat"])
                self._think_soon()
            case "ping":
                self.send(wire.Pong(message["k"], self._page_ms(), *max(self._painted.items(), default=())))
            case "reveal_at":
                self._soon(self._world.between(0, 30_000), partial(self._paint, message["n"], message["at_ms"]))
            case "refused" if message["request"] in ("play", "slap"):
                self._think_soon()
            case "bye":
                self.over = message["reason"] in ("removed", "garbage") or (
                    message["reason"] == "no_room" and self.shown
                )

    # Doing

    def send(self, message: wire.ClientMessage, both: bool = False) -> None:
        """Send a message."""
        if isinstance(message, get_args(Request)):
            self._wishes += 1
            message = replace(message, s=self._wishes)
        data = _ENCODER.encode(message)
        self._world.note(self._me, "says", data)
        for line in self._lines if both else self._lines[:1]:
            line.send(data, twice=isinstance(message, ONCE))

    def think(self) -> None:
        """Look at the table, and take an action."""
        seen, world, manners = self._invariants.view(self.has.game, self.has.version), self._world, self.manners
        if not self.settled() or not self.seats:
            return
        seat = world.chance.choice(self.seats)
        if world.happens(manners.odd):
            self._whim(seat)
        if seen is None or seen.end:
            if world.happens(0.5):
                self.send(requests.DealAgain() if seen else requests.Start())
            return
        to = seen.standing
        if to.turn in self.seats and (to.phase == "play" or (to.phase == "last_chance" and to.chances_left)):
            self._soon(manners.quick_us, partial(self._play, to.turn, seen.n))
        elif world.happens(manners.hasty):
            self._soon(manners.quick_us, partial(self._play, seat, seen.n))
        elif to.phase != "play" and to.turn in self.seats:
            self._soon(manners.quick_us, lambda: self.send(_act(TableAction("collect"), to.turn)))
        for mine in self.seats:
            if (seen.first_match() and world.happens(manners.slaps)) or world.happens(manners.wild):
                self._soon(world.between(150_000, 700_000), partial(self._slap, mine, seen.n))

    def rouse(self, known: Known) -> None:
        """Keep play going: the host adds a bot, reopens the room, and begins a game."""
        if not known.playing and known.host in self.seats:
            if sum(not who.gone for who in known.chairs.values()) < 2:
                self.send(requests.AddBot())
            if known.closed_us:
                self.send(requests.Reopen())
        self.think()

    def _play(self, seat: int, n: int) -> None:
        self.send(wire.PlayMessage(n, seat))

    def _slap(self, seat: int, n: int) -> None:
        self._serial += 1
        now_ms = self._page_ms()
        self.send(wire.SlapMessage(n, self._painted.get(n, now_ms - 300), now_ms, self._serial, seat=seat), both=True)
        self.send(wire.Beat(now_ms))

    def _whim(self, seat: int) -> None:
        """An optional action."""
        world, other = self._world, self._world.between(0, 4)
        whims: list[Callable[[], wire.ClientMessage]] = [
            lambda: requests.React("wow", seat),
            lambda: wire.Visibility(world.happens(0.5)),
            lambda: requests.Mute(other, world.happens(0.5)),
            lambda: requests.ListRoom(world.happens(0.5)),
            lambda: requests.AddBot("sharp"),
            lambda: requests.Remove(other),
            lambda: requests.Leave(seat),
            lambda: requests.House(world.chance.choice(["1;classic", "1;wiki", "1;nonsense"])),
            lambda: requests.Reopen(),
            lambda: requests.DealAgain(),
            lambda: requests.Start(),
            lambda: wire.PlayMessage(world.between(0, 30), other),
            lambda: wire.SlapMessage(world.between(0, 30), 0.0, 1e9, 10**6, seat=other),
            lambda: wire.Beat(self._page_ms() - 50),
            *[partial(_act, deed, seat) for deed in DEEDS],
        ]
        self.send(world.chance.choice(whims)())

    def _paint(self, n: int, at_ms: float) -> None:
        self._painted = {n: max(at_ms, self._page_ms())}

    # Inside

    def _think_soon(self) -> None:
        """Act after a reaction time."""
        self._thought += 1
        thought = self._thought
        self._soon(self._world.between(1, 50_000), lambda: self.think() if thought == self._thought else None)

    def _soon(self, us: int, do: Callable[[], None]) -> None:
        self._world.later(us, do)

    def _page_ms(self) -> float:
        return (self._world.now_us - START_US) / 1000 + self._ahead_ms

    def _open(self, server: Server, hello: wire.Hello) -> None:
        sent = partial(self._says, Has(self.has.game, self.has.version))
        twice = partial(self._invariants.twice, server, self.code)
        line = Connection(self._world, self._net.weather, self.hear, self.lost, sent, twice)
        self._lines.append(line)
        self._world.note(self._me, "opens", _ENCODER.encode(hello))
        line.send(_ENCODER.encode(hello))
        server.connect(line, self.code, self.cookies)

    def _says(self, told: Has, data: bytes) -> None:
        self._world.note(self._me, "is told", data)
        self._invariants.said(told, data)


def _act(deed: TableAction, seat: int) -> requests.Act:
    return requests.Act(deed.name, deed.target, deed.half, seat)
