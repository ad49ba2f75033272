"""Taking the pile, and paying one's debt under the next."""

from __future__ import annotations

from ratscrew.cards import PileCard
from ratscrew.deck import shuffle
from ratscrew.game.event_builder import EventBuilder
from ratscrew.game.events import Burned, Joined, Taken
from ratscrew.game.standing import Standing
from ratscrew.game.state import Game


def take(builder: EventBuilder, seat: int, why: str, aside: int | None = None, after: int | None = None) -> None:
    """The seat takes the pile, with the first card aside of seat `aside` if given, and leads.

    A newcomer is in the game from then on, and sits after the seat `after` if the house lets them choose.
    """
    game, rules = builder.game, builder.game.rules
    pile = game.pile if aside is None else (*game.pile, PileCard(game.asides[aside][0]))
    order = shuffle([laid.card for laid in pile], builder.draw) if rules.pickup == "shuffle" else None
    builder.add(Taken(seat, len(pile), why, Standing("play", seat), aside, order))
    if owed := builder.game.seat_states[seat].debt:
        cards = builder.game.hands[seat][:owed]
        builder.add(Burned(seat, len(cards), cards, "bottom", rules.burn_face_up))
    if not game.seat_states[seat].playing and not game.seat_states[seat].out:
        builder.add(Joined(seat, _seated(game, seat, after)))


def _seated(game: Game, seat: int, after: int | None) -> tuple[int, ...]:
    """The circle with a newcomer in it: after the chosen seat, or at the end."""
    circle = list(game.circle)
    choosing = game.rules.join_seat == "choose" and after in circle
    circle.insert(circle.index(after) + 1 if choosing and after is not None else len(circle), seat)
    return tuple(circle)
