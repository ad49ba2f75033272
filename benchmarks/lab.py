"""The lab's speed on one core in games a second, and its start-up time. No server, and no disk but the cache.

    python -m benchmarks.lab [--quick] [--json]

Time is the process's own CPU. Games of two players without slaps are played by the bitboard and by `lab.c`, a plain C
program of the same rules, in turn; both play the same games and must have the same results. The benchmark fails if they
differ, and if the compiler no longer puts several games into one register: that would cost most of the speed, and no
other check would notice.
"""

from __future__ import annotations

import argparse
import json
import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future
from os import environ
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from typing import Any

from numba import njit

from ratscrew.bots.ladder import PLAIN
from ratscrew.lab import sweep
from ratscrew.lab.bitboard import runner as bitboard
from ratscrew.lab.bitboard.deal import deal
from ratscrew.lab.bitboard.play import play
from ratscrew.lab.experiment import Experiment
from ratscrew.lab.grid import parse_grid
from ratscrew.lab.kernel import runner as kernel
from ratscrew.lab.pieces import play_all
from ratscrew.lab.simulation import MAX_CARDS
from ratscrew.lab.study import figures
from ratscrew.lab.tally import Tally
from ratscrew.rules.house import Rules
from ratscrew.rules.presets import house

SOURCE = Path(__file__).with_name("lab.c")
SEED = 1

BEGGAR = house("beggar")
TWO_SLAPS: dict[str, Any] = {"slaps": {"double": True, "sandwich": True, "instant": []}}
HOUSES: Mapping[str, tuple[Rules, int]] = {
    "double and sandwich, 2 players": (house(**TWO_SLAPS), 2),
    "double and sandwich, 4 players": (house(**TWO_SLAPS), 4),
    "classic, 2 players": (house(), 2),
    "classic, 4 players": (house(), 4),
}
"""The houses for the kernel, with steady bots."""

BOTS_ROUNDS = 15
"""How often games with bots are measured, each time other ones."""

MOST_RATIO = 13
"""The most that ten times as many cells of a sweep may cost."""

VECTORS: Mapping[str, tuple[Any, str]] = {"play": (play, "lshr"), "deal": (deal, "shl")}
"""The functions that are vectorised over games, and an instruction in which that shows."""

Reference = Callable[[int, int], tuple[float, tuple[int, ...]]]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="a smoke test, not a measurement")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--cells", type=int, metavar="N", help="only a sweep's own work, for N cells and for 10 N")
    arguments = parser.parse_args()
    if arguments.cells:
        print(line_of_cells(cells(arguments.cells)))
        return
    found = measure(arguments.quick)
    print(json.dumps(found) if arguments.json else "\n".join(lines(found)))
    if failed := list(failures(found)):
        sys.exit("\n".join(failed))


def measure(quick: bool) -> dict[str, Any]:
    """All figures."""
    return {
        "python": platform.python_version(),
        "without_slaps": without_slaps(rounds=1 if quick else 7, games=20_000 if quick else 400_000),
        "games_per_register": {name: per_register(*each) for name, each in VECTORS.items()},
        "kernel": {name: with_bots(*each, games=100 if quick else 20_000) for name, each in HOUSES.items()},
        "new_house_ms": new_house_ms(),
        "cells": cells(few=20 if quick else 1_000),
        "fresh_process": {} if quick else fresh_processes(),
    }


def failures(found: dict[str, Any]) -> Iterator[str]:
    """The failures, one sentence each."""
    for name, games in found["games_per_register"].items():
        if games < 2:
            yield f"bitboard/{name}.py is compiled for one game at a time: the compiler puts no two into a register"
    if found["cells"]["ratio"] > MOST_RATIO and found["cells"]["few"] > 100:
        yield f"ten times as many cells of a sweep take {found['cells']['ratio']:.1f} times as long"
    if not found["without_slaps"]["same"]:
        yield "the bitboard and lab.c have different results for the same games"


# Two players without slaps


