"""A process with the people at the tables: they see cards and slap, and their true reactions are written down here.

    python -m benchmarks.live_people SOCKET RECORD SEED

It knows nothing of pages, clocks of pages, networks, messages or judges, and uses the standard library alone. A page
process connects to SOCKET and writes a JSON line for each player at a table, `{"room", "seat", "mean_ms"}`, and one for
each card at the moment at which a screen shows it, `{"room", "seat", "game", "n"}`. A person who slaps it touches the
screen after their reaction: this process reads its own clock, appends an `Attempt` to RECORD, and only then writes the
line back to the page. It prints `up` when it listens, and ends with its standard input.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from pathlib import Path
from random import Random
from typing import Any, NamedTuple, TextIO

MISSES = 0.08
"""The share of cards that a person overlooks."""


class Attempt(NamedTuple):
    """A person's slap of a card, by this process's clock; not `slaps`: the person has overlooked it.

    Unit: `seen_ms` milliseconds since the machine was started, `reaction_us` microseconds from there to the touch.
    """

    game: str
    seat: int
    n: int
    seen_ms: float
    reaction_us: int
    slaps: bool


def attempts_in(record: Path) -> list[Attempt]:
    """All attempts in a record."""
    return [Attempt(*json.loads(line)) for line in record.read_text().splitlines()]


class Person:
    """Someone with exponentially modified Gaussian reactions, as people have them. Unit: milliseconds."""

    def __init__(self, chance: Random, mean: float | None) -> None:
        self._chance = chance
        self._mean = min(400.0, max(225.0, chance.gauss(300, 30))) if mean is None else mean
        self._deviation, self._tail = (30.0, 75.0) if mean else (chance.uniform(20, 40), chance.uniform(40, 110))

    def reaction(self) -> float | None:
        """The next reaction; None if the person overlooks the card."""
        reaction = self._chance.gauss(self._mean, self._deviation) + self._chance.expovariate(1 / self._tail)
        return None if self._chance.random() < MISSES else max(150.0, reaction)


class People:
    """Everybody at the tables."""

    def __init__(self, record: TextIO, seed: str) -> None:
        self._record, self._seed = record, seed
        self._people: dict[tuple[str, int], Person] = {}

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Show a page process's cards to its players."""
        while line := await reader.readline():
            seen_ns = time.monotonic_ns()
            said = json.loads(line)
            if "n" in said:
                self._show(said, seen_ns, writer)
            else:
                chance = Random(f"{self._seed} {said['room']} {said['seat']}")
                self._people[said["room"], said["seat"]] = Person(chance, said["mean_ms"])
        writer.close()

    def _show(self, card: dict[str, Any], seen_ns: int, writer: asyncio.StreamWriter) -> None:
        reaction = self._people[card["room"], card["seat"]].reaction()
        if reaction is None:
            self._write(card, seen_ns, seen_ns, slaps=False)
        else:
            asyncio.get_running_loop().call_later(reaction / 1000, self._touch, card, seen_ns, writer)

    def _touch(self, card: dict[str, Any], seen_ns: int, writer: asyncio.StreamWriter) -> None:
        self._write(card, seen_ns, time.monotonic_ns(), slaps=True)
        writer.write(json.dumps(card).encode() + b"\n")

    def _write(self, card: dict[str, Any], seen_ns: int, touched_ns: int, slaps: bool) -> None:
        attempt = Attempt(card["game"], card["seat"], card["n"], seen_ns / 1e6, (touched_ns - seen_ns) // 1000, slaps)
        self._record.write(json.dumps(attempt) + "\n")
        self._record.flush()


async def main(path: str, record: str, seed: str) -> None:
    """Serve until the standard input ends."""
    with Path(record).open("a") as file:
        server = await asyncio.start_unix_server(People(file, seed).serve, path)
        print("up", flush=True)
        await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
        server.close()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
