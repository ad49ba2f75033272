"""Games of bots that are logged as games of people with accounts: for tests of results and ratings."""

from __future__ import annotations

from collections.abc import Sequence

from ratscrew.bots.ladder import BOTS
from ratscrew.lab.random_stream import RandomStream
from ratscrew.lab.simulation import Simulation
from ratscrew.rules.presets import house
from ratscrew.table.record.entries import AccountLinked, Committed, Entry, Recorded, Sat

NOVEMBER_US = 1_795_500_000_000_000
"""A moment in November 2026."""


def rated_game(accounts: Sequence[str], seed: int, end_us: int = NOVEMBER_US, preset: str = "classic") -> list[Entry]:
    """The log of a game in which each account plays like the bot of the same name; seat 0 leads."""
    bots = [BOTS[account] for account in accounts]
    sat: list[Recorded] = [Sat(seat, account, None, seat) for seat, account in enumerate(accounts)]
    linked: list[Recorded] = [AccountLinked(seat, account, seat) for seat, account in enumerate(accounts)]
    told = [*sat, *linked, Committed("c", ())]
    told += [entry.event for entry in Simulation(house(preset), bots, RandomStream(seed)).run()]
    return [Entry(end_us - len(told) + number, event) for number, event in enumerate(told, 1)]
