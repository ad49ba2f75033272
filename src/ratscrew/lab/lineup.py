"""Parse line-ups: bots by name, with changed traits. Independent of how a bot decides.

`steady:miss=0.02:pace_us=600000` is the bot `steady` with two traits changed. A trait is any numeric field of a bot or
of a part of it. `my_bot:BOT` is the bot `BOT` of a user's module `my_bot`.
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
from ratscrew.bots.user_modules import find_bot
from ratscrew.errors import RatscrewError, RulesError

QUIET = ReflexBot(Reflexes(0, 0, 0, 0, pace_us=0, miss=1.0, false_alarm=0.0, lure_false_alarm=0.0))
"""The bot `quiet` turns its cards as soon as it can and never slaps: the cards alone decide."""

RISKY = RiskSlapper(STRENGTHS["steady"])
"""The bot `risky` has the reflexes of `steady`, and slaps blindly wherever there is something to win."""

WITTY = StrategyBot(STRENGTHS["steady"], StrategyTraits())
"""The bot `witty` has the reflexes of `steady`, and every strategy trait at its default."""

_KNOWN: Mapping[str, Bot] = {**BOTS, "quiet": QUIET, "risky": RISKY, "witty": WITTY}


def parse_lineup(words: Sequence[str]) -> list[Bot]:
    """Parse the bots of a line-up, seat by seat.

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
    """Parse a bot: a name, with traits behind it.

    Raises: RulesError for an unknown bot or trait.
    """
    name, *changes = text.split(":")
    bot: Any
    if module := module_of(text):
        try:
            bot = find_bot(module, changes.pop(0))
        except RatscrewError as error:
            raise RulesError([f"the bot {text!r}: {error}"]) from error
    elif name not in _KNOWN:
        known = ", ".join(_KNOWN)
        raise RulesError([f"bots of strength {name!r}: there are {known}; a bot of your own is my_module:BOT"])
    else:
        bot = _KNOWN[name]
    for change in changes:
        trait, equals, value = change.partition("=")
        if not equals:
            raise RulesError([f"{change!r} of the bot {text!r}: write a trait as trait=number"])
        bot = _with_trait(bot, trait.strip(), value.strip(), text)
    found: Bot = bot
    return found


def module_of(text: str) -> str | None:
    """The user's module of a bot; None if it is one of Ratscrew's."""
    name, *changes = text.split(":")
    return name if name not in _KNOWN and changes and changes[0] and "=" not in changes[0] else None


def fill_seats(words: Sequence[str], players: int) -> tuple[str, ...]:
    """Repeat the named bots in their order until all seats are taken.

    Raises: RulesError if more bots are named than there are seats.
    """
    if len(words) > players:
        raise RulesError([f"{len(words)} bots are named for {players} players: {', '.join(words)}"])
    return tuple(words[seat % len(words)] for seat in range(players))


def _with_trait(bot: Any, trait: str, value: str, text: str) -> Any:
    """A bot with a trait of it, or of a part of it, changed."""
    known = dict(_traits(bot)) if is_dataclass(bot) else {}
    if trait not in known:
        raise RulesError([f"{trait!r} of the bot {text!r}: unknown trait; known are {', '.join(known) or 'none'}"])
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
