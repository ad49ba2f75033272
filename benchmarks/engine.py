"""How fast the engine is: one step, one view, one text, one message, one whole game of bots. No socket, no disk.

    python -m benchmarks.engine [--seconds 20] [--json]

Time is the process's own CPU. Every figure is the minimum of several rounds; each round covers all figures, so that a
slow moment of the machine does not affect one figure alone. `ratio` divides by the calibration, a fixed piece of plain
Python timed in the same rounds: compare ratios between machines and days, and microseconds only within one run.
"""

from __future__ import annotations

import argparse
import gc
import json
import platform
import random
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from time import perf_counter, process_time
from typing import Any

from ratscrew.bots.ladder import bot
from ratscrew.bots.memory import memory_from_view
from ratscrew.bots.names import NAMES
from ratscrew.game import notation
from ratscrew.game.codec import Codec
from ratscrew.game.commands import Command, Play, Timeout, slap
from ratscrew.game.engine import decide, evolve, find_pattern
from ratscrew.game.events import Dealt, Event, Fouled, Played, Taken
from ratscrew.game.state import Game
from ratscrew.game.view import view
from ratscrew.game.view_changes import replayed
from ratscrew.rules.presets import house
from ratscrew.table.core.table import Table
from ratscrew.table.record.effects import Store
from ratscrew.table.record.entries import Entry, TableEvent, is_game_event
from ratscrew.table.record.messages import EventMessage
from ratscrew.table.state.log_writer import numbered

ROUNDS = 7
TABLES = (2, 4, 8)
SEEDS = range(3)
"""The seeds of the bots' games: always the same ones, as the lengths of games differ."""


@dataclass(frozen=True, slots=True)
class Figure:
    """An operation to time: `run` executes it `count` times."""

    name: str
    count: int
    run: Callable[[], object]


def consume(results: Iterable[object]) -> None:
    """Evaluate all results and discard them."""
    deque(results, maxlen=0)


def calibrate() -> int:
    """A fixed amount of plain Python: small ints, a list, a dict, a call. About a tenth of a millisecond."""

    def step(seen: dict[int, int], number: int) -> int:
        seen[number % 13] = seen.get(number % 13, 0) + number
        return number * 7 % 52

    seen: dict[int, int] = {}
    return sum([step(seen, number) for number in range(500)])


def bot_game(players: int, seed: int) -> list[Entry]:
    """A whole game of bots on a clock of its own, as `ratscrew watch` plays it, without printing it."""
    chance = random.Random(seed)
    table = Table("BENCH", house(), bot, chance.randrange, chance.random)
    for name in chance.sample(NAMES, players):
        table.add_seat(name, "steady")
    effects, entries = table.start(0), list[Entry]()
    while True:
        for effect in effects:
            if isinstance(effect, Store):
                entries += effect.entries
        if (wake_us := table.wake_us()) is None:
            return entries
        effects = table.tick(wake_us)


def events_of(entries: Sequence[Entry]) -> list[Event]:
    """The engine's events of a game, without the table's."""
    return [entry.event for entry in entries if not isinstance(entry.event, TableEvent)]


def figures(whole_games: dict[tuple[int, int], list[Entry]]) -> list[Figure]:
    """All figures, on the states of games of four bots; for `whole_games` see `game_figures`."""
    timed = [Figure("calibration", 1, calibrate)]
    played = [bot_game(4, seed) for seed in SEEDS]
    steps: dict[str, list[tuple[Game, Command, tuple[Event, ...]]]] = {}
    game: Game | None = None
    for event in chain.from_iterable(map(events_of, played)):
        command: Command | None = None
        match event:
            case Played(seat):
                kind, command = "play", Play(seat)
            case Fouled(seat):
                kind, command = "wrong slap", slap(seat)
            case Taken(seat, _, why) if why.startswith("slap:"):
                kind, command = "good slap", slap(seat)
            case Taken():
                kind, command = "collect", Timeout()
        if game and command:
            steps.setdefault(kind, []).append((game, command, decide(game, command).events))
        game = evolve(None if isinstance(event, Dealt) else game, event)
    for kind in ("play", "good slap", "wrong slap", "collect"):
        timed += step_figures(kind, steps[kind])
    games = [game for game, _, _ in steps["play"]]
    seen = [(view(game), memory_from_view(view(game))) for game in games]
    steady, chance = bot("steady"), random.Random(0).random
    every = len(games)
    timed += [
        Figure("view", every, lambda: consume(map(view, games))),
        Figure("find_pattern", every, lambda: consume(map(find_pattern, games))),
        Figure("a bot's plan", every, lambda: consume(steady.plan(each, 0, chance, memory) for each, memory in seen)),
    ]
    return [*timed, *text_figures(played), *game_figures(whole_games)]


