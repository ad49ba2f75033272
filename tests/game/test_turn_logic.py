"""Turn and challenge as small ints: what the kernel and the engine share, tried on every small table."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest

from ratscrew.game.turn_logic import PLAY, STALE, WON, after_card, after_loss, next_holder, run_out

TABLES = [held for seats in (2, 3, 4) for held in product((0, 1, 2), repeat=seats)]


def around(seat: int, seats: int, step: int) -> Iterator[int]:
    """All other seats, the next one first."""
    return ((seat + step * k) % seats for k in range(1, seats))


@pytest.mark.parametrize("step", [1, -1])
def test_the_next_holder_is_the_next_seat_with_cards_at_last_oneself(step: int) -> None:
    for held in TABLES:
        for seat in range(len(held)):
            with_cards = [other for other in (*around(seat, len(held), step), seat) if held[other]]
            assert next_holder(seat, held, step) == (with_cards[0] if with_cards else -1)


@pytest.mark.parametrize("step", [1, -1])
def test_chances_run_on_to_the_next_seat_with_cards_before_the_challenger(step: int) -> None:
    for held in TABLES:
        for seat, by in product(range(len(held)), repeat=2):
            if seat == by:
                continue
            others = list(around(seat, len(held), step))
            between = [other for other in others[: others.index(by)] if held[other]]
            expected = (PLAY, between[0], by, 2) if between else (WON, by, by, 0)
            assert run_out(seat, by, 2, held, step) == expected


@pytest.mark.parametrize("step", [1, -1])
def test_somebody_with_cards_plays_or_the_pile_is_won(step: int) -> None:
    for held in TABLES:
        seats = range(len(held))
        for seat, by, left, chances in product(seats, (-1, *seats), (1, 2), (0, 1, 3)):
            if by == seat:
                continue
            state, turn, challenger, chance = after_card(seat, chances, by, left, held, step)
            assert state != PLAY or held[turn] > 0
            assert state != PLAY or challenger != turn
            assert (state == PLAY and challenger >= 0) == (chance > 0)
            assert (state == STALE) == (chances == 0 and by < 0 and not any(held))
            assert chances == 0 or challenger == seat


def test_who_plays_next_after_a_loss_is_reckoned_from_who_has_lost() -> None:
    assert after_loss(0, -1, 0, 1, (0, 2, 2), 1) == (PLAY, 1, -1, 0)
    assert after_loss(0, -1, 0, 1, (0, 2, 2), -1) == (PLAY, 2, -1, 0)
    assert after_loss(0, 1, 3, 1, (0, 2, 2), -1) == (PLAY, 2, 1, 3)
    assert after_loss(0, 1, 3, 1, (0, 2, 2), 1) == (WON, 1, 1, 0)
    assert after_loss(0, -1, 0, 1, (0, 0, 0), 1) == (STALE, 1, -1, 0)
