"""What `ratscrew suspicion` flags: how many honest players, how many cheats, and after how many slaps.

    python -m benchmarks.suspicion [--games N] [--cheats N] [--slaps 20..2000] [--only WORD] [--seed S] [--workers W]

The product's own judge decides the slaps of a table of four, until each has made `--slaps`. At an honest table round
trips are drawn from 20 to 250 ms, screens from 30 to 120 Hz, and players from quick, usual and slow. A cheat plays
against three of them. Slaps are recorded as in the log: in a race, late, or wrong. A person who sees the pile taken
before the hand moves does not slap. The same seed gives the same games.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any, NamedTuple, TypeAlias

from benchmarks.player_model import LINK_CLASSES, PINGS, Ping, Player, Trial, answer_times, sample_player, sample_trial
from benchmarks.race_simulation import HONEST, Lie, judge_race, trace_card, us
from benchmarks.race_simulation import Trace as CardTrace
from ratscrew.judge.credit import Credit
from ratscrew.judge.intervals import wilson_bounds
from ratscrew.judge.judgement import SlapStamps, judge
from ratscrew.judge.ping_schedule import OVERDUE_US, cover_pings_us
from ratscrew.judge.rtt_estimator import LinkEstimate, RttEstimator
from ratscrew.judge.suspicion import SlapTrace, indicators

RTTS = (20, 50, 100, 150, 200, 250)
AFTER = (20, 50, 100, 200, 500, 1000, 2000)
"""Round trips of honest players in milliseconds, and after how many slaps the indicators are computed."""

PATTERNS = {"double": 0.6, "sandwich": 0.3, "tens": 0.1}
NOTICES_MS = 120.0
"""A person who sees the pile taken this long before the hand would come down does not slap."""

PROBE_EVERY_US = 2_000_000
"""How often a page is pinged at least."""

KERNEL_PACKETS = 120
"""The kernel's shortest round trip is of many packets, the page's of some thirty pongs."""


class Profile(NamedTuple):
    """A player at a table: extra time for harder patterns, delay of the device, share of wrong slaps."""

    player: Player
    rtt: int
    harder: float
    sends: float
    mistakes: float


@dataclass(frozen=True, slots=True)
class Cheat:
    """The behaviour of a cheat. Unit: milliseconds.

    `lie` is what the page claims. `adaptive`: it claims all the credit that it has. `pays`: it lies on good slaps only.
    `control`: the browser answers pings. `acks` is added to the packets' own round trip, `held` to every round trip, by
    holding packets back on the way in. `robot` gives reactions instead of a person's, `mistakes` the share of wrong
    slaps. `frame` is how long it says that its frames last.
    """

    rtt: int = 50
    lie: Lie = HONEST
    adaptive: bool = False
    pays: bool = False
    control: bool = True
    acks: float = 0
    held: float = 0
    robot: tuple[str, float, float] | None = None
    frame: float | None = None
    mistakes: float | None = None


CHEATS = {
    "early stamps: 24 ms less, always": Cheat(lie=Lie(slap=24)),
    "late painting: 24 ms, always": Cheat(lie=Lie(paint=24)),
    "late painting: 24 ms, always, and says 30 frames": Cheat(lie=Lie(paint=24), frame=1000 / 30),
    "free credit and purse, adaptive": Cheat(adaptive=True),
    "100 ms less where useful, heartbeats too": Cheat(lie=Lie(slap=100, beats=100, useful=(310, 375))),
    "24 ms less on good slaps only, heartbeats too": Cheat(lie=Lie(slap=24, beats=24), pays=True),
    "pongs 50 ms late, browser silent": Cheat(lie=Lie(pongs=50), control=False),
    "delayed ACKs and pongs, browser silent": Cheat(lie=Lie(pongs=38), control=False, acks=38),
    "reads the wire, RTT 20": Cheat(20, Lie(wire=True)),
    "reads the wire, RTT 50": Cheat(50, Lie(wire=True)),
    "reads the wire, RTT 100": Cheat(100, Lie(wire=True)),
    "holds packets back (root), plays by hand": Cheat(lie=Lie(wire=True, floor=(245, 24)), held=100),
    "robot, 152 ms": Cheat(robot=("fixed", 152, 0.5), mistakes=0),
    "robot, 200 ± 22 ms": Cheat(robot=("normal", 200, 22), mistakes=0),
    "robot, 180 ± 40 ms, skewed": Cheat(robot=("skewed", 180, 40), mistakes=0),
    "robot, 300 ± 60 ms, skewed like a person": Cheat(robot=("skewed", 300, 60), mistakes=0.05),
    "slaps every card": Cheat(mistakes=0.9),
}

Flags: TypeAlias = dict[int, frozenset[str]]
"""The flagged indicators of one player, by number of slaps."""


@dataclass(slots=True)
class Tally:
    """Number of players, and how many each indicator flags ("any": at least one), after a number of slaps."""

    asked: int = 0
    flagged: dict[str, int] = field(default_factory=lambda: defaultdict(int))

    def add(self, odd: Iterable[str]) -> None:
        """Count a player."""
        names = list(odd)
        self.asked += 1
        for name in (*names, *(["any"] if names else [])):
            self.flagged[name] += 1


def sample_profile(rng: Random, rtt: int) -> Profile:
    """A random player with this round trip: any jitter and screen, quick, usual or slow."""
    rtt_estimator = rng.choice(["fibre", "cable+wifi", "mobile", "far"])
    player, uplink = sample_player(rng, rtt_estimator, 1, {"30": 1, "60": 2, "120": 1}), rng.uniform(0.4, 0.6)
    mean, deviation, tail = rng.choice(
        [
            (rng.uniform(220, 245), rng.uniform(22, 35), rng.uniform(30, 55)),
            (player.mean, player.deviation, player.tail),
            (rng.uniform(320, 420), rng.uniform(35, 60), rng.uniform(70, 140)),
        ]
    )
    player = replace(
        player,
        up=rtt * uplink,
        down=rtt * (1 - uplink),
        mean=mean,
        deviation=deviation,
        tail=tail,
        loss=rng.uniform(*LINK_CLASSES[rtt_estimator].loss),
        pings=(),
    )
    return Profile(player, rtt, rng.uniform(15, 60), rng.choice([0, 0, rng.uniform(0, 5)]), rng.uniform(0.02, 0.2))


def _pings(rng: Random, player: Player, many: int = PINGS) -> list[Ping]:
    wait = rng.expovariate
    return [
        Ping(player.down + wait(1 / player.jitter_down), wait(1) + 0.3, player.up + wait(1 / player.jitter_up))
        for _ in range(many)
    ]


def _link(rng: Random, player: Player, cheat: Cheat) -> tuple[RttEstimator, LinkEstimate]:
    """The server's measurements of a connection over some half minute."""
    least_us = us(min(ping.down + ping.up for ping in _pings(rng, player, KERNEL_PACKETS)) + cheat.held + cheat.acks)
    answers = [ping.down + ping.up for ping in _pings(rng, player)]
    rtt_estimator = RttEstimator(
        control_us=us(min(answers) + cheat.held) if cheat.control else None, kernel_us=least_us
    )
    for k, ping in enumerate(_pings(rng, player)):
        read = k * 1000 + ping.down + cheat.held
        rtt_estimator = rtt_estimator.with_sample(
            us(k * 1000), us(read + ping.busy + ping.up + cheat.lie.pongs), us(read + player.ahead)
        )
    assert rtt_estimator.link_estimate
    return rtt_estimator, rtt_estimator.link_estimate


