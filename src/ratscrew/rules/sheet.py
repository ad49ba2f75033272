"""A house in plain words, to be read aloud before the game. Nothing in this file says what an option means.

The words are those of `options`, of the patterns and of the penalties; here they are put in order, and what is off,
what goes without saying and what the cards of the house cannot make is left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from ratscrew.cards import text
from ratscrew.rules.example import example
from ratscrew.rules.house import Rules
from ratscrew.rules.link import to_link
from ratscrew.rules.options import GROUPS, MANNERS, OPTIONS, Option, at, idle
from ratscrew.rules.pattern import Bound
from ratscrew.rules.penalties import NO_CARDS, WRONG_SLAP, Penalty, words_of
from ratscrew.rules.presets import house
from ratscrew.rules.words import Words

_PENALTIES: Mapping[str, Mapping[str, Penalty]] = {"wrong_slap": WRONG_SLAP, "no_cards": NO_CARDS}


class Line(Struct, frozen=True):
    """One rule. `slap` names the pattern of which it speaks, and `cards` is a pile that shows it, the newest last."""

    says: str
    cards: str = ""
    slap: str = ""


class Section(Struct, frozen=True):
    """The rules of one matter."""

    title: str
    lines: tuple[Line, ...]


class Sheet(Struct, frozen=True):
    """The rules of a house, as a family would read them aloud."""

    title: str
    sections: tuple[Section, ...]


def sheet(rules: Rules) -> Sheet:
    """The rules of a house in plain words: only what is on, each slap with an example."""
    preset = nearest(rules)
    sections = []
    for group in GROUPS:
        options = [option for option in OPTIONS if option.group == group and not idle(option.name, rules)]
        said = [*(line for option in options for line in _lines(option, rules)), *map(Line, MANNERS.get(group, ()))]
        if lines := tuple(said):
            sections.append(Section(group.capitalize(), lines))
    return Sheet(f"The house {preset}" if house(preset) == rules else f"A house like {preset}", tuple(sections))


def nearest(rules: Rules) -> str:
    """The preset from which a house differs least."""
    return to_link(rules).split(";")[1]


def differences(rules: Rules, base: Rules) -> tuple[str, ...]:
    """What goes otherwise in a house than in another one, in sentences; what makes no difference is left out."""
    return tuple(
        sentence
        for option in OPTIONS
        if not idle(option.name, rules) and at(rules, option.name) != at(base, option.name)
        for sentence in _changes(option, rules, base)
    )


def _lines(option: Option, rules: Rules) -> Iterator[Line]:
    if option.name == "slaps" and rules.patterns:
        shown = ((bound, example(rules, bound)) for bound in rules.patterns)
        yield from (Line(_slap(bound, rules), text(pile), bound.pattern.name) for bound, pile in shown if pile)
    elif said := _aloud(option, rules):
        yield Line(said[:1].upper() + said[1:])


def _aloud(option: Option, rules: Rules) -> str:
    value = at(rules, option.name)
    if option.name in _PENALTIES:
        return _penalty(option, value)
    return option.words.aloud("off" if option.name == "slaps" else value)


def _changes(option: Option, rules: Rules, base: Rules) -> Iterator[str]:
    if option.name == "slaps":
        ours = {bound.pattern.name: bound for bound in rules.patterns if example(rules, bound)}
        theirs = {bound.pattern.name: bound for bound in base.patterns if example(base, bound)}
        yield from (_slap(bound, rules) for name, bound in ours.items() if bound != theirs.get(name))
        yield from (f"{bound.pattern.label}: no." for name, bound in theirs.items() if name not in ours)
    else:
        value = at(rules, option.name)
        said = _penalty(option, value) if option.name in _PENALTIES else option.words.of(value)
        yield said[:1].upper() + said[1:]


def _slap(bound: Bound, rules: Rules) -> str:
    pattern = bound.pattern
    given = {name: bound.given[name] for name in pattern.choices if not idle(f"slaps.{pattern.name}.{name}", rules)}
    return f"{pattern.label}: {_with(pattern.says, pattern.words, given)}."


def _penalty(option: Option, choice: Mapping[str, Any]) -> str:
    penalty = _PENALTIES[option.name][choice["kind"]]
    says, words = words_of(penalty)
    return f"{option.words.title}: {_with(says, words, {name: choice[name] for name in words if name in choice})}."


def _with(says: str, words: Mapping[str, Words], given: Mapping[str, Any]) -> str:
    """What a pattern or a penalty says of itself, and with which choices."""
    said = [words[name].aloud(value) if name in words else f"{name} {value}" for name, value in given.items()]
    return f"{says[:1].lower()}{says[1:].removesuffix('.')}; {', '.join(filter(None, said))}".removesuffix("; ")
