"""A race: the slaps on one card, from the first to arrive until no other could still win.

It is decided by reaction as computed by `judge`, never by arrival. A `Race` is immutable; `add` returns a new one.
Unit: microseconds. Source: docs/fairness.md.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import NamedTuple

from ratscrew.deck import Draw
from ratscrew.judge.constants import TIE_US
from ratscrew.judge.watermark import PendingPlayer, over_us


class Contender(NamedTuple):
    """A valid slap: `reaction_us` is what counts, `reported_us` what the player's own page reports.

    Slaps on the same `page` (None for a bot) are compared by that page's own clock.
    """

    seat: int
    arrived_us: int
    reaction_us: int
    reported_us: int
    page: int | None = None


class Placing(NamedTuple):
    """A seat's place in a race. Unit: `us` microseconds of reaction."""

    seat: int
    us: int


class Ruling(NamedTuple):
    """The order of a race, the winner first; `tie` if the winner was drawn at random."""

    order: tuple[Placing, ...]
    tie: bool


@dataclass(frozen=True, slots=True)
class Race:
    """The slaps so far on card `n`, which is revealed at `reveal_us`."""

    n: int
    reveal_us: int
    contenders: tuple[Contender, ...] = ()

    def add(self, contender: Contender) -> Race:
        """The race with one more contender; only a seat's first slap counts."""
        if any(heard.seat == contender.seat for heard in self.contenders):
            return self
        return replace(self, contenders=(*self.contenders, contender))

    def over_us(self, others: Iterable[PendingPlayer], window_us: int = TIE_US) -> int:
        """When the race is over, as things stand; `others` are the players who see the card and have not slapped.

        Unit: `window_us` microseconds within which slaps count as simultaneous in this house.

        Raises: ValueError if there is no contender yet.
        """
        best_us = min(contender.reaction_us for contender in self._levelled())
        opened_us = min(contender.arrived_us for contender in self.contenders)
        return over_us(self.reveal_us, best_us, opened_us, others, window_us)

    def ruling(self, draw: Draw) -> Ruling:
        """The order of all contenders: the shortest reaction first; a tie for first place is drawn at random.

        Raises: ValueError if there is no contender yet.
        """
        if not self.contenders:
            raise ValueError("nobody has slapped")
        order = sorted(self._levelled(), key=lambda contender: contender.reaction_us)
        tied = [
            each for each in order if each.reaction_us - order[0].reaction_us <= TIE_US and not _beaten(each, order)
        ]
        winner = tied[draw(len(tied))] if len(tied) > 1 else tied[0]
        order.remove(winner)
        return Ruling(tuple(Placing(each.seat, each.reaction_us) for each in (winner, *order)), len(tied) > 1)

    def _levelled(self) -> list[Contender]:
        """The contenders, with those of one page as far apart as that page's clock says.

        What a page is not believed for one slap it is not believed for any, so no slap counts as faster than it would
        alone.
        """
        doubts: dict[int | None, int] = {}
        for each in self.contenders:
            if each.page is not None:
                doubts[each.page] = max(doubts.get(each.page, 0), each.reaction_us - each.reported_us)
        return [
            each if each.page is None else each._replace(reaction_us=each.reported_us + doubts[each.page])
            for each in self.contenders
        ]


def _beaten(slap: Contender, others: Iterable[Contender]) -> bool:
    """Whether another slap on the same page came before: one clock resolves any difference."""
    return any(
        slap.page is not None and other.page == slap.page and other.reaction_us < slap.reaction_us for other in others
    )
