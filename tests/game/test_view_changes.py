"""What an event changes of the public view, in small games worked out by hand."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from ratscrew.cards import cards
from ratscrew.game import commands as cmd
from ratscrew.game.codec import Codec
from ratscrew.game.commands import Command
from ratscrew.game.engine import decide, evolve
from ratscrew.game.events import Dealt
from ratscrew.game.standing import Standing
from ratscrew.game.state import Game
from ratscrew.game.view import view
from ratscrew.game.view_changes import changes_of, replayed
from ratscrew.rules.presets import house


def dealt(*hands: str) -> Dealt:
    return Dealt(house("classic"), tuple(cards(hand) for hand in hands), Standing("play", 0))


def told(game: Game, command: Command) -> tuple[Game, list[Any]]:
    """The game after a command, and the changes of each of its events as they are sent."""
    after, events = decide(game, command)
    return after, msgspec.json.decode(Codec[Any](Any).encode(changes_of(game, events, after)))


def test_a_turned_card_leaves_a_hand_and_lies_on_the_pile() -> None:
    game, changes = told(evolve(None, dealt("5H 6H", "7H 8H")), cmd.Play(0))
    assert changes == [{"cards_held": {"0": 1}, "pile": [0, 0, ["5H", "live"]], "n": 1, "opening": "5H"}]
    _, changes = told(game, cmd.Play(1))
    assert changes == [{"cards_held": {"1": 1}, "pile": [1, 0, ["7H", "live"]], "n": 2}]


def test_a_wrong_slap_and_its_penalty_have_the_changes_of_each_event() -> None:
    game, _ = told(evolve(None, dealt("5H 6H", "7H 8H")), cmd.Play(0))
    _, changes = told(game, cmd.slap(1))
    slapped, fouled, burned = changes
    assert slapped == {}
    assert fouled == {"seat_states": {"1": {"fouls": 1, "streak": 1, "streak_n": 1, "convicted": True}}}
    assert burned == {"cards_held": {"1": 1}, "pile": [0, 0, ["7H", "burned"]]}


def test_a_pile_that_is_taken_goes_to_a_hand() -> None:
    game, _ = told(evolve(None, dealt("5H 6H", "5S 8H")), cmd.Play(0))
    game, _ = told(game, cmd.Play(1))
    _, (slapped, taken) = told(game, cmd.slap(0))
    assert slapped == {}
    assert taken == {"cards_held": {"0": 3}, "pile": [0, 2]}


def test_a_newcomer_has_a_place_in_every_list() -> None:
    _, (arrived,) = told(evolve(None, dealt("5H 6H", "7H 8H")), cmd.Arrive())
    assert arrived.keys() == {"cards_held", "seat_states", "asides"}
    assert (arrived["cards_held"], arrived["asides"]) == ([2, 0, 0], [2, 0, []])
    assert arrived["seat_states"][:2] == [2, 0]
    assert arrived["seat_states"][2]["playing"] is False


def test_a_log_has_the_view_of_its_deal_and_then_changes() -> None:
    deal = dealt("5H 6H", "7H 8H")
    before = evolve(None, deal)
    game, events = decide(before, cmd.Play(0))
    assert replayed([deal, *events], 9) == (game, [view(before), *changes_of(before, events, game)])
    assert replayed([deal, *events], 1) == (game, changes_of(before, events, game))
    assert replayed([deal, *events], 0) == (game, [])
    with pytest.raises(ValueError, match="no events"):
        replayed([], 1)
