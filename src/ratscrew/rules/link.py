"""Converts a house to a short text for a link and back, and reads it from a file.

A text such as `1;wiki;turn_ms=5000;slaps.run.len=4;slaps.hoagie=off` is the format version, a preset and the choices
that differ from it, each by its path. Lists are `JK+TD`, an empty one is `-`. All its characters are allowed in the
fragment of a URL.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from typing import Any
from weakref import WeakValueDictionary

import msgspec

from ratscrew.errors import RulesError
from ratscrew.rules.check import parse_rules
from ratscrew.rules.house import Rules
from ratscrew.rules.merge import takes_cards
from ratscrew.rules.presets import PRESETS, house
from ratscrew.rules.words import say

VERSION = "1"
MAX_LENGTH = 2000
"""The most characters of a text that is parsed."""

TABLES = ("chances", "slaps", "wrong_slap", "no_cards")
"""The options that have further choices below them."""

_SHARED: WeakValueDictionary[str, Rules] = WeakValueDictionary()


def to_link(rules: Rules, base: str | None = None) -> str:
    """A house as a short text: a preset and what differs from it.

    The preset is the nearest one, or the `base` from which a player has made these rules, unless they are exactly those
    of another preset, or the text would be too long.
    """
    choices = _choices(to_json(rules))
    shortest = _shortest(choices)
    if base is None or ";" not in shortest.partition(";")[2]:
        return shortest
    text = _differing(choices, base)
    return text if len(text) <= MAX_LENGTH else shortest


def base_of(text: str) -> str:
    """The preset that the text of a house starts from."""
    return text.split(";")[1]


def from_link(text: str) -> Rules:
    """Parse the text of a house.

    Raises: RulesError with every problem at once.
    """
    version, _, rest = text.partition(";")
    if version != VERSION or len(text) > MAX_LENGTH:
        raise RulesError(
            [say("{text!r}: rules in a text begin with '{version};' and a preset", text=text[:40], version=VERSION)]
        )
    preset, *parts = rest.split(";")
    return with_parts(house(preset), parts)


def with_parts(rules: Rules, parts: Iterable[str]) -> Rules:
    """A house with the changes of some parts of a text, each `path=value`; later ones override earlier ones.

    Raises: RulesError with every problem at once.
    """
    changes: dict[str, Any] = {}
    problems: list[str] = []
    for part in filter(None, parts):
        path, equals, value = part.partition("=")
        if not equals:
            problems.append(say("{part!r}: a choice is written option=value", part=part))
        elif not _put(changes, path, _value(path, value)):
            problems.append(say("{path}: there is no such choice in a text", path=path))
    if problems:
        raise RulesError(problems)
    return shared(parse_rules(changes, over=rules))


def shared(rules: Rules) -> Rules:
    """Equal rules that are in use already, or these: with what is computed of them they take some 5 kB of memory."""
    found = _SHARED.setdefault(to_json(rules), rules)
    return found if found == rules else rules


def from_file(text: str, name: str) -> Rules:
    """The house of a TOML or JSON file: options, optionally over a `preset`.

    Raises: RulesError with every problem at once, or with the place where the file cannot be read.
    """
    try:
        choices = json.loads(text) if name.endswith(".json") else tomllib.loads(text)
    except ValueError as error:
        raise RulesError([f"{name}: {error}"]) from error
    except RecursionError as error:
        raise RulesError([f"{name}: it is nested too deeply for a house"]) from error
    if not isinstance(choices, dict):
        raise RulesError([f"{name}: a house is a table of options"])
    return house(choices.pop("preset", "classic"), **choices)


def to_json(rules: Rules) -> str:
    """A house as JSON, with every option."""
    return msgspec.json.encode(rules).decode()


@lru_cache(maxsize=256)
def _shortest(choices: tuple[tuple[str, str], ...]) -> str:
    """The shortest text of some choices; cached, because every client that joins a room gets it."""
    return min((_differing(choices, preset) for preset in PRESETS), key=len)


@lru_cache(maxsize=256)
def _differing(choices: tuple[tuple[str, str], ...], preset: str) -> str:
    """The text of some choices by how they differ from a preset."""
    ours, theirs = dict(choices), _known(preset)
    heads = _heads(ours)
    other_kinds = tuple(
        path.removesuffix("kind")
        for path, value in ours.items()
        if path.endswith(".kind") and theirs.get(path) != value
    )
    parts = [
        f"{path}={value}" for path, value in ours.items() if theirs.get(path) != value or path.startswith(other_kinds)
    ]
    parts += [f"{path}=off" for path in sorted(_heads(theirs)) if path not in heads]
    return ";".join([VERSION, preset, *parts])


@cache
def _known(preset: str) -> Mapping[str, str]:
    return _flat(house(preset))


def _flat(rules: Rules) -> dict[str, str]:
    """Every choice by its path, as a text."""
    return dict(_choices(to_json(rules)))


@lru_cache(maxsize=256)
def _choices(rules: str) -> tuple[tuple[str, str], ...]:
    """Every choice of a house in JSON by its path; cached, because most rooms have the same few houses."""
    return tuple(_paths(msgspec.json.decode(rules), ""))


def _paths(value: Mapping[str, Any], prefix: str) -> Iterator[tuple[str, str]]:
    for name, inner in value.items():
        if isinstance(inner, dict):
            yield from _paths(inner, f"{prefix}{name}.")
        elif isinstance(inner, list):
            yield f"{prefix}{name}", "+".join(inner) or "-"
        else:
            yield f"{prefix}{name}", json.dumps(inner) if not isinstance(inner, str) else inner


def _heads(flat: Mapping[str, str]) -> set[str]:
    """The switches that are present: each slap and each card's chances."""
    return {".".join(path.split(".")[:2]) for path in flat if path.startswith(("slaps.", "chances."))}


def _put(changes: dict[str, Any], path: str, value: Any) -> bool:
    """Put a value at its path into nested choices; false if there is a value above it already, or no table."""
    option, *steps = path.split(".")
    if steps and option not in TABLES:
        return False
    for step in steps:
        changes = changes.setdefault(option, {})
        if not isinstance(changes, dict):
            return False
        option = step
    changes[option] = value
    return True


def _value(path: str, text: str) -> Any:
    if takes_cards(path) and text not in ("off", "true", "false", "0"):
        return [] if text == "-" else text.split("+")
    if text in ("true", "false"):
        return text == "true"
    return int(text) if text.isdecimal() else text
