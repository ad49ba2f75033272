"""Simulates one race with the product's own judge: messages of each player, honest or not, and the verdict."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from random import Random
from statistics import NormalDist
from typing import NamedTuple

from benchmarks.player_model import (
    BEATS,
    NEVER,
    Player,
    Trial,
    arrival,
    arrival_alone,
    arrivals_queued,
    painted_at,
    seen_at,
)
from ratscrew.judge.constants import MAX_HEAD_START_US, SEND_MARGIN_US
from ratscrew.judge.credit import Credit
from ratscrew.judge.judgement import CardTiming, SlapStamps, judge
from ratscrew.judge.race import Contender, Race
from ratscrew.judge.rtt_estimator import LinkEstimate, RttEstimator
from ratscrew.judge.watermark import PendingPlayer


class Lie(NamedTuple):
    """How a page lies: milliseconds subtracted from stamps of slap and heartbeats, added to the paint's and to pongs.

    `peeks`: it shows the card on arrival. `wire`: the player reacts to the packet, not to the picture; with a `floor`,
    no sooner after the picture than a normal draw of this mean and deviation. `useful`: it lies only if the reaction is
    between these. `duty` is the share of races in which it lies, `bot` the reaction of a bot. `asked`: it lies only if
    a ping has come on this card. `on_ping`: it slaps at the first ping that is so long after the painting. `at_first`:
    its network was so much slower while it connected, which is when a proxy measures. `dated` is added to the stamps in
    pongs: half of what they are late by, as a page has it that is so far away. `quickest` is the shortest reaction that
    it claims: it waits with a slap until that is credible. `pauses`: it pauses the game as soon as a card can be
    slapped, and slaps when it goes on, which is after the verdict.
    """

    slap: float = 0
    paint: float = 0
    beats: float = 0
    pongs: float = 0
    peeks: bool = False
    useful: tuple[float, float] = (0, 1e9)
    duty: float = 1
    bot: float | None = None
    wire: bool = False
    floor: tuple[float, float] | None = None
    asked: bool = False
    on_ping: tuple[float, float] | None = None
    at_first: float = 0
    dated: float = 0
    quickest: float = 0
    pauses: bool = False


HONEST = Lie()


class Trace(NamedTuple):
    """The judge's input for one player and one card. Unit: microseconds."""

    shown: CardTiming
    slap: SlapStamps | None
    received_us: Sequence[int]
    stamps_us: Sequence[int]

    def newest_us(self, now_us: int) -> int | None:
        """The time stamp of the newest heartbeat so far."""
        count = bisect_right(self.received_us, now_us)
        return self.stamps_us[count - 1] if count else None


class Verdict(NamedTuple):
    """The winner of a race, if any, and the time from the first slap's arrival to the verdict. Unit: microseconds.

    `confidence_percent` is how sure the judge is, where pages are asked; 0 elsewhere.
    """

    winner: int | None
    wait_us: int
    confidence_percent: int = 0


def us(ms: float) -> int:
    """Milliseconds to the judge's unit, microseconds."""
    return round(ms * 1000)


def reaction_of(trial: Trial, lie: Lie = HONEST) -> tuple[float, bool]:
    """The reaction, and whether the player slaps at all: a bot always does, with little variance."""
    return (trial.reaction, trial.slaps) if lie.bot is None else (lie.bot + 12 * (trial.uniform - 0.5), True)


def measure_link(player: Player, lie: Lie) -> LinkEstimate:
    """The server's estimate of a player's link, from pongs and the kernel's round trip."""
    least = min(ping.down + ping.up for ping in player.pings)
    rtt_estimator = RttEstimator(kernel_us=us(least), reported_us=us(least + lie.at_first))
    for k, ping in enumerate(player.pings):
        read_ms = k * 1000 + ping.down
        got_ms = read_ms + ping.busy + ping.up + lie.pongs
        rtt_estimator = rtt_estimator.with_sample(us(k * 1000), us(got_ms), us(read_ms + player.ahead + lie.dated))
    link_estimate = rtt_estimator.link_estimate
    assert link_estimate is not None
    return link_estimate


class CardOnPage(NamedTuple):
    """What happens on a player's page with one card, and what the page claims of it. Unit: milliseconds.

    `lied_press` is the press that it claims if it lies about this slap, `true_press` the one if it does not.
    """

    painted: float
    pressed: float
    sent: float
    slaps: bool
    lies: bool
    claimed_painted: float
    true_press: float
    lied_press: float

    @property
    def claimed_press(self) -> float:
        """The press as the page claims it."""
        return self.lied_press if self.lies else self.true_press


