"""Takes the newest card back, for a slap that was made before the card could be seen.

The caller decides when that is the case.
"""

from __future__ import annotations

from msgspec.structs import replace

from ratscrew.errors import Refusal, RefusalReason
from ratscrew.game.events import Withdrawn
from ratscrew.game.evolve import evolve
from ratscrew.game.state import Game


def withdrawal(game: Game) -> Withdrawn:
    """The newest card goes back to its owner.

    Raises: Refusal (too_late) if it covers no other card, or the pile has changed otherwise since.
    """
    prior = game.undo_state
    if prior is None or game.resume_state is not None or game.over:
        raise Refusal(RefusalReason.TOO_LATE)
    assert game.last is not None
    card = next(laid.card for laid in reversed(game.pile) if laid.live)
    return Withdrawn(game.last, card, prior.standing, prior.answer_number, prior.aside)


def uncovered(game: Game) -> Game:
    """The game without its newest card, to judge a slap by; numbered as it was then, so that its locks apply.

    Raises: Refusal (too_late) if there is no card to take back.
    """
    return replace(evolve(game, withdrawal(game)), n=game.n - 1, withdrawn=game.withdrawn)


def slapped_game(game: Game, under: bool) -> Game:
    """The game that a slap is judged by: the current one, or if `under`, without its newest card.

    Raises: Refusal (too_late) if there is no card to take back.
    """
    return uncovered(game) if under else game
