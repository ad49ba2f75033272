"""A grid of experiments, parsed from a file: constants, and axes with their values.

preset = "classic"              # of all cells; or a file, or the text of a link
modules = ["my_pattern"]        # your own, which declare slap patterns; left out mostly
bots = ["steady", "sharp"]
games = 2000
seed = 1

[grid]                          # one cell for each combination
players = [2, 4]
"wrong_slap.count" = [1, 2, 4]
"bots.0.miss" = [0.0, 0.1]      # a trait of the bot in seat 0; "bots.miss" is that of all
"""

from __future__ import annotations

import json
import math
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any, TypeAlias

from msgspec import Struct

from ratscrew.bots.user_modules import load_all
from ratscrew.errors import RatscrewError, RulesError
from ratscrew.lab.experiment import Experiment, make_experiment, resolve_lineup
from ratscrew.rules.house import Rules
from ratscrew.rules.link import with_parts

DEFAULTS: Mapping[str, Any] = {
    "preset": "classic",
    "players": None,
    "bots": None,
    "games": 1000,
    "seed": 1,
    "modules": [],
}
"""The constants of a grid, with their defaults."""

MAX_CELLS = 100_000
"""The most cells of a grid."""

Label: TypeAlias = str | int | float | bool
"""A value of an axis as a table shows it."""

FindRules: TypeAlias = Callable[[str], Rules]
"""Finds a house by its name, its file or its text."""


class Cell(Struct, frozen=True):
    """A point of a grid, its value on each axis, and its experiment."""

    point: dict[str, Label]
    experiment: Experiment


def parse_grid(text: str, find: FindRules) -> list[Cell]:
    """Parse a grid into its cells; the last axis changes fastest.

    Raises: RulesError with every problem at once: of the text, of an axis, of a house that cannot be played.
    """
    settings, axes = _read(text)
    found, problems = list[Cell](), list[str]()
    for values in product(*axes.values()):
        point = dict(zip(axes, values, strict=True))
        try:
            found.append(
                Cell({path: label(value) for path, value in point.items()}, _experiment({**settings, **point}, find))
            )
        except RulesError as error:
            problems += error.problems
    if problems:
        raise RulesError(list(dict.fromkeys(problems)))
    return found


def label(value: Any) -> Label:
    """Format a value of an axis: `2`, `true`, `sharp,steady`, `burn count=2`."""
    match value:
        case dict():
            words = [str(word) if name == "kind" else f"{name}={label(word)}" for name, word in value.items()]
            return " ".join(words)
        case list():
            return ",".join(map(str, value))
        case str() | int() | float():
            return value
        case _:
            return str(value)


def _read(text: str) -> tuple[dict[str, Any], dict[str, list[Any]]]:
    """The constants and the axes."""
    try:
        settings = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise RulesError([f"invalid TOML: {error}"]) from error
    axes = settings.pop("grid", None)
    if not isinstance(axes, dict) or not axes:
        raise RulesError(['it has no axis: below [grid], write for example "wrong_slap.count" = [1, 2, 4]'])
    problems = [
        f"{word}: unknown key; known are {', '.join((*DEFAULTS, '[grid]'))}" for word in settings.keys() - DEFAULTS
    ]
    flat = dict(_flat(axes))
    problems += [
        f"{path}: an axis must be a list of different values, such as [1, 2, 4]"
        for path, values in flat.items()
        if not isinstance(values, list) or not values or len({str(label(value)) for value in values}) < len(values)
    ]
    if problems:
        raise RulesError(sorted(problems))
    if (count := math.prod(map(len, flat.values()))) > MAX_CELLS:
        raise RulesError([f"it has {count:,} cells; the limit is {MAX_CELLS:,}"])
    return {**DEFAULTS, **settings}, flat


def _flat(axes: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    """Axes by their path, written as a quoted path or as nested tables."""
    for name, value in axes.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{before}{name}.")
        else:
            yield f"{before}{name}", value


def _experiment(settings: Mapping[str, Any], find: FindRules) -> Experiment:
    """The experiment of a point, whose settings include options and traits by their paths."""
    games, seed, players, bots = (settings[word] for word in ("games", "seed", "players", "bots"))
    problems = [f"games = {games!r}: it must be a whole number of at least 2"] if not _whole(games, 2) else []
    problems += [f"seed = {seed!r}: it must be a whole number of at least 0"] if not _whole(seed, 0) else []
    if players is not None and not _whole(players, 2):
        problems.append(f"players = {players!r}: it must be a whole number of at least 2")
    if not isinstance(settings["preset"], str):
        problems.append(f"preset = {settings['preset']!r}: it must be a string")
    if bots is not None and not (isinstance(bots, list) and bots and all(isinstance(bot, str) for bot in bots)):
        problems.append(f'bots = {bots!r}: it must be a list of names, such as ["steady", "sharp"]')
    modules = settings["modules"]
    if not (isinstance(modules, list) and all(isinstance(name, str) for name in modules)):
        problems.append(f'modules = {modules!r}: it must be a list of names, such as ["my_pattern"]')
    if problems:
        raise RulesError(problems)
    try:
        load_all(modules)
    except RatscrewError as error:
        raise RulesError([str(error)]) from error
    own = {path: value for path, value in settings.items() if path not in DEFAULTS}
    rules = _with_options(
        find(settings["preset"]), {path: value for path, value in own.items() if not path.startswith("bots.")}
    )
    words = resolve_lineup(rules, bots, players)
    traits = {path.removeprefix("bots."): value for path, value in own.items() if path.startswith("bots.")}
    return make_experiment(
        rules,
        [_with_traits(bot, seat, traits, len(words)) for seat, bot in enumerate(words)],
        None,
        games,
        seed,
        modules,
    )


def _whole(value: object, least: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= least


def _with_options(rules: Rules, choices: Mapping[str, Any]) -> Rules:
    """A house with some of its options changed, each by its path."""
    return with_parts(rules, (part for path, value in choices.items() for part in _link_parts(path, value)))


def _link_parts(path: str, value: Any) -> Iterator[str]:
    """An option in the syntax of a link."""
    match value:
        case {} if not value and path in ("chances", "slaps"):
            yield f"{path}=off"
        case {} if not value and path.startswith("slaps."):
            yield f"{path}=true"
        case dict():
            yield from (part for name, inner in value.items() for part in _link_parts(f"{path}.{name}", inner))
        case list():
            yield f"{path}={'+'.join(map(str, value)) or '-'}"
        case False if path.startswith("slaps."):
            yield f"{path}=off"
        case str():
            yield f"{path}={value}"
        case _:
            yield f"{path}={json.dumps(value, default=str)}"


def _with_traits(bot: str, seat: int, traits: Mapping[str, Any], seats: int) -> str:
    """A bot with the traits of the axes: those of all bots and those of its seat."""
    words = [bot]
    for path, value in traits.items():
        whose, _, trait = path.rpartition(".")
        if whose and not (whose.isdecimal() and int(whose) < seats):
            raise RulesError([f"bots.{path}: write a trait as bots.trait, or as bots.0.trait for the bot in seat 0"])
        if not whose or int(whose) == seat:
            words.append(f"{trait}={value}")
    return ":".join(words)


def axes_of(grid: Sequence[Cell]) -> tuple[str, ...]:
    return tuple(grid[0].point)