def step_figures(kind: str, steps: Sequence[tuple[Game, Command, tuple[Event, ...]]]) -> list[Figure]:
    """The figures of one kind of command: `decide`, which evolves the game too, and `evolve` alone."""

    def evolved() -> None:
        for game, _, events in steps:
            for event in events:
                game = evolve(game, event)

    return [
        Figure(f"{kind}: decide", len(steps), lambda: consume(decide(game, command) for game, command, _ in steps)),
        Figure(f"{kind}: evolve", len(steps), evolved),
    ]


def messages_of(entries: Sequence[Entry]) -> tuple[EventMessage, ...]:
    """The messages of a game's events."""
    events = [entry.event for entry in entries if is_game_event(entry.event)]
    return numbered(events, 1, replayed(events, len(events))[1])


def text_figures(played: Sequence[Sequence[Entry]]) -> list[Figure]:
    """The figures of encoding and decoding: a game as text, a card as a log entry and as a message."""
    log, wire = Codec[Entry](Entry), Codec[EventMessage](EventMessage)
    cards = [entry for entries in played for entry in entries if isinstance(entry.event, Played)]
    messages = [message for entries in played for message in messages_of(entries) if isinstance(message.e, Played)]
    kept = [log.encode(entry) for entry in cards]
    games = [events_of(bot_game(4, 0))]
    written = [notation.write_game(game) for game in games]
    return [
        Figure("log entry: encode", len(cards), lambda: consume(map(log.encode, cards))),
        Figure("log entry: decode", len(kept), lambda: consume(map(log.decode, kept))),
        Figure("message: encode", len(messages), lambda: consume(map(wire.encode, messages))),
        Figure("notation of a game: write", len(games), lambda: consume(map(notation.write_game, games))),
        Figure("notation of a game: read", len(written), lambda: consume(map(notation.read_game, written))),
    ]


def game_figures(games: dict[tuple[int, int], list[Entry]]) -> list[Figure]:
    """Whole games of bots, each a figure of its own: the shorter a run, the likelier one is undisturbed.

    Each game is put into `games`, by its players and its seed, so that its cards can be counted later.
    """

    def play(players: int, seed: int) -> None:
        games[players, seed] = bot_game(players, seed)

    tables = [(players, seed) for players in TABLES for seed in SEEDS]
    return [Figure(f"game {players} {seed}", 1, partial(play, players, seed)) for players, seed in tables]


def measure(every: Sequence[Figure], seconds: float) -> tuple[dict[str, float], int]:
    """Microseconds of each figure, the minimum of the rounds, and the number of rounds in the time (at least one)."""
    least = {figure.name: float("inf") for figure in every}
    share, rounds, end = seconds / ROUNDS / len(every), 0, perf_counter() + seconds
    gc.collect()
    gc.freeze()
    while rounds == 0 or (rounds < ROUNDS and perf_counter() < end):
        rounds += 1
        for figure in every:
            began = now = process_time()
            while now == began or now - began < share:
                before = now
                figure.run()
                now = process_time()
                least[figure.name] = min(least[figure.name], (now - before) * 1e6 / figure.count)
    return least, rounds


def report(seconds: float) -> dict[str, Any]:
    """All results, as `--json` prints them."""
    games = dict[tuple[int, int], list[Entry]]()
    micros, rounds = measure(figures(games), seconds)
    unit = micros["calibration"]
    watch: dict[str, dict[str, float]] = {}
    for players in TABLES:
        game_us = sum(micros.pop(f"game {players} {seed}") for seed in SEEDS) / len(SEEDS)
        played = (isinstance(entry.event, Played) for seed in SEEDS for entry in games[players, seed])
        cards = sum(played) / len(SEEDS)
        watch[str(players)] = {
            "games_per_second": 1e6 / game_us,
            "cards_per_game": cards,
            "us_per_card": game_us / cards,
            "ratio_per_card": game_us / cards / unit,
        }
    return {
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "rounds": rounds,
        "figures": {name: {"us": us, "ratio": us / unit} for name, us in micros.items()},
        "watch": watch,
    }


def show(found: dict[str, Any]) -> None:
    """Print the report as two Markdown tables."""
    print(f"{found['python']}; minimum of {found['rounds']} rounds; ratio: to the calibration\n")
    print("| one of | ratio | µs |\n|---|---|---|")
    for name, each in found["figures"].items():
        print(f"| {name} | {each['ratio']:.3f} | {each['us']:.2f} |")
    print("\n| bots | ratio a card | µs a card | cards a game | games a second |\n|---|---|---|---|---|")
    for players, each in found["watch"].items():
        ratio, us, cards, games = (
            each[key] for key in ("ratio_per_card", "us_per_card", "cards_per_game", "games_per_second")
        )
        print(f"| {players} | {ratio:.2f} | {us:.0f} | {cards:.0f} | {games:.1f} |")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Measure the engine's speed.")
    parser.add_argument("--seconds", type=float, default=20, help="about how long to measure in all")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    arguments = parser.parse_args()
    found = report(arguments.seconds)
    if arguments.json:
        print(json.dumps(found, indent=2))
    else:
        show(found)


if __name__ == "__main__":
    main()
