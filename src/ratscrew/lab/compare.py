"""Two cases beside each other: what differs, between which bounds, and how many games a difference still needs.

Both play the same numbers of games of the same seed, so each game has its twin with the same shuffle. What twins share
cancels out: they are compared in pieces, pair by pair. Nothing in this file prints.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from ratscrew.errors import RatscrewError
from ratscrew.lab.case import Case
from ratscrew.lab.play import cuts, pieces
from ratscrew.lab.statistics import Estimate, needed, paired, sample
from ratscrew.lab.study import rates, slappable

LEAST = 10
"""With fewer games nothing is compared."""


class Difference(Struct, frozen=True):
    """One figure in both cases, and how much greater it is in the other one.

    `still` is how many games more show a difference of this size; 0 if it is seen already, None if there is none.
    """

    name: str
    ours: float
    theirs: float
    more: Estimate
    still: int | None

    @property
    def seen(self) -> bool:
        """Whether it is there, by 95 %."""
        return not self.more.low <= 0 <= self.more.high


def compare(
    ours: Case,
    theirs: Case,
    *,
    threads: int = 1,
    engine: bool = False,
    told: Callable[[int], object] = lambda games: None,
) -> list[Difference]:
    """Every figure that both cases have.

    Raises: RatscrewError if there are too few games.
    """
    if ours.games < LEAST:
        raise RatscrewError(f"{ours.games} games: {LEAST} at least are compared")
    left, right = (_by_piece(case, threads, engine, told) for case in (ours, theirs))
    return [_difference(name, left[name], right[name], ours.games) for name in left if name in right]


def _by_piece(case: Case, threads: int, engine: bool, told: Callable[[int], object]) -> dict[str, list[float]]:
    """Each figure piece by piece, so that the mean of the pieces is that of the games."""
    rules, places = case.rules, cuts(case.games)
    patterns, found = slappable(rules), dict[str, list[float]]()
    for piece in pieces(rules, case.lineup, places, case.seed, threads=threads, engine=engine):
        told(piece.games)
        for name, rate in rates(piece, len(case.bots), patterns).items():
            found.setdefault(name, []).append(rate * piece.games * (len(places) - 1) / case.games)
    return found


def _difference(name: str, ours: list[float], theirs: list[float], games: int) -> Difference:
    more = paired(theirs, ours)
    spread = sample([their - our for our, their in zip(ours, theirs, strict=True)]).variance
    enough = needed(more.value, spread * games / len(ours))
    return Difference(
        name, sample(ours).mean, sample(theirs).mean, more, None if enough is None else max(0, enough - games)
    )
