"""Draws that nobody can foresee are uniform, also where many are taken from one reading."""

from __future__ import annotations

import pytest

from ratscrew.table.room.secure_draw import SecureDraw


@pytest.mark.parametrize("below", [1, 2, 100, 70_000])
def test_secure_draws_are_below_their_bound_and_as_often_high_as_low(below: int) -> None:
    """Of 6,000 draws, 3,000 are expected in each half, with a standard deviation of 39."""
    draw = SecureDraw()
    drawn = [draw(below) for _ in range(6000)]
    assert set(drawn) <= set(range(below))
    assert set(drawn) == set(range(below)) or below > 100
    assert below == 1 or sum(2 * number >= below for number in drawn) == pytest.approx(3000, abs=5 * 39)
