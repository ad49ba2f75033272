"""Measuring a slap: the connection by which it came, and the round trip that counts for it."""

from __future__ import annotations

import pytest

from ratscrew.bots.ladder import bot
from ratscrew.judge.credit import Credit
from ratscrew.judge.page_state import PageState
from ratscrew.judge.rtt_estimator import RttEstimator
from ratscrew.table.record.entries import Appearance
from ratscrew.table.session.seat import Seat
from ratscrew.table.session.slap_measurement import Press, measure
from ratscrew.table.state.rejudge import credit_after
from ratscrew.table.state.table_state import Occupant

MS = 1_000
REVEAL_US = 10_000 * MS


def far(rtt_ms: int) -> Seat:
    """A player with this round trip, whose page's clock agrees with ours; card 1 was shown there."""
    page_state = PageState(RttEstimator().with_sample(0, rtt_ms * MS, rtt_ms * MS // 2))
    page_state.add_card(1, REVEAL_US, 500 * MS)
    page_state.record_paint(1, REVEAL_US, REVEAL_US + rtt_ms * MS)
    seat = Seat(Occupant("Ana", Appearance(0, "palm"), 0), bot)
    seat.page_state = page_state
    return seat


@pytest.mark.parametrize(
    ("second_ms", "counted_ms"),
    [
        (None, 80),  # it came by the page's own connection
        (20, 20),  # the second connection is known to take no more than that
        (300, 80),  # one that was made slow on purpose gains nothing
    ],
)
def test_a_round_trip_is_the_shorter_of_both_ways(second_ms: int | None, counted_ms: int) -> None:
    """The hand arrives 400 ms after the card. The estimate is that less half of the round trip."""
    most_us = None if second_ms is None else second_ms * MS
    press = Press(REVEAL_US + 400 * MS, REVEAL_US, REVEAL_US + 350 * MS, most_us)
    weight = measure(far(80), 1, REVEAL_US, press)
    assert weight.proof is not None
    assert weight.proof.rtt_us == counted_ms * MS
    assert weight.judgement.estimate_us == 400 * MS - counted_ms * MS // 2


def test_what_the_page_says_of_its_frames_is_in_the_proof() -> None:
    player, press = far(80), Press(REVEAL_US + 400 * MS, REVEAL_US, REVEAL_US + 350 * MS)
    unknown = measure(player, 1, REVEAL_US, press).proof
    assert player.page_state is not None
    player.page_state.frame_us = 33 * MS
    known = measure(player, 1, REVEAL_US, press).proof
    assert unknown is not None
    assert known is not None
    assert (unknown.frame_us, known.frame_us) == (None, 33 * MS)


def test_a_slap_is_charged_to_the_credit_of_the_moment_in_which_it_is_logged() -> None:
    """Another slap of the player may be logged in between: each takes its own excess from the purse, none twice."""
    player, credit = far(80), Credit(purse_us=60 * MS)
    press = Press(REVEAL_US + 400 * MS, REVEAL_US, REVEAL_US + 300 * MS)  # 360 ms by the server, 300 by the page
    first, second = measure(player, 1, REVEAL_US, press), measure(player, 1, REVEAL_US, press)
    assert first.judgement.excess_us == 60 * MS
    assert first.proof
    assert second.proof
    after_first = credit_after(first.proof, credit)
    assert after_first.purse_us == (60 - (60 - 25)) * MS  # 25 ms are free
    assert credit_after(second.proof, after_first).purse_us == 0
