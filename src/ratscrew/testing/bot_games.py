"""Whole games of bots at a live table, on a simulated clock: nothing waits."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from ratscrew.bots.bot import Bot
from ratscrew.game.events import Event
from ratscrew.rules.house import Rules
from ratscrew.table.core.table import Table
from ratscrew.table.record.effects import Store
from ratscrew.table.record.entries import is_game_event


def play_bots(rules: Rules, bots: Sequence[Bot], seed: int = 0) -> tuple[Event, ...]:
    """Every event of a game, from the deal to its end; `ratscrew.replay` gives the game.

    It is played as a server plays it, judge and countdowns included. Shape: `bots` by seat. The same seed gives the
    same game.

    Raises: RulesError if the house does not allow so many players.
    """
    chance = Random(seed)
    table = Table("BOTS", rules, lambda seat: bots[int(seat)], chance.randrange, chance.random)
    for seat in range(len(bots)):
        table.add_seat(f"Bot {seat + 1}", str(seat))
    effects = table.start(0)
    while (wake_us := table.wake_us()) is not None:
        effects += table.tick(wake_us)
    stored = (entry.event for effect in effects if isinstance(effect, Store) for entry in effect.entries)
    return tuple(event for event in stored if is_game_event(event))