def _reaction(rng: Random, cheat: Cheat, trial: Trial, extra: float) -> Trial:
    """The random variables with the reaction of this player; a harder pattern delays a person, but not a program."""
    if cheat.robot is None:
        return replace(trial, reaction=trial.reaction + extra)
    kind, mean, spread = cheat.robot
    reaction = {
        "fixed": lambda: mean + rng.uniform(0, spread),
        "normal": lambda: rng.gauss(mean, spread),
        "skewed": lambda: mean - spread * 0.9 + rng.gauss(0, spread * 0.4) + rng.expovariate(1 / (spread * 0.9)),
    }[kind]()
    return replace(trial, reaction=max(151.0, reaction), slaps=True, scan=0.0, late=0.5, dropped=False)


class Seat:
    """One player of a simulated table, with all that the log would store of the slaps."""

    def __init__(self, profile: Profile, cheat: Cheat) -> None:
        self.profile, self.cheat, self.credit = profile, cheat, Credit()
        self.slap_traces: list[SlapTrace] = []
        self.link_estimate = LinkEstimate(0, 0)
        self.rtt_estimator = RttEstimator()
        self.farthest_us = 0
        self.lag_us: int | None = None

    def measure(self, rng: Random) -> None:
        """The server measures the connection again."""
        self.rtt_estimator, self.link_estimate = _link(rng, self.profile.player, self.cheat)

    def show_card(self, rng: Random, pattern: str | None) -> CardTrace:
        """Simulate a card on its way to the player, and the slap on the way back.

        What the slap is compared with are answers to pings that come whatever happens: regular and cover pings. Asks
        are left out, which would be nearer to the slap.
        """
        cheat, player = self.cheat, self.profile.player
        trial = _reaction(rng, cheat, sample_trial(rng, player), self.profile.harder if pattern == "sandwich" else 0)
        trial = replace(trial, late=trial.late + self.profile.sends)
        lie = cheat.lie
        if cheat.adaptive:
            purse_us = self.credit.purse_us if self.credit.purse_us >= 20_000 else 0
            lie = lie._replace(slap=(self.credit.free_us + purse_us) / 1000)
        if pattern is None:
            trial = replace(trial, slaps=True)
            lie = lie._replace(slap=0) if cheat.pays else lie
        seen = trace_card(player, trial, self.link_estimate, lie)
        return seen._replace(slap=seen.slap and seen.slap._replace(beat_us=self._answer(rng, trial, lie, seen.slap)))

    def _answer(self, rng: Random, trial: Trial, lie: Lie, slap: SlapStamps) -> int | None:
        """The page's newest clock when the slap arrives; notes how late that came."""
        player, before, self.lag_us = self.profile.player, (-1e9, -1e9), None
        newest_us = None
        covers_us = cover_pings_us(self.link_estimate.rtt_us, self.farthest_us, rng.randrange)
        for sent_us in (-rng.randrange(PROBE_EVERY_US), *covers_us):
            read, _, came = answer_times(
                player, trial, sent_us / 1000, (self.link_estimate.rtt_us + OVERDUE_US) / 1000, rng, before
            )
            before = (read, came)
            if us(came) <= slap.arrived_us:
                newest_us = us(read - lie.beats + player.ahead)
                sent_as_us = newest_us - self.link_estimate.clock_offset_us
                self.lag_us = us(came + lie.pongs) - sent_as_us - self.link_estimate.rtt_us // 2
        return newest_us

    def record(self, seen: CardTrace, pattern: str | None) -> None:
        """Record the slap as the log does, unless it is too early to be a reaction."""
        if seen.slap is None or seen.shown.painted_us is None:
            return
        judged = judge(seen.slap, seen.shown, self.credit)
        if judged.moving:
            return
        rtt_estimator, paint_us = self.rtt_estimator, seen.shown.painted_us - self.link_estimate.clock_offset_us
        frame = self.profile.player.screen.frame if self.cheat.frame is None else self.cheat.frame
        beat_us, pressed_us = seen.slap.beat_us, seen.slap.pressed_us
        apart_us = None if beat_us is None or pressed_us is None else beat_us - pressed_us
        known = (
            self.lag_us,
            rtt_estimator.app_us,
            rtt_estimator.kernel_us,
            rtt_estimator.control_us,
            paint_us,
            apart_us,
            us(round(frame)),
        )
        self.slap_traces.append(SlapTrace(judged.reported_us, pattern, judged.excess_us, *known))