def without_slaps(rounds: int, games: int) -> dict[str, Any]:
    """The bitboard and the C program in turn, each round with games of its own."""
    bitboard.run(BEGGAR, 1, SEED)
    ours, theirs, same = list[float](), list[float](), True
    with TemporaryDirectory(prefix="ratscrew-benchmark-") as folder:
        reference = compile_reference(Path(folder))
        for first in range(0, rounds * games, games):
            began = process_time()
            tally = bitboard.run(BEGGAR, games, SEED, first=first)
            ours.append(process_time() - began)
            if reference:
                seconds, sums = reference(first, games)
                theirs.append(seconds)
                same = same and sums == sums_of(tally)
    found = {"games": rounds * games, "same": same, "bitboard": speed(ours, games)}
    if reference:
        found["c"] = speed(theirs, games)
        found["ratio"] = median(c / numba for c, numba in zip(theirs, ours, strict=True))
    return found


def compile_reference(folder: Path) -> Reference | None:
    """The C program, compiled; None where there is no compiler."""
    compiler = shutil.which("gcc") or shutil.which("cc")
    if not compiler:
        return None
    program = folder / "lab"
    subprocess.run([compiler, "-O3", "-march=native", "-o", program, SOURCE], check=True)

    def run(first: int, games: int) -> tuple[float, tuple[int, ...]]:
        command = [str(program), *map(str, (SEED, first, games, MAX_CARDS))]
        seconds, *sums = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
        return float(seconds), tuple(map(int, sums))

    return run


def sums_of(tally: Tally) -> tuple[int, ...]:
    """The sums that `lab.c` prints besides its time."""
    return tally.never_ended, tally.cards, tally.cards2, tally.tricks, tally.tricks2, tally.leader_wins


def speed(seconds: list[float], games: int) -> dict[str, float]:
    """Games a second of CPU: the median of the rounds, and the best."""
    return {"games_per_second": games / median(seconds), "best": games / min(seconds)}


def per_register(function: Any, instruction: str) -> int:
    """How many games a register holds in the compiled function on this machine; 1 if not vectorised."""
    fresh = njit(nogil=True, error_model="numpy")(function.py_func)
    fresh.compile(function.signatures[0])
    text = fresh.inspect_llvm(fresh.signatures[0])
    return max((int(games) for games in re.findall(rf"\b{instruction} [a-z ]*<(\d+) x i64>", text)), default=1)


# Bots that slap


def with_bots(rules: Rules, players: int, games: int) -> dict[str, float]:
    """The kernel with steady bots."""
    table = kernel.Kernel.of(rules, [PLAIN["steady"]] * players)
    table.block(SEED, 0, 1)
    seconds, cards = list[float](), 0
    for first in range(0, BOTS_ROUNDS * games, games):
        began = process_time()
        cards += table.block(SEED, first, games).cards
        seconds.append(process_time() - began)
    return speed(seconds, games) | {"cards_per_game": cards / (BOTS_ROUNDS * games)}


def new_house_ms() -> dict[str, float]:
    """The set-up time of a new house: the median, and the longest."""
    times = []
    for number in range(1, 12):
        rules = house(chances={"J": number, "Q": 2, "K": 3, "A": 4}, slaps={"hoagie": True, "run": {"len": 3}})
        began = perf_counter()
        kernel.Kernel.of(rules, [PLAIN["steady"]] * 4)
        times.append((perf_counter() - began) * 1000)
    return {"p50": median(times), "most": max(times)}


# The cells of a sweep


class AtOnce(Executor):
    """An executor that plays one piece, and returns it for all others: what is left is the sweep's own work."""

    def __init__(self) -> None:
        self._piece: Any = None

    def submit(self, call: Any, /, *words: Any, **named: Any) -> Future[Any]:
        """The piece."""
        self._piece = self._piece or call(*words, **named)
        future = Future[Any]()
        future.set_result(self._piece)
        return future


def cells(few: int) -> dict[str, float]:
    """CPU seconds of a sweep of so many cells, and of ten times as many, without their games; and the ratio."""
    seconds_of_cells(2)
    first, last = seconds_of_cells(few), seconds_of_cells(10 * few)
    return {"few": few, "few_s": first, "many_s": last, "ratio": last / first}


