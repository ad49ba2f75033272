"""Picking up the pile by hand: by right, on one's honour, or by cheating."""

from __future__ import annotations

from ratscrew.errors import Refusal, RefusalReason
from ratscrew.game.decide.cheating import grab
from ratscrew.game.decide.honour import claim
from ratscrew.game.decide.timeout import bring_in
from ratscrew.game.event_builder import EventBuilder


def collect(builder: EventBuilder, seat: int) -> None:
    """The seat picks the pile up.

    Raises: Refusal (not_playing, nothing_to_take, not_yours).
    """
    game, now = builder.game, builder.game.standing
    builder.require(game.seat_states[seat].playing, RefusalReason.NOT_PLAYING)
    builder.require(now.phase in ("play", "won") and bool(game.pile), RefusalReason.NOTHING_TO_TAKE)
    if game.rules.judge == "honour":
        claim(builder, seat, "collect")
    elif now.phase == "won" and now.turn == seat and now.reason:
        bring_in(builder)
    elif game.rules.cheat == "split":
        grab(builder, seat)
    else:
        raise Refusal(RefusalReason.NOT_YOURS if now.phase == "won" else RefusalReason.NOTHING_TO_TAKE)
