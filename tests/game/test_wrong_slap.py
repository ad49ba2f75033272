"""A wrong slap: it costs a card, or a strike if there is no card to lose; turn and chances stay."""

from __future__ import annotations

from typing import Any

import pytest

from ratscrew.game.commands import Reveal
from ratscrew.game.engine import decide
from tests.game.scene import barred, do, hands, pile, refused, strikes, table, told, where


def test_a_wrong_slap_burns_one_card_to_the_bottom() -> None:
    game = do(table("A: 9S 2C 6H | B: 8H 3C"), "A B A!")
    assert pile(game) == "2C* 9S 8H"
    assert hands(game) == "A: 6H | B: 3C"


def test_a_wrong_slap_is_reported_with_what_it_costs() -> None:
    assert told(table("A: 9S 2C | B: 8H 3C"), "A B!") == ["A turns 9S", "B slaps wrong", "B burns 8H"]


def test_two_burned_cards_go_one_by_one_to_the_very_bottom() -> None:
    two = {"kind": "burn", "count": 2, "place": "bottom"}
    game = table("A: 9S 2C 6H 7D | B: 8H 3C", wrong_slap=two)
    assert pile(do(game, "A B A!")) == "6H* 2C* 9S 8H"
    assert told(game, "A B A!")[-1] == "A burns 2C 6H"


def test_a_later_burned_card_goes_under_an_earlier_one() -> None:
    game = do(table("A: 9S 2C | B: 8H 3C | C: 4C 6C"), "A B A! C!")
    assert pile(game) == "4C* 2C* 9S 8H"
    assert where(game) == "C plays"


def test_a_player_who_has_fewer_cards_burns_what_they_have() -> None:
    three = {"kind": "burn", "count": 3, "place": "bottom"}
    game = do(table("A: 9S 2C 6H | B: 8H 3C", wrong_slap=three), "A A!")
    assert pile(game) == "6H* 2C* 9S"
    assert hands(game) == "A: | B: 8H 3C"


def test_a_wrong_slap_moves_no_turn() -> None:
    game = table("A: 9S 2C 4D | B: 8H 3C | C: 5C 7H")
    assert where(do(game, "A A!")) == "B plays"
    assert where(do(game, "A B!")) == "B plays"
    assert where(do(game, "A C!")) == "B plays"


def test_a_wrong_slap_changes_no_challenge_and_no_chances() -> None:
    game = do(table("A: QS 2C | B: 4H JD 6D | C: 8C 9S"), "A B C!")
    assert where(game) == "B answers A, 1 left"
    after = do(game, "B")
    assert pile(after) == "8C* QS 4H JD"
    assert where(after) == "C answers B, 1 left"


def test_a_player_who_answers_may_burn_the_card_they_would_have_to_turn() -> None:
    game = do(table("A: JS 2C | B: 4H KD 6D"), "A B! B")
    assert pile(game) == "4H* JS KD"
    assert where(game) == "A answers B, 3 left"


def test_a_burned_card_is_no_partner_for_a_double() -> None:
    game = do(table("A: 9S 2C | B: 9H 3C"), "A B!")
    assert pile(game) == "9H* 9S"
    assert told(game, "A!")[0] == "A slaps wrong"


def test_a_burned_card_is_no_partner_for_a_sandwich() -> None:
    game = do(table("A: 7D 2C | B: 5H 5S 3C"), "A B! B")
    assert pile(game) == "5H* 7D 5S"
    assert told(game, "A!")[0] == "A slaps wrong"


def test_a_burned_card_challenges_nobody() -> None:
    game = do(table("A: 9S 2C | B: KH 3C"), "A B!")
    assert where(game) == "B plays"
    assert pile(do(game, "B")) == "KH* 9S 3C"


def test_every_wrong_hand_on_one_card_pays() -> None:
    game = table("A: 9S 2C 5D | B: 8H 3C")
    assert told(game, "A A! B!")[1:] == ["A slaps wrong", "A burns 2C", "B slaps wrong", "B burns 8H"]


def test_a_player_who_slaps_wrong_twice_pays_twice() -> None:
    game = do(table("A: 9S 2C 5D 6C | B: 8H 3C"), "A A! A!")
    assert pile(game) == "5D* 2C* 9S"


def test_a_player_who_burns_their_last_card_in_turn_is_passed_over() -> None:
    game = do(table("A: 9S 2C | B: 8H | C: 5C"), "A B!")
    assert pile(game) == "8H* 9S"
    assert where(game) == "C plays"


def test_a_player_who_burns_their_last_card_out_of_turn_moves_no_turn() -> None:
    game = do(table("A: 9S 2C | B: 8H 3D | C: 5C"), "A C!")
    assert where(game) == "B plays"
    assert where(do(game, "B")) == "A plays"


