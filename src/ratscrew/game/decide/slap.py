"""Slapping the pile: a good slap takes it, a wrong one is fined."""

from __future__ import annotations

from ratscrew.errors import Refusal, Why
from ratscrew.game import flow
from ratscrew.game.decide.collect import take
from ratscrew.game.decide.standing import at_table, standing
from ratscrew.game.events import Burned, Event, Fouled, Struck
from ratscrew.game.state import Game


def slap(game: Game, seat: int) -> tuple[Event, ...]:
    """The seat slaps, in turn or not, with cards or without.

    Raises: Refusal (game_over, not_playing, empty_pile, locked_out): it has no effect and costs nothing.
    """
    at_table(game, seat)
    if not game.pile:
        raise Refusal(Why.EMPTY_PILE)
    if game.barred[seat]:
        raise Refusal(Why.LOCKED_OUT)
    if pattern := game.rules.slap_on(game.pile):
        return take(game, seat, f"slap:{pattern}")
    return wrong(game, seat)


def wrong(game: Game, seat: int) -> tuple[Event, ...]:
    """A wrong slap and what it costs. Turn, challenge and chances stay, unless who has to play loses his last card."""
    events: list[Event] = [Fouled(seat)]
    hand = game.hands[seat]
    fine = game.rules.fine(len(hand), game.strikes[seat])
    if fine.burn:
        now, held = game.to, list(game.held)
        held[seat] -= fine.burn
        if not held[seat] and now.phase == "play" and now.turn == seat:
            by, last = (-1 if seat is None else seat for seat in (now.by, game.last))
            now = standing(flow.after_loss(seat, by, now.left, last, held, game.rules.step))
        events.append(Burned(seat, hand[: fine.burn], fine.place, now))
    if fine.strike:
        events.append(Struck(seat, game.strikes[seat] + 1, fine.barred))
    return tuple(events)
