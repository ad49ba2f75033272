"""Repeats the shuffles of a recorded game from the orders they led to, without the original random numbers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest

from ratscrew.cards import Card, Hand
from ratscrew.deck import Draw
from ratscrew.game.commands import Command
from ratscrew.game.decide import Decision, decide
from ratscrew.game.decide.turn_order import dealing_order
from ratscrew.game.events import Event, Redealt, Taken
from ratscrew.game.state import Game


def decide_with_orders(game: Game, command: Command, orders: Iterator[Hand]) -> Decision:
    """Decide a command whose shuffles lead to these orders, in sequence.

    Raises: Refusal; ValueError if an order is missing, or does not have the cards that were shuffled.
    """
    draws: list[int] = []
    done = 0
    while True:
        decision = decide(game, command, _drawing(draws))
        shuffled = list(shuffled_orders(game, decision.events))
        if len(shuffled) == done:
            return decision
        order = next(orders, None)
        if order is None:
            raise ValueError("the cards were shuffled here, and their new order is missing")
        draws += draws_for_order(shuffled[done], order)
        done += 1


def shuffled_orders(game: Game, events: Iterable[Event]) -> Iterator[Hand]:
    """The order of the cards after each shuffle among these events."""
    for event in events:
        if isinstance(event, Taken) and event.order is not None:
            yield event.order
        elif isinstance(event, Redealt):
            rounds = zip_longest(*(event.hands[seat][::-1] for seat in dealing_order(game)))
            yield tuple(card for each in rounds for card in each if card is not None)


def draws_for_order(deck: Sequence[Card], order: Sequence[Card]) -> list[int]:
    """The random numbers with which `deck.shuffle` brings a deck into this order.

    Raises: ValueError if these are not the same cards.
    """
    if sorted(deck) != sorted(order):
        raise ValueError("these are not the cards that were shuffled")
    mixed, draws = list(deck), []
    for i in range(len(mixed) - 1, 0, -1):
        draws.append(j := mixed.index(order[i], 0, i + 1))
        mixed[i], mixed[j] = mixed[j], mixed[i]
    return draws


def _drawing(draws: Sequence[int]) -> Draw:
    """A `draw` that returns these numbers, and then ones that leave a deck as it is."""
    left = iter(draws)
    return lambda n: next(left, n - 1)
