"""One race before the product's own judge: what the server gets of each player, honest or not, and what comes of it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from random import Random
from statistics import NormalDist
from typing import NamedTuple

from benchmarks.people_and_networks import BEATS, Chance, Player, alone, arrives, drawn, queued
from ratscrew.judge.constants import MAX_LEAD_US, SEND_MARGIN_US
from ratscrew.judge.credit import Credit
from ratscrew.judge.judgement import CardTiming, SlapStamps, judge
from ratscrew.judge.race import Contender, Race
from ratscrew.judge.rtt_estimator import LinkEstimate, RttEstimator
from ratscrew.judge.watermark import PendingPlayer


class Lie(NamedTuple):
    """What a page does: milliseconds taken off the slap's stamp, put onto the paint's, off the heartbeats', onto pongs.

    `peeks`: it shows the card when it comes. `wire`: its owner reacts to the packet, and not to the picture; with a
    `floor` no sooner after the picture than a normal draw of this mean and deviation. `useful`: it lies only where its
    owner's reaction is between these.
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


HONEST = Lie()


class Trace(NamedTuple):
    """What the server gets of one player and one card: all that the judge may know. Unit: microseconds."""

    shown: CardTiming
    hand: SlapStamps | None
    came_us: Sequence[int]
    stamps_us: Sequence[int]

    def newest_us(self, now_us: int) -> int | None:
        """What the newest heartbeat so far was stamped."""
        heard = bisect_right(self.came_us, now_us)
        return self.stamps_us[heard - 1] if heard else None


class Verdict(NamedTuple):
    """Who won a race, if anybody did, and how long after the first hand that was known. Unit: microseconds."""

    winner: int | None
    wait_us: int


def us(ms: float) -> int:
    """The judge's unit."""
    return round(ms * 1000)


def reacts(luck: Chance, lie: Lie = HONEST) -> tuple[float, bool]:
    """How long a player takes from seeing to pressing, and whether he does: a bot always, and nearly always alike."""
    return (luck.reaction, luck.slaps) if lie.bot is None else (lie.bot + 12 * (luck.whim - 0.5), True)


def read(who: Player, lie: Lie) -> LinkEstimate:
    """How far away a player seems: from his pongs, and from what the kernel saw of the packets."""
    rtt_estimator = RttEstimator(kernel_us=us(min(ping.down + ping.up for ping in who.pings)))
    for k, ping in enumerate(who.pings):
        read_ms = k * 1000 + ping.down
        got_ms = read_ms + ping.busy + ping.up + lie.pongs
        rtt_estimator = rtt_estimator.with_sample(us(k * 1000), us(got_ms), us(read_ms + who.ahead))
    link_estimate = rtt_estimator.link_estimate
    assert link_estimate is not None
    return link_estimate


def trace(who: Player, luck: Chance, link_estimate: LinkEstimate, lie: Lie = HONEST) -> Trace:
    """One card, revealed at 0, on the way to a player, and his hand on the way back."""
    lead_us = min(MAX_LEAD_US, link_estimate.rtt_us // 2 + SEND_MARGIN_US)
    there = arrives(who, luck, -lead_us / 1000, 10) + 1
    due = link_estimate.clock_offset_us / 1000 - who.ahead + who.drift
    painted = drawn(who, luck, there if lie.peeks else max(there, due - 1.5 * who.frame))
    reaction, slaps = reacts(luck, lie)
    stamp = (there if lie.wire else painted + luck.dropped * who.frame) + reaction + luck.scan
    if lie.floor:
        stamp = max(stamp, painted + NormalDist(*lie.floor).inv_cdf(min(0.999, max(0.001, luck.whim))))
    sent = stamp + luck.late
    came, first = queued(who, luck, sent if slaps else None)
    hand_ms = min(first, alone(who, luck, sent, luck.lost_second))
    stamps = [beat.sent - lie.beats for beat in luck.beats]
    lies = luck.whim < lie.duty and lie.useful[0] < reaction < lie.useful[1]
    said_painted, said = (each // who.grain * who.grain for each in (painted, stamp))
    if lies:
        said_painted, said = said_painted + lie.paint, said - lie.slap
    if lie.peeks:
        said_painted = max(said_painted, due)
    shown = CardTiming(0, link_estimate.rtt_us, us(min(said_painted, said - 1) + who.ahead))
    seen = Trace(shown, None, [us(each) for each in came], [us(each + who.ahead) for each in stamps])
    if not slaps:
        return seen
    return seen._replace(hand=SlapStamps(us(hand_ms), us(said + who.ahead), seen.newest_us(us(hand_ms))))


def referee(traces: Sequence[Trace], credits: list[Credit], draw: Random) -> Verdict:
    """One race before the judge, message by message; every slap has its effect on its player's credit."""
    race, silent, over_us = Race(1, 0), dict(enumerate(traces)), None
    hands = sorted((each.hand.arrived_us, seat, each.hand) for seat, each in silent.items() if each.hand)
    for k, (now_us, seat, hand) in enumerate(hands):
        judged = judge(hand, traces[seat].shown, credits[seat])
        if over_us is None and not judged.moving:
            race = race.add(Contender(seat, now_us, judged.reaction_us, judged.claim_us, seat))
            del silent[seat]
        credits[seat] = judged.credit
        if over_us is None and race.contenders:
            next_us = hands[k + 1][0] if k + 1 < len(hands) else None
            over_us = _over(race, silent, credits, now_us, next_us)
    if over_us is None:
        return Verdict(None, 0)
    return Verdict(race.ruling(draw.randrange).order[0].seat, over_us - race.contenders[0].arrived_us)


def _over(
    race: Race, silent: dict[int, Trace], credits: Sequence[Credit], now_us: int, next_us: int | None
) -> int | None:
    """When the race is over, if it is before the next slap; asked again with every heartbeat that matters."""
    while True:
        others = [
            PendingPlayer(each.shown.rtt_us, credits[seat].max_credit_us, each.shown.painted_us, each.newest_us(now_us))
            for seat, each in silent.items()
        ]
        over_us = max(now_us, race.over_us(others))
        coming = [each.came_us[k] for each in silent.values() if (k := bisect_right(each.came_us, now_us)) < BEATS]
        beat_us = min(coming, default=over_us)
        if over_us <= beat_us and (next_us is None or over_us <= next_us):
            return over_us
        if next_us is not None and next_us <= beat_us:
            return None
        now_us = beat_us
