"""An arena of 200 players on one core: whether they get their tables, and what that costs the server.

    python -m benchmarks.arena [--players N] [--seconds S] [--quick] [--json]

The players ask every two seconds and look at the standings every three, as pages do, go to their tables, and turn their
cards. A game takes half a minute, a tenth of what people need, so ten times as many are paired. With `--quick` the
arena begins at once, the players turn their cards without a thought, and the first win ends it: a smoke test.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
from contextlib import suppress
from typing import Any

import uvloop
from aiohttp import ClientSession, TCPConnector

from benchmarks.checkout_server import CheckoutServer
from benchmarks.loop_lag import LoopLag, summarize
from benchmarks.simulated_player import Message, WebSocketClient, open_socket

ASK_S, STANDINGS_S = 2.0, 3.0
TURN_S, QUICK_TURN_S = (0.3, 0.7), (0.01, 0.03)
CARDS, QUICK_CARDS = 8, 2
STARTS_IN_S, WARM_UP_S = 5, 12.0
LOOK_S = 0.25
PAW = {"hue": 1, "shape": "paw"}


class ArenaPlayer:
    """One player: the page of the arena, and the table."""

    def __init__(self, session: ClientSession, base: str, port: int, name: str, turn_s: tuple[float, float]) -> None:
        self._session, self._base, self._port, self._name, self._turn_s = session, base, port, name, turn_s
        self._loop = asyncio.get_running_loop()
        self._cookie, self._room, self._seat, self._n = "", "", -1, 0
        self._socket: WebSocketClient | None = None
        self._turn: asyncio.TimerHandle | None = None
        self.tables = 0
        self.waits_s: list[float] = []
        self._free_s = self._loop.time()

    async def run(self) -> None:
        """Join, and go on until the task is cancelled."""
        body = {"name": self._name, "appearance": PAW}
        async with self._session.post(f"{self._base}/players", json=body) as answer:
            answer.raise_for_status()
            (cookie,) = answer.cookies.values()
            self._cookie = f"{cookie.key}={cookie.value}"
        await asyncio.sleep(random.uniform(0, ASK_S))
        looked_s = self._loop.time()
        while True:
            if self._loop.time() - looked_s >= STANDINGS_S:
                looked_s = self._loop.time()
                async with self._session.get(self._base) as answer:
                    await answer.read()
            if self._socket is None:
                await self._ask()
            await asyncio.sleep(ASK_S)

    async def _ask(self) -> None:
        async with self._session.post(f"{self._base}/ask", json={}, headers={"Cookie": self._cookie}) as answer:
            answer.raise_for_status()
            state = await answer.json()
            if not state["room"] or state["room"] == self._room:
                return
            (cookie,) = answer.cookies.values()
        self._room, self._seat, self.tables = state["room"], state["seat"], self.tables + 1
        self.waits_s.append(self._loop.time() - self._free_s)
        self._socket = await open_socket(self._port, self._on_message, self._room, f"{cookie.key}={cookie.value}")
        self._socket.send_message({"t": "hello", "player_ids": [self._seat]})

    def _on_message(self, message: Message, now: float) -> None:
        match message["t"]:
            case "ping":
                self._send({"t": "pong", "k": message["k"], "c_ms": now * 1e3})
            case "welcome" if message["view"]:
                self._n = message["view"]["n"]
                self._go_on(message["view"]["standing"])
            case "event":
                if message["e"]["e"] == "played":
                    self._n = message["e"]["n"]
                if "standing" in message["e"]:
                    self._go_on(message["e"]["standing"])

    def _go_on(self, standing: Message) -> None:
        if self._turn:
            self._turn.cancel()
        if standing["phase"] == "over":
            self.leave()
        elif standing["turn"] == self._seat:
            self._turn = self._loop.call_later(
                random.uniform(*self._turn_s), lambda: self._send({"t": "play", "n": self._n})
            )

    def leave(self) -> None:
        """Close the table's socket: the player waits for the next one."""
        if self._socket:
            self._socket.close()
            self._socket, self._free_s = None, self._loop.time()

    def _send(self, message: Message) -> None:
        if self._socket:
            self._socket.send_message(message)


