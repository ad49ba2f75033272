"""Figures on pages are those that the code and the commands beside them give. The studies have tests of their own."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from benchmarks.ladder import fixtures, play, read_winners
from ratscrew.bots import strategy_traits
from ratscrew.bots.ladder import LADDER
from ratscrew.bots.reflexes import FASTEST_US, QUANTILE_STEPS, STRENGTHS, quantile

ROOT = Path(__file__).resolve().parent.parent
README, LAB, ANSWERS = (
    " ".join((ROOT / page).read_text(encoding="utf-8").split())
    for page in ("README.md", "docs/lab.md", "docs/answers.md")
)
"""Pages without their line breaks."""


def mean_ms(strength: str) -> float:
    """The mean reaction of a strength to a double: the midpoints of the pieces of equal chance."""
    knots = STRENGTHS[strength].reactions
    times = [max(FASTEST_US, quantile(knots, (piece + 0.5) / QUANTILE_STEPS)) for piece in range(QUANTILE_STEPS)]
    return sum(times) / len(times) / 1000


def test_the_readme_says_how_fast_the_quickest_hands_are() -> None:
    quickest = min(mean_ms(strength) for strength in STRENGTHS)
    assert f"({quickest:.0f} ms on average with the quickest hands, never under {FASTEST_US // 1000} ms)" in README


def test_the_answers_say_how_fast_a_recalled_card_is_slapped() -> None:
    steady, sharp = mean_ms("steady"), mean_ms("sharp")
    recalled = strategy_traits.anticipated_us(round(steady * 1000), 1) / 1000
    assert f"a `steady` hand answers a recalled card in {recalled:.0f} ms on average" in ANSWERS
    assert f"other cards in {steady:.0f} ms, and `sharp` takes {sharp:.0f} ms" in ANSWERS
    assert f"beyond {FASTEST_US // 1000} ms, {strategy_traits.SIMPLE_REACTION} is left" in ANSWERS


@pytest.mark.parametrize("higher", [*LADDER][1:])
def test_a_step_of_the_ladder_is_the_one_that_was_played(higher: str) -> None:
    """The share of games that each opponent wins over the one below it, as the winners of all games give it.

    Ten of its games are played again here, drawn by a seed that stays the same: all of them take 80 s.
    """
    games, seed = map(int, re.findall(r"benchmarks\.ladder --games (\d+) --seed (\d+)`", LAB)[0])
    lower = [*LADDER][[*LADDER].index(higher) - 1]
    winners = read_winners(ROOT / "docs" / "studies" / "ladder.csv")[lower, higher]
    assert len(winners) == games
    assert re.search(rf"\| {higher.capitalize()} \| [^|]+ \| {winners.count('1') / games:.0%} \(", LAB)
    pairs = fixtures([*LADDER], "classic", games, seed)
    (fixture,) = (one for one in pairs if (one.lower, one.higher) == (lower, higher))
    again = sorted(Random(higher).sample(range(games), 10))
    played = ["-" if game.winner is None else str(game.winner) for game in play(fixture, again)]
    assert played == [winners[number] for number in again]


@pytest.mark.parametrize(
    ("page", "sentence"),
    [
        (LAB, r"it wins ([\d.]+) % \(([\d.]+) to ([\d.]+)\) of the games of `\.venv/bin/ratscrew (lab run [^`]+)`"),
        (ANSWERS, r"first wins ([\d.]+) % \(([\d.]+) to ([\d.]+); `\.venv/bin/ratscrew (lab run [^`]+)`\)"),
    ],
    ids=["lab", "answers"],
)
def test_a_share_of_wins_is_that_of_the_command_beside_it(page: str, sentence: str) -> None:
    ((*figures, command),) = re.findall(sentence, page)
    words = [Path(sys.executable).with_name("ratscrew"), *command.split(), "--threads", "2", "--json"]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    found = json.loads(done.stdout)["estimates"]["wins.0"]
    assert figures == [f"{100 * found[bound]:.1f}" for bound in ("value", "low", "high")]