def play(seats: Sequence[Seat], rng: Random, slaps: int) -> None:
    """Play cards until every player has made this many slaps, at most three times as many cards."""
    for card in range(slaps * 3):
        if all(len(seat.slap_traces) >= slaps for seat in seats):
            return
        if card % 40 == 0:
            for seat in seats:
                seat.measure(rng)
            for seat in seats:
                seat.farthest_us = max(each.link_estimate.rtt_us for each in seats)
        _race(seats, rng, rng.choices(list(PATTERNS), list(PATTERNS.values()))[0])
        for seat in seats:
            mistakes = seat.profile.mistakes if seat.cheat.mistakes is None else seat.cheat.mistakes
            for _ in range(20):
                if rng.random() >= mistakes:
                    break
                wrong = seat.show_card(rng, None)
                seat.record(wrong, None)
                if wrong.slap:
                    seat.credit = judge(wrong.slap, wrong.shown, seat.credit).credit


def _race(seats: Sequence[Seat], rng: Random, pattern: str) -> None:
    seen = [seat.show_card(rng, pattern) for seat in seats]
    credits = [seat.credit for seat in seats]
    verdict = judge_race(seen, credits, rng)
    over_ms = (min((each.slap.arrived_us for each in seen if each.slap), default=0) + verdict.wait_us) / 1000
    for seat, each, credit in zip(seats, seen, credits, strict=True):
        if each.slap is None:
            continue
        player, arrived_ms = seat.profile.player, each.slap.arrived_us / 1000
        gone_ms = over_ms + player.down + NOTICES_MS
        if seat.cheat.robot is None and verdict.winner is not None and arrived_ms - player.up > gone_ms:
            continue
        seat.record(each, pattern)
        if arrived_ms <= over_ms:
            seat.credit = credit


