"""The end of every command: passes a seat without cards over, and ends the game if one seat holds every card."""

from __future__ import annotations

from ratscrew.game.decide.turn_order import after_loss, following_seats, next_seat, stalemate_standing
from ratscrew.game.event_builder import EventBuilder
from ratscrew.game.events import LastChanceGiven, Passed, Taken, Won
from ratscrew.game.standing import Standing
from ratscrew.game.state import Game


def apply_end_conditions(builder: EventBuilder) -> None:
    """Pass the turn to a seat that can play, or end the game."""
    game = builder.game
    now = game.standing
    if now.phase == "play" and not game.cards_held(now.turn) and not _holds_all(builder):
        builder.add(Passed(after_loss(game)))
    elif now.phase == "last_chance" and now.chances_left and not game.cards_held(now.turn):
        builder.add(Passed(Standing("last_chance", now.turn, now.challenger, 0)))
    if (after := _after_exit(builder.game)) != builder.game.standing:
        builder.add(Passed(after))
    if _ends_alone(builder.game):
        builder.add(Passed(Standing("won", builder.game.holders[0], reason="sole_holder")))
    if _holds_all(builder):
        _end(builder)


def _after_exit(game: Game) -> Standing:
    """The standing if the player for whom a pile waits has been eliminated: the next one leads."""
    if game.standing.phase not in ("won", "last_chance") or not game.seat_states[game.standing.turn].out:
        return game.standing
    leader = next((seat for seat in following_seats(game, game.standing.turn) if game.cards_held(seat)), None)
    return stalemate_standing(game) if leader is None else Standing("play", leader)


def _holds_all(builder: EventBuilder) -> bool:
    """Whether one seat holds every card, and no false pickup can still be noticed."""
    game = builder.game
    return game.standing.phase == "play" and not game.pile and game.theft is None and len(game.holders) == 1


def _ends_alone(game: Game) -> bool:
    """Whether only one player holds cards, without a challenge, in a house that ends the game there."""
    now = game.standing
    alone = game.rules.endgame == "sole_holder" and len(game.holders) == 1
    return alone and now.phase == "play" and now.challenger is None and bool(game.pile)


def _end(builder: EventBuilder) -> None:
    """The seat that holds every card wins; after a challenge the house may give the others a last chance."""
    game = builder.game
    seat, taken = game.holders[0], [event for event in builder.events if isinstance(event, Taken)]
    if game.rules.last_chance and taken and taken[-1].reason == "challenge":
        alone = game.rules.last_chance_who == "opponent"
        left = min(game.rules.last_chance, game.cards_held(seat))
        builder.add(
            LastChanceGiven(seat, Standing("last_chance", seat, _opponent(builder, seat) if alone else None, left))
        )
    else:
        builder.add(Won(seat, Standing("over", seat)))


def _opponent(builder: EventBuilder, seat: int) -> int:
    """The seat that failed the last challenge: it turned the last card, or had none to answer with."""
    last = builder.before.last
    return next_seat(builder.before, seat) if last is None or last == seat else last
