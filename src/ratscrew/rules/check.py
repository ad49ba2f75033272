"""Whether choices make a house that can be played: every problem at once, each with what would be right."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, get_args

import msgspec

from ratscrew.errors import RulesError
from ratscrew.rules.house import Named, Rules, is_on, parameters_of
from ratscrew.rules.pattern import PATTERNS
from ratscrew.rules.penalties import NO_CARDS, WRONG_SLAP, Penalty, defaults, parameters


def read(choices: Mapping[str, Any], over: Rules | None = None) -> Rules:
    """The rules with these choices over those of a house (else `classic`); `slaps` is merged switch by switch.

    Equal houses are equal values: what is left out of a slap or a penalty is filled in.

    Raises: RulesError with every problem at once.
    """
    base = over or Rules()
    kinds = {option.name: option.type for option in msgspec.structs.fields(Rules)}
    problems: list[str] = []
    kept: dict[str, Any] = {}
    for name, value in choices.items():
        if name not in kinds:
            problems.append(f"{name}: there is no such option; there are {', '.join(kinds)}")
        elif misfit := misfits(name, value, kinds[name]):
            problems += misfit
        else:
            kept[name] = msgspec.convert(value, kinds[name])
    problems += _slap_problems(kept.get("slaps", {}))
    problems += _penalty_problems("wrong_slap", kept.get("wrong_slap", base.wrong_slap), WRONG_SLAP)
    problems += _penalty_problems("no_cards", kept.get("no_cards", base.no_cards), NO_CARDS)
    if problems:
        raise RulesError(problems)
    slaps = {**base.slaps, **kept.pop("slaps", {})}
    kept["slaps"] = {name: _whole(name, slaps[name]) for name in (*PATTERNS, "wild") if is_on(slaps.get(name, False))}
    for option, table in (("wrong_slap", WRONG_SLAP), ("no_cards", NO_CARDS)):
        if option in kept:
            kept[option] = {"kind": kept[option]["kind"], **defaults(table[kept[option]["kind"]]), **kept[option]}
    rules = msgspec.structs.replace(base, **kept)
    if problems := [problem for problem, wrong in _dependencies(rules) if wrong]:
        raise RulesError(problems)
    return rules


def _whole(name: str, switch: Any) -> Any:
    """A switch that is on in its one form: true, the value of the only parameter, or every parameter by name."""
    if name == "wild":
        return switch
    pattern = PATTERNS[name]
    given = {**pattern.defaults, **parameters_of(name, switch)}
    return given[pattern.only] if pattern.only else given or True


def _dependencies(rules: Rules) -> Iterator[tuple[str, bool]]:
    """What one choice needs of another, and whether it is missing."""
    plain = Rules()
    dead = rules.out_of_turn == "dead"
    yield "cheat = 'split' needs collect = 'manual'", rules.cheat == "split" and rules.collect != "manual"
    yield (
        "triple_six_ban = true needs slaps.triple_six = 'all_lose'",
        rules.triple_six_ban and not is_on(rules.slaps.get("triple_six", False)),
    )
    yield "dead_place needs out_of_turn = 'dead'", rules.dead_place != plain.dead_place and not dead
    yield "out_of_turn_burn needs out_of_turn = 'dead'", rules.out_of_turn_burn > 0 and not dead
    yield "join_seat = 'choose' needs late_join = 'slap_in'", rules.join_seat == "choose" and rules.late_join == "no"
    top_bottom = rules.slaps.get("top_bottom")
    hidden = isinstance(top_bottom, dict) and top_bottom.get("after_burn") == "burn_is_bottom"
    yield "slaps.top_bottom.after_burn = 'burn_is_bottom' needs burn_face_up = true", hidden and not rules.burn_face_up
    yield "max_players = 1: it can be 0 (no limit), or 2 and more", rules.max_players == 1
    yield "tie_window_ms needs tie = 'contact', 'void' or 'judge'", rules.tie_window_ms > 0 and rules.tie == "earliest"


def misfits(option: str, value: Any, kind: Any) -> list[str]:
    """What is wrong with a value that should be of a kind: one sentence, or none."""
    try:
        msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        allowed = _allowed(kind)
        return [f"{option} = {value!r}: {f'it can be {allowed}' if allowed else str(error)}"]
    return []


def _allowed(kind: Any) -> str:
    """The values of a kind in words, where they can be listed."""
    if kind is bool:
        return "true or false"
    meta = next((part for part in getattr(kind, "__metadata__", ()) if isinstance(part, msgspec.Meta)), None)
    if meta and meta.ge is not None:
        return f"a whole number from {meta.ge} to {meta.le}"
    words = [_allowed(part) if not isinstance(part, str | int) else repr(part) for part in get_args(kind)]
    return " or ".join(words) if words and all(words) else ""


def _slap_problems(slaps: Mapping[str, Any]) -> list[str]:
    found: list[str] = []
    for name, switch in slaps.items():
        if name == "wild":
            found += misfits("slaps.wild", switch, list[Named])
        elif name not in PATTERNS:
            found.append(f"slaps.{name}: there is no such pattern; there are {', '.join(PATTERNS)}, wild")
        elif is_on(switch):
            found += _switch_problems(name, switch)
    return found


def _switch_problems(name: str, switch: Any) -> list[str]:
    pattern, given = PATTERNS[name], parameters_of(name, switch)
    if switch is not True and not isinstance(switch, dict) and pattern.only is None:
        can = f"off, or its parameters {', '.join(pattern.choices)} by name" if pattern.choices else "true or false"
        return [f"slaps.{name} = {switch!r}: it can be {can}"]
    found = []
    for parameter, value in given.items():
        where = f"slaps.{name}" if pattern.only and not isinstance(switch, dict) else f"slaps.{name}.{parameter}"
        if parameter not in pattern.choices:
            has = ", ".join(pattern.choices) or "none"
            found.append(f"{where}: {name} has no such parameter; it has {has}")
        else:
            found += misfits(where, value, pattern.choices[parameter])
    missing = [p for p in pattern.choices if p not in given and p not in pattern.defaults]
    return found + [f"slaps.{name}: it needs {parameter}" for parameter in missing]


def _penalty_problems(option: str, choice: Mapping[str, Any], known: Mapping[str, Penalty]) -> list[str]:
    kind = str(choice.get("kind"))
    if kind not in known:
        return [f"{option}.kind = {kind!r}: it can be {' or '.join(map(repr, known))}"]
    kinds, found = parameters(known[kind]), []
    for name, value in choice.items():
        if name != "kind" and name not in kinds:
            found.append(f"{option}.{name}: {kind} has no such parameter; it has {', '.join(kinds) or 'none'}")
        elif name != "kind":
            found += misfits(f"{option}.{name}", value, kinds[name])
    return found
