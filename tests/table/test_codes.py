"""Room codes: a word and digits that are easy to say aloud, and hard to guess."""

from __future__ import annotations

from random import Random

import pytest

from ratscrew.errors import RulesError
from ratscrew.table.registry.codes import TRIES, WORDS, code_of_name, has_capacity, is_code, new_code, read_code


def test_every_word_is_a_code_of_older_versions_and_stands_there_once() -> None:
    assert all(map(is_code, WORDS))
    assert len(set(WORDS)) == len(WORDS) == 636


def test_a_code_is_a_word_and_four_digits() -> None:
    draws = iter([3, 7])
    assert new_code(lambda code: True, lambda digits: 0, lambda n: next(draws)) == f"{WORDS[3]}0007"


def test_a_code_that_is_taken_is_drawn_again() -> None:
    draws = iter([3, 7, 5, 9999])
    taken = f"{WORDS[3]}0007"
    assert new_code(lambda code: code != taken, lambda digits: 0, lambda n: next(draws)) == f"{WORDS[5]}9999"


def test_codes_of_one_length_are_drawn_from_all_words_and_all_numbers() -> None:
    chance = Random(1)
    drawn = [new_code(lambda code: True, lambda digits: 0, chance.randrange) for _ in range(20_000)]
    assert {code[:4] for code in drawn} == set(WORDS)
    assert {code[4] for code in drawn} == set("0123456789") == {code[7] for code in drawn}


@pytest.mark.parametrize(
    ("in_use", "digits"),
    [(0, 4), (11, 4), (12, 5), (126, 5), (127, 6), (1270, 6), (1271, 7), (12_718, 7), (12_719, 8), (127_199, 9)],
)
def test_codes_grow_so_that_a_guess_finds_a_room_less_than_once_in_500_000(in_use: int, digits: int) -> None:
    """636 words with 4 digits are 6,360,000 codes: one in 530,000 of 12 rooms, and one in 489,231 of 13.

    Here as many codes of each length are in use.
    """
    code = new_code(lambda code: True, lambda digits: in_use, Random(1).randrange)
    assert len(code) == 4 + digits
    assert (in_use + 1) / (636 * 10**digits) < 1 / 500_000
    assert digits == 4 or (in_use + 1) / (636 * 10 ** (digits - 1)) >= 1 / 500_000


def test_each_length_is_filled_before_the_next_one() -> None:
    """12 of 4 digits, 127 of 5, then 6 digits: at every length fewer than one guess in 500,000 finds a room."""
    chance, codes = Random(1), set[str]()
    for _ in range(200):
        codes.add(
            new_code(
                lambda code: code not in codes,
                lambda digits: sum(len(code) == 4 + digits for code in codes),
                chance.randrange,
            )
        )
    assert [sum(len(code) == 4 + digits for code in codes) for digits in (4, 5, 6, 7)] == [12, 127, 61, 0]


def test_where_none_of_a_length_is_free_the_next_length_is_used() -> None:
    assert len(new_code(lambda code: len(code) > 8, lambda digits: 0, Random(1).randrange)) == 9


def test_where_no_code_is_free_there_is_no_room_left() -> None:
    drawn = list[str]()

    def taken(code: str) -> bool:
        drawn.append(code)
        return False

    with pytest.raises(RulesError) as caught:
        new_code(taken, lambda digits: 0, Random(1).randrange)
    assert caught.value.problems == ("this server is full: try again later",)
    assert len(drawn) == 9 * TRIES


def test_a_full_length_has_no_capacity() -> None:
    assert has_capacity(4, 11)
    assert not has_capacity(4, 12)


@pytest.mark.parametrize(
    ("text", "fits"),
    [
        ("BEAR", True),
        ("BBBC", True),
        ("BEAR4821", True),
        ("BEAR48215", True),
        ("BEAR000000000000", True),
        ("BEAR0000000000000", False),
        ("BEAR482", False),
        ("BEAR 4821", False),
        ("BEAR-4821", False),
        ("bear4821", False),
        ("BEA4821", False),
        ("bear", False),
        ("BEA", False),
        ("BEARS", False),
        ("BE R", False),
        ("B3AR", False),
        ("BÄRE", False),
        ("BE-1", False),
        ("", False),
        ("BEAR4821\n", False),
        ("ＢＥＡＲ", False),
        ("BEAR٤٨٢١", False),
    ],
)
def test_a_code_is_four_capital_letters_and_perhaps_digits(text: str, fits: bool) -> None:
    assert is_code(text) == fits


@pytest.mark.parametrize("typed", ["WOLF4821", "wolf4821", "Wolf 4821", " wolf-4821 ", "w o l f 48 21", "WOLF - 4821"])
def test_a_code_is_read_however_it_is_typed(typed: str) -> None:
    assert read_code(typed) == "WOLF4821"


@pytest.mark.parametrize(
    "typed", ["", "wolf 48", "4821 wolf", "wolf_4821", "wölf 4821", "%00", " " * 40 + "WOLF4821", "ß"]
)
def test_what_is_no_code_is_not_read(typed: str) -> None:
    assert read_code(typed) is None


def test_a_name_has_one_code_which_is_as_long_as_codes_can_be() -> None:
    """Of 20,000 names no two meet: by the birthday problem two would with a probability of 3 in 10 million."""
    codes = {code_of_name(f"instance {number}") for number in range(20_000)}
    assert len(codes) == 20_000
    assert all(is_code(code) and len(code) == 16 for code in codes)
    assert len({code[:4] for code in codes}) == len(WORDS)
    assert code_of_name("instance 1") == code_of_name("instance 1")
