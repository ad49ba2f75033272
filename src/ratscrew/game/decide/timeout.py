"""What comes of waiting: for a won pile, a claim, a tie, a pickup, a choice, a last chance."""

from __future__ import annotations

from ratscrew.cards import Hand
from ratscrew.deck import deal_round, shuffle
from ratscrew.errors import Refusal, Why
from ratscrew.game.course import Course
from ratscrew.game.decide import cheating, honour, slap
from ratscrew.game.decide.ring import dealing_order
from ratscrew.game.decide.take import take
from ratscrew.game.events import Drawn, Redealt, Won
from ratscrew.game.standing import Standing


def timeout(course: Course) -> None:
    """The waiting period is over.

    Raises: Refusal (nothing_to_take) if the game waits for nothing but a player.
    """
    now = course.game.to
    match now.phase:
        case "won":
            bring_in(course)
        case "claim":
            honour.settle(course)
        case "tie":
            slap.award(course, course.game.tied[0])
        case "grab":
            cheating.stow(course, now.turn)
        case "split":
            cheating.choose(course, now.turn, "top")
        case "last" if now.left == 0:
            take(course, now.turn, "last_chance")
            course.add(Won(now.turn, Standing("over", now.turn)))
        case _:
            raise Refusal(Why.NOTHING_TO_TAKE)


def bring_in(course: Course) -> None:
    """The won pile goes to its winner; where nobody held a card, to whom the house says, if to anybody."""
    now, rules = course.game.to, course.game.rules
    assert now.why
    if all(course.game.people[seat].out for seat in course.game.circle):
        course.add(Drawn(Standing("over", now.turn)))
    elif now.why != "stalemate" or rules.stalemate == "last_player":
        take(course, now.turn, now.why)
    elif rules.stalemate == "draw":
        course.add(Drawn(Standing("over", now.turn)))
    else:
        _redeal(course)


def _redeal(course: Course) -> None:
    """All cards are dealt anew to every player who is not out: the player of the last card deals, the next leads."""
    game = course.game
    playing = [seat for seat in dealing_order(game) if not game.people[seat].out]
    mixed = shuffle([laid.card for laid in game.pile], course.draw)
    hands: list[Hand] = [()] * len(game.hands)
    for seat, hand in zip(playing, deal_round(mixed, len(playing), len(playing) - 1), strict=True):
        hands[seat] = hand
    course.add(Redealt(tuple(hands), Standing("play", playing[0])))
