"""A whole game as text: what is written reads back, a move a word and a pile a line."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from ratscrew.cards import cards
from ratscrew.errors import Refusal
from ratscrew.game.commands import Command
from ratscrew.game.engine import deal_out, decide, replay
from ratscrew.game.events import Dealt, Event
from ratscrew.game.infer_commands import infer_command
from ratscrew.game.moves import SIGNS, command_of, move_of
from ratscrew.game.notation import read_game, write_game
from ratscrew.game.state import Game
from ratscrew.rules.presets import PRESETS, house
from ratscrew.testing.strategies import commands, games, histories
from tests.game.scene import hands, tell, where

NAMES = st.lists(st.one_of(st.text(max_size=8), st.sampled_from(["Ana", "1", "hand"])), min_size=8, max_size=8)

GAME = """\
ratscrew 1
house 1;classic
name 1 Ana
name 2 Thoth
hand 1 9S 2C 4H
hand 2 9H KC 3D
lead 1
1:9S 2:9H 1!double
1:2C 2:KC 2?3D 1:4H
"""

HANDS = "ratscrew 1\nhand 1 9S 2C 4H\nhand 2 9H KC 3D\nlead 1\n"


def test_a_game_is_written_line_by_line_a_pile_a_line() -> None:
    assert write_game(read_game(GAME).events, ["Ana", "Thoth"]) == GAME


def test_a_game_that_is_read_can_be_played() -> None:
    names, events = read_game(GAME)
    game = replay(events)
    assert names == ("Ana", "Thoth")
    assert hands(game) == "A: 9S 9H | B:"
    assert where(game) == "A answers B, 2 left"
    assert tell(replay(events[:1]), events[1:]) == [
        "A turns 9S",
        "B turns 9H",
        "A takes 9S 9H: slap:double",
        "A turns 2C",
        "B turns KC",
        "B slaps wrong",
        "B burns 3D",
        "A turns 4H",
    ]


MOVES = {
    "a pile that was won is taken": ("", "1:JS 2:9H 1+\n1:2C"),
    "a wrong slap burns a card": ("", "1:JS 2:9H 1?2C 1+"),
    "a wrong slap without cards is a strike": ("", "1:JS 3? 3? 3? 2:9H 1+"),
    "two burned cards are written together": (";wrong_slap.count=2", "1:JS 1?2C,4H 2:9H"),
    "two wrong slaps of one moment": ("", "1:JS 2,1?9H,2C"),
    "a card given away is written like a burned one": (";wrong_slap.kind=give;wrong_slap.to=last_player", "1:JS 2?9H"),
    "a card out of turn is shown": (";out_of_turn=aside", "1:JS 1;2C 2:9H"),
    "a card out of turn lies dead, and costs another": (";out_of_turn=dead;out_of_turn_burn=1", "1:JS 1;2C,4H 2:9H"),
    "a claim, a doubt, and the time that is up": (";judge=honour", "1:JS 2! 1- + 2:KC"),
    "a claim to a pile that was won": (";judge=honour", "1:JS 2:9H 1+ +\n1:2C"),
    "a cheat who is seen": (";collect=manual;cheat=split", "1:JS 2+\n$ 2:9H"),
    "a cheat who is seen late": (";collect=manual;cheat=split", "1:JS 2+\n2. 2:9H $ 1> 1:2C"),
    "the other half": (";collect=manual;cheat=split", "1:JS 2+\n2. 2:9H $ 1< 1:2C"),
    "a forehead is touched before the slap": (";redneck=all", '1:JS 2" 2?9H'),
    "a hovering hand is taken away": (";hover=slap_down", "1:JS 1( 1)"),
    "a hovering hand is slapped down": (";hover=slap_down", "1:JS 1( 2\\1?2C"),
    "a hovering hand is slapped down over nothing": (";hover=slap_down", "1( 2\\1 1:JS"),
    "feints": ("", "1{ 2} 1:JS"),
    "somebody comes to the table": ("", "* 1:JS 4?"),
    "a time, where the house has a rule about it": (";withdraw_ms=150", "1@1200:JS 2@2300:9H 1+"),
}


@pytest.mark.parametrize("what", MOVES)
def test_every_kind_of_move_reads_back(what: str) -> None:
    choices, moves = MOVES[what]
    written = f"ratscrew 1\nhouse 1;classic{choices}\nhand 1 JS 2C 4H\nhand 2 9H KC 3D\nhand 3\nlead 1\n{moves}\n"
    assert write_game(read_game(written).events) == written


PAIRS = {
    "the first takes it": ("", "2,1!double"),
    "the one with more fingers on it takes it": (";tie=contact", "1,2'!double"),
    "nobody can tell": (";tie=void", "1,3~"),
    "who comes later is not in the tie": (";tie=void;tie_window_ms=30", "1,3|2~"),
    "who comes first alone takes it": (";tie=void;tie_window_ms=30", "1|3,2!double"),
    "the judge of the house names another": (";tie=judge", "1,3~ 3^"),
    "a newcomer sits where he likes": (";join_seat=choose", "* 4&1!double"),
    "what was picked up is shuffled": (";pickup=shuffle", "1!double=9H,9S"),
}


@pytest.mark.parametrize("what", PAIRS)
def test_every_kind_of_slap_reads_back(what: str) -> None:
    choices, moves = PAIRS[what]
    hands = "hand 1 9S 2C 4H\nhand 2 9H KC 3D\nhand 3 5C"
    written = f"ratscrew 1\nhouse 1;classic{choices}\n{hands}\nlead 1\n1:9S 2:9H {moves}\n"
    assert write_game(read_game(written).events) == written


def test_a_newcomer_sits_behind_the_seat_that_is_written() -> None:
    hands = "hand 1 9S 2C\nhand 2 9H KC\nhand 3 5C"
    written = f"ratscrew 1\nhouse 1;classic;join_seat=choose\n{hands}\nlead 1\n1: 2: * 4&1!"
    assert replay(read_game(written).events).circle == (0, 3, 1, 2)


def test_a_redeal_is_written_as_the_deck_lay() -> None:
    house_line = "house 1;classic;stalemate=redeal"
    written = f"ratscrew 1\n{house_line}\nhand 1 5S 3H\nhand 2 9D\nlead 1\n1:5S 2:9D 1:3H +=9D,3H,5S\n2:5S\n"
    log = read_game(written).events
    assert write_game(log) == written
    assert hands(replay(log[:-1])) == "A: 3H | B: 5S 9D"


def test_cards_that_could_not_be_dealt_evenly_are_written() -> None:
    written = "ratscrew 1\nhouse 1;classic;remainder=pile\nhand 1 5S\nhand 2 9D\npile 7C\nlead 1\n1:5S\n"
    log = read_game(written).events
    assert write_game(log) == written
    assert [laid.state for laid in replay(log).pile] == ["dead", "live"]


@pytest.mark.parametrize("sign", SIGNS)
def test_a_sign_is_one_command(sign: str) -> None:
    game = replay(read_game(HANDS).events)
    others = {repr(command_of(game, f"2{other}")) for other in SIGNS if other != sign}
    assert repr(command_of(game, f"2{sign}")) not in others


def test_a_card_that_lies_aside_may_be_laid_for_its_owner() -> None:
    aside = "ratscrew 1\nhouse 1;classic;out_of_turn=aside\nhand 1 9S 2C\nhand 2 8H KC\nlead 1\n1: 1;2C 2: "
    assert read_game(aside + "2/1:2C") == read_game(aside + "1:2C")


def test_a_game_that_is_over_says_who_has_every_card() -> None:
    written = "ratscrew 1\nhouse 1;classic\nhand 1 JS\nhand 2 9H\nlead 1\n1:JS 2:9H 1+ 1#\n"
    assert write_game(read_game(written).events) == written
    assert replay(read_game(written).events).winner == 0
    assert read_game(written.replace(" 1#\n", "")) == read_game(written)


@pytest.mark.parametrize(
    ("choices", "moves"),
    [
        (";slaps.triple=win", "1:6S 2:6H 3:6D 2!triple 2#"),
        (";slaps.triple_six=all_lose", "1:6S 2:6H 3:6D 2!triple_six #"),
    ],
)
def test_a_slap_may_end_the_game(choices: str, moves: str) -> None:
    cards = "hand 1 6S 2C\nhand 2 6H KC\nhand 3 6D 3D"
    written = f"ratscrew 1\nhouse 1;classic{choices}\n{cards}\nlead 1\n{moves}\n"
    assert write_game(read_game(written).events) == written


def test_a_move_may_leave_out_what_follows_from_the_cards() -> None:
    assert read_game(HANDS + "1: 2: 1! 1: 2: 2? 1:") == read_game(HANDS + "1:9S 2:9H 1!double 1:2C 2:KC 2?3D 1:4H")


def test_a_house_is_written_as_the_text_of_its_link() -> None:
    log = [deal_out(house(max_players=4, slaps={"double": False}), cards("9S 2C"), 2, 0)]
    assert write_game(log).splitlines()[1] == "house 1;classic;max_players=4;slaps.double=off"
    assert read_game(write_game(log)).events == tuple(log)


def test_a_house_may_be_called_by_the_name_of_its_preset() -> None:
    for preset in PRESETS:
        dealt = read_game(HANDS.replace("hand 1", f"house {preset}\nhand 1")).events[0]
        assert isinstance(dealt, Dealt)
        assert dealt.rules == house(preset)


def test_without_a_house_it_is_classic() -> None:
    assert read_game(HANDS).events[0] == read_game(HANDS.replace("hand 1", "house classic\nhand 1")).events[0]


@given(histories(), NAMES, st.booleans())
def test_every_game_reads_back_as_it_was_written(log: tuple[Event, ...], names: Sequence[str], named: bool) -> None:
    given_names = tuple(names[: len(replay(log).hands)]) if named else ()
    assert read_game(write_game(log, given_names)) == (given_names, log)


@given(games(), commands(), st.integers(0, 2**32))
def test_whatever_a_game_accepts_is_a_word_that_reads_back(game: Game, command: Command, seed: int) -> None:
    try:
        _, events = decide(game, command, Random(seed).randrange)
    except Refusal:
        return
    again, decision = infer_command(game, events)
    move = move_of(game, again, events)
    assert decision.events == events
    assert command_of(game, move.command_text + move.outcome_text) == again


def test_a_game_that_does_not_begin_with_its_deal_is_not_written() -> None:
    with pytest.raises(ValueError, match="a game begins with Dealt"):
        write_game(read_game(GAME).events[1:])


def test_events_that_no_command_brings_are_not_written() -> None:
    log = read_game(GAME).events
    with pytest.raises(ValueError, match="no command leads from here to Played"):
        write_game((log[0], replace(log[1], n=7)))


@pytest.mark.parametrize("name", ["Ana\nlead 2", "Ana\u2028", " Ana "])
def test_any_name_reads_back(name: str) -> None:
    log = read_game(HANDS).events
    assert read_game(write_game(log, [name, "Bo"])) == ((name, "Bo"), log)
