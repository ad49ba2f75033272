"""The actions of worked examples as commands. Nothing in this file knows what comes of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ratscrew.game import commands as asked
from ratscrew.game.commands import Command, Slap, Touch


def command_of(action: Mapping[str, Any], names: Sequence[str]) -> Command:
    """The command that an action asks for; people are called by their names.

    Raises: KeyError or ValueError if there is no such action or nobody of that name.
    """

    def seat(key: str = "p") -> int:
        return names.index(action[key])

    match action["do"]:
        case "play":
            return asked.Play(seat(), action.get("t"))
        case "slap":
            return Slap((_touch(action, names),))
        case "slaps":
            return Slap(tuple(_touch(each, names) for each in action["slaps"]))
        case "timeout":
            return asked.Timeout()
        case "collect":
            return asked.Collect(seat())
        case "stow":
            return asked.Stow(seat())
        case "notice":
            return asked.Notice(seat())
        case "choose":
            return asked.Choose(seat(), action["half"])
        case "reveal":
            return asked.Reveal(seat())
        case "place":
            return asked.Place(seat(), seat("owner"))
        case "contest":
            return asked.Contest(seat())
        case "award":
            return asked.Award(seat())
        case "forehead":
            return asked.Forehead(seat())
        case "hover":
            return asked.Hover(seat())
        case "slap_down":
            return asked.SlapDown(seat(), seat("target"))
        case "fake_slap":
            return asked.Feint(seat(), "slap")
        case "feint":
            return asked.Feint(seat(), "card")
    raise ValueError(f"do = {action['do']!r}: there is no such action")


def _touch(action: Mapping[str, Any], names: Sequence[str]) -> Touch:
    after = action.get("seat_after")
    return Touch(
        names.index(action["p"]),
        action.get("t"),
        action.get("contact", 1),
        None if after is None else names.index(after),
    )
