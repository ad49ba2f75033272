"""The public view: the pile and how many cards each player holds, and no card before it is turned."""

from __future__ import annotations

from random import Random

from hypothesis import given

from ratscrew.cards import cards
from ratscrew.game.commands import Timeout, slap
from ratscrew.game.decide.valid_slap import find_pattern
from ratscrew.game.engine import deal, deal_out, decide
from ratscrew.game.events import Burned, Given, Redealt, Taken
from ratscrew.game.state import Game
from ratscrew.game.view import DealtPublic, RedealtPublic, VisibleCard, public, view
from ratscrew.rules.presets import house
from ratscrew.testing.strategies import games
from tests.game.scene import do, run, table


def test_everybody_sees_the_pile_with_its_burned_cards() -> None:
    game = do(table("A: 9S 2C | B: 8H 3C"), "A B A!")
    assert [(str(card), kind) for card, kind in view(game).pile] == [("2C", "burned"), ("9S", "live"), ("8H", "live")]


def test_everybody_sees_how_many_cards_each_holds() -> None:
    assert view(do(table("A: 9S 2C 4D | B: 8H 3C | C:"), "A")).cards_held == (2, 2, 0)


def test_everybody_sees_where_play_stands() -> None:
    game = do(table("A: KS 2C 4D | B: 8H 3C"), "A B")
    assert view(game).standing == game.standing
    assert (view(game).standing.turn, view(game).standing.challenger, view(game).standing.chances_left) == (1, 0, 2)


def test_everybody_sees_strikes_and_who_is_barred() -> None:
    game = table("A: 9S 2C 4D | B: 8H 3C | C: | D:", no_cards={"kind": "strikes", "limit": 2})
    seen = view(do(game, "A C! C! D!"))
    assert [person.strikes for person in seen.seat_states] == [0, 0, 2, 1]
    assert [person.locked for person in seen.seat_states] == [0, 0, "game", 0]


def test_nobody_sees_a_card_that_was_burned_face_down() -> None:
    game, events = run(table("A: 9S 2C | B: 8H 3C", burn_face_up=False), "A A!")
    assert [card and str(card) for card, _ in view(game).pile] == [None, "9S"]
    assert [event.cards for event in map(public, events) if isinstance(event, Burned)] == [()]


def test_nobody_sees_a_card_that_is_given_away() -> None:
    _, events = run(table("A: 9S 2C | B: 8H 3C", wrong_slap={"kind": "give"}), "A B!")
    assert [event.card for event in map(public, events) if isinstance(event, Given)] == [None]
    assert [str(event.card) for event in events if isinstance(event, Given)] == ["8H"]


def test_nobody_sees_how_a_pile_was_shuffled() -> None:
    table_ = table("A: 9S 2C | B: 9H 3C", pickup="shuffle")
    _, events = decide(do(table_, "A B"), slap(0), lambda n: 0)
    assert [event.order is None for event in events if isinstance(event, Taken)] == [False]
    assert [event.order is None for event in map(public, events) if isinstance(event, Taken)] == [True]


def test_everybody_sees_the_rules_and_how_many_cards_were_turned() -> None:
    game = do(table("A: 9S 2C 4D | B: 8H 3C", direction="ccw"), "A B")
    assert view(game).rules == house(direction="ccw")
    assert view(game).n == 2


def test_of_the_deal_all_players_see_only_how_many_cards() -> None:
    dealt = deal(house(), 3, 0, Random(1).randrange)
    assert public(dealt) == DealtPublic(house(), (17, 18, 17), dealt.standing)


def test_all_players_see_what_could_not_be_dealt_evenly() -> None:
    dealt = deal_out(house(remainder="pile"), cards("2C 3C 4C"), 2, 0)
    assert public(dealt) == DealtPublic(dealt.rules, (1, 1), dealt.standing, (VisibleCard(cards("4C")[0], "dead"),))


def test_of_a_redeal_all_players_see_only_how_many_cards() -> None:
    game = do(table("A: 5S 3H | B: 9D", stalemate="redeal"), "A B A")
    _, events = decide(game, Timeout(), lambda n: 0)
    (redealt,) = events
    assert isinstance(redealt, Redealt)
    assert public(redealt) == RedealtPublic((1, 2), redealt.standing)


def test_every_other_event_is_sent_as_it_was() -> None:
    _, events = run(table("A: 9S 2C | B: 8H 3D | C:"), "A A! C! B")
    assert tuple(map(public, events)) == events


@given(games())
def test_the_view_is_what_the_game_is_without_the_hands(game: Game) -> None:
    seen = view(game)
    shared = ("rules", "standing", "circle", "asides", "n", "answer_number", "opening", "voided", "tied", "withdrawn")
    assert [getattr(seen, name) for name in shared] == [getattr(game, name) for name in shared]
    assert seen.seat_states == game.seat_states
    assert seen.cards_held == tuple(map(game.cards_held, range(len(game.hands))))
    assert "hands" not in seen.__struct_fields__


@given(games())
def test_the_view_shows_what_can_be_slapped(game: Game) -> None:
    hidden = [laid for laid in game.pile if not laid.face_up and laid.live]
    assert not hidden
    if game.standing.phase == "play":
        assert view(game).first_match() == find_pattern(game)[0]
