"""Hypothesis strategies for houses: every option, every pattern and every penalty. No checks here.

@given(houses())
def test_my_page_can_show_any_house(rules): ...
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy
from msgspec import structs

from ratscrew.cards import NAMES, RANKS
from ratscrew.rules.check import parse_rules
from ratscrew.rules.house import Rules, option_types
from ratscrew.rules.kinds import kind_of
from ratscrew.rules.options import unmet_requirements
from ratscrew.rules.pattern import PATTERNS, Pattern
from ratscrew.rules.penalties import NO_CARDS, WRONG_SLAP, Penalty, parameters


def houses(**fixed: Any) -> SearchStrategy[Rules]:
    """Random rules, including options declared elsewhere; `fixed` options are kept.

    If a choice requires another one, the other is set accordingly or the choice is dropped.
    """
    return choices().map(lambda some: {**some, **fixed}).flatmap(_sound).map(parse_rules)


def choices() -> SearchStrategy[dict[str, Any]]:
    """Random choices, each valid by itself but not necessarily together."""
    some = {name: settings(type_) for name, type_ in option_types().items()}
    some["max_players"] = some["max_players"].filter(lambda most: most != 1)
    some["slaps"] = st.fixed_dictionaries(
        {}, optional={"wild": cards()} | {name: switches(pattern) for name, pattern in PATTERNS.items()}
    )
    some["wrong_slap"] = penalties(WRONG_SLAP)
    some["no_cards"] = penalties(NO_CARDS)
    return st.fixed_dictionaries({}, optional=some)


def switches(pattern: Pattern) -> SearchStrategy[Any]:
    """Any setting of a pattern: off, on, the value of its only parameter, or parameters by name."""
    types = {name: settings(type_) for name, type_ in pattern.choices.items()}
    needed = {name: some for name, some in types.items() if name not in pattern.defaults}
    optional = {name: some for name, some in types.items() if name in pattern.defaults}
    ways: list[SearchStrategy[Any]] = [st.just(False)]
    if not needed:
        ways.append(st.just(True))
    if pattern.only:
        ways.append(types[pattern.only])
    if types:
        ways.append(st.fixed_dictionaries(needed, optional=optional))
    return st.one_of(ways)


def penalties(known: Mapping[str, Penalty]) -> SearchStrategy[dict[str, Any]]:
    """A random penalty of a table, with some of its parameters."""
    return st.one_of(
        [
            st.fixed_dictionaries(
                {"kind": st.just(kind)},
                optional={name: settings(type_) for name, type_ in parameters(penalty).items()},
            )
            for kind, penalty in known.items()
        ]
    )


def settings(type_: Any) -> SearchStrategy[Any]:
    """Any value of an option's type."""
    kind = kind_of(type_)
    words, numbers = st.sampled_from(kind.values or ("",)), st.integers(kind.least or 0, kind.most)
    kinds: Mapping[str, Callable[[], SearchStrategy[Any]]] = {
        "flag": st.booleans,
        "choice": lambda: words,
        "number": lambda: numbers | words if kind.values else numbers,
        "cards": cards,
        "chances": lambda: chances(numbers),
        "table": lambda: st.just({}),
    }
    return kinds[kind.kind]()


def chances(numbers: SearchStrategy[Any]) -> SearchStrategy[dict[str, Any]]:
    """Challenges, mostly without those of `classic`, which are switched off then."""
    off = st.sampled_from(({}, dict.fromkeys(Rules().chances, 0)))
    some = st.dictionaries(st.sampled_from((*RANKS, *NAMES)), numbers, max_size=5)
    return st.builds(lambda without, given: {**without, **given}, off, some)


def cards() -> SearchStrategy[list[str]]:
    """A list of ranks and cards."""
    return st.lists(st.sampled_from((*RANKS, *NAMES)), max_size=4, unique=True)


@st.composite
def _sound(draw: DrawFn, some: dict[str, Any]) -> dict[str, Any]:
    """The choices with every requirement met."""
    some = dict(some)
    while needs := unmet_requirements(structs.replace(Rules(), **some)):
        need = needs[0]
        if need.value is None and draw(st.booleans()):
            some.pop(need.option)
        elif need.other.startswith("slaps."):
            some["slaps"] = {
                **some.get("slaps", {}),
                need.other.removeprefix("slaps."): draw(st.sampled_from(need.values)),
            }
        else:
            some[need.other] = draw(st.sampled_from(need.values))
    return some