def flags(slap_traces: Sequence[SlapTrace]) -> Flags:
    """The flagged indicators after each number of slaps that was reached."""
    return {
        many: frozenset(sign.name for sign in indicators(slap_traces[:many]) if sign.flagged)
        for many in AFTER
        if many <= len(slap_traces)
    }


def honest_table(seed: int, slaps: int) -> list[tuple[int, Flags]]:
    """Play a table of four honest players: the round trip and flags of each."""
    rng = Random(f"honest {seed}")
    seats = [Seat(sample_profile(rng, rng.choice(RTTS)), Cheat()) for _ in range(4)]
    play(seats, rng, slaps)
    return [(seat.profile.rtt, flags(seat.slap_traces[:slaps])) for seat in seats]


def cheat_table(name: str, seed: int, slaps: int) -> Flags:
    """Play a table of a cheat and three honest players: the flags of the cheat."""
    rng, cheat = Random(f"{name} {seed}"), CHEATS[name]
    seats = [
        Seat(sample_profile(rng, cheat.rtt), cheat),
        *(Seat(sample_profile(rng, rng.choice(RTTS)), Cheat()) for _ in range(3)),
    ]
    play(seats, rng, slaps)
    return flags(seats[0].slap_traces[:slaps])


def interval(many: int, of: int) -> tuple[float, float]:
    """The 95 % interval of a share, in percent."""
    low, high = wilson_bounds(many, of, 1.96) or (0.0, 1.0)
    return 100 * low, 100 * high


