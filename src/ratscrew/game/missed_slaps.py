"""Missed slaps: patterns that could have been slapped before the pile was covered or taken."""

from __future__ import annotations

from collections.abc import Sequence

from ratscrew.errors import RefusalReason
from ratscrew.game.commands import Touch
from ratscrew.game.decide.slap_eligibility import slap_refusal
from ratscrew.game.events import Event, Played, Taken
from ratscrew.game.state import Game


def slappable(game: Game) -> tuple[str, ...]:
    """The names of all patterns for which some player may slap the pile now, in reading order.

    A player who would have to touch their forehead first counts as able to slap.
    """
    if game.voided or not (patterns := game.slap_matches.patterns):
        return ()
    if all(_barred(game, seat) for seat in range(len(game.hands))):
        return ()
    return tuple(bound.pattern.name for bound in patterns)


def missed_patterns(before: Game, events: Sequence[Event]) -> tuple[str, ...]:
    """The patterns that could have been slapped before these events, if those cover the pile or take it unslapped."""
    for event in events:
        if isinstance(event, Played) or (isinstance(event, Taken) and not event.reason.startswith("slap:")):
            return slappable(before)
    return ()


def _barred(game: Game, seat: int) -> bool:
    return slap_refusal(game, Touch(seat)) not in (None, RefusalReason.FOREHEAD)
