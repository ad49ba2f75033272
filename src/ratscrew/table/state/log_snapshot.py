"""Snapshots of a table in its log, so that restoring its room reads only the entries since the newest one.

The first entry of a game has one: nothing before it is needed any more. Any other follows from the entries before it;
one that this version cannot read is ignored. Only restoring uses them: replays, checks and results read the entries.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, NamedTuple

from msgspec import NODEFAULT, Struct, ValidationError, convert, to_builtins
from msgspec.structs import fields, replace

from ratscrew.bots.memory import Memory
from ratscrew.errors import CardError
from ratscrew.rules.link import shared
from ratscrew.table.record.entries import AccountLinked, Entry, Sat
from ratscrew.table.state.table_state import Occupant, TableState

FORMAT = 1
"""Rises with each change of what a snapshot contains or means: those of another format are not read."""


class Snapshot(NamedTuple):
    """A table after an entry of its log, and what the bots remember of its game, if there are any."""

    state: TableState
    memory: Memory | None = None


def encode_snapshot(snapshot: Snapshot) -> dict[str, Any]:
    """A snapshot as the log has it: the fields that differ from their defaults. Only its seats have names."""
    memory = snapshot.memory and {
        each.name: _compact(getattr(snapshot.memory, each.name)) for each in dataclasses.fields(snapshot.memory)
    }
    stored: dict[str, Any] = to_builtins(
        {"format": FORMAT, "state": _compact(snapshot.state), "memory": memory}, str_keys=True, enc_hook=int
    )
    return stored


def decode_snapshot(entry: Entry) -> Snapshot | None:
    """The snapshot in an entry; None if there is none that this version can read."""
    try:
        stored = entry.state or {}
        if stored["format"] != FORMAT or not {"format", "state", "memory"}.issuperset(stored):
            return None
        state = _to(TableState, stored["state"])
        memory = _to(Memory | None, stored["memory"])
    except (ValidationError, CardError, KeyError, TypeError):
        return None
    if game := state.game:  # rules that are equal are one object, which has found its patterns
        rules = shared(game.rules)
        state = replace(state, game=replace(game, rules=rules))
        memory = memory and dataclasses.replace(memory, game=replace(memory.game, rules=rules))
    return Snapshot(replace(state, rules=shared(state.rules)), memory)


def change_events(entry: Entry, change: Callable[[Any], Any]) -> Entry:
    """The entry with its event changed, and the names and accounts in its snapshot likewise.

    For those, `change` gets the events by which the players took their seats and were linked. A snapshot whose seats
    cannot be read is dropped.
    """
    if (event := change(entry.event)) != entry.event:
        entry = replace(entry, event=event)
    if entry.state is None:
        return entry
    try:
        seats = _to(tuple[Occupant, ...], entry.state["state"].get("seats", []))
    except (ValidationError, AttributeError, KeyError, TypeError):
        return replace(entry, state=None)
    changed = tuple(_changed_seat(number, seat, change) for number, seat in enumerate(seats))
    if changed == seats:
        return entry
    stored = to_builtins(_compact(changed), str_keys=True)
    return replace(entry, state={**entry.state, "state": {**entry.state["state"], "seats": stored}})


def _changed_seat(number: int, seat: Occupant, change: Callable[[Any], Any]) -> Occupant:
    sat = change(Sat(number, seat.name, seat.bot_level, seat.player_id, seat.appearance))
    linked = change(AccountLinked(number, seat.account, seat.network))
    return replace(seat, name=sat.name, account=linked.account, network=linked.network)


def _compact(value: Any) -> Any:
    """A struct as the fields that differ from their defaults, in lists too."""
    if isinstance(value, Struct) and not type(value).__struct_config__.tag:
        defaults = _defaults(type(value))
        return {
            name: _compact(now) for name in value.__struct_fields__ if (now := getattr(value, name)) != defaults[name]
        }
    if isinstance(value, tuple) and value and isinstance(value[0], Struct):
        return list(map(_compact, value))
    return value


@cache
def _defaults(kind: type[Struct]) -> Mapping[str, Any]:
    return {
        each.name: each.default if each.default_factory is NODEFAULT else each.default_factory()
        for each in fields(kind)
    }


def _to(kind: Any, value: Any) -> Any:
    """Raises: ValidationError."""
    return convert(value, kind, str_keys=True, dec_hook=lambda kind, value: kind(value))
