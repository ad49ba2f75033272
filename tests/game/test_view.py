"""What everybody may see: the pile and how many cards each holds, and no card before it is turned."""

from __future__ import annotations

from hypothesis import given

from ratscrew.cards import PACK, text
from ratscrew.game.engine import deal
from ratscrew.game.events import Dealt, Event
from ratscrew.game.state import Game
from ratscrew.game.view import Began, public, view
from ratscrew.rules.presets import house
from ratscrew.testing.strategies import games, histories
from tests.game.scene import do, run, table


def test_everybody_sees_the_pile_with_its_burned_cards() -> None:
    game = do(table("A: 9S 2C | B: 8H 3C"), "A B A!")
    assert text(view(game).pile) == "2C* 9S 8H"


def test_everybody_sees_how_many_cards_each_holds() -> None:
    assert view(do(table("A: 9S 2C 4D | B: 8H 3C | C:"), "A")).held == (2, 2, 0)


def test_everybody_sees_where_play_stands() -> None:
    game = do(table("A: KS 2C 4D | B: 8H 3C"), "A B")
    assert view(game).to == game.to
    assert (view(game).to.turn, view(game).to.by, view(game).to.left) == (1, 0, 2)


def test_everybody_sees_strikes_and_who_is_barred() -> None:
    game = table("A: 9S 2C 4D | B: 8H 3C | C: | D:", no_cards={"kind": "strikes", "limit": 2})
    seen = view(do(game, "A C! C! D!"))
    assert (seen.strikes, seen.barred) == ((0, 0, 2, 1), (False, False, True, False))


def test_everybody_sees_the_rules_and_how_many_cards_were_turned() -> None:
    game = do(table("A: 9S 2C 4D | B: 8H 3C", direction="ccw"), "A B")
    assert view(game).rules == house(direction="ccw")
    assert view(game).n == 2


def test_of_the_deal_everybody_is_told_only_how_many_cards() -> None:
    dealt = deal(house(), PACK, 3, 0)
    assert public(dealt) == Began(house(), (17, 18, 17), dealt.to)


def test_everything_else_is_told_as_it_was() -> None:
    _, events = run(table("A: 9S 2C | B: 8H 3D | C:"), "A A! C! B")
    assert tuple(map(public, events)) == events


@given(histories())
def test_nothing_is_kept_from_the_public_but_the_deal(log: tuple[Event, ...]) -> None:
    assert [public(event) == event for event in log] == [not isinstance(event, Dealt) for event in log]


@given(games())
def test_the_view_is_what_the_game_is_without_the_hands(game: Game) -> None:
    seen = view(game)
    shared = set(seen.__struct_fields__) & set(game.__struct_fields__)
    assert shared == {"rules", "pile", "to", "strikes", "barred", "n"}
    assert all(getattr(seen, name) == getattr(game, name) for name in shared)
    assert seen.held == tuple(len(hand) for hand in game.hands)
    assert "hands" not in seen.__struct_fields__
