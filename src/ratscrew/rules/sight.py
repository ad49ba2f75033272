"""What a slap may see of the table.

The *view* is the live cards from the top of the pile downwards, to the first burned or dead card, or past it, as the
house says (`dead_pattern`). If the top card itself is burned or dead, the view is empty. It is computed once, before
any pattern is tested, so no pattern can use a card that it may not.
"""

from __future__ import annotations

from typing import NamedTuple

from ratscrew.cards import Card, Pile


class Sight(NamedTuple):
    """Everything that a pattern may look at.

    Shape: `view` is top first. `first` is the first live card of the pile, `lowest` its lowest card of any kind,
    `opening` the first card of the game, each None while it is the newest card itself; `burned` says whether burned
    cards lie in the pile, or any at its bottom; `chance_no` is which answer to the running challenge the top card
    is, 0 if it is none; `pile_no` which live card of the pile, `game_no` which card of the game, 0 if unknown.
    """

    view: tuple[Card, ...]
    first: Card | None = None
    lowest: Card | None = None
    burned: bool = False
    opening: Card | None = None
    chance_no: int = 0
    pile_no: int = 0
    game_no: int = 0


NOTHING = Sight(())


def sight(
    pile: Pile,
    depth: int,
    skip: bool = False,
    opening: Card | None = None,
    chance_no: int = 0,
    around: bool = True,
    game_no: int = 0,
) -> Sight:
    """What a slap may see of a pile: a view of at most `depth` cards, and (if asked for) what lies `around` it."""
    if not pile or pile[-1].state != "live":
        return NOTHING
    view: list[Card] = []
    for laid in reversed(pile):
        if len(view) == depth:
            break
        if laid.state == "live":
            view.append(laid.card)
        elif not skip:
            break
    if not around:
        return Sight(tuple(view), None, None, False, opening, chance_no, 0, game_no)
    first = next(place for place, laid in enumerate(pile) if laid.live)
    top = len(pile) - 1
    return Sight(
        tuple(view),
        pile[first].card if first < top else None,
        pile[0].card if top else None,
        not pile[0].live or any(laid.state == "burned" for laid in pile),
        opening,
        chance_no,
        sum(laid.live for laid in pile),
        game_no,
    )
