"""The slaps of the last two cards: by which seats, when the cards were revealed, and the race for one of them.

Unit: microseconds.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

from ratscrew.deck import Draw
from ratscrew.errors import Refusal, RefusalReason
from ratscrew.game.commands import Slap, Touch
from ratscrew.game.engine import find_pattern, slap_refusal, uncovered
from ratscrew.game.state import Game
from ratscrew.judge.constants import FRAME_US, SAME_TOUCH_US, SHARED_PAGE_WAIT_US, TIE_US
from ratscrew.judge.page_state import PageState
from ratscrew.judge.ping_schedule import OVERDUE_US, AskedPage, ask_us
from ratscrew.judge.race import Contender, Race
from ratscrew.judge.watermark import PendingPlayer
from ratscrew.table.record.entries import Judged, SlapRecord
from ratscrew.table.record.verdict_confidence import verdict_confidence
from ratscrew.table.session.seat import Seat
from ratscrew.table.session.slap_measurement import Measurement
from ratscrew.table.session.timing import SLAP_WINDOW_US


class SlapContact(NamedTuple):
    """How a hand comes down: with how many fingers, and behind which seat a newcomer would like to join."""

    contact: int = 1
    after: int | None = None


FLAT = SlapContact()
"""A slap without details of its contact."""


class Foul(NamedTuple):
    """A wrong slap of card `n`, as the game gets it."""

    seat: int
    n: int
    command: Slap
    measurement: Measurement


class Verdict(NamedTuple):
    """A decided race: the slaps in their order for the log and for the game, the winner's first. `tie`: drawn.

    `confidence` and `unseen` are those of `Judged`.
    """

    n: int
    order: tuple[SlapRecord, ...]
    touches: tuple[Touch, ...]
    tie: bool
    confidence: int | None
    unseen: int

    def judged(self, pattern: str) -> Judged:
        """The verdict for the log, on a card with this pattern."""
        return Judged(self.n, pattern, self.order, self.tie, self.confidence, self.unseen)


@dataclass(frozen=True)
class SlapTarget:
    """What a slap of one of the last two cards meets: the game with that card on top.

    `pattern` is its name, "" where players judge by their honour, None for none.
    """

    game: Game
    pattern: str | None

    @cached_property
    def eligible(self) -> Sequence[int]:
        """The seats that may slap it now."""
        return [seat for seat in range(len(self.game.hands)) if not slap_refusal(self.game, Touch(seat))]


def slap_target(game: Game, n: int) -> SlapTarget | None:
    """The target of a slap of card `n`, the newest or the one below it; None if it cannot be uncovered any more."""
    try:
        lies = game if n == game.n else uncovered(game)
    except Refusal:
        return None
    if lies.rules.judge == "honour":
        return SlapTarget(lies, "")
    pattern = find_pattern(lies)[0]
    return SlapTarget(lies, pattern.pattern.name if pattern else None)


class SlapTracker:
    """The slaps of the newest card, and of the card before it."""

    def __init__(self, seats: Sequence[Seat]) -> None:
        self._seats = seats
        self.race: Race | None = None
        self._measurements: dict[int, Measurement] = {}
        self._contacts: dict[int, SlapContact] = {}
        self._reveals_us: dict[int, int] = {}
        self._closed = 0
        self._slapped: set[tuple[int, int]] = set()
        self._logged_late: set[tuple[int, int]] = set()
        self._out_of_turn: dict[int, int] = {}
        self._postponed: dict[int, Foul] = {}
        self._target: tuple[int, int, SlapTarget | None] = -1, -1, None

    def reveal(self, n: int, reveal_us: int) -> None:
        """Card `n` is revealed then, once: nobody's time for it begins again."""
        assert n not in self._reveals_us, "a card is revealed once"
        self._slapped = {slap for slap in self._slapped if slap[1] == n - 1}
        self._logged_late = {slap for slap in self._logged_late if slap[1] == n - 1}
        self._reveals_us = {before: us for before, us in self._reveals_us.items() if before == n - 1}
        self._reveals_us[n] = reveal_us

    def close(self, n: int, now_us: int) -> None:
        """Nobody can slap card `n` any more, nor those before it: play has stopped since it was revealed.

        If that was before a restart, it counts as revealed now.
        """
        self._closed = n
        self._reveals_us.setdefault(n, now_us)

    def decided_us(self, game: Game) -> int | None:
        """When the newest card is decided, so that play can stop: nobody can win the pile by a slap of it any more.

        None while a race is undecided.
        """
        target = self._target_of(game, game.n) if game.n > self._closed else None
        opened = target is not None and target.pattern is not None and bool(target.eligible)
        return None if self.race else self.window_end_us(game.n) if opened else self.reveal_us(game.n)

    def window_end_us(self, n: int) -> int:
        """Until when card `n` can be slapped if no card covers it, because play stops."""
        return self.reveal_us(n) + SLAP_WINDOW_US if n > self._closed else 0

    def forget_slaps(self) -> None:
        """Let every seat slap again, because the pile looks different without a new card."""
        self._slapped.clear()

    def note_out_of_turn(self, seat: int, n: int) -> None:
        """A seat has turned a card out of turn, having seen card `n`."""
        self._out_of_turn[seat] = n

    def was_out_of_turn(self, seat: int, n: int) -> bool:
        """Whether the seat has turned one at card `n` before: a message sent twice costs one card."""
        return self._out_of_turn.get(seat) == n

    def knows(self, n: int) -> bool:
        """Whether card `n` is one of the last two."""
        return n in self._reveals_us

    def reveal_us(self, n: int) -> int:
        """When card `n` was, or will be, revealed; 0 if it is not one of the last two."""
        return self._reveals_us.get(n, 0)

    def add(self, seat: int, n: int) -> None:
        """A seat slaps card `n`.

        Raises: Refusal (twice): each seat has one slap for each card.
        """
        if (seat, n) in self._slapped:
            raise Refusal(RefusalReason.TWICE)
        self._slapped.add((seat, n))

    def add_fingers(self, seat: int, n: int, contact: SlapContact) -> bool:
        """Note more fingers of a hand that is on card `n` already; False if it is not, or not with more than before."""
        if (seat, n) not in self._slapped or contact.contact <= self._contacts.get(seat, FLAT).contact:
            return False
        self._contacts[seat] = contact
        return True

    def contend(self, seat: int, n: int, measurement: Measurement, contact: SlapContact) -> None:
        """A seat's slap is in the race for card `n`, which goes before a race for a later card."""
        if self.race is None or self.race.n != n:
            self.race, self._measurements = Race(n, self._reveals_us[n]), {}
        reported_us = measurement.judgement.reported_us
        self.race = self.race.add(
            Contender(seat, measurement.arrived_us, measurement.us, reported_us, self._page_of(seat))
        )
        self._measurements[seat], self._contacts[seat] = measurement, contact

    def target_at(self, game: Game, n: int, down_us: int) -> SlapTarget | None:
        """The target of a hand that came down on card `n` at that moment; None if it came too late.

        The next card covers the pile from its reveal on, however early or late it reached the player who slaps. A race
        for the card below the newest one goes first.
        """
        if n <= self._closed or (self.race and self.race.n < n):
            return None
        if n < game.n:
            covered_us = self.reveal_us(game.n) + FRAME_US
            if n < game.n - 1 or not self.knows(n) or down_us >= covered_us:
                return None
        return self._target_of(game, n)

    def prepare(self, game: Game) -> None:
        """Work out what a slap of the newest card would win."""
        self._target_of(game, game.n)

    def race_target(self, game: Game) -> SlapTarget | None:
        """The target of the race; None if it is gone, and no contender can win it any more."""
        if self.race is None or game.over:
            return None
        target = self._target_of(game, self.race.n)
        return target if target and target.pattern is not None else None

    def counting(self, target: SlapTarget | None) -> set[int]:
        """The contenders whose slaps count."""
        if self.race is None or target is None:
            return set()
        contenders = self.race.contenders
        return {each.seat for each in contenders if each.seat in target.eligible and not self._seats[each.seat].gone}

    def spoils_race(self, game: Game, after: Game, seat: int) -> bool:
        """Whether a foul of a seat, which leads to the game `after`, would take from others what they race for."""
        target = self.race_target(game)
        others = self.counting(target) - {seat}
        if self.race is None or not others:
            return False
        left = None if after.over else slap_target(after, self.race.n)
        return left is None or left.pattern is None or not others <= self.counting(left)

    def race_over_us(self, game: Game) -> int | None:
        """When the race is over, as things stand: at once if no slap in it counts any more; None if there is none.

        Slaps made together on one page arrive one after the other, so the race waits for the page's other players until
        the page reports that there are none. A heartbeat from before the slap does not say so, whatever its stamp: a
        touch takes some milliseconds to its page, and the other player's may have been on its way as well.
        """
        race = self.race
        if race is None:
            return None
        target = self.race_target(game)
        if target is None or not self.counting(target):
            return min(contender.arrived_us for contender in race.contenders)
        return race.over_us([each for _, each in self._pending(race, target)], _window_us(game))

    def asks(
        self, game: Game, now_us: int, covers: Callable[[PageState], Sequence[int]]
    ) -> list[tuple[PageState, int]]:
        """When to ping each page that the race waits for: now, or later. `covers` are a page's planned cover pings.

        A page with several players is asked as soon as one of them needs it.
        """
        race, target = self.race, self.race_target(game)
        if race is None or target is None or not self.counting(target):
            return []
        level_us = min(each.reaction_us for each in race.contenders) + _window_us(game)
        found: dict[int, tuple[PageState, int]] = {}
        for seat, player in self._pending(race, target):
            if page_state := seat.judged_by:
                card_display = page_state.card_display(race.n)
                offset_us = (card_display.link_estimate if card_display else page_state.link_estimate).clock_offset_us
                pings_us = sorted([*page_state.pings_us.values(), *covers(page_state)])
                at_us = ask_us(race.reveal_us, level_us, now_us, AskedPage(player, offset_us, pings_us))
                if at_us is not None:
                    at_us = max(at_us, _beat_overdue_us(page_state, player.rtt_us, offset_us))
                    _, earliest_us = found.get(id(page_state), (page_state, at_us))
                    found[id(page_state)] = page_state, min(at_us, earliest_us)
        return list(found.values())

    def drop(self, seats: Container[int]) -> None:
        """The slaps of these seats leave the race."""
        if self.race:
            contenders = tuple(each for each in self.race.contenders if each.seat not in seats)
            self.race = replace(self.race, contenders=contenders) if contenders else None

    def postpone(self, foul: Foul) -> None:
        """A wrong slap of the card below waits until the race is over, and its seat leaves the race."""
        self._postponed[foul.seat] = foul
        self.drop((foul.seat,))

    def has_postponed(self, seat: int) -> bool:
        """Whether a wrong slap of the seat waits for the end of the race."""
        return seat in self._postponed

    def take_postponed(self) -> list[Foul]:
        """The wrong slaps that have waited for the end of the race, in the order in which they came."""
        fouls, self._postponed = list(self._postponed.values()), {}
        return fouls

    def decide(self, target: SlapTarget, draw: Draw) -> Verdict:
        """End the race, and give its verdict."""
        race, self.race = self.race, None
        assert race, "there is a race to decide"
        ruling = race.ruling(draw)
        pages = {contender.seat: contender.page for contender in race.contenders}
        measured, first_us = self._measurements, ruling.order[0].us
        order = tuple(SlapRecord(seat, us, measured[seat].proof, pages[seat]) for seat, us in ruling.order)
        level_us = first_us + TIE_US
        pending = [each for seat, each in self._pending(race, target) if not seat.bot]
        unseen = sum(not each.has_no_better(level_us) for each in pending)
        by_pages = all(slap.proof or self._seats[slap.seat].bot for slap in order)
        return Verdict(
            race.n,
            order,
            tuple(self.touch(seat, race.n, max(first_us, us), self._contacts[seat]) for seat, us in ruling.order),
            ruling.tie,
            verdict_confidence(order, unseen) if by_pages else None,
            unseen,
        )

    def touch(self, seat: int, n: int, us: int, contact: SlapContact) -> Touch:
        """A slap of card `n` as the game gets it: when it came down, `us` after the card was revealed."""
        return Touch(seat, (self.reveal_us(n) + us) // 1000, *contact)

    def log_late(self, seat: int, n: int) -> bool:
        """Whether a late slap of the seat on card `n` is to be logged: only the first one is, which bounds the log."""
        if (seat, n) in self._logged_late:
            return False
        self._logged_late.add((seat, n))
        return True

    def _target_of(self, game: Game, n: int) -> SlapTarget | None:
        """The target of a slap of card `n`; cached for one state of the game, as every heartbeat in a race asks."""
        if self._target[:2] != (game.version, n):
            self._target = game.version, n, slap_target(game, n)
        return self._target[2]

    def _pending(self, race: Race, target: SlapTarget) -> Iterator[tuple[Seat, PendingPlayer]]:
        """The players who may still slap in a race, with their seats."""
        shared = [page_state for each in race.contenders if (page_state := self._seats[each.seat].judged_by)]
        for seat in (self._seats[number] for number in target.eligible if (number, race.n) not in self._slapped):
            if each := _pending(seat, race.n):
                if page_state := next((state for state in shared if state is seat.judged_by), None):
                    stamp_us = each.stamp_us if page_state.slaps_complete else None
                    each = each._replace(max_credit_us=each.max_credit_us + SHARED_PAGE_WAIT_US, stamp_us=stamp_us)
                yield seat, each

    def _page_of(self, seat: int) -> int | None:
        """The number of a page that several seats share; None if the seat has one of its own, or none."""
        page_state = self._seats[seat].judged_by
        sharing = [number for number, each in enumerate(self._seats) if page_state and each.judged_by is page_state]
        return sharing[0] if len(sharing) > 1 else None


def _beat_overdue_us(page_state: PageState, rtt_us: int, clock_offset_us: int) -> int:
    """When the stamp that the page sends by itself after a slap is overdue; a past time if it has come."""
    if page_state.slaps_complete:
        return 0
    return page_state.newest_press_us + SAME_TOUCH_US - clock_offset_us + rtt_us // 2 + OVERDUE_US


def _window_us(game: Game) -> int:
    """Slaps within this time of the best one could still tie."""
    return max(TIE_US, game.rules.tie_window_ms * 1000)


def _pending(seat: Seat, n: int) -> PendingPlayer | None:
    """A player who has not slapped card `n`, as the judge waits for them; None if they cannot see the page."""
    page_state = seat.judged_by
    if page_state is None:
        return PendingPlayer(0, 0) if seat.bot else None
    if not page_state.visible:
        return None
    card_display = page_state.card_display(n)
    rtt_us = card_display.link_estimate.rtt_us if card_display else page_state.link_estimate.rtt_us
    stamp_us = page_state.newest.stamp_us if page_state.newest else None
    return PendingPlayer(rtt_us, seat.credit.max_credit_us, card_display.painted_us if card_display else None, stamp_us)
