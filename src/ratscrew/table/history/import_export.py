"""Export games from a log as text, and import them. A text has no times, no proofs, and does not say who was a bot.

An imported game takes a second for each event. It is named after a hash of its text, so importing it twice stores it
once; no room can have such a name, so it opens no table.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256

from ratscrew.errors import NotationError
from ratscrew.game import notation
from ratscrew.game.events import Arrived
from ratscrew.game.evolve import replay
from ratscrew.table.history.history import history
from ratscrew.table.names.names import NO_NAME, alike, faults, tidy
from ratscrew.table.record.entries import Entry, Recorded, Sat

EVENT_US = 1_000_000

TEXT_MOST = 500_000
"""How many characters the text of a game may have: five times the length of a game of 12,600 events."""


def text_of(entries: Sequence[Entry]) -> str | None:
    """A game of the log in the notation; None if it is not over."""
    told = history(entries)
    return told.text() if told.game and told.game.over else None


def name_of(text: str) -> str:
    """The name under which the log stores a game imported from this text."""
    return f"WRITTEN-{sha256(text.encode()).hexdigest()[:12]}-1"


def entries_of(text: str) -> list[Entry]:
    """The log entries of a game in the notation; seats without a name are named by their numbers.

    Raises: NotationError if it is no game, or one that is not over, is too long, or has a name that no player may have.
    """
    if len(text) > TEXT_MOST:
        raise NotationError(f"this text has {len(text):,} characters: a game has {TEXT_MOST:,} at most")
    names, events = notation.read_game(text)
    _check(names)
    game = replay(events)
    if not game.over:
        raise NotationError("this game is not over: only finished games can be imported")
    sat = [Sat(seat, names[seat] if seat < len(names) else f"Seat {seat + 1}") for seat in range(len(game.hands))]
    late = [event.seat for event in events if isinstance(event, Arrived)]
    told: list[Recorded] = [each for each in sat if each.seat not in late]
    for event in events:
        told += [sat[event.seat], event] if isinstance(event, Arrived) else [event]
    return [Entry(number * EVENT_US, event) for number, event in enumerate(told)]


def _check(names: Sequence[str]) -> None:
    """Check the names of a text; deleted ones are allowed.

    Raises: NotationError if any other is not one that a player could choose.
    """
    kept = [(seat, name) for seat, name in enumerate(names, 1) if name != NO_NAME]
    for place, (seat, name) in enumerate(kept):
        if problems := faults(name):
            raise NotationError(f"name {seat}: {'; '.join(problem.removeprefix('name: ') for problem in problems)}")
        if name != tidy(name):
            raise NotationError(f"name {seat}: it would be written {tidy(name)!r}")
        if twin := next((other for other, earlier in kept[:place] if alike(name, earlier)), None):
            raise NotationError(f"name {seat}: it looks like name {twin}")
