"""The hands on the newest card: since when it is to be seen, who has slapped it, and the race for it.

Nothing in this file knows whether the card may be slapped.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from ratscrew.deck import Draw
from ratscrew.errors import Refusal, RefusalReason
from ratscrew.game.commands import Touch
from ratscrew.judge.constants import SHARED_PAGE_WAIT_US, TIE_US
from ratscrew.judge.race import Contender, Race
from ratscrew.judge.watermark import PendingPlayer
from ratscrew.table.messages import Late
from ratscrew.table.players.seat import Seat
from ratscrew.table.records.entries import Hit
from ratscrew.table.session.slap_measurement import Measurement


class SlapContact(NamedTuple):
    """How a hand comes down: with how many fingers, and behind which seat a newcomer would like to sit."""

    contact: int = 1
    after: int | None = None


FLAT = SlapContact()
"""A hand of which nothing else is known."""


class Verdict(NamedTuple):
    """A race decided: card `n`, the hands in their order for the record and for the game, and whether it was drawn."""

    n: int
    order: tuple[Hit, ...]
    touches: tuple[Touch, ...]
    tie: bool


class SlapTracker:
    """The hands on the newest card, and the late ones on the card before it."""

    def __init__(self) -> None:
        self.race: Race | None = None
        self._weights: dict[int, Measurement] = {}
        self._palms: dict[int, SlapContact] = {}
        self._reveals_us: dict[int, int] = {}
        self._hands: set[tuple[int, int]] = set()
        self._late: set[tuple[int, int]] = set()
        self._strays: dict[int, int] = {}
        self._postponed: dict[int, Callable[[], None]] = {}

    def show(self, n: int, reveal_us: int) -> None:
        """Card `n` is to be seen from then on: a new one, or the same anew by people who come back to it."""
        if n not in self._reveals_us:
            self._hands = {hand for hand in self._hands if hand[1] == n - 1}
            self._late = {hand for hand in self._late if hand[1] == n - 1}
            self._reveals_us = {before: us for before, us in self._reveals_us.items() if before == n - 1}
        self._reveals_us[n] = reveal_us

    def reopen(self) -> None:
        """The pile looks different, without a new card: whoever has slapped it may slap it again."""
        self._hands.clear()

    def stray(self, seat: int, n: int) -> None:
        """A seat has turned a card out of turn, having seen card `n`."""
        self._strays[seat] = n

    def strayed(self, seat: int, n: int) -> bool:
        """Whether it has done so at card `n` before: what is sent twice costs one card."""
        return self._strays.get(seat) == n

    def knows(self, n: int) -> bool:
        """Whether card `n` is one of the last two."""
        return n in self._reveals_us

    def reveal_us(self, n: int) -> int:
        """From when on card `n` was, or will be, to be seen; 0 if it is not one of the last two."""
        return self._reveals_us.get(n, 0)

    def count(self, seat: int, n: int) -> None:
        """A seat's hand comes down on card `n`.

        Raises: Refusal (twice): each seat has one hand a card.
        """
        if (seat, n) in self._hands:
            raise Refusal(RefusalReason.TWICE)
        self._hands.add((seat, n))

    def press(self, seat: int, n: int, palm: SlapContact) -> bool:
        """More fingers of a hand that is down on card `n` already; False if it is not, or not with more than before."""
        if (seat, n) not in self._hands or palm.contact <= self._palms.get(seat, FLAT).contact:
            return False
        self._palms[seat] = palm
        return True

    def contend(self, seat: int, n: int, weight: Measurement, page: int | None, palm: SlapContact) -> None:
        """A seat's hand is a good one: it is in the race for card `n`, which goes before one for a later card."""
        if self.race is None or self.race.n != n:
            self.race, self._weights = Race(n, self._reveals_us[n]), {}
        claim_us = weight.judgement.claim_us
        self.race = self.race.add(Contender(seat, weight.arrived_us, weight.us, claim_us, page))
        self._weights[seat], self._palms[seat] = weight, palm

    def over_us(self, seats: Sequence[Seat], may: Iterable[int], window_us: int) -> int:
        """When the race is over, if those who `may` slap and have not done so keep still.

        Hands that come down together on one page come one after the other: the rest of them is waited for until the
        page says that there is none.
        """
        race = self.race
        assert race, "there is a race"
        shared = [page_state for each in race.contenders if (page_state := seats[each.seat].page_state)]
        silent: list[PendingPlayer] = []
        for seat in (seats[number] for number in may if (number, race.n) not in self._hands):
            if each := self._silent(seat, race.n):
                mate = any(seat.page_state is page_state for page_state in shared)
                silent.append(each._replace(max_credit_us=each.max_credit_us + SHARED_PAGE_WAIT_US) if mate else each)
        return race.over_us(silent, max(TIE_US, window_us))

    def drop(self, seats: Container[int]) -> None:
        """The hands of these seats are not in the race any more."""
        if self.race:
            contenders = tuple(each for each in self.race.contenders if each.seat not in seats)
            self.race = replace(self.race, contenders=contenders) if contenders else None

    def postpone(self, seat: int, foul: Callable[[], None]) -> None:
        """A seat's wrong slap at the card below waits until the race is over, and its hand in the race is out of it."""
        self._postponed[seat] = foul
        self.drop((seat,))

    def has_postponed(self, seat: int) -> bool:
        """Whether a wrong slap of the seat waits for the end of the race."""
        return seat in self._postponed

    def take_postponed(self) -> list[Callable[[], None]]:
        """The wrong slaps that have waited for the end of the race, in the order in which they came."""
        fouls, self._postponed = list(self._postponed.values()), {}
        return fouls

    def decide(self, draw: Draw) -> Verdict:
        """The race is over: its order, and the hands in that order as the game wants them."""
        race, self.race = self.race, None
        assert race, "there is a race to decide"
        ruling = race.ruling(draw)
        pages = {contender.seat: contender.page for contender in race.contenders}
        order = tuple(Hit(seat, us, self._weights[seat].proof, pages[seat]) for seat, us in ruling.order)
        first_us = ruling.order[0].us
        touches = tuple(self.touch(seat, race.n, max(first_us, us), self._palms[seat]) for seat, us in ruling.order)
        return Verdict(race.n, order, touches, ruling.tie)

    def touch(self, seat: int, n: int, us: int, palm: SlapContact) -> Touch:
        """A hand on card `n` as the game wants it: when it came down, `us` after the card was to be seen."""
        return Touch(seat, (self.reveal_us(n) + us) // 1000, *palm)

    def be_late(self, seat: int, n: int, us: int) -> Late:
        """A hand on card `n`, which is covered or taken: without effect, and it costs nothing.

        Raises: Refusal (twice, too_late): only of the last two cards is it told at all.
        """
        if n not in self._reveals_us:
            raise Refusal(RefusalReason.TOO_LATE)
        self.count(seat, n)
        return Late(seat, n, us)

    def log_late(self, seat: int, n: int) -> bool:
        """Whether a late hand of the seat on card `n` is to be logged: only the first one is, which bounds the log."""
        if (seat, n) in self._late:
            return False
        self._late.add((seat, n))
        return True

    def _silent(self, seat: Seat, n: int) -> PendingPlayer | None:
        """Somebody who has not slapped card `n`, as the judge waits for him: not at all if he does not look."""
        page_state = seat.page_state
        if page_state is None:
            return PendingPlayer(0, 0) if seat.mind else None
        if not page_state.visible:
            return None
        card_display = page_state.card_display(n)
        rtt_us = card_display.link_estimate.rtt_us if card_display else page_state.link_estimate.rtt_us
        stamp_us = page_state.newest.stamp_us if page_state.newest else None
        return PendingPlayer(
            rtt_us, seat.credit.max_credit_us, card_display.painted_us if card_display else None, stamp_us
        )
