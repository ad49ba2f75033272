"""The messages of `wire` and the `bodies` of HTTP as TypeScript. Nothing in this file knows a message by name.

The printed file is `client/src/wire.ts`; a test compares the two. After a change of the messages:

    python -m ratscrew.web.typescript > client/src/wire.ts
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from msgspec.json import schema_components

from ratscrew.cards import NAMES, Card
from ratscrew.rules.describe import Described
from ratscrew.table.records.history import Finished
from ratscrew.web import http_schema, wire
from ratscrew.web.http_schema import (
    Choices,
    Chosen,
    DeletedNames,
    Drill,
    Joined,
    Moved,
    NewLesson,
    NewPass,
    NewRoom,
    NewSeat,
    OldNames,
    OpenRoom,
    Pass,
    Problem,
    Quick,
    SlowDown,
    Taught,
)
from ratscrew.web.wire import ClientMessage, ServerMessage

Schema: TypeAlias = Mapping[str, Any]

SENT = (
    ServerMessage,
    Joined,
    OpenRoom,
    Chosen,
    Described,
    Finished,
    Problem,
    SlowDown,
    Taught,
    Drill,
    Pass,
    Moved,
    DeletedNames,
)
"""What the server sends. It is always whole, so no field of it is optional in TypeScript."""

HEARD = (ClientMessage, NewRoom, NewSeat, Quick, Choices, NewLesson, NewPass, Pass, OldNames)
"""What the server hears. Fields with a default may be left out."""

_PREFIX = "#/$defs/"
_KNOWN = {"$ref", "const", "enum", "anyOf", "type", "items", "prefixItems", "properties", "required"}
_KNOWN |= {"additionalProperties", "discriminator"}
_NO_TYPE = {"title", "description", "default", "minimum", "maximum", "minItems", "maxItems", "minLength", "maxLength"}
_NO_TYPE |= {"pattern", "propertyNames"}
_PLAIN = {"integer": "number", "number": "number", "string": "string", "boolean": "boolean", "null": "null"}

_HEAD = """\
// What travels between browser and server. Printed by `python -m ratscrew.web.typescript`: do not edit.
"""


def render() -> str:
    """The whole text of `wire.ts`."""
    blocks = [_HEAD, f"export const WIRE = {json.dumps(wire_hash())}\n", f"export type Card =\n{_cards()}\n"]
    for name, (schema, code) in sorted(_types().items()):
        law = str(schema.get("description", "")).partition("\n")[0].replace("*/", "* /")
        blocks.append((f"/** {law} */\n" if law else "") + f"export type {name} = {code}\n")
    blocks.append(_unions())
    return "\n".join(blocks)


def wire_hash() -> str:
    """A short name of these types: a page that was made for others has to reload.

    Prose does not count, so that a better sentence in a docstring makes nobody reload.
    """
    types = [f"{name} = {code}" for name, (_, code) in sorted(_types().items())]
    return hashlib.sha256("\n".join([_cards(), *types, _unions()]).encode()).hexdigest()[:12]


def _cards() -> str:
    names = [json.dumps(name) for name in NAMES]
    rows = [" | ".join(names[i : i + 4]) for i in range(0, 52, 4)] + [" | ".join(names[52:])]
    return "\n".join(f"  | {row}" for row in rows)


def _unions() -> str:
    sent, heard = _roots(SENT)[0], _roots(HEARD)[0]
    return f"export type ServerMessage = {_code(sent)}\nexport type ClientMessage = {_code(heard)}\n"


def _types() -> dict[str, tuple[Schema, str]]:
    """Each named type, with its schema and its code."""
    found: dict[str, tuple[Schema, str]] = {}
    for roots, whole in ((SENT, True), (HEARD, False)):
        for path, schema in _roots(roots)[1].items():
            name, code = _plain(path), _code(schema, whole)
            if found.setdefault(name, (schema, code))[1] != code:
                raise TypeError(f"{name} is both sent and heard and has a default: say which fields may be missing")
    return found


def _roots(roots: Sequence[Any]) -> tuple[Schema, dict[str, Schema]]:
    """The schema of the first root, and of every named type that one of them leads to."""
    schemas, named = schema_components(roots, schema_hook=_card, ref_template=_PREFIX + "{name}")
    return schemas[0], named


def _card(kind: type) -> dict[str, Any]:
    """msgspec does not know `Card`; on the wire it is a text, and its type is printed above the others."""
    if kind is Card:
        return {"$ref": _PREFIX + "Card"}
    raise NotImplementedError(f"no schema for {kind}")


def _code(schema: Schema, whole: bool = True) -> str:
    """A schema as a TypeScript type; with `whole`, fields that have a default are there all the same.

    Raises: TypeError at a word of JSON Schema that it does not know, rather than to print a wrong type.
    """
    if unknown := schema.keys() - _KNOWN - _NO_TYPE:
        raise TypeError(f"no TypeScript for {', '.join(sorted(unknown))} in {schema}")
    if not schema.keys() - _NO_TYPE:
        return "unknown"
    match schema:
        case {"$ref": ref}:
            return _plain(str(ref).removeprefix(_PREFIX))
        case {"const": value}:
            return json.dumps(value)
        case {"enum": values}:
            return " | ".join(map(json.dumps, values))
        case {"anyOf": kinds}:
            return " | ".join(_code(kind, whole) for kind in kinds)
        case {"type": "array", "prefixItems": kinds}:
            return f"[{', '.join(_code(kind, whole) for kind in kinds)}]"
        case {"type": "array", "items": kind}:
            return _many(_code(kind, whole))
        case {"type": "array"}:
            return "unknown[]"
        case {"type": "object", "properties": fields}:
            needed = fields.keys() if whole else set(schema.get("required", ()))
            lines = [f"  {name}{'' if name in needed else '?'}: {_code(kind, whole)}" for name, kind in fields.items()]
            return "{\n" + "\n".join(lines) + "\n}"
        case {"type": "object", "additionalProperties": dict() as kind}:
            return f"Record<string, {_code(kind, whole)}>"
        case {"type": "object"}:
            return "Record<string, unknown>"
        case {"type": str() as plain} if plain in _PLAIN:
            return _PLAIN[plain]
    raise TypeError(f"no TypeScript for {schema}")


def _plain(path: str) -> str:
    """A type's name; of two of one name, the one that is not defined here has its module's name before it."""
    module, _, name = path.rpartition(".")
    return (
        name if module in ("", wire.__name__, http_schema.__name__) else module.rpartition(".")[2].capitalize() + name
    )


def _many(code: str) -> str:
    return f"({code})[]" if " | " in code else f"{code}[]"


if __name__ == "__main__":
    sys.stdout.write(render())
