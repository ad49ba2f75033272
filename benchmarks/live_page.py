"""People at real tables whose true reactions are known: scripted pages on real sockets, in a process of their own.

    python -m benchmarks.live_page < ORDERS

Each page shows a card at its moment and its next frame, says so, beats while a card can be slapped, turns its next card
at once, and slaps by two sockets as `people_and_networks` draws it. It says `up`, hears in a line whom there is to play
(`Orders`), and says `here`. At the next line hosts begin, at the end of the input all stop. For each verdict that a
host hears it says `race`, and in the end everything that they meant to do (`Done`).
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import NamedTuple

import msgspec
import uvloop

from benchmarks.lateness import Lag, Stall
from benchmarks.people_and_networks import Chance, chance, drawn, player
from benchmarks.person import Line, Message, connect

SLAPPABLE = "2468T"
HOUSE = "1;classic;slaps.instant=2+4+6+8+T;slaps.double=off;slaps.sandwich=off;turn_ms=60000;withdraw_ms=1"
"""Half of the cards can be slapped, at once; `withdraw_ms` has the log say when a card was to be seen."""

FIRST_BEAT_MS, BEAT_MS, BEATS_MS = 150.0, 50.0, 1500.0
"""When a page begins to say that nothing has been slapped after a card, how often it does, and until when."""

RESULTS = ("judged", "measured", "slapped", "taken")
"""After these a page has nothing more to say of the card."""

AGAIN_S = 0.3
"""A card that could not be turned is tried again after so long."""

LIFE_S = 300.0
"""No page outlives this."""


class Sitter(NamedTuple):
    """Whom a page is for; `mean_ms` is his reaction's, if it is not drawn."""

    room: str
    cookie: str
    seat: int
    mean_ms: float | None = None


class Orders(NamedTuple):
    """Where the server is, and who comes to it from here."""

    host: str
    port: int
    seed: int
    two_sockets: bool
    sitters: list[Sitter]


class Tried(NamedTuple):
    """What somebody meant to do about a card: his true reaction, and what his page said it was, if it came to that.

    Unit: `painted_ms` milliseconds of the machine's clock.
    """

    game: str
    seat: int
    n: int
    painted_ms: float
    reaction_us: int
    slaps: bool
    claim_us: int | None = None


class Done(NamedTuple):
    """What the people of one process did, how many messages their pages heard and said, and how late the process was.

    Nobody at the other end of a line can tell its lateness from the line's.
    """

    tried: list[Tried]
    heard: int
    said: int
    late_ms: list[float]
    stalls: list[Stall]