def test_a_player_who_burns_their_last_card_under_a_challenge_passes_every_chance_on() -> None:
    game = do(table("A: KS 2C | B: 4H | C: 5C JH 6D"), "A B!")
    assert pile(game) == "4H* KS"
    assert where(game) == "C answers A, 3 left"
    after = do(game, "C C")
    assert pile(after) == "4H* KS 5C JH"
    assert where(after) == "A answers C, 1 left"


def test_a_player_who_burns_their_last_card_after_some_answers_passes_on_the_chances_left() -> None:
    game = do(table("A: AS 2C | B: 4H 6H | C: 5C JH"), "A B B!")
    assert where(game) == "C answers A, 3 left"


def test_when_the_last_player_who_could_answer_burns_their_last_card_the_challenger_has_won_the_pile() -> None:
    game = do(table("A: KS 2C | B: 4H | C:"), "A B!")
    assert where(game) == "A has won the pile: challenge"
    assert told(game, "take") == ["A takes 4H KS: challenge", "A wins"]


def test_a_challenger_who_burns_their_last_card_stays_challenger() -> None:
    game = do(table("A: KS 2C | B: 4H 5H 6H 7D"), "A A!")
    assert where(game) == "B answers A, 3 left"
    assert hands(do(game, "B B B take")) == "A: 2C KS 4H 5H 6H | B: 7D"


def test_a_player_who_has_burned_their_last_card_may_slap_in() -> None:
    game = do(table("A: 9S 5H 7H | B: 8H | C: 5C 3D"), "A B! C A B!")
    assert hands(game) == "A: 7H | B: 8H 9S 5C 5H | C: 3D"
    assert where(game) == "B plays"


def test_when_the_last_card_of_all_is_burned_who_turned_last_takes_the_pile() -> None:
    game = do(table("A: 9S | B: 8H"), "A B!")
    assert where(game) == "A has won the pile: stalemate"
    assert told(game, "take") == ["A takes 8H 9S: stalemate", "A wins"]


def test_a_wrong_slap_while_the_pile_waits_costs_a_card_that_goes_along() -> None:
    game = table("A: JS 2C 4C | B: 3H 5D")
    assert told(game, "A B A! take")[2:] == ["A slaps wrong", "A burns 2C", "A takes 2C JS 3H: challenge"]
    assert hands(do(game, "A B A! take")) == "A: 4C 2C JS 3H | B: 5D"


def test_a_wrong_slap_with_the_last_card_while_the_pile_waits_leaves_the_pile_won() -> None:
    game = do(table("A: JS 2C | B: 3H 5D"), "A B A! B!")
    assert where(game) == "A has won the pile: challenge"
    assert pile(game) == "5D* 2C* JS 3H"


def test_a_risk_slap_on_the_bare_challenge_card_is_wrong() -> None:
    game = do(table("A: JS 2C 4C | B: 3H 5D"), "A A! B take")
    assert hands(game) == "A: 4C 2C JS 3H | B: 5D"


def test_a_player_who_has_no_cards_has_a_strike_for_a_wrong_slap() -> None:
    game = table("A: 2S 4S | B: 7D 4D | C:")
    assert told(game, "A C!")[1:] == ["C slaps wrong", "C has strike 1"]
    assert pile(do(game, "A C!")) == "2S"


def test_with_the_third_strike_a_player_is_barred() -> None:
    game = table("A: 2S 4S 9C | B: 7D 4D 8C | C:")
    after = do(game, "A C! B C! A")
    assert told(after, "C!") == ["C slaps wrong", "C has strike 3", "C is barred"]
    after = do(after, "C! B")
    assert refused(after, "C!") == "locked_out"
    assert told(after, "B!") == ["B takes 2S 7D 4S 4D: slap:double"]


def test_with_two_strikes_a_player_may_still_slap_in() -> None:
    game = do(table("A: 2S 4S 9C | B: 7D 4D 8C | C:"), "A C! C! B A B C!")
    assert hands(game) == "A: 9C | B: 8C | C: 2S 7D 4S 4D"


def test_strikes_are_counted_for_each_player() -> None:
    game = do(table("A: 2S 4S | B: 7D 4D | C: | D:"), "A C! C! D!")
    assert strikes(game) == (0, 0, 2, 1)
    assert barred(game) == (False, False, False, False)


def test_strikes_stay_when_a_player_has_slapped_in() -> None:
    game = do(table("A: 2S 9C | B: 2D 8C | C:"), "A C! B C!")
    assert strikes(game) == (0, 0, 1)
    assert told(game, "C B!")[1:] == ["B slaps wrong", "B burns 8C"]


@pytest.mark.parametrize("limit", [1, 2, 5])
def test_a_house_may_have_another_number_of_strikes(limit: int) -> None:
    game = table("A: 2S 4S | B: 7D 4D | C:", no_cards={"kind": "strikes", "limit": limit})
    after = do(game, "A" + " C!" * limit)
    assert barred(after) == (False, False, True)
    assert barred(do(game, "A" + " C!" * (limit - 1))) == (False, False, False)
    assert refused(after, "C!") == "locked_out"


