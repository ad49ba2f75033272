"""How much the page is, how soon it can be used, and how it does in play: on a phone's screen in a real Chromium.

    python -m benchmarks.client [--only load interactive play memory] [--loads 7] [--seconds 60] [--hours 1] [--quick]

The server is the real one, in a process of its own. `load` counts what comes over the line until a page rests.
`interactive` is the time from the address to a button that is there and answers a touch: Play on the start page, one's
own deck at a table. It is taken as it is, and with a processor slowed down 4 times on slow 4G (150 ms, 1.6 Mbit/s down,
750 kbit/s up). `play` is a person with two bots at the pace of life: what the main thread does for a card, and then,
in as long a stretch again, how far apart frames are. `memory` are whole games on a table that goes faster than life,
with what is left of each after its garbage is collected. A tap is timed from the entry of the first handler to the
socket, so it is the page's own code alone.
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

from benchmarks.lateness import spread
from benchmarks.tab import Person, Tab
from ratscrew.cards import PACK, Card, text
from ratscrew.deck import shuffle
from ratscrew.rules.ranks import JACK

sys.path.insert(0, str(Path(__file__).parents[1] / "scripts"))

from tests.browser.conftest import FLAGS
from tests.browser.server import Server

import chromium  # isort: skip

PARTS = ("load", "interactive", "play", "memory")
BOTS = 2
LATE_FRAME_MS = 25.0
SETTLE_S = 3.0
"""After a page has come to a table it still fetches what may be wanted later."""

WARM = 3
"""So many games pass before a page has everything that it keeps for good: lazy parts, drawn faces, compiled code."""


@contextmanager
def serving(speed: float = 1.0, quick_games: bool = False) -> Iterator[str]:
    """A server with an empty log, and its address. With `quick_games` seat 0 has every card that challenges."""
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
async def table(browser: Browser, url: str, slow: bool = False) -> AsyncIterator[tuple[Tab, str]]:
    """A tab that has a seat at a new table, and the table's address."""
    body = {"name": "Ana", "bots": BOTS, "strength": "gentle"}
    fresh = await browser.new_context()
    seat = await (await fresh.request.post(f"{url}/api/rooms", data=body)).json()
    await fresh.close()
    tab = await Tab.open(browser, slow, seat)
    yield tab, f"{url}/room/{seat['room']}"
    await tab.close()


async def load(browser: Browser, url: str) -> dict[str, Any]:
    """What comes over the line for each page."""
    start = await Tab.open(browser)
    found = {"start": await start.load(url)}
    await start.close()
    async with table(browser, url) as (tab, address):
        found["table"] = await tab.load(address)
    return found


async def interactive(browser: Browser, url: str, loads: int) -> dict[str, Any]:
    """How soon each page answers, throttled and not, by turns."""
    found: dict[str, list[float]] = {}
    for _ in range(loads):
        for kind, slow in (("plain", False), ("slow", True)):
            start = await Tab.open(browser, slow)
            found.setdefault(f"start, {kind}", []).append(await start.interactive_ms(url, "play"))
            await start.close()
            async with table(browser, url, slow) as (tab, address):
                found.setdefault(f"table, {kind}", []).append(await tab.interactive_ms(address, "deck"))
    return {name: {"least": min(times), "median": median(times)} for name, times in found.items()}


async def play(browser: Browser, url: str, seconds: float) -> dict[str, Any]:
    """What a card asks of the main thread, and how far apart frames are, one after the other."""
    async with table(browser, url) as (tab, address):
        person = Person(tab)
        await person.sit(address)
        await person.play(min(SETTLE_S, seconds))
        before, cards = await tab.cpu_ms(), person.cards
        await person.play(seconds)
        after, cards = await tab.cpu_ms(), person.cards - cards
        await tab.page.evaluate("countFrames()")
        await person.play(seconds)
        frames, taps = await tab.measured("frames"), await tab.measured("taps")
    late = sum(ms > LATE_FRAME_MS for ms in frames)
    return {
        "cards": cards,
        "cpu_ms_per_card": {part: (after[part] - before[part]) / max(1, cards) for part in after},
        "frame_ms": spread(frames),
        "frames_late": late,
        "frames_late_percent": 100 * late / max(1, len(frames)),
        "tap_ms": spread(taps),
    }