def seconds_of_cells(count: int) -> float:
    """CPU seconds from the text of a grid to its table, without the games."""
    text = f'bots = ["steady", "sharp"]\ngames = 2\n[grid]\nseed = {list(range(count))}'
    began = process_time()
    grid = parse_grid(text, house)
    with TemporaryDirectory(prefix="ratscrew-benchmark-") as folder:
        for _ in sweep.sweep(grid, Path(folder, "cells.parquet"), play_cells):
            pass
    return process_time() - began


def play_cells(missing: Sequence[Experiment]) -> Iterator[tuple[Experiment, sweep.Row]]:
    """The rows of experiments, as `ratscrew lab sweep` makes them."""
    for experiment, tally in play_all(AtOnce(), missing):
        assert isinstance(tally, Tally), tally
        yield experiment, figures(experiment, tally)


# A process that has just begun

CALLS: Mapping[str, str] = {
    "bitboard": "from ratscrew.lab.bitboard.runner import run; run(house('beggar'), 1, 1)",
    "kernel": "from ratscrew.lab.kernel.runner import run; run(house(), [PLAIN['steady']] * 4, 1, 1)",
}
TIMED = """
from resource import RUSAGE_SELF, getrusage
from time import process_time
from ratscrew.bots.ladder import PLAIN
from ratscrew.rules.presets import house
began = process_time()
{call}
print(process_time() - began, getrusage(RUSAGE_SELF).ru_maxrss)
"""


def fresh_processes() -> dict[str, Any]:
    """One game in a new process, with an empty cache and again: CPU seconds, and peak memory."""
    found: dict[str, Any] = {}
    for name, call in CALLS.items():
        with TemporaryDirectory(prefix="ratscrew-benchmark-") as folder:
            first, later = (run_fresh(TIMED.format(call=call), folder) for _ in range(2))
        found[name] = {"first_s": first[0], "later_s": later[0], "first_mb": first[1], "later_mb": later[1]}
    return found


def run_fresh(program: str, cache: str) -> tuple[float, float]:
    """CPU seconds and peak megabytes of a program in a new process with this cache folder."""
    where = environ | {"XDG_CACHE_HOME": cache}
    ended = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True, env=where)
    seconds, kilobytes = map(float, ended.stdout.split())
    return seconds, kilobytes / 1024


def lines(found: dict[str, Any]) -> Iterator[str]:
    """The results as text."""
    plain = found["without_slaps"]
    yield f"{'games a second of CPU':34}{'median':>12}{'best':>12}"
    for name, label in (("bitboard", "without slaps, bitboard"), ("c", "without slaps, plain C")):
        if name in plain:
            yield f"{label:34}{plain[name]['games_per_second']:>12,.0f}{plain[name]['best']:>12,.0f}"
    for name, figure in found["kernel"].items():
        yield f"{name:34}{figure['games_per_second']:>12,.0f}{figure['best']:>12,.0f}"
    if "ratio" in plain:
        yield f"the bitboard is {plain['ratio']:.1f} times as fast as plain C; same results: {plain['same']}"
    else:
        yield "there is no C compiler here, so nothing was compared"
    width = found["games_per_register"]
    yield f"games in a register: {width['play']} played, {width['deal']} dealt"
    yield f"a new house: {found['new_house_ms']['p50']:.1f} ms, at most {found['new_house_ms']['most']:.1f}"
    yield line_of_cells(found["cells"])
    for name, each in found["fresh_process"].items():
        yield (
            f"{name}, a fresh process: first call {each['first_s']:.1f} s, {each['first_mb']:.0f} MB; "
            f"later {each['later_s']:.1f} s, {each['later_mb']:.0f} MB"
        )


def line_of_cells(some: Mapping[str, float]) -> str:
    """How a sweep's own work grows, as text."""
    return (
        f"a sweep without its games: {some['few']:,} cells {some['few_s']:.1f} s, {10 * some['few']:,} cells"
        f" {some['many_s']:.1f} s, {some['ratio']:.1f} times as long"
    )


if __name__ == "__main__":
    main()
