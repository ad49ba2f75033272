"""A bot that slaps blindly, before it can recognise a pattern: the risk slapper of Diamond and Garcia (2023)."""

from __future__ import annotations

from dataclasses import dataclass

from ratscrew.bots.bot import Chance, Plan
from ratscrew.bots.duties import duties, may_slap, to_turn
from ratscrew.bots.memory import Memory
from ratscrew.bots.reflex_bot import slap_us
from ratscrew.bots.reflexes import Reflexes
from ratscrew.bots.strategy_bot import decides
from ratscrew.bots.strategy_traits import SIMPLE_REACTION, anticipated_us, count_face_cards
from ratscrew.game.view import View


@dataclass(frozen=True, slots=True)
class RiskSlapper:
    """Slaps the next card blindly where enough is at stake, and otherwise reacts to what it sees.

    It decides before the card comes and need not recognise it, which makes this a simple reaction. Enough is a pile of
    at least `pile` cards with the new one, with at least `face_cards` face cards beneath it. With `last_chance` 1 it
    dares only where the card is the last that can beat a challenge of its own. `risk` is the rate at which it dares;
    `simple_reaction` is `SIMPLE_REACTION`.
    """

    reflexes: Reflexes
    pile: int = 2
    face_cards: int = 0
    last_chance: int = 0
    risk: float = 1.0
    simple_reaction: float = SIMPLE_REACTION

    def plan(self, view: View, seat: int, chance: Chance, memory: Memory) -> Plan:
        """Turn in its turn; slap at once what is worth a risk, and other patterns once recognised."""
        turn_us = self.reflexes.pause_us(chance) if to_turn(view, seat) else None
        hand_us = self._slap_us(view, seat, chance, memory) if may_slap(view, seat) else None
        return Plan(turn_us, hand_us, tuple(duties(view, seat, self.reflexes, chance)))

    def _slap_us(self, view: View, seat: int, chance: Chance, memory: Memory) -> int | None:
        if self._tempted(view, seat, memory) and chance() < self.risk:
            return anticipated_us(self.reflexes.reaction_us(2, chance), 1.0, self.simple_reaction)
        return slap_us(self.reflexes, view, seat, chance, memory)

    def _tempted(self, view: View, seat: int, memory: Memory) -> bool:
        prior = memory.game.undo_state
        if self.last_chance and not (prior and decides(prior.standing, seat)):
            return False
        beneath = [shown.card for shown in view.pile[:-1]]
        return len(view.pile) >= self.pile and count_face_cards(beneath, view.rules.chances_by_card) >= self.face_cards
