"""What collecting garbage costs a table that has something to do: left to Python, and kept for quiet moments.

    python -m benchmarks.collection [--rooms 300] [--seconds 60] [--json]

Rooms of four bots play so many seconds of their own time, as fast as they can, once in each way, each in a process of
its own. What is measured is the CPU time from a table's waking to the entries that it wants kept, so other work on the
machine changes little. What the other way costs each second is told apart: what is new is put aside, and when enough
has come everything is looked at.
"""

from __future__ import annotations

import argparse
import gc
import heapq
import json
import random
import subprocess
import sys
import time
from collections import deque
from pathlib import Path
from statistics import median

from ratscrew.bots.ladder import bot
from ratscrew.game.codec import Codec
from ratscrew.rules.presets import house
from ratscrew.table.core import Table
from ratscrew.table.effect import Store
from ratscrew.table.record import Entry
from ratscrew.table.room import REMEMBERED
from ratscrew.web.collector import EVERY_S, Aside

WAYS = ("as it is", "quiet")
SHARES = {"p50": 0.5, "p99": 0.99, "p999": 0.999, "most": 1.0}


def play(way: str, rooms: int, seconds: float) -> dict[str, float]:
    """How many milliseconds of CPU a table took to do what was due, and to collect in quiet."""
    chance, codec = random.Random(1), Codec[Entry](Entry)
    tables = [Table(f"ROOM-{number}", house(), bot, chance.randrange, chance.random) for number in range(rooms)]
    kept: list[deque[Entry]] = [deque(maxlen=REMEMBERED) for _ in tables]
    due: list[tuple[int, int]] = []
    for number, table in enumerate(tables):
        for name in ("Ana", "Ben", "Cy", "Dee"):
            table.sit(name, "steady")
        table.start(0)
        heapq.heappush(due, (table.wake_us() or 0, number))
    gc.collect()
    aside = Aside() if way == "quiet" else None
    took_ms: list[float] = []
    quiet_ms: list[float] = []
    next_us = EVERY_S * 1e6
    while due and due[0][0] < seconds * 1e6:
        at_us, number = heapq.heappop(due)
        if aside and at_us > next_us:
            began_ns = time.thread_time_ns()
            if aside.put():
                aside.collect()
            quiet_ms.append((time.thread_time_ns() - began_ns) / 1e6)
            next_us += EVERY_S * 1e6
        began_ns = time.thread_time_ns()
        stores = [effect for effect in tables[number].tick(at_us) if isinstance(effect, Store)]
        for entry in (entry for store in stores for entry in store.entries):
            codec.encode(entry)
            kept[number].append(entry)
        took_ms.append((time.thread_time_ns() - began_ns) / 1e6)
        if (wake_us := tables[number].wake_us()) is not None:
            heapq.heappush(due, (wake_us, number))
    ranked = sorted(took_ms)
    found = {name: ranked[min(len(ranked) - 1, int(len(ranked) * share))] for name, share in SHARES.items()}
    quiet_ms = quiet_ms or [0.0]
    return {"count": len(ranked), **found, "quiet": median(quiet_ms), "quiet most": max(quiet_ms)}


def main() -> None:
    """Measure both ways, one after the other, and print."""
    parser = argparse.ArgumentParser(description="What collecting garbage costs a table that has something to do.")
    parser.add_argument("--rooms", type=int, default=300)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--way", choices=WAYS, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.way:
        print(json.dumps(play(arguments.way, arguments.rooms, arguments.seconds)))
        return
    size = ["--rooms", str(arguments.rooms), "--seconds", str(arguments.seconds)]
    found: dict[str, dict[str, float]] = {}
    for way in WAYS:
        command = [sys.executable, "-m", "benchmarks.collection", *size, "--way", way]
        asked = subprocess.run(command, stdout=subprocess.PIPE, check=True, cwd=Path(__file__).parents[1])
        found[way] = json.loads(asked.stdout)
    found["ratio"] = {name: found[WAYS[0]][name] / found[WAYS[1]][name] for name in SHARES}
    if arguments.json:
        print(json.dumps(found, indent=2))
        return
    print(f"{arguments.rooms} rooms; CPU milliseconds\n\n| collection | {' | '.join(SHARES)} | in quiet, p50 | most |")
    print(f"|{'---|' * (len(SHARES) + 3)}")
    for way, figures in found.items():
        cells = [f"{figures[name]:.2f}" for name in SHARES]
        cells += [f"{figures[name]:.1f}" if name in figures else "" for name in ("quiet", "quiet most")]
        print(f"| {way} | {' | '.join(cells)} |")


if __name__ == "__main__":
    main()
