"""Tallies: they add up, and lengths go into bins."""

from __future__ import annotations

from ratscrew.lab.tally import BINS, Tally, bin_of, bin_start, strip_zeros


def test_tallies_add_up_part_by_part() -> None:
    one = Tally(games=2, wins=(1,), cards=300, slaps={"double": 3}, lengths=(0, 2))
    other = Tally(games=1, wins=(0, 0, 1), cards=50, slaps={"double": 1, "run": 4}, time_us=7)
    assert one + other == Tally(
        games=3, wins=(1, 0, 1), cards=350, slaps={"double": 4, "run": 4}, time_us=7, lengths=(0, 2)
    )
    assert one + other == other + one
    assert Tally() + one == one


def test_a_sum_of_squares_does_not_overflow() -> None:
    large = Tally(time2_ms=2**62)
    assert (large + large + large).time2_ms == 3 * 2**62


def test_each_length_lies_in_the_bin_that_begins_below_it() -> None:
    for cards in [*range(200), 1_000, 20_000, 20_001]:
        place = bin_of(cards)
        assert bin_start(place) <= cards < bin_start(place + 1)
    assert [bin_start(place) for place in range(14)] == [0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20]
    assert bin_of(2**40) == BINS - 1


def test_zeros_at_the_end_do_not_count() -> None:
    assert strip_zeros((0, 3, 0, 0)) == (0, 3)
    assert strip_zeros((0, 0)) == ()
