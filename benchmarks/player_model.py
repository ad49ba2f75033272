"""People and their networks, as far as a race of hands needs them: drawn at random, known exactly. Nothing here judges.

Links come in four classes and are asymmetric, jittery and lossy; screens have frames of which some are dropped without
the page's knowledge; inputs are scanned, clocks are coarse; reactions are exponentially modified Gaussian.
Unit: milliseconds. Source: docs/fairness.md; the figures are its assumptions, not measurements.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import NamedTuple

PINGS = 24
MISSES = 0.08
BEAT_MS, BEATS = 50.0, 40
"""How often a page says that nothing has been slapped, and for how many times after a card."""

NEVER = 1e9


class LinkClass(NamedTuple):
    """A class of links: its share, round trips between two bounds, mean jitters, episodes a second, loss."""

    share: float
    rtt: tuple[float, float]
    jitter_up: float
    jitter_down: float
    episodes: float
    loss: tuple[float, float]
    access: float = 0
    """What getting the uplink to oneself costs at most."""


LINK_CLASSES = {
    "fibre": LinkClass(0.28, (5, 25), 0.7, 0.5, 0.004, (0, 0.0005)),
    "cable+wifi": LinkClass(0.34, (15, 60), 3.5, 2.0, 0.020, (0.0002, 0.004), 5),
    "mobile": LinkClass(0.20, (40, 120), 9.0, 5.0, 0.040, (0.0005, 0.008), 12),
    "far": LinkClass(0.18, (120, 300), 3.0, 2.5, 0.015, (0.0005, 0.008)),
}


class Ping(NamedTuple):
    """One ping: its way to the page, the page's delay after reading its clock, and the way back."""

    down: float
    busy: float
    up: float


@dataclass(frozen=True, slots=True)
class Player:
    """One person with device and network, for a whole session; `ahead` is his clock against the server's."""

    up: float
    down: float
    jitter_up: float
    jitter_down: float
    episodes: float
    loss: float
    frame: float
    scan: float
    grain: float
    mean: float
    deviation: float
    tail: float
    ahead: float
    drift: float
    pings: tuple[Ping, ...]

    @property
    def rtt(self) -> float:
        """The least round trip."""
        return self.up + self.down


class Episode(NamedTuple):
    """A while in which one direction is slower."""

    begin: float
    end: float
    delay: float

    def at(self, moment: float) -> float:
        """How much slower."""
        return self.delay if self.begin <= moment < self.end else 0.0


class Beat(NamedTuple):
    """A heartbeat's own delay, without what lies before it in the queue, and whether it is lost at first."""

    sent: float
    jitter: float
    lost: bool


@dataclass(frozen=True, slots=True)
class Trial:
    """What chance has for one player on one card, the same for every judge and every lie.

    `late` is the time between event and sending; `whim` decides whether a liar who lies sometimes lies now.
    """

    reaction: float
    slaps: bool
    phase: float
    scan: float
    late: float
    dropped: bool
    down: float
    up: float
    lost_down: bool
    lost_up: bool
    lost_second: bool
    twice: int
    slow_down: Episode
    slow_up: Episode
    beats: tuple[Beat, ...]
    uniform: float


def sample_player(rng: Random, name: str | None = None, bad: float = 1) -> Player:
    """A player, on a link of this class or any; `bad` multiplies loss and episodes."""
    link = LINK_CLASSES[name or rng.choices(list(LINK_CLASSES), [each.share for each in LINK_CLASSES.values()])[0]]
    low, high = link.rtt
    rtt = low * (high / low) ** rng.random()
    heavy = rng.gauss(0, 1) / (sum(rng.gauss(0, 1) ** 2 for _ in range(3)) / 3) ** 0.5  # Student's t, three degrees
    uplink = min(0.7, max(0.3, 0.5 + 0.03 * heavy))
    up, down = rtt * uplink + rng.uniform(0, link.access), rtt * (1 - uplink)
    jitter_up, jitter_down = link.jitter_up * rng.uniform(0.6, 1.6), link.jitter_down * rng.uniform(0.6, 1.6)
    return Player(
        up=up,
        down=down,
        jitter_up=jitter_up,
        jitter_down=jitter_down,
        episodes=bad * link.episodes,
        loss=bad * rng.uniform(*link.loss),
        frame=rng.choices((1000 / 60, 1000 / 120, 1000 / 144), (0.65, 0.2, 0.15))[0],
        scan=rng.choices((1.0, 8.0, 16.0), (0.25, 0.5, 0.25))[0],
        grain=rng.choices((0.1, 1.0, 2.0), (0.7, 0.2, 0.1))[0],
        mean=min(400.0, max(225.0, rng.gauss(300, 30))),
        deviation=rng.uniform(20, 40),
        tail=rng.uniform(40, 110),
        ahead=rng.uniform(-1e6, 1e6),
        drift=rng.gauss(0, 0.7),
        pings=tuple(
            Ping(down + _exponential(rng, jitter_down), _exponential(rng, 1) + 0.3, up + _exponential(rng, jitter_up))
            for _ in range(PINGS)
        ),
    )


