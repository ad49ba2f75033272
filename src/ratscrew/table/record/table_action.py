"""The actions of players besides turning and slapping, as messages name them. No rules are decided here."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

from ratscrew.errors import Refusal, RefusalReason
from ratscrew.game import commands as cmd
from ratscrew.game.commands import Command
from ratscrew.game.state import Game

ActionName: TypeAlias = Literal[
    "collect",
    "reveal",
    "place",
    "contest",
    "award",
    "notice",
    "choose",
    "forehead",
    "hover",
    "unhover",
    "slap_down",
    "fake_slap",
    "feint",
]
Half: TypeAlias = Literal["top", "bottom"]


class TableAction(NamedTuple):
    """An action of a player: what they do, to which seat (`target`), and which half they take."""

    name: ActionName
    target: int | None = None
    half: Half | None = None


def command_of(action: TableAction, seat: int, game: Game) -> Command:
    """The command of an action.

    Raises: Refusal (not_yours: a player in a tie does not judge it; nothing_to_take: the pile is collected
    automatically).
    """
    target = -1 if action.target is None else action.target
    match action.name:
        case "collect":
            if game.rules.collect == "auto" and game.rules.judge == "auto":
                raise Refusal(RefusalReason.NOTHING_TO_TAKE)
            return cmd.Collect(seat)
        case "reveal":
            return cmd.Reveal(seat)
        case "place":
            return cmd.Place(seat, target)
        case "contest":
            return cmd.Contest(seat)
        case "award":
            if seat in game.tied:
                raise Refusal(RefusalReason.NOT_YOURS)
            return cmd.Award(target)
        case "notice":
            return cmd.Notice(seat)
        case "choose":
            return cmd.Choose(seat, action.half or "top")
        case "forehead":
            return cmd.Forehead(seat)
        case "hover" | "unhover":
            return cmd.Hover(seat, action.name == "unhover")
        case "slap_down":
            return cmd.SlapDown(seat, target)
        case "fake_slap":
            return cmd.Feint(seat, "slap")
        case "feint":
            return cmd.Feint(seat, "card")


def action_of(command: Command) -> TableAction:
    """The action that requests a command at a table.

    Raises: ValueError for a command without such an action.
    """
    match command:
        case cmd.Collect():
            return TableAction("collect")
        case cmd.Reveal():
            return TableAction("reveal")
        case cmd.Place(_, owner):
            return TableAction("place", owner)
        case cmd.Contest():
            return TableAction("contest")
        case cmd.Award(seat):
            return TableAction("award", seat)
        case cmd.Notice():
            return TableAction("notice")
        case cmd.Choose(_, half):
            return TableAction("choose", half=half)
        case cmd.Forehead():
            return TableAction("forehead")
        case cmd.Hover(_, off):
            return TableAction("unhover" if off else "hover")
        case cmd.SlapDown(_, target):
            return TableAction("slap_down", target)
        case cmd.Feint(_, what):
            return TableAction("fake_slap" if what == "slap" else "feint")
    raise ValueError(f"no action of a table stands for this command: {command}")
