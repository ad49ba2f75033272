"""What a perfect memory knows of a game: a fold over the public events. It never contains a hidden card.

The memory is a whole game whose hands hold the cards that were seen when they were collected, in their order, and
`UNSEEN` ones. Cards that move face down or are shuffled are not tracked.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import reduce
from math import exp2
from typing import Literal, NamedTuple

from msgspec.structs import replace as changed

from ratscrew.cards import NAMES, Card, PileCard
from ratscrew.game.events import (
    Arrived,
    Burned,
    Dealt,
    Eliminated,
    Event,
    Feinted,
    Fouled,
    Given,
    Played,
    Redealt,
    Stowed,
    Taken,
    Withdrawn,
)
from ratscrew.game.evolve import evolve
from ratscrew.game.state import Claim, Game, Theft, UndoState
from ratscrew.game.view import DealtPublic, Public, RedealtPublic, View, VisibleCard, public

UNSEEN = Card(-1)
"""An unknown card, in a hand or face down."""

HALF_LIFE = 200
"""Half of the remembered cards are forgotten when so many more have been turned, unless a bot has its own number."""

_ALL = (1 << 64) - 1


class ExpectedCard(NamedTuple):
    """The newest card, if a perfect memory knew that it would come; `since` as in `Memory`."""

    card: Card
    since: int


class SeenFeint(NamedTuple):
    """A seat feinted while card `n` was the newest."""

    seat: int
    what: Literal["slap", "card"]
    n: int


@dataclass(frozen=True, slots=True)
class Memory:
    """A game as a perfect memory knows it.

    Shape: `since` says of each card after which card it was last collected; `fouls` and `feints` are counted by seat;
    `dealt` is how many seats were dealt cards at the beginning.
    """

    game: Game
    since: tuple[int, ...]
    fouls: tuple[int, ...]
    feints: tuple[int, ...]
    dealt: int
    expected_card: ExpectedCard | None = None
    feint: SeenFeint | None = None

    def known(self, seat: int) -> tuple[Card | None, ...]:
        """The known cards of a seat's hand, top first; None is an unknown card."""
        return tuple(None if card == UNSEEN else card for card in self.game.hands[seat])

    def recalled(
        self, of: int, by: int, share: float, most: int, half_life: int = HALF_LIFE
    ) -> tuple[Card | None, ...]:
        """The topmost cards of a hand as a bot at seat `by` recalls them that remembers such a share of all cards."""
        hand = self.game.hands[of][:most]
        return tuple(
            card if card != UNSEEN and self._recalls(card, self.since[card], by, share, half_life) else None
            for card in hand
        )

    def expected(self, by: int, share: float, half_life: int = HALF_LIFE) -> bool:
        """Whether a bot at seat `by` that remembers such a share of all cards knew that the newest card would come."""
        return self.expected_card is not None and self._recalls(*self.expected_card, by, share, half_life)

    def _recalls(self, card: Card, since: int, by: int, share: float, half_life: int) -> bool:
        """A forgotten card stays forgotten: the same draw is compared with a falling share."""
        return _draw(card, since, by) < share * exp2((since - self.game.n) / max(1, half_life))


def remember(memory: Memory | None, event: Public) -> Memory:
    """The memory after one more event, of which only the public part is used; the first event is the deal."""
    event = public(event)
    if memory is None:
        game = evolve(None, _imagined(None, event))
        nothing = (0,) * len(game.hands)
        return Memory(game, (0,) * len(NAMES), nothing, nothing, len(nothing))
    before = memory.game
    memory = replace(memory, game=evolve(before, _imagined(before, event)))
    match event:
        case Played(seat, card, n, aside=aside):
            known = aside or before.hands[seat][0] == card
            return replace(
                memory, expected_card=ExpectedCard(card, n if aside else memory.since[card]) if known else None
            )
        case Taken(aside=aside):
            beside = () if aside is None else (PileCard(before.asides[aside][0]),)
            return _collected(memory, (*before.pile, *beside))
        case Stowed() if before.theft:
            return _collected(memory, before.theft.pile)
        case Withdrawn(card=card):
            return replace(_collected(memory, (PileCard(card),)), expected_card=None)
        case Fouled(seat):
            return replace(memory, fouls=_more(memory.fouls, seat))
        case Feinted(seat, what):
            return replace(memory, feints=_more(memory.feints, seat), feint=SeenFeint(seat, what, before.n))
        case Arrived():
            return replace(memory, fouls=(*memory.fouls, 0), feints=(*memory.feints, 0))
    return memory


