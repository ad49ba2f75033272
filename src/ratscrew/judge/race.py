"""A race: the slaps at one card, from the first to arrive until nobody could win it any more.

The judge goes by the reaction, not by the arrival: how long after the card was shown the hand came down, by the
server's own estimate `arrival - shown - round trip / 2`. A race is a value; hearing a claim makes a new one.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from ratscrew.deck import Draw
from ratscrew.judge.constants import RACE_MOST_US, RTT_MOST_US, TIE_US


@dataclass(frozen=True, slots=True)
class Claim:
    """A seat says that it slapped a card.

    Unit: `arrived_us` of the server's clock; `painted_us` and `pressed_us` of the player's own, None if he sent
    none; `rtt_us` the round trip of his connection, as the server has measured it.
    """

    seat: int
    arrived_us: int
    rtt_us: int = 0
    painted_us: int | None = None
    pressed_us: int | None = None


@dataclass(frozen=True, slots=True)
class Rival:
    """A seat that is there and has not slapped yet: its hand may be under way for half a round trip."""

    seat: int
    rtt_us: int = 0


@dataclass(frozen=True, slots=True)
class Placed:
    """A seat's place in a race. Unit: `us` microseconds of reaction."""

    seat: int
    us: int


@dataclass(frozen=True, slots=True)
class Ruling:
    """The order of a race, the winner first; `tie` if the first places were drawn."""

    order: tuple[Placed, ...]
    tie: bool


def reaction_us(claim: Claim, shown_us: int) -> int:
    """How long after the card was shown the hand came down, by the server's estimate; never below 0."""
    return max(0, claim.arrived_us - shown_us - min(claim.rtt_us, RTT_MOST_US) // 2)


@dataclass(frozen=True, slots=True)
class Race:
    """The slaps at card `n`, shown at `shown_us`, so far."""

    n: int
    shown_us: int
    claims: tuple[Claim, ...] = ()

    def hear(self, claim: Claim) -> Race:
        """The race with one more claim; a seat's first claim is the one that counts."""
        if any(heard.seat == claim.seat for heard in self.claims):
            return self
        return replace(self, claims=(*self.claims, claim))

    def due_us(self, rivals: Iterable[Rival], window_us: int = 0) -> int:
        """When the race is over: nobody of the rivals could still win it, or nobody waits any longer.

        Unit: `window_us` microseconds within which hands count as together in this house.

        Raises: ValueError if nobody has slapped yet.
        """
        best = min(reaction_us(claim, self.shown_us) for claim in self.claims)
        heard = {claim.seat for claim in self.claims}
        ways = [min(r.rtt_us, RTT_MOST_US) // 2 for r in rivals if r.seat not in heard]
        first = min(claim.arrived_us for claim in self.claims)
        if not ways:
            return self.shown_us + best
        return min(self.shown_us + best + max(ways) + window_us, first + RACE_MOST_US)

    def ruling(self, draw: Draw) -> Ruling:
        """The order of all who have slapped: the shortest reaction first, a tie for the first place drawn.

        Raises: ValueError if nobody has slapped yet.
        """
        placed = sorted((Placed(c.seat, reaction_us(c, self.shown_us)) for c in self.claims), key=lambda p: p.us)
        best = min(p.us for p in placed)
        tied = [p for p in placed if p.us - best <= TIE_US]
        winner = tied[draw(len(tied))] if len(tied) > 1 else tied[0]
        placed.remove(winner)
        return Ruling((winner, *placed), len(tied) > 1)
