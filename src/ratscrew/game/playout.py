"""Plays a game out without slaps: its length and winner, or the cycle it enters.

Without slaps a game is deterministic, so one that returns to an earlier state never ends. States are compared when a
player leads to an empty pile; cards that are no challenge count as equal.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from ratscrew.game.commands import Play, Timeout
from ratscrew.game.engine import decide
from ratscrew.game.repetition import effects_of
from ratscrew.game.state import Game


class Playout(NamedTuple):
    """A whole game: `cards` turned and `tricks` (piles taken) up to the end, or to the first repetition.

    For a game that never ends, `entered_after_cards` is where its cycle begins; `cycle_cards` and `cycle_tricks`
    are its length.
    """

    outcome: Literal["win", "cycle", "draw"]
    winner: int | None
    cards: int
    tricks: int
    entered_after_cards: int | None = None
    cycle_cards: int | None = None
    cycle_tricks: int | None = None


def play_out(game: Game) -> Playout:
    """Play a game to its end, or to the first repetition."""
    seen: dict[object, tuple[int, int]] = {}
    first, tricks = game.n, 0
    while True:
        if not game.pile:
            state = _state(game)
            cards = game.n - first
            if state in seen:
                entered, taken = seen[state]
                return Playout("cycle", None, cards, tricks, entered, cards - entered, tricks - taken)
            seen[state] = cards, tricks
        if game.over:
            break
        if game.standing.phase == "play":
            game, _ = decide(game, Play(game.standing.turn))
        else:
            game, _ = decide(game, Timeout())
            tricks += 1
    return Playout("win" if game.winner is not None else "draw", game.winner, game.n - first, tricks)


def _state(game: Game) -> object:
    return game.standing.turn, effects_of(game.rules, game.hands)
