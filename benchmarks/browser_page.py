"""A page of a real browser: throttled on request, measured over the DevTools protocol, and a player who plays on it."""

from __future__ import annotations

import asyncio
import json
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from playwright.async_api import Browser, CDPSession, Page, ViewportSize

METRICS_SCRIPT = Path(__file__).with_name("page_metrics.js").read_text(encoding="utf-8")
PHONE: ViewportSize = {"width": 390, "height": 844}
SAVE_DATA = "Object.defineProperty(navigator, 'connection', { value: { saveData: true } })"
"""With data saving on, the page prefetches nothing."""

SLOW_CPU = 4
SLOW_NET = {"offline": False, "latency": 150, "downloadThroughput": 1.6e6 / 8, "uploadThroughput": 750e3 / 8}
"""Slow 4G: round trip in milliseconds, bytes per second."""

REACTION_S = 0.25
QUIET_S = 1.0
"""If nothing changes for this long, the player reads the page again."""

TIMEOUT_S = 60.0
"""The timeout of each wait for the page."""


class BrowserPage:
    """A page in a new context, as on a phone at its first visit."""

    page: Page
    cdp: CDPSession

    @classmethod
    async def open(cls, browser: Browser, slow: bool = False) -> Self:
        """Open a page; with `slow`, throttled like a modest phone on slow 4G."""
        opened = cls()
        context = await browser.new_context(viewport=PHONE, has_touch=True)
        opened.page = await context.new_page()
        await opened.page.add_init_script(METRICS_SCRIPT)
        opened.cdp = await context.new_cdp_session(opened.page)
        await opened.cdp.send("Performance.enable", {"timeDomain": "threadTicks"})
        if slow:
            await opened.cdp.send("Network.enable")
            await opened.cdp.send("Network.emulateNetworkConditions", SLOW_NET)
            await opened.cdp.send("Emulation.setCPUThrottlingRate", {"rate": SLOW_CPU})
        return opened

    async def close(self) -> None:
        """Close the page and its context."""
        await self.page.context.close()

    async def load(self, url: str) -> dict[str, int]:
        """Load a page with its resources: bytes received, headers included, and number of responses."""
        sizes: list[int] = []
        self.cdp.on("Network.loadingFinished", lambda event: sizes.append(int(event["encodedDataLength"])))
        await self.cdp.send("Network.enable")
        await self.page.add_init_script(SAVE_DATA)
        await self.page.goto(url, wait_until="networkidle")
        return {"bytes": sum(sizes), "answers": len(sizes)}

    async def interactive_ms(self, url: str, button: str) -> float:
        """The time until this button is there and responds to a touch."""
        await self.page.add_init_script(f"waitFor('{button}')")
        async with asyncio.timeout(TIMEOUT_S):
            await self.page.goto(url, wait_until="commit")
            return float(await self.page.evaluate("measured.answered"))

    async def cpu_ms(self) -> dict[str, float]:
        """The CPU time of the main thread so far, in all and by part."""
        answer = await self.cdp.send("Performance.getMetrics")
        metrics = {each["name"]: each["value"] * 1e3 for each in answer["metrics"]}
        parts = {"all": "Task", "script": "Script", "style": "RecalcStyle", "layout": "Layout"}
        return {name: metrics[f"{part}Duration"] for name, part in parts.items()}

    async def memory(self) -> dict[str, float]:
        """Heap, nodes and listeners after garbage collection."""
        await self.cdp.send("HeapProfiler.enable")
        for _ in range(2):
            await self.cdp.send("HeapProfiler.collectGarbage")
        heap = await self.cdp.send("Runtime.getHeapUsage")
        dom = await self.cdp.send("Memory.getDOMCounters")
        return {"heap_kb": heap["usedSize"] / 1024, "nodes": dom["nodes"], "listeners": dom["jsEventListeners"]}

    async def has_tapped(self) -> bool:
        """Whether a tap was measured since the last call of `take_measured`."""
        return bool(await self.page.evaluate("measured.taps.length"))

    async def take_measured(self, what: str) -> list[float]:
        """The page's own measurements since the last call: `taps` or `frames`, in milliseconds."""
        return [float(ms) for ms in await self.page.evaluate(f"measured.{what}.splice(0)")]


@dataclass
class BrowserPlayer:
    """Plays on a page at `speed` times real time: turns cards, slaps doubles and sandwiches."""

    page: BrowserPage
    speed: float = 1.0
    cards: int = 0
    """How many turned cards the page has shown."""
    _top_cards: dict[int, str] = field(default_factory=dict)
    _changes: asyncio.Queue[dict[str, Any]] = field(default_factory=asyncio.Queue)
    _positions: dict[str, tuple[float, float]] = field(default_factory=dict)
    _slapped: int = 0

    async def join(self, url: str) -> None:
        """Open the table and observe it."""
        page, cdp = self.page.page, self.page.cdp
        cdp.on("Runtime.bindingCalled", lambda event: self._changes.put_nowait(json.loads(event["payload"])))
        await cdp.send("Runtime.enable")
        await cdp.send("Runtime.addBinding", {"name": "report"})
        await page.goto(url)
        for name in ("deck", "slap"):
            box = await page.get_by_test_id(name).bounding_box()
            assert box
            self._positions[name] = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        await page.evaluate("follow()")

    async def play(self, seconds: float) -> bool:
        """Play for this long, or until the game is over; whether it is."""
        stop = time.monotonic() + seconds
        while (left := stop - time.monotonic()) > 0:
            try:
                state = await asyncio.wait_for(self._changes.get(), min(QUIET_S, left))
            except TimeoutError:
                await self._report_state()
                continue
            self._note(state)
            while not self._changes.empty():
                self._note(state := self._changes.get_nowait())
            if state["phase"] == "over":
                return True
            if self._pattern(state["n"]) and self._slapped != state["n"]:
                self._slapped = state["n"]
                await asyncio.sleep(REACTION_S / self.speed)
                await self._tap("slap")
            elif state["turn"]:
                await self._tap("deck")
        return False

    async def wait_for_end(self) -> None:
        """Wait until the page has shown the game's end and its animations are over."""
        await self.page.page.get_by_test_id("again").wait_for()
        await asyncio.sleep(QUIET_S)

    async def play_again(self) -> None:
        """Start another game."""
        page, button = self.page.page, self.page.page.get_by_test_id("again")
        async with asyncio.timeout(TIMEOUT_S):
            while await button.count():
                await asyncio.sleep(0.25)
                await page.evaluate("document.querySelector('[data-testid=again]')?.click()")
        self._top_cards.clear()
        self._slapped = 0
        await self._report_state()

    async def _report_state(self) -> None:
        await self.page.page.evaluate("shown()")

    def _note(self, state: dict[str, Any]) -> None:
        if state["n"] and state["n"] not in self._top_cards:
            self.cards += 1
            self._top_cards[state["n"]] = state["top"]

    def _pattern(self, n: int) -> bool:
        rank, *before = (self._top_cards.get(n - back, "")[:-1] for back in range(3))
        return bool(rank) and rank in before

    async def _tap(self, where: str) -> None:
        await self.page.page.touchscreen.tap(*self._positions[where])
