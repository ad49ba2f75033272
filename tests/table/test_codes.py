"""Room codes: four letters that can be said across a room."""

from __future__ import annotations

from random import Random

import pytest

from ratscrew.table.codes import CONSONANTS, TRIES, WORDS, is_code, new_code


def test_every_word_is_a_code_and_stands_there_once() -> None:
    assert all(map(is_code, WORDS))
    assert len(set(WORDS)) == len(WORDS) > 500


def test_a_code_is_a_word_as_long_as_one_is_free() -> None:
    taken = set(WORDS[:10])
    draws = iter([3, 7, 12])
    assert new_code(lambda code: code not in taken, lambda n: next(draws)) == WORDS[12]


def test_a_code_is_any_of_the_words() -> None:
    chance = Random(1)
    drawn = {new_code(lambda code: True, chance.randrange) for _ in range(20_000)}
    assert drawn == set(WORDS)


def test_where_the_words_are_taken_a_code_is_four_consonants_that_are_free() -> None:
    """The last draw: BBBB, which is taken, and then BBBC."""
    draws = iter([0] * TRIES + [0, 0, 0, 0] + [0, 0, 0, 1])
    free = {"BBBC"}
    assert new_code(lambda code: code in free, lambda n: next(draws)) == "BBBC"
    assert not set(CONSONANTS) & set("AEIOUY")


@pytest.mark.parametrize(
    ("text", "fits"),
    [
        ("BEAR", True),
        ("BBBC", True),
        ("bear", False),
        ("BEA", False),
        ("BEARS", False),
        ("BE R", False),
        ("B3AR", False),
        ("BÄRE", False),
        ("BE-1", False),
        ("", False),
        ("ＢＥＡＲ", False),
    ],
)
def test_a_code_is_four_capital_letters_and_nothing_else(text: str, fits: bool) -> None:
    assert is_code(text) == fits
