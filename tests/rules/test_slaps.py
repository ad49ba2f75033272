"""The patterns, each with its own examples, one house after the other, and what wild cards do to them."""

from __future__ import annotations

from itertools import count
from random import Random
from typing import Any

import pytest

from ratscrew.cards import PACK, RANKS, Card, PileCard, pile, text
from ratscrew.rules.house import Rules
from ratscrew.rules.pattern import PATTERNS, Example, Pattern
from ratscrew.rules.presets import house

YES = [(pattern, some) for pattern in PATTERNS.values() for some in pattern.yes]
NO = [(pattern, some) for pattern in PATTERNS.values() for some in pattern.no]


def named(value: Pattern | Example) -> str:
    """A pattern or an example as the name of a test."""
    return value.name if isinstance(value, Pattern) else text(value.pile)


def only(name: str, switch: Any = True, **others: Any) -> Rules:
    """A house with one pattern."""
    return house(slaps=dict.fromkeys(PATTERNS, False) | {name: switch}, **others)


def lies(rules: Rules, some: str, opening: str = "", chance_no: int = 0) -> list[str]:
    """The names of the patterns on a pile."""
    first = Card.parse(opening) if opening else None
    return [bound.pattern.name for bound in rules.all_matches(rules.sight_of(pile(some), first, chance_no))]


def shown(pattern: Pattern, some: Example) -> list[str]:
    """The patterns that lie on an example in the house for which it was made."""
    return lies(only(pattern.name, dict(some.given) or True), text(some.pile), **some.sights)


@pytest.mark.parametrize(("pattern", "some"), YES, ids=named)
def test_a_pattern_lies_on_its_examples(pattern: Pattern, some: Example) -> None:
    assert shown(pattern, some) == [pattern.name]


@pytest.mark.parametrize(("pattern", "some"), NO, ids=named)
def test_a_pattern_does_not_lie_on_its_counterexamples(pattern: Pattern, some: Example) -> None:
    assert shown(pattern, some) == []


@pytest.mark.parametrize("pattern", PATTERNS.values(), ids=named)
def test_a_pattern_says_what_it_is_and_shows_it(pattern: Pattern) -> None:
    assert pattern.says.endswith(".")
    assert pattern.says[0].isupper()
    assert pattern.yes
    assert pattern.no


def test_patterns_are_read_in_their_own_order() -> None:
    assert " ".join(PATTERNS) == (
        "triple_six triple double sandwich hoagie run tens marriage divorce scandal sixty_nine "
        "partners partners_2 partners_3 family suit_run colour_run top_bottom count_match instant"
    )


@pytest.mark.parametrize(
    ("some", "slap"),
    [
        ("9S 9H", "double"),
        ("9S 9H 9D", "double"),
        ("JKB JKR", "double"),
        ("2C KS KD", "double"),
        ("5S 7D 5H", "sandwich"),
        ("QS KD QH", "sandwich"),
        ("JKB 5S JKR", "sandwich"),
        ("5S 5D 5H", "double"),
        ("5S 5D 7H 5C", "sandwich"),
        ("8C* 9S 9H", "double"),
        ("8C* 9S 8H 9D", "sandwich"),
        ("5S JKB", "instant"),
        ("", None),
        ("9S", None),
        ("9S 8H", None),
        ("9C* 9S", None),
        ("9C 9S*", None),
        ("9S 9H 8D", None),
        ("5S 7D 8D 5H", None),
        ("5H* 7D 5S", None),
        ("5H 7D* 5S", None),
        ("JKB 5S", None),
        ("KS QH", None),
        ("3H 4D 5C 6S", None),
    ],
)
def test_classic_calls_a_pile_by_the_first_pattern_on_it(some: str, slap: str | None) -> None:
    found = house().first_match(house().sight_of(pile(some)))
    assert (found.pattern.name if found else None) == slap


def test_a_house_without_patterns_has_nothing_to_slap() -> None:
    assert lies(house("beggar"), "9S 9H") == []
    assert house("beggar").patterns == ()


# The parameters


