"""A process with scripted clients at real tables, over real sockets.

    python -m benchmarks.live_page < CONFIG

Each client shows a card at its moment and next frame, turns its next card at once, and slaps over two sockets. Its
screen and its input are those of `player_model`. Its player is in another process (`live_people`), which sees a card
when the screen shows it, and touches the screen. The process prints `up`, reads a line with its players (`RunConfig`),
and prints `here`. At the next line hosts start the games, at the end of the input all clients stop. For each verdict
that a host receives the process prints `race`, and at the end its `RunResult`.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from importlib import import_module
from random import Random
from typing import NamedTuple

import msgspec
import uvloop

from benchmarks.loop_lag import LoopLag, Stall
from benchmarks.player_model import SCREENS, Trial, painted_at, sample_player, sample_trial, seen_at
from benchmarks.simulated_player import Message, WebSocketClient, open_socket

SLAPPABLE = "2468T"
HOUSE = "1;classic;slaps.instant=2+4+6+8+T;slaps.double=off;slaps.sandwich=off;turn_ms=60000;withdraw_ms=1"
"""Half of the cards can be slapped at once; with `withdraw_ms` the log has the time at which a card was revealed."""

BEAT_AFTER_MS = 10.0
"""A heartbeat follows each slap after this time."""

RESULTS = ("judged", "measured", "slapped", "taken")
"""Events that decide a card."""

RETRY_S = 0.3
"""The delay after which a refused card is tried again."""

MAX_LIFE_S = 300.0
"""The process ends after this time in any case."""


class PlayerConfig(NamedTuple):
    """A client's seat; `mean_ms` is the player's mean reaction, `screen` one of `SCREENS` (None: drawn at random)."""

    room: str
    cookie: str
    seat: int
    mean_ms: float | None = None
    screen: str | None = None


class RunConfig(NamedTuple):
    """The server's address, the socket of `live_people`, and the players of this process, who all tell the lie of this
    name (`live_liars.LIARS`), if any; `headers` are further lines of their handshakes."""

    host: str
    port: int
    people: str
    seed: int
    two_sockets: bool
    players: list[PlayerConfig]
    liar: str | None = None
    headers: str = ""


class ToldVerdict(NamedTuple):
    """A verdict as the server tells it to the players: who has won card `n`."""

    game: str
    n: int
    winner: int


class RunResult(NamedTuple):
    """What the hosts of one process were told, its received and sent messages, and how late its event loop was.

    From outside, a late loop cannot be told apart from a slow network.
    """

    verdicts: list[ToldVerdict]
    received: int
    sent: int
    late_ms: list[float]
    stalls: list[Stall]


class Page:
    """One client with its player. Unit: milliseconds of this machine's clock; the client's clock is `ahead` of it."""

    def __init__(self, run: RunConfig, config: PlayerConfig, people: asyncio.StreamWriter) -> None:
        self._run, self._config, self._people = run, config, people
        self._rng = Random(f"{run.seed} {config.room} {config.seat}")
        self._player = sample_player(self._rng, "fibre")
        if config.screen is not None:
            self._player = replace(self._player, screen=SCREENS[config.screen])
        self._phase = self._rng.random()
        self._loop = asyncio.get_running_loop()
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._reveals: dict[int, float] = {}
        self._shown: dict[str, float] = {}
        self._game, self._n, self._newest, self._slaps = "", 0, 0, 0
        self._card: tuple[Trial, float] | None = None
        self._sockets: list[WebSocketClient] = []
        self.verdicts: list[ToldVerdict] = []
        self.received = self.sent = 0

    async def connect(self) -> None:
        """Join the room, with both sockets if the server supports two."""
        room, cookie, seat, mean_ms, _ = self._config
        self._tell_person({"mean_ms": mean_ms})
        hello, (host, port, *_) = {"t": "hello", "player_ids": [seat]}, self._run
        more = self._run.headers
        self._sockets = [await open_socket(port, self._on_message, room, cookie, host, headers=more)]
        self._sockets[0].send_message(hello)
        if self._run.two_sockets:
            self._sockets.append(await open_socket(port, lambda *_: None, room, cookie, host, headers=more))
            self._sockets[1].send_message({**hello, "only": "slaps"})

    def begin(self) -> None:
        """Start the game, if this client is the host."""
        if self._config.seat == 0:
            self._send({"t": "start"})

    def close(self) -> None:
        """Cancel all timers and close the connections."""
        for timer in self._timers.values():
            timer.cancel()
        for socket in self._sockets:
            socket.close()

    def _on_message(self, message: Message, now_s: float) -> None:
        self.received += 1
        match message["t"]:
            case "ping":
                self._send({"t": "pong", "k": message["k"], "c_ms": now_s * 1000 + self._player.ahead, **self._shown})
            case "welcome":
                self._game, self._n, self._newest, self._reveals, self._shown = message["game"], 0, 0, {}, {}
                if message["view"]:
                    self._n = self._newest = message["view"]["n"]
                    self._play_if_my_turn(message["view"]["standing"])
            case "reveal_at":
                self._reveals = {message["n"]: message["at_ms"] - self._player.ahead}
            case "event":
                self._on_event(message["e"], now_s * 1000)
            case "refused" if message["request"] == "play":
                self._at("turn", now_ms() + RETRY_S * 1000, self._play)

    def _on_event(self, event: Message, now: float) -> None:
        match event["e"]:
            case "played":
                self._newest, trial = event["n"], replace(sample_trial(self._rng, self._player), phase=self._phase)
                painted = painted_at(self._player, trial, now, self._reveals.get(event["n"], now))
                self._at("paint", painted, lambda: self._paint(event, trial, painted))
                return
            case "judged":
                self._stop(event["n"])
                if self._config.seat == 0:
                    self.verdicts.append(ToldVerdict(self._game, event["n"], event["order"][0]["seat"]))
                    print("race", flush=True)
            case "withdrawn":
                self._cancel("paint")
                self._n = self._newest
            case kind if kind in RESULTS:
                self._stop(self._n)
        if "standing" in event:
            self._play_if_my_turn(event["standing"])

    def _paint(self, event: Message, trial: Trial, painted: float) -> None:
        """Paint a card, and let the player see it as soon as the screen shows it, if it can be slapped."""
        n, self._card = event["n"], None
        self._n = n
        self._cancel("slap")
        if self._reveals.pop(n, None) is not None:
            shown = {"n": n, "p_ms": painted + self._player.ahead, "f_ms": self._player.screen.frame}
            self._shown = shown if self._run.two_sockets else {"n": n, "p_ms": shown["p_ms"]}
        if event["card"][0] in SLAPPABLE:
            self._card, card = (trial, painted), {"game": self._game, "n": n}
            self._at("see", seen_at(self._player, trial, painted), lambda: self._tell_person(card))
        self._play_if_my_turn(event["standing"])

    def _tell_person(self, what: Message) -> None:
        self._people.write(msgspec.json.encode({"room": self._config.room, "seat": self._config.seat, **what}) + b"\n")

    def touched(self, game: str, n: int) -> None:
        """The player touches the screen: the page knows of it when the screen is read."""
        if self._card is None or (game, n) != (self._game, self._n):
            return
        trial, painted = self._card
        pressed = now_ms() + trial.scan
        self._at("slap", pressed + trial.late, lambda: self._slap(n, painted, pressed))

    def _slap(self, n: int, painted: float, pressed: float) -> None:
        grain, ahead = self._player.grain, self._player.ahead
        p_ms, t_ms = ((at + ahead) // grain * grain for at in (painted, pressed))
        self._slaps += 1
        for socket in self._sockets:
            self.sent += 1
            socket.send_message({"t": "slap", "n": n, "p_ms": p_ms, "t_ms": t_ms, "s": self._slaps})
        self._at("beat", now_ms() + BEAT_AFTER_MS, lambda: self._send({"t": "beat", "c_ms": now_ms() + ahead}))

    def _stop(self, n: int) -> None:
        """Card `n` is decided: cancel its slap."""
        if n >= self._n:
            self._card = None
            self._cancel("slap")

    def _play_if_my_turn(self, standing: Message) -> None:
        """Turn the next card at once, if it is this player's turn."""
        self._cancel("turn")
        if standing["phase"] == "over" and self._config.seat == 0:
            self._at("turn", now_ms() + RETRY_S * 1000, lambda: self._send({"t": "again"}))
        elif standing["phase"] in ("play", "last_chance") and standing["turn"] == self._config.seat:
            self._play()

    def _play(self) -> None:
        self._send({"t": "play", "n": self._n})

    def _send(self, message: Message) -> None:
        self.sent += 1
        self._sockets[0].send_message(message)

    def _at(self, name: str, at: float, do: Callable[[], None]) -> None:
        self._cancel(name)
        self._timers[name] = self._loop.call_later(max(0.0, at - now_ms()) / 1000, do)

    def _cancel(self, name: str) -> None:
        if timer := self._timers.pop(name, None):
            timer.cancel()


