"""How often the judge names the slap that was really first, how long it takes, and how much a liar gains.

    python -m benchmarks.fairness [--scenario mixed|fibre_far|mobile|lossy] [--races N] [--seed S] [--players 2..6]
    python -m benchmarks.fairness --asking [...]

The judge is the product's own; players and networks are those of `player_model`. The true winner has the shortest time
from the frame that showed the card on their own screen to the press. Two simpler judges decide the same races: the
first packet to arrive, and the page's own claim, awaited for 300 ms. A liar is one of four players, on cable and Wi-Fi;
the points are what lying adds to the liar's share of wins. With `--asking` the same races are judged a second time,
with pages that send no heartbeats and are pinged instead (`ratscrew.judge.ping_schedule`).
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any, NamedTuple, TypeAlias

from benchmarks.asking_simulation import CARDS_PER_RACE, PingCount, judge_asked_race, trace_page
from benchmarks.player_model import Player, Trial, arrival, arrival_alone, painted_at, sample_player, sample_trial
from benchmarks.race_simulation import HONEST, Lie, judge_race, measure_link, reaction_of, trace_card
from ratscrew.judge.credit import Credit
from ratscrew.judge.rtt_estimator import LinkEstimate

SESSION = 60
"""Races in a session, over which credit is kept."""

WAIT_MS = 300.0
"""How long the judge `believe_client` waits for other slaps."""

MARGINS_MS = {"all": -1.0, "over_10": 10.0, "over_20": 20.0, "over_50": 50.0}
SIMPLE_JUDGES = ("first_packet", "believe_client")


@dataclass(frozen=True, slots=True)
class Scenario:
    """Numbers of players in turn, classes of links by seat (default: any), and the factor of loss and episodes."""

    players: tuple[int, ...]
    links: tuple[str, ...] = ()
    bad: float = 1


SCENARIOS = {
    "mixed": Scenario((2, 3, 4, 5, 6)),
    "fibre_far": Scenario((2,), ("fibre", "far")),
    "mobile": Scenario((4,), ("mobile",) * 6),
    "lossy": Scenario((4,), bad=3),
}
CHEATED = Scenario((4,), ("cable+wifi",))


LIES = {
    "claims 100 ms less": Lie(slap=100),
    "claims the card came 100 ms later": Lie(paint=100),
    "peeks": Lie(peeks=True),
    "pongs 100 ms late, claims 120 less": Lie(slap=120, beats=120, pongs=100),
    "all together, always": Lie(slap=100, beats=100, pongs=100, peeks=True),
    "all together, where useful": Lie(slap=100, beats=100, pongs=100, peeks=True, useful=(290, 420)),
    "claims 100 ms less on the useful 45 %": Lie(slap=100, beats=100, useful=(310, 375)),
}
BOT = Lie(bot=200)
"""A fast bot that does not lie: no judge of reactions can prevent that, so its figure is not among the liars'."""

NEVER = (1.0, 0.0)
"""No reaction is between these."""

ADAPTIVE = [
    Lie(less, 0, less, 100, True, useful, duty)
    for less, useful, duty in (
        (15.0, (0.0, 1e9), 1.0),
        (20.0, (280.0, 440.0), 1.0),
        (20.0, (290.0, 420.0), 1.0),
        (25.0, (300.0, 360.0), 1.0),
        (30.0, (300.0, 360.0), 1.0),
        (60.0, (310.0, 375.0), 0.6),
    )
]
"""Six of the best among 96 that differed in how much, when and how often they lie; the best of all is one of them."""

ON_PINGS = {
    "lies if pinged before": Lie(60, 0, 60, 100, True, (280, 440), asked=True),
    "lies less if pinged before": Lie(20, 0, 20, 100, True, asked=True),
    "slaps at pings": Lie(25, 0, 25, useful=NEVER, on_ping=(150, 700)),
    "slaps at pings when most are asks": Lie(25, 0, 25, useful=NEVER, on_ping=(290, 390)),
    "slaps at late pings": Lie(60, 0, 60, useful=NEVER, on_ping=(460, 1000)),
}
"""Cheats that take a ping for the sign of a race. Those that slap at pings know no cards, and slap wrongly as well."""

CARDS_PER_S, ROOM_PAGES, HEARTBEATS_PER_S = 0.86, 4, 53
"""What `benchmarks.load` counts in a room: cards, pages, and heartbeats."""


