"""A perfect memory knows every public event in order, and never a hidden card."""

from __future__ import annotations

from dataclasses import replace
from functools import reduce

import pytest
from hypothesis import given, settings
from msgspec.structs import replace as changed

from ratscrew.bots.memory import ExpectedCard, Memory, memory_from_events, memory_from_view, remember
from ratscrew.cards import cards
from ratscrew.game.codec import Codec
from ratscrew.game.commands import Command, Feint, Play, Timeout, slap
from ratscrew.game.engine import decide, replay
from ratscrew.game.events import Dealt, Event, Withdrawn
from ratscrew.game.standing import Standing
from ratscrew.game.view import Public, public, view
from ratscrew.rules.link import from_link
from ratscrew.testing.strategies import eventful_rules, histories

PUBLIC = Codec[Public](Public)


def after(house: str, hands: str, *done: Command) -> Memory:
    """The memory after these commands with these hands (top first); seat 0 leads."""
    events: list[Event] = [Dealt(from_link(house), tuple(map(cards, hands.split("|"))), Standing("play", 0))]
    game = replay(events)
    for command in done:
        game, more = decide(game, command, lambda n: 0)
        events += more
    return memory_from_events(events)


def known(memory: Memory, seat: int) -> str:
    """The known cards of a hand, top first."""
    return " ".join("?" if card is None else str(card) for card in memory.known(seat))


@settings(max_examples=60)
@given(histories(eventful_rules(), max_moves=80))
def test_what_is_known_is_true_and_the_view_is_everybodys(events: tuple[Event, ...]) -> None:
    game, memory = replay(events), memory_from_events(events)
    assert view(memory.game) == view(game)
    for seat, hand in enumerate(game.hands):
        right = [card in (None, true) for card, true in zip(memory.known(seat), hand, strict=True)]
        assert all(right)


@settings(max_examples=30)
@given(histories(eventful_rules(), max_moves=60))
def test_the_public_events_are_enough(events: tuple[Event, ...]) -> None:
    told = [PUBLIC.decode(PUBLIC.encode(public(event))) for event in events]
    assert memory_from_events(told) == memory_from_events(events)


@settings(max_examples=60)
@given(histories(eventful_rules(), max_moves=60))
def test_a_later_client_sees_the_same_and_can_follow(events: tuple[Event, ...]) -> None:
    half = len(events) // 2 + 1
    memory = reduce(remember, events[half:], memory_from_view(view(replay(events[:half]))))
    if not any(isinstance(event, Withdrawn) for event in events[half:]):
        assert view(memory.game) == view(replay(events))


@pytest.mark.parametrize(
    ("house", "hands", "done", "whose"),
    [
        ("1;classic", "9S 2C|9H 3D", (Play(0), Play(1), slap(0)), ("? 9S 9H", "?")),
        ("1;classic;pickup=shuffle", "9S 2C|9H 3D", (Play(0), Play(1), slap(0)), ("? ? ?", "?")),
        ("1;classic;pickup=shuffle_hand", "9S 2C|9H 3D", (Play(0), Play(1), slap(0)), ("? ? ?", "?")),
        ("1;classic;pickup=reverse", "9S 2C|9H 3D", (Play(0), Play(1), slap(0)), ("? 9H 9S", "?")),
        # a wrong slap burns the 2, and the pile is taken with it
        ("1;classic", "JS 2C 4C|9H 3D", (Play(0), slap(0), Play(1), Timeout()), ("? 2C JS 9H", "?")),
        ("1;classic;burn_face_up=false", "JS 2C 4C|9H 3D", (Play(0), slap(0), Play(1), Timeout()), ("? ? JS 9H", "?")),
        # a wrong slap gives a card to the other: nobody sees it, not even a player who knew that it was on top
        ("1;classic;wrong_slap.kind=give", "9S|9H 3D", (Play(0), Play(1), slap(0), Play(0), slap(0)), ("", "? ?")),
        ("1;classic;wrong_slap.kind=give", "9S 2C 5S|3H 3D", (Play(0), Play(1), slap(0)), ("?", "? ?")),
    ],
)
def test_a_taken_pile_lies_under_the_hand_as_it_was_seen(
    house: str, hands: str, done: tuple[Command, ...], whose: tuple[str, str]
) -> None:
    memory = after(house, hands, *done)
    assert tuple(known(memory, seat) for seat in (0, 1)) == whose


def test_a_collected_card_is_foreseen_when_it_comes_back_and_no_other() -> None:
    hands, first = "9S 2C|9H 3D 5D", (Play(0), Play(1), slap(0))
    dealt_to_me = after("1;classic", hands, *first, Play(0))
    assert not dealt_to_me.expected(by=1, share=1.0)
    came_back = after("1;classic", hands, *first, Play(0), Play(1), Play(0))
    assert came_back.expected_card == ExpectedCard(cards("9S")[0], since=2)
    assert came_back.expected(by=1, share=1.0)
    assert not came_back.expected(by=1, share=0.0)


def test_wrong_slaps_and_feints_are_counted_by_seat() -> None:
    memory = after("1;classic", "9S 2C 4D|8H 3D 5D", Play(0), slap(1), Feint(0, "slap"), Feint(0, "card"))
    assert (memory.fouls, memory.feints) == ((0, 1), (2, 0))
    assert memory.feint
    assert (memory.feint.seat, memory.feint.what, memory.feint.n) == (0, "card", 1)


# Forgetting


def recalled(share: float, age: int) -> float:
    """Which part of 52 cards, collected so long ago, one of the seats 0 to 399 recalls on average."""
    pack = " ".join(rank + suit for rank in "23456789TJQKA" for suit in "CDHS")
    fresh = after("1;classic", f"{pack}|2C")
    memory = replace(fresh, game=changed(fresh.game, n=age, hands=(cards(pack), ())), since=(0,) * 54)
    seats = range(400)
    found = sum(card is not None for by in seats for card in memory.recalled(0, by, share, 52))
    return found / 52 / len(seats)


@pytest.mark.parametrize(
    ("share", "age", "part"), [(1.0, 0, 1.0), (0.6, 0, 0.6), (1.0, 200, 0.5), (0.8, 400, 0.2), (1.0, 100, 0.7071)]
)
def test_so_much_is_recalled_and_half_of_it_200_cards_later(share: float, age: int, part: float) -> None:
    assert abs(recalled(share, age) - part) < 0.014  # four standard errors of 20800 draws
