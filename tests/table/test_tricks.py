"""Piles taken by hand, by right or wrongly: picking up, noticing, and the countdown."""

from __future__ import annotations

import pytest

from ratscrew.table.core.pause import RESUME_US
from ratscrew.table.record.messages import Countdown, TurnCancelled
from ratscrew.table.record.table_action import Half
from tests.table.driver import LiveTable, at_table
from tests.table.looks import awake, clock, hands, pile, refused, where

MANUAL = "1;classic;collect=manual;turn_ms=5000"
SPLIT = "1;oxymoron;turn_ms=5000;contest_ms=3000"


def won(house: str = MANUAL, ana: str = "Ana") -> LiveTable:
    """Ana's jack has not been answered: the pile is hers."""
    live = at_table(f"{ana}: JS 2C 5D | Bo: 3H 4H 6D | Cy: KC 3D 7D", house=house)
    live.turn(0, 1)
    assert (where(live), pile(live)) == ("won 0", "JS 3H")
    return live


def sandwich(house: str = MANUAL) -> LiveTable:
    """Ana's jack has not been answered, and lies between two threes."""
    live = at_table("Ana: JS 2C 5D | Bo: 3H 4H 6D | Cy: 3D KC 7D", house=house, lead=2)
    live.turn(2, 0, 1)
    assert (where(live), pile(live)) == ("won 0", "3D JS 3H")
    return live


def grabbed(bo: str = "Bo") -> LiveTable:
    """Cy has picked up Ana's card, which no player has won."""
    live = at_table(f"Ana: 9S 2C 5D | {bo}: 3H 4H 6D | Cy: 8C 3D 7D", house=SPLIT)
    live.turn(0)
    live.pass_ms(600)
    live.do(2, "collect")
    assert (where(live), pile(live)) == ("grab 2", "")
    return live


# By right


def test_a_pile_that_is_won_is_taken_by_hand() -> None:
    live = won()
    live.pass_ms(2000)
    assert pile(live) == "JS 3H"
    live.do(0, "collect")
    assert (where(live), hands(live)) == ("play 0", "2C 5D JS 3H | 4H 6D | KC 3D 7D")


def test_a_pile_that_nobody_takes_comes_to_its_winner_when_his_time_is_over() -> None:
    live = won()
    assert clock(live) == Countdown(0, "collect", 5000)
    live.pass_ms(4999)
    assert where(live) == "won 0"
    live.pass_ms(1)
    assert (where(live), hands(live)) == ("play 0", "2C 5D JS 3H | 4H 6D | KC 3D 7D")


def test_a_winner_who_is_not_there_is_given_a_moment_only() -> None:
    live = won()
    live.go(0)
    live.pass_ms(1499)
    assert where(live) == "won 0"
    live.pass_ms(1)
    assert where(live) == "play 0"


def test_a_winner_who_is_back_has_a_moment_to_take_it() -> None:
    live = won()
    live.go(0)
    live.pass_ms(1000)
    live.come(0)
    assert clock(live) == Countdown(0, "collect", 4000)
    live.pass_ms(3900)
    live.come(0)
    assert clock(live) == Countdown(0, "collect", 1500)


def test_a_bot_takes_its_pile_by_itself() -> None:
    live = awake(at_table("Thoth*: JS 2C | Bo: 3H 4H", house=MANUAL), 0)
    live.turn(0, 1)
    assert where(live) == "won 0"
    live.pass_ms(699)
    assert where(live) == "won 0"
    live.pass_ms(1)
    assert where(live) == "play 0"


def test_a_pile_is_picked_up_when_everybody_has_had_half_a_second_to_slap_it() -> None:
    live = won()
    live.pass_ms(100)
    live.do(0, "collect")
    live.pass_ms(399)
    assert (where(live), refused(live)) == ("won 0", [])
    live.pass_ms(1)
    assert (where(live), pile(live)) == ("play 0", "")


@pytest.mark.parametrize("house", [MANUAL, f"{MANUAL};cheat=split"])
def test_who_slaps_it_before_has_it_and_the_hand_that_reached_for_it_takes_nothing(house: str) -> None:
    live = sandwich(house)
    live.do(0, "collect")
    live.slap(1, after_ms=450)
    live.pass_ms(200)
    assert (where(live), hands(live)) == ("play 1", "2C 5D | 4H 6D 3D JS 3H | KC 7D")
    live.turn(1)
    live.pass_ms(400)
    assert pile(live) == "4H"


def test_who_reaches_for_it_again_and_again_has_one_hand_there() -> None:
    live = sandwich()
    for _ in range(50):
        live.do(0, "collect")
    assert live.table.session
    assert len(live.table.session.schedule.moves) == 1
    live.pass_ms(500)
    assert (where(live), refused(live)) == ("play 0", [])


def test_a_pile_that_has_been_picked_up_is_slapped_too_late() -> None:
    live = sandwich()
    live.pass_ms(500)
    live.do(0, "collect")
    live.slap(1, after_ms=501)
    assert where(live) == "play 0"
    assert len(live.game.hands[1]) == 2


