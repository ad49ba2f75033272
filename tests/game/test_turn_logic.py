"""Turn and challenge as small ints: what the kernel and the engine share, tried on every small table."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest

from ratscrew.game.turn_logic import (
    CHALLENGE,
    LAST_CHANCE,
    NOT_WON,
    OTHER_PLAYS,
    OTHERWISE,
    PHASES,
    PLAY,
    SOLE_HOLDER,
    STALEMATE,
    WON,
    after_card,
    after_loss,
    goes_on,
    keeps_turn,
    last_chance_of,
    next_holder,
    passed_on,
    run_out,
    waits,
    winner,
)

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
            expected = (PLAY, between[0], by, 2, NOT_WON) if between else (WON, by, -1, 0, CHALLENGE)
            assert run_out(seat, by, 2, held, step) == expected


@pytest.mark.parametrize("step", [1, -1])
def test_somebody_with_cards_plays_or_the_pile_is_won(step: int) -> None:
    for held in TABLES:
        seats = range(len(held))
        for seat, by, left, chances in product(seats, (-1, *seats), (1, 2), (0, 1, 3)):
            if by == seat:
                continue
            state, turn, challenger, chance, why = after_card(seat, chances, by, left, held, step)
            assert state != PLAY or held[turn] > 0
            assert state != PLAY or challenger != turn
            assert (state == PLAY and challenger >= 0) == (chance > 0)
            assert (why == STALEMATE) == (chances == 0 and by < 0 and not any(held))
            assert (why == NOT_WON) == (state == PLAY)
            assert chances == 0 or (challenger if state == PLAY else turn) == seat


def test_who_plays_next_after_a_loss_is_reckoned_from_who_has_lost() -> None:
    assert after_loss(0, -1, 0, 1, (0, 2, 2), 1) == (PLAY, 1, -1, 0, NOT_WON)
    assert after_loss(0, -1, 0, 1, (0, 2, 2), -1) == (PLAY, 2, -1, 0, NOT_WON)
    assert after_loss(0, 1, 3, 1, (0, 2, 2), -1) == (PLAY, 2, 1, 3, NOT_WON)
    assert after_loss(0, 1, 3, 1, (0, 2, 2), 1) == (WON, 1, -1, 0, CHALLENGE)
    assert after_loss(0, -1, 0, 1, (0, 0, 0), 1) == (WON, 1, -1, 0, STALEMATE)


NOBODY_OUT = (0, 0, 0)


@pytest.mark.parametrize(
    ("before", "held", "out", "pile", "after"),
    [
        ((PLAY, 0, -1, 0, NOT_WON), (0, 2, 2), NOBODY_OUT, 1, (PLAY, 1, -1, 0, NOT_WON)),  # no card: the next plays
        ((PLAY, 0, -1, 0, NOT_WON), (3, 2, 2), NOBODY_OUT, 1, (PLAY, 0, -1, 0, NOT_WON)),
        ((PLAY, 0, 2, 3, NOT_WON), (0, 0, 2), NOBODY_OUT, 1, (WON, 2, -1, 0, CHALLENGE)),  # nobody is left to answer
        ((WON, 0, -1, 0, CHALLENGE), (0, 2, 2), (1, 0, 0), 1, (PLAY, 1, -1, 0, NOT_WON)),  # out: the next leads
        ((WON, 1, -1, 0, CHALLENGE), (2, 0, 2), (0, 1, 0), 1, (PLAY, 2, -1, 0, NOT_WON)),
        ((WON, 0, -1, 0, STALEMATE), (0, 0, 0), (1, 0, 0), 1, (WON, 2, -1, 0, STALEMATE)),  # its last player
        ((WON, 0, -1, 0, STALEMATE), (0, 0, 0), (1, 1, 1), 1, (WON, 2, -1, 0, STALEMATE)),
        ((LAST_CHANCE, 0, 1, 2, NOT_WON), (0, 0, 0), NOBODY_OUT, 1, (LAST_CHANCE, 0, 1, 0, NOT_WON)),  # out of cards
        ((PLAY, 0, -1, 0, NOT_WON), (5, 0, 0), NOBODY_OUT, 0, (PLAY, 0, -1, 0, NOT_WON)),
    ],
)
def test_what_follows_by_itself_at_the_end_of_a_command(
    before: tuple[int, ...], held: tuple[int, ...], out: tuple[int, ...], pile: int, after: tuple[int, ...]
) -> None:
    phase, turn, by, left, why = before
    assert passed_on((phase, turn, by, left, why), 2, held, out, pile, 0, 1, 0, 0) == after


def test_a_won_pile_waits_for_its_winner_unless_they_are_out() -> None:
    """Then nothing follows by itself, whoever holds cards, and nobody has won the game yet."""
    assert not any(waits(phase, 0) for phase in PHASES if phase != WON)
    for held, seat, ends in product(TABLES, (0, 1), range(4)):
        for out in product((0, 1), repeat=len(held)):
            if waits(WON, out[seat]):
                standing = (WON, seat, -1, 0, CHALLENGE)
                assert passed_on(standing, 1 - seat, held, out, 1, 0, 1, 0, ends) == standing
                assert winner(WON, held, 1, 0) == -1
            else:
                assert out[seat]


def test_a_player_with_cards_keeps_the_turn_unless_the_endgame_gives_them_the_pile() -> None:
    """Then nothing follows by itself, in a challenge or without one; if there is a pile, nobody has won the game."""
    assert not any(keeps_turn(phase, 1, 1, 0) for phase in PHASES if phase != PLAY)
    for held, by, pile, ends in product(TABLES, (-1, 1), (0, 1), range(4)):
        if keeps_turn(PLAY, held[0], pile, ends):
            standing = (PLAY, 0, by, by + 1, NOT_WON)
            assert passed_on(standing, 1, held, [0] * len(held), pile, 0, 1, 0, ends) == standing
            assert goes_on(PLAY, held[0], pile, ends) == bool(pile)
            assert not pile or winner(PLAY, held, pile, 0) == -1
        else:
            assert not held[0] or (pile and ends & OTHERWISE)


def test_one_player_alone_with_cards_may_end_the_game() -> None:
    """By the bits of the endgame: after a card of their own, or otherwise; never while a challenge runs."""
    alone, won, same = (0, 4, 0), (WON, 1, -1, 0, SOLE_HOLDER), (PLAY, 1, -1, 0, NOT_WON)
    for ends, seat in product(range(4), (0, 1)):
        wins = (
            ends in (OTHER_PLAYS, OTHER_PLAYS + OTHERWISE)
            if seat == 1
            else ends in (OTHERWISE, OTHER_PLAYS + OTHERWISE)
        )
        assert after_card(seat, 0, -1, 0, alone, 1, 0, ends) == (won if wins else same)
    for ends, after in ((0, same), (OTHERWISE, won), (OTHER_PLAYS, same)):
        assert passed_on(same, 0, alone, NOBODY_OUT, 1, 0, 1, 0, ends) == after
    assert passed_on((PLAY, 1, 0, 2, NOT_WON), 0, alone, NOBODY_OUT, 1, 0, 1, 0, 1) == (PLAY, 1, 0, 2, NOT_WON)


def test_who_holds_every_card_wins_unless_a_pile_lies_there_or_may_go_back() -> None:
    assert winner(PLAY, (0, 4, 0), 0, 0) == 1
    assert winner(PLAY, (0, 4, 1), 0, 0) == winner(PLAY, (0, 4, 0), 1, 0) == winner(PLAY, (0, 4, 0), 0, 1) == -1


def test_a_last_chance_is_for_the_loser_of_the_challenge_or_the_next_seat() -> None:
    assert last_chance_of(1, 2, 0, 5, 9, 1, 3) == (LAST_CHANCE, 1, 2, 5, NOT_WON)
    assert last_chance_of(1, 1, 0, 5, 9, -1, 3) == (LAST_CHANCE, 1, 0, 5, NOT_WON)
    assert last_chance_of(1, -1, 1, 5, 3, 1, 3) == (LAST_CHANCE, 1, -1, 3, NOT_WON)
