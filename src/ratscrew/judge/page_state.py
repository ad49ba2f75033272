"""The judge's state of one page: its RTT, which cards it was shown and when, and its newest stamp.

A page has one or several players in front of it. Reads no clock; a card is only a number here.
Unit: microseconds. Source: docs/fairness.md.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

from msgspec import Struct

from ratscrew.errors import Refusal, RefusalReason
from ratscrew.judge.constants import CARDS_REMEMBERED, MAX_RTT_US, MAX_STAMP_AHEAD_US, SAME_TOUCH_US, SEND_MARGIN_US
from ratscrew.judge.frame_alignment import FrameTimes
from ratscrew.judge.rtt_estimator import LinkEstimate, RttEstimator

UNMEASURED = LinkEstimate(0, 0)
"""The estimate for a page before its first answer."""


_NONE = (-1, 0)


class Stamp(Struct, frozen=True, gc=False):
    """The newest reading of a page's clock, and when it arrived."""

    stamp_us: int
    arrived_us: int


@dataclass(slots=True)
class CardDisplay:
    """A card on one page: its shared reveal, how long before that it is sent, the link estimate at that time, and when
    the page says that it painted the card. Where `at_us` is None the card is sent at its reveal."""

    reveal_us: int
    head_start_us: int
    link_estimate: LinkEstimate
    painted_us: int | None = None

    @property
    def at_us(self) -> int | None:
        """The shared reveal by the page's own clock; None if that is not known, as the page had answered no ping."""
        return None if self.link_estimate is UNMEASURED else self.reveal_us + self.link_estimate.clock_offset_us


