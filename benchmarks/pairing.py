"""A simulated evening of quick play: how long people wait, and how far apart the ratings at a table are.

    python -m benchmarks.pairing [--people N] [--hours H] [--seeds S] [--json]

`N` people come at random during the evening, each plays some games, and looks for a table anew before each. Tables have
four seats; bots fill one after eight seconds, or it begins when it is full. The same people are paired as
`table/registry/pairing.py` does, and first come, first served: everybody takes the oldest table with a free seat.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import combinations, count
from random import Random
from statistics import fmean, median
from typing import Any

from ratscrew.table.registry.pairing import Arrivals, Seeker, WaitingTable
from ratscrew.table.session.timing import FILL_US, FULL_US

SEATS = 4
FILL_S, FULL_S = FILL_US / 1e6, FULL_US / 1e6
GAME_S = (120.0, 480.0)
GAMES = (5, 20)


@dataclass
class Table:
    """A table that waits."""

    begins_s: float
    people: list[tuple[Seeker, float, int]] = field(default_factory=list)


def evening(people: int, hours: float, seed: int, paired: bool) -> dict[str, float]:
    """The figures of one evening: waits in seconds, gaps of ratings, and the share of seats that bots take."""
    rng = Random(seed)
    numbers, todo = count(), list[tuple[float, int, str, Any]]()
    for _ in range(people):
        seeker = Seeker(rng.gauss(25, 5), rng.lognormvariate(3.4, 0.7))
        heappush(todo, (rng.uniform(0, hours * 3600), next(numbers), "seek", (seeker, rng.randint(*GAMES))))
    durations = Random(seed + 1)
    arrivals, waiting = Arrivals(), list[Table]()
    waits, gaps, seats, bots = list[float](), list[float](), 0, 0
    while todo:
        now_s, _, what, about = heappop(todo)
        if what == "seek":
            seeker, games = about
            free = [table for table in waiting if len(table.people) < SEATS]
            if paired:
                arrivals.note(seeker, now_s)
                known = [
                    (table, WaitingTable([each[0] for each in table.people], SEATS - len(table.people), table.begins_s))
                    for table in free
                ]
                free = arrivals.ranked(known, seeker, now_s)
            if not free:
                free = [Table(now_s + FILL_S)]
                waiting.append(free[0])
                heappush(todo, (free[0].begins_s, next(numbers), "begin", free[0]))
            table = free[0]
            table.people.append((seeker, now_s, games))
            if len(table.people) == SEATS and table.begins_s > now_s + FULL_S:
                table.begins_s = now_s + FULL_S
                heappush(todo, (table.begins_s, next(numbers), "begin", table))
        elif about in waiting and about.begins_s <= now_s:
            waiting.remove(about)
            waits += [now_s - since_s for _, since_s, _ in about.people]
            gaps += [abs(one[0].rating - other[0].rating) for one, other in combinations(about.people, 2)]
            seats, bots = seats + SEATS, bots + SEATS - len(about.people)
            ends_s = now_s + durations.uniform(*GAME_S)
            for seeker, _, games in about.people:
                if games > 1:
                    again = (ends_s + durations.uniform(1, 20), next(numbers), "seek", (seeker, games - 1))
                    heappush(todo, again)
    return {
        "wait_s": median(waits),
        "wait_p90_s": sorted(waits)[len(waits) * 9 // 10],
        "gap": median(gaps) if gaps else 0.0,
        "bots": bots / seats,
    }


def compare(people: int, hours: float, seeds: int) -> dict[str, Any]:
    """Both ways of pairing, the mean over some evenings."""
    found: dict[str, Any] = {"people": people, "hours": hours, "evenings": seeds}
    for name, paired in (("paired", True), ("first_come", False)):
        evenings = [evening(people, hours, seed, paired) for seed in range(seeds)]
        found[name] = {figure: fmean(each[figure] for each in evenings) for figure in evenings[0]}
    found["gap_ratio"] = found["paired"]["gap"] / found["first_come"]["gap"]
    return found


def describe(found: dict[str, Any]) -> str:
    """The figures as text."""
    lines = [f"{found['people']} people in {found['hours']:g} hours, mean of {found['evenings']} evenings"]
    for name, title in (("first_come", "first come, first served"), ("paired", "by rating and distance")):
        each = found[name]
        lines.append(
            f"{title:>24}: median wait {each['wait_s']:.1f} s (90 %: {each['wait_p90_s']:.1f} s), "
            f"median gap of ratings {each['gap']:.2f}, {each['bots']:.1%} of the seats are bots'"
        )
    lines.append(f"the gap is {found['gap_ratio']:.2f} times as large")
    return "\n".join(lines)


def main() -> None:
    """Run it."""
    parser = argparse.ArgumentParser(description="A simulated evening of quick play.")
    parser.add_argument("--people", type=int, default=500)
    parser.add_argument("--hours", type=float, default=2.0)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    found = compare(arguments.people, arguments.hours, arguments.seeds)
    print(json.dumps(found) if arguments.json else describe(found))


if __name__ == "__main__":
    main()
