"""The client in a real Chromium with a phone's screen: bytes, time to interactive, CPU, frames, taps and memory.

    python -m benchmarks.client [--only load interactive play memory] [--loads 7] [--seconds 60] [--hours 2] [--quick]

The server is the real one, in a process of its own. `load` counts the bytes received until the network is idle.
`interactive` is the time from navigation until a button responds to a touch: Play on the start page, Join behind the
link of a room that waits for players, the player's deck at a table. It is measured without throttling, and with the CPU
slowed down 4 times on slow 4G (150 ms, 1.6 Mbit/s down, 750 kbit/s up). `play` is a player with two bots in real time:
the main thread's CPU per card, and then, for as long again, the time between frames. `memory` plays whole games faster
than real time and measures after garbage collection. A tap is timed from the first handler to the socket's `send`, so
it covers the page's own code only.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from random import Random
from statistics import linear_regression, median
from typing import Any

from playwright.async_api import Browser, async_playwright

from benchmarks.browser_page import QUIET_S, TIMEOUT_S, BrowserPage, BrowserPlayer
from benchmarks.loop_lag import summarize
from ratscrew.cards import PACK, Card, text
from ratscrew.deck import shuffle
from ratscrew.rules.ranks import JACK

sys.path.insert(0, str(Path(__file__).parents[1] / "scripts"))

from tests.browser.engines import CHROMIUM_FLAGS
from tests.browser.server import Server

import browsers  # isort: skip

PARTS = ("load", "interactive", "play", "memory")
BOTS = 2
LATE_FRAME_MS = 25.0
SETTLE_S = 3.0
"""A page at a table still prefetches for this long."""


@contextmanager
def serving(speed: float = 1.0, quick_games: bool = False) -> Iterator[str]:
    """Run a server with an empty log, and yield its URL. With `quick_games` seat 0 has every card that challenges."""
    with tempfile.TemporaryDirectory(prefix="ratscrew-benchmark-") as folder:
        deal = Path(folder) / "deal.txt"
        hands = [f"hand {seat} {text(hand)}" for seat, hand in enumerate(_hands(), 1)]
        deal.write_text("\n".join(["ratscrew 1", "house classic", *hands, "lead 1", ""]), encoding="utf-8")
        with Server(Path(folder) / "games.sqlite3", speed=speed, deal=deal if quick_games else None) as server:
            yield server.url


def _hands() -> list[list[Card]]:
    mixed = shuffle(PACK, Random(2).randrange)
    numbers = [card for card in mixed if card.rank < JACK]
    strong = sorted([*numbers[:: BOTS + 1], *(card for card in mixed if card.rank >= JACK)], key=mixed.index)
    return [strong, *(numbers[seat :: BOTS + 1] for seat in range(1, BOTS + 1))]


@asynccontextmanager
async def table(browser: Browser, url: str, slow: bool = False) -> AsyncIterator[tuple[BrowserPage, str]]:
    """A page with a seat at a new table, and the table's URL."""
    body = {"name": "Ana", "bots": BOTS, "strength": "gentle"}
    page = await BrowserPage.open(browser, slow)
    seat = await (await page.page.request.post(f"{url}/api/rooms", data=body)).json()
    await page.page.add_init_script(f"localStorage.setItem('ratscrew:seat:{seat['room']}', '{seat['player_id']}')")
    yield page, f"{url}/room/{seat['room']}"
    await page.close()


async def load(browser: Browser, url: str) -> dict[str, Any]:
    """The bytes of each page."""
    start = await BrowserPage.open(browser)
    found = {"start": await start.load(url)}
    await start.close()
    async with table(browser, url) as (page, address):
        found["table"] = await page.load(address)
    return found