@pytest.mark.parametrize(
    ("ace", "yes", "no"),
    [
        ("either", ["AS 2D 3H", "3H 2D AS", "QS KD AH"], ["KS AD 2H", "2H AD KS"]),
        ("low", ["AS 2D 3H"], ["QS KD AH", "KS AD 2H"]),
        ("high", ["QS KD AH", "AH KD QS"], ["AS 2D 3H", "KS AD 2H"]),
        ("wrap", ["AS 2D 3H", "QS KD AH", "KS AD 2H", "2H AD KS"], ["QS AD 2H"]),
    ],
)
def test_an_ace_stands_in_a_row_where_the_house_lets_it(ace: str, yes: list[str], no: list[str]) -> None:
    rules = only("run", {"len": 3, "ace": ace})
    assert [lies(rules, some) for some in yes] == [["run"]] * len(yes)
    assert [lies(rules, some) for some in no] == [[]] * len(no)


@pytest.mark.parametrize(
    ("choice", "yes", "no"),
    [
        ({"addends": "many", "faces": "skip"}, ["3S 5D 2H", "9S AD", "4C KS QD 6H"], ["TS", "TS KD", "3S 7D KH"]),
        ({"addends": "two", "faces": "skip_one"}, ["3S 7D", "AS KD 9H"], ["3S AD 7H", "AS KD QC 9H", "3S 5D 2H"]),
        ({"addends": "two", "faces": "block"}, ["4S 6D"], ["4S KD 6H"]),
        ({"addends": "two", "faces": "skip_one", "ace": 0}, ["4S AD 6H"], ["9S AD"]),
        ({"total": 11}, ["4S 7D"], ["4S 6D"]),
    ],
)
def test_tens_add_up_as_the_house_says(choice: dict[str, Any], yes: list[str], no: list[str]) -> None:
    rules = only("tens", choice)
    assert [lies(rules, some) for some in yes] == [["tens"]] * len(yes)
    assert [lies(rules, some) for some in no] == [[]] * len(no)


@pytest.mark.parametrize(
    ("after_burn", "slappable"),
    [("void", [False, False]), ("ignore_burns", [True, False]), ("burn_is_bottom", [False, True])],
)
def test_a_burned_card_at_the_bottom_does_to_top_bottom_what_the_house_says(
    after_burn: str, slappable: list[bool]
) -> None:
    rules = only("top_bottom", {"after_burn": after_burn})
    assert [bool(lies(rules, some)) for some in ("8C* 4S 7D 4H", "8C* 4S 7D 8H")] == slappable
    assert lies(rules, "4S 7D 2S QD 8S 4H") == ["top_bottom"]


@pytest.mark.parametrize(
    ("after_burn", "slappable"),
    [("void", [False, False]), ("ignore_burns", [True, False]), ("burn_is_bottom", [False, True])],
)
def test_so_does_a_dead_card_at_the_bottom(after_burn: str, slappable: list[bool]) -> None:
    """Cards that could not be dealt evenly lie there dead, as does a card out of turn; nobody has burned one."""
    rules = only("top_bottom", {"after_burn": after_burn})
    dead = PileCard(Card.parse("8C"), "dead")
    piles = [(dead, *pile("4S 7D 4H")), (dead, *pile("4S 7D 8H"))]
    assert [bool(rules.all_matches(rules.sight_of(some))) for some in piles] == slappable


def test_a_dead_card_above_the_bottom_does_nothing_to_top_bottom() -> None:
    rules = only("top_bottom", {"after_burn": "void"})
    some = (*pile("4S"), PileCard(Card.parse("8C"), "dead"), *pile("7D 4H"))
    assert rules.all_matches(rules.sight_of(some))


@pytest.mark.parametrize(("match", "how_many"), [("rank", 3), ("rank_colour", 2), ("rank_suit", 1)])
def test_top_and_bottom_match_in_rank_colour_or_suit(match: str, how_many: int) -> None:
    rules = only("top_bottom", {"match": match})
    assert sum(bool(lies(rules, f"3H 9C {top}")) for top in ("3H", "3D", "3C")) == how_many


def test_the_first_card_of_the_whole_game_may_be_the_anchor() -> None:
    rules = only("top_bottom", {"anchor": "game"})
    assert lies(rules, "5S 4H", opening="4C") == ["top_bottom"]
    assert lies(rules, "4S 7D 4H", opening="5C") == lies(rules, "4S 7D 4H") == []


