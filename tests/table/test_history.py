"""A game read from its log: the piles that could be slapped are those that any player was allowed to slap."""

from __future__ import annotations

import pytest

from ratscrew.game import notation
from ratscrew.table.history.history import Opening, history
from ratscrew.table.record.entries import Entry, Sat

KINGS = """ratscrew 1
house 1;classic{}
hand 1 KS 2C 3C
hand 2 KH 4C
lead 1
1:KS 2:KH
"""
"""Bo beats Ana's king with a king: a double, while a challenge runs."""


@pytest.mark.parametrize(
    ("house", "openings"),
    [("", (Opening(5, "double"),)), (";slap_window=not_during_challenge", ())],
    ids=["a house that lets one slap it", "a house that does not"],
)
def test_a_double_in_a_challenge_could_be_slapped_where_the_house_lets_one(
    house: str, openings: tuple[Opening, ...]
) -> None:
    told = [Sat(0, "Ana"), Sat(1, "Bo"), *notation.read_game(KINGS.format(house)).events]
    assert history([Entry(0, event) for event in told]).openings == openings