async def interactive(browser: Browser, url: str, loads: int) -> dict[str, Any]:
    """The time to interactive of each page, alternately throttled and not."""
    found: dict[str, list[float]] = {}
    for _ in range(loads):
        for kind, slow in (("plain", False), ("slow", True)):
            start = await BrowserPage.open(browser, slow)
            found.setdefault(f"start, {kind}", []).append(await start.interactive_ms(url, "play"))
            await start.close()
            link = await BrowserPage.open(browser, slow)
            room = await link.page.request.post(f"{url}/api/rooms", data={"name": "Ana", "bots": 0, "wait": True})
            address = f"{url}/room/{(await room.json())['room']}"
            found.setdefault(f"room link, {kind}", []).append(await link.interactive_ms(address, "join-go"))
            await link.close()
            async with table(browser, url, slow) as (page, address):
                found.setdefault(f"table, {kind}", []).append(await page.interactive_ms(address, "deck"))
    return {name: {"least": min(times), "median": median(times)} for name, times in found.items()}


async def play(browser: Browser, url: str, seconds: float) -> dict[str, Any]:
    """The main thread's CPU per card, and then the time between frames."""
    async with table(browser, url) as (page, address):
        player = BrowserPlayer(page)
        await player.join(address)
        await play_for(player, min(SETTLE_S, seconds))
        before, cards = await page.cpu_ms(), player.cards
        await play_for(player, seconds)
        after, cards = await page.cpu_ms(), player.cards - cards
        await page.page.evaluate("countFrames()")
        await play_for(player, seconds)
        frames, taps = await page.take_measured("frames"), await page.take_measured("taps")
    late = sum(ms > LATE_FRAME_MS for ms in frames)
    return {
        "cards": cards,
        "cpu_ms_per_card": {part: (after[part] - before[part]) / max(1, cards) for part in after},
        "frame_ms": summarize(frames),
        "frames_late": late,
        "frames_late_percent": 100 * late / max(1, len(frames)),
        "tap_ms": summarize(taps),
    }


async def play_for(player: BrowserPlayer, seconds: float) -> None:
    """Play for this long, one game after the other, and on until a card was turned and a tap was sent.

    Raises:
        TimeoutError: no card or no tap for another `TIMEOUT_S`.
    """
    stop, cards = time.monotonic() + seconds, player.cards
    while (left := stop - time.monotonic()) > 0 or player.cards == cards or not await player.page.has_tapped():
        if left < -TIMEOUT_S:
            raise TimeoutError(f"no card was turned or no tap was sent in {seconds + TIMEOUT_S:.0f} s")
        if await player.play(max(left, QUIET_S)):
            await player.wait_for_end()
            await player.play_again()


async def memory(browser: Browser, url: str, speed: float, hours: float) -> dict[str, Any]:
    """The page's memory before and after each of many games at one table, and its growth per game."""
    games: list[dict[str, float]] = []
    taps: list[float] = []
    async with table(browser, url) as (page, address):
        player = BrowserPlayer(page, speed)
        await player.join(address)
        games.append(await page.memory())
        left = hours * 3600 / speed
        while left > 0:
            began = time.monotonic()
            over = await player.play(left)
            left -= time.monotonic() - began
            taps += await page.take_measured("taps")
            if over:
                await player.wait_for_end()
                games.append(await page.memory())
                await player.play_again()
    return {"games": games, "cards": player.cards, "growth_per_game": growth(games), "tap_ms": summarize(taps)}


