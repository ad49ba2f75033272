"""Challenges: a jack, queen, king or ace gives the next player one, two, three or four chances."""

from __future__ import annotations

import pytest

from tests.game.scene import do, hands, pile, refused, table, told, where


@pytest.mark.parametrize(("card", "chances"), [("JS", 1), ("QH", 2), ("KD", 3), ("AC", 4)])
def test_the_next_player_has_as_many_chances_as_the_card_gives(card: str, chances: int) -> None:
    game = do(table(f"A: {card} 2C | B: 3C 5H 7D 9C TS"), "A")
    assert where(game) == f"B answers A, {chances} left"


@pytest.mark.parametrize("card", ["2C", "9D", "TH"])
def test_a_number_card_is_no_challenge(card: str) -> None:
    assert where(do(table(f"A: {card} 3C | B: 4H"), "A")) == "B plays"


def test_a_player_who_answers_plays_card_after_card_while_they_have_chances() -> None:
    game = table("A: KS 2C | B: 3C 5H 7D 9C | C: 8H")
    assert where(do(game, "A B")) == "B answers A, 2 left"
    assert where(do(game, "A B B")) == "B answers A, 1 left"


def test_a_player_who_misses_with_every_chance_loses_the_pile_to_the_challenger() -> None:
    game = table("A: QS 2C | B: 3C 5H 7D | C: 8H")
    assert where(do(game, "A B B")) == "A has won the pile: challenge"
    assert told(game, "A B B take")[-1] == "A takes QS 3C 5H: challenge"


def test_the_challenger_takes_the_pile_under_their_hand_first_card_first_and_leads() -> None:
    game = do(table("A: 4D QS 2C | B: 9D 3C 5H 7D"), "A B A B B take")
    assert hands(game) == "A: 2C 4D 9D QS 3C 5H | B: 7D"
    assert pile(game) == ""
    assert where(game) == "A plays"


def test_a_challenge_card_among_the_answers_challenges_the_next_player() -> None:
    game = table("A: KS 2C | B: 4H QD | C: 8C 9S TD")
    assert where(do(game, "A B B")) == "C answers B, 2 left"
    assert where(do(game, "A B B C C")) == "B has won the pile: challenge"


def test_a_challenge_is_answered_on_the_last_chance() -> None:
    game = do(table("A: QS 2C | B: 4H JD 6D | C: 8C 9S"), "A B B")
    assert where(game) == "C answers B, 1 left"


def test_of_two_players_the_challenged_may_challenge_back() -> None:
    game = do(table("A: KS 2C 3D | B: 4H AD 6D"), "A B B")
    assert where(game) == "A answers B, 4 left"


def test_after_king_ace_and_jack_the_player_of_the_jack_takes_it_all() -> None:
    game = table("A: KS 2C | B: 3H 5D AC 9S | C: JH 7C | D: 8D 4C")
    assert told(game, "A B B B C D take")[-1] == "C takes KS 3H 5D AC JH 8D: challenge"


def test_counter_clockwise_the_seat_before_has_to_answer() -> None:
    game = do(table("A: KS 2C | B: 3H | C: 5D 7C", direction="ccw"), "A")
    assert where(game) == "C answers A, 3 left"


def test_the_next_player_with_cards_has_to_answer() -> None:
    game = do(table("A: KS 2C | B: | C: | D: 5D 7C"), "A")
    assert where(game) == "D answers A, 3 left"


def test_a_player_who_runs_out_passes_the_chances_left_to_the_next_player() -> None:
    game = table("A: KS 2C | B: 4H | C: 8C 6D 9S")
    assert where(do(game, "A B")) == "C answers A, 2 left"
    after = do(game, "A B C C take")
    assert hands(after) == "A: 2C KS 4H 8C 6D | B: | C: 9S"
    assert where(after) == "A plays"


def test_the_chances_left_pass_over_empty_hands() -> None:
    game = do(table("A: AS 2C | B: 4H | C: | D: 8C 6D"), "A B")
    assert where(game) == "D answers A, 3 left"


def test_the_chances_left_pass_from_player_to_player() -> None:
    game = do(table("A: AS 2C | B: 4H | C: 9D | D: 8C 6D"), "A B C")
    assert where(game) == "D answers A, 2 left"


def test_the_chances_left_pass_over_the_end_of_the_row_of_seats() -> None:
    game = table("A: 9C 3D | B: AS 2C | C: 4H | D: 5H", turn="B")
    assert where(do(game, "B C D")) == "A answers B, 2 left"


def test_a_challenger_never_answers_their_own_card() -> None:
    game = do(table("A: AS 2C 5D | B: 4H | C:"), "A B")
    assert where(game) == "A has won the pile: challenge"
    assert where(do(table("A: 9H | B: AS 2C 5D | C: 4H", turn="B"), "B C A")) == "B has won the pile: challenge"


def test_chances_never_pass_beyond_the_challenger() -> None:
    game = do(table("A: | B: AS 2C | C: 4H | D: 3H", turn="B", direction="ccw"), "B D C")
    assert where(game) == "B has won the pile: challenge"


def test_a_challenger_without_cards_stays_challenger_and_takes_the_pile() -> None:
    game = table("A: KS | B: 4H 5D 6C 8H | C: 9D 2C")
    assert where(do(game, "A")) == "B answers A, 3 left"
    after = do(game, "A B B B take")
    assert hands(after) == "A: KS 4H 5D 6C | B: 8H | C: 9D 2C"
    assert where(after) == "A plays"


def test_a_player_who_answers_with_their_last_card_a_challenge_card_is_the_challenger() -> None:
    game = do(table("A: KS 5C | B: JH | C: 9D 2C"), "A B")
    assert where(game) == "C answers B, 1 left"
    assert hands(do(game, "C take")) == "A: 5C | B: KS JH 9D | C: 2C"


def test_the_last_chance_missed_with_the_last_card_is_missed() -> None:
    game = do(table("A: JS 2C | B: 4H | C: 9D 8C"), "A B")
    assert where(game) == "A has won the pile: challenge"


def test_a_challenge_that_nobody_can_answer_is_won_at_once() -> None:
    game = do(table("A: KS 2C | B: | C:"), "A")
    assert where(game) == "A has won the pile: challenge"
    assert where(do(table("A: KS | B: | C:"), "A")) == "A has won the pile: challenge"


def test_an_answer_that_nobody_can_answer_wins_the_pile() -> None:
    game = do(table("A: KS | B: 4H JD 2C"), "A B B")
    assert where(game) == "B has won the pile: challenge"


def test_a_house_may_give_other_chances() -> None:
    chances = {"Q": 0, "T": 5, "QS": 9, "JK": 13}
    assert where(do(table("A: TS 2C | B: 4H", chances=chances), "A")) == "B answers A, 5 left"
    assert where(do(table("A: QS 2C | B: 4H", chances=chances), "A")) == "B answers A, 9 left"
    assert where(do(table("A: QH 2C | B: 4H", chances=chances), "A")) == "B plays"
    assert where(do(table("A: JKR 2C | B: 4H", chances=chances), "A")) == "B answers A, 13 left"


def test_a_joker_is_a_miss_like_any_number_card() -> None:
    game = do(table("A: QS 2C | B: JKR 4H 5D"), "A B")
    assert where(game) == "B answers A, 1 left"


def test_a_player_who_answers_may_not_stop_while_they_have_chances() -> None:
    game = do(table("A: KS 2C | B: 4H 5D 6C | C: 9D"), "A B")
    assert refused(game, "C") == "not_your_turn"
    assert refused(game, "take") == "nothing_to_take"
