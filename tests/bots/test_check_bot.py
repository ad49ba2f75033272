"""The conformance suite of bots finds what it says it finds: each of these bots breaks one law."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from ratscrew.bots.bot import Bot, Chance, Plan
from ratscrew.game.view import View
from ratscrew.testing.check_bot import check_bot


def slaps(view: View, seat: int) -> bool:
    """Whether a seat may slap at all."""
    return bool(view.pile) and not view.barred[seat]


def turns(view: View, seat: int) -> bool:
    """Whether it is a seat's turn."""
    return view.to.phase == "play" and view.to.turn == seat


@dataclass
class Lawful:
    """Slaps whatever it may, and turns when it should."""

    seen: list[View] = field(default_factory=list)

    def plan(self, view: View, seat: int, chance: Chance) -> Plan:
        """See `Bot`."""
        return Plan(200_000 if turns(view, seat) else None, round(chance() * 1e6) if slaps(view, seat) else None)


class Remembers(Lawful):
    """Tires: each plan takes a little longer."""

    def plan(self, view: View, seat: int, chance: Chance) -> Plan:
        self.seen.append(view)
        return Plan(200_000 + len(self.seen) if turns(view, seat) else None)


class Looks(Lawful):
    """Goes by which object the view is, not by what it shows."""

    def plan(self, view: View, seat: int, chance: Chance) -> Plan:
        return Plan(id(view) if turns(view, seat) else None)


class Hasty(Lawful):
    """Slaps before it has seen anything."""

    def plan(self, view: View, seat: int, chance: Chance) -> Plan:
        return Plan(slap_us=-1 if slaps(view, seat) and view.n > 5 else None)


class Vague(Lawful):
    """Thinks in parts of a microsecond."""

    def plan(self, view: View, seat: int, chance: Chance) -> Plan:
        return Plan(turn_us=0.5 if turns(view, seat) else None)  # type: ignore[arg-type]


class Pushy(Lawful):
    """Turns when it is somebody else's turn."""

    def plan(self, view: View, seat: int, chance: Chance) -> Plan:
        return Plan(turn_us=1 if view.to.phase == "play" and view.to.turn == (seat + 1) % len(view.held) else None)


class Eager(Lawful):
    """Turns a card while a won pile waits for it."""

    def plan(self, view: View, seat: int, chance: Chance) -> Plan:
        return Plan(turn_us=1 if view.to.turn == seat else None)


class Deaf(Lawful):
    """Slaps though it is barred."""

    def plan(self, view: View, seat: int, chance: Chance) -> Plan:
        return Plan(slap_us=1 if view.pile else None)


class Blind(Lawful):
    """Slaps where nothing lies."""

    def plan(self, view: View, seat: int, chance: Chance) -> Plan:
        return Plan(slap_us=None if view.barred[seat] else 1)


class Edgy(Lawful):
    """Cannot stand the largest chance there is."""

    def plan(self, view: View, seat: int, chance: Chance) -> Plan:
        return Plan(turn_us=-1 if turns(view, seat) and chance() > 0.999999999 else None)


FAULTS = {
    Remembers: "the same view and the same chances",
    Looks: "the same view and the same chances",
    Hasty: "not negative",
    Vague: "a whole number",
    Pushy: "one's own turn only",
    Eager: "one's own turn only",
    Deaf: "who is barred",
    Blind: "nothing to slap",
    Edgy: "not negative",
}


def test_a_bot_that_keeps_every_law_passes() -> None:
    check_bot(Lawful())


@pytest.mark.parametrize("faulty", FAULTS, ids=lambda faulty: faulty.__name__)
def test_a_bot_that_breaks_a_law_is_found_out(faulty: type[Lawful]) -> None:
    outlaw: Bot = faulty()
    with pytest.raises(AssertionError, match=FAULTS[faulty]):
        check_bot(outlaw, games=2)
