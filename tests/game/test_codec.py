"""Events and views as JSON: a card is its text, and what is sent reads back."""

from __future__ import annotations

import json

import pytest
from hypothesis import given

from ratscrew.cards import Pile, pile
from ratscrew.game.codec import Codec
from ratscrew.game.events import Event
from ratscrew.game.state import Game
from ratscrew.game.view import Public, View, public, view
from ratscrew.testing.strategies import games, histories, piles
from tests.game.scene import run, say, table

EVENT: Codec[Event] = Codec(Event)
PUBLIC: Codec[Public] = Codec(Public)
VIEW: Codec[View] = Codec(View)
GAME: Codec[Game] = Codec(Game)
PILE: Codec[Pile] = Codec(Pile)


def test_an_event_is_an_object_of_plain_words() -> None:
    _, (played,) = run(table("A: KS 2C | B: 9H"), "A")
    assert json.loads(EVENT.encode(played)) == {
        "e": "played",
        "seat": 0,
        "card": "KS",
        "n": 1,
        "standing": {"phase": "play", "turn": 1, "challenger": 0, "chances_left": 3},
    }  # and what has its default is left out


def test_a_pile_is_a_row_of_cards_that_live_or_do_not() -> None:
    assert json.loads(PILE.encode(pile("2C* 9S"))) == [["2C", "burned", True], ["9S", "live", True]]


@given(piles())
def test_a_pile_reads_back(some: Pile) -> None:
    assert PILE.decode(PILE.encode(some)) == some


@given(histories())
def test_every_event_reads_back(log: tuple[Event, ...]) -> None:
    for event in log:
        assert EVENT.decode(EVENT.encode(event)) == event
        assert PUBLIC.decode(PUBLIC.encode(public(event))) == public(event)


@given(games())
def test_a_view_reads_back(game: Game) -> None:
    assert VIEW.decode(VIEW.encode(view(game))) == view(game)


@given(games())
def test_a_whole_game_reads_back(game: Game) -> None:
    assert GAME.decode(GAME.encode(game)) == game


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{",
        b"[]",
        b"\xff",
        b'{"e":"danced","seat":1}',
        b'{"e":"fouled"}',
        b'{"e":"fouled","seat":"one"}',
        b'{"e":"won","seat":1,"standing":{"phase":"lost","turn":1}}',
        b'{"e":"played","seat":1,"card":"1H","n":1,"standing":{"phase":"play","turn":1}}',
        b'{"e":"played","seat":1,"card":7,"n":1,"standing":{"phase":"play","turn":1}}',
        b'{"e":"played","seat":1,"card":["7H"],"n":1,"standing":{"phase":"play","turn":1}}',
        b'{"e":"played","seat":1,"card":null,"n":1,"standing":{"phase":"play","turn":1}}',
        b"[" * 100_000,
        b'{"e":"fouled","seat":1,"then":' + b"[" * 100_000,
    ],
)
def test_an_invalid_event_is_reported_as_a_wrong_value(data: bytes) -> None:
    with pytest.raises(ValueError) as caught:  # noqa: PT011 (any of them, but nothing else)
        EVENT.decode(data)
    assert str(caught.value)


def test_a_wrong_card_is_reported_with_its_place() -> None:
    with pytest.raises(ValueError, match=r"'1H' is not a card.*\$\.cards\[1\]"):
        EVENT.decode(b'{"e":"burned","seat":1,"count":2,"cards":["2C","1H"],"place":"bottom"}')


def test_a_card_that_reads_back_knows_its_name() -> None:
    game, events = run(table("A: KS 2C 4D | B: 9H"), "A A!")
    assert say(game, EVENT.decode(EVENT.encode(events[-1]))) == ["A burns 2C"]
