"""What the judge knows of one page: how far away it is, which cards it was shown and when, and what it last said.

A page has one player in front of it, or several. Nothing in this file knows what time it is, or what a card is.
Unit: microseconds. Source: docs/fairness.md.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import NamedTuple

from ratscrew.errors import Refusal, Why
from ratscrew.judge.constants import AHEAD_MOST_US, CARDS_KEPT, MARGIN_US, RTT_MOST_US
from ratscrew.judge.link import Link, Reading

NEAR = Reading(0, 0)
"""What a page is taken for before its first answer."""


_NONE = (-1, 0)


class Beat(NamedTuple):
    """The newest thing that a page has said of its clock, and when that came."""

    stamp_us: int
    arrived_us: int


@dataclass(slots=True)
class Sight:
    """A card on one page: its shared moment, how long before that it is sent, the line as it was then, and when the
    page says that it painted it."""

    reveal_us: int
    lead_us: int
    reading: Reading
    painted_us: int | None = None

    @property
    def at_us(self) -> int:
        """The shared moment by the page's own clock."""
        return self.reveal_us + self.reading.ahead_us


@dataclass(slots=True)
class Screen:
    """One page. It is told what comes in (`pong`, `saw`, `beat`); `refused` counts what was none of an honest page.

    `jitter_us` is how much longer than the shortest its usual round trip is.
    """

    link: Link = field(default_factory=Link)
    jitter_us: int = 0
    visible: bool = True
    newest: Beat | None = None
    refused: Counter[Why] = field(default_factory=Counter)
    _sights: dict[int, Sight] = field(default_factory=dict)
    _serials: dict[tuple[int, bool], tuple[int, int]] = field(default_factory=dict)

    @property
    def reading(self) -> Reading:
        """How far away the page is, and how its clock goes."""
        found = self.link.reading or NEAR
        return Reading(min(found.rtt_us, RTT_MOST_US), found.ahead_us)

    @property
    def need_us(self) -> int:
        """How long before its moment a card should be sent here."""
        return self.reading.rtt_us // 2 + MARGIN_US

    def show(self, n: int, reveal_us: int, most_us: int) -> None:
        """Card `n` will be shown here, sent at most `most_us` before its moment: the line of now counts for it."""
        self._sights[n] = Sight(reveal_us, min(most_us, self.need_us), self.reading)
        for old in [other for other in self._sights if not n - CARDS_KEPT < other <= n]:  # later ones: of a game before
            del self._sights[old]

    def sight(self, n: int) -> Sight | None:
        """Card `n` as it was shown here; None if it was not, or long ago."""
        return self._sights.get(n)

    # What the page says

    def pong(self, sent_us: int, got_us: int, stamp_us: int) -> None:
        """An answer to a ping."""
        self.link = self.link.pong(sent_us, got_us, stamp_us)
        self._note(Beat(stamp_us, got_us))

    def saw(self, n: int, painted_us: int, arrived_us: int) -> None:
        """The page has painted card `n`; its first word on that counts.

        Raises: Refusal (future_stamp, not_shown, twice).
        """
        self._check(painted_us, arrived_us)
        sight = self._sights.get(n)
        if sight is None:
            raise self._refusal(Why.NOT_SHOWN)
        if sight.painted_us is not None:
            raise self._refusal(Why.TWICE)
        sight.painted_us = painted_us

    def beat(self, stamp_us: int, arrived_us: int) -> None:
        """The page says what its clock is, and with that: nothing was slapped until now that you do not have.

        Raises: Refusal (future_stamp, out_of_order).
        """
        self._check(stamp_us, arrived_us)
        if self.newest and stamp_us < self.newest.stamp_us:
            raise self._refusal(Why.OUT_OF_ORDER)
        self._note(Beat(stamp_us, arrived_us))

    def press(self, seat: int, serial: tuple[int, int], pressed_us: int, arrived_us: int, second: bool = False) -> bool:
        """A hand of the seat comes in, by its number and how many fingers of it; False if the other way was sooner.

        The caller has checked that the page holds the seat: one number is kept for each seat and way, so what a page
        can make the server store is bounded by its seats.

        Raises: Refusal (future_stamp; twice: it has come by this way before).
        """
        self._check(pressed_us, arrived_us)
        if serial <= self._serials.get((seat, second), _NONE):
            raise self._refusal(Why.TWICE)
        self._serials[seat, second] = serial
        return serial > self._serials.get((seat, not second), _NONE)

    def _note(self, beat: Beat) -> None:
        if self.newest is None or beat.stamp_us >= self.newest.stamp_us:
            self.newest = beat

    def _check(self, stamp_us: int, arrived_us: int) -> None:
        """A stamp cannot be later than the page's clock is now, as far as the line tells.

        Raises: Refusal (future_stamp).
        """
        known = self.link.reading
        if known and stamp_us > arrived_us + known.ahead_us + known.rtt_us + AHEAD_MOST_US:
            raise self._refusal(Why.FUTURE_STAMP)

    def _refusal(self, why: Why) -> Refusal:
        self.refused[why] += 1
        return Refusal(why)