def test_a_player_who_has_cards_has_no_strikes() -> None:
    game = do(table("A: 9S 2C 5D | B: 8H 3C"), "A A! B!")
    assert strikes(game) == (0, 0)


def test_a_player_who_is_barred_may_not_slap_a_waiting_pile_either() -> None:
    game = do(table("A: JS 2C | B: 3H 5D | C:", no_cards={"kind": "strikes", "limit": 1}), "A C! B")
    assert where(game) == "A has won the pile: challenge"
    assert refused(game, "C!") == "locked_out"


@pytest.mark.parametrize("to", ["everybody", "last_player"])
def test_a_player_who_is_out_of_the_game_is_given_nothing(to: str) -> None:
    hands = "A: 9S 2C 3D 4H 5D 6C | B: 8H 3C 5S 7S | C: TH 4S 6S"
    game = table(hands, turn="C", wrong_slap={"kind": "give", "to": to}, max_streak=1)
    after = do(game, "C A! A A! B!")
    assert after.seat_states[0].out
    assert after.last == 0
    assert after.cards_held(0) == 0
    assert where(do(after, "B C")) == "B plays"


THROWN_OUT: dict[str, Any] = {
    "max_streak": 1,
    "slaps": {"double": False, "sandwich": False, "triple": True},
    "wrong_slap": {"kind": "none"},
}


@pytest.mark.parametrize(
    ("direction", "leader"),
    [("cw", "D"), ("ccw", "B")],
)
def test_when_the_winner_of_a_pile_is_thrown_out_the_next_in_play_leads(direction: str, leader: str) -> None:
    """C has won by a jack and slaps wrongly on a second card: neither A, the first seat, nor the answerer leads."""
    options = {**THROWN_OUT, "direction": direction}
    game = table("A: 2S 3S | B: 4H 5H | C: JC 6C | D: 7D 8D", turn="C", **options)
    answers = {"cw": "D", "ccw": "B"}[direction]
    after = do(game, f"C C! {answers} C!")
    assert after.seat_states[2].out
    assert where(after) == f"{leader} plays"


def test_the_next_in_play_after_a_winner_who_is_thrown_out_holds_cards() -> None:
    game = do(table("A: 2S 3S | B: 4H 5H | C: JC 6C | D: 7D", turn="C", **THROWN_OUT), "C C! D C!")
    assert where(game) == "A plays"


@pytest.mark.parametrize(
    ("script", "last"),
    [
        ("C C! D C!", "D"),  # D's only card answers C's jack
        ("C C! D D! C! D!", "D"),  # D, who is without cards, has slapped at both cards too, and is out as well
    ],
)
def test_a_player_who_is_thrown_out_does_not_win_the_pile_though_nobody_holds_a_card(script: str, last: str) -> None:
    """C burns its last card when it is thrown out. Then it is as where nobody holds a card: the last player's pile."""
    game = do(table("A: | B: | C: JC 6C | D: 7D", turn="C", **THROWN_OUT), script)
    assert game.seat_states[2].out
    heir = "A" if game.seat_states[3].out else last
    assert where(game) == f"{heir} has won the pile: stalemate"
    assert told(game, "take") == [f"{heir} takes 6C JC 7D: stalemate", f"{heir} wins"]


def test_a_player_who_is_thrown_out_at_their_own_last_chance_does_not_win() -> None:
    """A holds everything and has two last cards to turn, and slaps at both, wrongly."""
    options = {**THROWN_OUT, "last_chance": 2, "last_chance_who": "anyone"}
    game = do(table("A: JS 2C 3C 4C | B: 7H | C:", **options), "A B take")
    assert game.standing.phase == "last_chance"
    after = do(game, "A A! A A!")
    assert after.seat_states[0].out
    assert where(after) == "B has won the pile: stalemate"


def test_everybody_is_given_a_card_in_the_order_of_play() -> None:
    """C has two cards for three players: D and A get them, the next ones after C; the other way round B and A."""
    everybody = {"kind": "give", "to": "everybody"}
    for direction, after in (("cw", "A: 2S TC | B: 3H | C: | D: 4D 9C"), ("ccw", "A: 2S TC | B: 3H 9C | C: | D: 4D")):
        game = table("A: 6S 2S | B: 3H | C: 9C TC | D: 4D", wrong_slap=everybody, direction=direction)
        assert hands(do(game, "A C!")) == after


def test_a_player_who_is_out_of_the_game_loses_their_cards_aside_too() -> None:
    game = table("A: 9S 2C 3D 4H 5D | B: 8H 3C | C: TH 4S", turn="B", max_streak=1, out_of_turn="aside")
    after = do(decide(game, Reveal(0))[0], "B A! C A!")
    assert pile(after) == "5D* 4H* 9S* 3D* 2C* 8H TH"
    assert after.cards_held(0) == 0
