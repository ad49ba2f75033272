"""Who plays, in words: bots by name, with traits of one's own. Nothing in this file knows how a bot thinks.

`steady:miss=0.02:pace_us=600000` is the bot `steady` with two of its traits changed. A trait is whatever a bot, or a
part of it, has as a number.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any

from ratscrew.bots.bot import Bot
from ratscrew.bots.ladder import BOTS
from ratscrew.bots.reflex_bot import ReflexBot
from ratscrew.bots.reflexes import STRENGTHS, Reflexes
from ratscrew.bots.risk_slapper import RiskSlapper
from ratscrew.bots.strategy_bot import StrategyBot
from ratscrew.bots.strategy_traits import StrategyTraits
from ratscrew.errors import RulesError

QUIET = ReflexBot(Reflexes(0, 0, 0, 0, pace_us=0, miss=1.0, false_alarm=0.0, lure_false_alarm=0.0))
"""The bot `quiet` turns his cards as soon as he can, and slaps nothing: the cards alone decide."""

RISKY = RiskSlapper(STRENGTHS["steady"])
"""The bot `risky` has the hands of `steady`, and slaps blindly wherever there is something to be won."""

WITTY = StrategyBot(STRENGTHS["steady"], StrategyTraits())
"""The bot `witty` has the hands of `steady` too, and every wit there is at nothing yet: they are given as traits."""

_OLD_NAMES: Mapping[str, str] = {
    "false_alarm": "false_alarm",
    "lure_false_alarm": "lure_false_alarm",
    "scan_time_us": "scan_time_us",
    "letters": "face_cards",
}
"""Traits as line-ups and grids from before the rename spell them."""

_KNOWN: Mapping[str, Bot] = {**BOTS, "quiet": QUIET, "risky": RISKY, "witty": WITTY}


def parse_lineup(words: Sequence[str]) -> list[Bot]:
    """The bots of these words, seat by seat.

    Raises: RulesError with every problem at once.
    """
    bots, problems = list[Bot](), list[str]()
    for text in words:
        try:
            bots.append(parse_bot(text))
        except RulesError as error:
            problems += error.problems
    if problems:
        raise RulesError(list(dict.fromkeys(problems)))
    return bots


def parse_bot(text: str) -> Bot:
    """The bot of a name, with the traits that are given behind it.

    Raises: RulesError if there is no such bot, or it has no such trait.
    """
    name, *changes = text.split(":")
    if name not in _KNOWN:
        raise RulesError([f"bots of strength {name!r}: there are {', '.join(_KNOWN)}"])
    bot: Any = _KNOWN[name]
    for change in changes:
        trait, equals, value = change.partition("=")
        if not equals:
            raise RulesError([f"{change!r} of the bot {text!r}: a trait is written trait=number"])
        bot = _with_trait(bot, trait.strip(), value.strip(), text)
    found: Bot = bot
    return found


def fill_seats(words: Sequence[str], players: int) -> tuple[str, ...]:
    """Bots for so many seats: those named, again and again in their order.

    Raises: RulesError if more are named than can sit down.
    """
    if len(words) > players:
        raise RulesError([f"{len(words)} bots are named for {players} players: {', '.join(words)}"])
    return tuple(words[seat % len(words)] for seat in range(players))


def _with_trait(bot: Any, trait: str, value: str, text: str) -> Any:
    """A bot with one of its traits changed, or that of a part of it."""
    known = dict(_traits(bot))
    trait = _OLD_NAMES.get(trait, trait)
    if trait not in known:
        raise RulesError([f"{trait!r} of the bot {text!r}: there is no such trait; there are {', '.join(known)}"])
    kind = type(known[trait])
    try:
        number = kind(value)
    except ValueError as error:
        needed = "a whole number" if kind is int else "a number"
        raise RulesError([f"{trait} = {value} of the bot {text!r}: it must be {needed}"]) from error
    if not number >= 0 or (kind is float and number > 1):
        raise RulesError([f"{trait} = {value} of the bot {text!r}: it must be {_bounds(kind)}"])
    return _with_field(bot, trait, number)


def _bounds(kind: type) -> str:
    return "0 or more" if kind is int else "from 0 to 1"


def _traits(bot: Any) -> Iterator[tuple[str, int | float]]:
    for field in fields(bot):
        value = getattr(bot, field.name)
        if isinstance(value, int | float):
            yield field.name, value
        elif is_dataclass(value):
            yield from _traits(value)


def _with_field(bot: Any, trait: str, number: float) -> Any:
    for field in fields(bot):
        value = getattr(bot, field.name)
        if field.name == trait:
            return replace(bot, **{trait: number})
        if is_dataclass(value) and trait in dict(_traits(value)):
            return replace(bot, **{field.name: _with_field(value, trait, number)})
    return bot
