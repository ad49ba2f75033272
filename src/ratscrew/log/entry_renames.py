"""Maps the JSON of stored entries to the names that the present version uses. Pure functions and tables; no I/O here.

A table that was published stays as it is: files of its format exist. A later rename gets a table and a format step of
its own. No new name is an old name of the same object, so mapping an entry twice changes nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import msgspec

TAG = "e"
"""The field by which events are told apart."""


class Renames(NamedTuple):
    """The renames in one kind of JSON object.

    `fields` maps old to new field names. `inside` are the renames of the objects in a field, by its old name; they
    apply to each element of an array. `values` are those of every value, where the object is a mapping. `events` are
    the new tag and the renames of an event, by its old tag. `texts` maps old to new values of a field that is a text,
    by its old name.
    """

    fields: Mapping[str, str] = {}
    inside: Mapping[str, Renames] = {}
    values: Renames | None = None
    events: Mapping[str, tuple[str, Renames]] = {}
    texts: Mapping[str, Mapping[str, str]] = {}


_SAME = Renames()


def _moves(**fields: str) -> Renames:
    """The renames of an event that moves play, with those of its other fields."""
    return Renames({"to": "standing", **fields}, inside={"to": STANDING})


STANDING = Renames(
    {"by": "challenger", "left": "chances_left", "why": "reason"}, texts={"phase": {"last": "last_chance"}}
)
"""The renames in the standing of a game."""

_SLAP = Renames({"hit": "slap"})

FORMAT_4 = Renames(
    fields={"wish": "request"},
    inside={
        "event": Renames(
            events={
                "sat": ("sat", Renames({"who": "player_id", "guise": "appearance"})),
                "unnamed": ("name_deleted", _SAME),
                "barred": ("removed_players", Renames({"whos": "player_ids"})),
                "filling": ("fill_scheduled", _SAME),
                "weighed": ("measured", _SLAP),
                "housed": ("rules_changed", _SAME),
                "lifted": ("reopened", _SAME),
                "nonced": ("nonce_given", _SAME),
                "sealed": ("committed", _SAME),
                "arranged": ("laid_out", _SAME),
                "late_slap": ("late_slap", _SLAP),
                "dealt": ("dealt", _moves()),
                "played": ("played", _moves(chance="answer_number")),
                "passed": ("passed", _moves()),
                "withdrawn": ("withdrawn", _moves(chance="answer_number")),
                "given": ("given", Renames({"receiver": "to_seat"})),
                "tied": ("tied", _moves()),
                "claimed": ("claimed", _moves(what="claim_type")),
                "resumed": ("resumed", _moves()),
                "grabbed": ("grabbed", _moves()),
                "returned": ("returned", _moves()),
                "stowed": ("stowed", _moves()),
                "split": ("split", _moves()),
                "got": ("half_taken", _moves()),
                "taken": ("taken", _moves(why="reason")),
                "downed": ("slapped_down", _SAME),
                "feinted": ("feinted", Renames({"what": "feint_type"})),
                "spared": ("last_chance_given", _moves()),
                "won": ("won", _moves()),
                "lost": ("lost", _moves()),
                "drawn": ("drawn", _moves()),
                "redealt": ("redealt", _moves()),
            }
        ),
        "ledger": Renames(
            {"next_who": "next_player_id"}, inside={"credits": Renames(values=Renames({"struck": "penalised"}))}
        ),
    },
)
"""What format 4 calls otherwise than format 3."""


def renamed(value: Any, renames: Renames) -> Any:
    """A JSON value with its new names; the order of fields stays. Values without an old name stay equal."""
    if isinstance(value, list) and renames is not _SAME:
        return [renamed(each, renames) for each in value]
    if not isinstance(value, dict) or renames is _SAME:
        return value
    if renames.events and (event := renames.events.get(str(value.get(TAG)))):
        tag, renames = event
        value = {**value, TAG: tag}
    inside, others = renames.inside, renames.values or _SAME
    for name, texts in renames.texts.items():
        if isinstance(text := value.get(name), str) and text in texts:
            value = {**value, name: texts[text]}
    return {renames.fields.get(name, name): renamed(each, inside.get(name, others)) for name, each in value.items()}


def renamed_body(body: bytes) -> bytes:
    """The body of an entry of format 3 as format 4 has it. One that is no JSON, or has no old name, stays as it is."""
    try:
        entry = msgspec.json.decode(body)
    except (msgspec.DecodeError, RecursionError):
        return body
    changed = renamed(entry, FORMAT_4)
    return body if changed == entry else msgspec.json.encode(changed)
