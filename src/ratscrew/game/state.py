"""The complete state of one game at one moment."""

from __future__ import annotations

from functools import cached_property
from typing import Literal, NamedTuple

from msgspec import Struct

from ratscrew.cards import Card, Hand, Pile, PileCard
from ratscrew.game.repetition import Checkpoint
from ratscrew.game.standing import EndReason, Standing
from ratscrew.rules.house import Rules
from ratscrew.rules.pattern import BoundPattern
from ratscrew.rules.sight import Sight


class SeatState(Struct, frozen=True):
    """The state of one seat besides its cards."""

    playing: bool = True
    """In the game, with cards or without; newcomers and eliminated players are not."""
    out: bool = False
    """Eliminated."""
    strikes: int = 0
    fouls: int = 0
    """Wrong slaps since the last valid one."""
    streak: int = 0
    """On how many cards in a row, up to card `streak_n`, the seat has slapped wrongly."""
    streak_n: int = -1
    locked: int | Literal["pile", "game"] = 0
    """May not slap before card `locked` is turned, the pile is taken, or the game is over."""
    hand_burned: bool = False
    debt: int = 0
    convicted: bool = False
    """Has slapped wrongly once, so the redneck rule applies if it is for the convicted."""
    touched: bool = False
    """Has touched their forehead since their last slap or card."""
    hovering: bool = False
    missed: int = 0
    """The card at which a player without cards lost the chance to slap in, where the house gives only one; or 0."""


class Claim(Struct, frozen=True):
    """A claim to the pile that can be contested."""

    seat: int
    claim_type: Literal["slap", "collect"]
    contesters: tuple[int, ...] = ()
    stakes: Hand = ()
    """The stakes of contesters of a true claim; they go under the claimer's hand after the pile."""


class Theft(Struct, frozen=True):
    """A pile picked up without the right to it.

    The seat holds `pile` until it is stowed. `victim` is the seat it was taken from. `seats_to_play` have to play
    before the pile is the thief's for good.
    """

    seat: int
    pile: Pile
    victim: int
    seats_to_play: tuple[int, ...] = ()


class UndoState(Struct, frozen=True):
    """The state before the newest card of a pile; `aside`: whether that card had been lying aside."""

    standing: Standing
    last: int
    answer_number: int
    turned_ms: int | None
    voided: bool
    aside: bool


class SlapMatches(NamedTuple):
    """The patterns that a slap would find, in reading order; `aside` is the owner of the card aside that they use."""

    patterns: tuple[BoundPattern, ...] = ()
    aside: int | None = None


class Game(Struct, frozen=True, dict=True):
    """One game including its secrets (the hands). `view.view` returns what the public may see.

    Shape: `hands`, `asides` and `seat_states` by seat; a hand is top first, the pile bottom first; `circle` is the
    seats in the order in which they sit, clockwise.
    """

    rules: Rules
    hands: tuple[Hand, ...]
    standing: Standing
    circle: tuple[int, ...]
    seat_states: tuple[SeatState, ...]
    asides: tuple[Hand, ...]
    pile: Pile = ()
    last: int | None = None
    """The seat that turned the newest card of this pile."""
    n: int = 0
    """How many cards have been turned in this game; also the number of the newest, which is never reused."""
    withdrawn: int = 0
    """How many of those were taken back."""
    undo_state: UndoState | None = None
    """The state to return to if the newest card is taken back; None if it covers no other."""
    answer_number: int = 0
    """Which answer to a challenge the newest card is; 0 if it is no answer, or a challenge itself."""
    opening: Card | None = None
    """The first card turned in this game."""
    turned_ms: int | None = None
    """When the newest card was turned, if that matters in this house."""
    voided: bool = False
    """Simultaneous slaps cancelled the pattern: nothing can be slapped before the next card."""
    tied: tuple[int, ...] = ()
    """The seats whose slaps the judge has to order, or that have cancelled each other (`voided`)."""
    resume_state: Standing | None = None
    """The standing to return to if a claim, a tie or a false pickup fails."""
    claim: Claim | None = None
    theft: Theft | None = None
    winner: int | None = None
    all_lose: bool = False
    end_reason: EndReason = "play"
    limit_set: int = 0
    """After how many cards the game ends, if that was decided during the game; 0 if not."""
    loser: int | None = None
    """The seat that failed the challenge that has won the pile."""
    checkpoint: Checkpoint | None = None
    """An earlier state, to compare with; None where chance or slaps may change what follows, or no pile was taken."""
    version: int = 0
    """How many events led to this state."""

    @property
    def over(self) -> bool:
        """Whether the game has ended, with a winner or without."""
        return self.standing.phase == "over"

    def cards_held(self, seat: int) -> int:
        """How many cards a seat holds, including those aside."""
        return len(self.hands[seat]) + len(self.asides[seat])

    @property
    def limit(self) -> int:
        """After how many cards the game ends when the pile has been taken; 0 if it has no limit."""
        limits = [limit for limit in (self.rules.limit_cards, self.limit_set) if limit]
        return min(limits, default=0)

    @property
    def holders(self) -> list[int]:
        """The seats that hold cards."""
        return [seat for seat in self.circle if self.hands[seat] or self.asides[seat]]

    @property
    def sight(self) -> Sight:
        """What a slap may see of the pile."""
        return self._sight_of(self.pile, self.n, self.answer_number)

    def sight_with_aside(self) -> Sight | None:
        """What a slap may see if the first card aside of the seat to play counts as turned; None if it has none."""
        now = self.resume_state or self.standing
        if now.phase != "play" or not self.asides[now.turn]:
            return None
        return self._sight_of(
            (*self.pile, PileCard(self.asides[now.turn][0])), self.n + 1, self.next_answer_number(now)
        )

    @cached_property
    def slap_matches(self) -> SlapMatches:
        """All patterns that a slap would find; found once, because slaps, races and the next card ask for them.

        A card aside whose owner is next to play may count as turned or not, whichever makes a pattern.
        """
        if self.voided:
            return SlapMatches()
        if self.pile and (patterns := self.rules.all_matches(self.sight)):
            return SlapMatches(patterns)
        virtual = self.sight_with_aside()
        if virtual and (patterns := self.rules.all_matches(virtual)):
            return SlapMatches(patterns, (self.resume_state or self.standing).turn)
        return SlapMatches()

    def next_answer_number(self, now: Standing) -> int:
        """Which answer to the running challenge the next card would be; 0 without a challenge."""
        return 0 if now.challenger is None else self.answer_number + 1

    def _sight_of(self, pile: Pile, n: int, chance: int) -> Sight:
        number = n - self.withdrawn
        return self.rules.sight_of(pile, self.opening if number > 1 else None, chance, number)
