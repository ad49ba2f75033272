"""Games as texts, out of a log and into one. What a text does not tell is not kept: times, proofs, who was a bot.

A game that is put in is a second an event long, and named after its own text: put in twice, it is there once. Its name
is none that a room can have, so nobody comes to a table by it.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256

from ratscrew.errors import NotationError
from ratscrew.game import notation
from ratscrew.game.events import Arrived
from ratscrew.game.evolve import replay
from ratscrew.table.players.names import NO_NAME, alike, faults, tidy
from ratscrew.table.records.entries import Entry, Recorded, Sat
from ratscrew.table.records.history import history

EVENT_US = 1_000_000

TEXT_MOST = 500_000
"""How many characters the text of a game may have: five times as many as a game of 12,600 events has."""


def text_of(entries: Sequence[Entry]) -> str | None:
    """A game of the log as it is written down, or None if it is not over."""
    told = history(entries)
    return told.text() if told.game and told.game.over else None


def name_of(text: str) -> str:
    """The name under which the log has a game that was put in as this text."""
    return f"WRITTEN-{sha256(text.encode()).hexdigest()[:12]}-1"


def entries_of(text: str) -> list[Entry]:
    """A game that is written down, for the log; where it names nobody, seats are called by their numbers.

    Raises: NotationError if it is no game, or one that is not over, is too long, or has a name that no player may have.
    """
    if len(text) > TEXT_MOST:
        raise NotationError(f"this text has {len(text):,} characters: one of a game has {TEXT_MOST:,} at most")
    names, events = notation.read(text)
    _check(names)
    game = replay(events)
    if not game.over:
        raise NotationError("this game is not over: only one that is can be put into the log")
    sat = [Sat(seat, names[seat] if seat < len(names) else f"Seat {seat + 1}") for seat in range(len(game.hands))]
    late = [event.seat for event in events if isinstance(event, Arrived)]
    told: list[Recorded] = [each for each in sat if each.seat not in late]
    for event in events:
        told += [sat[event.seat], event] if isinstance(event, Arrived) else [event]
    return [Entry(number * EVENT_US, event) for number, event in enumerate(told)]


def _check(names: Sequence[str]) -> None:
    """Deleted names may stand in a text.

    Raises: NotationError if another one is none that somebody who joins may choose.
    """
    kept = [(seat, name) for seat, name in enumerate(names, 1) if name != NO_NAME]
    for place, (seat, name) in enumerate(kept):
        if problems := faults(name):
            raise NotationError(f"name {seat}: {'; '.join(problem.removeprefix('name: ') for problem in problems)}")
        if name != tidy(name):
            raise NotationError(f"name {seat}: it would be written {tidy(name)!r}")
        if twin := next((other for other, earlier in kept[:place] if alike(name, earlier)), None):
            raise NotationError(f"name {seat}: it looks like name {twin}")