def test_nobody_else_takes_it() -> None:
    live = won()
    live.do(1, "collect")
    assert (where(live), refused(live)) == ("won 0", ["not_yours"])


def test_where_the_house_collects_nobody_need_reach_for_it() -> None:
    live = won("1;classic")
    assert clock(live) == Countdown(0, "collect", 1500)
    live.do(0, "collect")
    assert refused(live) == ["nothing_to_take"]
    live.pass_ms(1499)
    assert where(live) == "won 0"
    live.pass_ms(1)
    assert where(live) == "play 0"


# By no right


def test_a_pickup_that_is_noticed_at_once_goes_back() -> None:
    live = grabbed()
    live.do(1, "notice")
    assert (where(live), pile(live), hands(live)) == ("play 1", "9S", "2C 5D | 3H 4H 6D | 8C 3D 7D")


def test_a_bot_notices_it() -> None:
    live = awake(grabbed("Bo*"), 1)
    live.go(0)
    live.go(2)
    live.come(0)
    live.pass_ms(RESUME_US / 1000 + 700)
    assert (where(live), pile(live)) == ("play 1", "9S")


def test_a_pickup_that_nobody_notices_is_put_away_by_the_clock() -> None:
    live = grabbed()
    assert clock(live) == Countdown(2, "grab", 3000)
    live.pass_ms(2999)
    assert where(live) == "grab 2"
    live.pass_ms(1)
    assert (where(live), hands(live)) == ("play 2", "2C 5D | 3H 4H 6D | 8C 3D 7D 9S")


def test_who_picked_it_up_does_not_protest_himself() -> None:
    live = grabbed()
    live.do(2, "notice")
    assert (where(live), refused(live)) == ("grab 2", ["not_yours"])


def test_nobody_slaps_and_nobody_plays_while_the_pile_is_in_somebodys_hand() -> None:
    live = grabbed()
    live.slap(0)
    live.play(1)
    assert where(live) == "grab 2"
    assert hands(live) == "2C 5D | 3H 4H 6D | 8C 3D 7D"


@pytest.mark.parametrize("thief", [1, 2])
def test_a_card_on_its_way_goes_back_to_its_hand_when_the_pile_is_picked_up(thief: int) -> None:
    live = at_table("Ana: 9S 2C | Bo: 3H 4H | Cy: 8C 3D", house=SPLIT)
    live.turn(0)
    live.pass_ms(550)
    live.play(1)
    live.pass_ms(50)
    live.do(thief, "collect")
    assert live.heard(TurnCancelled) == [TurnCancelled(1)]
    live.pass_ms(500)
    assert (where(live), hands(live)) == (f"grab {thief}", "2C | 3H 4H | 8C 3D")


@pytest.mark.parametrize(
    ("half", "after"),
    [
        ("top", "2C 5D 8C 3D | 3H 4H 6D | 7D 9S"),
        ("bottom", "2C 5D 7D 9S | 3H 4H 6D | 8C 3D"),
    ],
)
def test_noticed_late_the_cheated_player_chooses_half_of_the_cheaters_hand(half: Half, after: str) -> None:
    live = grabbed()
    live.pass_ms(3000)
    live.do(1, "notice")
    assert where(live) == "split 0"
    live.do(1, "choose", half=half)
    assert refused(live) == ["not_your_turn"]
    live.do(0, "choose", half=half)
    assert (where(live), hands(live)) == ("play 2", after)


def test_who_does_not_choose_gets_the_upper_half_by_the_clock() -> None:
    live = grabbed()
    live.pass_ms(3000)
    live.do(1, "notice")
    assert clock(live) == Countdown(0, "split", 5000)
    live.pass_ms(5000)
    assert (where(live), hands(live)) == ("play 2", "2C 5D 8C 3D | 3H 4H 6D | 7D 9S")


def test_a_cheated_player_who_is_not_there_gets_it_soon() -> None:
    live = grabbed()
    live.go(0)
    live.pass_ms(3000)
    live.do(1, "notice")
    live.pass_ms(1500)
    assert where(live) == "play 2"
    assert hands(live).endswith("7D 9S")


def test_who_leaves_while_he_has_to_choose_is_not_waited_for_either() -> None:
    live = grabbed()
    live.pass_ms(3000)
    live.do(1, "notice")
    live.go(0)
    live.pass_ms(1499)
    assert where(live) == "split 0"
    live.pass_ms(1)
    assert where(live) == "play 2"


def test_once_everybody_has_played_the_cards_are_rightfully_his() -> None:
    live = grabbed()
    live.pass_ms(3000)
    live.turn(2, 0)
    assert live.game.theft
    live.turn(1)
    live.do(0, "notice")
    assert refused(live) == ["too_late"]


def test_where_nobody_may_cheat_a_pile_that_is_nobodys_stays() -> None:
    live = at_table("Ana: 9S 2C | Bo: 3H 4H | Cy: 8C 3D", house=MANUAL)
    live.turn(0)
    live.pass_ms(600)
    live.do(2, "collect")
    assert (pile(live), refused(live)) == ("9S", ["nothing_to_take"])