def test_an_answer_matches_its_number() -> None:
    rules = only("count_match")
    assert [lies(rules, "AS 7H 9D 3C", chance_no=number) for number in (2, 3, 4)] == [[], ["count_match"], []]


@pytest.mark.parametrize(
    ("cards", "yes", "no"),
    [(["JKR"], "JKR", "JKB"), (["JK"], "JKB", "9S"), (["T"], "TD", "9D"), (["QS"], "QS", "QH")],
)
def test_a_card_may_be_slapped_on_sight_and_when_it_is_covered_no_more(cards: list[str], yes: str, no: str) -> None:
    rules = only("instant", cards)
    assert (lies(rules, f"5S {yes}"), lies(rules, f"5S {no}"), lies(rules, f"{yes} 5S")) == (["instant"], [], [])


# Wild cards


@pytest.mark.parametrize(
    ("name", "switch", "some"),
    [
        ("double", True, "7S JKR"),
        ("sandwich", True, "7S 2D JKR"),
        ("marriage", True, "QS JKR"),
        ("triple", True, "7S JKR JKB"),
        ("run", {"len": 3}, "5S JKR 7H"),
        ("run", {"len": 3}, "QS KD JKR"),
        ("run", {"len": 4, "step": "monotone"}, "5S JKR 7H 9C"),
        ("tens", True, "4S JKR"),
        ("tens", {"faces": "skip_one"}, "4S JKR 6H"),
        ("suit_run", 3, "2H JKR KH"),
        ("colour_run", 3, "2H JKB KD"),
    ],
)
def test_a_wild_card_stands_for_any_other(name: str, switch: Any, some: str) -> None:
    slaps = dict.fromkeys(PATTERNS, False) | {name: switch}
    assert lies(house(slaps=slaps), some) == []
    assert lies(house(slaps={**slaps, "wild": ["JK"]}), some) == [name]


@pytest.mark.parametrize(
    ("name", "switch", "some"),
    [
        ("sandwich", True, "7S JKR 8H"),
        ("run", {"len": 3}, "5S JKR 9H"),
        ("run", {"len": 4, "step": "monotone"}, "5S 6H JKR 7C"),
        ("tens", {"total": 20}, "9C JKR"),
        ("tens", {"ace": 0}, "9C JKR"),
        ("suit_run", 3, "2H JKR KS"),
    ],
)
def test_a_wild_card_cannot_do_what_no_card_can(name: str, switch: Any, some: str) -> None:
    assert lies(only(name, switch), some) == []
    slaps = dict.fromkeys(PATTERNS, False) | {name: switch, "wild": ["JK"]}
    assert lies(house(slaps=slaps), some) == []


def test_in_a_family_each_card_has_a_place_of_its_own() -> None:
    assert lies(only("family", {"cards": ["QS", "5"]}), "QS QS") == []
    assert lies(only("family", {"cards": ["QS", "Q"]}), "QS QS") == ["family"]


@pytest.mark.parametrize(("name", "switch"), [("partners", {"cards": ["JS"], "ranks": "double"}), ("top_bottom", True)])
def test_a_house_in_which_all_cards_are_wild_costs_its_tests_once(name: str, switch: Any) -> None:
    """Each of a hundred piles would take thousands of them, and anybody may open a table with a house from a link."""
    rules = house(slaps=dict.fromkeys(PATTERNS, False) | {name: switch, "wild": [*RANKS]})
    (bound,) = rules.patterns
    tests = count()
    tried = bound._test
    object.__setattr__(bound, "_test", lambda *faces, **more: next(tests) >= 0 and tried(*faces, **more))
    for chance in range(100):
        burned = PileCard(PACK[chance % 50], "burned")
        laid = (burned, *map(PileCard, Random(chance).sample(PACK, 6)))
        bound.matches(rules.sight_of(laid, PACK[3], 0))
    assert next(tests) < 25_000


def test_a_card_that_is_wild_is_still_itself() -> None:
    slaps = dict.fromkeys(PATTERNS, False) | {"instant": ["JKR"], "wild": ["JKR"]}
    assert lies(house(slaps=slaps), "5S JKR") == ["instant"]
    king = dict.fromkeys(PATTERNS, False) | {"tens": {"faces": "skip"}, "wild": ["K"]}
    assert lies(house(slaps=king), "4S KD 6H") == ["tens"]
