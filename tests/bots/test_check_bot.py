"""The conformance test of bots detects each violation: each of these bots breaks one requirement."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from ratscrew.bots.bot import Bot, Chance, Move, Plan
from ratscrew.bots.memory import Memory
from ratscrew.game.commands import Forehead
from ratscrew.game.view import View
from ratscrew.rules.example import slappable
from ratscrew.testing.bot_checks import check_bot


def slaps(view: View, seat: int) -> bool:
    """Whether a seat may slap at all."""
    return slappable(view.rules) and lies(view) and free(view, seat) and has_a_stake(view, seat)


def lies(view: View) -> bool:
    """Whether anything lies there that could be slapped now."""
    return view.standing.phase in ("play", "won", "last_chance") and (
        bool(view.pile) or (view.standing.phase == "play" and bool(view.asides[view.standing.turn]))
    )


def free(view: View, seat: int) -> bool:
    """Whether a seat's hand is free."""
    me = view.seat_states[seat]
    return not (me.out or me.hand_burned or isinstance(me.locked, str) or view.n < me.locked)


def has_a_stake(view: View, seat: int) -> bool:
    """Whether a seat holds cards or may slap its way in, or may take part in a last chance."""
    if view.standing.phase == "last_chance":
        return view.standing.challenger in (None, seat)
    active = sum(held > 0 for held in view.cards_held)
    may_slap_in = {"no": False, "while_two_active": active >= 2, "always": True}[view.rules.slap_in]
    return view.cards_held[seat] > 0 or may_slap_in


def turns(view: View, seat: int) -> bool:
    """Whether it is a seat's turn."""
    return view.standing.phase == "play" and view.standing.turn == seat


@dataclass
class Lawful:
    """Slaps every card that it may, and turns when it should."""

    seen: list[View] = field(default_factory=list)

    def plan(self, view: View, seat: int, chance: Chance, memory: Memory) -> Plan:
        """See `Bot`."""
        return Plan(200_000 if turns(view, seat) else None, round(chance() * 1e6) if slaps(view, seat) else None)


class Remembers(Lawful):
    """Tires: each plan takes a little longer."""

    def plan(self, view: View, seat: int, chance: Chance, memory: Memory) -> Plan:
        self.seen.append(view)
        return Plan(200_000 + len(self.seen) if turns(view, seat) else None)


class Looks(Lawful):
    """Goes by which object the view is, not by what it shows."""

    def plan(self, view: View, seat: int, chance: Chance, memory: Memory) -> Plan:
        return Plan(id(view) if turns(view, seat) else None)


class Hasty(Lawful):
    """Slaps before it has seen anything."""

    def plan(self, view: View, seat: int, chance: Chance, memory: Memory) -> Plan:
        return Plan(slap_us=-1 if slaps(view, seat) and view.n > 5 else None)


class Vague(Lawful):
    """Thinks in parts of a microsecond."""

    def plan(self, view: View, seat: int, chance: Chance, memory: Memory) -> Plan:
        return Plan(turn_us=0.5 if turns(view, seat) else None)  # type: ignore[arg-type]


class Pushy(Lawful):
    """Turns when it is another player's turn."""

    def plan(self, view: View, seat: int, chance: Chance, memory: Memory) -> Plan:
        return Plan(
            turn_us=1
            if view.standing.phase == "play" and view.standing.turn == (seat + 1) % len(view.cards_held)
            else None
        )


class Eager(Lawful):
    """Turns a card while a won pile waits for it."""

    def plan(self, view: View, seat: int, chance: Chance, memory: Memory) -> Plan:
        return Plan(turn_us=1 if view.standing.turn == seat else None)


class Deaf(Lawful):
    """Slaps though it is barred."""

    def plan(self, view: View, seat: int, chance: Chance, memory: Memory) -> Plan:
        return Plan(slap_us=1 if lies(view) else None)


class Freed(Lawful):
    """Slaps with a hand that lies under the pile."""

    def plan(self, view: View, seat: int, chance: Chance, memory: Memory) -> Plan:
        me = view.seat_states[seat]
        return Plan(slap_us=1 if lies(view) and (me.hand_burned or free(view, seat)) else None)


class Soon(Lawful):
    """Thinks that the lock of so many cards is over as soon as it has begun."""

    def plan(self, view: View, seat: int, chance: Chance, memory: Memory) -> Plan:
        me = view.seat_states[seat]
        return Plan(slap_us=1 if lies(view) and (isinstance(me.locked, int) and not me.out) else None)


class Late(Lawful):
    """Slaps a pile that another player claims, or holds in the hand."""

    def plan(self, view: View, seat: int, chance: Chance, memory: Memory) -> Plan:
        settled = view.standing.phase not in ("claim", "tie", "grab", "split")
        return Plan(slap_us=None if settled or not view.pile or not free(view, seat) else 1)


class Broke(Lawful):
    """Slaps without cards, whether the house lets players slap their way in or not."""

    def plan(self, view: View, seat: int, chance: Chance, memory: Memory) -> Plan:
        return Plan(slap_us=1 if lies(view) and free(view, seat) else None)


class Blind(Lawful):
    """Slaps where nothing lies."""

    def plan(self, view: View, seat: int, chance: Chance, memory: Memory) -> Plan:
        return Plan(slap_us=1 if free(view, seat) else None)


class Helpful(Lawful):
    """Touches the forehead of the one beside it."""

    def plan(self, view: View, seat: int, chance: Chance, memory: Memory) -> Plan:
        return Plan(moves=(Move(0, Forehead((seat + 1) % len(view.cards_held))),))


class Rash(Lawful):
    """Touches its forehead before it has thought of it."""

    def plan(self, view: View, seat: int, chance: Chance, memory: Memory) -> Plan:
        return Plan(moves=(Move(-1, Forehead(seat)),))


class Edgy(Lawful):
    """Cannot stand the largest chance there is."""

    def plan(self, view: View, seat: int, chance: Chance, memory: Memory) -> Plan:
        return Plan(turn_us=-1 if turns(view, seat) and chance() > 0.999999999 else None)


FAULTS = {
    Remembers: "the same view, memory and chances",
    Looks: "the same view, memory and chances",
    Hasty: "not negative",
    Vague: "a whole number",
    Pushy: "one's own turn only",
    Eager: "one's own turn only",
    Deaf: r"may not slap \((locked_out|hand_burned|not_playing)\)",
    Freed: r"may not slap \(hand_burned\)",
    Soon: r"may not slap \((locked_out|hand_burned)\)",
    Late: r"may not slap \(too_late\)",
    Broke: r"may not slap \(slap_in\)",
    Blind: r"may not slap \(empty_pile\)",
    Helpful: "for itself alone",
    Rash: "not negative",
    Edgy: "not negative",
}


def test_a_bot_that_keeps_every_law_passes() -> None:
    check_bot(Lawful())


@pytest.mark.parametrize("faulty", FAULTS, ids=lambda faulty: faulty.__name__)
def test_a_bot_that_breaks_a_law_is_found_out(faulty: type[Lawful]) -> None:
    outlaw: Bot = faulty()
    with pytest.raises(AssertionError, match=FAULTS[faulty]):
        check_bot(outlaw, games=2)
