"""Turning a card."""

from __future__ import annotations

from ratscrew.errors import Refusal, Why
from ratscrew.game import flow
from ratscrew.game.decide.standing import at_table, standing
from ratscrew.game.events import Event, Played
from ratscrew.game.state import Game


def play(game: Game, seat: int) -> tuple[Event, ...]:
    """The seat whose turn it is turns its top card.

    Raises: Refusal (game_over, not_playing, not_your_turn).
    """
    at_table(game, seat)
    now = game.to
    if now.phase != "play" or seat != now.turn:
        raise Refusal(Why.NOT_YOUR_TURN)
    rules, card = game.rules, game.hands[seat][0]
    held = list(game.held)
    held[seat] -= 1
    by = -1 if now.by is None else now.by
    after = flow.after_card(seat, rules.chances_by_card[card], by, now.left, held, rules.step)
    return (Played(seat, card, game.n + 1, standing(after)),)
