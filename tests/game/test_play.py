"""Turning cards: whose turn it is, and what the pile and the hands become."""

from __future__ import annotations

from tests.game.scene import do, hands, pile, refused, table, told, where


def test_a_card_is_turned_from_the_top_of_the_hand_onto_the_top_of_the_pile() -> None:
    game = do(table("A: 9S 2C | B: 8H 3C"), "A B")
    assert hands(game) == "A: 2C | B: 3C"
    assert pile(game) == "9S 8H"


def test_after_a_number_card_the_next_seat_plays() -> None:
    game = table("A: 5S 2C | B: 6D 3C | C: 7C 4D")
    assert [where(do(game, script)) for script in ("", "A", "A B", "A B C")] == [
        "A plays",
        "B plays",
        "C plays",
        "A plays",
    ]


def test_counter_clockwise_the_seat_before_plays_next() -> None:
    game = do(table("A: 5S 2C | B: 6D | C: 7C", direction="ccw"), "A C")
    assert pile(game) == "5S 7C"
    assert where(game) == "B plays"


def test_a_player_who_has_no_cards_is_passed_over() -> None:
    game = table("A: 5S 2C | B: | C: | D: 7C")
    assert where(do(game, "A")) == "D plays"
    assert where(do(table("A: 5S 2C | B: | C: 8H | D: 7C", direction="ccw", turn="C"), "C")) == "A plays"


def test_a_player_who_turns_their_last_card_is_passed_over_from_then_on() -> None:
    game = do(table("A: 5S | B: 6D 2C 8H | C: 7C 9D"), "A B C")
    assert where(game) == "B plays"


def test_only_the_seat_whose_turn_it_is_may_play() -> None:
    game = table("A: 5S 2C | B: 6D 3C")
    assert refused(game, "B") == "not_your_turn"
    assert refused(do(game, "A"), "A") == "not_your_turn"


def test_a_seat_that_is_not_there_is_refused() -> None:
    game = do(table("A: 5S 2C | B: 6D 3C"), "A")
    assert refused(game, "C") == "not_playing"
    assert refused(game, "C!") == "not_playing"


def test_a_player_who_has_to_answer_is_the_only_one_who_may_play() -> None:
    game = do(table("A: KS 2C | B: 6D 3C | C: 4H"), "A")
    assert refused(game, "A") == "not_your_turn"
    assert refused(game, "C") == "not_your_turn"


def test_nobody_plays_while_a_won_pile_waits() -> None:
    game = do(table("A: JS 2C | B: 6D 3C"), "A B")
    assert where(game) == "A has won the pile: challenge"
    assert refused(game, "A") == "not_your_turn"
    assert refused(game, "B") == "not_your_turn"


def test_nothing_is_accepted_when_the_game_is_over() -> None:
    game = do(table("A: JS 2C | B: 6D"), "A B take")
    assert where(game) == "A has won the game"
    assert [refused(game, word) for word in ("A", "B", "A!", "B!", "C", "C!", "take")] == ["game_over"] * 7


def test_every_turned_card_has_its_number_in_the_game() -> None:
    game = table("A: JS 2C 3C | B: 6D 4H")
    assert [do(game, script).n for script in ("", "A", "A B", "A B take", "A B take A")] == [0, 1, 2, 2, 3]


def test_a_turned_card_is_reported_with_its_player() -> None:
    assert told(table("A: 5S 2C | B: 6D 3C"), "A B") == ["A turns 5S", "B turns 6D"]
