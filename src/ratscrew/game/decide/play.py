"""Turning a card: in turn, out of turn, before its time."""

from __future__ import annotations

from ratscrew.errors import Why
from ratscrew.game.course import Course
from ratscrew.game.decide.ring import after_card
from ratscrew.game.events import Burned, Exposed, Misplayed, Played
from ratscrew.game.standing import Standing


def play(course: Course, seat: int, at_ms: int | None = None) -> None:
    """The seat turns its next card: onto the pile if it is its turn, else as the house has it.

    Raises: Refusal (not_your_turn, no_cards).
    """
    now = course.game.to
    if now.turn == seat and (now.phase == "play" or (now.phase == "last" and now.left)):
        turn_card(course, at_ms)
    else:
        _out_of_turn(course, seat)


def reveal(course: Course, seat: int) -> None:
    """The seat shows its next card early; in its turn that is playing it.

    Raises: Refusal (not_your_turn, no_cards).
    """
    now = course.game.to
    if now.phase == "play" and now.turn == seat and not course.game.asides[seat]:
        turn_card(course)
    else:
        _out_of_turn(course, seat)


def place(course: Course, owner: int) -> None:
    """Somebody lays a card that lies aside onto the pile, for its owner whose turn it is.

    Raises: Refusal (not_your_turn, nothing_aside).
    """
    game = course.game
    course.require(0 <= owner < len(game.hands), Why.NOT_PLAYING)
    course.require(game.to.phase == "play" and game.to.turn == owner, Why.NOT_YOUR_TURN)
    course.require(bool(game.asides[owner]), Why.NOTHING_ASIDE)
    turn_card(course)


def turn_card(course: Course, at_ms: int | None = None) -> None:
    """Who has to play turns a card: the first of those aside, else the top one."""
    game, now = course.game, course.game.to
    seat = now.turn
    aside = bool(game.asides[seat])
    card = game.asides[seat][0] if aside else game.hands[seat][0]
    if now.phase == "last":
        course.add(Played(seat, card, game.n + 1, Standing("last", seat, now.by, now.left - 1), 0, aside))
        return
    rules = game.rules
    chances = rules.chances_by_card[card]
    chance = 0 if chances else game.next_chance(now)
    stops = now.by is not None and card in rules.stops and not chances
    at_ms = at_ms if rules.withdraw_ms else None
    course.add(Played(seat, card, game.n + 1, after_card(game, seat, chances, stops), chance, aside, at_ms))


def _out_of_turn(course: Course, seat: int) -> None:
    """A card that comes when it should not: nothing, a dead card, or one that lies aside."""
    game, rules = course.game, course.game.rules
    course.require(rules.out_of_turn != "reject" and game.to.phase in ("play", "won"), Why.NOT_YOUR_TURN)
    course.require(bool(game.hands[seat]), Why.NO_CARDS)
    if rules.out_of_turn == "aside":
        course.add(Exposed(seat, game.hands[seat][0]))
        return
    course.add(Misplayed(seat, game.hands[seat][0], rules.dead_place))
    if fine := course.game.hands[seat][: rules.out_of_turn_burn]:
        course.add(Burned(seat, len(fine), fine, "bottom", rules.burn_face_up))
