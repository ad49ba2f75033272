"""What worked examples cannot show of the rules: chance, secrets, and what ends with a game."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise, product
from typing import get_args

import msgspec

from ratscrew.cards import PACK, Card, Hand, PileCard, cards, text
from ratscrew.deck import riffle, shuffle
from ratscrew.game.codec import Codec
from ratscrew.game.commands import Play, slap
from ratscrew.game.decide.deal import deal_out
from ratscrew.game.engine import decide
from ratscrew.game.events import Burned, Dealt, Event, Played
from ratscrew.game.evolve import evolve
from ratscrew.game.standing import Standing
from ratscrew.game.state import Game
from ratscrew.game.view import View, public, view
from ratscrew.rules.house import Rules, is_on
from ratscrew.rules.presets import PRESETS, house


def game_of(*hands: str, rules: Rules | None = None) -> Game:
    """A game of these hands, of which the first leads."""
    return evolve(None, Dealt(rules or house(), tuple(map(cards, hands)), Standing("play", 0)))


def after(game: Game, *commands: Play) -> tuple[Game, Sequence[Event]]:
    """The game after some commands, and the events of the last one."""
    events: Sequence[Event] = ()
    for command in commands:
        game, events = decide(game, command)
    return game, events


def rising(deck: Hand, before: Sequence[Card]) -> int:
    """In how many rising sequences a shuffled deck falls apart: two after one riffle."""
    place = {card: where for where, card in enumerate(deck)}
    return 1 + sum(place[low] > place[high] for low, high in pairwise(before))


def test_what_a_house_is_is_settled_before_the_first_card() -> None:
    telling = [kind for kind in get_args(Event) if "rules" in {field.name for field in msgspec.structs.fields(kind)}]
    assert telling == [Dealt]
    rules = house("chaos")
    game, _ = after(game_of("9S 2C", "4D 3C", rules=rules), Play(0), Play(1))
    assert game.rules is rules


def test_every_order_is_as_likely_as_another() -> None:
    orders: Counter[str] = Counter()
    for first, second in product(range(3), range(2)):
        draws = {3: first, 2: second}
        orders[text(shuffle(cards("2C 3D 4H"), draws.__getitem__))] += 1
    assert len(orders) == 6
    assert set(orders.values()) == {1}


def test_seven_riffles_are_seven() -> None:
    asked: list[int] = []

    def draw(n: int) -> int:
        asked.append(n)
        return len(asked) * 7 % n

    once = riffle(PACK, draw, times=1)
    assert rising(once, PACK) == 2
    assert len(asked) == 2 * 52
    assert sorted(riffle(PACK, draw)) == sorted(PACK)
    assert len(asked) == 8 * 2 * 52


def test_cards_are_dealt_one_at_a_time_beginning_next_to_the_dealer() -> None:
    dealt = deal_out(house(), cards("2C 3C 4C 5C 6C 7C 8C"), 3, 2)
    assert [text(hand) for hand in dealt.hands] == ["8C 5C 2C", "6C 3C", "7C 4C"]
    assert dealt.standing.turn == 0


def test_the_dealer_takes_the_last_stack() -> None:
    dealt = deal_out(house("oxymoron"), cards("2C 3C 4C 5C 6C 7C 8C"), 3, 1)
    assert [text(hand) for hand in dealt.hands] == ["5C 6C", "7C 8C", "2C 3C 4C"]


def test_nobody_sees_a_card_before_it_is_turned() -> None:
    game, _ = after(game_of("9S 2C 5H", "4D 3C 6H"), Play(0), Play(1))
    shown = Codec[View](View).encode(view(game)).decode()
    assert all(f'"{card}"' in shown for card in ("9S", "4D"))
    assert [card for card in ("2C", "5H", "3C", "6H") if f'"{card}"' in shown] == []


def test_a_card_is_shown_to_everybody_alike() -> None:
    _, (played, *_) = after(game_of("9S 2C", "4D 3C"), Play(0))
    assert isinstance(played, Played)
    assert public(played) is played


def test_nothing_is_counted_but_cards() -> None:
    names = [field.name for kind in (Game, View) for field in msgspec.structs.fields(kind)]
    assert [name for name in names if "score" in name or "points" in name] == []
    game, _ = after(game_of("9S", "9H"), Play(0), Play(1))
    game, _ = decide(game, slap(0))
    assert (game.winner, list(map(len, game.hands))) == (0, [2, 0])


def test_every_house_that_slaps_knows_the_double() -> None:
    without = [name for name in PRESETS if not is_on(house(name).slaps.get("double", False))]
    assert without == ["beggar"]
    assert house("beggar").slaps == {}


def test_burned_cards_lie_face_up_or_as_the_house_has_it() -> None:
    for face_up in (True, False):
        start, _ = after(game_of("9S 2C", "4D 3C", rules=house(burn_face_up=face_up)), Play(0))
        game, events = decide(start, slap(1))
        (burned,) = (public(event) for event in events if isinstance(event, Burned))
        assert game.pile[0] == PileCard(Card.parse("4D"), "burned", face_up)
        assert view(game).pile[0].card == (Card.parse("4D") if face_up else None)
        assert ("4D" in json.dumps(msgspec.to_builtins(burned, enc_hook=str))) is face_up


def test_strikes_end_with_the_game() -> None:
    game, _ = after(game_of("2S 4S 9C", "7D 4D 8C", ""), Play(0))
    game, _ = decide(game, slap(2))
    assert game.seat_states[2].strikes == 1
    assert game_of("2S 4S 9C", "7D 4D 8C", "").seat_states[2].strikes == 0
