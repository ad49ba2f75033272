"""A good slap: the first player to slap a pattern takes the pile and leads."""

from __future__ import annotations

import pytest

from ratscrew.game.commands import Slap, Touch
from ratscrew.game.engine import decide
from tests.game.scene import do, hands, pile, refused, table, told, where


def test_a_double_is_slapped() -> None:
    game = table("A: 9S 2C | B: 9H 3C")
    assert told(game, "A B A!")[-1] == "A takes 9S 9H: slap:double"


def test_a_sandwich_is_slapped() -> None:
    game = table("A: 5S 5H 2C | B: 7D 3C")
    assert told(game, "A B A B!")[-1] == "B takes 5S 7D 5H: slap:sandwich"


def test_a_player_who_slaps_takes_the_pile_under_their_hand_first_card_first_and_leads() -> None:
    game = do(table("A: 4S 2C | B: 9S 3C 6D | C: 9H 8D"), "A B C B!")
    assert hands(game) == "A: 2C | B: 3C 6D 4S 9S 9H | C: 8D"
    assert pile(game) == ""
    assert where(game) == "B plays"


@pytest.mark.parametrize("seat", ["A", "B", "C"])
def test_anybody_may_slap_in_turn_or_not(seat: str) -> None:
    game = table("A: 9S 2C | B: 9H 3C | C: 4D 8C")
    assert where(do(game, f"A B {seat}!")) == f"{seat} plays"


def test_a_slap_goes_before_a_running_challenge() -> None:
    game = do(table("A: KS 2S | B: 5S 5H 8C | C: 9C"), "A B B C!")
    assert where(game) == "C plays"
    assert hands(game) == "A: 2S | B: 8C | C: 9C KS 5S 5H"


def test_a_slap_on_a_challenge_card_ends_its_challenge() -> None:
    game = do(table("A: KS 2S | B: KH 5H | C: 9C"), "A B B!")
    assert where(game) == "B plays"


def test_a_pattern_lies_across_the_beginning_of_a_challenge() -> None:
    game = table("A: 7D 2S | B: KS 5H | C: 7C 8C")
    assert told(game, "A B C A!")[-1] == "A takes 7D KS 7C: slap:sandwich"


def test_a_pile_that_waits_for_its_winner_can_still_be_slapped() -> None:
    game = do(table("A: QS 2C | B: 7H 7S 8C"), "A B B")
    assert where(game) == "A has won the pile: challenge"
    after = do(game, "B!")
    assert where(after) == "B plays"
    assert hands(after) == "A: 2C | B: 8C QS 7H 7S"


def test_the_winner_of_a_waiting_pile_may_slap_it_too() -> None:
    game = do(table("A: QS 2C | B: 7H 7S 8C"), "A B B")
    assert told(game, "A!") == ["A takes QS 7H 7S: slap:double"]


def test_a_player_who_has_no_cards_may_slap_in() -> None:
    game = do(table("A: 5S | B: 9D 9H KC"), "A B B A!")
    assert hands(game) == "A: 5S 9D 9H | B: KC"
    assert where(game) == "A plays"


def test_a_player_who_has_slapped_in_has_their_turns_again() -> None:
    game = table("A: | B: 9D 2D | C: 9H 4C", turn="B")
    assert where(do(game, "B C")) == "B plays"
    assert where(do(game, "B C A! A B C")) == "A plays"


def test_a_double_that_was_slapped_comes_back_as_a_sandwich() -> None:
    game = table("A: 6S | B: 6D 7C 8C")
    after = do(game, "A B A! A B A A!")
    assert hands(after) == "A: 6S 7C 6D | B: 8C"
    assert told(game, "A B A! A B A A!")[-1] == "A takes 6S 7C 6D: slap:sandwich"


def test_three_of_a_rank_are_a_double() -> None:
    game = table("A: 4S 2C | B: 4H 3C | C: 4D 6C")
    assert told(game, "A B C A!")[-1] == "A takes 4S 4H 4D: slap:double"


def test_a_covered_double_is_too_late() -> None:
    game = table("A: 4S 2C | B: 4H 3C | C: 5D 6C")
    assert told(game, "A B C A!")[-2:] == ["A slaps wrong", "A burns 2C"]


def test_burned_cards_go_along_with_the_pile() -> None:
    game = do(table("A: 4S 2C 8H | B: 9H 3C 7D | C: 5D 9D 6C"), "A C! B C B!")
    assert hands(game) == "A: 2C 8H | B: 3C 7D 5D 4S 9H 9D | C: 6C"


def test_a_burned_card_that_was_taken_is_a_card_like_any_other() -> None:
    game = do(table("A: 9S | B: 9H 5S | C: 5D 4C"), "A C! B A!")
    assert hands(game) == "A: 5D 9S 9H | B: 5S | C: 4C"
    assert told(game, "A B C!")[-1] == "C takes 5D 5S: slap:double"


def test_a_slap_on_an_empty_table_is_nothing() -> None:
    game = table("A: 4S 2C | B: 7D")
    assert refused(game, "B!") == "empty_pile"
    assert refused(do(table("A: 9S 2C | B: 9H 3C"), "A B A!"), "B!") == "empty_pile"


def test_a_player_who_slaps_with_nobody_else_holding_a_card_wins_the_game() -> None:
    game = table("A: 9S | B: 9H")
    assert told(game, "A B A!") == ["A turns 9S", "B turns 9H", "A takes 9S 9H: slap:double", "A wins"]
    assert where(do(game, "A B A!")) == "A has won the game"


def test_a_player_who_slaps_while_another_holds_a_card_has_not_won_yet() -> None:
    game = table("A: 9S | B: 9H 2C")
    assert where(do(game, "A B A!")) == "A plays"


def test_a_house_may_leave_a_pattern_out() -> None:
    game = table("A: 9S 2C | B: 9H 3C", slaps={"double": False})
    assert told(game, "A B A!")[-2:] == ["A slaps wrong", "A burns 2C"]


@pytest.mark.parametrize(("apart_ms", "tied"), [(30, True), (31, False)])
def test_hands_that_come_down_within_the_tie_window_are_tied(apart_ms: int, tied: bool) -> None:
    game = do(table("A: 9S 2C | B: 9H 3C", tie="void", tie_window_ms=30), "A B")
    after, _ = decide(game, Slap((Touch(0, 400), Touch(1, 400 + apart_ms))))
    assert after.voided == tied
