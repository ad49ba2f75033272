"""Validates the choices of a house: reports every problem at once, each with what would be right."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from ratscrew.errors import RulesError
from ratscrew.rules.house import CardName, Rules, is_on, option_types, parameters_of
from ratscrew.rules.kinds import kind_of
from ratscrew.rules.options import unmet_requirements
from ratscrew.rules.pattern import PATTERNS
from ratscrew.rules.penalties import NO_CARDS, WRONG_SLAP, Penalty, defaults, parameters
from ratscrew.rules.words import Sentence, say, written


def parse_rules(choices: Mapping[str, Any], over: Rules | None = None) -> Rules:
    """The rules with these choices over those of a house (default `classic`); `slaps` is merged switch by switch.

    Equal houses compare equal: omitted parameters of a slap or a penalty are filled in.

    Raises: RulesError with every problem at once.
    """
    base = over or Rules()
    problems: list[str] = []
    kept: dict[str, Any] = {}
    types = option_types()
    for name, value in choices.items():
        if name not in types:
            problems.append(
                say("{name}: there is no such option; there are {known}", name=name, known=", ".join(types))
            )
        elif misfit := type_problems(name, value, types[name]):
            problems += misfit
        else:
            kept[name] = msgspec.convert(value, types[name])
    problems += _slap_problems(kept.get("slaps", {}))
    problems += _penalty_problems("wrong_slap", kept.get("wrong_slap", base.wrong_slap), WRONG_SLAP)
    problems += _penalty_problems("no_cards", kept.get("no_cards", base.no_cards), NO_CARDS)
    if problems:
        raise RulesError(problems)
    slaps = {**base.slaps, **kept.pop("slaps", {})}
    whole = {name: _whole(name, slaps[name]) for name in (*PATTERNS, "wild") if is_on(slaps.get(name, False))}
    kept["slaps"] = {name: switch for name, switch in whole.items() if is_on(switch)}
    for option, table in (("wrong_slap", WRONG_SLAP), ("no_cards", NO_CARDS)):
        if option in kept:
            kept[option] = {"kind": kept[option]["kind"], **defaults(table[kept[option]["kind"]]), **kept[option]}
    rules = msgspec.structs.replace(base, **kept)
    if problems := list(_unsound(rules)):
        raise RulesError(problems)
    return rules


def _whole(name: str, switch: Any) -> Any:
    """The normal form of a switch that is on: true, the value of the only parameter, or every parameter by name."""
    if name == "wild":
        return switch
    pattern = PATTERNS[name]
    given = {**pattern.defaults, **parameters_of(name, switch)}
    return given[pattern.only] if pattern.only else given or True


def _unsound(rules: Rules) -> Iterator[str]:
    """Problems of combinations of valid choices."""
    for need in unmet_requirements(rules):
        ours = "" if need.value is None else f" = {_shown(need.value)}"
        values = tuple(map(_shown, need.values))
        yield say("{choice} needs {other} = {values}", choice=f"{need.option}{ours}", other=need.other, values=values)
    if rules.max_players == 1:
        yield say("max_players = 1: it can be 0 (no limit), or 2 and more")


def _shown(value: Any) -> str:
    return repr(value) if isinstance(value, str) else written(value)


def type_problems(option: str, value: Any, kind: Any) -> list[str]:
    """The problem of a value that should be of a type: one sentence, or none."""
    try:
        msgspec.convert(value, kind)
    except (msgspec.ValidationError, UnicodeEncodeError):
        return [_wrong(option, value, _allowed(kind))]
    return []


def _wrong(option: str, value: Any, allowed: tuple[str, ...]) -> Sentence:
    return say("{option} = {value}: it can be {allowed}", option=option, value=repr(value), allowed=allowed)


def _allowed(kind: Any) -> tuple[str, ...]:
    """The allowed values in words: all of them, or an example."""
    known = kind_of(kind)
    match known.kind:
        case "cards":
            return (say("a list of cards, such as {example}", example="['JK', 'T']"),)
        case "chances":
            bounds = {"least": known.least, "most": known.most}
            tries = say("{least} to {most} tries for a card, such as {example}", **bounds, example="{'J': 1, 'QS': 2}")
            return (tries,)
        case "table":
            return (say("choices by their names, such as {example}", example="{'kind': 'burn', 'count': 1}"),)
    words = ("true", "false") if known.kind == "flag" else tuple(map(repr, known.values))
    if known.kind != "number":
        return words
    return (say("a whole number from {least} to {most}", least=known.least, most=known.most), *words)


def _slap_problems(slaps: Mapping[str, Any]) -> list[str]:
    found: list[str] = []
    for name, switch in slaps.items():
        if name == "wild":
            found += type_problems("slaps.wild", switch, list[CardName])
        elif name not in PATTERNS:
            known = ", ".join((*PATTERNS, "wild"))
            found.append(say("slaps.{name}: there is no such pattern; there are {known}", name=name, known=known))
        elif is_on(switch):
            found += _switch_problems(name, switch)
    return found


def _switch_problems(name: str, switch: Any) -> list[str]:
    pattern, given = PATTERNS[name], parameters_of(name, switch)
    if switch is not True and not isinstance(switch, dict) and pattern.only is None:
        by_name = say("its parameters {names} by name", names=", ".join(pattern.choices))
        return [_wrong(f"slaps.{name}", switch, ("off", by_name) if pattern.choices else ("true", "false"))]
    found: list[str] = []
    for parameter, value in given.items():
        where = f"slaps.{name}" if pattern.only and not isinstance(switch, dict) else f"slaps.{name}.{parameter}"
        if parameter not in pattern.choices:
            found.append(_stranger(where, name, pattern.choices))
        else:
            found += type_problems(where, value, pattern.choices[parameter])
    unmet_requirements = [p for p in pattern.choices if p not in given and p not in pattern.defaults]
    return found + [say("slaps.{name}: it needs {what}", name=name, what=parameter) for parameter in unmet_requirements]


def _stranger(where: str, whose: str, known: Mapping[str, Any]) -> Sentence:
    has = ", ".join(known) or say("none")
    return say("{where}: {whose} has no such parameter; it has {has}", where=where, whose=whose, has=has)


def _penalty_problems(option: str, choice: Mapping[str, Any], known: Mapping[str, Penalty]) -> list[str]:
    kind = str(choice.get("kind"))
    if kind not in known:
        return [_wrong(f"{option}.kind", kind, tuple(map(repr, known)))]
    kinds, found = parameters(known[kind]), list[str]()
    for name, value in choice.items():
        if name != "kind" and name not in kinds:
            found.append(_stranger(f"{option}.{name}", kind, kinds))
        elif name != "kind":
            found += type_problems(f"{option}.{name}", value, kinds[name])
    return found
