"""An event makes the next game. Nothing in this file decides or refuses: an event that is logged is true."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from typing import TypeVar

from msgspec.structs import replace

from ratscrew.cards import Laid
from ratscrew.game.events import Burned, Dealt, Event, Fouled, Played, Struck, Taken, Won
from ratscrew.game.state import Game

T = TypeVar("T")


def evolve(game: Game | None, event: Event) -> Game:
    """The game after the event; the first event of a game is `Dealt`, and there is no game before it."""
    if isinstance(event, Dealt):
        seats = len(event.hands)
        return Game(event.rules, event.hands, event.to, (), (0,) * seats, (False,) * seats, version=1)
    assert game is not None, "a game begins with Dealt"
    version = game.version + 1
    match event:
        case Played(seat, card, n, to):
            hands = _set(game.hands, seat, game.hands[seat][1:])
            return replace(game, hands=hands, pile=(*game.pile, Laid(card)), to=to, last=seat, n=n, version=version)
        case Burned(seat, cards, _, to):
            hands = _set(game.hands, seat, game.hands[seat][len(cards) :])
            burned = tuple(Laid(card, False) for card in reversed(cards))
            return replace(game, hands=hands, pile=burned + game.pile, to=to, version=version)
        case Taken(seat, cards, _, to):
            hands = _set(game.hands, seat, game.hands[seat] + cards)
            return replace(game, hands=hands, pile=(), to=to, last=None, version=version)
        case Struck(seat, strikes, barred):
            return replace(
                game,
                strikes=_set(game.strikes, seat, strikes),
                barred=_set(game.barred, seat, barred),
                version=version,
            )
        case Won(_, to):
            return replace(game, to=to, version=version)
        case Fouled():
            return replace(game, version=version)


def replay(events: Iterable[Event]) -> Game:
    """The game that a log tells of, from its first event to its last.

    Raises: ValueError if there is no event at all.
    """
    game = reduce(evolve, events, None)
    if game is None:
        raise ValueError("no events, no game")
    return game


def _set(values: tuple[T, ...], seat: int, value: T) -> tuple[T, ...]:
    return (*values[:seat], value, *values[seat + 1 :])
