"""A wrong slap and what it costs: each consequence of `rules.penalties` has its handler here."""

from __future__ import annotations

from ratscrew.errors import Why
from ratscrew.game.course import Course
from ratscrew.game.decide.ring import before, others
from ratscrew.game.decide.take import take
from ratscrew.game.events import Burned, Eliminated, Fouled, Given, HandBurned, Indebted, Locked, Struck
from ratscrew.game.state import Game
from ratscrew.rules.penalties import Burn, BurnHand, Consequence, Give, Lock, Offence, Owe, PileToLast, Strike


def wrong(course: Course, seat: int) -> None:
    """The seat has slapped wrongly. Turn and chances stay as they are.

    Raises: Refusal (already_won, not_playing) where the house lets it pass: it has no effect.
    """
    game, person = course.game, course.game.people[seat]
    held = game.held(seat) if person.playing else 0
    failed = game.to.phase == "won" and game.to.why == "challenge"
    course.require(not (failed and game.rules.final_card_slap == "free"), Why.ALREADY_WON)
    costs = game.rules.cost(Offence(held, person.strikes, person.fouls))
    course.require(bool(held or costs), Why.NOT_PLAYING)
    stands = any(isinstance(cost, PileToLast) and not cost.literal for cost in costs)
    course.require(not (game.to.phase == "won" and stands), Why.ALREADY_WON)
    course.add(Fouled(seat, _streak(game, seat)))
    for cost in costs:
        _carry_out(course, seat, cost)
    if 0 < game.rules.max_streak < course.game.people[seat].streak:
        cards = course.game.asides[seat] + course.game.hands[seat]
        course.add(Eliminated(seat, len(cards), cards, game.rules.burn_face_up))


def _streak(game: Game, seat: int) -> int:
    """On how many cards in a row the seat has slapped wrongly, this one included."""
    person = game.people[seat]
    if person.streak_n == game.n:
        return person.streak
    return person.streak + 1 if person.streak_n == game.n - 1 else 1


def _carry_out(course: Course, seat: int, cost: Consequence) -> None:
    game = course.game
    match cost:
        case Burn(count, place):
            if cards := game.hands[seat][:count]:
                course.add(Burned(seat, len(cards), cards, place, game.rules.burn_face_up))
        case PileToLast():
            receiver = _last(game, seat)
            if receiver is not None:
                take(course, receiver, "penalty")
        case Give("last_player"):
            receiver = _last(game, seat)
            if receiver is not None:
                _give(course, seat, receiver)
        case Give():
            for receiver in others(game, seat):
                if not game.people[receiver].out:
                    _give(course, seat, receiver)
        case Lock(until):
            course.add(Locked(seat, game.n + until if isinstance(until, int) else until))
        case Strike():
            course.add(Struck(seat, game.people[seat].strikes + 1))
        case BurnHand():
            course.add(HandBurned(seat))
        case Owe(count):
            course.add(Indebted(seat, game.people[seat].debt + count))


def _last(game: Game, seat: int) -> int | None:
    """The player of the newest card; if that is the seat itself or he is out of the game, the player before it."""
    last = game.last
    return before(game, seat) if last is not None and (last == seat or game.people[last].out) else last


def _give(course: Course, seat: int, receiver: int) -> None:
    if course.game.hands[seat]:
        course.add(Given(seat, receiver, course.game.hands[seat][0]))
