"""The client on each browser engine: its load, and the frames of a table in play.

    python -m benchmarks.client_engines [chromium firefox webkit] [--loads 7] [--seconds 30] [--quick] [--json]

Each engine has a window of 390 x 844 pixels and no stored data. `responds` is the time from navigation until a button
responds to a touch, as in `benchmarks.client`; the bytes until then are those of the page and its resources, headers
included, by the page's own performance timeline. Then the page plays with two bots in real time and turns its cards by
itself; the time between its frames is measured, and the time from a touch to the socket's `send`. The engines take
turns at each load, so that other programs disturb all of them alike. Without a graphics card all of them draw by
software.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.browser_page import METRICS_SCRIPT, PHONE, SAVE_DATA
from benchmarks.client import BOTS, LATE_FRAME_MS, tap_line
from benchmarks.loop_lag import summarize
from tests.any_engine import Engines, View, post
from tests.browser.server import Server

import browsers  # isort: skip  # benchmarks.client has made it importable

SIZE = (PHONE["width"], PHONE["height"])
WAIT_MS = 50.0
PATIENCE = 1200
"""So many looks at a page, `WAIT_MS` apart, until it responds."""

BYTES = """[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
  .map((one) => one.transferSize ?? 0).reduce((sum, bytes) => sum + bytes, 0)"""

BEGIN = f"""{METRICS_SCRIPT}; {SAVE_DATA}
waitFor(location.pathname === '/' ? 'play' : 'deck').then((ms) => (window.answered = {{ ms, bytes: {BYTES} }}))"""
"""When the button has responded, in milliseconds from the navigation, and the bytes until then."""

SHOWN = "Number(document.querySelector('[data-n]').dataset.n)"
"""The number of the newest card."""

PLAY = """setInterval(() => {
  const deck = document.querySelector('[data-turn=true]') && document.querySelector('[data-testid=deck]')
  for (const kind of deck ? ['pointerdown', 'pointerup'] : [])
    deck.dispatchEvent(new PointerEvent(kind, { bubbles: true, pointerType: 'mouse' }))
}, 300)"""
"""Turns this page's cards."""


def load(view: View, url: str, page: str) -> dict[str, float]:
    """Load the start page, or a table."""
    if page == "start":
        view.goto(url)
    else:
        sit(view, url)
    return {"responds_ms": wait_for(view, "window.answered?.ms ?? null"), "bytes": float(view.value("answered.bytes"))}


def sit(view: View, url: str) -> None:
    """Go to a new table with bots."""
    view.goto(f"{url}/icon.svg")  # of the same origin, and without scripts
    joined = post(view, "/api/rooms", name="Ana", bots=BOTS, strength="gentle")
    view.value(f"localStorage.setItem('ratscrew:seat:{joined['room']}', '{joined['player_id']}')")
    view.goto(f"{url}/room/{joined['room']}")


def wait_for(view: View, script: str) -> float:
    """The value of an expression, as soon as it is not null.

    Raises: TimeoutError if that takes too long.
    """
    for _ in range(PATIENCE):
        if (found := view.value(script)) is not None:
            return float(found)
        view.wait(WAIT_MS)
    raise TimeoutError(f"the page has no {script}")


def play(view: View, url: str, seconds: float) -> dict[str, Any]:
    """Play at a new table, and measure the frames and the touches."""
    sit(view, url)
    wait_for(view, "window.answered?.ms ?? null")
    first = int(view.value(SHOWN))
    view.value(f"void ({PLAY}, countFrames())")
    view.wait(seconds * 1000)
    wait_for(view, "measured.taps.length || null")
    frames, taps = ([float(ms) for ms in view.value(f"measured.{what}.splice(0)")] for what in ("frames", "taps"))
    late = sum(ms > LATE_FRAME_MS for ms in frames)
    return {
        "cards": int(view.value(SHOWN)) - first,
        "frame_ms": summarize(frames),
        "frames_late_percent": 100 * late / max(1, len(frames)),
        "tap_ms": summarize(taps),
    }


def measure(engines: Sequence[str], loads: int, seconds: float) -> dict[str, Any]:
    """The figures of each engine."""
    found: dict[str, dict[str, list[dict[str, float]]]] = {engine: {"start": [], "table": []} for engine in engines}
    played = dict[str, Any]()
    with (
        tempfile.TemporaryDirectory() as folder,
        Server(Path(folder) / "log.sqlite3") as server,
        Engines(BEGIN) as opened,
    ):
        for engine in [*engines] * loads:
            for page, loads_so_far in found[engine].items():
                with opened.open(engine, *SIZE) as view:
                    loads_so_far.append(load(view, server.url, page))
        for engine in engines:
            with opened.open(engine, *SIZE) as view:
                played[engine] = play(view, server.url, seconds)
    return {engine: {"load": found[engine], "play": played[engine]} for engine in engines}


def show(found: dict[str, Any]) -> None:
    """Print the report as a Markdown table."""
    before, after = found["machine_load"]
    print(f"load of the machine {before:.1f} before and {after:.1f} after\n")
    print(f"| what | {' | '.join(found['engines'])} |\n|---|{'---|' * len(found['engines'])}")
    rows: dict[str, list[str]] = {}
    for each in found["engines"].values():
        for page, loads in each["load"].items():
            times = [one["responds_ms"] for one in loads]
            rows.setdefault(f"{page}: kB", []).append(f"{loads[0]['bytes'] / 1000:.1f}")
            responds = f"least {min(times):,.0f} ms, median {median(times):,.0f}"
            rows.setdefault(f"{page}: responds to a touch after", []).append(responds)
        frame = each["play"]["frame_ms"]
        lengths = f"p50 {frame['p50']:.1f} ms, p99 {frame['p99']:.1f}, most {frame['most']:.0f}"
        rows.setdefault("time between frames", []).append(f"{lengths} ({frame['count']})")
        late = f"{each['play']['frames_late_percent']:.1f} %"
        rows.setdefault(f"frames later than {LATE_FRAME_MS:.0f} ms", []).append(late)
        name, times_to_send = tap_line("", each["play"]["tap_ms"])
        rows.setdefault("touch to sent", []).append(times_to_send)
    for name, cells in rows.items():
        print(f"| {name} | {' | '.join(cells)} |")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Measure the client on each browser engine: its load and its frames.")
    parser.add_argument("engines", nargs="*", choices=[[], *browsers.ENGINES], help="the engines (all)")
    parser.add_argument("--loads", type=int, default=7, help="how often each page is loaded (7)")
    parser.add_argument("--seconds", type=float, default=30.0, help="how long each engine plays (30)")
    parser.add_argument("--quick", action="store_true", help="everything small: a smoke test, not a measurement")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    arguments = parser.parse_args()
    loads, seconds = (1, 3.0) if arguments.quick else (arguments.loads, arguments.seconds)
    before = os.getloadavg()[0]
    found: dict[str, Any] = {"engines": measure(arguments.engines or list(browsers.ENGINES), loads, seconds)}
    found["machine_load"] = [before, os.getloadavg()[0]]
    if arguments.json:
        print(json.dumps(found, indent=2))
    else:
        show(found)


if __name__ == "__main__":
    main()
