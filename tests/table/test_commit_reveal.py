"""Promises, commitments and draws, against the worked examples of docs/shuffle.md, which another program made."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from ratscrew.cards import text
from ratscrew.game.decide.deal import deal
from ratscrew.rules.link import from_link
from ratscrew.table.record import commit_reveal as seal

DOCS = Path(__file__).parents[2] / "docs/shuffle.md"
(BLOCK,) = re.findall(r"```json\n(.*?)```", DOCS.read_text(), re.DOTALL)
EXAMPLES = json.loads(BLOCK)
SEED, NONCES = "ab" * 32, ("01" * 16, "-")


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example["house"])
def test_a_game_is_sealed_and_dealt_as_in_the_worked_example(example: dict[str, Any]) -> None:
    game, seed, numbers = example["game"], example["seed"], example["numbers"]
    assert seal.promise(game, seed) == example["promise"]
    assert seal.commitment(game, seed, numbers) == example["commitment"]
    draw = seal.draws(game, seed, numbers)
    dealer = draw(len(numbers)) if game.endswith("-1") else example["dealer"]
    dealt = deal(from_link(example["house"]), len(numbers), dealer, draw)
    assert dealer == example["dealer"]
    assert [text(hand) for hand in dealt.hands] == example["hands"]
    assert text(tuple(laid.card for laid in dealt.pile)) == example["pile"]


def test_each_word_that_would_make_a_number_likelier_is_thrown_away() -> None:
    """Of 2^31 + 1 numbers each word from 2^31 + 1 on is one too many: about half of them."""
    words = seal.draws("A-1-1", SEED, NONCES)
    every = [words(2**32) for _ in range(64)]
    kept = [word for word in every if word <= 2**31]
    assert 10 < len(kept) < 54
    few = seal.draws("A-1-1", SEED, NONCES)
    assert [few(2**31 + 1) for _ in kept] == kept


def test_every_number_is_drawn_about_as_often() -> None:
    draw = seal.draws("A-1-1", SEED, NONCES)
    counts = Counter(draw(6) for _ in range(6000))
    assert sorted(counts) == [0, 1, 2, 3, 4, 5]
    assert all(850 < count < 1150 for count in counts.values())


@pytest.mark.parametrize(
    ("game", "seed", "nonces"),
    [
        ("A-1-2", SEED, NONCES),
        ("A-1-1", "ac" * 32, NONCES),
        ("A-1-1", SEED, ("02" * 16, "-")),
        ("A-1-1", SEED, ("-", "01" * 16)),
    ],
    ids=["game", "seed", "number", "order"],
)
def test_whatever_goes_in_changes_commitment_and_draws(game: str, seed: str, nonces: tuple[str, ...]) -> None:
    first, other = seal.draws("A-1-1", SEED, NONCES), seal.draws(game, seed, nonces)
    assert [first(2**32) for _ in range(4)] != [other(2**32) for _ in range(4)]
    assert seal.commitment(game, seed, nonces) != seal.commitment("A-1-1", SEED, NONCES)
