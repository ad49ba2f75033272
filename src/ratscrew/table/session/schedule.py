"""The actions that are due in a game, and when. Does not execute them. Unit: microseconds of the table's clock."""

from __future__ import annotations

from dataclasses import dataclass, field
from operator import itemgetter
from typing import Literal, NamedTuple, TypeAlias

from ratscrew.bots.bot import Plan
from ratscrew.game.commands import Command

Kind: TypeAlias = Literal["slap", "reveal", "look", "turn", "move", "deadline", "verdict"]


class ScheduledAction(NamedTuple):
    """An action with the time at which it is due.

    `slap` (of card `n`), `turn` and `move` (with its command) are a bot's, `reveal` is a card that is turned, `look`
    is when bots see it, `deadline` the end of a countdown, `verdict` the end of a race.
    """

    at_us: int
    kind: Kind
    seat: int
    command: Command | None = None
    n: int = 0


_ORDER = itemgetter(0, 1, 2)


@dataclass(slots=True)
class Schedule:
    """The planned actions of a game: at most one reveal and one countdown, and each bot's next turn and slap.

    Nothing of it is due while it is `held`: the game is paused.
    """

    reveal: ScheduledAction | None = None
    look: ScheduledAction | None = None
    deadline: ScheduledAction | None = None
    turns: dict[int, ScheduledAction] = field(default_factory=dict)
    slaps: dict[int, ScheduledAction] = field(default_factory=dict)
    moves: list[ScheduledAction] = field(default_factory=list)
    held: bool = False

    @property
    def play_goes_on(self) -> bool:
        """Whether something is due that moves play on: a reveal, bots that look, a countdown, a bot's turn."""
        return bool(self.reveal or self.look or self.deadline or self.turns)

    def plan(self, seat: int, plan: Plan, now_us: int, new_card: int | None) -> None:
        """Schedule a bot's plan; its slap only if it has seen a new card."""
        if plan.turn_us is not None:
            self.turns[seat] = ScheduledAction(now_us + plan.turn_us, "turn", seat)
        if new_card is not None and plan.slap_us is not None:
            self.slaps[seat] = ScheduledAction(now_us + plan.slap_us, "slap", seat, n=new_card)
        self.moves += [ScheduledAction(now_us + move.after_us, "move", seat, move.command) for move in plan.moves]

    def lure(self, seat: int, plan: Plan, now_us: int, n: int | None) -> None:
        """Schedule a bot's slap of card `n` because of a feint, unless it already plans one."""
        if n is not None and plan.slap_us is not None:
            self.slaps.setdefault(seat, ScheduledAction(now_us + plan.slap_us, "slap", seat, n=n))

    def add_move(self, move: ScheduledAction) -> None:
        """Schedule a move, unless the same one is scheduled already."""
        if move not in self.moves:
            self.moves.append(move)

    def next(self, slaps_only: bool, stops_us: int | None = None) -> ScheduledAction | None:
        """The action that is due first; if play stops, only what bots do until then about the newest card."""
        due = list(self.slaps.values())
        if stops_us is not None:
            due = [action for action in (*due, self.look) if action and action.at_us <= stops_us]
            return min(due, key=_ORDER, default=None)
        if not slaps_only:
            due += self.turns.values()
            due += self.moves
            due += [action for action in (self.reveal, self.look, self.deadline) if action]
        return min(due, key=_ORDER) if len(due) > 1 else due[0] if due else None

    def forget(self, seat: int) -> None:
        """Remove the planned actions of a seat; its card that is on its way is still revealed."""
        self.turns.pop(seat, None)
        self.slaps.pop(seat, None)
        self.moves = [move for move in self.moves if move.seat != seat]

    def remove(self, action: ScheduledAction) -> None:
        """Remove an action that is executed."""
        match action.kind:
            case "slap":
                del self.slaps[action.seat]
            case "turn":
                del self.turns[action.seat]
            case "move":
                self.moves.remove(action)
            case "reveal":
                self.reveal = None
            case "look":
                self.look = None
            case "deadline":
                self.deadline = None
