"""Cards turned out of turn or too early: refused, dead, or set aside until their owner has to play."""

from __future__ import annotations

import pytest

from ratscrew import cards
from ratscrew.table.record.messages import Turning
from tests.table.driver import LiveTable, at_table
from tests.table.looks import clock, hands, pile, refused, where

SCENE = "Ana: 9S 2C 5D | Bo: 9H 4H 6D | Cy: KC 3D 7D"
DEAD = "1;classic;turn_ms=5000;out_of_turn=dead"
ASIDE = "1;classic;turn_ms=5000;out_of_turn=aside"


def nine(house: str) -> LiveTable:
    """Ana has turned a nine, some time ago; it is Bo's turn."""
    live = at_table(SCENE, house=house)
    live.turn(0)
    live.pass_ms(1000)
    return live


def asides(live: LiveTable) -> str:
    """The cards that lie aside, by seat."""
    return " | ".join(cards.text(hand) for hand in live.game.asides)


# Refused


@pytest.mark.parametrize("deed", ["play", "reveal"])
def test_where_a_deck_gives_no_card_out_of_turn_nothing_happens(deed: str) -> None:
    live = nine("1;classic")
    _ = live.play(2) if deed == "play" else live.do(2, "reveal")
    assert (pile(live), hands(live), refused(live)) == ("9S", "2C 5D | 9H 4H 6D | KC 3D 7D", ["not_your_turn"])


# Dead


@pytest.mark.parametrize(("place", "lies"), [("bottom", "KC* 9S"), ("top", "9S KC*")])
def test_a_card_out_of_turn_is_dead_and_the_turn_stays(place: str, lies: str) -> None:
    live = nine(f"{DEAD};dead_place={place}")
    before = clock(live)
    live.play(2)
    assert (where(live), pile(live), hands(live)) == ("play 1", lies, "2C 5D | 9H 4H 6D | 3D 7D")
    assert clock(live) == before


@pytest.mark.parametrize("house", [DEAD, ASIDE])
def test_what_is_sent_twice_costs_one_card(house: str) -> None:
    live = nine(house)
    live.play(2, 1)
    live.play(2, 1)
    assert (refused(live), hands(live)) == (["twice"], "2C 5D | 9H 4H 6D | 3D 7D")


def test_it_may_cost_cards_more() -> None:
    live = nine(f"{DEAD};out_of_turn_burn=1")
    live.play(2)
    assert (pile(live), hands(live)) == ("3D* KC* 9S", "2C 5D | 9H 4H 6D | 7D")


def test_over_a_dead_card_every_slap_is_wrong() -> None:
    live = nine(f"{DEAD};dead_place=top")
    live.turn(1)
    live.play(0)
    assert pile(live) == "9S 9H 2C*"
    live.slap(2)
    assert "2 slaps wrong" in live.told


def test_at_the_bottom_it_is_harmless() -> None:
    live = nine(DEAD)
    live.turn(1)
    live.play(0)
    live.slap(2)
    assert (where(live), hands(live)) == ("play 2", "5D | 4H 6D | KC 3D 7D 2C 9S 9H")


def test_who_has_slapped_may_slap_again_once_a_dead_card_lies_there() -> None:
    live = nine(f"{DEAD};dead_place=top")
    live.slap(1)
    live.slap(1)
    assert refused(live) == ["twice"]
    live.play(2)
    live.slap(1)
    assert live.told.count("1 slaps wrong") == 2


def test_a_card_on_its_way_is_not_held_up_by_a_dead_one() -> None:
    live = nine(DEAD)
    live.play(1)
    live.pass_ms(100)
    live.play(2)
    assert pile(live) == "KC* 9S"
    live.pass_ms(60)
    assert pile(live) == "KC* 9S 9H"


def test_who_presses_twice_in_his_turn_turns_one_card() -> None:
    live = nine(DEAD)
    live.play(1)
    live.pass_ms(50)
    live.play(1)
    live.pass_ms(110)
    assert (pile(live), refused(live)) == ("9S 9H", ["twice"])


def test_who_has_not_seen_the_newest_card_plays_none_out_of_turn() -> None:
    live = nine(DEAD)
    live.turn(1)
    live.play(1, n=1)
    assert (pile(live), refused(live)) == ("9S 9H", ["not_your_turn"])