class Page:
    """One page and who sits in front of it. Unit: milliseconds of this machine's clock; the page's own is `ahead`."""

    def __init__(self, orders: Orders, sitter: Sitter) -> None:
        self._orders, self._sitter = orders, sitter
        self._rng = Random(f"{orders.seed} {sitter.room} {sitter.seat}")
        self._who = player(self._rng, "fibre")
        if sitter.mean_ms is not None:
            self._who = replace(self._who, mean=sitter.mean_ms, deviation=30.0, tail=75.0)
        self._loop = asyncio.get_running_loop()
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._soon: dict[int, float] = {}
        self._game, self._n, self._newest, self._slaps = "", 0, 0, 0
        self._lines: list[Line] = []
        self.tried: dict[tuple[str, int], Tried] = {}
        self.heard = self.said = 0

    async def come(self) -> None:
        """Sit down, with both sockets if the server knows of two."""
        room, cookie, seat, _ = self._sitter
        hello, (host, port, *_) = {"t": "hello", "player_ids": [seat]}, self._orders
        self._lines = [await connect(port, self._hear, room, cookie, host)]
        self._lines[0].say(hello)
        if self._orders.two_sockets:
            self._lines.append(await connect(port, lambda message, now: None, room, cookie, host))
            self._lines[1].say({**hello, "only": "slaps"})

    def begin(self) -> None:
        """The host deals."""
        if self._sitter.seat == 0:
            self._say({"t": "start"})

    def go(self) -> None:
        """Get up."""
        for timer in self._timers.values():
            timer.cancel()
        for line in self._lines:
            line.close()

    def _hear(self, message: Message, now_s: float) -> None:
        self.heard += 1
        match message["t"]:
            case "ping":
                self._say({"t": "pong", "k": message["k"], "c_ms": now_s * 1000 + self._who.ahead})
            case "welcome":
                self._game, self._n, self._newest, self._soon = message["game"], 0, 0, {}
                if message["view"]:
                    self._n = self._newest = message["view"]["n"]
                    self._mind(message["view"]["to"])
            case "soon":
                self._soon = {message["n"]: message["at_ms"] - self._who.ahead}
            case "told":
                self._told(message["e"], now_s * 1000)
            case "refused" if message["what"] == "play":
                self._at("turn", _now() + AGAIN_S * 1000, self._play)

    def _told(self, event: Message, now: float) -> None:
        match event["e"]:
            case "played":
                self._newest, luck = event["n"], chance(self._rng, self._who)
                due = self._soon.get(event["n"], now) - 1.5 * self._who.frame
                painted = drawn(self._who, luck, max(now, due))
                self._at("paint", painted, lambda: self._paint(event, luck, painted))
                return
            case "judged":
                self._stop(event["n"])
                if self._sitter.seat == 0:
                    print("race", flush=True)
            case "withdrawn":
                self._cancel("paint")
                self._n = self._newest
            case kind if kind in RESULTS:
                self._stop(self._n)
        if "to" in event:
            self._mind(event["to"])

    def _paint(self, event: Message, luck: Chance, painted: float) -> None:
        """The card is to be seen, from its frame on."""
        n = self._n = event["n"]
        for name in ("slap", "beat"):
            self._cancel(name)
        if self._soon.pop(n, None) is not None:
            self._say({"t": "seen", "n": n, "p_ms": painted + self._who.ahead, "f_ms": self._who.frame})
            self._at("beat", painted + FIRST_BEAT_MS, lambda: self._beat(painted + BEATS_MS))
        if event["card"][0] in SLAPPABLE:
            tried = Tried(self._game, self._sitter.seat, n, painted, round(luck.reaction * 1000), luck.slaps)
            self.tried[self._game, n] = tried
            if luck.slaps:
                pressed = painted + luck.dropped * self._who.frame + luck.reaction + luck.scan
                self._at("slap", pressed + luck.late, lambda: self._slap(tried, painted, pressed))
        self._mind(event["to"])

    def _slap(self, tried: Tried, painted: float, pressed: float) -> None:
        grain, ahead = self._who.grain, self._who.ahead
        p_ms, t_ms = ((at + ahead) // grain * grain for at in (painted, pressed))
        self.tried[tried.game, tried.n] = tried._replace(claim_us=round((t_ms - p_ms) * 1000))
        self._slaps += 1
        for line in self._lines:
            self.said += 1
            line.say({"t": "slap", "n": tried.n, "p_ms": p_ms, "t_ms": t_ms, "s": self._slaps})

    def _stop(self, n: int) -> None:
        """Card `n` is settled: no hand goes down on it any more, and the page has nothing more to say of it."""
        if n >= self._n:
            self._cancel("slap")
            self._cancel("beat")

    def _mind(self, to: Message) -> None:
        """Turn the next card at once, if that is mine."""
        self._cancel("turn")
        if to["phase"] == "over" and self._sitter.seat == 0:
            self._at("turn", _now() + AGAIN_S * 1000, lambda: self._say({"t": "again"}))
        elif to["phase"] in ("play", "last") and to["turn"] == self._sitter.seat:
            self._play()

    def _play(self) -> None:
        self._say({"t": "play", "n": self._n})

    def _beat(self, until: float) -> None:
        self._say({"t": "beat", "c_ms": _now() + self._who.ahead})
        if _now() < until:
            self._at("beat", _now() + BEAT_MS, lambda: self._beat(until))

    def _say(self, message: Message) -> None:
        self.said += 1
        self._lines[0].say(message)

    def _at(self, name: str, at: float, do: Callable[[], None]) -> None:
        self._cancel(name)
        self._timers[name] = self._loop.call_later(max(0.0, at - _now()) / 1000, do)

    def _cancel(self, name: str) -> None:
        if timer := self._timers.pop(name, None):
            timer.cancel()


def _now() -> float:
    return time.perf_counter() * 1000


async def play() -> None:
    """Come, begin and stop as the lines of standard input say; then print what was done."""
    loop, end = asyncio.get_running_loop(), asyncio.get_running_loop().time() + LIFE_S
    lines: asyncio.Queue[str] = asyncio.Queue()
    print("up", flush=True)
    loop.add_reader(sys.stdin.fileno(), lambda: lines.put_nowait(sys.stdin.readline()))
    orders = msgspec.json.decode(await lines.get(), type=Orders)
    pages = [Page(orders, sitter) for sitter in orders.sitters]
    await asyncio.gather(*(page.come() for page in pages))
    print("here", flush=True)
    lag = Lag()
    async with asyncio.timeout_at(end):
        if await lines.get():
            for page in pages:
                page.begin()
            await lines.get()
    loop.remove_reader(sys.stdin.fileno())
    for page in pages:
        page.go()
    tried = [each for page in pages for each in page.tried.values()]
    found = Done(tried, sum(page.heard for page in pages), sum(page.said for page in pages), lag.empty(), lag.stalls)
    print(msgspec.json.encode(found).decode(), flush=True)


if __name__ == "__main__":
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(play())
