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
    the new tag and the renames of an event, by its old tag.
    """

    fields: Mapping[str, str] = {}
    inside: Mapping[str, Renames] = {}
    values: Renames | None = None
    events: Mapping[str, tuple[str, Renames]] = {}


_SAME = Renames()

FORMAT_4 = Renames(
    fields={"wish": "request"},
    inside={
        "event": Renames(
            events={
                "sat": ("sat", Renames({"who": "player_id", "guise": "appearance"})),
                "unnamed": ("name_deleted", _SAME),
                "barred": ("removed_players", Renames({"whos": "player_ids"})),
                "filling": ("fill_scheduled", _SAME),
                "weighed": ("measured", _SAME),
                "housed": ("rules_changed", _SAME),
                "lifted": ("reopened", _SAME),
                "nonced": ("nonce_given", _SAME),
                "sealed": ("committed", _SAME),
                "arranged": ("laid_out", _SAME),
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
    return {renames.fields.get(name, name): renamed(each, inside.get(name, others)) for name, each in value.items()}


def renamed_body(body: bytes) -> bytes:
    """The body of an entry of format 3 as format 4 has it. One that is no JSON, or has no old name, stays as it is."""
    try:
        entry = msgspec.json.decode(body)
    except (msgspec.DecodeError, RecursionError):
        return body
    changed = renamed(entry, FORMAT_4)
    return body if changed == entry else msgspec.json.encode(changed)
