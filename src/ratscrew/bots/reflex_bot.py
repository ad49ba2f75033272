"""A bot with reflexes and no strategy: it slaps the patterns it recognises, and errs as people do."""

from __future__ import annotations

from dataclasses import dataclass

from ratscrew.bots.bot import Chance, Plan
from ratscrew.bots.duties import duties, may_slap, to_turn
from ratscrew.bots.memory import Memory
from ratscrew.bots.reflexes import Reflexes
from ratscrew.game.view import View
from ratscrew.rules.pattern import BoundPattern

MAX_SCANNED = 5
"""A player looks at no more of the newest cards before slapping, however long the pattern is."""


@dataclass(frozen=True, slots=True)
class ReflexBot:
    """Plays at a human pace and slaps with a human reaction time; it is honest, and contests false claims."""

    reflexes: Reflexes

    def plan(self, view: View, seat: int, chance: Chance, memory: Memory) -> Plan:
        """Turn in its turn; slap what looks like a pattern, mostly when it is one."""
        turn_us = self.reflexes.pause_us(chance) if to_turn(view, seat) else None
        hand_us = slap_us(self.reflexes, view, seat, chance, memory) if may_slap(view, seat) else None
        return Plan(turn_us, hand_us, tuple(duties(view, seat, self.reflexes, chance)))


def slap_us(reflexes: Reflexes, view: View, seat: int, chance: Chance, memory: Memory) -> int | None:
    """The time after which these reflexes slap the pile; None if they do not."""
    pattern = view.first_match()
    if pattern:
        sees = chance() >= reflexes.miss
    else:
        sees = chance() < (reflexes.lure_false_alarm if is_lured(view, seat, memory) else reflexes.false_alarm)
    return reflexes.reaction_us(scan_count(pattern), chance) if sees else None


def scan_count(pattern: BoundPattern | None) -> int:
    """How many looks a pattern takes: one for each of its cards, and one more if it depends on others."""
    return min(pattern.depth, MAX_SCANNED) + bool(pattern.pattern.sights) if pattern else 2


def is_lured(view: View, seat: int, memory: Memory) -> bool:
    """Whether something lures a player to slap without a pattern: a pile that looks like one, or another's feint."""
    feint = memory.feint
    return _looks_like_pattern(view) or (feint is not None and feint.n == view.n and feint.seat != seat)


def _looks_like_pattern(view: View) -> bool:
    """Whether the newest card's rank is among the four cards under it: what people slap by mistake."""
    ranks = [shown.card.rank for shown in view.pile[-5:] if shown.card is not None]
    return bool(ranks) and ranks[-1] in ranks[:-1]