def test_a_card_onto_a_pile_that_is_won_is_dead_and_the_winner_takes_it_along() -> None:
    live = at_table("Ana: JS 2C 5D | Bo: 3H 4H 6D", house=DEAD)
    live.turn(0, 1)
    live.play(0)
    assert (where(live), pile(live)) == ("won 0", "2C* JS 3H")
    live.pass_ms(1500)
    assert hands(live) == "5D 2C JS 3H | 4H 6D"


def test_while_a_race_is_on_no_card_comes_out_of_turn() -> None:
    live = nine(DEAD)
    live.far(0, 200)
    live.turn(1)
    live.slap(2, after_ms=400)
    live.play(1)
    assert (pile(live), refused(live)) == ("9S 9H", ["not_your_turn"])


def test_who_has_no_card_lays_none() -> None:
    live = at_table("Ana: 9S 2C | Bo: 9H 4H | Cy:", house=DEAD)
    live.turn(0)
    live.play(2)
    assert (pile(live), refused(live)) == ("9S", ["no_cards"])


# Aside


@pytest.mark.parametrize("deed", ["play", "reveal"])
def test_a_card_that_comes_too_early_lies_aside(deed: str) -> None:
    live = nine(ASIDE)
    _ = live.play(2) if deed == "play" else live.do(2, "reveal")
    assert (where(live), pile(live), asides(live)) == ("play 1", "9S", " |  | KC")
    assert hands(live) == "2C 5D | 9H 4H 6D | 3D 7D"


def test_who_shows_his_card_in_his_turn_plays_it() -> None:
    live = nine(ASIDE)
    live.do(1, "reveal")
    assert live.heard(Turning)[-1] == Turning(1)
    live.pass_ms(160)
    assert (pile(live), asides(live)) == ("9S 9H", " |  | ")


def test_anybody_may_lay_it_onto_the_pile_when_its_owner_has_to_play() -> None:
    live = nine(ASIDE)
    live.do(2, "reveal")
    live.do(0, "place", target=2)
    assert refused(live) == ["not_your_turn"]
    live.turn(1)
    live.pass_ms(500)
    live.do(0, "place", target=2)
    assert (pile(live), asides(live), where(live)) == ("9S 9H KC", " |  | ", "play 0")


def test_but_not_before_everybody_has_had_half_a_second_for_the_card_before() -> None:
    live = nine(ASIDE)
    live.do(2, "reveal")
    live.turn(1)
    live.pass_ms(499)
    live.do(0, "place", target=2)
    assert (pile(live), refused(live)) == ("9S 9H", ["too_soon"])
    live.pass_ms(1)
    live.do(0, "place", target=2)
    assert pile(live) == "9S 9H KC"


@pytest.mark.parametrize(
    ("target", "why"), [(0, "not_your_turn"), (1, "nothing_aside"), (9, "not_playing"), (None, "not_playing")]
)
def test_there_is_nothing_to_lay_for_whom_no_card_lies_aside(target: int | None, why: str) -> None:
    live = nine(ASIDE)
    live.do(2, "place", target=target)
    assert (pile(live), refused(live)) == ("9S", [why])


@pytest.mark.parametrize("who", ["he", "the clock"])
def test_his_next_card_is_the_one_aside(who: str) -> None:
    live = nine(ASIDE)
    live.do(2, "reveal")
    live.turn(1)
    if who == "he":
        live.turn(2)
    else:
        live.pass_ms(5160)
    assert (pile(live), asides(live), hands(live)) == ("9S 9H KC", " |  | ", "2C 5D | 4H 6D | 3D 7D")


def test_several_lie_in_order() -> None:
    live = nine(ASIDE)
    live.do(2, "reveal")
    live.do(2, "reveal")
    assert asides(live) == " |  | KC 3D"
    live.turn(1, 2)
    assert (pile(live), asides(live)) == ("9S 9H KC", " |  | 3D")


def test_it_counts_as_turned_when_its_owner_has_to_play_and_who_slaps_takes_it_along() -> None:
    live = at_table(SCENE, house=ASIDE)
    live.do(1, "reveal")
    live.turn(0)
    live.slap(2, after_ms=400)
    assert (where(live), hands(live), asides(live)) == ("play 2", "2C 5D | 4H 6D | KC 3D 7D 9S 9H", " |  | ")


def test_whose_card_lies_aside_is_waited_for_like_anybody() -> None:
    live = nine(ASIDE)
    live.do(2, "reveal")
    live.turn(1)
    live.pass_ms(1000)
    countdown = clock(live)
    assert countdown
    assert (countdown.seat, countdown.awaited, countdown.left_ms) == (2, "turn", 4000)
