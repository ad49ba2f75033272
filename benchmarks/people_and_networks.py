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
BEAT, BEATS = 50.0, 40
"""How often a page says that nothing has been slapped, and for how many times after a card."""

NEVER = 1e9


class Class(NamedTuple):
    """A class of links: its share, round trips between two bounds, mean jitters, episodes a second, loss."""

    share: float
    rtt: tuple[float, float]
    jitter_up: float
    jitter_down: float
    episodes: float
    loss: tuple[float, float]
    access: float = 0
    """What getting the uplink to oneself costs at most."""


CLASSES = {
    "fibre": Class(0.28, (5, 25), 0.7, 0.5, 0.004, (0, 0.0005)),
    "cable+wifi": Class(0.34, (15, 60), 3.5, 2.0, 0.020, (0.0002, 0.004), 5),
    "mobile": Class(0.20, (40, 120), 9.0, 5.0, 0.040, (0.0005, 0.008), 12),
    "far": Class(0.18, (120, 300), 3.0, 2.5, 0.015, (0.0005, 0.008)),
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
class Chance:
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
    whim: float


def player(rng: Random, name: str | None = None, bad: float = 1) -> Player:
    """A player, on a link of this class or any; `bad` multiplies loss and episodes."""
    kind = CLASSES[name or rng.choices(list(CLASSES), [each.share for each in CLASSES.values()])[0]]
    low, high = kind.rtt
    rtt = low * (high / low) ** rng.random()
    heavy = rng.gauss(0, 1) / (sum(rng.gauss(0, 1) ** 2 for _ in range(3)) / 3) ** 0.5  # Student's t, three degrees
    uplink = min(0.7, max(0.3, 0.5 + 0.03 * heavy))
    up, down = rtt * uplink + rng.uniform(0, kind.access), rtt * (1 - uplink)
    jitter_up, jitter_down = kind.jitter_up * rng.uniform(0.6, 1.6), kind.jitter_down * rng.uniform(0.6, 1.6)
    return Player(
        up=up,
        down=down,
        jitter_up=jitter_up,
        jitter_down=jitter_down,
        episodes=bad * kind.episodes,
        loss=bad * rng.uniform(*kind.loss),
        frame=rng.choices((1000 / 60, 1000 / 120, 1000 / 144), (0.65, 0.2, 0.15))[0],
        scan=rng.choices((1.0, 8.0, 16.0), (0.25, 0.5, 0.25))[0],
        grain=rng.choices((0.1, 1.0, 2.0), (0.7, 0.2, 0.1))[0],
        mean=min(400.0, max(225.0, rng.gauss(300, 30))),
        deviation=rng.uniform(20, 40),
        tail=rng.uniform(40, 110),
        ahead=rng.uniform(-1e6, 1e6),
        drift=rng.gauss(0, 0.7),
        pings=tuple(
            Ping(down + _wait(rng, jitter_down), _wait(rng, 1) + 0.3, up + _wait(rng, jitter_up)) for _ in range(PINGS)
        ),
    )


def chance(rng: Random, player: Player) -> Chance:
    """One card for a player."""
    phase = rng.random()
    return Chance(
        reaction=max(150.0, rng.gauss(player.mean, player.deviation) + _wait(rng, player.tail)),
        slaps=rng.random() >= MISSES,
        phase=rng.random(),
        scan=rng.random() * player.scan,
        late=rng.uniform(0.5, 3) + (rng.uniform(10, 50) if rng.random() < 0.03 else 0),
        dropped=rng.random() < 0.02,
        down=player.down + _wait(rng, player.jitter_down),
        up=player.up + _wait(rng, player.jitter_up),
        lost_down=rng.random() < player.loss,
        lost_up=rng.random() < player.loss,
        lost_second=rng.random() < player.loss,
        twice=2 if rng.random() < 0.03 else 1,
        slow_down=_episode(rng, player),
        slow_up=_episode(rng, player),
        beats=tuple(
            Beat((phase + k) * BEAT, player.up + _wait(rng, player.jitter_up), rng.random() < player.loss)
            for k in range(BEATS)
        ),
        whim=rng.random(),
    )


def drawn(player: Player, luck: Chance, ready: float) -> float:
    """When a card that is ready is to be seen, as the page knows it: drawn in the next frame, and shown at its end."""
    return (int((ready + 1e4) / player.frame - luck.phase) + 2 + luck.phase) * player.frame - 1e4


def arrives(player: Player, luck: Chance, sent: float, repair: float | None) -> float:
    """When a card sent at this moment is there; `repair` is how soon a later message uncovers a loss (None: none)."""
    return sent + luck.down + luck.slow_down.at(sent) + luck.lost_down * _again(player, luck, repair)


def alone(player: Player, luck: Chance, sent: float, lost: bool) -> float:
    """When a slap arrives that has a connection to itself: if it is lost, only a timeout finds out."""
    return sent + luck.up + luck.slow_up.at(sent) + lost * _again(player, luck, None)


def queued(player: Player, luck: Chance, slap: float | None) -> tuple[list[float], float]:
    """When the heartbeats and the slap between them arrive on one connection, each after all before it."""
    repair = _again(player, luck, BEAT)
    arrived: list[float] = []
    hand, last = NEVER, -NEVER
    for beat in luck.beats:
        if slap is not None and hand == NEVER and slap <= beat.sent:
            hand = last = max(last, slap + luck.up + luck.slow_up.at(slap) + luck.lost_up * repair)
        last = max(last, beat.sent + beat.jitter + luck.slow_up.at(beat.sent) + beat.lost * repair)
        arrived.append(last)
    if slap is not None and hand == NEVER:
        hand = max(last, slap + luck.up + luck.slow_up.at(slap) + luck.lost_up * repair)
    return arrived, hand


def _again(player: Player, luck: Chance, repair: float | None) -> float:
    """How long a lost message takes to come again: a timeout of TCP's, or a quick answer to the next message."""
    return luck.twice * (200 + 2 * player.rtt if repair is None else repair + 1.25 * player.rtt)


def _episode(rng: Random, player: Player) -> Episode:
    if rng.random() >= player.episodes * 2.5:
        return Episode(NEVER, NEVER, 0)
    begin = rng.uniform(-1000, 1500)
    return Episode(begin, begin + _wait(rng, 300), rng.uniform(30, 250))


def _wait(rng: Random, mean: float) -> float:
    return rng.expovariate(1 / mean)