def measure(games: int, cheats: int, slaps: int, seed: int, only: str = "", workers: int = 1) -> dict[str, Any]:
    """Tallies by number of slaps: of honest players by round trip, and of each cheat with `only` in its name."""
    honest: dict[int, dict[int, Tally]] = defaultdict(lambda: defaultdict(Tally))
    names = [name for name in CHEATS if only in name and cheats]
    caught: dict[str, dict[int, Tally]] = {name: defaultdict(Tally) for name in names}
    first = seed * 100_000
    jobs = [(name, first + game) for name in names for game in range(cheats)]
    with ProcessPoolExecutor(workers) as pool:
        for table in pool.map(honest_table, range(first, first + games), [slaps] * games, chunksize=4):
            for rtt, odd in table:
                for many, found in odd.items():
                    honest[rtt][many].add(found)
        cheated = pool.map(cheat_table, *zip(*jobs, strict=True), [slaps] * len(jobs), chunksize=4) if jobs else []
        for (name, _), odd in zip(jobs, cheated, strict=True):
            for many, found in odd.items():
                caught[name][many].add(found)
    return {
        "seed": seed,
        "slaps": slaps,
        "honest": {rtt: _by_slaps(honest[rtt]) for rtt in sorted(honest)},
        "cheats": {name: _by_slaps(caught[name]) for name in names},
    }


def _by_slaps(tallies: Mapping[int, Tally]) -> dict[int, dict[str, Any]]:
    return {
        many: {"players": each.asked, "flagged": dict(sorted(each.flagged.items()))}
        for many, each in sorted(tallies.items())
    }


def show(found: Mapping[str, Any]) -> None:
    """Print both tables, as in docs/fairness.md."""
    after = [many for many in AFTER if many <= found["slaps"]]
    heads = " | ".join(f"after {many}" for many in after)
    print(f"Honest players flagged, in percent, with the 95 % interval\n\n| RTT ms | players | {heads} |")
    print("|---|---|" + "---|" * len(after))
    by_sign: dict[int, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    for rtt, by in found["honest"].items():
        cells = []
        for many in after:
            of, hits = by[many]["players"], by[many]["flagged"]
            low, high = interval(hits.get("any", 0), of)
            cells.append(f"{100 * hits.get('any', 0) / of:.2f} ({low:.2f}–{high:.2f})")
            for name, count in hits.items():
                by_sign[many][name] += count
        print(f"| {rtt} | {by[after[0]]['players']} | {' | '.join(cells)} |")
    for many in after:
        print(f"\nby sign, after {many}: {dict(by_sign[many])}", end="")
    print(f"\n\nCheats flagged, in percent\n\n| cheat | tables | {heads} | by |\n|---|---|---|" + "---|" * len(after))
    for name, by in found["cheats"].items():
        shares = [100 * by[many]["flagged"].get("any", 0) / by[many]["players"] for many in by]
        last = max(by)
        ranked = sorted(by[last]["flagged"].items(), key=lambda each: -each[1])
        best = ", ".join(f"{sign} {100 * count / by[last]['players']:.0f}" for sign, count in ranked if sign != "any")
        cells = [*(f"{share:.0f}" for share in shares), *["–"] * (len(after) - len(shares))]
        print(f"| {name} | {by[after[0]]['players']} | {' | '.join(cells)} | {best} |")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="How many honest players and how many cheats the indicators flag.")
    parser.add_argument("--games", type=int, help="tables of four honest players (900)")
    parser.add_argument("--cheats", type=int, help="tables for each cheat (60)")
    parser.add_argument("--slaps", type=int, choices=AFTER, default=200, help="slaps of each player (200)")
    parser.add_argument("--only", default="", help="cheats with this word in their name (all)")
    parser.add_argument("--seed", type=int, default=1, help="the seed of players and games (1)")
    parser.add_argument("--workers", type=int, default=1, help="processes (1)")
    parser.add_argument("--quick", action="store_true", help="few tables: a smoke test, not a measurement")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    arguments = parser.parse_args()
    games = arguments.games if arguments.games is not None else (6 if arguments.quick else 900)
    cheats = arguments.cheats if arguments.cheats is not None else (1 if arguments.quick else 60)
    found = measure(games, cheats, arguments.slaps, arguments.seed, arguments.only, arguments.workers)
    if arguments.json:
        print(json.dumps(found, indent=2))
    else:
        show(found)


if __name__ == "__main__":
    main()
