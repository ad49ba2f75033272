"""Slaps: which of them count, which is first, and what follows."""

from __future__ import annotations

from collections.abc import Sequence

from ratscrew.errors import Refusal, RefusalReason
from ratscrew.game.commands import Slap, Touch
from ratscrew.game.decide.honour import claim
from ratscrew.game.decide.slap_eligibility import slap_refusal
from ratscrew.game.decide.slap_penalty import penalise
from ratscrew.game.decide.uncover import slapped_game, withdrawal
from ratscrew.game.decide.valid_slap import accept_slap, find_pattern
from ratscrew.game.event_builder import EventBuilder
from ratscrew.game.events import Resumed, Slapped, Tied, Voided
from ratscrew.game.standing import Standing
from ratscrew.rules.pattern import BoundPattern


def slap(builder: EventBuilder, command: Slap) -> None:
    """Decide simultaneous slaps; ineligible ones are ignored. A card that came too late to cover a pattern goes back.

    Raises: Refusal with the first slap's reason if none counts.
    """
    game, under = slapped_game(builder.game, command.under), command.under
    counted: list[Touch] = []
    reason: RefusalReason | None = None
    for touch in command.touches:
        if why := slap_refusal(game, touch):
            reason = reason or why
        else:
            counted.append(touch)
    if not counted:
        raise Refusal(reason or RefusalReason.NOT_PLAYING)
    if len(counted) > 1:
        counted.sort(key=lambda touch: touch.at_ms or 0)
    pattern, aside = find_pattern(game)
    honour = game.rules.judge == "honour"
    builder.add(Slapped(tuple([touch.seat for touch in counted]), under))
    if under and (pattern or honour):
        builder.add(withdrawal(builder.game))
    if honour:
        claim(builder, counted[0].seat, "slap")
    elif pattern:
        _race(builder, counted, pattern, aside)
    else:
        _fouls(builder, counted)


def award(builder: EventBuilder, seat: int) -> None:
    """The judge at the table names the first of the tied seats.

    Raises: Refusal (too_late, not_playing).
    """
    builder.require(builder.game.standing.phase == "tie", RefusalReason.TOO_LATE)
    builder.require(seat in builder.game.tied, RefusalReason.NOT_PLAYING)
    assert builder.game.resume_state
    builder.add(Resumed(builder.game.resume_state))
    pattern, aside = find_pattern(builder.game)
    assert pattern, "only slaps of a pattern are tied"
    accept_slap(builder, Touch(seat), pattern, aside)


def _race(builder: EventBuilder, touches: Sequence[Touch], pattern: BoundPattern, aside: int | None) -> None:
    """The first slap takes the pile, unless several were so close that the house's tie rule applies."""
    rules, first = builder.game.rules, touches[0]
    near = [t for t in touches if (t.at_ms or 0) - (first.at_ms or 0) <= rules.tie_window_ms]
    seats = tuple(touch.seat for touch in near)
    if len(near) == 1 or rules.tie == "earliest":
        accept_slap(builder, first, pattern, aside)
    elif rules.tie == "contact":
        accept_slap(builder, max(near, key=lambda touch: touch.contact), pattern, aside)
    elif rules.tie == "void":
        builder.add(Voided(seats))
    else:
        builder.add(Tied(seats, Standing("tie", first.seat)))


def _fouls(builder: EventBuilder, touches: Sequence[Touch]) -> None:
    """Penalise every slap, in order of arrival, as long as there is still a pile to slap."""
    done = 0
    for touch in touches:
        if builder.game.standing.phase == "over" or (done and not builder.game.pile):
            return
        try:
            penalise(builder, touch.seat)
            done += 1
        except Refusal:
            if touch is touches[-1] and not done:
                raise
