"""The engine's interface: which commands are legal, what a log contains, what never changes."""

from __future__ import annotations

import pytest
from hypothesis import assume, given

from ratscrew.errors import Refusal
from ratscrew.game.commands import Collect, Command, Feint, Hover, Play, Slap, slap
from ratscrew.game.engine import decide, evolve, legal, replay
from ratscrew.game.events import Event, Played
from ratscrew.game.standing import Standing
from ratscrew.game.state import Game
from ratscrew.testing.strategies import commands, games, histories
from tests.game.scene import SEATS, do, pile, read, run, table


def accepted(game: Game) -> str:
    """The plain commands that a game accepts, as a script."""
    open_to = legal(game)
    words = ["take", *SEATS, *(f"{seat}!" for seat in SEATS)]
    return " ".join(word for word in words if read(word) in open_to)


def test_a_player_who_has_to_turn_a_card_may_and_anybody_may_slap() -> None:
    game = table("A: 9S 2C | B: 8H 3C | C:")
    assert accepted(game) == "A"
    assert accepted(do(game, "A")) == "B A! B! C!"


def test_a_waiting_pile_may_be_taken_or_slapped() -> None:
    assert accepted(do(table("A: JS 2C | B: 6D 3C"), "A B")) == "take A! B!"


def test_a_player_who_is_barred_may_not_slap() -> None:
    game = table("A: 9S 2C | B: 8H 3C | C:", no_cards={"kind": "strikes", "limit": 1})
    assert accepted(do(game, "A C!")) == "B A! B!"


def test_people_may_pretend_where_the_house_lets_them() -> None:
    assert Feint(1, "slap") in legal(table("A: 9S 2C | B: 8H 3C"))
    assert Feint(1, "slap") not in legal(table("A: 9S 2C | B: 8H 3C", feints=False))


def test_a_won_pile_may_be_picked_up_by_its_winner_alone() -> None:
    open_to = legal(do(table("A: JS 2C | B: 6D 3C"), "A B"))
    assert Collect(0) in open_to
    assert Collect(1) not in open_to


@given(games(), commands())
def test_what_is_accepted_is_legal(game: Game, command: Command) -> None:
    plain = (*map(Play, range(8)), *(slap(seat, under=under) for seat in range(8) for under in (False, True)))
    assume(not isinstance(command, Slap | Play | Hover) or command in plain)
    try:
        decide(game, command, lambda n: 0)
        accepts = True
    except Refusal:
        accepts = False
    assert (command in legal(game)) == accepts


def test_nothing_is_legal_when_the_game_is_over() -> None:
    assert legal(do(table("A: JS 2C | B: 6D"), "A B take")) == ()


def test_a_decision_has_the_game_that_its_events_lead_to() -> None:
    game = table("A: 9S 2C | B: 8H 3C")
    after, events = decide(game, Play(0))
    assert after == evolve(game, events[0])


@given(histories(), commands())
def test_a_decided_game_is_the_replay_of_its_log(log: tuple[Event, ...], command: Command) -> None:
    try:
        after, events = decide(replay(log), command, lambda n: 0)
    except Refusal:
        return
    assert events
    assert replay((*log, *events)) == after


def test_a_game_that_was_played_on_is_still_what_it_was() -> None:
    game = table("A: 9S 2C | B: 8H 3C")
    run(game, "A A! B B!")
    assert game == table("A: 9S 2C | B: 8H 3C")


def test_every_event_makes_a_version() -> None:
    game = table("A: 9S 2C | B: 8H 3C")
    assert [do(game, script).version for script in ("", "A", "A A!", "A A! B")] == [0, 1, 4, 5]


def test_without_events_there_is_no_game() -> None:
    with pytest.raises(ValueError, match="no events, no game"):
        replay([])


def test_a_game_begins_with_the_deal() -> None:
    with pytest.raises(ValueError, match="a game begins with Dealt"):
        evolve(None, Played(0, table("A: 9S | B:").hands[0][0], 1, Standing("play", 1)))


@given(histories())
def test_a_log_cut_anywhere_is_the_game_at_that_moment(log: tuple[Event, ...]) -> None:
    game = replay(log[:1])
    for number, event in enumerate(log[1:], 2):
        game = evolve(game, event)
        assert game == replay(log[:number])
        assert game.version == number


def test_the_last_to_turn_a_card_is_known_while_the_pile_lies() -> None:
    game = table("A: 9S 2C | B: 9H 3C")
    assert [do(game, script).last for script in ("", "A", "A B", "A B B!")] == [None, 0, 1, None]
    assert pile(do(game, "A B B!")) == ""
