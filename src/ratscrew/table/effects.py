"""What a table wants done: keep something, tell or move somebody. Whoever carries effects out keeps their order."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from ratscrew.table.messages import Message, Presence
from ratscrew.table.records.entries import Entry, Left, Listed, Recorded, RoomLocked


class Moment(NamedTuple):
    """When everybody sees card `n`. Unit: `at_us` microseconds of the table's clock."""

    n: int
    at_us: int


Record: TypeAlias = Callable[[Sequence[Recorded], int, Moment | None], None]
"""Keeps what happened, and when; with a moment, a card that comes to everybody then."""


@dataclass(frozen=True, slots=True)
class Store:
    """Append these entries to the log of `game` after its entry number `after`; once kept, tell them to everybody.

    With a `moment` they turn a card, and are told to everybody just in time for it.
    """

    game: str
    after: int
    entries: tuple[Entry, ...]
    moment: Moment | None = None


@dataclass(frozen=True, slots=True)
class Tell:
    """Say this to the person at seat `to`, or to everybody at the table and all who watch."""

    message: Message
    to: int | None = None


@dataclass(frozen=True, slots=True)
class Move:
    """Whoever acts for a seat acts for the one that `seats` names instead; for one that is not named, nobody does.

    Whoever has none left only watches, or, if he was `removed`, has to go.
    """

    seats: Mapping[int, int]
    removed: bool = False


Effect: TypeAlias = Store | Tell | Move


def changes_access(effect: Effect) -> bool:
    """Whether strangers may find the room after this, or may no longer."""
    match effect:
        case Tell(Presence()):
            return True
        case Store():
            return any(isinstance(entry.event, Listed | RoomLocked | Left) for entry in effect.entries)
    return False


class EffectBuffer:
    """Effects on their way out of a table, in order."""

    def __init__(self) -> None:
        self._effects: list[Effect] = []

    def store(self, game: str, after: int, entries: tuple[Entry, ...], moment: Moment | None = None) -> None:
        """One more batch for the log."""
        self._effects.append(Store(game, after, entries, moment))

    def tell(self, message: Message, to: int | None = None) -> None:
        """One more message, to one seat or to everybody."""
        self._effects.append(Tell(message, to))

    def put(self, effect: Effect) -> None:
        """One more effect."""
        self._effects.append(effect)

    def empty(self) -> list[Effect]:
        """All that has gathered; the outbox is empty afterwards."""
        effects, self._effects = self._effects, []
        return effects
