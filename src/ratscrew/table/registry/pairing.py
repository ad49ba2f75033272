"""Which table among strangers suits a player who wants to play at once: by rating and distance. No I/O, no clock.

A table that waits takes the nearest of those who come: as large a share of them as it needs to fill in the time that it
has left. So on a busy evening it is choosy, it takes more and more as its time runs out, and where few players come it
takes all of them: people come before bots.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import deque
from collections.abc import Iterable, Sequence
from statistics import fmean
from typing import NamedTuple, TypeVar

RATING, SPREAD = 25.0, 4.0
"""The rating of a player who has none, on openskill's scale, and how far apart ratings typically are."""

FAR_MS = 100.0
"""A difference of round trips that weighs as much as `SPREAD`."""

RECENT_MOST, RECENT_S = 64, 120.0
"""How many players, and of how many seconds, tell who comes."""

HASTE = 1.5
"""How much larger a share of those who come a table takes than it needs to fill in time: fewer seats are left to bots,
and the ratings at a table are a little farther apart (`python -m benchmarks.pairing`)."""

NEAR = 0.25
"""A player who suits a table so well is taken at once: nobody who may still come would be noticeably better."""

Place = TypeVar("Place")


class Seeker(NamedTuple):
    """A player: the rating, the round trip in milliseconds to this server, and an account with those it has blocked.

    `network` is a hash of the player's network, None if it is not known; `here` says whether their page is connected.
    """

    rating: float = RATING
    rtt_ms: float = 0.0
    account: str | None = None
    blocked: frozenset[str] = frozenset()
    network: str | None = None
    here: bool = False

    def is_beside(self, other: Seeker) -> bool:
        """Whether the two share a network."""
        return self.network is not None and self.network == other.network

    def avoids(self, other: Seeker) -> bool:
        """Whether one of the two has blocked the other."""
        return other.account in self.blocked or self.account in other.blocked


SOMEBODY = Seeker()
"""A player of whom nothing is known."""


class WaitingTable(NamedTuple):
    """A table that waits for players: who is there, how many more it wants, and when it begins without them."""

    there: Sequence[Seeker]
    wanted: int
    begins_s: float


def distance(one: Seeker, other: Seeker) -> float:
    """How badly two players suit each other; 1 is a typical difference of ratings."""
    return abs(one.rating - other.rating) / SPREAD + abs(one.rtt_ms - other.rtt_ms) / FAR_MS


def distance_to(table: WaitingTable, seeker: Seeker) -> float:
    """How badly a player suits a table on average."""
    return fmean(distance(one, seeker) for one in table.there) if table.there else 0.0


class Arrivals:
    """The players who came lately."""

    def __init__(self) -> None:
        self._recent: deque[tuple[float, Seeker]] = deque(maxlen=RECENT_MOST)

    def note(self, seeker: Seeker, now_s: float) -> None:
        """A player comes."""
        self._recent.append((now_s, seeker))
        while now_s - self._recent[0][0] > RECENT_S:
            self._recent.popleft()

    def accepts(self, table: WaitingTable, seeker: Seeker, now_s: float) -> bool:
        """Whether a table takes this player, or rather waits for others."""
        if not self._recent or distance_to(table, seeker) <= NEAR:
            return True
        per_s = len(self._recent) / max(1.0, now_s - self._recent[0][0])
        still_come = per_s * max(0.0, table.begins_s - now_s)
        if still_come <= HASTE * table.wanted:
            return True
        share = HASTE * table.wanted / still_come
        distances = sorted(distance_to(table, other) for _, other in self._recent)
        return bisect_left(distances, distance_to(table, seeker)) <= share * (len(distances) - 1)

    def ranked(self, tables: Iterable[tuple[Place, WaitingTable]], seeker: Seeker, now_s: float) -> list[Place]:
        """The tables that take a player, the one that suits best first.

        Tables where nobody is connected yet, or somebody of the same network, come after all others. A table with a
        player of this network who is not connected takes none: one browser cannot take its seats for nobody.
        """
        suiting = [
            (
                not any(other.here for other in table.there),
                any(map(seeker.is_beside, table.there)),
                distance_to(table, seeker),
                number,
                place,
            )
            for number, (place, table) in enumerate(tables)
            if table.wanted > 0
            and not any(seeker.is_beside(other) and not other.here for other in table.there)
            and self.accepts(table, seeker, now_s)
        ]
        return [each[-1] for each in sorted(suiting, key=lambda each: each[:4])]
