"""One step of a game in the kernel, without bots."""

from __future__ import annotations

from ratscrew.lab.jit import jit_cached
from ratscrew.lab.kernel.layout import LAST, PLAY, Record
from ratscrew.lab.kernel.play import timeout
from ratscrew.lab.kernel.turn import finish, turn_card


@jit_cached
def go_on(config: Record, game: Record) -> None:
    """Turn the next card, or end the wait for whatever the game waits for."""
    game.taken = -1
    if game.phase == PLAY or (game.phase == LAST and game.left > 0):
        turn_card(config, game)
    else:
        timeout(config, game)
    finish(config, game)
