"""Game: everything that is true of one game at one moment. Nothing in this file knows how it came about."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from ratscrew.cards import Card, Hand, Pile, PileCard
from ratscrew.game.standing import Standing
from ratscrew.rules.house import Rules
from ratscrew.rules.sight import Sight


class SeatState(Struct, frozen=True):
    """What is noted of one seat besides its cards."""

    playing: bool = True
    """In the game, with cards or without; a newcomer is not, nor is who was thrown out."""
    out: bool = False
    """Thrown out of the game."""
    strikes: int = 0
    fouls: int = 0
    """Wrong slaps since the last good one."""
    streak: int = 0
    """On how many cards in a row, up to card `streak_n`, the seat has slapped wrongly."""
    streak_n: int = -1
    locked: int | Literal["pile", "game"] = 0
    """May not slap before card `locked` has been turned, or the pile been taken, or at all."""
    hand_burned: bool = False
    debt: int = 0
    convicted: bool = False
    """Has slapped wrongly once: the redneck rule is for him, where it is for the convicted."""
    touched: bool = False
    """Has touched his forehead since his last slap or card."""
    hovering: bool = False


class Claim(Struct, frozen=True):
    """A claim to the pile that can be contested."""

    seat: int
    what: Literal["slap", "collect"]
    contesters: tuple[int, ...] = ()
    gifts: Hand = ()
    """What the contesters of a true claim have given up; it goes under the claimer's hand after the pile."""


class Theft(Struct, frozen=True):
    """A pile picked up by who had no right to it.

    `pile` is in his hand until it is stowed; `victim` is whom he took it from; `yet` are the seats that have still to
    play before it is rightfully his.
    """

    seat: int
    pile: Pile
    victim: int
    yet: tuple[int, ...] = ()


class UndoState(Struct, frozen=True):
    """What stood before the newest card of a pile; `aside` says whether that card had lain aside."""

    to: Standing
    last: int
    chance: int
    turned_ms: int | None
    voided: bool
    aside: bool


class Game(Struct, frozen=True):
    """One game, whole and secret: the hands are in it. What the public may see of it is `view.view`.

    Shape: `hands`, `asides` and `people` by seat; a hand is top first, the pile bottom first; `circle` is the
    seats in the order in which they sit, clockwise.
    """

    rules: Rules
    hands: tuple[Hand, ...]
    to: Standing
    circle: tuple[int, ...]
    seat_states: tuple[SeatState, ...]
    asides: tuple[Hand, ...]
    pile: Pile = ()
    last: int | None = None
    """The seat that turned the newest card of this pile."""
    n: int = 0
    """How many cards have been turned in this game: the running number of the newest, which is never used twice."""
    withdrawn: int = 0
    """How many of them have been taken back."""
    undo_state: UndoState | None = None
    """What can be taken back to; None if the newest card covers no other."""
    chance: int = 0
    """Which answer to a challenge the newest card is; 0 if it is none, or a challenge itself."""
    opening: Card | None = None
    """The first card turned in this game."""
    turned_ms: int | None = None
    """When the newest card was turned, where that matters."""
    voided: bool = False
    """Nobody could tell who slapped first: nothing can be slapped before the next card."""
    tied: tuple[int, ...] = ()
    resume_state: Standing | None = None
    """Where play goes on after a claim, a tie or a pickup that comes to nothing."""
    claim: Claim | None = None
    theft: Theft | None = None
    winner: int | None = None
    all_lose: bool = False
    version: int = 0
    """How many events made this game."""

    @property
    def over(self) -> bool:
        """Whether the game has ended, won or not."""
        return self.to.phase == "over"

    def held(self, seat: int) -> int:
        """How many cards a seat holds, those aside included."""
        return len(self.hands[seat]) + len(self.asides[seat])

    @property
    def holders(self) -> list[int]:
        """The seats that hold cards."""
        return [seat for seat in self.circle if self.hands[seat] or self.asides[seat]]

    @property
    def sight(self) -> Sight:
        """What a slap may see of the pile as it lies."""
        return self._sight_of(self.pile, self.n, self.chance)

    def sight_with_aside(self) -> Sight | None:
        """What a slap may see if the first card aside of who has to play counts as turned; None if he has none."""
        now = self.resume_state or self.to
        if now.phase != "play" or not self.asides[now.turn]:
            return None
        return self._sight_of((*self.pile, PileCard(self.asides[now.turn][0])), self.n + 1, self.next_chance(now))

    def next_chance(self, now: Standing) -> int:
        """Which answer to the running challenge the next card would be, 0 if none is running."""
        return 0 if now.by is None else self.chance + 1

    def _sight_of(self, pile: Pile, n: int, chance: int) -> Sight:
        return self.rules.sight_of(pile, self.opening if n - self.withdrawn > 1 else None, chance)