def memory_from_events(events: Iterable[Public]) -> Memory:
    """The memory after all events of a game so far, beginning with the deal."""
    memory = reduce(remember, events, None)
    assert memory, "a game begins with its deal"
    return memory


def memory_from_view(view: View) -> Memory:
    """The memory of a player who has just joined: only what the view shows.

    Such a player assumes that all seats of the circle were dealt cards, newcomers too.
    """
    hands = tuple((UNSEEN,) * (held - len(aside)) for held, aside in zip(view.cards_held, view.asides, strict=True))
    claim = (
        Claim(view.claimants[0], view.claim_type, view.claimants[1:], (UNSEEN,) * view.stakes)
        if view.claim_type
        else None
    )
    pile, last = tuple(map(_laid, view.pile)), view.standing.turn if view.pile else None
    game = Game(
        view.rules,
        hands,
        view.standing,
        view.circle,
        view.seat_states,
        view.asides,
        pile,
        last,
        view.n,
        view.withdrawn,
        None if last is None else UndoState(view.standing, last, view.answer_number, None, False, False),
        view.answer_number,
        view.opening,
        None,
        view.voided,
        view.tied,
        view.resume_state,
        claim,
        None
        if view.thief is None
        else Theft(view.thief, tuple(map(_laid, view.stolen_pile)), view.thief, view.seats_to_play),
        view.standing.turn if view.end == "won" else None,
        view.end == "lost",
        limit_set=view.limit,
    )
    nothing = (0,) * len(hands)
    return Memory(game, (0,) * len(NAMES), nothing, nothing, len(view.circle))


def _imagined(game: Game | None, event: Public) -> Event:
    """The event with `UNSEEN` in place of hidden cards."""
    match event:
        case DealtPublic(rules, held, to, pile):
            return Dealt(rules, tuple((UNSEEN,) * count for count in held), to, tuple(map(_laid, pile)))
        case RedealtPublic(held, to):
            return Redealt(tuple((UNSEEN,) * count for count in held), to)
        case Burned(count=count, face_up=False) | Eliminated(count=count, face_up=False):
            return changed(event, cards=(UNSEEN,) * count)
        case Given():
            return changed(event, card=UNSEEN)
        case Taken(seat, count) if game and game.rules.pickup in ("shuffle", "shuffle_hand"):
            kept = len(game.hands[seat]) if game.rules.pickup == "shuffle_hand" else 0
            return changed(event, order=(UNSEEN,) * (kept + count))
    return event


def _laid(shown: VisibleCard) -> PileCard:
    return PileCard(UNSEEN, shown.state, face_up=False) if shown.card is None else PileCard(shown.card, shown.state)


def _collected(memory: Memory, pile: Iterable[PileCard]) -> Memory:
    since = list(memory.since)
    for laid in pile:
        if laid.face_up:
            since[laid.card] = memory.game.n
    return replace(memory, since=tuple(since))


def _more(counts: tuple[int, ...], seat: int) -> tuple[int, ...]:
    return (*counts[:seat], counts[seat] + 1, *counts[seat + 1 :])


def _draw(*numbers: int) -> float:
    """A hash of the numbers as a float from 0 to 1 (splitmix64)."""
    mixed = 0
    for number in numbers:
        mixed = (mixed + number + 0x9E3779B97F4A7C15) & _ALL
        mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9 & _ALL
        mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB & _ALL
        mixed ^= mixed >> 31
    return mixed / 2**64
