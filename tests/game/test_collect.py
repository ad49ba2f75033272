"""A won pile, and the last cards: playing on alone, taking a pile that nobody can answer, and winning."""

from __future__ import annotations

import pytest

from ratscrew.game.commands import Collect, Contest
from ratscrew.game.engine import decide
from tests.game.scene import do, hands, pile, read, refused, table, told, where


def test_a_won_pile_waits_until_it_is_taken() -> None:
    game = do(table("A: JS 2C | B: 6D 3C"), "A B")
    assert pile(game) == "JS 6D"
    assert where(game) == "A has won the pile: challenge"
    after = do(game, "take")
    assert pile(after) == ""
    assert where(after) == "A plays"


def test_a_pile_that_nobody_has_won_is_not_taken() -> None:
    game = table("A: KS 2C | B: 6D 3C")
    assert refused(game, "take") == "nothing_to_take"
    assert refused(do(game, "A"), "take") == "nothing_to_take"
    assert refused(do(game, "A B"), "take") == "nothing_to_take"


def test_a_pile_is_taken_once() -> None:
    assert refused(do(table("A: JS 2C | B: 6D 3C"), "A B take"), "take") == "nothing_to_take"


def test_the_only_player_with_cards_plays_on_alone() -> None:
    game = table("A: 5S | B: 9D 8H 2C | C:")
    assert where(do(game, "A B")) == "B plays"
    assert where(do(game, "A B B")) == "B plays"


def test_a_player_who_plays_on_alone_wins_everything_with_a_challenge_card() -> None:
    game = table("A: 5S | B: 9D KH 2C")
    assert where(do(game, "A B B")) == "B has won the pile: challenge"
    assert told(game, "A B B take")[-2:] == ["B takes 5S 9D KH: challenge", "B wins"]


def test_a_player_who_plays_on_alone_can_be_slapped() -> None:
    game = do(table("A: 5S | B: 9D 9H KC"), "A B B A!")
    assert hands(game) == "A: 5S 9D 9H | B: KC"


def test_when_nobody_has_a_card_who_turned_the_last_takes_the_pile() -> None:
    game = table("A: 5S | B: 9D")
    assert where(do(game, "A B")) == "B has won the pile: stalemate"
    assert told(game, "A B take")[-2:] == ["B takes 5S 9D: stalemate", "B wins"]


def test_nobody_takes_by_hand_what_the_house_gives_to_nobody() -> None:
    drawn = do(table("A: 5S | B: 9D", stalemate="draw"), "A B take")
    assert (drawn.over, drawn.winner, pile(drawn)) == (True, None, "5S 9D")
    stale = do(table("A: 5S | B: 9D", stalemate="redeal"), "A B")
    dealt, _ = decide(stale, Collect(1), lambda n: 0)
    assert (pile(dealt), [len(hand) for hand in dealt.hands]) == ("", [1, 1])
    assert where(dealt) == "A plays"


@pytest.mark.parametrize(("direction", "counts", "leader"), [("cw", [1, 2, 1], "B"), ("ccw", [1, 1, 2], "C")])
def test_cards_are_dealt_anew_beginning_after_the_player_of_the_last_card(
    direction: str, counts: list[int], leader: str
) -> None:
    """A has turned two cards and the last one: four cards for three players, of whom the next after A gets two."""
    script = {"cw": "A B C A take", "ccw": "A C B A take"}[direction]
    game = table("A: 5S 7S | B: 9D | C: 3H", stalemate="redeal", direction=direction)
    for word in script.split():
        game, _ = decide(game, read(word), lambda n: 0)
    assert [len(hand) for hand in game.hands] == counts
    assert where(game) == f"{leader} plays"


@pytest.mark.parametrize(
    ("direction", "cards"), [("cw", "A: 2S TC | B: 3H | C: | D: 4D 9C"), ("ccw", "A: 2S | B: 3H 9C | C: | D: 4D TC")]
)
def test_a_player_who_contests_a_false_claim_is_given_a_card_in_the_order_of_play(direction: str, cards: str) -> None:
    """C claims wrongly with two cards; A and D contest, or B and D. The next after C is served first."""
    game = do(table("A: 6S 2S | B: 3H | C: 9C TC | D: 4D", judge="honour", direction=direction), "A C!")
    for seat in {"cw": (0, 3), "ccw": (3, 1)}[direction]:
        game, _ = decide(game, Contest(seat))
    assert hands(do(game, "take")) == cards


def test_a_player_who_plays_on_alone_to_their_last_card_takes_the_pile() -> None:
    game = table("A: 5S | B: 9D 8H | C:")
    assert where(do(game, "A B B")) == "B has won the pile: stalemate"


def test_a_stalemate_can_still_be_slapped() -> None:
    game = do(table("A: 5S | B: 5D"), "A B")
    assert where(game) == "B has won the pile: stalemate"
    assert told(game, "A!") == ["A takes 5S 5D: slap:double", "A wins"]


def test_a_wrong_slap_in_a_stalemate_is_a_strike() -> None:
    game = do(table("A: 5S | B: 9D"), "A B")
    assert told(game, "A!") == ["A slaps wrong", "A has strike 1"]
    assert where(do(game, "A!")) == "B has won the pile: stalemate"


def test_with_the_last_card_of_all_a_missed_challenge_is_won_by_the_challenger() -> None:
    game = do(table("A: KS | B: 9D"), "A B")
    assert where(game) == "A has won the pile: challenge"


def test_a_player_who_holds_every_card_has_won() -> None:
    game = table("A: JS 2C | B: 6D")
    assert told(game, "A B take") == ["A turns JS", "B turns 6D", "A takes JS 6D: challenge", "A wins"]
    after = do(game, "A B take")
    assert after.winner == 0
    assert hands(after) == "A: 2C JS 6D | B:"


def test_a_game_that_goes_on_has_no_winner() -> None:
    game = table("A: JS 2C | B: 6D 3C")
    assert [do(game, script).winner for script in ("", "A B", "A B take")] == [None, None, None]


def test_a_player_who_takes_a_pile_while_another_holds_a_card_has_not_won() -> None:
    game = table("A: JS 2C | B: 6D | C: 4D")
    assert told(game, "A B take")[-1] == "A takes JS 6D: challenge"
    assert where(do(game, "A B take")) == "A plays"
