"""What a wrong slap costs, one function each. A new penalty goes here and nowhere else.

Two choices of a house meet here: `wrong_slap`, for who has cards to lose, and `no_cards`, for who has none.
A penalty is a function from what the player holds to a `Fine`; its keyword-only parameters, with their
defaults, are the parameters of the house's choice.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from inspect import signature
from typing import Annotated, Any, Literal, TypeAlias, get_type_hints

from msgspec import Meta

Place: TypeAlias = Literal["bottom"]
Count: TypeAlias = Annotated[int, Meta(ge=1, le=52)]
Penalty: TypeAlias = Callable[..., "Fine"]

WRONG_SLAP: dict[str, Penalty] = {}
NO_CARDS: dict[str, Penalty] = {}


@dataclass(frozen=True, slots=True)
class Fine:
    """What one wrong slap costs: cards burned onto the pile, a strike, the right to slap for the rest of the game."""

    burn: int = 0
    place: Place = "bottom"
    strike: bool = False
    barred: bool = False


def parameters(penalty: Penalty) -> dict[str, Any]:
    """The parameters that a house may choose for a penalty, with their types."""
    kinds = get_type_hints(penalty, include_extras=True)
    return {p.name: kinds[p.name] for p in signature(penalty).parameters.values() if p.kind is p.KEYWORD_ONLY}


def _costs(table: dict[str, Penalty]) -> Callable[[Penalty], Penalty]:
    def declare(penalty: Penalty) -> Penalty:
        table[penalty.__name__] = penalty
        return penalty

    return declare


@_costs(WRONG_SLAP)
def burn(held: int, strikes: int, *, count: Count = 1, place: Place = "bottom") -> Fine:
    """Cards from the top of your hand go face up under the pile: as many as asked for, or as you have."""
    return Fine(burn=min(count, held), place=place)


@_costs(NO_CARDS)
def strikes(held: int, strikes: int, *, limit: Count = 3) -> Fine:
    """A strike; with the last one you may not slap again in this game."""
    return Fine(strike=True, barred=strikes + 1 >= limit)
