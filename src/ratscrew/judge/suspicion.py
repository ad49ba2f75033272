"""What one player's hands look like beside those of people: figures that are reasons to look, and never proof.

Nothing is decided here, and nothing in the game asks. Each figure says how many hands it rests on, and from how many
on it says anything. Unit: microseconds, or what a sign's `unit` says. Source: docs/fairness.md.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median, stdev
from typing import Literal, NamedTuple

ENOUGH = 50
"""From so many hands on a figure says something, where nothing else is said."""

OTHERS_ENOUGH = 12
"""So many hands on cards that could not be slapped: people are wrong seldom, and a dozen have a median."""

ERRING = 300
"""People are wrong at least once in so many slaps."""

EXCESS_US = 8_000
"""Half a frame: a screen's own unevenness delays a page's hands by less, compared with the same page's heartbeats."""

QUICK_US = 230_000
"""The median of simple reactions to light is about 231 ms (Woods 2015); to see that two cards match takes longer."""

VERY_QUICK_US, VERY_QUICK_PERCENT = 200_000, 5
"""Few people recognise anything in less time, and nobody often."""

EVEN_US = 15_000
"""People's reactions spread by 20 ms and more, most of them by far more."""

ALIKE_US = 5_000
"""To see that the last card but one matches takes people longer than to see two equal ones on each other."""

ANSWER_US = 8_000
"""A page's script answers a ping a little after the packets underneath; a page that takes longer may be waiting."""


class Trace(NamedTuple):
    """One hand of a player: `pattern` is what it slapped, or None where there was nothing to slap.

    `excess_us` is what the page says the network ate and `lag_us` the same of its newest heartbeat; `app_us` and
    `kernel_us` are the round trip by the page's answers and by the packets underneath; None where it is not known.
    """

    reaction_us: int
    pattern: str | None
    excess_us: int | None = None
    lag_us: int | None = None
    app_us: int | None = None
    kernel_us: int | None = None


@dataclass(frozen=True, slots=True)
class Sign:
    """One figure of a player. It is odd when it is over the limit, or, if `below`, under it; `means` says why.

    `hands` is how many it rests on, of the `needs` that it takes; without enough there may be no figure.
    """

    name: str
    means: str
    figure: float | None
    limit: float
    hands: int
    needs: int = ENOUGH
    below: bool = False
    unit: Literal["us", "percent", "hands"] = "us"

    @property
    def enough(self) -> bool:
        """Whether there are enough hands for it to say anything."""
        return self.figure is not None and self.hands >= self.needs

    @property
    def odd(self) -> bool:
        """Whether it is a reason to look."""
        if self.figure is None or not self.enough:
            return False
        return self.figure < self.limit if self.below else self.figure > self.limit


def signs(hands: Sequence[Trace]) -> tuple[Sign, ...]:
    """Every figure of a player's hands, in the order of docs/fairness.md."""
    good = [hand.reaction_us for hand in hands if hand.pattern is not None]
    return (
        _late(hands),
        _late_when_it_pays(hands),
        _quick(good),
        _very_quick(good),
        _even(good),
        _faultless(hands),
        _alike(hands),
        _answer(hands),
    )


def _late(hands: Sequence[Trace]) -> Sign:
    both = [(hand.excess_us, hand.lag_us) for hand in hands if hand.excess_us is not None and hand.lag_us is not None]
    figure = median(excess for excess, _ in both) - median(lag for _, lag in both) if both else None
    means = "slaps are said to take longer on their way than heartbeats on the same way"
    return Sign("slaps behind heartbeats", means, figure, EXCESS_US, len(both))


def _late_when_it_pays(hands: Sequence[Trace]) -> Sign:
    good = [hand.excess_us for hand in hands if hand.excess_us is not None and hand.pattern is not None]
    wrong = [hand.excess_us for hand in hands if hand.excess_us is not None and hand.pattern is None]
    figure = median(good) - median(wrong) if good and wrong else None
    resting = (len(good), ENOUGH) if len(good) < ENOUGH else (len(wrong), OTHERS_ENOUGH)
    means = "the network is said to be slower when there is something to win"
    return Sign("good slaps behind wrong ones", means, figure, EXCESS_US, *resting)


def _quick(good: Sequence[int]) -> Sign:
    figure = median(good) if good else None
    return Sign("median reaction", "people recognise nothing so fast", figure, QUICK_US, len(good), below=True)


def _very_quick(good: Sequence[int]) -> Sign:
    share = 100 * sum(us < VERY_QUICK_US for us in good) / len(good) if good else None
    name, means = f"reactions under {VERY_QUICK_US // 1000} ms", "people are seldom so fast"
    return Sign(name, means, share, VERY_QUICK_PERCENT, len(good), unit="percent")


def _even(good: Sequence[int]) -> Sign:
    spread = stdev(good) if len(good) > 1 else None
    return Sign("spread of reactions", "people are less even than that", spread, EVEN_US, len(good), below=True)


def _faultless(hands: Sequence[Trace]) -> Sign:
    wrong = sum(hand.pattern is None for hand in hands) if hands else None
    return Sign("wrong slaps", "people err", wrong, 1, len(hands), ERRING, below=True, unit="hands")


def _alike(hands: Sequence[Trace]) -> Sign:
    """The slowest kind of pattern against the quickest, of those with enough hands; it rests on the second of them."""
    kinds: dict[str, list[int]] = defaultdict(list)
    for hand in hands:
        if hand.pattern is not None:
            kinds[hand.pattern].append(hand.reaction_us)
    usual = [median(kind) for kind in kinds.values() if len(kind) >= ENOUGH]
    figure = max(usual) - min(usual) if len(usual) > 1 else None
    second = sorted([0, 0, *map(len, kinds.values())])[-2]
    means = "a sandwich takes people longer than a double"
    return Sign("difference between patterns", means, figure, ALIKE_US, second, below=True)


def _answer(hands: Sequence[Trace]) -> Sign:
    late = [hand.app_us - hand.kernel_us for hand in hands if hand.app_us is not None and hand.kernel_us is not None]
    means = "the page answers late on a line that is faster"
    return Sign("answers behind packets", means, median(late) if late else None, ANSWER_US, len(late))
