"""How sure a verdict is, from the proofs of its slaps: as the judge says it at once, and as a log says it later."""

from __future__ import annotations

from collections.abc import Iterable

from ratscrew.judge.confidence import MeasuredSlap, clock_grain_us, confidence_percent
from ratscrew.judge.constants import HEARTBEAT_SLACK_US
from ratscrew.table.record.entries import SlapRecord


def verdict_confidence(order: Iterable[SlapRecord], unseen: int = 0) -> int:
    """The probability that the winner's true reaction was the shortest, in percent; the winner's slap is the first.

    A slap without a proof is taken for exact, as a bot's is. `unseen` is that of `Judged`.
    """
    return confidence_percent([_measured_slap(slap) for slap in order], unseen)


def _measured_slap(slap: SlapRecord) -> MeasuredSlap:
    proof = slap.proof
    if proof is None:
        return MeasuredSlap(slap.us, exact=True)
    if proof.beat_us is None:
        return MeasuredSlap(proof.pressed_us)
    reported_us = max(proof.pressed_us, proof.beat_us - HEARTBEAT_SLACK_US)
    return MeasuredSlap(reported_us, clock_grain_us([proof.beat_us - proof.pressed_us]))
