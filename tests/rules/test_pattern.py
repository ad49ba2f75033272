"""How a pattern is declared, and what it may see of the table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratscrew.cards import JOKERS, PACK, Card, Pile, PileCard, cards, pile, text
from ratscrew.rules.pattern import PATTERNS, BoundPattern, slap
from ratscrew.rules.presets import house
from ratscrew.rules.sight import NOTHING, Sight, sight


@pytest.fixture
def _workshop() -> Iterator[None]:
    """Patterns that are declared in a test are forgotten after it."""
    known = dict(PATTERNS)
    yield
    PATTERNS.clear()
    PATTERNS.update(known)


@st.composite
def piles(draw: st.DrawFn) -> Pile:
    """Different cards on the table, some of them burned or dead."""
    some = draw(st.lists(st.sampled_from((*PACK, *JOKERS)), max_size=12, unique=True))
    return tuple(PileCard(card, draw(st.sampled_from(["live", "live", "burned", "dead"]))) for card in some)


def seen(text_: str, depth: int = 9, skip: bool = False) -> str:
    """What a slap sees of a pile, top first."""
    return text(sight(pile(text_), depth, skip).view)


# The view


def test_a_slap_sees_the_pile_from_the_top_downwards() -> None:
    assert seen("4S 9H JC") == "JC 9H 4S"


def test_a_slap_sees_no_deeper_than_it_has_to() -> None:
    assert (seen("4S 9H JC", 2), seen("4S 9H JC", 0)) == ("JC 9H", "")


def test_a_slap_sees_nothing_of_an_empty_table() -> None:
    assert sight((), 9) == NOTHING == Sight(())


def test_a_slap_sees_no_burned_card_and_none_below_one() -> None:
    assert seen("4S* 9H JC") == "JC 9H"
    assert seen("4S 9H* JC") == "JC"


def test_a_house_may_look_past_burned_and_dead_cards() -> None:
    assert seen("4S 9H* JC", skip=True) == "JC 4S"
    dead = (PileCard(Card.parse("4S")), PileCard(Card.parse("9H"), "dead"), PileCard(Card.parse("JC")))
    assert text(sight(dead, 9, skip=True).view) == "JC 4S"
    assert text(sight(dead, 9).view) == "JC"


@pytest.mark.parametrize("skip", [False, True])
def test_under_a_burned_card_on_top_nothing_can_be_slapped_at_all(skip: bool) -> None:
    assert sight(pile("9S 9H JC*"), 9, skip) == NOTHING


def test_a_double_across_a_dead_card_counts_where_the_house_looks_past_it() -> None:
    across = pile("9S 4C* 9H")
    assert house().first_match(house().sight_of(across)) is None
    past = house(dead_pattern="skip")
    assert [bound.pattern.name for bound in past.all_matches(past.sight_of(across))] == ["double"]


@given(piles(), st.integers(0, 14))
def test_the_view_is_the_live_cards_down_to_the_first_that_is_not(some: Pile, depth: int) -> None:
    others = [i for i, laid in enumerate(some) if not laid.live]
    above = some[others[-1] + 1 :] if others else some
    assert sight(some, depth).view == tuple(laid.card for laid in reversed(above))[:depth]


@given(piles(), st.lists(st.sampled_from(cards("9S 9H KS KD")), max_size=4))
def test_what_lies_under_a_burned_card_never_matters_to_what_lies_on_it(some: Pile, under: list[Card]) -> None:
    rules = house(slaps={"hoagie": True, "run": {"len": 3}, "tens": True, "suit_run": 3})
    one = rules.sight_of(pile("2C*") + some)
    other = rules.sight_of((*map(PileCard, under), *pile("2C*"), *some))
    assert rules.all_matches(one) == rules.all_matches(other)


def test_the_first_card_of_the_pile_is_the_lowest_live_one() -> None:
    some = sight(pile("4S* 9H JC 2D"), 1)
    assert (some.first, some.lowest, some.burned) == (Card.parse("9H"), Card.parse("4S"), True)


def test_the_newest_card_is_no_first_card_of_its_own_pile() -> None:
    assert sight(pile("9H"), 1) == Sight(cards("9H"), pile_no=1)
    assert sight(pile("4S* 9H"), 1).first is None


# Declaring a pattern


@pytest.mark.usefixtures("_workshop")
def test_the_signature_and_the_docstring_of_a_pattern_are_its_declaration() -> None:
    @slap(yes=["9S KH 9H", ("9S KH 9D 9H", {"gap": 2})], no=["9S 9H", "9S* 9H"])
    def odd_one(top: int, filling: int, under: int, *, chance_no: int, gap: Literal[1, 2] = 1) -> bool:
        """The first line is for players.

        gap: Gap. How wide it is.
        gap = 1: narrow
        The rest is not.
        """
        return top == under

    assert (odd_one.name, odd_one.label, odd_one.size, odd_one.feature) == ("odd_one", "Odd one", 3, "rank")
    assert odd_one.says == "The first line is for players."
    assert (odd_one.sights, odd_one.only, odd_one.defaults) == (("chance_no",), "gap", {"gap": 1})
    assert odd_one.words["gap"][:3] == ("Gap", "How wide it is.", {"1": "narrow"})
    assert [some.pile for some in odd_one.no] == [pile("9S 9H"), pile("9S* 9H")]
    assert (odd_one.yes[1].pile, odd_one.yes[1].given) == (pile("9S KH 9D 9H"), {"gap": 2})
    assert PATTERNS["odd_one"] is odd_one
    assert list(PATTERNS)[-1] == "odd_one"


@pytest.mark.usefixtures("_workshop")
def test_a_pattern_is_a_choice_of_a_house_as_soon_as_it_is_declared() -> None:
    @slap(yes=["KS"], no=["QS"])
    def king(top: int) -> bool:
        return top == 11

    rules = house(slaps={"king": True})
    found = rules.first_match(rules.sight_of(pile("2C KS")))
    assert found is not None
    assert found.pattern is king
    assert house().first_match(house().sight_of(pile("2C KS"))) is None


@pytest.mark.usefixtures("_workshop")
def test_when_several_patterns_lie_on_a_pile_the_first_gives_its_name() -> None:
    @slap(yes=["9S 9H"], no=["9S 8H"])
    def double_again(top: int, under: int) -> bool:
        return top == under

    both, one = house(slaps={"double_again": True}), house(slaps={"double_again": True, "double": False})
    names = [bound.pattern.name for bound in both.all_matches(both.sight_of(pile("9S 9H")))]
    assert names == ["double", "double_again"]
    assert [bound.pattern.name for bound in one.all_matches(one.sight_of(pile("9S 9H")))] == ["double_again"]


@pytest.mark.usefixtures("_workshop")
def test_a_lens_says_what_a_pattern_sees_of_a_card() -> None:
    looked: list[tuple[int, ...]] = []

    def look(top: int, under: int) -> bool:
        looked.append((top, under))
        return True

    for name, feature in (("by_rank", "rank"), ("by_suit", "suit"), ("by_colour", "colour"), ("by_card", "card")):
        look.__name__ = name
        assert BoundPattern(slap(yes=[], no=[], feature=feature)(look), {}).matches(Sight(cards("7H JKR 2C")))  # type: ignore[arg-type]
    assert looked == [(5, 13), (2, 4), (1, 2), (22, 53)]


@pytest.mark.usefixtures("_workshop")
def test_a_pattern_never_looks_at_fewer_cards_than_it_needs() -> None:
    @slap(yes=[], no=[])
    def pair(top: int, under: int) -> bool:
        return True

    seen_ = [BoundPattern(pair, {}).matches(Sight(cards(some))) for some in ("", "7H", "7H 2C", "7H 2C 9D")]
    assert seen_ == [False, False, True, True]


@pytest.mark.usefixtures("_workshop")
def test_a_pattern_of_any_number_of_cards_sees_as_many_as_the_house_says_or_all() -> None:
    looked: list[int] = []

    def look(*ranks: int, **given: int) -> bool:
        looked.append(len(ranks))
        return True

    @slap(yes=[], no=[])
    def row(*ranks: int, len: Literal[2, 3]) -> bool:
        return look(*ranks)

    @slap(yes=[], no=[])
    def heap(*ranks: int) -> bool:
        return look(*ranks)

    some = Sight(cards("7H 2C 9D 4S"))
    assert BoundPattern(row, {"len": 3}).matches(some)
    assert BoundPattern(heap, {}).matches(some)
    assert looked == [3, 4]


def test_a_name_that_is_taken_is_refused() -> None:
    def double(top: int) -> bool:
        return True

    known = PATTERNS["double"]
    with pytest.raises(TypeError, match="slap pattern double: there is one of that name already"):
        slap(yes=[], no=[])(double)
    assert PATTERNS["double"] is known
