"""A process with scripted clients at real tables, over real sockets, whose true reactions are known.

    python -m benchmarks.live_page < CONFIG

Each client shows a card at its moment and next frame, sends `painted` and heartbeats, turns its next card at once, and
slaps over two sockets as `player_model` draws it. The process prints `up`, reads a line with its players (`RunConfig`),
and prints `here`. At the next line hosts start the games, at the end of the input all clients stop. For each verdict
that a host receives the process prints `race`, and at the end its `RunResult`.
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

from benchmarks.loop_lag import LoopLag, Stall
from benchmarks.player_model import Trial, painted_at, sample_player, sample_trial
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
    """A client's seat; `mean_ms` is the mean reaction (None: drawn at random)."""

    room: str
    cookie: str
    seat: int
    mean_ms: float | None = None


class RunConfig(NamedTuple):
    """The server's address, and the players of this process."""

    host: str
    port: int
    seed: int
    two_sockets: bool
    players: list[PlayerConfig]


class Attempt(NamedTuple):
    """A player's intended slap of a card: the true reaction, and the one that the client claimed, if it was sent.

    Unit: `painted_ms` milliseconds of the machine's clock.
    """

    game: str
    seat: int
    n: int
    painted_ms: float
    reaction_us: int
    slaps: bool
    claim_us: int | None = None


class RunResult(NamedTuple):
    """The slap attempts of one process, its received and sent messages, and how late its event loop was.

    From outside, a late loop cannot be told apart from a slow network.
    """

    attempts: list[Attempt]
    received: int
    sent: int
    late_ms: list[float]
    stalls: list[Stall]


class Page:
    """One client with its player. Unit: milliseconds of this machine's clock; the client's clock is `ahead` of it."""

    def __init__(self, run: RunConfig, config: PlayerConfig) -> None:
        self._run, self._config = run, config
        self._rng = Random(f"{run.seed} {config.room} {config.seat}")
        self._player = sample_player(self._rng, "fibre")
        if config.mean_ms is not None:
            self._player = replace(self._player, mean=config.mean_ms, deviation=30.0, tail=75.0)
        self._loop = asyncio.get_running_loop()
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._reveals: dict[int, float] = {}
        self._shown: dict[str, float] = {}
        self._game, self._n, self._newest, self._slaps = "", 0, 0, 0
        self._sockets: list[WebSocketClient] = []
        self.attempts: dict[tuple[str, int], Attempt] = {}
        self.received = self.sent = 0

    async def connect(self) -> None:
        """Join the room, with both sockets if the server supports two."""
        room, cookie, seat, _ = self._config
        hello, (host, port, *_) = {"t": "hello", "player_ids": [seat]}, self._run
        self._sockets = [await open_socket(port, self._on_message, room, cookie, host)]
        self._sockets[0].send_message(hello)
        if self._run.two_sockets:
            self._sockets.append(await open_socket(port, lambda message, now: None, room, cookie, host))
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
                self._at("turn", _now() + RETRY_S * 1000, self._play)

    def _on_event(self, event: Message, now: float) -> None:
        match event["e"]:
            case "played":
                self._newest, trial = event["n"], sample_trial(self._rng, self._player)
                due = self._reveals.get(event["n"], now) - 1.5 * self._player.frame
                painted = painted_at(self._player, trial, max(now, due))
                self._at("paint", painted, lambda: self._paint(event, trial, painted))
                return
            case "judged":
                self._stop(event["n"])
                if self._config.seat == 0:
                    print("race", flush=True)
            case "withdrawn":
                self._cancel("paint")
                self._n = self._newest
            case kind if kind in RESULTS:
                self._stop(self._n)
        if "standing" in event:
            self._play_if_my_turn(event["standing"])

    def _paint(self, event: Message, trial: Trial, painted: float) -> None:
        """Paint a card, and schedule the slap."""
        n = self._n = event["n"]
        self._cancel("slap")
        if self._reveals.pop(n, None) is not None:
            self._shown = {"n": n, "p_ms": painted + self._player.ahead}
        if event["card"][0] in SLAPPABLE:
            attempt = Attempt(self._game, self._config.seat, n, painted, round(trial.reaction * 1000), trial.slaps)
            self.attempts[self._game, n] = attempt
            if trial.slaps:
                pressed = painted + trial.dropped * self._player.frame + trial.reaction + trial.scan
                self._at("slap", pressed + trial.late, lambda: self._slap(attempt, painted, pressed))
        self._play_if_my_turn(event["standing"])

    def _slap(self, attempt: Attempt, painted: float, pressed: float) -> None:
        grain, ahead = self._player.grain, self._player.ahead
        p_ms, t_ms = ((at + ahead) // grain * grain for at in (painted, pressed))
        self.attempts[attempt.game, attempt.n] = attempt._replace(claim_us=round((t_ms - p_ms) * 1000))
        self._slaps += 1
        for socket in self._sockets:
            self.sent += 1
            socket.send_message({"t": "slap", "n": attempt.n, "p_ms": p_ms, "t_ms": t_ms, "s": self._slaps})
        self._at("beat", _now() + BEAT_AFTER_MS, lambda: self._send({"t": "beat", "c_ms": _now() + ahead}))

    def _stop(self, n: int) -> None:
        """Card `n` is decided: cancel its slap."""
        if n >= self._n:
            self._cancel("slap")

    def _play_if_my_turn(self, standing: Message) -> None:
        """Turn the next card at once, if it is this player's turn."""
        self._cancel("turn")
        if standing["phase"] == "over" and self._config.seat == 0:
            self._at("turn", _now() + RETRY_S * 1000, lambda: self._send({"t": "again"}))
        elif standing["phase"] in ("play", "last_chance") and standing["turn"] == self._config.seat:
            self._play()

    def _play(self) -> None:
        self._send({"t": "play", "n": self._n})

    def _send(self, message: Message) -> None:
        self.sent += 1
        self._sockets[0].send_message(message)

    def _at(self, name: str, at: float, do: Callable[[], None]) -> None:
        self._cancel(name)
        self._timers[name] = self._loop.call_later(max(0.0, at - _now()) / 1000, do)

    def _cancel(self, name: str) -> None:
        if timer := self._timers.pop(name, None):
            timer.cancel()


def _now() -> float:
    return time.perf_counter() * 1000


async def play() -> None:
    """Connect, start and stop as standard input commands, then print the result."""
    loop, end = asyncio.get_running_loop(), asyncio.get_running_loop().time() + MAX_LIFE_S
    lines: asyncio.Queue[str] = asyncio.Queue()
    print("up", flush=True)
    loop.add_reader(sys.stdin.fileno(), lambda: lines.put_nowait(sys.stdin.readline()))
    run = msgspec.json.decode(await lines.get(), type=RunConfig)
    pages = [Page(run, config) for config in run.players]
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
    attempts = [each for page in pages for each in page.attempts.values()]
    found = RunResult(
        attempts, sum(page.received for page in pages), sum(page.sent for page in pages), lag.take(), lag.stalls
    )
    print(msgspec.json.encode(found).decode(), flush=True)


if __name__ == "__main__":
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(play())
