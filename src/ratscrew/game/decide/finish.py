"""What every command may bring about: who had to play has no card left, or somebody holds them all."""

from __future__ import annotations

from ratscrew.game.course import Course
from ratscrew.game.decide.ring import after_loss, next_seat, others, stalemate
from ratscrew.game.events import Passed, Spared, Taken, Won
from ratscrew.game.standing import Standing
from ratscrew.game.state import Game


def finish(course: Course) -> None:
    """Let play go on to somebody who can play, or end."""
    game = course.game
    if game.to.phase == "play" and not game.held(game.to.turn) and not _holds_all(course):
        course.add(Passed(after_loss(game)))
    elif game.to.phase == "last" and game.to.left and not game.held(game.to.turn):
        course.add(Passed(Standing("last", game.to.turn, game.to.by, 0)))
    if (after := _after_exit(course.game)) != course.game.to:
        course.add(Passed(after))
    if _ends_alone(course.game):
        course.add(Passed(Standing("won", course.game.holders[0], why="sole_holder")))
    if _holds_all(course):
        _end(course)


def _after_exit(game: Game) -> Standing:
    """Where play stands once the player for whom a pile waits may have been thrown out: the next one leads."""
    if game.to.phase not in ("won", "last") or not game.people[game.to.turn].out:
        return game.to
    leader = next((seat for seat in others(game, game.to.turn) if game.held(seat)), None)
    return stalemate(game) if leader is None else Standing("play", leader)


def _holds_all(course: Course) -> bool:
    """Whether somebody holds every card, and nobody can say that he has them by cheating."""
    game = course.game
    return game.to.phase == "play" and not game.pile and game.theft is None and len(game.holders) == 1


def _ends_alone(game: Game) -> bool:
    """Whether one player alone holds cards, under no challenge, in a house that ends the game there."""
    now = game.to
    alone = game.rules.endgame == "sole_holder" and len(game.holders) == 1
    return alone and now.phase == "play" and now.by is None and bool(game.pile)


def _end(course: Course) -> None:
    """Who holds every card has won; after a challenge the house may leave the others a last chance."""
    game = course.game
    seat, taken = game.holders[0], [event for event in course.events if isinstance(event, Taken)]
    if game.rules.last_chance and taken and taken[-1].why == "challenge":
        alone = game.rules.last_chance_who == "opponent"
        left = min(game.rules.last_chance, game.held(seat))
        course.add(Spared(seat, Standing("last", seat, _opponent(course, seat) if alone else None, left)))
    else:
        course.add(Won(seat, Standing("over", seat)))


def _opponent(course: Course, seat: int) -> int:
    """Who failed the last challenge of a seat: who turned the last card, or had none to answer with."""
    last = course.before.last
    return next_seat(course.before, seat) if last is None or last == seat else last