async def memory(browser: Browser, url: str, speed: float, hours: float) -> dict[str, Any]:
    """What a page holds after each of many games at one table, and how much more after each."""
    games: list[dict[str, float]] = []
    taps: list[float] = []
    async with table(browser, url) as (tab, address):
        person = Person(tab, speed)
        await person.sit(address)
        left = hours * 3600 / speed
        while left > 0:
            began = time.monotonic()
            over = await person.play(left)
            left -= time.monotonic() - began
            taps += await tab.measured("taps")
            if over:
                await person.again()
                games.append(await tab.memory())
    return {"games": games, "cards": person.cards, "growth_per_game": growth(games), "tap_ms": spread(taps)}


def growth(games: Sequence[dict[str, float]]) -> dict[str, float]:
    """By how much each figure rises from game to game, once the page has all that it keeps."""
    counted = games[WARM:] if len(games) > WARM + 1 else games
    if len(counted) < 2:
        return {}
    return {what: linear_regression(range(len(counted)), [game[what] for game in counted]).slope for what in counted[0]}


async def run(arguments: argparse.Namespace) -> dict[str, Any]:
    """Measure the wanted parts one after the other."""
    found: dict[str, Any] = {}
    async with async_playwright() as playwright:
        with tempfile.TemporaryDirectory() as home:
            browser = await playwright.chromium.launch(
                executable_path=chromium.find_or_install(), args=FLAGS, env={**os.environ, "HOME": home}
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
    """The report as tables that fit into a page of documentation."""
    print(f"Chromium {found['browser']}, load of the machine {found['machine_load']:.1f}")
    if "load" in found:
        print("\n| page | kB | answers |\n|---|---|---|")
        for page, each in found["load"].items():
            print(f"| {page} | {each['bytes'] / 1000:.1f} | {each['answers']} |")
    if "interactive" in found:
        print("\n| interactive after, ms | least | median |\n|---|---|---|")
        for name, each in found["interactive"].items():
            print(f"| {name} | {each['least']:.0f} | {each['median']:.0f} |")
    if "play" in found:
        each = found["play"]
        cpu = ", ".join(f"{part} {ms:.1f}" for part, ms in each["cpu_ms_per_card"].items())
        print(f"\nCPU ms a card ({each['cards']} cards): {cpu}")
        frame = each["frame_ms"]
        print(f"frames: p50 {frame['p50']:.1f} ms, p99 {frame['p99']:.1f}, most {frame['most']:.0f}")
        print(f"over {LATE_FRAME_MS:.0f} ms: {each['frames_late']}, {each['frames_late_percent']:.1f} %")
        show_taps(each["tap_ms"])
    if "memory" in found:
        each = found["memory"]
        print("\n| after game | heap kB | nodes | listeners |\n|---|---|---|---|")
        for number, game in enumerate(each["games"], 1):
            print(f"| {number} | {game['heap_kb']:.0f} | {game['nodes']:.0f} | {game['listeners']:.0f} |")
        print(
            f"more with each game: {', '.join(f'{what} {more:.2f}' for what, more in each['growth_per_game'].items())}"
        )
        show_taps(each["tap_ms"])


def show_taps(taps: dict[str, float]) -> None:
    """How soon what a finger wants is on its way."""
    print(
        f"tap to sent: {taps['count']} taps, p50 {taps['p50']:.2f} ms, p99 {taps['p99']:.2f}, most {taps['most']:.2f}"
    )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="How much the page is, how soon it can be used, and how it plays.")
    parser.add_argument("--only", nargs="+", choices=PARTS, default=PARTS, help="the parts (all)")
    parser.add_argument("--loads", type=int, help="how often each page is loaded for `interactive` (7)")
    parser.add_argument("--seconds", type=float, help="how long each stretch of `play` lasts (60)")
    parser.add_argument("--hours", type=float, help="how much play of the table's time `memory` sees (1)")
    parser.add_argument("--speed", type=float, default=20.0, help="how many times as fast as life that goes (20)")
    parser.add_argument("--quick", action="store_true", help="everything small: a look, not a measurement")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    arguments = parser.parse_args()
    usual = (
        {"loads": 1, "seconds": 4.0, "hours": 0.05} if arguments.quick else {"loads": 7, "seconds": 60.0, "hours": 1.0}
    )
    for name, value in usual.items():
        if getattr(arguments, name) is None:
            setattr(arguments, name, value)
    found = asyncio.run(run(arguments))
    found["machine_load"] = os.getloadavg()[0]
    if arguments.json:
        print(json.dumps(found, indent=2))
    else:
        show(found)


if __name__ == "__main__":
    main()
