"""What all players see of a slap's measurements and of accounts: the verdict can be explained, the rest is hidden."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratscrew.game.codec import Codec
from ratscrew.judge.constants import HEARTBEAT_SLACK_US
from ratscrew.table.record.entries import AccountLinked, Judged, LateSlap, Measured, Proof, PublicEvent, SlapRecord
from ratscrew.table.record.redaction import redact, rounded

FREE_US, PURSE_US = 25_000, 50_000


def slap(press_us: int, rtt_us: int, excess_us: int, purse_us: int) -> SlapRecord:
    """A slap as the judge records it: what arrives late is credited as far as free credit and purse go."""
    granted_us = max(0, min(excess_us, FREE_US + purse_us))
    arrived_us = press_us + excess_us + rtt_us // 2
    measured = (rtt_us + 11, rtt_us + 12, rtt_us + 13, 7, 16_667)
    proof = Proof(arrived_us, rtt_us, press_us, FREE_US, purse_us, granted_us, press_us - 20_000, 0, *measured)
    return SlapRecord(1, press_us + excess_us - granted_us, proof)


TIMES = st.integers(120_000, 900_000), st.integers(0, 400_000), st.integers(-20_000, 300_000), st.integers(0, PURSE_US)


@given(*TIMES)
def test_the_shown_figures_add_up_to_the_exact_reaction(
    press_us: int, rtt_us: int, excess_us: int, purse_us: int
) -> None:
    exact = slap(press_us, rtt_us, excess_us, purse_us)
    shown = rounded(exact)
    proof = shown.proof
    assert proof
    assert exact.proof
    own_us = max(proof.pressed_us, (proof.beat_us or 0) - HEARTBEAT_SLACK_US)
    lost_us = proof.arrived_us - proof.rtt_us // 2 - own_us
    assert (shown.us, own_us) == (exact.us, press_us)
    assert own_us + lost_us - proof.granted_us == exact.us
    assert 0 <= proof.granted_us <= proof.free_us + proof.purse_us
    assert min(proof.free_us, proof.purse_us) >= 0
    if exact.proof.granted_us == excess_us > 0:
        assert lost_us == proof.granted_us, "all of it was taken off"


@given(*TIMES)
def test_nobody_learns_an_exact_round_trip_or_credit(press_us: int, rtt_us: int, excess_us: int, purse_us: int) -> None:
    proof = rounded(slap(press_us, rtt_us, excess_us, purse_us)).proof
    assert proof
    assert (proof.rtt_us % 20_000, proof.purse_us % 5000, proof.free_us % 5000, proof.granted_us % 5000) == (0, 0, 0, 0)
    assert abs(proof.rtt_us - rtt_us) <= 10_000
    assert (proof.app_us, proof.control_us, proof.kernel_us, proof.lag_us) == (None, None, None, None)
    assert (proof.paint_us, proof.frame_us) == (None, None)


SLAP = slap(300_123, 41_777, 33_333, 12_345)


@pytest.mark.parametrize(
    "event",
    [Judged(3, "double", (SLAP, SLAP)), Measured(3, SLAP), LateSlap(3, SLAP), AccountLinked(0, "0a1b2c3d4e5f6071", 2)],
)
def test_no_event_tells_the_public_what_only_its_player_may_know(event: PublicEvent) -> None:
    told = Codec[PublicEvent](PublicEvent).encode(redact(event)).decode()  # type: ignore[arg-type]
    assert not [secret for secret in ("41777", "12345", "33333", "41788", "0a1b2c3d4e5f6071") if secret in told]


def test_a_slap_without_measurements_stays_as_it_is() -> None:
    assert rounded(SlapRecord(0, 250_000)) == SlapRecord(0, 250_000)
