"""Lays choices over a house: the one merge for every way to write them, from files and links to requests and sweeps.

A given key changes that key alone: `chances.JK = 5` leaves the other cards, `slaps.run.len = 3` the other parameters.

- A penalty that names another `kind` starts anew, from the defaults of its parameters.
- `off` and 0 remove a challenge or a slap; an empty table, or `off`, removes all of them, or all cards of a list.
- `true` switches a slap on; one that is on keeps its parameters. `off` resets a parameter to its default.
- A ten may be written `10` (`10S`), and is read as `T`.

Does not validate: what is not of the right form is kept as it is, for `check` to report.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ratscrew.rules.house import Rules, is_on, option_types, parameters_of
from ratscrew.rules.kinds import kind_of
from ratscrew.rules.pattern import PATTERNS


def merge(base: Rules, choices: Mapping[str, Any]) -> dict[str, Any]:
    """The whole values of the options that the choices name, as they are with these choices over those of the base."""
    return {option: _merged(option, getattr(base, option), value) for option, value in choices.items()}


def takes_cards(path: str) -> bool:
    """Whether the value at a path is a list of cards: an option, a slap, or the parameter of one."""
    match path.split("."):
        case [option]:
            type_ = option_types().get(option)
        case ["slaps", "wild"]:
            return True
        case ["slaps", name] if name in PATTERNS:
            type_ = PATTERNS[name].choices.get(PATTERNS[name].only or "")
        case ["slaps", name, parameter] if name in PATTERNS:
            type_ = PATTERNS[name].choices.get(parameter)
        case _:
            return False
    return type_ is not None and kind_of(type_).kind == "cards"


def _merged(option: str, ours: Any, given: Any) -> Any:
    match option:
        case "chances" | "slaps" if not is_on(given) or given == {}:
            return {}
        case "chances" if isinstance(given, dict):
            spelt = {_spelt(name): chances for name, chances in given.items()}
            return {name: chances for name, chances in {**ours, **spelt}.items() if is_on(chances)}
        case "slaps" if isinstance(given, dict):
            slaps = {**ours, **{name: _slap(name, ours.get(name, False), switch) for name, switch in given.items()}}
            return {name: switch for name, switch in slaps.items() if is_on(switch)}
        case "wrong_slap" | "no_cards" if isinstance(given, dict):
            same = given.get("kind", ours["kind"]) == ours["kind"]
            return _changed(ours if same else {}, given)
    return _cards(option, given)


def _slap(name: str, ours: Any, given: Any) -> Any:
    if given is True:
        return ours if is_on(ours) else True
    if isinstance(given, dict) and name in PATTERNS:
        spelt = {parameter: _cards(f"slaps.{name}.{parameter}", value) for parameter, value in given.items()}
        return _changed(parameters_of(name, ours) if is_on(ours) else {}, spelt)
    return _cards(f"slaps.{name}", given)


def _changed(ours: Mapping[str, Any], given: dict[str, Any]) -> dict[str, Any]:
    """The parameters with the given ones, which come first: problems are reported in that order."""
    kept = {name: value for name, value in ours.items() if name not in given}
    return {name: value for name, value in (given | kept).items() if value not in ("off", None)}


def _cards(path: str, given: Any) -> Any:
    """The value at a path; a list of cards with each as the program writes it."""
    if not takes_cards(path):
        return given
    if isinstance(given, list):
        return [_spelt(name) for name in given]
    return given if is_on(given) else []


def _spelt(name: Any) -> Any:
    """A rank or card as the program writes it: `T` for a ten."""
    if isinstance(name, int) and not isinstance(name, bool):
        name = str(name)
    return f"T{name[2:]}" if isinstance(name, str) and name.startswith("10") else name
