"""The public view of a game, the only form in which its state leaves the server.

No player sees a card before it is turned, not even its owner, so there is one view for everybody.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any, Literal, NamedTuple, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from ratscrew.cards import Card, CardState, Hand, Pile, PileCard
from ratscrew.game.event_base import EventBase
from ratscrew.game.events import Burned, Dealt, Eliminated, Event, Given, Redealt, Taken
from ratscrew.game.standing import Standing
from ratscrew.game.state import Game, SeatState
from ratscrew.rules.house import Rules
from ratscrew.rules.pattern import BoundPattern

End: TypeAlias = Literal["won", "lost", "drawn"]
"""How a game ended: `to.turn` has won, everybody has lost, or it is a draw."""


class Shown(NamedTuple):
    """A card of the pile as the public sees it: None if it lies face down."""

    card: Card | None
    kind: CardState = "live"


class View(Struct, frozen=True, dict=True):
    """One game as everybody at the table sees it.

    Shape: `held`, `people` and `asides` by seat; the pile is bottom first; `circle` is the seats as they sit. `n`
    counts the cards turned, `withdrawn` those of them that were taken back; `chance` is which answer to a challenge
    the newest is. `claimed` has the seat that claims the pile, then its contesters; `claim` is the kind of claim, and
    `gifts` how many cards were staked on it. `thief` has picked up a pile that is not its own: `grabbed` until put
    away, and the thief's for good when the seats `yet` have played. `back` is the standing to return to if a claim, a
    tie or a pickup fails; `end` is how the game ended.
    """

    rules: Rules
    held: tuple[int, ...]
    pile: tuple[Shown, ...]
    to: Standing
    circle: tuple[int, ...]
    people: tuple[SeatState, ...]
    asides: tuple[Hand, ...]
    n: int
    chance: int = 0
    opening: Card | None = None
    voided: bool = False
    tied: tuple[int, ...] = ()
    claimed: tuple[int, ...] = ()
    claim: Literal["slap", "collect"] | None = None
    gifts: int = 0
    grabbed: tuple[Shown, ...] = ()
    thief: int | None = None
    yet: tuple[int, ...] = ()
    back: Standing | None = None
    end: End | None = None
    withdrawn: int = 0

    def first_match(self) -> BoundPattern | None:
        """The pattern that can be slapped now, or None: then a slap is wrong."""
        return self._found

    @cached_property
    def _found(self) -> BoundPattern | None:
        if self.voided:
            return None
        seen = self._look(self._pile, self.n, self.chance)
        now = self.back or self.to
        if seen or now.phase != "play" or not self.asides[now.turn]:
            return seen
        chance = 0 if now.by is None else self.chance + 1
        return self._look((*self._pile, PileCard(self.asides[now.turn][0])), self.n + 1, chance)

    @property
    def _pile(self) -> Pile:
        return tuple(PileCard(card or Card(0), kind) for card, kind in self.pile)

    def _look(self, pile: Pile, n: int, chance: int) -> BoundPattern | None:
        return self.rules.first_match(
            self.rules.sight_of(pile, self.opening if n - self.withdrawn > 1 else None, chance)
        )


class Began(EventBase, frozen=True):
    """The public form of `Dealt`: how many cards each seat was dealt, and the cards left over."""

    rules: Rules
    held: tuple[int, ...]
    to: Standing
    pile: tuple[Shown, ...] = ()


class Reshuffled(EventBase, frozen=True):
    """The public form of `Redealt`: how many cards each seat was dealt."""

    held: tuple[int, ...]
    to: Standing


Public: TypeAlias = Event | Began | Reshuffled


def view(game: Game) -> View:
    """The public view of a game."""
    claim, theft = game.claim, game.theft
    return View(
        game.rules,
        tuple(game.held(seat) for seat in range(len(game.hands))),
        tuple(map(_shown, game.pile)),
        game.to,
        game.circle,
        game.seat_states,
        game.asides,
        game.n,
        game.chance,
        game.opening,
        game.voided,
        game.tied,
        (claim.seat, *claim.contesters) if claim else (),
        claim.what if claim else None,
        len(claim.gifts) if claim else 0,
        tuple(map(_shown, theft.pile)) if theft else (),
        theft.seat if theft else None,
        theft.yet if theft else (),
        game.resume_state,
        _end(game),
        game.withdrawn,
    )


def public(event: Public) -> Public:
    """The public form of an event, without its secrets."""
    hide = GAME_REDACTIONS.get(type(event))
    return hide(event) if hide else event


def _began(event: Dealt) -> Began:
    return Began(event.rules, tuple(map(len, event.hands)), event.to, tuple(map(_shown, event.pile)))


def _reshuffled(event: Redealt) -> Reshuffled:
    return Reshuffled(tuple(map(len, event.hands)), event.to)


def _face_down(event: Burned | Eliminated) -> Burned | Eliminated:
    return event if event.face_up else replace(event, cards=())


def _unseen_card(event: Given) -> Given:
    return replace(event, card=None)


def _unknown_order(event: Taken) -> Taken:
    return event if event.order is None else replace(event, order=None)


GAME_REDACTIONS: Mapping[type, Callable[[Any], Any]] = {
    Dealt: _began,
    Redealt: _reshuffled,
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


def _shown(laid: PileCard) -> Shown:
    return Shown(laid.card if laid.face_up else None, laid.kind)
