"""Simulates one race in which pages are pinged for their clock instead of sending heartbeats.

`ratscrew.judge.ping_schedule` decides when each page is pinged; a page answers at once, with its clock and the time at
which it painted the card. Players, networks and the judge are those of `race_simulation`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from random import Random
from typing import NamedTuple

from benchmarks.player_model import Player, Trial, answer_times, arrival_alone
from benchmarks.race_simulation import HONEST, CardOnPage, Lie, Verdict, play_card, shown_at, us
from ratscrew.deck import Draw
from ratscrew.judge.constants import TIE_US
from ratscrew.judge.credit import Credit
from ratscrew.judge.judgement import CardTiming, Judgement, SlapStamps, judge
from ratscrew.judge.ping_schedule import OVERDUE_US, AskedPage, ask_us, cover_pings_us
from ratscrew.judge.race import Contender, Race
from ratscrew.judge.rtt_estimator import LinkEstimate
from ratscrew.judge.watermark import PendingPlayer
from ratscrew.table.record.entries import Proof, SlapRecord
from ratscrew.table.record.verdict_confidence import verdict_confidence

STAMP, SLAP, PING, CHECK = range(4)
"""Events of a race, in this order if they are at the same time."""

AFTER_SLAP_MS = 10.0
"""A page sends its clock so long after a slap, which also repairs the slap's loss."""

CARDS_PER_RACE = 8
"""One card in so many can be slapped."""

NEAR_US = 60_000
"""Pages with a shorter round trip than this learn most from a ping."""


class PageTrace(NamedTuple):
    """What happens on a player's page with one card, whatever pings come."""

    player: Player
    trial: Trial
    link_estimate: LinkEstimate
    lie: Lie
    card: CardOnPage


class Answer(NamedTuple):
    """The answer to a ping: its arrival, the ping's sending, the page's clock, and the card's painting if it was."""

    arrived_us: int
    sent_us: int
    stamp_us: int
    painted_us: int | None


@dataclass(slots=True)
class PingCount:
    """How many pings pages got: cover pings on one card, and asks in a race; `near_` those of near pages."""

    races: int = 0
    pages: int = 0
    covers: int = 0
    asks: int = 0
    near_pages: int = 0
    near_covers: int = 0
    near_asks: int = 0
    wrong_slaps: int = 0

    def add(self, pages: Sequence[_Page], asks: Sequence[int]) -> None:
        """Add a race."""
        self.races += 1
        for page, asked in zip(pages, asks, strict=True):
            self.pages, self.covers, self.asks = self.pages + 1, self.covers + page.covers, self.asks + asked
            if page.link_estimate.rtt_us < NEAR_US:
                self.near_pages, self.near_covers = self.near_pages + 1, self.near_covers + page.covers
                self.near_asks += asked

    def per_card_and_page(self) -> float:
        """Pings for each page and card of a game, in which few cards can be slapped."""
        return (self.covers + self.asks / CARDS_PER_RACE) / max(1, self.pages)

    def ask_share(self) -> float:
        """The share of asks in the pings that near pages get, in percent."""
        asks = self.near_asks / CARDS_PER_RACE
        return 100 * asks / max(1, asks + self.near_covers)


def trace_page(player: Player, trial: Trial, link_estimate: LinkEstimate, lie: Lie = HONEST) -> PageTrace:
    """Simulate one card, revealed at 0, on its way to a player, and the press."""
    return PageTrace(player, trial, link_estimate, lie, play_card(player, trial, link_estimate, lie))


