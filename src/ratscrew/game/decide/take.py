"""Taking the pile, and paying one's debt under the next."""

from __future__ import annotations

from collections.abc import Sequence

from ratscrew.cards import PileCard
from ratscrew.deck import shuffle
from ratscrew.game.event_builder import EventBuilder
from ratscrew.game.events import Burned, Joined, Taken
from ratscrew.game.standing import Standing
from ratscrew.game.state import Game


def take(builder: EventBuilder, seat: int, why: str, aside: int | None = None, after: int | None = None) -> None:
    """The seat takes the pile, with the first card aside of seat `aside` if given, and leads if the house says so.

    A newcomer is in the game from then on, and sits after the seat `after` if the house lets them choose.
    """
    game, rules = builder.game, builder.game.rules
    pile = game.pile if aside is None else (*game.pile, PileCard(game.asides[aside][0]))
    kept = game.hands[seat] if rules.pickup == "shuffle_hand" else ()
    shuffled = rules.pickup in ("shuffle", "shuffle_hand")
    order = shuffle([*kept, *(laid.card for laid in pile)], builder.draw) if shuffled else None
    newcomer = not game.seat_states[seat].playing and not game.seat_states[seat].out
    circle = _seated(game, seat, after) if newcomer else game.circle
    builder.add(Taken(seat, len(pile), why, Standing("play", _leader(game, seat, why, circle)), aside, order))
    if owed := builder.game.seat_states[seat].debt:
        cards = builder.game.hands[seat][:owed]
        builder.add(Burned(seat, len(cards), cards, "bottom", rules.burn_face_up))
    if newcomer:
        builder.add(Joined(seat, circle))


def _leader(game: Game, seat: int, why: str, circle: Sequence[int]) -> int:
    """The seat that leads after `seat` has taken the pile; one without cards is passed over then."""
    if game.rules.lead == "next":
        return circle[(circle.index(seat) + game.rules.step) % len(circle)]
    if game.rules.lead == "loser" and why == "challenge" and game.loser is not None:
        return game.loser
    return seat


def _seated(game: Game, seat: int, after: int | None) -> tuple[int, ...]:
    """The circle with a newcomer in it: after the chosen seat, or at the end."""
    circle = list(game.circle)
    choosing = game.rules.join_seat == "choose" and after in circle
    circle.insert(circle.index(after) + 1 if choosing and after is not None else len(circle), seat)
    return tuple(circle)
