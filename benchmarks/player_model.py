"""Random models of players and their networks, for simulated slap races. Does not judge.

There are four classes of links, asymmetric, with jitter and loss. Screens drop some frames unnoticed by the page;
inputs are polled, clocks are coarse; reactions are exponentially modified Gaussian.
Unit: milliseconds. Source: docs/fairness.md; the figures are its assumptions, not measurements.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

PINGS = 24
MISSES = 0.08
BEAT_MS, BEATS = 50.0, 40
"""The interval of heartbeats, and how many a page sends after a card."""

NEVER = 1e9


class Screen(NamedTuple):
    """A screen: the time between two frames that a page draws, and until the screen shows one. Unit: milliseconds.

    They differ where the browser draws less often than the screen could, as phones do to save power.
    """

    frame: float
    refresh: float

    @property
    def believed(self) -> float:
        """The time until the screen shows a frame, as far as the page can tell: it takes no screen for slower than 40
        frames a second (`client/src/net/frame-timer.ts`)."""
        return self.frame / max(1, int(self.frame * 60 / 1000 + 0.5))


SCREENS = {
    "30": Screen(1000 / 30, 1000 / 60),
    "60": Screen(1000 / 60, 1000 / 60),
    "90": Screen(1000 / 90, 1000 / 90),
    "120": Screen(1000 / 120, 1000 / 120),
    "144": Screen(1000 / 144, 1000 / 144),
    "30 on a screen of 30": Screen(1000 / 30, 1000 / 30),
}
"""By their frames a second; a page that draws 30 of them usually does so on a screen that could show 60."""

USUAL_SCREENS = {"60": 0.65, "120": 0.2, "144": 0.15}


class LinkClass(NamedTuple):
    """A class of links: its share, bounds of round trip and loss, mean jitters, slow episodes per second."""

    share: float
    rtt: tuple[float, float]
    jitter_up: float
    jitter_down: float
    episodes: float
    loss: tuple[float, float]
    access: float = 0
    """The longest time to get access to a shared uplink."""


LINK_CLASSES = {
    "fibre": LinkClass(0.28, (5, 25), 0.7, 0.5, 0.004, (0, 0.0005)),
    "cable+wifi": LinkClass(0.34, (15, 60), 3.5, 2.0, 0.020, (0.0002, 0.004), 5),
    "mobile": LinkClass(0.20, (40, 120), 9.0, 5.0, 0.040, (0.0005, 0.008), 12),
    "far": LinkClass(0.18, (120, 300), 3.0, 2.5, 0.015, (0.0005, 0.008)),
}


class Ping(NamedTuple):
    """One ping: time to the page, the page's delay after reading its clock, and time back."""

    down: float
    busy: float
    up: float


@dataclass(frozen=True, slots=True)
class Player:
    """One player with device and network, for a whole session; `ahead` is the page's clock minus the server's."""

    up: float
    down: float
    jitter_up: float
    jitter_down: float
    episodes: float
    loss: float
    screen: Screen
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
        """The round trip without jitter."""
        return self.up + self.down


class Episode(NamedTuple):
    """A period in which one direction is slower."""

    begin: float
    end: float
    delay: float

    def at(self, moment: float) -> float:
        """The extra delay at a moment."""
        return self.delay if self.begin <= moment < self.end else 0.0


class Beat(NamedTuple):
    """A heartbeat: its own delay without queueing, and whether its first transmission is lost."""

    sent: float
    jitter: float
    lost: bool


@dataclass(frozen=True, slots=True)
class Trial:
    """The random variables of one player on one card, the same for every judge and every lie.

    `late` is the time between event and sending; `uniform` decides whether an occasional liar lies now.
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


def sample_player(
    rng: Random, name: str | None = None, bad: float = 1, screens: Mapping[str, float] = USUAL_SCREENS
) -> Player:
    """A random player on a link of class `name`, or of any; `bad` multiplies loss and episodes.

    `screens` are the shares of `SCREENS`.
    """
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
        screen=SCREENS[rng.choices(list(screens), list(screens.values()))[0]],
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
    """The random variables of one card for a player."""
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


def painted_at(player: Player, trial: Trial, ready: float, due: float = -NEVER) -> float:
    """When a card that is ready gets painted, as the page knows it: drawn in the next frame, shown a moment later.

    Before `due` it is shown only in the frame that is nearest to that.
    """
    frame, _ = screen = player.screen
    ready = max(ready, due - screen.believed - frame / 2)
    return (int((ready + 1e4) / frame - trial.phase) + 1 + trial.phase) * frame - 1e4 + screen.believed


def seen_at(player: Player, trial: Trial, painted: float) -> float:
    """When the screen really shows a card that is painted at this time, as the page knows it."""
    return painted - player.screen.believed + (2 if trial.dropped else 1) * player.screen.refresh


def arrival(player: Player, trial: Trial, sent: float, repair: float | None) -> float:
    """When a card sent at this moment arrives; `repair` is how soon a later message reveals a loss (None: never)."""
    return sent + trial.down + trial.slow_down.at(sent) + trial.lost_down * _retransmission(player, trial, repair)


def arrival_alone(player: Player, trial: Trial, sent: float, lost: bool, repair: float | None = None) -> float:
    """When a slap on a connection of its own arrives; its loss is noticed by a timeout, or `repair` after it."""
    return sent + trial.up + trial.slow_up.at(sent) + lost * _retransmission(player, trial, repair)


def answer_times(
    player: Player, trial: Trial, sent: float, repair: float, rng: Random, before: tuple[float, float]
) -> tuple[float, float, float]:
    """When a ping is read by the page, when the answer leaves it, and when that arrives.

    `before` are the arrivals of the message before it at the page and at the server, which it cannot overtake.
    """
    lost = min(_retransmission(player, trial, repair), _retransmission(player, trial, None))
    down = player.down + _exponential(rng, player.jitter_down) + (rng.random() < player.loss) * lost
    read = max(before[0], sent + down + trial.slow_down.at(sent))
    out = read + _exponential(rng, 1) + 0.3
    up = player.up + _exponential(rng, player.jitter_up) + (rng.random() < player.loss) * lost
    return read, out, max(before[1], out + up + trial.slow_up.at(out))


def arrivals_queued(player: Player, trial: Trial, slap: float | None) -> tuple[list[float], float]:
    """When heartbeats and a slap on the same connection arrive, each after all before it."""
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
    """The delay of a retransmission: TCP's timeout, or fast retransmit `repair` after the loss."""
    return trial.twice * (200 + 2 * player.rtt if repair is None else repair + 1.25 * player.rtt)


def _episode(rng: Random, player: Player) -> Episode:
    if rng.random() >= player.episodes * 2.5:
        return Episode(NEVER, NEVER, 0)
    begin = rng.uniform(-1000, 1500)
    return Episode(begin, begin + _exponential(rng, 300), rng.uniform(30, 250))


def _exponential(rng: Random, mean: float) -> float:
    return rng.expovariate(1 / mean)
