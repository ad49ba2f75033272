"""Decisions about turns, challenges and the end of a game as functions of small ints, so that numba can compile them.

`held` is how many cards each seat holds after the card has left the hand; `step` is +1 or -1, the direction of
play. A result is a standing `(phase, turn, by, left, why)`: `by` is the challenger's seat or -1, `left` the chances
left, `why` how a pile was won or `NOT_WON`. Options of the house are ints: `challenger_takes` is 1 if a challenge has
failed as soon as the player who must answer has no card. `ends` is when a player who alone holds cards wins a pile as
large as the present one, by `rules.endgames.ends_alone`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

PHASES = PLAY, WON, LAST_CHANCE, SETTLING, OVER = 0, 1, 2, 3, 4
"""Phases: a card has to be turned; a pile waits to be taken; a last chance; a claim, a tie or a pickup; the end."""

CHALLENGE, SOLE_HOLDER, STALEMATE = range(3)
NOT_WON = -1
"""Why a pile is won: a challenge has failed; one player alone holds cards; nobody does, and there is no challenge."""

OTHERWISE, OTHER_PLAYS, AT_ONCE = 1, 2, 4
"""When a player who alone holds cards wins the pile, as bits: when another player has to play and cannot, as after the
holder's own card, or otherwise. `AT_ONCE`: players without cards are out, with their challenges, and the last with
cards has won."""

RawStanding: TypeAlias = tuple[int, int, int, int, int]


def next_holder(seat: int, held: Sequence[int], step: int) -> int:
    """The next seat after `seat` that holds cards (`seat` itself comes last), or -1 if none does."""
    other = seat
    for _ in range(len(held)):
        other = neighbour(other, step, len(held))
        if held[other] > 0:
            return other
    return -1


def sole_holder(held: Sequence[int]) -> int:
    """The only seat that holds cards, or -1."""
    found = -1
    for seat in range(len(held)):
        if held[seat] > 0:
            if found >= 0:
                return -1
            found = seat
    return found


def neighbour(seat: int, step: int, seats: int) -> int:
    """The seat next to `seat` in a circle. Called for every card of millions of games, so it avoids division."""
    other = seat + step
    if other == seats:
        return 0
    return seats - 1 if other < 0 else other


def after_card(
    seat: int,
    chances: int,
    by: int,
    left: int,
    held: Sequence[int],
    step: int,
    challenger_takes: int = 0,
    ends: int = 0,
) -> RawStanding:
    """The standing after `seat` has turned a card that gives `chances` (0 for an ordinary card)."""
    if ends & AT_ONCE and chances > 0 and held[seat] == 0:
        chances, by = 0, -1
    if chances == 0 and by >= 0:
        if left != 1 and held[seat] == 0:
            return run_out(seat, by, left - 1, held, step, challenger_takes)
        return among_holders(seat, chances, by, left, seat)
    to = next_holder(seat, held, step)
    if to < 0 or (chances > 0 and to == seat):
        return WON, seat, -1, 0, CHALLENGE if chances > 0 else STALEMATE
    if ends and chances == 0:
        holder = sole_holder(held)
        if holder >= 0 and ends & (OTHER_PLAYS if holder == seat else OTHERWISE):
            return WON, holder, -1, 0, SOLE_HOLDER
    return among_holders(seat, chances, by, left, to)


def among_holders(seat: int, chances: int, by: int, left: int, to: int) -> RawStanding:
    """The standing after a card of `seat`, which still holds cards if it must answer, where `to` is the next holder."""
    if chances > 0:
        return PLAY, to, seat, chances, NOT_WON
    if by < 0:
        return PLAY, to, -1, 0, NOT_WON
    if left == 1:
        return WON, by, -1, 0, CHALLENGE
    return PLAY, seat, by, left - 1, NOT_WON


def run_out(seat: int, by: int, left: int, held: Sequence[int], step: int, challenger_takes: int = 0) -> RawStanding:
    """The standing when `seat`, which had to answer, has no card left: the next seat goes on with the chances.

    The challenger never answers their own card: when the turn would come back to them, they have won the pile.
    """
    other = seat
    for _ in range(0 if challenger_takes else len(held) - 1):
        other = neighbour(other, step, len(held))
        if other == by:
            break
        if held[other] > 0:
            return PLAY, other, by, left, NOT_WON
    return WON, by, -1, 0, CHALLENGE


def after_loss(
    turn: int, by: int, left: int, last: int, held: Sequence[int], step: int, challenger_takes: int = 0
) -> RawStanding:
    """The standing when the seat `turn`, which has to play, has lost its last card other than by playing.

    `last` is the seat that turned the newest card, or -1.
    """
    if by >= 0:
        return run_out(turn, by, left, held, step, challenger_takes)
    to = next_holder(turn, held, step)
    if to < 0:
        return WON, turn if last < 0 else last, -1, 0, STALEMATE
    return PLAY, to, -1, 0, NOT_WON


def after_exit(turn: int, last: int, held: Sequence[int], out: Sequence[int], step: int) -> RawStanding:
    """The standing when the player for whom a pile waits has been eliminated: the next player with cards leads.

    If nobody holds a card, the pile waits for the player of its last card, or the next one who is not out either.
    """
    leader = next_holder(turn, held, step)
    if leader >= 0:
        return PLAY, leader, -1, 0, NOT_WON
    heir = turn if last < 0 else last
    for _ in range(len(held)):
        if out[heir]:
            heir = neighbour(heir, step, len(held))
    return WON, heir, -1, 0, STALEMATE


def goes_on(phase: int, held: int, pile: int, ends: int) -> bool:
    """Whether play surely goes on as it stands, as it mostly does: the seat in turn keeps it, and there is a pile."""
    return bool(pile and keeps_turn(phase, held, pile, ends))


def keeps_turn(phase: int, held: int, pile: int, ends: int) -> bool:
    """Whether the seat in turn surely keeps the turn: it has cards, and no endgame gives the pile away."""
    return bool(phase == PLAY and held > 0 and not (pile and ends & OTHERWISE))


def waits(phase: int, out: int) -> bool:
    """Whether a won pile surely waits for the seat in turn, as it mostly does: that player is not out."""
    return bool(phase == WON and not out)


def passed_on(
    standing: RawStanding,
    last: int,
    held: Sequence[int],
    out: Sequence[int],
    pile: int,
    theft: int,
    step: int,
    challenger_takes: int,
    ends: int,
) -> RawStanding:
    """The standing that follows by itself at the end of a command; the same one if none does.

    `pile` says whether one lies there, `theft` whether one can still be given back.
    """
    phase, turn, by, left, _ = standing
    if phase == PLAY and by >= 0 and held[by] == 0 and ends & AT_ONCE:
        return PLAY, turn, -1, 0, NOT_WON
    holder = sole_holder(held)
    if phase == PLAY:
        if held[turn] == 0 and by < 0 and pile and ends & OTHER_PLAYS and holder >= 0:
            return WON, holder, -1, 0, SOLE_HOLDER
        if held[turn] == 0 and (pile or theft or holder < 0):
            return after_loss(turn, by, left, last, held, step, challenger_takes)
        if by < 0 and pile and ends & OTHERWISE and holder >= 0:
            return WON, holder, -1, 0, SOLE_HOLDER
    elif phase == LAST_CHANCE and left and held[turn] == 0:
        return LAST_CHANCE, turn, by, 0, NOT_WON
    if phase in (WON, LAST_CHANCE) and out[turn]:
        return after_exit(turn, last, held, out, step)
    return standing


def winner(phase: int, held: Sequence[int], pile: int, theft: int, ends: int = 0) -> int:
    """The seat that holds every card, or alone holds cards where others are out at once; -1 if none does."""
    if ends & AT_ONCE and phase in (PLAY, WON) and not theft:
        return sole_holder(held)
    return -1 if phase != PLAY or pile or theft else sole_holder(held)


def most_cards(held: Sequence[int]) -> int:
    """The seat that holds the most cards, or -1 if several hold as many."""
    most, found = 0, -1
    for seat in range(len(held)):
        if held[seat] > most:
            most, found = held[seat], seat
        elif held[seat] == most:
            found = -1
    return found


def last_chance_of(seat: int, loser: int, anyone: int, cards: int, held: int, step: int, seats: int) -> RawStanding:
    """The standing of a last chance: `seat` turns `cards` more, or as many as it holds.

    It is for `loser` alone, who failed the challenge, unless for `anyone`. If nobody did, it is for the next seat.
    """
    by = -1
    if not anyone:
        by = neighbour(seat, step, seats) if loser < 0 or loser == seat else loser
    return LAST_CHANCE, seat, by, min(cards, held), NOT_WON
