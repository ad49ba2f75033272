"""A bot of reflexes alone: it slaps what it recognises, errs as people do, and wants nothing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from ratscrew.bots.bot import Chance, Move, Plan
from ratscrew.bots.reflexes import STRENGTHS, Reflexes
from ratscrew.errors import RulesError
from ratscrew.game import commands as asked
from ratscrew.game.view import View

LOOKS_AT = 5
"""However long a pattern is, nobody looks at more of the newest cards before the hand comes down."""


@dataclass(frozen=True, slots=True)
class ReflexBot:
    """Plays its cards at a human pace and slaps with a human reaction; it is honest, and contests what it sees."""

    reflexes: Reflexes

    def plan(self, view: View, seat: int, chance: Chance) -> Plan:
        """Turn when it is my turn; slap what looks like a pattern, mostly when it is one."""
        to = view.to
        mine = to.turn == seat and (to.phase == "play" or (to.phase == "last" and to.left > 0))
        turn_us = self.reflexes.pause_us(chance) if mine else None
        return Plan(turn_us, self._slap_us(view, seat, chance), tuple(self._moves(view, seat, chance)))

    def _slap_us(self, view: View, seat: int, chance: Chance) -> int | None:
        if not may_slap(view, seat):
            return None
        pattern = view.slap_on()
        if pattern:
            sees = chance() >= self.reflexes.miss
        else:
            sees = chance() < (self.reflexes.fooled if _looks_like_one(view) else self.reflexes.twitch)
        if not sees:
            return None
        return self.reflexes.reaction_us(min(pattern.depth, LOOKS_AT) if pattern else 2, chance)

    def _moves(self, view: View, seat: int, chance: Chance) -> Iterator[Move]:
        """What the house asks of me besides: to collect, to contest, to protest, to choose, to touch my forehead."""
        to, rules, me = view.to, view.rules, view.people[seat]
        mine, pause_us = to.turn == seat, partial(self.reflexes.pause_us, chance)
        if to.phase == "won" and mine and (rules.collect == "manual" or rules.judge == "honour"):
            yield Move(pause_us(), asked.Collect(seat))
        elif to.phase == "claim" and not mine and view.held[seat] and self._doubts(view, chance):
            yield Move(pause_us(), asked.Contest(seat))
        elif to.phase == "grab" and not mine and me.playing and chance() >= self.reflexes.miss:
            yield Move(pause_us(), asked.Notice(seat))
        elif to.phase == "split" and mine:
            yield Move(pause_us(), asked.Choose(seat, "top" if chance() < 0.5 else "bottom"))
        needed = rules.redneck == "all" or (rules.redneck == "convicted" and me.convicted)
        if needed and not me.touched and may_slap(view, seat):
            yield Move(pause_us() // 4, asked.Forehead(seat))

    def _doubts(self, view: View, chance: Chance) -> bool:
        """Whether I think a claim false: mostly when it is."""
        return chance() >= self.reflexes.miss if _false(view) else chance() < self.reflexes.twitch


def bot(strength: str) -> ReflexBot:
    """The bot of a strength.

    Raises: RulesError if there is no such strength.
    """
    if strength not in STRENGTHS:
        raise RulesError([f"bots of strength {strength!r}: there are {', '.join(STRENGTHS)}"])
    return ReflexBot(STRENGTHS[strength])


def may_slap(view: View, seat: int) -> bool:
    """Whether a seat's slap could count, as far as one can see it; the game has the last word."""
    me, to = view.people[seat], view.to
    if to.phase not in ("play", "won", "last") or view.voided or not (view.pile or view.asides[to.turn]):
        return False
    if me.out or me.hand_burned or isinstance(me.locked, str) or view.n < me.locked:
        return False
    if to.phase == "last":
        return to.turn != seat and to.by in (None, seat)
    return view.held[seat] > 0 or view.rules.slap_in == "always" or _two_hold(view)


def _two_hold(view: View) -> bool:
    """Whether the house lets people without cards slap in, as two at least hold some."""
    return view.rules.slap_in == "while_two_active" and sum(map(bool, view.held)) > 1


def _false(view: View) -> bool:
    """Whether the claim that stands is false, as everybody can see."""
    if view.claim == "slap":
        return view.slap_on() is None
    return view.back is None or view.back.phase != "won" or view.back.turn != view.to.turn


def _looks_like_one(view: View) -> bool:
    """Whether the newest card's rank lies among the four under it: what people slap by mistake."""
    seen = [shown.card for shown in view.pile[-5:] if shown.card is not None]
    return bool(seen) and any(card.rank == seen[-1].rank for card in seen[:-1])
