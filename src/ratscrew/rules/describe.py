"""All options of a house as data for building a form."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from msgspec import Struct, to_builtins

from ratscrew.cards import NAMES, RANKS, text
from ratscrew.rules.house import CardName, Rules, option_types
from ratscrew.rules.kinds import ChoiceKind, kind_of
from ratscrew.rules.languages import ENGLISH, Language
from ratscrew.rules.link import to_link
from ratscrew.rules.options import GROUPS, OPTIONS, REQUIREMENTS, TOUCH_ONLY, value_at
from ratscrew.rules.pattern import PATTERNS, Pattern
from ratscrew.rules.penalties import NO_CARDS, WRONG_SLAP, Penalty, defaults, parameters
from ratscrew.rules.presets import PRESETS, house
from ratscrew.rules.words import Words


class Value(Struct, frozen=True):
    """A value that can be chosen, its meaning, and whether it matters on touch screens only."""

    value: str | bool | int
    text: str
    touch: bool = False


class Needed(Struct, frozen=True):
    """The choice requires one of these values of another option; `value` None: every value but the default does.

    An unmet requirement is an error if it is `required`; otherwise the choice has no effect.
    """

    value: Any
    option: str
    values: tuple[Any, ...]
    required: bool


class Choice(Struct, frozen=True):
    """An option or a parameter, by its path in the rules; `least` and `most` bound a number.

    `values` are the words that may be chosen, and the numbers that have a text of their own.
    """

    path: str
    title: str
    hint: str
    kind: str
    default: Any
    values: tuple[Value, ...]
    least: int | None
    most: int | None
    needs: tuple[Needed, ...]


class Group(Struct, frozen=True):
    """A group of options."""

    title: str
    options: tuple[Choice, ...]


class SlapKind(Struct, frozen=True):
    """A slap pattern, an example pile, and its parameters; `only`: the value of its only parameter is the switch.

    `special`: few houses have it, so a form shows it after the others.
    """

    name: str
    title: str
    text: str
    example: str
    only: str | None
    parameters: tuple[Choice, ...]
    special: bool = False


class Cost(Struct, frozen=True):
    """A penalty and its parameters."""

    kind: str
    text: str
    parameters: tuple[Choice, ...]


class Preset(Struct, frozen=True):
    """A preset: its differences from `classic`, all its rules, and its text for a link."""

    name: str
    title: str
    text: str
    choices: Mapping[str, Any]
    rules: Mapping[str, Any]
    link: str


class Described(Struct, frozen=True):
    """All options; `cards` are the names that a list of cards may contain."""

    groups: tuple[Group, ...]
    slaps: tuple[SlapKind, ...]
    wrong_slap: tuple[Cost, ...]
    no_cards: tuple[Cost, ...]
    presets: tuple[Preset, ...]
    cards: tuple[str, ...]


def describe() -> dict[str, Any]:
    """All options as plain data (the fields of `Described`)."""
    return cast("dict[str, Any]", to_builtins(described()))


def described(language: Language = ENGLISH) -> Described:
    """All options, collected from their declarations."""
    return Described(
        tuple(
            Group(language.words[f"group.{group.replace(' ', '_')}"].title, _options(group, language))
            for group in GROUPS
        ),
        tuple(_slap(pattern, language) for pattern in PATTERNS.values()),
        tuple(_cost("wrong_slap", penalty, language) for penalty in WRONG_SLAP.values()),
        tuple(_cost("no_cards", penalty, language) for penalty in NO_CARDS.values()),
        tuple(_preset(name, language) for name in PRESETS),
        (*RANKS, *NAMES),
    )


def _options(group: str, language: Language) -> tuple[Choice, ...]:
    kinds = {name: kind_of(type_) for name, type_ in option_types().items()} | {"slaps.wild": kind_of(list[CardName])}
    plain = Rules()
    names = [option.name for option in OPTIONS if option.group == group]
    return tuple(
        _choice(name, language.words[name], kinds[name], [] if "." in name else value_at(plain, name)) for name in names
    )


def _slap(pattern: Pattern, language: Language) -> SlapKind:
    path = f"slaps.{pattern.name}"
    return SlapKind(
        pattern.name,
        language.words[path].title,
        language.words[path].hint,
        text(pattern.yes[0].pile) if pattern.yes else "",
        pattern.only,
        tuple(
            _choice(f"{path}.{name}", language.words[f"{path}.{name}"], kind_of(type_), pattern.defaults.get(name))
            for name, type_ in pattern.choices.items()
        ),
        pattern.special,
    )


def _cost(option: str, penalty: Penalty, language: Language) -> Cost:
    path, plain = f"{option}.{penalty.__name__}", defaults(penalty)
    return Cost(
        penalty.__name__,
        language.words[path].sentence,
        tuple(
            _choice(f"{option}.{name}", language.words[f"{path}.{name}"], kind_of(type_), plain[name])
            for name, type_ in parameters(penalty).items()
        ),
    )


def _choice(path: str, words: Words, kind: ChoiceKind, default: Any) -> Choice:
    values: tuple[str | bool | int, ...] = (False, True) if kind.kind == "flag" else kind.values
    if kind.kind == "number":
        values += tuple(int(value) for value in words.values if value.isdecimal())
    return Choice(
        path,
        words.title,
        words.hint,
        kind.kind,
        default,
        tuple(Value(value, words.of(value), value in TOUCH_ONLY.get(path, ())) for value in values),
        kind.least,
        kind.most,
        tuple(
            Needed(need.value, need.other, need.values, need.required) for need in REQUIREMENTS if need.option == path
        ),
    )


def _preset(name: str, language: Language) -> Preset:
    rules, words = house(name), language.words[f"preset.{name}"]
    return Preset(name, words.title, words.hint, PRESETS[name], to_builtins(rules), to_link(rules))