async def measure(players: int, seconds: float, quick: bool = False) -> dict[str, Any]:
    """Run an arena for so long, and measure after its first tables; if `quick`, until somebody has won."""
    cards = str(QUICK_CARDS if quick else CARDS)
    server, lag = CheckoutServer("process", more=["--community", "--short", cards]), LoopLag()
    try:
        root = f"http://127.0.0.1:{server.port}/api"
        async with ClientSession(connector=TCPConnector(limit=0)) as session:
            session.cookie_jar.clear()
            starts_in_s = 0 if quick else STARTS_IN_S
            arena = {"title": "Benchmark", "minutes": 60, "starts_in_s": starts_in_s, "house": "1;classic"}
            async with session.post(f"{root}/arenas", json=arena) as answer:
                code = (await answer.json())["code"]
            base = f"{root}/rooms/{code}/arena"
            sessions = [ClientSession(connector=TCPConnector(limit=2)) for _ in range(players)]
            turn_s = QUICK_TURN_S if quick else TURN_S
            everybody = [ArenaPlayer(each, base, server.port, f"P{n}", turn_s) for n, each in enumerate(sessions)]
            tasks = [asyncio.create_task(each.run()) for each in everybody]
            await asyncio.sleep(0 if quick else WARM_UP_S)
            before, tables = server.usage(), sum(each.tables for each in everybody)
            await server.report()
            lag.take()
            standings = await play(session, base, seconds, quick)
            after, late_ms = server.usage(), (await server.report())["late_ms"]
            failed = [task for task in tasks if task.done()]
            for task in tasks:
                task.cancel()
            with suppress(asyncio.CancelledError):
                await asyncio.gather(*tasks, return_exceptions=True)
            for each in everybody:
                each.leave()
            for each_session in sessions:
                await each_session.close()
    finally:
        server.close()
    return {
        "players": players,
        "seconds": after.at_s - before.at_s,
        "tables_taken": sum(each.tables for each in everybody) - tables,
        "games_counted": sum(each["games"] for each in standings),
        "wins": sum(each["wins"] for each in standings),
        "points": sum(each["points"] for each in standings),
        "failed": len(failed),
        "wait_s": summarize([wait for each in everybody for wait in each.waits_s[1:]]),
        "server_late_ms": summarize(late_ms),
        "cpu_percent": (after.cpu_s - before.cpu_s) / (after.at_s - before.at_s) * 100,
    }


async def play(session: ClientSession, base: str, seconds: float, quick: bool) -> list[dict[str, Any]]:
    """Wait for so long, or if `quick` until somebody has won, and return the standings."""
    end_s = asyncio.get_running_loop().time() + seconds
    while True:
        await asyncio.sleep(LOOK_S if quick else seconds)
        async with session.get(base) as answer:
            standings: list[dict[str, Any]] = (await answer.json())["players"]
        if not quick or asyncio.get_running_loop().time() >= end_s or any(each["wins"] for each in standings):
            return standings


def describe(found: dict[str, Any]) -> str:
    """The figures as text."""
    wait, late = found["wait_s"], found["server_late_ms"]
    return (
        f"{found['players']} players, {found['seconds']:g} s: {found['tables_taken']} times somebody got a table, "
        f"after {wait['p50']:.1f} s (median) or {wait['p99']:.1f} s (p99)\n"
        f"{found['wins']} games were won, {found['points']} points given; {found['failed']} players failed\n"
        f"server: {found['cpu_percent']:.0f} % of a core, its loop late by {late['p99']:.1f} ms (p99)"
    )


def main() -> None:
    """Run it."""
    parser = argparse.ArgumentParser(description="An arena of many players.")
    parser.add_argument("--players", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--quick", action="store_true", help="until the first win: a smoke test, not a measurement")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        found = runner.run(measure(arguments.players, arguments.seconds, arguments.quick))
    print(json.dumps(found) if arguments.json else describe(found))


if __name__ == "__main__":
    main()
