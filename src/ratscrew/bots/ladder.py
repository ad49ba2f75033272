"""The ladder: ten named opponents with a style of their own, weakest first, and the three basic strengths.

Basic bots get other names (`names.NAMES`). The client's message catalogues describe each opponent to players.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

from ratscrew.bots.bot import Bot
from ratscrew.bots.reflex_bot import ReflexBot
from ratscrew.bots.reflexes import STRENGTHS, Reflexes
from ratscrew.bots.strategy_bot import StrategyBot
from ratscrew.bots.strategy_traits import StrategyTraits
from ratscrew.errors import RulesError

Opponent: TypeAlias = Literal["bes", "hapi", "khonsu", "min", "taweret", "sobek", "sekhmet", "seshat", "osiris", "ra"]
Strength: TypeAlias = Literal["gentle", "steady", "sharp"] | Opponent

_SHARP = STRENGTHS["sharp"]

LADDER: Mapping[str, StrategyBot] = {
    # Bes dozes: overlooks much, and gets slower the longer the game goes on.
    "bes": StrategyBot(
        Reflexes(720_000, 90_000, 300_000, 100_000, 1_100_000, miss=0.40, false_alarm=0.004, lure_false_alarm=0.08),
        StrategyTraits(tires=0.3, notice=0.5, contest=0.5),
    ),
    # Hapi collects face cards, and leaves other piles.
    "hapi": StrategyBot(
        Reflexes(630_000, 78_000, 215_000, 88_000, 950_000, miss=0.26, false_alarm=0.003, lure_false_alarm=0.08),
        StrategyTraits(refuse_filler=0.8, memory=0.3),
    ),
    # Khonsu gambles: slaps the cards that decide its challenges unseen, and many that are no pattern.
    "khonsu": StrategyBot(
        Reflexes(480_000, 60_000, 170_000, 70_000, 750_000, miss=0.15, false_alarm=0.015, lure_false_alarm=0.15),
        StrategyTraits(risk=0.9, cheat=0.5, bluff=0.4),
    ),
    # Min feints: the hand comes down, and stops.
    "min": StrategyBot(
        Reflexes(450_000, 55_000, 140_000, 65_000, 800_000, miss=0.13, false_alarm=0.003, lure_false_alarm=0.06),
        StrategyTraits(fake_slap=1.0, feint=0.8, bluff=1.0, cheat=1.0),
    ),
    # Taweret is patient: hardly errs, and never hurries.
    "taweret": StrategyBot(
        Reflexes(420_000, 40_000, 90_000, 60_000, 1_000_000, miss=0.06, false_alarm=0.0, lure_false_alarm=0.005),
        StrategyTraits(focus=1.0),
    ),
    # Sobek lies in wait: knows when a pattern is likely.
    "sobek": StrategyBot(
        Reflexes(390_000, 40_000, 100_000, 50_000, 750_000, miss=0.07, false_alarm=0.001, lure_false_alarm=0.03),
        StrategyTraits(odds=1.0, focus=0.5),
    ),
    # Sekhmet is quick, and rash.
    "sekhmet": StrategyBot(
        Reflexes(300_000, 32_000, 70_000, 32_000, 560_000, miss=0.04, false_alarm=0.007, lure_false_alarm=0.11),
        StrategyTraits(risk=0.5, tires=0.1),
    ),
    # Seshat keeps the books: recalls most of the collected cards.
    "seshat": StrategyBot(
        Reflexes(350_000, 40_000, 90_000, 45_000, 750_000, miss=0.05, false_alarm=0.001, lure_false_alarm=0.02),
        StrategyTraits(memory=0.7, odds=0.7, focus=1.0),
    ),
    # Osiris forgets next to nothing, and burns a card where that helps.
    "osiris": StrategyBot(
        Reflexes(325_000, 33_000, 80_000, 40_000, 700_000, miss=0.04, false_alarm=0.001, lure_false_alarm=0.02),
        StrategyTraits(memory=0.85, odds=0.5, burn_to_face=0.8, burn_to_shift=0.5, focus=1.0),
    ),
    # Ra has the reflexes of `sharp`, and every strategy.
    "ra": StrategyBot(
        _SHARP,
        StrategyTraits(
            memory=1.0, odds=1.0, burn_to_face=1.0, burn_to_shift=1.0, risk=0.3, feint=0.3, fake_slap=0.3, focus=1.0
        ),
    ),
}
"""The opponents by name, weakest first. `python -m benchmarks.ladder` measures the order, two at a table."""

PLAIN: Mapping[str, ReflexBot] = {name: ReflexBot(reflexes) for name, reflexes in STRENGTHS.items()}
BOTS: Mapping[str, Bot] = {**PLAIN, **LADDER}
"""Every bot by its strength, as logs and links name it."""


def bot(strength: str) -> Bot:
    """The bot of a strength, basic or on the ladder.

    Raises: RulesError if there is no such strength.
    """
    if strength not in BOTS:
        raise RulesError([f"bots of strength {strength!r}: there are {', '.join(BOTS)}"])
    return BOTS[strength]