@dataclass(slots=True)
class Tally:
    """One judge's verdicts: margin of each race, whether the true winner won, and the time to the verdict."""

    margins: list[float] = field(default_factory=list)
    right: list[bool] = field(default_factory=list)
    waits: list[float] = field(default_factory=list)

    def add(self, margin: float, right: bool, wait: float) -> None:
        """Add a verdict."""
        self.margins.append(margin)
        self.right.append(right)
        self.waits.append(wait)

    def figures(self) -> dict[str, float]:
        """Shares of right verdicts in percent, times to the verdict in milliseconds."""
        shares = {}
        for name, least in MARGINS_MS.items():
            clear = [right for right, margin in zip(self.right, self.margins, strict=True) if margin > least]
            shares[name] = round(100 * sum(clear) / max(1, len(clear)), 2)
        waits = sorted(self.waits)
        at = {f"verdict_p{p}_ms": round(waits[(len(waits) - 1) * p // 100], 1) for p in (50, 99)}
        return shares | at


class Session(NamedTuple):
    """Some players and their races: for each race a trial of each player."""

    players: Sequence[Player]
    races: Sequence[Sequence[Trial]]


def sessions(scenario: Scenario, races: int, seed: int) -> Iterator[Session]:
    """Sessions until there are this many races; the same seed gives the same ones."""
    rng, number = Random(seed), 0
    while races > 0:
        links = [*scenario.links, *[None] * 6]
        size = scenario.players[number % len(scenario.players)]
        players = [sample_player(rng, links[seat], scenario.bad) for seat in range(size)]
        yield Session(players, [[sample_trial(rng, each) for each in players] for _ in range(min(SESSION, races))])
        races, number = races - SESSION, number + 1


def simple_verdicts(players: Sequence[Player], trials: Sequence[Trial]) -> dict[str, tuple[int, float]]:
    """The winner and the wait in ms for the two simple judges, if each card is sent to all at the same moment."""
    arrived: dict[int, float] = {}
    claims: dict[int, float] = {}
    for seat, (player, trial) in enumerate(zip(players, trials, strict=True)):
        if trial.slaps:
            painted = painted_at(player, trial, arrival(player, trial, 0, None) + 1)
            stamp = painted + trial.dropped * player.frame + trial.reaction + trial.scan
            arrived[seat] = arrival_alone(player, trial, stamp + trial.late, trial.lost_up)
            claims[seat] = stamp // player.grain * player.grain - painted // player.grain * player.grain
    first = min(arrived.values())
    received = [seat for seat in arrived if arrived[seat] <= first + WAIT_MS]
    wait = max(arrived.values()) - first if len(received) == len(players) else WAIT_MS
    return {
        "first_packet": (min(arrived, key=arrived.__getitem__), 0.0),
        "believe_client": (min(received, key=claims.__getitem__), wait),
    }


def true_winner(trials: Sequence[Trial]) -> tuple[int, float] | None:
    """The seat with the shortest reaction, and its lead in milliseconds; None if fewer than two players slap.

    A reaction ends with the touch: the polling delay of a screen or a keyboard (`scan`) is not part of it.
    """
    times = sorted((trial.reaction, seat) for seat, trial in enumerate(trials) if trial.slaps)
    return (times[0][1], times[1][0] - times[0][0]) if len(times) > 1 else None


def compare_judges(
    scenario: Scenario, races: int, seed: int, asking: bool = False
) -> tuple[dict[str, Tally], float, PingCount]:
    """The tally of every judge on the same races, the real judge's CPU per race in microseconds, and the pings."""
    tallies, spent, count = {name: Tally() for name in ("judge", *SIMPLE_JUDGES)}, 0.0, PingCount()
    if asking:
        tallies["judge_asking"] = Tally()
    draw, asked_draw = Random(seed), Random(seed)
    for players, deals in sessions(scenario, races, seed):
        link_estimates, credits = [measure_link(player, HONEST) for player in players], [Credit() for _ in players]
        asked_credits = list(credits)
        for trials in deals:
            inputs = list(zip(players, trials, link_estimates, strict=True))
            traces = [trace_card(*each) for each in inputs]
            before = time.process_time()
            verdicts = {"judge": judge_race(traces, credits, draw)}
            spent += time.process_time() - before
            if asking:
                pages = [trace_page(*each) for each in inputs]
                verdicts["judge_asking"] = judge_asked_race(pages, asked_credits, asked_draw.randrange, count)
            if (first := true_winner(trials)) is None:
                continue
            truth, margin = first
            for name, verdict in verdicts.items():
                tallies[name].add(margin, verdict.winner == truth, verdict.wait_us / 1000)
            for name, (winner, wait) in simple_verdicts(players, trials).items():
                tallies[name].add(margin, winner == truth, wait)
    return tallies, spent / races * 1e6, count


def liars_gains(lies: Sequence[Lie], races: int, seed: int) -> list[float]:
    """How many points each lie adds to the share of wins of the first of four players, on the same races."""

    def won(
        players: Sequence[Player], deals: Sequence[Sequence[Trial]], links: Sequence[LinkEstimate]
    ) -> Iterator[list[bool]]:
        honest = [[trace_card(*each) for each in zip(players, trials, links, strict=True)] for trials in deals]
        for lie in (HONEST, *lies):
            credits, link, draw = [Credit() for _ in players], measure_link(players[0], lie), Random(seed)
            yield [
                judge_race([trace_card(players[0], trials[0], link, lie), *rivals], credits, draw).winner == 0
                for trials, (_, *rivals) in zip(deals, honest, strict=True)
            ]

    return _gains(won, lies, races, seed)


def asked_liars_gains(lies: Sequence[Lie], races: int, seed: int) -> tuple[list[float], list[float]]:
    """The same if pages are asked; and how many wrong slaps each cheat makes for each race."""
    counts = [PingCount() for _ in range(len(lies) + 1)]

    def won(
        players: Sequence[Player], deals: Sequence[Sequence[Trial]], links: Sequence[LinkEstimate]
    ) -> Iterator[list[bool]]:
        honest = [[trace_page(*each) for each in zip(players, trials, links, strict=True)] for trials in deals]
        for lie, count in zip((HONEST, *lies), counts, strict=True):
            credits, link, draw = [Credit() for _ in players], measure_link(players[0], lie), Random(seed).randrange
            yield [
                judge_asked_race([trace_page(players[0], trials[0], link, lie), *rivals], credits, draw, count).winner
                == 0
                for trials, (_, *rivals) in zip(deals, honest, strict=True)
            ]

    gains = _gains(won, lies, races, seed)
    return gains, [count.wrong_slaps / max(1, count.races) for count in counts[1:]]


Winning: TypeAlias = Callable[
    [Sequence[Player], Sequence[Sequence[Trial]], Sequence[LinkEstimate]], Iterator[list[bool]]
]
"""Whether the first player wins each race of a session: if honest, and with each lie."""


def _gains(winning: Winning, lies: Sequence[Lie], races: int, seed: int) -> list[float]:
    won, played = [0] * (len(lies) + 1), [0] * (len(lies) + 1)
    for players, deals in sessions(CHEATED, races, seed):
        links = [measure_link(player, HONEST) for player in players]
        for k, (lie, wins) in enumerate(zip((HONEST, *lies), winning(players, deals, links), strict=True)):
            for win, (mine, *others) in zip(wins, deals, strict=True):
                if reaction_of(mine, lie)[1] and any(trial.slaps for trial in others):
                    won[k], played[k] = won[k] + win, played[k] + 1
    shares = [100 * wins / max(1, of) for wins, of in zip(won, played, strict=True)]
    return [share - shares[0] for share in shares[1:]]


def messages(count: PingCount) -> dict[str, float]:
    """Messages per second in a room of four pages, both ways; and the share of asks in the pings of near pages."""
    pings = 2 * CARDS_PER_S * ROOM_PAGES / max(1, count.pages)
    return {
        "heartbeats": HEARTBEATS_PER_S,
        "cover_pings_and_pongs": round(pings * count.covers, 2),
        "asks_and_pongs": round(pings * count.asks / CARDS_PER_RACE, 2),
        "asks_among_near_pings_percent": round(count.ask_share(), 1),
    }


def measure(
    name: str, players: int | None, races: int, liars: int, seed: int, asking: bool = False
) -> tuple[dict[str, Any], float]:
    """All reported figures, and the CPU per race in microseconds."""
    scenario = replace(SCENARIOS[name], players=(players,)) if players else SCENARIOS[name]
    tallies, cost_us, count = compare_judges(scenario, races, seed, asking)
    lies = [BOT, *LIES.values(), *ADAPTIVE]
    bot, *gained = [round(points, 2) for points in liars_gains(lies, liars, seed + 1)]
    named = dict(zip(LIES, gained, strict=False)) | {"best adaptive": max(gained[len(LIES) :])}
    found = {"scenario": name, "races": races, "seed": seed, "bot_of_200_ms": bot}
    found |= {each: tally.figures() for each, tally in tallies.items()} | {"liars": named}
    if asking:
        asked, wrong = asked_liars_gains([*lies, *ON_PINGS.values()], liars, seed + 1)
        bot, *gained = [round(points, 2) for points in asked]
        named = dict(zip(LIES, gained, strict=False))
        named["best adaptive"] = max(gained[len(LIES) : len(LIES) + len(ADAPTIVE)])
        named |= zip(ON_PINGS, gained[-len(ON_PINGS) :], strict=True)
        slaps = {each: round(of, 2) for each, of in zip(ON_PINGS, wrong[-len(ON_PINGS) :], strict=True)}
        found |= {"bot_of_200_ms_asking": bot, "liars_asking": named, "wrong_slaps_per_race": slaps}
        found["messages_per_second_and_room"] = messages(count)
    return found, cost_us


def show(found: dict[str, Any], cost_us: float, liars: int) -> None:
    """Print the report as Markdown tables."""
    heads = ["all", "> 10 ms", "> 20 ms", "> 50 ms", "verdict p50 ms", "p99 ms"]
    print(f"{found['scenario']}, {found['races']} races: percentage of right verdicts, by the winner's lead\n")
    print(f"| judge | {' | '.join(heads)} |\n{'|---' * (len(heads) + 1)}|")
    for name in ("judge", "judge_asking", *SIMPLE_JUDGES):
        if name in found:
            shares, waits = list(found[name].values())[:4], list(found[name].values())[4:]
            cells = *(f"{share:.1f}" for share in shares), *(f"{wait:.0f}" for wait in waits)
            print(f"| {name.replace('_', ' ')} | {' | '.join(cells)} |")
    print(f"\n{cost_us:.0f} µs of CPU per race for the judge")
    print(f"\n1 liar of 4, {liars} races each; compared with honesty\n")
    if asked := found.get("liars_asking"):
        wrong = found["wrong_slaps_per_race"]
        print("| lie | points of win share | asking | wrong slaps per race |\n|---|---|---|---|")
        for name, points in asked.items():
            before = f"{found['liars'][name]:+.1f}" if name in found["liars"] else "–"
            print(f"| {name} | {before} | {points:+.1f} | {wrong.get(name, 0):.1f} |")
        print("\nMessages per second in a room of four: ", end="")
        print(
            ", ".join(
                f"{what.replace('_', ' ')} {value}" for what, value in found["messages_per_second_and_room"].items()
            )
        )
    else:
        print("| lie | points of win share |\n|---|---|")
        for name, points in found["liars"].items():
            print(f"| {name} | {points:+.1f} |")
    bots = [f"{found[name]:+.1f}" for name in ("bot_of_200_ms", "bot_of_200_ms_asking") if name in found]
    print(f"\nA bot that needs 200 ms, which is no lie: {', asking '.join(bots)}")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="How often the judge is right, how soon, and how much a liar gains.")
    parser.add_argument(
        "--scenario", choices=SCENARIOS, default="mixed", help="numbers of players and their networks (mixed)"
    )
    parser.add_argument(
        "--players", type=int, choices=range(2, 7), help="a fixed number of players (as in the scenario)"
    )
    parser.add_argument("--races", type=int, help="how many races (12000)")
    parser.add_argument("--liars", type=int, help="how many races each liar plays (4800)")
    parser.add_argument("--seed", type=int, default=1, help="the seed of players and races (1)")
    parser.add_argument("--quick", action="store_true", help="few races: a smoke test, not a measurement")
    parser.add_argument("--asking", action="store_true", help="compare with pages that are pinged, without heartbeats")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    arguments = parser.parse_args()
    races = arguments.races or (600 if arguments.quick else 12000)
    liars = arguments.liars or (240 if arguments.quick else 4800)
    found, cost_us = measure(arguments.scenario, arguments.players, races, liars, arguments.seed, arguments.asking)
    if arguments.json:
        print(json.dumps(found, indent=2))
    else:
        show(found, cost_us, liars)


if __name__ == "__main__":
    main()
