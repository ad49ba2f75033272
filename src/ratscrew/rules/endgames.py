"""When a player who alone holds cards takes the pile, one function each. A new endgame goes here and nowhere else.

An endgame (the choice `endgame` of a house) is a function from `Alone` to whether the player takes the pile. No
challenge runs, and a pile lies there. The first line of its docstring is its sentence on the sheet.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from inspect import getdoc
from typing import Any, Literal, TypeAlias


@dataclass(frozen=True, slots=True)
class Alone:
    """One player holds cards, and nobody else does. `pile` is how many cards lie there.

    `turned`: another player has to play, and cannot: the holder has just turned the newest card, or the player in turn
    has lost their last one otherwise.
    """

    turned: bool
    pile: int


Endgame: TypeAlias = Callable[[Alone], bool]

ENDGAMES: dict[str, Endgame] = {}

SENTENCES: dict[str, str] = {}
"""What each of them is."""

AT_ONCE: set[str] = set()
"""The endgames in which players without cards are out at once: the last one with cards takes the pile and has won."""


@cache
def ends_alone(name: str, pile: int) -> int:
    """When a player who alone holds cards takes a pile of so many, as bits: 2 if another has to play, 1 otherwise.

    With bit 4 they have won at once, also during a challenge.
    """
    ends = ENDGAMES[name]
    return int(ends(Alone(False, pile))) | int(ends(Alone(True, pile))) << 1 | int(name in AT_ONCE) << 2


def endgame(ends: Endgame) -> Endgame:
    """Decorator that declares an endgame."""
    ENDGAMES[ends.__name__], SENTENCES[ends.__name__] = ends, (getdoc(ends) or "").partition("\n")[0]
    ends_alone.cache_clear()
    return ends


def endgame_at_once(ends: Endgame) -> Endgame:
    """Decorator that declares an endgame in which players are out with their last card."""
    AT_ONCE.add(ends.__name__)
    return endgame(ends)


@endgame
def play_out(alone: Alone) -> bool:
    """If only one player has cards, they go on flipping until the pile is won."""
    return False


@endgame
def sole_holder(alone: Alone) -> bool:
    """If only one player has cards, they take the pile at once."""
    return True


@endgame
def must_play(alone: Alone) -> bool:
    """If it's your turn and you have no cards, you've lost the pile."""
    return alone.turned


@endgame_at_once
def out_at_once(alone: Alone) -> bool:
    """No one answers a player without cards; as soon as only one player has cards, they take the pile and win."""
    return True


def endgame_type() -> Any:
    """The type of the choice: the names of all endgames, including users' own."""
    return _one_of(tuple(ENDGAMES))


@cache
def _one_of(names: tuple[str, ...]) -> Any:
    literal: Any = Literal
    return literal[names]
