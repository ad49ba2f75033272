"""How a pattern is declared, and what a slap may see of a pile."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratscrew.cards import Pile, cards, pile, text
from ratscrew.rules.pattern import PATTERNS, slap, view
from ratscrew.rules.presets import house
from ratscrew.testing.strategies import piles


@pytest.fixture
def _workshop() -> Iterator[None]:
    """Patterns that are declared in a test are forgotten after it."""
    known = dict(PATTERNS)
    yield
    PATTERNS.clear()
    PATTERNS.update(known)


def seen(text_: str, depth: int = 9) -> str:
    """What a slap sees of a pile, top first."""
    return text(view(pile(text_), depth))


def test_a_slap_sees_the_pile_from_the_top_downwards() -> None:
    assert seen("4S 9H JC") == "JC 9H 4S"


def test_a_slap_sees_no_deeper_than_it_has_to() -> None:
    assert seen("4S 9H JC", 2) == "JC 9H"
    assert seen("4S 9H JC", 0) == ""


def test_a_slap_sees_nothing_of_an_empty_table() -> None:
    assert seen("") == ""


def test_a_slap_sees_no_burned_card_and_none_below_one() -> None:
    assert seen("4S* 9H JC") == "JC 9H"
    assert seen("4S 9H* JC") == "JC"
    assert seen("4S 9H JC*") == ""


@given(piles(), st.integers(0, 14))
def test_the_view_is_the_live_cards_down_to_the_first_burned_one(some: Pile, depth: int) -> None:
    burned = [i for i, laid in enumerate(some) if not laid.live]
    above = some[burned[-1] + 1 :] if burned else some
    assert view(some, depth) == [laid.card for laid in reversed(above)][:depth]


@given(piles(), st.lists(st.sampled_from(cards("9S 9H KS KD")), max_size=4))
def test_what_lies_under_a_burned_card_never_matters(some: Pile, under: list[int]) -> None:
    rules = house()
    burned = pile("2C*")
    assert rules.slap_on(burned + some) == rules.slap_on(pile(" ".join(map(str, under))) + burned + some)


@pytest.mark.usefixtures("_workshop")
def test_the_signature_of_a_pattern_is_its_declaration() -> None:
    @slap(yes=["9S KH 9H"], no=["9S 9H", "9S* 9H"])
    def odd_one(top: int, filling: int, under: int) -> bool:
        """The first line is for players.

        The rest is not.
        """
        return top == under

    assert (odd_one.name, odd_one.size, odd_one.lens) == ("odd_one", 3, "rank")
    assert odd_one.says == "The first line is for players."
    assert odd_one.yes == (pile("9S KH 9H"),)
    assert odd_one.no == (pile("9S 9H"), pile("9S* 9H"))
    assert PATTERNS["odd_one"] is odd_one
    assert list(PATTERNS)[-1] == "odd_one"


@pytest.mark.usefixtures("_workshop")
def test_a_pattern_is_a_choice_of_a_house_as_soon_as_it_is_declared() -> None:
    @slap(yes=["KS"], no=["QS"])
    def king(top: int) -> bool:
        return top == 11

    assert house(slaps={"king": True}).slap_on(pile("2C KS")) == "king"
    assert house().slap_on(pile("2C KS")) is None


@pytest.mark.usefixtures("_workshop")
def test_when_several_patterns_lie_on_a_pile_the_first_gives_its_name() -> None:
    @slap(yes=["9S 9H"], no=["9S 8H"])
    def double_again(top: int, under: int) -> bool:
        return top == under

    assert house(slaps={"double_again": True}).slap_on(pile("9S 9H")) == "double"
    assert house(slaps={"double_again": True, "double": False}).slap_on(pile("9S 9H")) == "double_again"


@pytest.mark.usefixtures("_workshop")
def test_a_lens_says_what_a_pattern_sees_of_a_card() -> None:
    looked: list[tuple[int, ...]] = []

    def look(top: int, under: int) -> bool:
        looked.append((top, under))
        return True

    for name, lens in (("by_rank", "rank"), ("by_suit", "suit"), ("by_card", "card")):
        look.__name__ = name
        assert slap(yes=[], no=[], lens=lens)(look).fits(cards("7H JKR 2C"))  # type: ignore[arg-type]
    assert looked == [(5, 13), (2, 4), (22, 53)]


@pytest.mark.usefixtures("_workshop")
def test_a_pattern_never_looks_at_fewer_cards_than_it_needs() -> None:
    @slap(yes=[], no=[])
    def pair(top: int, under: int) -> bool:
        return True

    assert [pair.fits(cards(some)) for some in ("", "7H", "7H 2C", "7H 2C 9D")] == [False, False, True, True]


def test_a_parameter_that_is_no_card_of_the_view_is_refused() -> None:
    def odd(top: int, *, ace: int) -> bool:
        return top == ace

    with pytest.raises(TypeError, match="slap pattern odd: ace is no card of the view"):
        slap(yes=[], no=[])(odd)
    assert "odd" not in PATTERNS


def test_a_name_that_is_taken_is_refused() -> None:
    def double(top: int) -> bool:
        return True

    known = PATTERNS["double"]
    with pytest.raises(TypeError, match="slap pattern double: there is one of that name already"):
        slap(yes=[], no=[])(double)
    assert PATTERNS["double"] is known
