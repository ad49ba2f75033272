"""A bot of reflexes alone: it slaps what it recognises, errs as people do, and wants nothing."""

from __future__ import annotations

from dataclasses import dataclass

from ratscrew.bots.bot import Chance, Plan
from ratscrew.bots.reflexes import STRENGTHS, Reflexes
from ratscrew.errors import RulesError
from ratscrew.game.view import View
from ratscrew.rules.pattern import PATTERNS


@dataclass(frozen=True, slots=True)
class ReflexBot:
    """Plays its cards at a human pace and slaps with a human reaction."""

    reflexes: Reflexes

    def plan(self, view: View, seat: int, chance: Chance) -> Plan:
        """Turn when it is my turn; slap what looks like a pattern, mostly when it is one."""
        mine = view.to.phase == "play" and view.to.turn == seat
        turn_us = self.reflexes.pause_us(chance) if mine else None
        return Plan(turn_us, self._slap_us(view, seat, chance))

    def _slap_us(self, view: View, seat: int, chance: Chance) -> int | None:
        if not view.pile or view.barred[seat]:
            return None
        name = view.rules.slap_on(view.pile)
        if name:
            sees = chance() >= self.reflexes.miss
        else:
            sees = chance() < (self.reflexes.fooled if _looks_like_one(view) else self.reflexes.twitch)
        if not sees:
            return None
        return self.reflexes.reaction_us(PATTERNS[name].size if name else 2, chance)


def bot(strength: str) -> ReflexBot:
    """The bot of a strength.

    Raises: RulesError if there is no such strength.
    """
    if strength not in STRENGTHS:
        raise RulesError([f"bots of strength {strength!r}: there are {', '.join(STRENGTHS)}"])
    return ReflexBot(STRENGTHS[strength])


def _looks_like_one(view: View) -> bool:
    """Whether the top card's rank lies among the four under it: what people slap by mistake."""
    top, *under = reversed(view.pile[-5:])
    return any(other.card.rank == top.card.rank for other in under)
