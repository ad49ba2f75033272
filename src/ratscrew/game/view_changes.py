"""What an event changes of the public view, as generic changes: a client that applies them needs no rules.

`Changes` are a JSON merge patch (RFC 7396) that can also edit lists. They have the fields of `View` that change, each
with

- its new value, if it is a number, a text, a truth value or null, or was null,
- an object of the fields that change, if it is an object; also for a list with an element for each seat, by seat,
- `[from, removed, *added]`, if it is another list: at index `from`, `removed` elements go, and those `added` come.

An event's own `standing` is that of the view after it, so its changes leave it out.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

from msgspec import Struct
from msgspec.structs import astuple

from ratscrew.game.events import Event
from ratscrew.game.evolve import evolve
from ratscrew.game.state import Game
from ratscrew.game.view import View, view

Changes: TypeAlias = dict[str, Any]

ViewUpdate: TypeAlias = View | Changes
"""What an event does to the view: a deal makes a whole one, any other event changes it."""

_FIELDS = View.__struct_fields__
_BY_SEAT = frozenset({"cards_held", "seat_states", "asides"})


def replayed(events: Sequence[Event], newest: int, before: Game | None = None) -> tuple[Game, list[ViewUpdate]]:
    """The game after the events of a log, or after those since `before`, and what each of the newest does to the view.

    Raises: ValueError if there is neither an event nor a game before.
    """
    first, game, changes = max(0, len(events) - newest), before, list[ViewUpdate]()
    for event in events[:first]:
        game = evolve(game, event)
    seen = game and view(game)
    for event in events[first:]:
        game = evolve(game, event)
        old, seen = seen, view(game)
        changes.append(_difference(old, seen, event) if old else seen)
    if game is None:
        raise ValueError("no events, no game")
    return game, changes


def changes_of(before: Game, events: Sequence[Event], after: Game) -> list[Changes]:
    """What each event of a command changes of the view; `after` is the game after all of them."""
    seen, game, changes = view(before), before, list[Changes]()
    for event in events:
        game = evolve(game, event) if len(events) > 1 else after
        old, seen = seen, view(game)
        changes.append(_difference(old, seen, event))
    return changes


def _difference(old: View, new: View, event: Event) -> Changes:
    """What an event has changed, besides the standing that it has itself."""
    changes: Changes = {}
    for name, was, now in zip(_FIELDS, astuple(old), astuple(new), strict=True):
        if was is not now and was != now:  # most are the same object
            changes[name] = _change(was, now, name in _BY_SEAT)
    if hasattr(event, "standing"):
        changes.pop("standing", None)
    return changes


def _change(old: Any, new: Any, by_seat: bool = False) -> Any:
    if isinstance(new, tuple):
        if by_seat and len(old) == len(new):
            pairs = enumerate(zip(old, new, strict=True))
            return {str(seat): _change(was, now) for seat, (was, now) in pairs if was != now}
        return _edit(old, new)
    if isinstance(old, Struct) and isinstance(new, Struct):
        values = zip(new.__struct_fields__, astuple(old), astuple(new), strict=True)
        return {name: now for name, was, now in values if was != now}
    return new


def _edit(old: tuple[Any, ...], new: tuple[Any, ...]) -> list[Any]:
    """The shortest edit in one place that makes one list of another."""
    most, start, tail = min(len(old), len(new)), 0, 0
    while start < most and old[start] == new[start]:
        start += 1
    while tail < most - start and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    return [start, len(old) - tail - start, *new[start : len(new) - tail]]
