"""A pass brings seats to another device once, within ten minutes, unless a newer one was made."""

from __future__ import annotations

from ratscrew.table.room.seat_passes import LASTS_US, PASSES_MOST, SeatPasses


def test_a_pass_is_used_once() -> None:
    passes = SeatPasses()
    text = passes.create([0, 3], 1)
    assert passes.redeem(text, 2) == (0, 3)
    assert passes.redeem(text, 2) == ()


def test_a_pass_lasts_ten_minutes() -> None:
    passes = SeatPasses()
    first, second = (passes.create([player_id], 0) for player_id in (0, 1))
    assert LASTS_US == 10 * 60 * 1_000_000
    assert passes.redeem(first, LASTS_US - 1) == (0,)
    assert passes.redeem(second, LASTS_US) == ()


def test_a_new_pass_revokes_the_ones_before_for_the_same_seat() -> None:
    passes = SeatPasses()
    old, other, new = passes.create([0, 1], 0), passes.create([2], 0), passes.create([1], 0)
    assert [passes.redeem(text, 1) for text in (old, other, new)] == [(), (2,), (1,)]


def test_a_text_that_is_no_pass_brings_nothing() -> None:
    passes = SeatPasses()
    assert [passes.redeem(text, 0) for text in ("", "x", "\ud800", "0.1.x")] == [()] * 4
    assert SeatPasses().redeem(passes.create([0], 0), 0) == ()


def test_a_room_remembers_a_bounded_number_of_passes() -> None:
    passes = SeatPasses()
    texts = [passes.create([player_id], 0) for player_id in range(PASSES_MOST + 1)]
    assert passes.redeem(texts[0], 0) == ()
    assert passes.redeem(texts[1], 0) == (1,)
