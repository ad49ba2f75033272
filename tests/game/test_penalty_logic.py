"""Penalties as small ints: what the engine and the kernel share, worked by hand."""

from __future__ import annotations

import pytest

from ratscrew.game.penalty_logic import (
    BURN,
    BURN_HAND,
    EVERYBODY,
    GIVE,
    LAST_PLAYER,
    LOCK,
    NOTHING,
    OWE,
    STRIKE,
    TAKE,
    UNTIL_TAKEN,
    Move,
    has_receiver,
    is_eliminated,
    lock_end,
    move_count,
    penalty_move,
    penalty_refusal,
    receiver,
    streak_after,
)
from ratscrew.game.slap_logic import COUNTS, FOREVER, NOT_PLAYING, WON_ALREADY
from ratscrew.game.turn_logic import PLAY, WON

HELD, NOBODY_OUT = [5, 4, 0, 3], [0, 0, 0, 0]


def move(kind: int, number: int, to: int = 3, in_hand: int = 4) -> Move:
    """A move at card 7, of a player with two strikes who owes a card."""
    return penalty_move(kind, number, to, n=7, in_hand=in_hand, strikes=2, debt=1)


@pytest.mark.parametrize(
    ("kind", "number", "amount"),
    [
        (BURN, 3, 3),
        (BURN, 9, 4),  # no more than there are
        (LOCK, 2, 9),
        (LOCK, UNTIL_TAKEN, UNTIL_TAKEN),
        (STRIKE, 0, 3),
        (BURN_HAND, 0, 0),
        (OWE, 2, 3),
        (TAKE, 1, 1),
        (GIVE, 1, 1),
    ],
)
def test_a_consequence_is_a_move(kind: int, number: int, amount: int) -> None:
    assert move_count(kind, LAST_PLAYER, 4) == 1
    assert move(kind, number) == (kind, amount)
    assert has_receiver(kind) == (kind in (TAKE, GIVE))


@pytest.mark.parametrize(("step", "to"), [(1, [2, 3, 0]), (-1, [0, 3, 2])])
def test_a_card_for_everybody_goes_round_from_the_next_player(step: int, to: list[int]) -> None:
    moves = range(move_count(GIVE, EVERYBODY, 4))
    assert [receiver(EVERYBODY, at, 1, 3, HELD, NOBODY_OUT, step) for at in moves] == to


def test_players_who_are_out_get_nothing_and_nobody_gives_what_they_do_not_have() -> None:
    assert receiver(EVERYBODY, 0, 1, 3, HELD, [0, 0, 1, 0], 1) == -1
    for kind in (TAKE, GIVE):
        assert move(kind, 1, to=-1) == (NOTHING, 0)
    for kind in (BURN, GIVE):
        assert move(kind, 1, in_hand=0) == (NOTHING, 0)
    assert move(TAKE, 0, in_hand=0) == (TAKE, 1)


@pytest.mark.parametrize(
    ("last", "held", "step", "to"),
    [
        (-1, [5, 4, 0, 3], 1, -1),  # the pile has no newest card
        (1, [5, 4, 0, 3], 1, 0),  # one's own card: the holder before
        (1, [0, 4, 0, 3], 1, 3),
        (1, [5, 4, 0, 3], -1, 3),
        (2, [5, 4, 0, 3], 1, 2),  # without cards, but not out
        (1, [0, 4, 0, 0], 1, -1),  # nobody else holds cards
    ],
)
def test_the_player_of_the_newest_card_gets_it_or_the_holder_before(
    last: int, held: list[int], step: int, to: int
) -> None:
    assert receiver(LAST_PLAYER, 0, 1, last, held, NOBODY_OUT, step) == to


def test_what_a_player_who_is_out_would_get_goes_to_the_holder_before_the_offender() -> None:
    assert receiver(LAST_PLAYER, 0, 1, 3, HELD, [0, 0, 0, 1], 1) == 0


@pytest.mark.parametrize(
    ("phase", "failed", "final_free", "held", "costs", "undoes", "why"),
    [
        (PLAY, 0, 1, 5, 1, 1, COUNTS),
        (WON, 1, 1, 5, 1, 0, WON_ALREADY),  # the house allows it
        (WON, 1, 0, 5, 1, 0, COUNTS),
        (WON, 0, 0, 5, 1, 1, WON_ALREADY),  # it would take the pile from its winner
        (PLAY, 0, 0, 0, 0, 0, NOT_PLAYING),  # no cards, and no penalty for that
        (PLAY, 0, 0, 5, 0, 0, COUNTS),
    ],
)
def test_a_wrong_slap_has_an_effect_or_not(
    phase: int, failed: int, final_free: int, held: int, costs: int, undoes: int, why: int
) -> None:
    assert penalty_refusal(phase, failed, final_free, held, costs, undoes) == why


def test_a_streak_is_of_cards_in_a_row() -> None:
    assert [streak_after(2, before, 9) for before in (9, 8, 7, -1)] == [2, 3, 1, 1]
    assert [is_eliminated(most, 3) for most in (0, 2, 3)] == [False, True, False]


def test_a_lock_is_for_so_many_cards_or_for_ever() -> None:
    assert (lock_end(7, 2), lock_end(7, FOREVER)) == (9, FOREVER)
