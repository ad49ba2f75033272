"""What every command may bring about: who had to play has no card left, or somebody holds them all."""

from __future__ import annotations

from ratscrew.game.decide.turn_order import after_loss, following_seats, next_seat, stalemate_standing
from ratscrew.game.event_builder import EventBuilder
from ratscrew.game.events import Passed, Spared, Taken, Won
from ratscrew.game.standing import Standing
from ratscrew.game.state import Game


def apply_end_conditions(builder: EventBuilder) -> None:
    """Let play go on to somebody who can play, or end."""
    game = builder.game
    if game.to.phase == "play" and not game.held(game.to.turn) and not _holds_all(builder):
        builder.add(Passed(after_loss(game)))
    elif game.to.phase == "last" and game.to.left and not game.held(game.to.turn):
        builder.add(Passed(Standing("last", game.to.turn, game.to.by, 0)))
    if (after := _after_exit(builder.game)) != builder.game.to:
        builder.add(Passed(after))
    if _ends_alone(builder.game):
        builder.add(Passed(Standing("won", builder.game.holders[0], why="sole_holder")))
    if _holds_all(builder):
        _end(builder)


def _after_exit(game: Game) -> Standing:
    """Where play stands once the player for whom a pile waits may have been thrown out: the next one leads."""
    if game.to.phase not in ("won", "last") or not game.seat_states[game.to.turn].out:
        return game.to
    leader = next((seat for seat in following_seats(game, game.to.turn) if game.held(seat)), None)
    return stalemate_standing(game) if leader is None else Standing("play", leader)


def _holds_all(builder: EventBuilder) -> bool:
    """Whether somebody holds every card, and nobody can say that he has them by cheating."""
    game = builder.game
    return game.to.phase == "play" and not game.pile and game.theft is None and len(game.holders) == 1


def _ends_alone(game: Game) -> bool:
    """Whether one player alone holds cards, under no challenge, in a house that ends the game there."""
    now = game.to
    alone = game.rules.endgame == "sole_holder" and len(game.holders) == 1
    return alone and now.phase == "play" and now.by is None and bool(game.pile)


def _end(builder: EventBuilder) -> None:
    """Who holds every card has won; after a challenge the house may leave the others a last chance."""
    game = builder.game
    seat, taken = game.holders[0], [event for event in builder.events if isinstance(event, Taken)]
    if game.rules.last_chance and taken and taken[-1].why == "challenge":
        alone = game.rules.last_chance_who == "opponent"
        left = min(game.rules.last_chance, game.held(seat))
        builder.add(Spared(seat, Standing("last", seat, _opponent(builder, seat) if alone else None, left)))
    else:
        builder.add(Won(seat, Standing("over", seat)))


def _opponent(builder: EventBuilder, seat: int) -> int:
    """Who failed the last challenge of a seat: who turned the last card, or had none to answer with."""
    last = builder.before.last
    return next_seat(builder.before, seat) if last is None or last == seat else last