def growth(games: Sequence[dict[str, float]]) -> dict[str, float]:
    """The growth of each figure per game in the second half of the games (linear regression).

    In the first half the page allocates what it needs only once: lazy modules, card faces, compiled code.
    """
    counted = games[len(games) // 2 :]
    if len(counted) < 3:
        return {}
    return {what: linear_regression(range(len(counted)), [game[what] for game in counted]).slope for what in counted[0]}


async def run(arguments: argparse.Namespace) -> dict[str, Any]:
    """Measure the parts that were asked for, one after the other."""
    found: dict[str, Any] = {}
    async with async_playwright() as playwright:
        with tempfile.TemporaryDirectory() as home:
            browser = await playwright.chromium.launch(
                executable_path=browsers.find_or_install(), args=CHROMIUM_FLAGS, env={**os.environ, "HOME": home}
            )
            found["browser"] = browser.version
            with serving() as url:
                if "load" in arguments.only:
                    found["load"] = await load(browser, url)
                if "interactive" in arguments.only:
                    found["interactive"] = await interactive(browser, url, arguments.loads)
                if "play" in arguments.only:
                    found["play"] = await play(browser, url, arguments.seconds)
            if "memory" in arguments.only:
                with serving(arguments.speed, quick_games=True) as url:
                    found["memory"] = await memory(browser, url, arguments.speed, arguments.hours)
            await browser.close()
    return found


def show(found: dict[str, Any]) -> None:
    """Print the report as a Markdown table."""
    before, after = found["machine_load"]
    print(f"Chromium {found['browser']}, load of the machine {before:.1f} before and {after:.1f} after\n")
    print("| what | figures |\n|---|---|")
    for what, figures in lines(found):
        print(f"| {what} | {figures} |")


def lines(found: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Each measurement and its figures."""
    for name, each in found.get("load", {}).items():
        yield f"bytes until it rests: {name}", f"{each['bytes'] / 1000:.1f} kB in {each['answers']} answers"
    for name, each in found.get("interactive", {}).items():
        yield f"answers a touch after: {name}", f"least {each['least']:,.0f} ms, median {each['median']:,.0f}"
    if each := found.get("play"):
        parts = ", ".join(f"{part} {ms:.1f}" for part, ms in each["cpu_ms_per_card"].items())
        yield f"main thread, CPU ms a card ({each['cards']} cards)", parts
        frame, late = each["frame_ms"], f"{each['frames_late']} ({each['frames_late_percent']:.1f} %)"
        lengths = f"p50 {frame['p50']:.1f} ms, p99 {frame['p99']:.1f}, most {frame['most']:.0f}"
        yield f"frames ({frame['count']})", lengths
        yield f"frames later than {LATE_FRAME_MS:.0f} ms", late
        yield tap_line("in real time", each["tap_ms"])
    if each := found.get("memory"):
        games = len(each["games"]) - 1
        for what, name in (("heap_kb", "heap, kB"), ("nodes", "nodes"), ("listeners", "listeners")):
            held = [f"{game[what]:,.0f}" for game in each["games"]]
            more = each["growth_per_game"].get(what)
            grows = "" if more is None else f"; {more:+.2f} a game in the second half"
            yield f"{name}: before and after each of {games} games", f"{', '.join(held)}{grows}"
        yield tap_line("faster than real time", each["tap_ms"])


def tap_line(when: str, each: dict[str, float]) -> tuple[str, str]:
    """The line with the times from tap to message sent."""
    times = f"p50 {each['p50']:.2f} ms, p99 {each['p99']:.2f}, most {each['most']:.2f}"
    return f"tap to sent, {when} ({each['count']} taps)", times


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description="Measure the client in a real browser: bytes, time to interactive, CPU, frames and memory."
    )
    parser.add_argument("--only", nargs="+", choices=PARTS, default=PARTS, help="the parts (all)")
    parser.add_argument("--loads", type=int, help="how often each page is loaded for `interactive` (7)")
    parser.add_argument("--seconds", type=float, help="how long each part of `play` lasts (60)")
    parser.add_argument("--hours", type=float, help="how many hours of table time `memory` plays (2)")
    parser.add_argument("--speed", type=float, default=30.0, help="how many times faster than real time (30)")
    parser.add_argument("--quick", action="store_true", help="everything small: a smoke test, not a measurement")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    arguments = parser.parse_args()
    usual = {"loads": 7, "seconds": 60.0, "hours": 2.0}
    if arguments.quick:
        usual = {"loads": 1, "seconds": 2.0, "hours": 0.05}
    for name, value in usual.items():
        if getattr(arguments, name) is None:
            setattr(arguments, name, value)
    before = os.getloadavg()[0]
    found = asyncio.run(run(arguments))
    found["machine_load"] = [before, os.getloadavg()[0]]
    if arguments.json:
        print(json.dumps(found, indent=2))
    else:
        show(found)


if __name__ == "__main__":
    main()
