"""The ladder: ten opponents that pass the conformance test, the strongest by its strategy."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, get_args

import pytest

from ratscrew.bots.bot import Bot
from ratscrew.bots.ladder import BOTS, LADDER, Opponent, Strength, bot
from ratscrew.bots.names import NAMES
from ratscrew.bots.reflexes import STRENGTHS
from ratscrew.bots.strategy_bot import StrategyBot
from ratscrew.bots.strategy_traits import StrategyTraits
from ratscrew.lab.simulation import run
from ratscrew.rules.presets import house
from ratscrew.testing.bot_checks import check_bot

GAMES = 12
"""On each side of the table."""


def wins(one: Bot, other: Bot) -> int:
    """How many of the games between two the first wins; each leads in half of them."""
    first, second = run(house(), [one, other], GAMES, 5), run(house(), [other, one], GAMES, 6)
    return sum(first.wins[:1]) + sum(second.wins[1:2])


def test_a_bot_with_some_of_every_trait_passes_the_conformance_test() -> None:
    traits: dict[str, Any] = {trait.name: 0.5 for trait in fields(StrategyTraits)}
    some = StrategyTraits(**traits)
    check_bot(StrategyBot(STRENGTHS["steady"], some), games=1)


@pytest.mark.parametrize("name", LADDER)
def test_each_of_them_keeps_the_laws_of_bots(name: str) -> None:
    check_bot(LADDER[name], games=1)


def test_ten_stand_on_the_ladder_in_the_order_in_which_they_are_named_and_nobody_plain_has_their_names() -> None:
    assert [*LADDER] == list(get_args(Opponent))
    assert len(LADDER) == 10
    assert [*BOTS] == [*STRENGTHS, *LADDER]
    assert set(BOTS) == {name for part in get_args(Strength) for name in (get_args(part) or (part,))}
    assert not {name.capitalize() for name in LADDER} & set(NAMES)


def test_the_strongest_is_no_faster_than_sharp_and_beats_it_by_wits() -> None:
    assert LADDER["ra"].reflexes == STRENGTHS["sharp"]
    assert wins(bot("ra"), bot("sharp")) > 18  # of 24; with a chance of a half 1 in 1000 has so many


def test_a_good_memory_beats_a_fast_hand() -> None:
    steady, faster = STRENGTHS["steady"], STRENGTHS["sharp"]
    assert steady.mu_us > 1.3 * faster.mu_us
    assert wins(StrategyBot(steady, StrategyTraits(memory=1.0)), StrategyBot(faster, StrategyTraits())) >= 18