@dataclass(slots=True)
class PageState:
    """One page, updated by the `record_` methods; `refused` counts messages that no honest page sends.

    `jitter_us` is the usual round trip less the shortest one. `slaps_complete`: the page has sent a stamp so long
    after its newest slap that it has sent every slap that was made together with that one. `newest_press_us` is when
    that slap was made, by the page's clock. `frame_us` is how long its frames last, as it says, if it does.
    `pings_us` is when each ping without an answer was sent, by its number. `bounded` gives the estimator with what is
    known of the connection by then, apart from what the page says.
    """

    rtt_estimator: RttEstimator = field(default_factory=RttEstimator)
    bounded: Callable[[RttEstimator], RttEstimator] = lambda known: known
    jitter_us: int = 0
    visible: bool = True
    newest: Stamp | None = None
    slaps_complete: bool = True
    newest_press_us: int = -(10**18)
    frame_us: int | None = None
    pings_us: dict[int, int] = field(default_factory=dict)
    refused: Counter[RefusalReason] = field(default_factory=Counter)
    _card_displays: dict[int, CardDisplay] = field(default_factory=dict)
    _serials: dict[tuple[int, bool], tuple[int, int]] = field(default_factory=dict)

    @property
    def link_estimate(self) -> LinkEstimate:
        """The page's round trip, of which at most `MAX_RTT_US` count, and its clock offset."""
        found = self.rtt_estimator.link_estimate or UNMEASURED
        return found if found.rtt_us <= MAX_RTT_US else LinkEstimate(MAX_RTT_US, found.clock_offset_us)

    @property
    def need_us(self) -> int:
        """How long before its reveal a card should be sent to this page."""
        return self.link_estimate.rtt_us // 2 + SEND_MARGIN_US

    @property
    def frame_times(self) -> FrameTimes | None:
        """The page's frames, as far as its newest painted card and what it says of their length show them."""
        painted_us = [each.painted_us for each in self._card_displays.values() if each.painted_us is not None]
        if self.frame_us is None or not painted_us:
            return None
        return FrameTimes(max(painted_us) - self.link_estimate.clock_offset_us, self.frame_us)

    def update_bounds(self) -> None:
        """Take what is known of the connection now: a page that was slow when it was last pinged may be near by now."""
        self.rtt_estimator = self.bounded(self.rtt_estimator)

    def add_card(self, n: int, reveal_us: int, max_head_start_us: int) -> None:
        """Card `n` will be shown here, sent at most so long before its reveal. Keeps the estimate of now."""
        self.update_bounds()
        self._card_displays[n] = CardDisplay(reveal_us, min(max_head_start_us, self.need_us), self.link_estimate)
        for old in [
            other for other in self._card_displays if not n - CARDS_REMEMBERED < other <= n
        ]:  # later ones: of a game before
            del self._card_displays[old]

    def card_display(self, n: int) -> CardDisplay | None:
        """Card `n` as it was shown here; None if it was not, or too long ago."""
        return self._card_displays.get(n)

    # Messages from the page

    def record_pong(self, sent_us: int, got_us: int, stamp_us: int) -> None:
        """The page answered a ping."""
        self.rtt_estimator = self.rtt_estimator.with_sample(sent_us, got_us, stamp_us)
        self._note(Stamp(stamp_us, got_us))

    def record_paint(self, n: int, painted_us: int, arrived_us: int) -> None:
        """The page has painted card `n`; only its first message about it counts.

        Raises: Refusal (future_stamp, not_shown, twice).
        """
        self._check(painted_us, arrived_us)
        card_display = self._card_displays.get(n)
        if card_display is None:
            raise self._refusal(RefusalReason.NOT_SHOWN)
        if card_display.painted_us is not None:
            raise self._refusal(RefusalReason.TWICE)
        card_display.painted_us = painted_us

    def note_paint(self, n: int, painted_us: int, arrived_us: int) -> None:
        """The page's answer to a ping says since when card `n` is visible: it does so again and again, and may err."""
        card_display = self._card_displays.get(n)
        if card_display is None or card_display.painted_us is None:
            with suppress(Refusal):
                self.record_paint(n, painted_us, arrived_us)

    def record_heartbeat(self, stamp_us: int, arrived_us: int) -> None:
        """A heartbeat: the page's clock, and with it the promise that every earlier slap has been sent.

        Raises: Refusal (future_stamp, out_of_order).
        """
        self._check(stamp_us, arrived_us)
        if self.newest and stamp_us < self.newest.stamp_us:
            raise self._refusal(RefusalReason.OUT_OF_ORDER)
        self._note(Stamp(stamp_us, arrived_us))

    def record_press(
        self, seat: int, serial: tuple[int, int], pressed_us: int, arrived_us: int, second: bool = False
    ) -> bool:
        """A slap of the seat arrives; False if its copy on the other socket was sooner.

        `serial` is the slap's number and how many fingers of it; `second` says that it came by the second socket. The
        caller has checked that the page holds the seat. One serial is kept per seat and socket, so what a page can make
        the server store is bounded by its seats.

        Raises: Refusal (future_stamp; twice: it has come by this socket before).
        """
        self._check(pressed_us, arrived_us)
        if serial <= self._serials.get((seat, second), _NONE):
            raise self._refusal(RefusalReason.TWICE)
        self._serials[seat, second] = serial
        new = serial > self._serials.get((seat, not second), _NONE)
        if new:
            self.slaps_complete = False
            self.newest_press_us = max(self.newest_press_us, pressed_us)
        return new

    def _note(self, beat: Stamp) -> None:
        # Stamps come only by the main socket, in order: a slap that has arrived there was sent before this stamp.
        together_until_us = self.newest_press_us + SAME_TOUCH_US
        self.slaps_complete = beat.stamp_us >= together_until_us and all(
            serial <= self._serials.get((seat, False), _NONE) for (seat, _), serial in self._serials.items()
        )
        if self.newest is None or beat.stamp_us >= self.newest.stamp_us:
            self.newest = beat

    def _check(self, stamp_us: int, arrived_us: int) -> None:
        """A stamp cannot be later than the page's estimated clock, within `MAX_STAMP_AHEAD_US`.

        Raises: Refusal (future_stamp).
        """
        known = self.rtt_estimator.link_estimate
        if known and stamp_us > arrived_us + known.clock_offset_us + known.rtt_us + MAX_STAMP_AHEAD_US:
            raise self._refusal(RefusalReason.FUTURE_STAMP)

    def _refusal(self, why: RefusalReason) -> Refusal:
        self.refused[why] += 1
        return Refusal(why)
