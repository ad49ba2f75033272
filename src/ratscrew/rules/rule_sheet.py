"""The rule sheet: a house in plain words, to be read aloud before the game.

The texts come from a language. Rules that are off, that go without saying, or that the house's cards cannot form are
left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from ratscrew.cards import text
from ratscrew.rules.example import example, slappable
from ratscrew.rules.house import Rules
from ratscrew.rules.languages import ENGLISH, Language
from ratscrew.rules.link import base_of, to_link
from ratscrew.rules.options import GROUPS, MANNERS, OPTIONS, value_at
from ratscrew.rules.pattern import BoundPattern
from ratscrew.rules.presets import house
from ratscrew.rules.relevance import is_relevant

_PENALTIES = ("wrong_slap", "no_cards")
_WITH_MANNERS = "table manners"


class Line(Struct, frozen=True):
    """One rule. `slap` names its pattern, if any, and `cards` is a pile that shows it, the newest last."""

    text: str
    cards: str = ""
    slap: str = ""


class Section(Struct, frozen=True):
    """One section of the sheet."""

    title: str
    lines: tuple[Line, ...]


class Sheet(Struct, frozen=True):
    """The rules of a house, as a family would read them aloud."""

    title: str
    sections: tuple[Section, ...]


def sheet(rules: Rules, language: Language = ENGLISH, base: str | None = None) -> Sheet:
    """The rules of a house in plain words: only what is on, each slap with an example.

    The title compares them with the preset `base`, or with the nearest one.
    """
    words, preset, sections = language.words, base or nearest(rules), []
    for group in GROUPS:
        options = [option.name for option in OPTIONS if option.group == group and is_relevant(option.name, rules)]
        said = [line for option in options for line in _lines(option, rules, language)]
        if group == _WITH_MANNERS:
            shown = [name for name in MANNERS if is_relevant(f"manners.{name}", rules)]
            said += [Line(words[f"manners.{name}"].sentence) for name in shown]
        if said:
            sections.append(Section(words[f"group.{group.replace(' ', '_')}"].title, tuple(said)))
    title = words["sheet.house" if house(preset) == rules else "sheet.like"].title
    return Sheet(title.replace("{}", words[f"preset.{preset}"].title), tuple(sections))


def nearest(rules: Rules) -> str:
    """The preset that is most similar to a house."""
    return base_of(to_link(rules))


def differences(rules: Rules, base: Rules, language: Language = ENGLISH) -> tuple[str, ...]:
    """The differences of a house from another, in sentences; options without effect are left out."""
    return tuple(
        sentence
        for option in OPTIONS
        if is_relevant(option.name, rules) and value_at(rules, option.name) != value_at(base, option.name)
        for sentence in _changes(option.name, rules, base, language)
    )


def _lines(option: str, rules: Rules, language: Language) -> Iterator[Line]:
    if option == "slaps" and slappable(rules):
        shown = ((bound, example(rules, bound)) for bound in rules.patterns)
        yield from (
            Line(_slap(bound, rules, language), text(pile), bound.pattern.name) for bound, pile in shown if pile
        )
    elif said := _aloud(option, rules, language):
        yield Line(said[:1].upper() + said[1:])


def _aloud(option: str, rules: Rules, language: Language) -> str:
    value = value_at(rules, option)
    if option in _PENALTIES:
        return _penalty(option, rules, language)
    return language.words[option].aloud("off" if option == "slaps" else value)


def _changes(option: str, rules: Rules, base: Rules, language: Language) -> Iterator[str]:
    if option == "slaps":
        ours = {bound.pattern.name: bound for bound in rules.patterns if example(rules, bound)}
        theirs = {bound.pattern.name: bound for bound in base.patterns if example(base, bound)}
        without = language.words["sheet.without"].sentence
        yield from (_slap(bound, rules, language) for name, bound in ours.items() if bound != theirs.get(name))
        yield from (without.replace("{}", language.words[f"slaps.{name}"].title) for name in theirs if name not in ours)
    else:
        value = value_at(rules, option)
        said = _penalty(option, rules, language) if option in _PENALTIES else language.words[option].of(value)
        yield said[:1].upper() + said[1:]


def _slap(bound: BoundPattern, rules: Rules, language: Language) -> str:
    path = f"slaps.{bound.pattern.name}"
    given = {name: bound.given[name] for name in bound.pattern.choices if is_relevant(f"{path}.{name}", rules)}
    words = language.words[path]
    return f"{words.title}: {_with(path, words.hint, given, language)}"


def _penalty(option: str, rules: Rules, language: Language) -> str:
    choice = value_at(rules, option)
    path = f"{option}.{choice['kind']}"
    given = {name: choice[name] for name in choice if name != "kind" and is_relevant(f"{path}.{name}", rules)}
    return f"{language.words[option].title}: {_with(path, language.words[path].sentence, given, language)}"


def _with(path: str, says: str, given: Mapping[str, Any], language: Language) -> str:
    """The text of a pattern or a penalty with its choices."""
    said = ", ".join(filter(None, (language.words[f"{path}.{name}"].aloud(value) for name, value in given.items())))
    whole = language.tongue.after_colon(says)
    return f"{whole.removesuffix('.')}; {said}." if said else whole