def now_ms() -> float:
    """This machine's clock."""
    return time.perf_counter() * 1000


async def _pass_touches(touches: asyncio.StreamReader, pages: Mapping[tuple[str, int], Page]) -> None:
    while line := await touches.readline():
        touch = msgspec.json.decode(line)
        pages[touch["room"], touch["seat"]].touched(touch["game"], touch["n"])


async def play() -> None:
    """Connect, start and stop as standard input commands, then print the result."""
    loop, end = asyncio.get_running_loop(), asyncio.get_running_loop().time() + MAX_LIFE_S
    lines: asyncio.Queue[str] = asyncio.Queue()
    print("up", flush=True)
    loop.add_reader(sys.stdin.fileno(), lambda: lines.put_nowait(sys.stdin.readline()))
    run = msgspec.json.decode(await lines.get(), type=RunConfig)
    touches, people = await asyncio.open_unix_connection(run.people)
    kind = import_module("benchmarks.live_liars").page_of(run.liar) if run.liar else Page
    pages = [kind(run, config, people) for config in run.players]
    by_seat = {(config.room, config.seat): page for config, page in zip(run.players, pages, strict=True)}
    passing = asyncio.create_task(_pass_touches(touches, by_seat))
    await asyncio.gather(*(page.connect() for page in pages))
    print("here", flush=True)
    lag = LoopLag()
    async with asyncio.timeout_at(end):
        if await lines.get():
            for page in pages:
                page.begin()
            await lines.get()
    loop.remove_reader(sys.stdin.fileno())
    for page in pages:
        page.close()
    passing.cancel()
    people.close()
    verdicts = [verdict for page in pages for verdict in page.verdicts]
    found = RunResult(
        verdicts, sum(page.received for page in pages), sum(page.sent for page in pages), lag.take(), lag.stalls
    )
    print(msgspec.json.encode(found).decode(), flush=True)


if __name__ == "__main__":
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(play())
