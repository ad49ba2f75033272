"""Rows and climbs, held against what the words say: some ranks for the wild cards, some place for the aces."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise, permutations, product
from random import Random

import pytest

from ratscrew.cards import JOKER
from ratscrew.rules.ranks import ACE, ENDS, KING, LOW_ACE, WILD, alike, any_order, in_row, monotone

LINES = {"low": [range(-1, 12)], "high": [range(13)], "either": [range(-1, 12), range(13)]}
"""The values there are, from the lowest: an ace is -1 or 12."""


def readings(ranks: Sequence[int], line: range) -> Iterator[tuple[int, ...]]:
    """Every way in which the cards can be read; none if one of them is a joker."""
    ace = ACE if ACE in line else LOW_ACE
    values = {JOKER: [], WILD: [*line], ACE: [ace]}
    return product(*(values.get(rank, [rank]) for rank in ranks))


def rows(ranks: Sequence[int], ace: str) -> bool:
    """Every card is one more than the card before, or every one is one less."""
    if ace == "wrap":
        circle = range(13)
        return any(
            all((b - a) % 13 == step % 13 for a, b in pairwise(read))
            for read in readings(ranks, circle)
            for step in (1, -1)
        )
    return any(
        all(b - a == step for a, b in pairwise(read))
        for line in LINES[ace]
        for read in readings(ranks, line)
        for step in (1, -1)
    )


def climbing(ranks: Sequence[int], ace: str) -> bool:
    """Every card is more than the card before, or every one is less."""
    lines = LINES["either" if ace == "wrap" else ace]
    return any(
        all(b > a for a, b in pairwise(read)) or all(b < a for a, b in pairwise(read))
        for line in lines
        for read in readings(ranks, line)
    )


def neighbours(ranks: Sequence[int], ace: str, length: int) -> bool:
    """The cards, put in order, are one row: some of so many neighbouring ranks, each at most once."""
    lines = [[*range(13), *range(13)]] if ace == "wrap" else [[*line] for line in LINES[ace]]
    windows = [{*line[start : start + length]} for line in lines for start in range(len(line) - length + 1)]
    held = [rank for rank in ranks if rank != WILD]
    values = [[LOW_ACE if rank == ACE and LOW_ACE in window else rank for rank in held] for window in windows]
    return any(len({*read}) == len(held) and {*read} <= window for read, window in zip(values, windows, strict=True))


def some(count: int, length: int) -> Iterator[tuple[int, ...]]:
    """Ranks that are nearly rows, some of them wild, few of them jokers."""
    chance = Random(length)
    for _ in range(count):
        start, step = chance.randrange(13), chance.choice([1, -1, 2, -2])
        row = [(start + step * place) % 13 for place in range(length)]
        for _ in range(chance.randrange(3)):
            row[chance.randrange(length)] = chance.choice([WILD, WILD, WILD, JOKER, ACE, KING, chance.randrange(13)])
        yield tuple(row)


@pytest.mark.parametrize("ace", ENDS)
def test_two_and_three_ranks_are_what_the_words_say(ace: str) -> None:
    for length in (2, 3):
        for ranks in product([*range(JOKER + 1), WILD], repeat=length):
            assert in_row(ranks, ENDS[ace]) == rows(ranks, ace), ranks
            assert monotone(ranks, ENDS[ace]) == climbing(ranks, ace), ranks
            assert any_order(ranks, length, ENDS[ace]) == neighbours(ranks, ace, length), ranks
            assert any_order(ranks, 4, ENDS[ace]) == neighbours(ranks, ace, 4), ranks


@pytest.mark.parametrize("length", [4, 5, 7, 13])
@pytest.mark.parametrize("ace", ENDS)
def test_long_ones_are_what_the_words_say(ace: str, length: int) -> None:
    tried = [*some(400, length)]
    assert {in_row(ranks, ENDS[ace]) for ranks in tried} == {True, False}
    for ranks in tried:
        assert in_row(ranks, ENDS[ace]) == rows(ranks, ace), ranks
        assert monotone(ranks, ENDS[ace]) == climbing(ranks, ace), ranks
        mixed = Random(length).sample(ranks, length)
        assert any_order(mixed, length, ENDS[ace]) == neighbours(ranks, ace, length), ranks


@pytest.mark.parametrize("length", [2, 3, 4])
@pytest.mark.parametrize("ace", ENDS)
def test_a_row_in_any_order_is_a_row_once_it_is_put_in_order(ace: str, length: int) -> None:
    for ranks in product([*range(JOKER), WILD], repeat=length):
        in_order = any(in_row(each, ENDS[ace]) for each in permutations(ranks))
        assert any_order(ranks, length, ENDS[ace]) == in_order, ranks


def test_marks_are_alike_but_for_wild_ones() -> None:
    for marks in product([0, 1, 2, 4, WILD], repeat=4):
        assert alike(marks, 4) == (4 not in marks and len({*marks} - {WILD}) <= 1), marks
