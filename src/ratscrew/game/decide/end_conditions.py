"""The end of every command: passes a seat without cards over, and ends a game that is won, at its limit, or repeats.

The decisions are those of `turn_logic`.
"""

from __future__ import annotations

from ratscrew.game.decide.take import take
from ratscrew.game.decide.turn_order import last_chance_of, most_cards, passed_on, standing_stays, winner
from ratscrew.game.event_builder import EventBuilder
from ratscrew.game.events import Drawn, LastChanceGiven, Passed, Taken, Won
from ratscrew.game.standing import Standing


def apply_end_conditions(builder: EventBuilder) -> None:
    """Pass the turn to a seat that can play, or end the game."""
    if not standing_stays(builder.game):
        while (after := passed_on(builder.game)) is not builder.game.standing:
            builder.add(Passed(after))
    if (seat := winner(builder.game)) is not None:
        if builder.game.pile:
            take(builder, seat, "sole_holder")
        _end(builder, seat)
    elif builder.game.standing.phase == "play" and not builder.game.pile:
        _end_early(builder)


def _end(builder: EventBuilder, seat: int) -> None:
    """The seat that holds every card wins; after a challenge the house may give the others a last chance."""
    game, taken = builder.game, [event for event in builder.events if isinstance(event, Taken)]
    if game.rules.last_chance and taken and taken[-1].reason == "challenge":
        builder.add(LastChanceGiven(seat, last_chance_of(game, seat, builder.before.loser)))
    else:
        builder.add(Won(seat, Standing("over", seat)))


def _end_early(builder: EventBuilder) -> None:
    """With nothing on the table, a game that has reached its limit is won by most cards; one that repeats is a draw."""
    game = builder.game
    if game.checkpoint and game.checkpoint.repeated:
        builder.add(Drawn(Standing("over", game.standing.turn), "repetition"))
    elif game.limit and game.n >= game.limit:
        seat = most_cards(game)
        if seat is None:
            builder.add(Drawn(Standing("over", game.standing.turn), "limit"))
        else:
            builder.add(Won(seat, Standing("over", seat), "limit"))
