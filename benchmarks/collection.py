"""The cost of garbage collection for an active table: Python's default, and only in idle moments.

    python -m benchmarks.collection [--rooms 300] [--seconds 60] [--json]

Rooms of four bots play `--seconds` of simulated time, as fast as they can, once in each mode, each in a process of its
own. Measured is the CPU time from a table's wake-up to the entries that it wants stored, so other load changes little.
At the end all objects are counted and collected once, as the server does when enough have accumulated.
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
from collections.abc import Callable
from pathlib import Path

from ratscrew.bots.ladder import bot
from ratscrew.game.codec import Codec
from ratscrew.rules.presets import house
from ratscrew.table.core.table import Table
from ratscrew.table.record.effects import Store
from ratscrew.table.record.entries import Entry
from ratscrew.table.room.recent_events import REMEMBERED
from ratscrew.web.edge.gc_policy import THRESHOLDS

MODES = ("as it is", "quiet")
SHARES = {"p50": 0.5, "p99": 0.99, "p999": 0.999, "most": 1.0}


def play(mode: str, rooms: int, seconds: float) -> dict[str, float]:
    """CPU milliseconds of a table's wake-ups, and of counting and collecting all objects."""
    chance, codec = random.Random(1), Codec[Entry](Entry)
    tables = [Table(f"ROOM-{number}", house(), bot, chance.randrange, chance.random) for number in range(rooms)]
    recent: list[deque[Entry]] = [deque(maxlen=REMEMBERED) for _ in tables]
    due: list[tuple[int, int]] = []
    for number, table in enumerate(tables):
        for name in ("Ana", "Ben", "Cy", "Dee"):
            table.add_seat(name, "steady")
        table.start(0)
        heapq.heappush(due, (table.wake_us() or 0, number))
    gc.collect()
    if mode == "quiet":
        gc.freeze()
        gc.set_threshold(*THRESHOLDS)
    elapsed_ms: list[float] = []
    while due and due[0][0] < seconds * 1e6:
        at_us, number = heapq.heappop(due)
        began_ns = time.thread_time_ns()
        stores = [effect for effect in tables[number].tick(at_us) if isinstance(effect, Store)]
        for entry in (entry for store in stores for entry in store.entries):
            codec.encode(entry)
            recent[number].append(entry)
        elapsed_ms.append((time.thread_time_ns() - began_ns) / 1e6)
        if (wake_us := tables[number].wake_us()) is not None:
            heapq.heappush(due, (wake_us, number))
    ranked = sorted(elapsed_ms)
    found = {name: ranked[min(len(ranked) - 1, int(len(ranked) * share))] for name, share in SHARES.items()}
    return {"count": len(ranked), **found, "counted": ms_of(sys.getallocatedblocks), "looked at": ms_of(gc.collect)}


def ms_of(work: Callable[[], object]) -> float:
    """The CPU milliseconds of a call."""
    began_ns = time.thread_time_ns()
    work()
    return (time.thread_time_ns() - began_ns) / 1e6


def main() -> None:
    """Measure both modes, one after the other, and print."""
    parser = argparse.ArgumentParser(description="Measure the cost of garbage collection for an active table.")
    parser.add_argument("--rooms", type=int, default=300)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--mode", choices=MODES, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.mode:
        print(json.dumps(play(arguments.mode, arguments.rooms, arguments.seconds)))
        return
    size = ["--rooms", str(arguments.rooms), "--seconds", str(arguments.seconds)]
    found: dict[str, dict[str, float]] = {}
    for mode in MODES:
        command = [sys.executable, "-m", "benchmarks.collection", *size, "--mode", mode]
        ended = subprocess.run(command, stdout=subprocess.PIPE, check=True, cwd=Path(__file__).parents[1])
        found[mode] = json.loads(ended.stdout)
    found["ratio"] = {name: found[MODES[0]][name] / found[MODES[1]][name] for name in SHARES}
    if arguments.json:
        print(json.dumps(found, indent=2))
        return
    print(f"{arguments.rooms} rooms; CPU milliseconds\n\n| collection | {' | '.join(SHARES)} | counted | looked at |")
    print(f"|{'---|' * (len(SHARES) + 3)}")
    for mode, figures in found.items():
        cells = [f"{figures[name]:.2f}" for name in SHARES]
        cells += [f"{figures[name]:.1f}" if name in figures else "" for name in ("counted", "looked at")]
        print(f"| {mode} | {' | '.join(cells)} |")


if __name__ == "__main__":
    main()
