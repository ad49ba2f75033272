"""Random houses and bots for the differential test: any option, any pattern, any penalty, and all kinds of bots."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from ratscrew.bots.reflex_bot import ReflexBot
from ratscrew.bots.reflexes import Reflexes
from ratscrew.bots.risk_slapper import RiskSlapper
from ratscrew.bots.strategy_traits import SIMPLE_REACTION
from ratscrew.cards import NAMES, RANKS
from ratscrew.errors import RulesError
from ratscrew.lab.kernel.setup import BotModel
from ratscrew.lab.random_stream import RandomStream
from ratscrew.rules.check import parse_rules
from ratscrew.rules.house import Rules, option_types
from ratscrew.rules.kinds import kind_of
from ratscrew.rules.pattern import PATTERNS
from ratscrew.rules.penalties import NO_CARDS, WRONG_SLAP, Penalty, parameters

T = TypeVar("T")

_MAX_LENGTH = 4
"""The most items of a list, and mostly the distance of a number from its minimum, where the rules differ."""


def random_house(stream: RandomStream) -> Rules:
    """A random house whose table judges by itself. Conflicting choices are dropped one by one."""
    choices = {name: _value(type_, stream) for name, type_ in option_types().items() if stream.chance() < 0.4}
    choices["slaps"] = {name: _switch(name, stream) for name in PATTERNS if stream.chance() < 0.5}
    if stream.chance() < 0.3:
        choices["slaps"]["wild"] = _cards(stream)
    choices["wrong_slap"], choices["no_cards"] = _penalty(WRONG_SLAP, stream), _penalty(NO_CARDS, stream)
    choices["judge"], choices["max_players"] = "auto", 0
    while True:
        try:
            return parse_rules(choices)
        except RulesError:
            del choices[_choice([*choices], stream)]


def random_bots(seats: int, stream: RandomStream) -> list[BotModel]:
    """Random bots, many of which err all the time, and some of which slap blindly."""
    return [_random_bot(stream) for _ in range(seats)]


def _random_bot(stream: RandomStream) -> BotModel:
    hands = _reflexes(stream)
    if stream.chance() < 0.7:
        return ReflexBot(hands)
    return RiskSlapper(
        hands,
        stream.below(5),
        stream.below(3),
        stream.below(2),
        _choice((1.0, stream.chance()), stream),
        _choice((SIMPLE_REACTION, stream.chance()), stream),
    )


def _reflexes(stream: RandomStream) -> Reflexes:
    def ms(low: int, high: int) -> int:
        return 1000 * (low + stream.below(high - low))

    share = stream.chance() ** 3
    return Reflexes(ms(150, 600), ms(0, 90), ms(0, 250), ms(0, 90), ms(150, 1200), share, share / 2, share)


def _switch(name: str, stream: RandomStream) -> Any:
    """An enabled pattern, with some of its parameters."""
    pattern = PATTERNS[name]
    given = {
        parameter: _value(type_, stream)
        for parameter, type_ in pattern.choices.items()
        if parameter not in pattern.defaults or stream.chance() < 0.5
    }
    return given or not pattern.choices or dict(pattern.defaults)


def _penalty(known: Mapping[str, Penalty], stream: RandomStream) -> dict[str, Any]:
    kind = _choice([*known], stream)
    given = {name: _value(type_, stream) for name, type_ in parameters(known[kind]).items() if stream.chance() < 0.6}
    return {"kind": kind, **given}


def _value(type_: Any, stream: RandomStream) -> Any:
    """A random value of an option's type."""
    kind = kind_of(type_)
    least = kind.least or 0
    most = least + 10 if kind.most is None else kind.most

    def number() -> int:
        near = stream.chance() < 0.7
        return least + stream.below(min(most - least, _MAX_LENGTH) + 1 if near else most - least + 1)

    makes: Mapping[str, Callable[[], Any]] = {
        "flag": lambda: stream.chance() < 0.5,
        "choice": lambda: _choice(kind.values, stream),
        "number": lambda: _choice(kind.values, stream) if kind.values and stream.chance() < 0.4 else number(),
        "cards": lambda: _cards(stream),
        "chances": lambda: {**dict.fromkeys(Rules().chances, 0), **{name: number() for name in _cards(stream)}},
        "table": dict,
    }
    return makes[kind.kind]()


def _cards(stream: RandomStream) -> list[str]:
    """Random ranks and cards."""
    return list(dict.fromkeys(_choice((*RANKS, *NAMES), stream) for _ in range(1 + stream.below(_MAX_LENGTH))))


def _choice(some: Sequence[T], stream: RandomStream) -> T:
    return some[stream.below(len(some))]
