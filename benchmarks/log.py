"""The cost of an append to the log at each durability, alone and with concurrent appends, both levels in turn.

The log is in a temporary folder; set `TMPDIR` to measure another disk. Does not measure tables.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory
from typing import Any, get_args

from benchmarks.loop_lag import summarize
from ratscrew.game.codec import Codec
from ratscrew.log.database import Durability
from ratscrew.log.sqlite import SqliteLog

BATCH = ["x" * 100, "y" * 100]
"""The entries of a slap: two of about a hundred bytes each."""

ROOMS = 100
"""How many rooms append at the same moment."""

Log = SqliteLog[str]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=10, help="how long to measure both together")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    arguments = parser.parse_args()
    found = measure(arguments.seconds)
    print(json.dumps(found) if arguments.json else "\n".join(lines(found)))


def measure(seconds: float) -> dict[str, Any]:
    """The times of each level in microseconds, and the ratio of `full` to `process`."""
    alone: dict[Durability, list[float]] = {level: [] for level in get_args(Durability)}
    crowd: dict[Durability, list[float]] = {level: [] for level in get_args(Durability)}
    with TemporaryDirectory(prefix="ratscrew-benchmark-") as folder, ExitStack() as stack:
        logs = {level: stack.enter_context(closing(_log(Path(folder), level))) for level in alone}
        end, after = time.perf_counter() + seconds, 0
        while not after or time.perf_counter() < end:
            for level, log in logs.items():
                alone[level].append(_alone(log, after))
                crowd[level].append(_crowd(log, after) / ROOMS)
            after += len(BATCH)
    figures = {level: {"alone_us": summarize(alone[level]), "crowd_us": fmean(crowd[level])} for level in alone}
    full, process = summarize(alone["full"])["p50"], summarize(alone["process"])["p50"]
    ratios = {"alone": full / process, "crowd": fmean(crowd["full"]) / fmean(crowd["process"])}
    return {"figures": figures, "ratios": ratios, "costs_us": full - process}


def lines(found: dict[str, Any]) -> Iterator[str]:
    """The results as text."""
    yield f"{'':10}{'alone: p50':>12}{'p99':>10}{f'of {ROOMS}: each':>14}   µs an append"
    for level, figure in found["figures"].items():
        alone = figure["alone_us"]
        yield f"{level:10}{alone['p50']:>12,.0f}{alone['p99']:>10,.0f}{figure['crowd_us']:>14,.0f}"
    ratios = found["ratios"]
    yield f"{'ratio':10}{ratios['alone']:>12.1f}{'':10}{ratios['crowd']:>14.1f}"
    yield f"`full` costs {found['costs_us']:,.0f} µs more at the median"


def _log(folder: Path, level: Durability) -> Log:
    return SqliteLog(folder / f"{level}.sqlite3", Codec[str](str), level)


def _alone(log: Log, after: int) -> float:
    """The time of one append alone. Unit: microseconds."""
    began = time.perf_counter()
    log.append("alone", after, BATCH)
    return (time.perf_counter() - began) * 1e6


def _crowd(log: Log, after: int) -> float:
    """The time until concurrent appends of many rooms are all stored. Unit: microseconds."""
    began = time.perf_counter()
    for soon in [log.append_soon(f"room {number}", after, BATCH) for number in range(ROOMS)]:
        soon.result()
    return (time.perf_counter() - began) * 1e6


if __name__ == "__main__":
    main()
