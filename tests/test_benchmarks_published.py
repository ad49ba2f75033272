"""Turns are counted as the program counts them whose figures are compared."""

from __future__ import annotations

import numpy as np

from benchmarks.published import turns
from ratscrew.lab.kernel import trace


def test_cards_that_a_player_pays_are_one_turn_and_the_last_turn_has_no_card() -> None:
    """A turns a two, B pays two cards, A takes them and turns a card, B turns an ace, and A has no card to pay with."""
    cards = [(trace.PLAYED, seat) for seat in (0, 1, 1, 0, 1)]
    rows = [(0, kind, seat, -1, 0) for kind, seat in [*cards, (trace.WON, 1)]]
    assert turns(np.array(rows)) == 1 + 4 + 1


def test_a_player_who_turns_the_last_card_and_loses_has_no_turn_more() -> None:
    rows = [(0, kind, seat, -1, 0) for kind, seat in [(trace.PLAYED, 0), (trace.PLAYED, 1), (trace.WON, 0)]]
    assert turns(np.array(rows)) == 1 + 2
