"""Snapshots of a running game in its log, so that restoring its room reads only the entries since the newest one.

A snapshot follows from the entries before it. Nothing but restoring uses it: replays, checks and results read the
entries. One that this version cannot read is ignored, and all entries are read instead.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any, Literal

from msgspec import NODEFAULT, Struct, ValidationError, convert, to_builtins
from msgspec.structs import fields, replace

from ratscrew.bots.memory import Memory
from ratscrew.game.state import Game
from ratscrew.rules.house import Rules
from ratscrew.rules.link import shared
from ratscrew.table.effects import Store
from ratscrew.table.records.entries import Closed, Entry, LedgerSnapshot, TableEvent
from ratscrew.table.records.logged_requests import LoggedRequests

if TYPE_CHECKING:
    from ratscrew.table.table import Table

STATE_EVERY = 64
"""The entries from one snapshot to the next, or a few more. A snapshot takes as much space as some eight of them."""

FORMAT = 1
"""Rises with each change of what a snapshot contains or means: those of another format are ignored."""


class LogSnapshot(Struct, frozen=True, forbid_unknown_fields=True):
    """A table in the middle of a game, after entry `version` of its log.

    `facts` are events that restore the players, the room and the shuffles; only they have names. `next_rules` are the
    rules of the next game if these are others, changed from the preset `base`. `dealer` is the seat that has dealt,
    `spent` what the log's budget has spent, and `memory` what the bots remember, if there are any. `pause_left_us` is
    how long the host may still pause this game.
    """

    format: Literal[1]
    version: int
    facts: tuple[TableEvent, ...]
    next_rules: Rules | None
    base: str | None
    dealer: int
    spent: int
    ledger: LedgerSnapshot
    game: Game
    memory: Memory | None
    pause_left_us: int


def with_state(table: Table, store: Store, entries: tuple[Entry, ...], requests: LoggedRequests) -> tuple[Entry, ...]:
    """The entries of a `Store`, the last one with a snapshot of the table, if that is as it was after this entry.

    The entry has to be a move of the game: then the turn timer needs no entry before it.
    """
    log, session, last = table.log, table.session, entries[-1]
    now = (store.game, store.after + len(entries)) == (log.game, log.version) and not table.pause.on
    if not now or session is None or session.game.over or not hasattr(last.event, "standing"):
        return entries
    log.since = log.version
    rules, memory = session.game.rules, session.bots.memory
    state: dict[str, Any] = {
        "format": FORMAT,
        "version": log.version,
        "facts": [*table.facts(), *table.dealer.to_events(), *[Closed(us) for us in [table.closed_us] if us]],
        "rules": _changed(rules),
        "next_rules": None if table.rules == rules else table.rules,
        "base": table.base,
        "dealer": table.dealer.seat,
        "spent": log.budget.spent,
        "pause_left_us": table.pause.left_us,
        "ledger": requests.complete(table.roster.snapshot(), last.at_us),
        "game": _changed_game(session.game),
        "memory": memory and {**_fields_of(memory), "game": _changed_game(memory.game)},
    }
    stored = to_builtins(state, str_keys=True, enc_hook=int)
    return (*entries[:-1], replace(last, state=stored, since=log.version))


def read_state(entry: Entry) -> LogSnapshot | None:
    """The snapshot in an entry; None if there is none that this version can read."""
    try:
        state = dict(entry.state or {})
        rules, memory = shared(_to(Rules, state.pop("rules"))), state["memory"]
        state["game"] = {**state["game"], "rules": rules}
        if memory is not None:
            state["memory"] = {**memory, "game": {**memory["game"], "rules": rules}}
        found: LogSnapshot = _to(LogSnapshot, state)
    except (ValidationError, KeyError, TypeError):
        return None
    return found


def change_events(entry: Entry, change: Callable[[Any], Any]) -> Entry:
    """The entry with its event changed, and with those of its snapshot, which is dropped if they cannot be read."""
    if (event := change(entry.event)) != entry.event:
        entry = replace(entry, event=event)
    if entry.state is None:
        return entry
    try:
        facts: list[TableEvent] = _to(list[TableEvent], entry.state.get("facts"))
    except ValidationError:
        return replace(entry, state=None)
    changed = [change(fact) for fact in facts]
    return entry if changed == facts else replace(entry, state={**entry.state, "facts": to_builtins(changed)})


def _changed_game(game: Game) -> dict[str, Any]:
    """The fields of a game, without its rules, that differ from their defaults."""
    changed = _changed(game) | {"seat_states": list(map(_changed, game.seat_states))}
    del changed["rules"]
    return changed


def _fields_of(memory: Memory) -> dict[str, Any]:
    return {each.name: getattr(memory, each.name) for each in dataclasses.fields(memory)}


def _changed(value: Struct) -> dict[str, Any]:
    """The fields that differ from their defaults."""
    defaults = _defaults(type(value))
    return {name: now for name in value.__struct_fields__ if (now := getattr(value, name)) != defaults[name]}


@cache
def _defaults(kind: type[Struct]) -> dict[str, Any]:
    return {
        each.name: each.default if each.default_factory is NODEFAULT else each.default_factory()
        for each in fields(kind)
    }


def _to(kind: Any, value: Any) -> Any:
    """Raises: ValidationError."""
    return convert(value, kind, str_keys=True, dec_hook=lambda kind, value: kind(value))