class _Page:
    """A page during one race: its messages on the way, and what the server knows of it."""

    def __init__(self, trace: PageTrace, farthest_us: int) -> None:
        self.trace, (self.player, self.trial, self.link_estimate, self.lie, card) = trace, trace
        self.rng = Random(self.trial.uniform)
        self.pings_us = cover_pings_us(self.link_estimate.rtt_us, farthest_us, self.rng.randrange)
        self.covers = len(self.pings_us)
        self.reads: list[float] = []
        self.newest_us: int | None = None
        self.painted_us: int | None = None
        self.pressed, self.sent = card.pressed, card.sent
        self._before = (-1e9, -1e9)
        self.slap_us: int | None = None
        self._first = 1e9
        if card.slaps:
            self._slap(card.sent)

    def _slap(self, sent: float) -> None:
        self.sent = sent
        self._first = arrival_alone(self.player, self.trial, sent, self.trial.lost_up, AFTER_SLAP_MS)
        self._first = max(self._first, self._before[1])
        self._second = arrival_alone(self.player, self.trial, sent, self.trial.lost_second)
        self.slap_us = us(min(self._first, self._second))

    def ping(self, sent_us: int) -> Answer:
        """A ping is sent: its answer. A cheat may slap at once when the ping comes."""
        repair = (self.link_estimate.rtt_us + OVERDUE_US) / 1000
        read, out, came = answer_times(self.player, self.trial, sent_us / 1000, repair, self.rng, self._before)
        window, card = self.lie.on_ping, self.trace.card
        if window and window[0] < read - card.painted < window[1] and (self.slap_us is None or read < self.sent):
            self.pressed = read
            self._slap(read + 0.5)
        if self.slap_us is not None and out < self.sent:
            self._first = max(self._first, came)
            self.slap_us = us(min(self._first, self._second))
        elif self.slap_us is not None:
            came = max(came, self._first)
        self._before = (read, came)
        self.reads.append(read)
        painted_us = us(card.claimed_painted + self.player.ahead) if read >= card.painted else None
        stamp = read // self.player.grain * self.player.grain - self.lie.beats
        return Answer(us(came), sent_us, us(stamp + self.player.ahead), painted_us)

    def answered(self, answer: Answer) -> None:
        """An answer arrives at the server."""
        self.pings_us = [sent_us for sent_us in self.pings_us if sent_us > answer.sent_us]
        self.newest_us = max(answer.stamp_us, answer.stamp_us if self.newest_us is None else self.newest_us)
        self.painted_us = answer.painted_us if self.painted_us is None else self.painted_us

    def stamps(self) -> tuple[SlapStamps, CardTiming]:
        """The slap that arrives now, as the page claims it."""
        card, lie = self.trace.card, self.lie
        assert self.slap_us is not None
        if self.pressed < card.pressed:
            press = self.pressed - lie.slap
        elif lie.asked and not any(card.painted < read < self.pressed for read in self.reads):
            press = card.true_press
        else:
            press = card.claimed_press
        shown = shown_at(card, press, self.player, self.link_estimate)
        return SlapStamps(self.slap_us, us(press + self.player.ahead), self.newest_us), shown

    def pending(self, credit: Credit) -> AskedPage:
        """The page's player, who has not slapped, as the server knows them."""
        link = self.link_estimate
        player = PendingPlayer(link.rtt_us, credit.max_credit_us, self.painted_us, self.newest_us)
        return AskedPage(player, link.clock_offset_us, self.pings_us)


def judge_asked_race(
    traces: Sequence[PageTrace], credits: list[Credit], draw: Draw, count: PingCount | None = None
) -> Verdict:
    """Let the judge decide one race, message by message; each slap updates its player's credit."""
    farthest_us = max(trace.link_estimate.rtt_us for trace in traces)
    pages = [_Page(trace, farthest_us) for trace in traces]
    count = count or PingCount()
    for seat, page in enumerate(pages):
        if page.lie.on_ping:
            credits[seat], wrong = _other_cards(page, farthest_us, credits[seat])
            count.wrong_slaps += wrong
    simulation = _Simulation(pages, credits)
    simulation.run()
    count.add(pages, simulation.asks)
    if simulation.over_us is None:
        return Verdict(None, 0)
    race = simulation.race
    wait_us = simulation.over_us - race.contenders[0].arrived_us
    return Verdict(race.ruling(draw).order[0].seat, wait_us, simulation.confidence_percent)


