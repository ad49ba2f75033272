"""What people do at a table besides turning and slapping, in their own words. Nothing in this file decides a rule."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

from ratscrew.errors import Refusal, Why
from ratscrew.game import commands as asked
from ratscrew.game.commands import Command
from ratscrew.game.state import Game

What: TypeAlias = Literal[
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
    """One thing that somebody does: to whom (`target`, a seat), and which half he takes."""

    do: What
    target: int | None = None
    half: Half | None = None


def command_of(deed: TableAction, seat: int, game: Game) -> Command:
    """The command of a deed.

    Raises: Refusal (not_yours: who is in a tie does not judge it; nothing_to_take: the house collects by itself).
    """
    target = -1 if deed.target is None else deed.target
    match deed.do:
        case "collect":
            if game.rules.collect == "auto" and game.rules.judge == "auto":
                raise Refusal(Why.NOTHING_TO_TAKE)
            return asked.Collect(seat)
        case "reveal":
            return asked.Reveal(seat)
        case "place":
            return asked.Place(seat, target)
        case "contest":
            return asked.Contest(seat)
        case "award":
            if seat in game.tied:
                raise Refusal(Why.NOT_YOURS)
            return asked.Award(target)
        case "notice":
            return asked.Notice(seat)
        case "choose":
            return asked.Choose(seat, deed.half or "top")
        case "forehead":
            return asked.Forehead(seat)
        case "hover" | "unhover":
            return asked.Hover(seat, deed.do == "unhover")
        case "slap_down":
            return asked.SlapDown(seat, target)
        case "fake_slap":
            return asked.Feint(seat, "slap")
        case "feint":
            return asked.Feint(seat, "card")


def action_of(command: Command) -> TableAction:
    """The deed by which somebody asks for a command at a table.

    Raises: ValueError for what nobody asks for in this way.
    """
    match command:
        case asked.Collect():
            return TableAction("collect")
        case asked.Reveal():
            return TableAction("reveal")
        case asked.Place(_, owner):
            return TableAction("place", owner)
        case asked.Contest():
            return TableAction("contest")
        case asked.Award(seat):
            return TableAction("award", seat)
        case asked.Notice():
            return TableAction("notice")
        case asked.Choose(_, half):
            return TableAction("choose", half=half)
        case asked.Forehead():
            return TableAction("forehead")
        case asked.Hover(_, off):
            return TableAction("unhover" if off else "hover")
        case asked.SlapDown(_, target):
            return TableAction("slap_down", target)
        case asked.Feint(_, what):
            return TableAction("fake_slap" if what == "slap" else "feint")
    raise ValueError(f"nobody at a table does this as a deed: {command}")
