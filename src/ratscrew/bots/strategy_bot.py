"""A bot with strategy: its traits decide which cards it slaps, and how soon. It never sees a hidden card."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ratscrew.bots.bot import Chance, Move, Plan
from ratscrew.bots.duties import duties, may_slap, to_turn
from ratscrew.bots.memory import Memory
from ratscrew.bots.reflex_bot import is_lured, scan_count
from ratscrew.bots.reflexes import FASTEST_US, Reflexes
from ratscrew.bots.strategy_traits import (
    BLUFF_RATE,
    CHEAT_RATE,
    LATE_NOTICE_RATE,
    StrategyTraits,
    anticipated_us,
    burn_reaches_answer,
    count_face_cards,
    fatigued_us,
    is_rich,
    lure_rate,
    pattern_odds,
    readiness,
)
from ratscrew.game import commands as cmd
from ratscrew.game.standing import Standing
from ratscrew.game.view import View
from ratscrew.rules.pattern import BoundPattern
from ratscrew.rules.penalties import Burn, Offence

MIN_PILE = 3
"""A smaller pile is not worth a trick."""

MAX_RECALLED = 6
"""How many of the next cards of its hand a bot considers before it slaps wrongly on purpose."""


@dataclass(frozen=True, slots=True)
class StrategyBot:
    """Reacts as a person with these reflexes, and has strategy traits."""

    reflexes: Reflexes
    traits: StrategyTraits

    def plan(self, view: View, seat: int, chance: Chance, memory: Memory) -> Plan:
        """Turn in its turn, slap what is worth it, and try the tricks of its traits."""
        turn_us = self.reflexes.pause_us(chance) if to_turn(view, seat) else None
        slap_us = self._slap_us(view, seat, chance, memory) if may_slap(view, seat) else None
        if turn_us is not None and slap_us is not None and view.first_match() is None:
            turn_us = max(turn_us, slap_us + FASTEST_US)  # the hand is on the pile, and has to come back
        moves = [*self._duties(view, seat, chance), *self._tricks(view, seat, chance, memory)]
        return Plan(turn_us, slap_us, tuple(moves))

    # Slapping

    def _slap_us(self, view: View, seat: int, chance: Chance, memory: Memory) -> int | None:
        pattern, prior = view.first_match(), memory.game.undo_state
        if prior and decides(prior.standing, seat) and self._dares(view, seat, chance):
            return self._react_us(view, None, 1.0, chance)
        if pattern is None:
            return self._react_us(view, None, 0.0, chance) if self._errs(view, seat, chance, memory) else None
        if pattern.ends == "pile" and self._refuses(view, seat, chance, memory):
            return None
        ready = self._ready(view, seat, memory)
        return None if chance() < self.reflexes.miss * (1 - ready) else self._react_us(view, pattern, ready, chance)

    def _react_us(self, view: View, pattern: BoundPattern | None, ready: float, chance: Chance) -> int:
        """A reaction time; the readier the bot is, the less it has to look at and recognise."""
        size = 2 + round((scan_count(pattern) - 2) * (1 - ready))
        return fatigued_us(self._anticipated_us(size, ready, chance), view.n, self.traits.tires)

    def _anticipated_us(self, size: int, ready: float, chance: Chance) -> int:
        return anticipated_us(self.reflexes.reaction_us(size, chance), ready, self.traits.simple_reaction)

    def _ready(self, view: View, seat: int, memory: Memory) -> float:
        """How prepared the bot was for the pattern: it recalled the card, or the pattern was likely."""
        if memory.expected(seat, self.traits.memory, self.traits.half_life):
            return 1.0
        if not self.traits.odds:
            return 0.0
        odds = pattern_odds(view.rules, memory.dealt, memory.game.pile[:-1], view.opening)
        return readiness(odds, self.traits.odds, self.traits.max_readiness)

    def _dares(self, view: View, seat: int, chance: Chance) -> bool:
        """Whether the bot slaps without looking: it costs nothing, or one card while it holds the most."""
        cost, rules = _cost(view, seat), view.rules
        free = cost == 0 or rules.final_card_slap == "free"
        leads = cost == 1 and view.cards_held[seat] == max(view.cards_held)
        return rules.judge == "auto" and (free or leads) and chance() < self.traits.risk

    def _refuses(self, view: View, seat: int, chance: Chance, memory: Memory) -> bool:
        """Whether the bot leaves a pile without face cards to others, so that its hand stays rich."""
        if not self.traits.refuse_filler or count_face_cards(
            [shown.card for shown in view.pile], view.rules.chances_by_card
        ):
            return False
        hand = memory.recalled(seat, seat, self.traits.memory, view.cards_held[seat], self.traits.half_life)
        return is_rich(hand, view.rules.chances_by_card) and chance() < self.traits.refuse_filler

    def _errs(self, view: View, seat: int, chance: Chance, memory: Memory) -> bool:
        """Whether the bot slaps without a pattern: on purpose, because of a feint, or by mistake."""
        traits, feint = self.traits, memory.feint
        if self._burns(view, seat, chance, memory):
            return True
        if view.rules.judge == "honour" and len(view.pile) >= MIN_PILE and chance() < traits.bluff * BLUFF_RATE:
            return True
        if (
            feint
            and (feint.what, feint.n, feint.seat) == ("card", view.n, view.standing.turn)
            and decides(view.standing, seat)
        ):
            return self._dares(view, seat, chance)
        share = self.reflexes.lure_false_alarm if is_lured(view, seat, memory) else self.reflexes.false_alarm
        return chance() < share * (1 if view.cards_held[seat] else 1 - traits.focus)

    def _burns(self, view: View, seat: int, chance: Chance, memory: Memory) -> bool:
        """Whether the bot slaps wrongly on purpose, to bring a face card to where it needs an answer now or soon."""
        to, rules, traits = view.standing, view.rules, self.traits
        burn = _cost(view, seat)
        if (
            not burn
            or burn >= view.cards_held[seat]
            or rules.judge != "auto"
            or len(view.pile) < MIN_PILE
            or to.phase != "play"
        ):
            return False
        chances = rules.chances_by_card
        if to.turn == seat:
            left, share = to.chances_left if to.challenger is not None else 0, traits.burn_to_face
        elif to.challenger is None and _next(view, to.turn) == seat:
            (top,) = memory.recalled(to.turn, seat, traits.memory, 1, traits.half_life) or (None,)
            left, share = 0 if top is None else chances[top], traits.burn_to_shift
        else:
            return False
        if not left or not share:
            return False
        hand = memory.recalled(seat, seat, traits.memory, MAX_RECALLED + burn, traits.half_life)
        return burn_reaches_answer(hand, left, burn, chances) and chance() < share

    # Other moves

    def _duties(self, view: View, seat: int, chance: Chance) -> Iterator[Move]:
        cares = {cmd.Contest: self.traits.contest, cmd.Notice: self.traits.notice}
        for move in duties(view, seat, self.reflexes, chance):
            if chance() < cares.get(type(move.command), 1.0):
                yield move

    def _tricks(self, view: View, seat: int, chance: Chance, memory: Memory) -> Iterator[Move]:
        """Feints, thefts, and late protests against thefts."""
        rules, to, traits, me = view.rules, view.standing, self.traits, view.seat_states[seat]
        if not me.playing or to.phase not in ("play", "won"):
            return
        if view.thief not in (None, seat) and chance() < traits.notice * LATE_NOTICE_RATE:
            yield Move(self.reflexes.pause_us(chance), cmd.Notice(seat))
        mine = to.turn == seat
        others = [fouls for other, fouls in enumerate(memory.fouls) if other != seat]
        if rules.feints and view.first_match() is None and chance() < traits.fake_slap * lure_rate(max(others), view.n):
            yield Move(self._anticipated_us(2, 1.0, chance), cmd.Feint(seat, "slap"))
        if rules.feints and mine and to.challenger is not None and to.chances_left == 1 and chance() < traits.feint:
            yield Move(self._anticipated_us(2, 1.0, chance), cmd.Feint(seat, "card"))
        steals = rules.cheat == "split" and rules.judge == "auto" and view.thief is None
        if (
            steals
            and not (mine and to.phase == "won")
            and len(view.pile) >= MIN_PILE
            and chance() < traits.cheat * CHEAT_RATE
        ):
            yield Move(self.reflexes.pause_us(chance), cmd.Collect(seat))


def decides(to: Standing, seat: int) -> bool:
    """Whether the next card is the last that can answer a seat's challenge."""
    return to.phase == "play" and to.challenger == seat and to.chances_left == 1


def _cost(view: View, seat: int) -> int | None:
    """How many cards a seat burns for a wrong slap; None if the penalty is another one."""
    me, rules = view.seat_states[seat], view.rules
    if 0 < rules.max_streak <= me.streak:
        return None
    costs = rules.penalty_for(Offence(view.cards_held[seat], me.strikes, me.fouls))
    return sum(cost.count for cost in costs if isinstance(cost, Burn)) if all(type(c) is Burn for c in costs) else None


def _next(view: View, seat: int) -> int:
    """The next seat that holds cards."""
    circle, step = view.circle, view.rules.step
    place = circle.index(seat)
    ring = [circle[(place + step * far) % len(circle)] for far in range(1, len(circle) + 1)]
    return next((other for other in ring if view.cards_held[other]), seat)
