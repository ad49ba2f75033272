"""Validates the choices of a house: reports every problem at once, each with what would be right."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from ratscrew.errors import RulesError
from ratscrew.rules.house import CardName, Rules, is_on, option_types, parameters_of
from ratscrew.rules.kinds import kind_of
from ratscrew.rules.merge import merge
from ratscrew.rules.options import unmet_requirements
from ratscrew.rules.pattern import PATTERNS
from ratscrew.rules.penalties import NO_CARDS, WRONG_SLAP, Penalty, defaults, parameters
from ratscrew.rules.words import Sentence, say, written

PENALTIES: Mapping[str, Mapping[str, Penalty]] = {"wrong_slap": WRONG_SLAP, "no_cards": NO_CARDS}
"""The penalties that each option chooses from."""


def parse_rules(choices: Mapping[str, Any], over: Rules | None = None) -> Rules:
    """The rules with these choices over those of a house (default `classic`), merged as `merge` says.

    Equal houses compare equal: omitted parameters of a slap or a penalty are filled in.

    Raises: RulesError with every problem at once.
    """
    base, types = over or Rules(), option_types()
    merged = merge(base, {name: value for name, value in choices.items() if name in types})
    known = ", ".join(types)
    problems: list[str] = []
    for name in choices:
        if name not in types:
            problems.append(say("{name}: there is no such option; there are {known}", name=name, known=known))
        else:
            problems += _option_problems(name, merged[name], types[name])
    if problems:
        raise RulesError(problems)
    kept = {name: msgspec.convert(value, types[name]) for name, value in merged.items()}
    if (slaps := kept.get("slaps")) is not None:
        whole = {name: _whole(name, slaps[name]) for name in (*PATTERNS, "wild") if name in slaps}
        kept["slaps"] = {name: switch for name, switch in whole.items() if is_on(switch)}
    for option, table in PENALTIES.items():
        if option in kept:
            kept[option] = {"kind": kept[option]["kind"], **defaults(table[kept[option]["kind"]]), **kept[option]}
    rules = msgspec.structs.replace(base, **kept)
    if problems := list(_unsound(rules)):
        raise RulesError(problems)
    return rules


def _option_problems(name: str, value: Any, kind: Any) -> list[str]:
    """The problems of one option, whose value is merged."""
    if name == "chances" and isinstance(value, dict):
        return _chances_problems(value, kind)
    if found := type_problems(name, value, kind):
        return found
    if name == "slaps":
        return _slap_problems(value)
    return _penalty_problems(name, value, PENALTIES[name]) if name in PENALTIES else []


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
    """The problems of a value that should be of a type: one sentence, or one for each name that is no card."""
    if isinstance(value, list) and kind_of(kind).kind == "cards":
        strangers: list[str] = [_no_card(option, name) for name in value if not _fits(name, CardName)]
        most = kind_of(kind).most
        if not strangers and most is not None and len(value) > most:
            return [say("{option}: at most {most} cards", option=option, most=most)]
        return strangers
    return [] if _fits(value, kind) else [_wrong(option, value, _allowed(kind))]


def _chances_problems(chances: Mapping[Any, Any], kind: Any) -> list[str]:
    least, most = kind_of(kind).least, kind_of(kind).most
    tries = say("a whole number from {least} to {most}", least=least, most=most)
    found: list[str] = []
    for name, number in chances.items():
        if not _fits(name, CardName):
            found.append(_no_card("chances", name))
        elif not _fits({name: number}, kind):
            found.append(_wrong(f"chances.{name}", number, (tries, "'off'")))
    return found


def _fits(value: Any, kind: Any) -> bool:
    """Whether a value is of a type."""
    try:
        msgspec.convert(value, kind)
    except (msgspec.ValidationError, UnicodeEncodeError):
        return False
    return True


def _no_card(option: str, name: Any) -> Sentence:
    return say(
        "{option}: {name} is not a card: write a rank (2 to 10, J, Q, K, A), a card such as QS, or JK, JKR, JKB",
        option=option,
        name=repr(name),
    )


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
        else:
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
