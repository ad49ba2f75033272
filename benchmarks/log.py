"""The cost of an append to the log, alone and with concurrent appends of other rooms, for several logs in turn.

`process` and `full` are the durabilities of a SQLite file; `postgresql` is a server of the benchmark's own, reached by
a UNIX socket, which waits for the disk as usual. All are in temporary folders; set `TMPDIR` to measure another disk.
Does not measure tables.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.loop_lag import summarize
from ratscrew.game.codec import Codec
from ratscrew.log.protocol import EventLog
from ratscrew.log.sqlite import SqliteLog

LOGS = ("process", "full", "postgresql")

ENTRIES = ["x" * 100, "y" * 100]
"""The entries of a slap: two of about a hundred bytes each."""

ROOMS = (1, 10, 50, 200)
"""How many rooms append at the same moment."""

Log = EventLog[str]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--log", nargs="+", choices=LOGS, default=["process", "full"], help="which logs to compare")
    parser.add_argument("--seconds", type=float, default=10, help="how long to measure all together")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    arguments = parser.parse_args()
    found = measure(arguments.log, arguments.seconds)
    print(json.dumps(found) if arguments.json else "\n".join(lines(found)))


def measure(names: Sequence[str], seconds: float) -> dict[str, Any]:
    """For each log and number of rooms: the times until all appends are stored, and the appends in a second.

    Unit: microseconds. `ratios` compares each log with the first: how many times as long an append takes alone.
    """
    times = {name: {rooms: list[float]() for rooms in ROOMS} for name in names}
    with ExitStack() as stack:
        logs = {name: stack.enter_context(closing(_open(name, stack))) for name in names}
        end, after = time.perf_counter() + seconds, 0
        while not after or time.perf_counter() < end:
            for rooms in ROOMS:
                for name, log in logs.items():
                    times[name][rooms].append(_append(log, rooms, after))
            after += len(ENTRIES)
    figures: dict[str, dict[int, Any]] = {
        name: {rooms: {"us": summarize(us), "per_second": rooms * len(us) / sum(us) * 1e6} for rooms, us in of.items()}
        for name, of in times.items()
    }
    alone = {name: of[1]["us"]["p50"] for name, of in figures.items()}
    return {"figures": figures, "ratios": {name: us / alone[names[0]] for name, us in alone.items()}}


def lines(found: dict[str, Any]) -> Iterator[str]:
    """The results as text."""
    yield f"{'log':12}{'rooms at once':>15}{'p50 µs':>10}{'p99 µs':>10}{'appends a second':>20}"
    for name, of in found["figures"].items():
        for rooms, figure in of.items():
            us = figure["us"]
            yield f"{name:12}{rooms:>15}{us['p50']:>10,.0f}{us['p99']:>10,.0f}{figure['per_second']:>20,.0f}"
    first, *others = found["ratios"]
    for name in others:
        yield f"alone, an append to `{name}` takes {found['ratios'][name]:.1f} times as long as to `{first}`"


def _open(name: str, stack: ExitStack) -> Log:
    """A new log, whose files are removed with the stack."""
    codec = Codec[str](str)
    if name == "postgresql":
        from ratscrew.log.postgres.event_log import PostgresLog
        from ratscrew.testing.postgres_server import PostgresServer

        command = [sys.executable, "scripts/postgres.py"]
        programs = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()[-1]
        return PostgresLog(stack.enter_context(PostgresServer(Path(programs), durable=True)).create_log(), codec)
    folder = Path(stack.enter_context(TemporaryDirectory(prefix="ratscrew-benchmark-")))
    return SqliteLog(folder / "log.sqlite3", codec, "full" if name == "full" else "process")


def _append(log: Log, rooms: int, after: int) -> float:
    """The time until concurrent appends of so many rooms are all stored. Unit: microseconds."""
    began = time.perf_counter()
    for soon in [log.append_soon(f"room {number} of {rooms}", after, ENTRIES) for number in range(rooms)]:
        soon.result()
    return (time.perf_counter() - began) * 1e6


if __name__ == "__main__":
    main()
