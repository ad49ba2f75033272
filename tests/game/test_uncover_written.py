"""A slap at what lay under the newest card, as it is written: in a game's text, and in worked examples."""

from __future__ import annotations

import pytest

from ratscrew.errors import NotationError
from ratscrew.game.engine import replay
from ratscrew.game.notation import read_game, write_game
from ratscrew.game.referee import differences
from ratscrew.game.referee import read as read_example
from tests.game.scene import hands

WORDS = {
    "the pile without the card": ("", "1_!double"),
    "two hands": ("", "2,1_!double"),
    "a wrong slap": ("", "1:2C 2_?KC"),
    "two wrong slaps": ("", "1:2C 2,3_?KC,8D"),
    "the one with more fingers on it": (";tie=contact", "1,2'_!double"),
    "nobody can tell": (";tie=void", "1,3_~ 3:8D"),
    "one comes later than the tie": (";tie=void;tie_window_ms=30", "1,3|2_~"),
    "the first alone": (";tie=void;tie_window_ms=30", "1|3,2_!double"),
    "the judge of the house": (";tie=judge", "1,3_~ 3^"),
    "a claim": (";judge=honour", "2_! 1- +"),
    "a newcomer": (";join_seat=choose", "* 4&1_!double"),
    "a shuffled pile": (";pickup=shuffle", "1_!double=9H,9S"),
}


@pytest.mark.parametrize("what", WORDS)
def test_it_is_written_and_reads_back(what: str) -> None:
    choices, moves = WORDS[what]
    dealt = "hand 1 9S 2C 4H\nhand 2 9H KC 3D\nhand 3 5C 8D"
    written = f"ratscrew 1\nhouse 1;classic{choices}\n{dealt}\nlead 1\n1:9S 2:9H 3:5C {moves}\n"
    assert write_game(read_game(written).events) == written


def test_a_slap_that_ends_the_game_reads_back() -> None:
    dealt = "hand 1 6S 2C\nhand 2 6H KC\nhand 3 6D 3D"
    written = f"ratscrew 1\nhouse 1;classic;slaps.triple=win\n{dealt}\nlead 1\n1:6S 2:6H 3:6D 1:2C 2_!triple 2#\n"
    log = read_game(written).events
    assert write_game(log) == written
    assert hands(replay(log)) == "A: 2C | B: KC | C: 3D"


def test_a_hand_that_had_to_be_withdrawn_from_the_card_below_reads_back() -> None:
    choices = "tie=void;tie_window_ms=30;withdraw_ms=150"
    dealt = "hand 1 9S 2C\nhand 2 9H KC\nhand 3 5C 3D"
    moves = "1:9S 2@5000:9H 3:5C 2|1_!double"
    written = f"ratscrew 1\nhouse 1;classic;{choices}\n{dealt}\nlead 1\n{moves}\n"
    assert write_game(read_game(written).events) == written


@pytest.mark.parametrize(
    ("moves", "says"),
    [
        ("1:9S 1_!", "this cannot be done here (too_late)"),
        ("1:9S 2:9H 1:2C 2_?", "here it is 2_!double"),
        ("1:9S 2:9H 1:2C _!", "is no seat"),
        ("1_:9S", "'1_' is no seat"),
    ],
)
def test_impossible_values_are_reported(moves: str, says: str) -> None:
    with pytest.raises(NotationError) as caught:
        read_game(f"ratscrew 1\nhand 1 9S 2C\nhand 2 9H 3C\nlead 1\n{moves}")
    assert says in str(caught.value)


def test_a_worked_example_says_so_too() -> None:
    value = {
        "kind": "scenario",
        "players": [{"name": who, "deck": deck} for who, deck in (("A", "9S 2C"), ("B", "9H 3C"), ("C", "4D 8C"))],
        "actions": [
            *({"do": "play", "p": who} for who in "ABC"),
            {"do": "slaps", "under": True, "slaps": [{"p": "B"}, {"p": "A"}]},
            {"do": "slap", "under": True, "p": "A"},
        ],
        "expect": {
            "events": [["withdrawn", "C", "4D"], ["take", "B", 2, "slap:double"], ["ignored", "A", "too_late"]],
            "state": {"turn": "B", "pile": "", "decks": {"A": "2C", "B": "3C 9S 9H", "C": "8C 4D"}},
        },
    }
    assert differences(read_example(value)) == []
