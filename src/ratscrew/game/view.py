"""The public view of a game, the only form in which its state leaves the server.

No player sees a card before it is turned, not even its owner, so there is one view for everybody.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache, cached_property
from typing import Any, Literal, NamedTuple, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from ratscrew.cards import Card, CardState, Hand, Pile, PileCard
from ratscrew.game.event_base import EventBase
from ratscrew.game.events import Burned, Dealt, Eliminated, Event, Given, Redealt, Taken
from ratscrew.game.standing import EndReason, Standing
from ratscrew.game.state import Game, SeatState
from ratscrew.rules.example import slappable
from ratscrew.rules.house import Rules
from ratscrew.rules.pattern import BoundPattern

End: TypeAlias = Literal["won", "lost", "drawn"]
"""How a game ended: `standing.turn` has won, everybody has lost, or it is a draw."""


class VisibleCard(NamedTuple):
    """A card of the pile as the public sees it: None if it lies face down."""

    card: Card | None
    state: CardState = "live"


class View(Struct, frozen=True, dict=True):
    """One game as everybody at the table sees it.

    Shape: `cards_held`, `seat_states` and `asides` by seat; the pile is bottom first; `circle` is the seats as they
    sit. `n` counts the cards turned, `withdrawn` those of them that were taken back; `answer_number` is which answer to
    a challenge the newest is. `claimants` has the seat that claims the pile, then its contesters; `stakes` is how many
    cards were staked on the claim. `thief` has picked up a pile that is not its own: `stolen_pile` until put away, and
    the thief's for good when `seats_to_play` have played. `resume_state` is the standing to return to if a claim, a tie
    or a pickup fails; `end` is how the game ended, and `end_reason` why. After `limit` cards it ends with the pile.
    `slappable`: there is something in this house that can be slapped.
    """

    rules: Rules
    cards_held: tuple[int, ...]
    pile: tuple[VisibleCard, ...]
    standing: Standing
    circle: tuple[int, ...]
    seat_states: tuple[SeatState, ...]
    asides: tuple[Hand, ...]
    n: int
    answer_number: int = 0
    opening: Card | None = None
    voided: bool = False
    tied: tuple[int, ...] = ()
    claimants: tuple[int, ...] = ()
    claim_type: Literal["slap", "collect"] | None = None
    stakes: int = 0
    stolen_pile: tuple[VisibleCard, ...] = ()
    thief: int | None = None
    seats_to_play: tuple[int, ...] = ()
    resume_state: Standing | None = None
    end: End | None = None
    withdrawn: int = 0
    limit: int = 0
    end_reason: EndReason = "play"
    slappable: bool = True

    def first_match(self) -> BoundPattern | None:
        """The pattern that can be slapped now, or None: then a slap is wrong."""
        return self._found

    @cached_property
    def _found(self) -> BoundPattern | None:
        if self.voided:
            return None
        seen = self._look(self._pile, self.n, self.answer_number)
        now = self.resume_state or self.standing
        if seen or now.phase != "play" or not self.asides[now.turn]:
            return seen
        chance = 0 if now.challenger is None else self.answer_number + 1
        return self._look((*self._pile, PileCard(self.asides[now.turn][0])), self.n + 1, chance)

    @property
    def _pile(self) -> Pile:
        return tuple(map(_laid, self.pile))

    def _look(self, pile: Pile, n: int, chance: int) -> BoundPattern | None:
        number = n - self.withdrawn
        return self.rules.first_match(self.rules.sight_of(pile, self.opening if number > 1 else None, chance, number))


class DealtPublic(EventBase, frozen=True):
    """The public form of `Dealt`: how many cards each seat was dealt, and the cards left over."""

    rules: Rules
    cards_held: tuple[int, ...]
    standing: Standing
    pile: tuple[VisibleCard, ...] = ()


class RedealtPublic(EventBase, frozen=True):
    """The public form of `Redealt`: how many cards each seat was dealt."""

    cards_held: tuple[int, ...]
    standing: Standing


Public: TypeAlias = Event | DealtPublic | RedealtPublic


def view(game: Game) -> View:
    """The public view of a game."""
    claim, theft = game.claim, game.theft
    return View(
        game.rules,
        tuple([len(hand) + len(aside) for hand, aside in zip(game.hands, game.asides, strict=True)]),
        _visible(game.pile),
        game.standing,
        game.circle,
        game.seat_states,
        game.asides,
        game.n,
        game.answer_number,
        game.opening,
        game.voided,
        game.tied,
        (claim.seat, *claim.contesters) if claim else (),
        claim.claim_type if claim else None,
        len(claim.stakes) if claim else 0,
        _visible(theft.pile) if theft else (),
        theft.seat if theft else None,
        theft.seats_to_play if theft else (),
        game.resume_state,
        _end(game),
        game.withdrawn,
        game.limit,
        game.end_reason,
        slappable(game.rules),
    )


def public(event: Public) -> Public:
    """The public form of an event, without its secrets."""
    hide = GAME_REDACTIONS.get(type(event))
    return hide(event) if hide else event


def _dealt_public(event: Dealt) -> DealtPublic:
    return DealtPublic(event.rules, tuple(map(len, event.hands)), event.standing, _visible(event.pile))


def _redealt_public(event: Redealt) -> RedealtPublic:
    return RedealtPublic(tuple(map(len, event.hands)), event.standing)


def _face_down(event: Burned | Eliminated) -> Burned | Eliminated:
    return event if event.face_up else replace(event, cards=())


def _unseen_card(event: Given) -> Given:
    return replace(event, card=None)


def _unknown_order(event: Taken) -> Taken:
    return event if event.order is None else replace(event, order=None)


GAME_REDACTIONS: Mapping[type, Callable[[Any], Any]] = {
    Dealt: _dealt_public,
    Redealt: _redealt_public,
    Burned: _face_down,
    Eliminated: _face_down,
    Given: _unseen_card,
    Taken: _unknown_order,
}
"""How each kind of event that has secrets is shown to the public; any other is shown as it is."""


def _end(game: Game) -> End | None:
    if not game.over:
        return None
    return "lost" if game.all_lose else "drawn" if game.winner is None else "won"


def _visible(pile: Iterable[PileCard]) -> tuple[VisibleCard, ...]:
    return tuple(map(_shown, pile))


@cache
def _shown(laid: PileCard) -> VisibleCard:
    """The same object for equal cards: a pile is shown after each event, and compared with the one before."""
    return VisibleCard(laid.card if laid.face_up else None, laid.state)


@cache
def _laid(shown: VisibleCard) -> PileCard:
    """What a pattern sees of a card, which it cannot use if it lies face down: then any card does."""
    return PileCard(shown.card or Card(0), shown.state)