class _Simulation:
    """One race: its events in order of time, as the server has them."""

    def __init__(self, pages: Sequence[_Page], credits: list[Credit]) -> None:
        self.pages, self.credits, self.race = pages, credits, Race(1, 0)
        self.over_us: int | None = None
        self.asks = [0] * len(pages)
        self.confidence_percent = 0
        self._pending = set(range(len(pages)))
        self._slaps: dict[int, SlapRecord] = {}
        self._check_us = -1
        self._events: list[tuple[int, int, int, Answer | None]] = []
        for seat, page in enumerate(pages):
            self._events += [(at_us, PING, seat, None) for at_us in page.pings_us]
            if page.slap_us is not None:
                self._events.append((page.slap_us, SLAP, seat, None))
        self._events.sort()

    def run(self) -> None:
        """Process all events, also those after the verdict: later slaps have their effect on credit."""
        while self._events:
            now_us, kind, seat, answer = heappop(self._events)
            if answer:
                self.pages[seat].answered(answer)
            elif kind == PING:
                self._ping(seat, now_us)
            elif kind == SLAP and now_us == self.pages[seat].slap_us:
                self._slap(seat)
            if self.over_us is None and self.race.contenders:
                self._proceed(now_us)

    def _slap(self, seat: int) -> None:
        slap, shown = self.pages[seat].stamps()
        judged = judge(slap, shown, self.credits[seat])
        if self.over_us is None and not judged.moving:
            self.race = self.race.add(Contender(seat, slap.arrived_us, judged.reaction_us, judged.reported_us, seat))
            self._pending.discard(seat)
            self._slaps[seat] = _record(seat, slap, shown, judged)
        self.credits[seat] = judged.credit

    def _order(self) -> list[SlapRecord]:
        """The slaps in the race as the log has them, the shortest reaction first."""
        return [self._slaps[seat] for seat, _ in self.race.ruling(lambda many: 0).order]

    def _proceed(self, now_us: int) -> None:
        """Ask pages that are to be asked now, and see whether the race is over before anything else happens."""
        waits = {seat: self.pages[seat].pending(self.credits[seat]) for seat in sorted(self._pending)}
        end_us = max(now_us, self.race.over_us([page.player for page in waits.values()]))
        best_us = min(contender.reaction_us for contender in self.race.contenders)
        next_us = end_us
        for seat, page in waits.items():
            at_us = ask_us(self.race.reveal_us, best_us + TIE_US, now_us, page)
            if at_us is not None and at_us <= now_us < end_us:
                self.asks[seat] += 1
                self.pages[seat].pings_us = sorted([*page.pings_us, now_us])
                self._ping(seat, now_us)
                asked = self.pages[seat].pending(self.credits[seat])
                at_us = ask_us(self.race.reveal_us, best_us + TIE_US, now_us, asked)
            next_us = min(next_us, end_us if at_us is None else at_us)
        if next_us < end_us and not now_us < self._check_us <= next_us:
            heappush(self._events, (next_us, CHECK, 0, None))
            self._check_us = next_us
        if not self._events or end_us <= self._events[0][0]:
            self.over_us = end_us
            level_us = best_us + TIE_US
            unseen = sum(not page.player.has_no_better(level_us) for page in waits.values())
            self.confidence_percent = verdict_confidence(self._order(), unseen)

    def _ping(self, seat: int, now_us: int) -> None:
        page = self.pages[seat]
        before_us, answer = page.slap_us, page.ping(now_us)
        heappush(self._events, (answer.arrived_us, STAMP, seat, answer))
        if page.slap_us is not None and page.slap_us != before_us:
            heappush(self._events, (page.slap_us, SLAP, seat, None))


def _record(seat: int, slap: SlapStamps, shown: CardTiming, judged: Judgement) -> SlapRecord:
    """A slap as the log has it, with what its proof says of the stamps."""
    assert slap.pressed_us is not None
    assert shown.painted_us is not None
    beat_us = None if slap.beat_us is None else slap.beat_us - shown.painted_us
    pressed_us = slap.pressed_us - shown.painted_us
    proof = Proof(slap.arrived_us, shown.rtt_us, pressed_us, 0, 0, judged.granted_us, beat_us)
    return SlapRecord(seat, judged.reaction_us, proof)


def _other_cards(page: _Page, farthest_us: int, credit: Credit) -> tuple[Credit, int]:
    """A page slaps at pings on cards that cannot be slapped: its credit afterwards, and how often it slaps."""
    player, card, wrong = page.player, page.trace.card, 0
    assert page.lie.on_ping
    for _ in range(CARDS_PER_RACE - 1):
        for sent_us in cover_pings_us(page.link_estimate.rtt_us, farthest_us, page.rng.randrange):
            read, _, came = answer_times(player, page.trial, sent_us / 1000, 100, page.rng, (-1e9, -1e9))
            if page.lie.on_ping[0] < read - card.painted < page.lie.on_ping[1]:
                press = read - page.lie.slap
                slap = SlapStamps(us(came), us(press + player.ahead))
                credit = judge(slap, shown_at(card, press, player, page.link_estimate), credit).credit
                wrong += 1
                break
    return credit, wrong