def play_card(player: Player, trial: Trial, link_estimate: LinkEstimate, lie: Lie = HONEST) -> CardOnPage:
    """Simulate one card, revealed at 0, on its way to a player, and the slap until it is sent."""
    head_start_us = min(MAX_HEAD_START_US, link_estimate.rtt_us // 2 + SEND_MARGIN_US)
    there = arrival(player, trial, -head_start_us / 1000, 10) + 1
    due = link_estimate.clock_offset_us / 1000 - player.ahead + player.drift
    painted = painted_at(player, trial, there, -NEVER if lie.peeks else due)
    reaction, slaps = reaction_of(trial, lie)
    stamp = (there if lie.wire else seen_at(player, trial, painted)) + reaction + trial.scan
    if lie.floor:
        stamp = max(stamp, painted + NormalDist(*lie.floor).inv_cdf(min(0.999, max(0.001, trial.uniform))))
    lies = trial.uniform < lie.duty and lie.useful[0] < reaction < lie.useful[1]
    claimed_painted, claimed_pressed = (each // player.grain * player.grain for each in (painted, stamp))
    if lies:
        claimed_painted += lie.paint
    if lie.peeks:
        claimed_painted = max(claimed_painted, due)
    lied = max(claimed_pressed - lie.slap, claimed_painted + lie.quickest if lie.quickest else -NEVER)
    sent = max(stamp, lied + lie.slap if lies and lie.quickest else -NEVER) + trial.late
    slaps = slaps and not lie.pauses  # nothing that lies on the pile can be slapped after a pause
    return CardOnPage(painted, stamp, sent, slaps, lies, claimed_painted, claimed_pressed, lied)


def shown_at(card: CardOnPage, claimed_press: float, player: Player, link_estimate: LinkEstimate) -> CardTiming:
    """When the card was shown, as the page says: before the press."""
    painted_us = us(min(card.claimed_painted, claimed_press - 1) + player.ahead)
    return CardTiming(0, link_estimate.rtt_us, painted_us)


def trace_card(player: Player, trial: Trial, link_estimate: LinkEstimate, lie: Lie = HONEST) -> Trace:
    """Simulate one card, revealed at 0, on its way to a player, and the slap on the way back."""
    card = play_card(player, trial, link_estimate, lie)
    received, first = arrivals_queued(player, trial, card.sent if card.slaps else None)
    slap_ms = min(first, arrival_alone(player, trial, card.sent, trial.lost_second))
    shown = shown_at(card, card.claimed_press, player, link_estimate)
    stamps = [us(beat.sent - lie.beats + player.ahead) for beat in trial.beats]
    seen = Trace(shown, None, [us(each) for each in received], stamps)
    if not card.slaps:
        return seen
    return seen._replace(
        slap=SlapStamps(us(slap_ms), us(card.claimed_press + player.ahead), seen.newest_us(us(slap_ms)))
    )


def judge_race(traces: Sequence[Trace], credits: list[Credit], draw: Random) -> Verdict:
    """Let the judge decide one race, message by message; each slap updates its player's credit."""
    race, pending, over_us = Race(1, 0), dict(enumerate(traces)), None
    slaps_in_order = sorted((each.slap.arrived_us, seat, each.slap) for seat, each in pending.items() if each.slap)
    for k, (now_us, seat, slap) in enumerate(slaps_in_order):
        judged = judge(slap, traces[seat].shown, credits[seat])
        if over_us is None and not judged.moving:
            race = race.add(Contender(seat, now_us, judged.reaction_us, judged.reported_us, seat))
            del pending[seat]
        credits[seat] = judged.credit
        if over_us is None and race.contenders:
            next_us = slaps_in_order[k + 1][0] if k + 1 < len(slaps_in_order) else None
            over_us = _end_us(race, pending, credits, now_us, next_us)
    if over_us is None:
        return Verdict(None, 0)
    return Verdict(race.ruling(draw.randrange).order[0].seat, over_us - race.contenders[0].arrived_us)


def _end_us(
    race: Race, pending: dict[int, Trace], credits: Sequence[Credit], now_us: int, next_us: int | None
) -> int | None:
    """When the race is over, if before the next slap; computed again with each relevant heartbeat."""
    while True:
        others = [
            PendingPlayer(each.shown.rtt_us, credits[seat].max_credit_us, each.shown.painted_us, each.newest_us(now_us))
            for seat, each in pending.items()
        ]
        over_us = max(now_us, race.over_us(others))
        coming = [
            each.received_us[k] for each in pending.values() if (k := bisect_right(each.received_us, now_us)) < BEATS
        ]
        beat_us = min(coming, default=over_us)
        if over_us <= beat_us and (next_us is None or over_us <= next_us):
            return over_us
        if next_us is not None and next_us <= beat_us:
            return None
        now_us = beat_us
