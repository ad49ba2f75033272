"""The moves that a house asks of a player besides turning and slapping: collect, contest, protest, choose, ..."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from ratscrew.bots.bot import Chance, Move
from ratscrew.bots.reflexes import Reflexes
from ratscrew.game import commands as cmd
from ratscrew.game.decide.slap_eligibility import needs_forehead, slap_bar
from ratscrew.game.view import View


def to_turn(view: View, seat: int) -> bool:
    """Whether a seat has to turn a card."""
    to = view.standing
    return to.turn == seat and (to.phase == "play" or (to.phase == "last_chance" and to.chances_left > 0))


def may_slap(view: View, seat: int) -> bool:
    """Whether a seat's slap could count, as far as the view shows; the game decides."""
    return not (view.voided or slap_bar(view, seat))


def duties(view: View, seat: int, reflexes: Reflexes, chance: Chance) -> Iterator[Move]:
    """The other moves that the house asks of a seat, each after a pause; the bot may overlook what others do."""
    to, rules, me = view.standing, view.rules, view.seat_states[seat]
    mine, pause_us = to.turn == seat, partial(reflexes.pause_us, chance)
    if to.phase == "won" and mine and (rules.collect == "manual" or rules.judge == "honour"):
        yield Move(pause_us(), cmd.Collect(seat))
    elif to.phase == "claim" and not mine and view.cards_held[seat] and _doubts(view, reflexes, chance):
        yield Move(pause_us(), cmd.Contest(seat))
    elif to.phase == "grab" and not mine and me.playing and chance() >= reflexes.miss:
        yield Move(pause_us(), cmd.Notice(seat))
    elif to.phase == "split" and mine:
        yield Move(pause_us(), cmd.Choose(seat, "top" if chance() < 0.5 else "bottom"))
    if rules.redneck != "off" and needs_forehead(view, seat) and may_slap(view, seat):
        yield Move(pause_us() // 4, cmd.Forehead(seat))


def _doubts(view: View, reflexes: Reflexes, chance: Chance) -> bool:
    """Whether the bot thinks a claim false: mostly when it is."""
    return chance() >= reflexes.miss if _false(view) else chance() < reflexes.false_alarm


def _false(view: View) -> bool:
    """Whether the current claim is false, as everybody can see."""
    if view.claim_type == "slap":
        return view.first_match() is None
    return view.resume_state is None or view.resume_state.phase != "won" or view.resume_state.turn != view.standing.turn
