"""Rules: the choices of one house, checked as a whole. Nothing in this file knows how a rule is played.

Option names and values are the same words in Python, JSON, the wire, the rule editor and the docs.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Annotated, Any, Literal, TypeAlias, get_args, get_origin

import msgspec
from msgspec import Meta, Struct, field

from ratscrew.cards import NAMES, RANKS, Pile
from ratscrew.errors import RulesError
from ratscrew.rules import slaps as _slaps  # noqa: F401  (declares the patterns)
from ratscrew.rules.pattern import PATTERNS, Pattern, view
from ratscrew.rules.penalties import NO_CARDS, WRONG_SLAP, Fine, Penalty, parameters

Setting: TypeAlias = bool | int | str
"""The value of one switch or parameter."""

Ms: TypeAlias = Annotated[int, Meta(ge=0, le=600_000)]


class Rules(Struct, frozen=True, kw_only=True, dict=True, forbid_unknown_fields=True):
    """The choices of one house; without arguments, those of `classic`.

    Unit: the `_ms` options are milliseconds. Source: docs/rules.md.
    """

    direction: Literal["cw", "ccw"] = "cw"
    max_players: Annotated[int, Meta(ge=2, le=8)] = 8
    chances: dict[str, Annotated[int, Meta(ge=1, le=13)]] = field(
        default_factory=lambda: {"J": 1, "Q": 2, "K": 3, "A": 4}
    )
    slaps: dict[str, bool] = field(default_factory=lambda: {"double": True, "sandwich": True})
    wrong_slap: dict[str, Setting] = field(default_factory=lambda: {"kind": "burn", "count": 1, "place": "bottom"})
    no_cards: dict[str, Setting] = field(default_factory=lambda: {"kind": "strikes", "limit": 3})
    turn_ms: Annotated[int, Meta(ge=1000, le=600_000)] = 8000
    collect_delay_ms: Ms = 1500

    @classmethod
    def read(cls, choices: Mapping[str, Any]) -> Rules:
        """The rules with these choices over the defaults; `slaps` is merged switch by switch.

        Raises: RulesError with every problem at once.
        """
        problems: list[str] = []
        kept: dict[str, Any] = {}
        kinds = {option.name: option.type for option in msgspec.structs.fields(cls)}
        for name, value in choices.items():
            if name not in kinds:
                problems.append(f"{name}: there is no such option; there are {', '.join(kinds)}")
                continue
            if misfit := _misfit(name, value, kinds[name]):
                problems += misfit
            else:
                kept[name] = msgspec.convert(value, kinds[name])
        kept["slaps"] = {**cls().slaps, **kept.get("slaps", {})}
        rules = cls(**kept)
        problems += rules._problems()
        if problems:
            raise RulesError(problems)
        return rules

    def _problems(self) -> list[str]:
        found = [
            f"slaps.{name}: there is no such pattern; there are {', '.join(PATTERNS)}"
            for name in self.slaps
            if name not in PATTERNS
        ]
        found += [
            f"chances.{name}: this is no rank or card; write one of {' '.join(RANKS)}, or a card such as QS"
            for name in self.chances
            if name not in RANKS and name not in NAMES
        ]
        for option, choice, known in (
            ("wrong_slap", self.wrong_slap, WRONG_SLAP),
            ("no_cards", self.no_cards, NO_CARDS),
        ):
            found += _penalty_problems(option, choice, known)
        return found

    @cached_property
    def step(self) -> int:
        """+1 when play goes to the next seat, -1 when it goes to the one before."""
        return 1 if self.direction == "cw" else -1

    @cached_property
    def chances_by_card(self) -> tuple[int, ...]:
        """How many chances each card gives who must answer it, by card; 0 is no challenge."""
        return tuple(self.chances.get(name, self.chances.get(RANKS[i >> 2], 0)) for i, name in enumerate(NAMES))

    @cached_property
    def patterns(self) -> tuple[Pattern, ...]:
        """The patterns of this house, in reading order."""
        return tuple(pattern for name, pattern in PATTERNS.items() if self.slaps.get(name))

    @cached_property
    def _depth(self) -> int:
        return max((pattern.size for pattern in self.patterns), default=0)

    def slap_on(self, pile: Pile) -> str | None:
        """The name of the first pattern on top of a pile, or None: then a slap is wrong."""
        seen = view(pile, self._depth)
        return next((pattern.name for pattern in self.patterns if pattern.fits(seen)), None)

    def fine(self, held: int, strikes: int) -> Fine:
        """What a wrong slap costs a player with so many cards and strikes."""
        table, choice = (WRONG_SLAP, self.wrong_slap) if held else (NO_CARDS, self.no_cards)
        parameters = {name: value for name, value in choice.items() if name != "kind"}
        return table[str(choice["kind"])](held, strikes, **parameters)


def _penalty_problems(option: str, choice: Mapping[str, Setting], known: Mapping[str, Penalty]) -> list[str]:
    penalty = known.get(str(choice.get("kind")))
    if penalty is None:
        return [f"{option}.kind = {choice.get('kind')!r}: there is no such penalty; there are {', '.join(known)}"]
    found, kinds = [], parameters(penalty)
    for name, value in choice.items():
        if name != "kind" and name not in kinds:
            has = ", ".join(kinds) or "none"
            found.append(f"{option}.{name}: {choice['kind']} has no such parameter; it has {has}")
        elif name != "kind":
            found += _misfit(f"{option}.{name}", value, kinds[name])
    return found


def _misfit(option: str, value: Any, kind: Any) -> list[str]:
    """What is wrong with a value that should be of a kind: one sentence, or none."""
    try:
        msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        words = get_args(kind) if get_origin(kind) is Literal else ()
        why = f"it can be {' or '.join(map(repr, words))}" if words else f"{str(error)[:1].lower()}{str(error)[1:]}"
        return [f"{option} = {value!r}: {why}"]
    return []
