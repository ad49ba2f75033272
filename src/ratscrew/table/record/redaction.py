"""What the public may see of recorded events: no seeds, networks or nodes, no accounts, and no exact measurements.

The public are all other players, watchers, finished games and replays. A slap's figures are rounded so that they still
add up: the page explains a verdict from them, and nobody learns the round trip or the credit of another player.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from msgspec.structs import replace

from ratscrew.game.view import GAME_REDACTIONS
from ratscrew.table.record.entries import (
    AccountLinked,
    Committed,
    Judged,
    LateSlap,
    Measured,
    Owned,
    Promised,
    Proof,
    PublicEvent,
    Recorded,
    SlapRecord,
)

CREDIT_STEP_US, RTT_STEP_US = 5_000, 20_000
"""In which steps the public sees what was credited, and round trips."""

T = TypeVar("T", Promised, Committed)


def redact(event: Recorded) -> PublicEvent:
    """A recorded event as the public may see it."""
    hide = REDACTIONS.get(type(event))
    return hide(event) if hide else event


def rounded(slap: SlapRecord) -> SlapRecord:
    """A slap as the public may see it: the reaction that counted is exact, what led to it is rounded.

    The excess and what was granted of it are moved by the same amount, so that the page's own reaction, the excess and
    the credit still give the reaction that counted.
    """
    if (proof := slap.proof) is None:
        return slap
    granted_us, rtt_us = _step(proof.granted_us, CREDIT_STEP_US), _step(proof.rtt_us, RTT_STEP_US)
    free_us, purse_us = _step(proof.free_us, CREDIT_STEP_US), _step(proof.purse_us, CREDIT_STEP_US)
    if proof.granted_us == proof.free_us + proof.purse_us:  # all of it was used
        free_us = min(free_us, granted_us)
        purse_us = granted_us - free_us
    elif granted_us > free_us + purse_us:
        purse_us = granted_us - free_us
    estimate_us = proof.arrived_us - proof.rtt_us // 2 + granted_us - proof.granted_us
    shown = Proof(estimate_us + rtt_us // 2, rtt_us, proof.pressed_us, free_us, purse_us, granted_us, proof.beat_us)
    return replace(slap, proof=shown)


def _step(us: int, step_us: int) -> int:
    return round(us / step_us) * step_us


def _without_seed(event: T) -> T:
    return replace(event, seed=None)


def _without_account(event: AccountLinked) -> AccountLinked:
    return replace(event, account=None, network=None)


def _without_node(event: Owned) -> Owned:
    return replace(event, node=None)


def _rounded_order(event: Judged) -> Judged:
    return replace(event, order=tuple(map(rounded, event.order)))


def _rounded_slap(event: Any) -> Any:
    return replace(event, slap=rounded(event.slap))


REDACTIONS: Mapping[type, Callable[[Any], Any]] = {
    **GAME_REDACTIONS,
    Promised: _without_seed,
    Committed: _without_seed,
    Owned: _without_node,
    AccountLinked: _without_account,
    Judged: _rounded_order,
    Measured: _rounded_slap,
    LateSlap: _rounded_slap,
}
"""How each kind of event that has secrets is shown to the public; any other is shown as it is."""
