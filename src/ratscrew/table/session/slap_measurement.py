"""Measures one slap: the judge's reaction time, and the proof for the log.

Unit: microseconds.
"""

from __future__ import annotations

from typing import NamedTuple

from ratscrew.judge.judgement import CardTiming, Judgement, SlapStamps, judge
from ratscrew.judge.page_state import CardDisplay, PageState
from ratscrew.table.record.entries import Proof
from ratscrew.table.session.seat import Seat


class Press(NamedTuple):
    """When a slap arrived, and the timestamps from its page, if there is a page.

    `painted_us` and `pressed_us` are of the page's own clock; `rtt_most_us` is the longest round trip of the socket by
    which it came, if that is not the page's main socket.
    """

    arrived_us: int
    painted_us: int | None = None
    pressed_us: int | None = None
    rtt_most_us: int | None = None


class Measurement(NamedTuple):
    """A slap as the judge has measured it."""

    arrived_us: int
    judgement: Judgement
    proof: Proof | None = None

    @property
    def us(self) -> int:
        """The reaction that counts, at least 0."""
        return max(0, self.judgement.reaction_us)


def measure(seat: Seat, n: int, reveal_us: int, press: Press, vouched_only: bool = False) -> Measurement:
    """Measure a seat's slap of card `n`, which everybody saw at `reveal_us`.

    A page that came after the card had been sent did not show it with the others: only the server's estimate counts.
    `vouched_only`: if the kernel does not measure the connection, nothing is made up for, whatever the page says. So a
    player who changes to such a connection in the middle of a rated game only loses time.
    """
    page_state, credit = seat.judged_by, seat.credit
    if page_state is None or (vouched_only and page_state.rtt_estimator.kernel_us is None):
        return Measurement(press.arrived_us, judge(SlapStamps(press.arrived_us), CardTiming(reveal_us, 0), credit))
    card_display = page_state.card_display(n)
    rtt_us = (card_display.link_estimate if card_display else page_state.link_estimate).rtt_us
    if press.rtt_most_us is not None:
        rtt_us = min(rtt_us, press.rtt_most_us)
    painted_us = None
    if card_display:
        painted_us = press.painted_us if card_display.painted_us is None else card_display.painted_us
    beat_us = page_state.newest.stamp_us if page_state.newest else None
    judged = judge(
        SlapStamps(press.arrived_us, press.pressed_us, beat_us), CardTiming(reveal_us, rtt_us, painted_us), credit
    )
    if painted_us is None or press.pressed_us is None:
        return Measurement(press.arrived_us, judged)
    proof = Proof(
        arrived_us=press.arrived_us - reveal_us,
        rtt_us=rtt_us,
        pressed_us=press.pressed_us - painted_us,
        free_us=credit.free_us,
        purse_us=credit.purse_us,
        granted_us=judged.granted_us,
        beat_us=None if beat_us is None else beat_us - painted_us,
        lag_us=_lag_us(page_state, card_display),
        app_us=page_state.rtt_estimator.app_us,
        control_us=page_state.rtt_estimator.control_us,
        kernel_us=page_state.rtt_estimator.kernel_us,
        paint_us=None if card_display is None or card_display.at_us is None else painted_us - card_display.at_us,
        frame_us=page_state.frame_us,
    )
    return Measurement(press.arrived_us, judged, proof)


def _lag_us(page_state: PageState, card_display: CardDisplay | None) -> int | None:
    """How much later the page's newest heartbeat came than its round trip explains."""
    if (newest := page_state.newest) is None or card_display is None or card_display.at_us is None:
        return None
    link_estimate = card_display.link_estimate
    return newest.arrived_us - (newest.stamp_us - link_estimate.clock_offset_us) - link_estimate.rtt_us // 2
