"""Between the ints of `flow` and the words of the events; and who is at the table at all."""

from __future__ import annotations

from ratscrew.errors import Refusal, Why
from ratscrew.game import flow
from ratscrew.game.events import Standing
from ratscrew.game.state import Game


def standing(answer: flow.Answer) -> Standing:
    """An answer of `flow` in words."""
    state, turn, by, left = answer
    if state == flow.PLAY:
        return Standing("play", turn, None if by < 0 else by, left)
    if state == flow.WON:
        return Standing("won", turn, None, 0, "challenge")
    return Standing("won", turn, None, 0, "stalemate")


def at_table(game: Game, seat: int) -> None:
    """Raises: Refusal (game_over, not_playing) unless the game is running and the seat is in it."""
    if game.to.phase == "over":
        raise Refusal(Why.GAME_OVER)
    if not 0 <= seat < len(game.hands):
        raise Refusal(Why.NOT_PLAYING)
