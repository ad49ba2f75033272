"""Any house, until testing/houses.py is there."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy
from msgspec.inspect import BoolType, IntType, ListType, LiteralType, UnionType, type_info

from ratscrew.rules.check import read
from ratscrew.rules.house import Rules
from ratscrew.rules.pattern import PATTERNS
from ratscrew.rules.penalties import NO_CARDS, WRONG_SLAP, parameters

_FIXED = ("turn_ms", "collect_delay_ms", "contest_ms", "hover_ms", "max_players", "chances", "slaps", "wrong_slap", "no_cards")


def _values(kind: Any) -> SearchStrategy[Any]:
    match kind:
        case LiteralType(values=values):
            return st.sampled_from(values)
        case IntType(ge=ge, le=le):
            least = ge or 0
            return st.integers(least, min(le or least + 3, least + 3))
        case UnionType(types=types):
            return st.one_of(*map(_values, types))
        case ListType():
            return st.lists(st.sampled_from(["T", "9H", "JK"]), max_size=2, unique=True)
        case BoolType():
            return st.booleans()
    raise TypeError(kind)


def _penalties(known: Any) -> SearchStrategy[Any]:
    def choices(kind: str) -> SearchStrategy[Any]:
        some = {name: _values(type_info(type_)) for name, type_ in parameters(known[kind]).items()}
        return st.fixed_dictionaries({"kind": st.just(kind)}, optional=some)

    return st.one_of(*map(choices, known))


def _switch(name: str) -> SearchStrategy[Any]:
    choices = {parameter: _values(type_info(kind)) for parameter, kind in PATTERNS[name].choices.items()}
    return st.just(False) | (st.fixed_dictionaries(choices) if choices else st.just(True))


def _mended(choices: dict[str, Any]) -> Rules:
    if choices.get("cheat") == "split":
        choices["collect"] = "manual"
    if choices.get("dead_place") == "top" or choices.get("out_of_turn_burn"):
        choices["out_of_turn"] = "dead"
    if choices.get("join_seat") == "choose":
        choices["late_join"] = "slap_in"
    if choices.get("triple_six_ban"):
        choices["slaps"] = {**choices.get("slaps", {}), "triple_six": True}
    return read(choices)


def houses() -> SearchStrategy[Rules]:
    options = {field.name: _values(field.type) for field in type_info(Rules).fields if field.name not in _FIXED}
    own = {
        "max_players": st.just(0),
        "chances": st.sampled_from([{"J": 1, "Q": 2, "K": 3, "A": 4}, {"7": 1, "9": 2, "AS": 6, "JK": 3}, {}]),
        "slaps": st.fixed_dictionaries({name: _switch(name) for name in PATTERNS}),
        "wrong_slap": _penalties(WRONG_SLAP),
        "no_cards": _penalties(NO_CARDS),
    }
    return st.fixed_dictionaries({}, optional={**options, **own}).map(_mended)
