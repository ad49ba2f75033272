"""One slap, judged: which reaction of a player counts. Nothing in this file knows another player, or a pile.

`estimate = arrival - reveal - round trip / 2` is the server's own, by nothing but its own clock. `claim = pressed -
painted` is the page's. What the claim is shorter by, the page says the network ate: of that *excess* as much is
believed as the player's credit allows. Unit: microseconds. Source: docs/fairness.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from ratscrew.judge.constants import HEARTBEAT_SLACK_US, KERNEL_RTT_SLACK_US, MIN_REACTION_US, SEND_MARGIN_US
from ratscrew.judge.credit import Credit


class CardTiming(NamedTuple):
    """A card as it was shown to one player: at which shared moment, how far away he was, when his page painted it."""

    reveal_us: int
    rtt_us: int
    painted_us: int | None = None


class SlapStamps(NamedTuple):
    """A slap as it came in: when it arrived, when the page says it was pressed, and the newest heartbeat before it."""

    arrived_us: int
    pressed_us: int | None = None
    beat_us: int | None = None


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a slap is worth, with everything that went into it, so that it can be explained later.

    `reaction_us` is what counts; `moving` says that the hand was moving before anybody could have seen the card, and
    the slap counts for nothing; `back_dated` that the page has contradicted itself.
    """

    reaction_us: int
    estimate_us: int
    claim_us: int
    granted_us: int
    moving: bool
    back_dated: bool
    credit: Credit

    @property
    def excess_us(self) -> int:
        """What the page says the network ate."""
        return self.estimate_us - self.claim_us


def judge(hand: SlapStamps, shown: CardTiming, credit: Credit) -> Judgement:
    """Judge one slap. A hand that was already moving costs no credit and earns none.

    It was if it came sooner after the painting than anybody reacts, and whatever the page says of that, if it came in
    sooner after the reveal, by as much as a card can be there before it.

    A page that does not say when it painted the card, or when it was pressed, is judged by the estimate alone.
    """
    estimate_us = hand.arrived_us - shown.reveal_us - shown.rtt_us // 2
    if hand.pressed_us is None or shown.painted_us is None:
        return Judgement(estimate_us, estimate_us, estimate_us, 0, estimate_us < MIN_REACTION_US, False, credit)
    pressed_us = hand.pressed_us if hand.beat_us is None else max(hand.pressed_us, hand.beat_us - HEARTBEAT_SLACK_US)
    claim_us = pressed_us - shown.painted_us
    granted_us = credit.grant_us(estimate_us - claim_us)
    moving = claim_us < MIN_REACTION_US or estimate_us < MIN_REACTION_US - SEND_MARGIN_US - KERNEL_RTT_SLACK_US
    after = credit if moving else credit.after(estimate_us - claim_us)
    return Judgement(
        estimate_us - granted_us, estimate_us, claim_us, granted_us, moving, pressed_us > hand.pressed_us, after
    )
