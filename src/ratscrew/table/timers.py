"""What is due at a table, and when. Nothing in this file knows what it means.

Unit: microseconds of the table's clock.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, NamedTuple, TypeAlias

from ratscrew.bots.bot import Plan

Kind: TypeAlias = Literal["slap", "reveal", "turn", "deadline"]


class Due(NamedTuple):
    """One thing that is due: `slap` and `turn` are a bot's, `reveal` a card that has flown, `deadline` a countdown."""

    at_us: int
    kind: Kind
    seat: int


@dataclass(slots=True)
class Timers:
    """A table's timers: at most one card in the air and one countdown, and each bot's next turn and slap."""

    reveal: Due | None = None
    deadline: Due | None = None
    turns: dict[int, Due] = field(default_factory=dict)
    slaps: dict[int, Due] = field(default_factory=dict)

    def plan(self, seat: int, plan: Plan, now_us: int, slap: bool) -> None:
        """Note what a bot means to do; its slap only if it has seen a new card."""
        if plan.turn_us is not None:
            self.turns[seat] = Due(now_us + plan.turn_us, "turn", seat)
        if slap and plan.slap_us is not None:
            self.slaps[seat] = Due(now_us + plan.slap_us, "slap", seat)

    def next(self, racing: bool) -> Due | None:
        """What is due first; while a race is on, nothing but slaps is."""
        every = list(self.slaps.values())
        if not racing:
            every += self.turns.values()
            every += [due for due in (self.reveal, self.deadline) if due]
        return min(every, default=None)

    def done(self, due: Due) -> None:
        """Forget what has been done."""
        match due.kind:
            case "slap":
                del self.slaps[due.seat]
            case "turn":
                del self.turns[due.seat]
            case "reveal":
                self.reveal = None
            case "deadline":
                self.deadline = None
