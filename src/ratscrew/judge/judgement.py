"""Judges one slap: which reaction time counts. Does not look at other players or at the pile.

`estimate = arrival - reveal - round trip / 2` is the server's, by its own clock alone. `reported = pressed - painted`
is the page's. The difference is the *excess*: the delay that the page attributes to the network. It is believed as far
as the player's credit allows. Unit: microseconds. Source: docs/fairness.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from ratscrew.judge.constants import HEARTBEAT_SLACK_US, KERNEL_RTT_SLACK_US, MIN_REACTION_US, SEND_MARGIN_US
from ratscrew.judge.credit import Credit


class CardTiming(NamedTuple):
    """When a card was shown to one player: the shared reveal, the round trip, and when the page painted it."""

    reveal_us: int
    rtt_us: int
    painted_us: int | None = None


class SlapStamps(NamedTuple):
    """The times of one slap: its arrival, the press by the page's clock, and the newest heartbeat before it."""

    arrived_us: int
    pressed_us: int | None = None
    beat_us: int | None = None


@dataclass(frozen=True, slots=True)
class Judgement:
    """The reaction that counts, with every input, so that it can be explained later.

    `reaction_us` is what counts. `moving`: the hand was moving before the card could be seen; the slap has no effect.
    `back_dated`: the slap's stamp contradicts an earlier heartbeat of the page.
    """

    reaction_us: int
    estimate_us: int
    reported_us: int
    granted_us: int
    moving: bool
    back_dated: bool
    credit: Credit

    @property
    def excess_us(self) -> int:
        """The delay that the page attributes to the network."""
        return self.estimate_us - self.reported_us


def judge(slap: SlapStamps, shown: CardTiming, credit: Credit) -> Judgement:
    """Judge one slap. A hand that was already moving costs no credit and earns none.

    It was moving if it came sooner after the painting than a human reacts; or, whatever the page says, if it arrived
    sooner than that after the earliest moment at which the card can be there.

    Without a paint time or a press time from the page, the estimate alone counts.
    """
    estimate_us = slap.arrived_us - shown.reveal_us - shown.rtt_us // 2
    if slap.pressed_us is None or shown.painted_us is None:
        return Judgement(estimate_us, estimate_us, estimate_us, 0, estimate_us < MIN_REACTION_US, False, credit)
    pressed_us = slap.pressed_us if slap.beat_us is None else max(slap.pressed_us, slap.beat_us - HEARTBEAT_SLACK_US)
    reported_us = pressed_us - shown.painted_us
    granted_us = credit.grant_us(estimate_us - reported_us)
    moving = reported_us < MIN_REACTION_US or estimate_us < MIN_REACTION_US - SEND_MARGIN_US - KERNEL_RTT_SLACK_US
    after = credit if moving else credit.after(estimate_us - reported_us)
    return Judgement(
        estimate_us - granted_us, estimate_us, reported_us, granted_us, moving, pressed_us > slap.pressed_us, after
    )
