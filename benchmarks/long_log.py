"""A log with a game of many entries and a season of many results, as a server has after some months."""

from __future__ import annotations

from itertools import combinations

from ratscrew.accounts.results import GameResult, RankedPlayer, put_result
from ratscrew.game import notation
from ratscrew.log.protocol import EventLog
from ratscrew.table.record.entries import Entry, Muted, Sat

LONG_GAME, LONG_EVENTS = "LONG0001-1-1", 19_000
"""The game, and how many entries come before its deal."""

TEXT = """ratscrew 1
house 1;classic
name 1 Ana
name 2 Bo
hand 1 9S 2C
hand 2 9H
lead 1
1:9S 2:9H 1!double 1#
"""

PLAYERS = 60
_SEASON_US = 1_000_000


def store_long_game(log: EventLog[Entry]) -> None:
    """Store a finished game with almost as many entries as a game may have."""
    events = [Sat(0, "Ana", player_id=0), Sat(1, "Bo", player_id=1)]
    events += [Muted(0, bool(number % 2)) for number in range(LONG_EVENTS)]  # type: ignore[misc]
    events += notation.read_game(TEXT).events  # type: ignore[arg-type]
    entries = [Entry(number, event) for number, event in enumerate(events, 1)]
    for begin in range(0, len(entries), 500):
        log.append(LONG_GAME, begin, entries[begin : begin + 500])


def store_season(log: EventLog[Entry], results: int, now_us: int) -> None:
    """Store so many rated results of the last days, of pairs of sixty accounts."""
    pairs = list(combinations(range(PLAYERS), 2))
    for number in range(results):
        places = tuple(
            RankedPlayer(f"{account:016x}", seat, seat) for seat, account in enumerate(pairs[number % len(pairs)])
        )
        put_result(log, GameResult(f"G-{number}", now_us - (results - number) * _SEASON_US, "1;classic", places))
