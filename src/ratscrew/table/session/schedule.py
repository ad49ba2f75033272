"""What is due at a table, and when. Nothing in this file knows what it means.

Unit: microseconds of the table's clock.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, NamedTuple, TypeAlias

from ratscrew.bots.bot import Plan
from ratscrew.game.commands import Command

Kind: TypeAlias = Literal["slap", "reveal", "look", "turn", "move", "deadline"]


class ScheduledAction(NamedTuple):
    """One thing that is due: `slap` (at card `n`), `turn` and `move` (which has its command) are a bot's, `reveal` is a
    card that is turned, `look` is when bots see it, `deadline` a countdown."""

    at_us: int
    kind: Kind
    seat: int
    command: Command | None = None
    n: int = 0


@dataclass(slots=True)
class Schedule:
    """A table's timers: at most one card in the air and one countdown, and each bot's next turn and slap."""

    reveal: ScheduledAction | None = None
    look: ScheduledAction | None = None
    deadline: ScheduledAction | None = None
    turns: dict[int, ScheduledAction] = field(default_factory=dict)
    slaps: dict[int, ScheduledAction] = field(default_factory=dict)
    moves: list[ScheduledAction] = field(default_factory=list)

    @property
    def play_goes_on(self) -> bool:
        """Whether something is due that moves play on: a card that flies, bots that look, a countdown, a bot's turn."""
        return bool(self.reveal or self.look or self.deadline or self.turns)

    def plan(self, seat: int, plan: Plan, now_us: int, new_card: int | None) -> None:
        """Note what a bot means to do; its slap only if it has seen a new card."""
        if plan.turn_us is not None:
            self.turns[seat] = ScheduledAction(now_us + plan.turn_us, "turn", seat)
        if new_card is not None and plan.slap_us is not None:
            self.slaps[seat] = ScheduledAction(now_us + plan.slap_us, "slap", seat, n=new_card)
        self.moves += [ScheduledAction(now_us + move.after_us, "move", seat, move.command) for move in plan.moves]

    def lure(self, seat: int, plan: Plan, now_us: int, n: int | None) -> None:
        """Note what a bot means to do because somebody pretended: to slap card `n`, if it meant to do nothing there."""
        if n is not None and plan.slap_us is not None:
            self.slaps.setdefault(seat, ScheduledAction(now_us + plan.slap_us, "slap", seat, n=n))

    def next(self, racing: bool) -> ScheduledAction | None:
        """What is due first; while a race is on, nothing but slaps is."""
        every = list(self.slaps.values())
        if not racing:
            every += [*self.turns.values(), *self.moves]
            every += [due for due in (self.reveal, self.look, self.deadline) if due]
        return min(every, key=lambda due: due[:3], default=None)

    def forget(self, seat: int) -> None:
        """Nothing that a seat meant to do is due any more; a card that is in the air goes on."""
        self.turns.pop(seat, None)
        self.slaps.pop(seat, None)
        self.moves = [due for due in self.moves if due.seat != seat]

    def done(self, due: ScheduledAction) -> None:
        """Forget what has been done."""
        match due.kind:
            case "slap":
                del self.slaps[due.seat]
            case "turn":
                del self.turns[due.seat]
            case "move":
                self.moves.remove(due)
            case "reveal":
                self.reveal = None
            case "look":
                self.look = None
            case "deadline":
                self.deadline = None
