"""A pass brings seats to another device once, within ten minutes, unless a newer one was made."""

from __future__ import annotations

from ratscrew.table.rooms.seat_passes import LASTS_US, PASSES_MOST, Passes


def test_a_pass_is_used_once() -> None:
    passes = Passes()
    text = passes.make([0, 3], 1)
    assert passes.take(text, 2) == (0, 3)
    assert passes.take(text, 2) == ()


def test_a_pass_lasts_ten_minutes() -> None:
    passes = Passes()
    first, second = (passes.make([player_id], 0) for player_id in (0, 1))
    assert LASTS_US == 10 * 60 * 1_000_000
    assert passes.take(first, LASTS_US - 1) == (0,)
    assert passes.take(second, LASTS_US) == ()


def test_a_new_pass_revokes_the_ones_before_for_the_same_seat() -> None:
    passes = Passes()
    old, other, new = passes.make([0, 1], 0), passes.make([2], 0), passes.make([1], 0)
    assert [passes.take(text, 1) for text in (old, other, new)] == [(), (2,), (1,)]


def test_a_text_that_is_no_pass_brings_nothing() -> None:
    passes = Passes()
    assert [passes.take(text, 0) for text in ("", "x", "\ud800", "0.1.x")] == [()] * 4
    assert Passes().take(passes.make([0], 0), 0) == ()


def test_a_room_remembers_a_bounded_number_of_passes() -> None:
    passes = Passes()
    texts = [passes.make([player_id], 0) for player_id in range(PASSES_MOST + 1)]
    assert passes.take(texts[0], 0) == ()
    assert passes.take(texts[1], 0) == (1,)
