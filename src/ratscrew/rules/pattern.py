"""How a slap pattern is declared and read. Nothing in this file knows one pattern from another.

A pattern is a function, and its signature is the declaration: each positional parameter is one card of the
view, from the top downwards. The *view* is what a slap may see: the live cards from the top of the pile down to
the first burned or dead one. It is taken once, here, before any pattern looks.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from ratscrew.cards import Card, Pile
from ratscrew.cards import pile as read_pile

Lens: TypeAlias = Literal["rank", "suit", "card"]
"""What of a card a pattern sees: the rank or the suit as a small int, or the whole card."""

PATTERNS: dict[str, Pattern] = {}
"""Every known pattern by name, in reading order: when several match, the first gives its name to the slap."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """One slap pattern: a test of the topmost cards, with examples that show it.

    Shape: `size` cards of the view, top first; `yes` and `no` are whole piles, bottom first.
    """

    name: str
    says: str
    test: Callable[..., bool]
    lens: Lens
    size: int
    yes: tuple[Pile, ...]
    no: tuple[Pile, ...]

    def fits(self, seen: Sequence[Card]) -> bool:
        """Whether the pattern lies on top of a view (top first)."""
        if len(seen) < self.size:
            return False
        window = seen[: self.size]
        if self.lens == "rank":
            return self.test(*[card >> 2 for card in window])
        if self.lens == "suit":
            return self.test(*[card.suit for card in window])
        return self.test(*window)


def slap(*, yes: Sequence[str], no: Sequence[str], lens: Lens = "rank") -> Callable[[Callable[..., bool]], Pattern]:
    """Declare a slap pattern; its name, its docstring's first line and its examples go everywhere from here.

    Raises: TypeError for a parameter that is no card of the view, or for a name that is taken.
    """

    def declare(test: Callable[..., bool]) -> Pattern:
        parameters = inspect.signature(test).parameters.values()
        if strange := [p.name for p in parameters if p.kind is not p.POSITIONAL_OR_KEYWORD]:
            raise TypeError(f"slap pattern {test.__name__}: {', '.join(strange)} is no card of the view")
        if test.__name__ in PATTERNS:
            raise TypeError(f"slap pattern {test.__name__}: there is one of that name already")
        says = (inspect.getdoc(test) or "").partition("\n")[0]
        examples = tuple(map(read_pile, yes)), tuple(map(read_pile, no))
        pattern = Pattern(test.__name__, says, test, lens, len(parameters), *examples)
        PATTERNS[pattern.name] = pattern
        return pattern

    return declare


def view(pile: Pile, depth: int) -> list[Card]:
    """What a slap may see of a pile: its live cards, top first, down to the first burned or dead one.

    Shape: at most `depth` cards.
    """
    seen: list[Card] = []
    for card, live in pile[: -depth - 1 : -1]:
        if not live:
            break
        seen.append(card)
    return seen
