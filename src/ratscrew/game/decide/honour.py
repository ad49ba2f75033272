"""Honour: nobody judges a slap or a taking, but everybody may contest it. A false claim uncontested stands."""

from __future__ import annotations

from typing import Literal

from ratscrew.errors import Why
from ratscrew.game.commands import Touch
from ratscrew.game.course import Course
from ratscrew.game.decide.good import found, good
from ratscrew.game.decide.ring import others
from ratscrew.game.decide.take import take
from ratscrew.game.events import Claimed, Contested, Given, Resumed
from ratscrew.game.standing import Standing


def claim(course: Course, seat: int, what: Literal["slap", "collect"]) -> None:
    """The seat says that the pile is his."""
    course.add(Claimed(seat, what, Standing("claim", seat)))


def contest(course: Course, seat: int) -> None:
    """The seat says that the claim is false; who contests needs a card to stake.

    Raises: Refusal (too_late, not_yours, twice, no_cards).
    """
    game = course.game
    course.require(game.to.phase == "claim" and game.claim is not None, Why.TOO_LATE)
    assert game.claim
    course.require(seat != game.claim.seat, Why.NOT_YOURS)
    course.require(seat not in game.claim.contesters, Why.TWICE)
    course.require(bool(game.hands[seat]), Why.NO_CARDS)
    course.add(Contested(seat))


def settle(course: Course) -> None:
    """The claim has been up long enough: true, bluffed, or false.

    True: the pile, and a card from everybody who contested it. False: a card to each of them, and play goes on. Those
    who contested are served in the order of play, the player after the claimer first.
    """
    game, claim = course.game, course.game.claim
    assert claim
    assert game.back
    contesters = [seat for seat in others(game, claim.seat) if seat in claim.contesters]
    back = game.back
    owed = back.phase == "won" and back.turn == claim.seat
    right = owed if claim.what == "collect" else found(game)[0] is not None
    if contesters and not right:
        course.add(Resumed(back))
        for seat in contesters:
            _give(course, claim.seat, seat)
        return
    for seat in contesters:
        _give(course, seat, claim.seat)
    if right and claim.what == "slap":
        good(course, Touch(claim.seat))
    else:
        take(course, claim.seat, back.why or "bluff" if right else "bluff")


def _give(course: Course, seat: int, receiver: int) -> None:
    if course.game.hands[seat]:
        course.add(Given(seat, receiver, course.game.hands[seat][0]))
