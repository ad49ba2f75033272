"""The slaps at the newest card: since when it has been shown, who has slapped it, and the race for it.

Nothing in this file knows whether the card may be slapped.
"""

from __future__ import annotations

from typing import NamedTuple

from ratscrew.deck import Draw
from ratscrew.errors import Refusal, Why
from ratscrew.game.commands import Touch
from ratscrew.judge.race import Claim, Race, Ruling, reaction_us
from ratscrew.table.message import Late


class Palm(NamedTuple):
    """How a hand comes down: with how many fingers, and behind which seat a newcomer would like to sit."""

    contact: int = 1
    after: int | None = None


FLAT = Palm()
"""A hand of which nothing else is known."""


class Bout:
    """The slaps at the newest card, and the late ones at the one before it."""

    def __init__(self) -> None:
        self.race: Race | None = None
        self._palms: dict[int, Palm] = {}
        self._shown_us: dict[int, int] = {}
        self._hands: set[tuple[int, int]] = set()

    def show(self, n: int, now_us: int) -> None:
        """Card `n` is shown now: a new one, or the same anew to people who come back to it."""
        if n not in self._shown_us:
            self._palms.clear()
            self._hands = {hand for hand in self._hands if hand[1] == n - 1}
            self._shown_us = {before: us for before, us in self._shown_us.items() if before == n - 1}
        self._shown_us[n] = now_us

    def reopen(self) -> None:
        """The pile looks different, without a new card: whoever has slapped it may slap it again."""
        self._hands.clear()

    def shown_us(self, n: int) -> int:
        """When card `n` was shown; 0 if it has not been."""
        return self._shown_us.get(n, 0)

    def count(self, seat: int, n: int) -> None:
        """A seat's hand comes down on card `n`.

        Raises: Refusal (twice): each seat has one hand a card.
        """
        if (seat, n) in self._hands:
            raise Refusal(Why.TWICE)
        self._hands.add((seat, n))

    def press(self, seat: int, n: int, palm: Palm) -> bool:
        """More fingers of a hand that is down on card `n` already; False if it is not, or not with more than before."""
        if (seat, n) not in self._hands or palm.contact <= self._palms.get(seat, FLAT).contact:
            return False
        self._palms[seat] = palm
        return True

    def contend(self, claim: Claim, n: int, palm: Palm) -> Race:
        """A seat's slap at card `n` is a good one: the race for it, with this claim."""
        self._palms[claim.seat] = palm
        self.race = (self.race or Race(n, self._shown_us[n])).hear(claim)
        return self.race

    def decide(self, draw: Draw) -> tuple[Ruling, tuple[Touch, ...]]:
        """The race is over: its order, and the hands in that order as the game wants them."""
        race, self.race = self.race, None
        assert race, "there is a race to decide"
        ruling = race.ruling(draw)
        first_us = ruling.order[0].us
        return ruling, tuple(
            Touch(placed.seat, (race.shown_us + max(first_us, placed.us)) // 1000, *self._palms[placed.seat])
            for placed in ruling.order
        )

    def touch(self, claim: Claim, palm: Palm) -> Touch:
        """A hand on the newest card as the game wants it: when it came down, by the judge's estimate."""
        shown_us = max(self._shown_us.values(), default=0)
        return Touch(claim.seat, (shown_us + reaction_us(claim, shown_us)) // 1000, *palm)

    def be_late(self, claim: Claim, n: int) -> Late:
        """A hand at card `n`, which is covered or taken: without effect, and it costs nothing.

        Raises: Refusal (twice, too_late): only of the last two cards is it told at all.
        """
        if n not in self._shown_us:
            raise Refusal(Why.TOO_LATE)
        self.count(claim.seat, n)
        return Late(claim.seat, n, reaction_us(claim, self._shown_us[n]))
