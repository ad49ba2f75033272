"""Taking the pile, by a slap or by having won it."""

from __future__ import annotations

from ratscrew.errors import Refusal, Why
from ratscrew.game.events import Event, Standing, Taken, Won
from ratscrew.game.state import Game


def collect(game: Game) -> tuple[Event, ...]:
    """The winner of the waiting pile takes it.

    Raises: Refusal (game_over, nothing_to_take).
    """
    now = game.to
    if now.phase == "over":
        raise Refusal(Why.GAME_OVER)
    if now.phase != "won" or now.why is None:
        raise Refusal(Why.NOTHING_TO_TAKE)
    return take(game, now.turn, now.why)


def take(game: Game, seat: int, why: str) -> tuple[Event, ...]:
    """The seat takes the pile and leads; if that is every card, it has won."""
    taken = Taken(seat, tuple(card for card, _ in game.pile), why, Standing("play", seat))
    if any(hand for other, hand in enumerate(game.hands) if other != seat):
        return (taken,)
    return taken, Won(seat, Standing("over", seat))
