"""What comes of waiting: for a won pile, a claim, a tie, a pickup, a choice, a last chance."""

from __future__ import annotations

from ratscrew.cards import Hand
from ratscrew.deck import deal_round, shuffle
from ratscrew.errors import Refusal, Why
from ratscrew.game.course import Course
from ratscrew.game.decide import cheating, honour, slap
from ratscrew.game.decide.ring import next_seat
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
    if all(person.out for person in course.game.people):
        course.add(Drawn(Standing("over", now.turn)))
    elif now.why != "stalemate" or rules.stalemate == "last_player":
        take(course, now.turn, now.why)
    elif rules.stalemate == "draw":
        course.add(Drawn(Standing("over", now.turn)))
    else:
        _redeal(course)


def _redeal(course: Course) -> None:
    """All cards are dealt anew to whoever plays; the player after the last one leads."""
    game = course.game
    playing = [seat for seat in game.circle if not game.people[seat].out]
    mixed = shuffle([laid.card for laid in game.pile], course.draw)
    hands: list[Hand] = [()] * len(game.hands)
    for seat, hand in zip(playing, deal_round(mixed, len(playing), len(playing) - 1), strict=True):
        hands[seat] = hand
    lead = next_seat(game, game.to.turn)
    while not hands[lead]:
        lead = next_seat(game, lead)
    course.add(Redealt(tuple(hands), Standing("play", lead)))
