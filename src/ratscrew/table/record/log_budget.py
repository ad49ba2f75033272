"""The size limit of one game's log, and what each request costs of it. Unit: about 100 bytes of the log.

The log of one game (game 0 is the time before the first) is read as a whole when its room is restored, so it is
bounded: `ENTRIES_MOST` entries, and `REQUESTS_MOST` units by requests besides play. One beyond that is refused with
`room_log_full`. Starting the next game begins a new log; leaving is always possible.

A game that gets so long gets a limit of cards, at which it ends with a result: from `ENTRIES_ENDING` entries on it has
`CARDS_LEFT` cards, which all players see; when the log is full, only the pile on the table is played on.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import get_args

from ratscrew.table.record.entries import Judged, LateSlap, Measured, RulesChanged, TableEvent
from ratscrew.table.record.messages import RequestName
from ratscrew.table.record.requests import FACTS, House

ENTRIES_MOST = 20_000
"""Entries of one game. A long game of people has some 3,000; at two cards a second this is more than an hour."""

ENTRIES_ENDING = 15_000
"""Entries at which a game gets a limit."""

CARDS_LEFT = 600
"""How many more cards it has then: some ten minutes, and mostly fewer entries than are left."""

REQUESTS_MOST = 4000
"""Units that requests may add to the log of one game: 100 changes of the rules, or over a thousand of any other."""

HOUSE_COST, ENTRY_COST = House.FACTS.price, 2
"""What an entry costs: one with a whole set of rules has up to 4 kB, any other besides play up to 200 bytes."""

_PLAYED = {Judged, Measured, LateSlap}
COSTS: Mapping[type, int] = {
    kind: HOUSE_COST if kind is RulesChanged else 0 if kind in _PLAYED else ENTRY_COST for kind in get_args(TableEvent)
}
"""What each event of a table costs of the budget; those of play cost nothing."""

PRICES: Mapping[RequestName, int] = {
    **dict.fromkeys(
        ("play", "slap", "beat"), 0
    ),  # at most one card each half second, and one slap for each seat and card
    **{name: facts.price for name, facts in FACTS.items()},
}
"""What a request costs, by how much it logs and sends."""


def price_unchanged(what: RequestName) -> int:
    """What a request costs that was refused or changed nothing, because it was read."""
    return max(1, PRICES[what] // 8)


_PLAY: Mapping[RequestName, str] = {"play": "always", "slap": "play", "beat": "refused"}
_RESERVE = 400
"""Units reserved for the host's tools against other players, who cannot use them up."""


def game_limit(entries: int, n: int) -> int:
    """After which card the game ends, whose card `n` has just been turned; 0 if its log does not limit it yet."""
    if entries >= ENTRIES_MOST:
        return max(1, n)
    return n + CARDS_LEFT if entries >= ENTRIES_ENDING else 0


def allows(what: RequestName, entries: int, spent: int) -> bool:
    """Whether a request may still be written to a log that has so many entries, and has spent so much."""
    when_full = _PLAY[what] if what in _PLAY else FACTS[what].when_full
    if when_full == "play":
        return entries < ENTRIES_MOST
    reserve = _RESERVE if when_full == "reserve" else 0
    return when_full == "always" or spent + PRICES[what] <= REQUESTS_MOST + reserve
