"""Honour rules: slaps and pickups are not judged, but any player may contest them. An uncontested claim stands."""

from __future__ import annotations

from typing import Literal

from ratscrew.errors import RefusalReason
from ratscrew.game.commands import Touch
from ratscrew.game.decide.take import take
from ratscrew.game.decide.turn_order import following_seats
from ratscrew.game.decide.valid_slap import accept_slap, find_pattern
from ratscrew.game.event_builder import EventBuilder
from ratscrew.game.events import Claimed, Contested, Given, Resumed
from ratscrew.game.standing import Standing


def claim(builder: EventBuilder, seat: int, what: Literal["slap", "collect"]) -> None:
    """The seat claims the pile."""
    builder.add(Claimed(seat, what, Standing("claim", seat)))


def contest(builder: EventBuilder, seat: int) -> None:
    """The seat contests the claim, with a card as its stake.

    Raises: Refusal (too_late, not_yours, twice, no_cards).
    """
    game = builder.game
    builder.require(game.standing.phase == "claim" and game.claim is not None, RefusalReason.TOO_LATE)
    assert game.claim
    builder.require(seat != game.claim.seat, RefusalReason.NOT_YOURS)
    builder.require(seat not in game.claim.contesters, RefusalReason.TWICE)
    builder.require(bool(game.hands[seat]), RefusalReason.NO_CARDS)
    builder.add(Contested(seat))


def settle(builder: EventBuilder) -> None:
    """Settle the claim when its time is up.

    A true claim brings the pile and a card from each contester. A false one costs a card to each of them, and play goes
    on; uncontested, it brings the pile (a bluff). Cards move in the order of play, from the player after the claimer.
    """
    game, claim = builder.game, builder.game.claim
    assert claim
    assert game.resume_state
    contesters = [seat for seat in following_seats(game, claim.seat) if seat in claim.contesters]
    back = game.resume_state
    owed = back.phase == "won" and back.turn == claim.seat
    pattern, aside = find_pattern(game) if claim.claim_type == "slap" else (None, None)
    right = owed if claim.claim_type == "collect" else pattern is not None
    if contesters and not right:
        builder.add(Resumed(back))
        for seat in contesters:
            _give(builder, claim.seat, seat)
        return
    for seat in contesters:
        _give(builder, seat, claim.seat)
    if pattern:
        accept_slap(builder, Touch(claim.seat), pattern, aside)
    else:
        take(builder, claim.seat, back.reason or "bluff" if right else "bluff")


def _give(builder: EventBuilder, seat: int, receiver: int) -> None:
    if builder.game.hands[seat]:
        builder.add(Given(seat, receiver, builder.game.hands[seat][0]))