def sample_trial(rng: Random, player: Player) -> Trial:
    """One card for a player."""
    phase = rng.random()
    return Trial(
        reaction=max(150.0, rng.gauss(player.mean, player.deviation) + _exponential(rng, player.tail)),
        slaps=rng.random() >= MISSES,
        phase=rng.random(),
        scan=rng.random() * player.scan,
        late=rng.uniform(0.5, 3) + (rng.uniform(10, 50) if rng.random() < 0.03 else 0),
        dropped=rng.random() < 0.02,
        down=player.down + _exponential(rng, player.jitter_down),
        up=player.up + _exponential(rng, player.jitter_up),
        lost_down=rng.random() < player.loss,
        lost_up=rng.random() < player.loss,
        lost_second=rng.random() < player.loss,
        twice=2 if rng.random() < 0.03 else 1,
        slow_down=_episode(rng, player),
        slow_up=_episode(rng, player),
        beats=tuple(
            Beat((phase + k) * BEAT_MS, player.up + _exponential(rng, player.jitter_up), rng.random() < player.loss)
            for k in range(BEATS)
        ),
        uniform=rng.random(),
    )


def painted_at(player: Player, trial: Trial, ready: float) -> float:
    """When a card that is ready is to be seen, as the page knows it: drawn in the next frame, and shown at its end."""
    return (int((ready + 1e4) / player.frame - trial.phase) + 2 + trial.phase) * player.frame - 1e4


def arrival(player: Player, trial: Trial, sent: float, repair: float | None) -> float:
    """When a card sent at this moment is there; `repair` is how soon a later message uncovers a loss (None: none)."""
    return sent + trial.down + trial.slow_down.at(sent) + trial.lost_down * _retransmission(player, trial, repair)


def arrival_alone(player: Player, trial: Trial, sent: float, lost: bool) -> float:
    """When a slap arrives that has a connection to itself: if it is lost, only a timeout finds out."""
    return sent + trial.up + trial.slow_up.at(sent) + lost * _retransmission(player, trial, None)


def arrivals_queued(player: Player, trial: Trial, slap: float | None) -> tuple[list[float], float]:
    """When the heartbeats and the slap between them arrive on one connection, each after all before it."""
    repair = _retransmission(player, trial, BEAT_MS)
    arrived: list[float] = []
    slap_at, last = NEVER, -NEVER
    for beat in trial.beats:
        if slap is not None and slap_at == NEVER and slap <= beat.sent:
            slap_at = last = max(last, slap + trial.up + trial.slow_up.at(slap) + trial.lost_up * repair)
        last = max(last, beat.sent + beat.jitter + trial.slow_up.at(beat.sent) + beat.lost * repair)
        arrived.append(last)
    if slap is not None and slap_at == NEVER:
        slap_at = max(last, slap + trial.up + trial.slow_up.at(slap) + trial.lost_up * repair)
    return arrived, slap_at


def _retransmission(player: Player, trial: Trial, repair: float | None) -> float:
    """How long a lost message takes to come again: a timeout of TCP's, or a quick answer to the next message."""
    return trial.twice * (200 + 2 * player.rtt if repair is None else repair + 1.25 * player.rtt)


def _episode(rng: Random, player: Player) -> Episode:
    if rng.random() >= player.episodes * 2.5:
        return Episode(NEVER, NEVER, 0)
    begin = rng.uniform(-1000, 1500)
    return Episode(begin, begin + _exponential(rng, 300), rng.uniform(30, 250))


def _exponential(rng: Random, mean: float) -> float:
    return rng.expovariate(1 / mean)
