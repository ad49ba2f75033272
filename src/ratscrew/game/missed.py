"""What everybody has overlooked: a pile that could have been slapped, and goes by. Nothing here changes a game."""

from __future__ import annotations

from collections.abc import Sequence

from ratscrew.errors import Why
from ratscrew.game.commands import Touch
from ratscrew.game.decide.gate import blocked
from ratscrew.game.events import Event, Played, Taken
from ratscrew.game.state import Game


def slappable(game: Game) -> tuple[str, ...]:
    """The names of all patterns for which somebody may slap the pile as it lies, in reading order.

    That his forehead has to be touched before is no reason why he may not.
    """
    if game.voided or all(_barred(game, seat) for seat in range(len(game.hands))):
        return ()
    aside = game.sight_with_aside()
    fits = game.rules.slaps_on(game.sight) or (game.rules.slaps_on(aside) if aside else ())
    return tuple(bound.pattern.name for bound in fits)


def missed(before: Game, events: Sequence[Event]) -> tuple[str, ...]:
    """What could have been slapped before these events, if they cover the pile, or take it without a slap."""
    return slappable(before) if any(map(_ends_it, events)) else ()


def _barred(game: Game, seat: int) -> bool:
    return blocked(game, Touch(seat)) not in (None, Why.FOREHEAD)


def _ends_it(event: Event) -> bool:
    return isinstance(event, Played) or (isinstance(event, Taken) and not event.why.startswith("slap:"))
