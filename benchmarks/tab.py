"""One page of a real browser: how it is held back, what its debugging port tells of it, and who plays on it."""

from __future__ import annotations

import asyncio
import json
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from playwright.async_api import Browser, CDPSession, Page, ViewportSize

WATCH = Path(__file__).with_name("watch.js").read_text(encoding="utf-8")
PHONE: ViewportSize = {"width": 390, "height": 844}
THRIFTY = "Object.defineProperty(navigator, 'connection', { value: { saveData: true } })"
"""Where every byte costs the page fetches nothing ahead of time."""

SLOW_CPU = 4
SLOW_NET = {"offline": False, "latency": 150, "downloadThroughput": 1.6e6 / 8, "uploadThroughput": 750e3 / 8}
"""Slow 4G: round trips in milliseconds, bytes a second."""

REACTION_S = 0.25
QUIET_S = 1.0
"""If nothing changes for so long, a person looks again."""

LONGEST_S = 60.0
"""A page that takes longer to do what is waited for never will."""


class Tab:
    """A page in a context of its own, as on a phone that has never been here."""

    page: Page
    screen: CDPSession

    @classmethod
    async def open(cls, browser: Browser, slow: bool = False) -> Self:
        """A new one, held back like a modest phone on slow 4G if it is to be `slow`."""
        tab = cls()
        context = await browser.new_context(viewport=PHONE, has_touch=True)
        tab.page = await context.new_page()
        await tab.page.add_init_script(WATCH)
        tab.screen = await context.new_cdp_session(tab.page)
        await tab.screen.send("Performance.enable", {"timeDomain": "threadTicks"})
        if slow:
            await tab.screen.send("Network.enable")
            await tab.screen.send("Network.emulateNetworkConditions", SLOW_NET)
            await tab.screen.send("Emulation.setCPUThrottlingRate", {"rate": SLOW_CPU})
        return tab

    async def close(self) -> None:
        """All of it."""
        await self.page.context.close()

    async def load(self, url: str) -> dict[str, int]:
        """Fetch a page and what it needs: how many bytes came over the line, headers included, in how many answers."""
        came: list[int] = []
        self.screen.on("Network.loadingFinished", lambda event: came.append(int(event["encodedDataLength"])))
        await self.screen.send("Network.enable")
        await self.page.add_init_script(THRIFTY)
        await self.page.goto(url, wait_until="networkidle")
        return {"bytes": sum(came), "answers": len(came)}

    async def interactive_ms(self, url: str, button: str) -> float:
        """How long it takes until this button is there and answers a touch."""
        await self.page.add_init_script(f"waitFor('{button}')")
        async with asyncio.timeout(LONGEST_S):
            await self.page.goto(url, wait_until="commit")
            return float(await self.page.evaluate("measured.answered"))

    async def cpu_ms(self) -> dict[str, float]:
        """What the main thread has done so far, and the parts of it."""
        told = await self.screen.send("Performance.getMetrics")
        metrics = {each["name"]: each["value"] * 1e3 for each in told["metrics"]}
        parts = {"all": "Task", "script": "Script", "style": "RecalcStyle", "layout": "Layout"}
        return {name: metrics[f"{part}Duration"] for name, part in parts.items()}

    async def memory(self) -> dict[str, float]:
        """What is left of it when the garbage has been collected."""
        await self.screen.send("HeapProfiler.enable")
        for _ in range(2):
            await self.screen.send("HeapProfiler.collectGarbage")
        heap = await self.screen.send("Runtime.getHeapUsage")
        dom = await self.screen.send("Memory.getDOMCounters")
        return {"heap_kb": heap["usedSize"] / 1024, "nodes": dom["nodes"], "listeners": dom["jsEventListeners"]}

    async def measured(self, what: str) -> list[float]:
        """What the page has noted of itself since the last time: `taps` or `frames`, in milliseconds."""
        return [float(ms) for ms in await self.page.evaluate(f"measured.{what}.splice(0)")]


@dataclass
class Person:
    """Plays at a table that goes `speed` times as fast as life: turns cards, slaps doubles and sandwiches."""

    tab: Tab
    speed: float = 1.0
    cards: int = 0
    """How many were turned before his eyes."""
    _tops: dict[int, str] = field(default_factory=dict)
    _news: asyncio.Queue[dict[str, Any]] = field(default_factory=asyncio.Queue)
    _places: dict[str, tuple[float, float]] = field(default_factory=dict)
    _slapped: int = 0

    async def sit(self, url: str) -> None:
        """Come to the table and look at it."""
        page, screen = self.tab.page, self.tab.screen
        screen.on("Runtime.bindingCalled", lambda event: self._news.put_nowait(json.loads(event["payload"])))
        await screen.send("Runtime.enable")
        await screen.send("Runtime.addBinding", {"name": "tell"})
        await page.goto(url)
        for name in ("deck", "slap"):
            box = await page.get_by_test_id(name).bounding_box()
            assert box
            self._places[name] = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        await page.evaluate("follow()")

    async def play(self, seconds: float) -> bool:
        """Play for so long; whether the game is over."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            try:
                sight = await asyncio.wait_for(self._news.get(), min(QUIET_S, left))
            except TimeoutError:
                await self._look()
                continue
            self._note(sight)
            while not self._news.empty():
                self._note(sight := self._news.get_nowait())
            if sight["phase"] == "over":
                return True
            if self._pattern(sight["n"]) and self._slapped != sight["n"]:
                self._slapped = sight["n"]
                await asyncio.sleep(REACTION_S / self.speed)
                await self._tap("slap")
            elif sight["turn"]:
                await self._tap("deck")
        return False

    async def end(self) -> None:
        """Wait until the game's end has been announced, and nothing moves any more."""
        await self.tab.page.get_by_test_id("again").wait_for()
        await asyncio.sleep(QUIET_S)

    async def again(self) -> None:
        """Play another game."""
        page, button = self.tab.page, self.tab.page.get_by_test_id("again")
        async with asyncio.timeout(LONGEST_S):
            while await button.count():
                await asyncio.sleep(0.25)
                await page.evaluate("document.querySelector('[data-testid=again]')?.click()")
        self._tops.clear()
        self._slapped = 0
        await self._look()

    async def _look(self) -> None:
        await self.tab.page.evaluate("shown()")

    def _note(self, sight: dict[str, Any]) -> None:
        if sight["n"] and sight["n"] not in self._tops:
            self.cards += 1
            self._tops[sight["n"]] = sight["top"]

    def _pattern(self, n: int) -> bool:
        rank, *before = (self._tops.get(n - back, "")[:-1] for back in range(3))
        return bool(rank) and rank in before

    async def _tap(self, where: str) -> None:
        await self.tab.page.touchscreen.tap(*self._places[where])
