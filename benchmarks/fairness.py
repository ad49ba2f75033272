"""How often the judge names the slap that was really first, how long it takes, and how much a liar gains.

    python -m benchmarks.fairness [--scenario mixed|fibre_far|mobile|lossy] [--races N] [--seed S] [--players 2..6]
    python -m benchmarks.fairness --asking [...]
    python -m benchmarks.fairness --frames [--races N] [--liars N] [--seed S]

The judge is the product's own; players and networks are those of `player_model`. The true winner has the shortest time
from the frame that showed the card on their own screen to the press. Two simpler judges decide the same races: the
first packet to arrive, and the page's own claim, awaited for 300 ms. A liar is one of four players, on cable and Wi-Fi;
the points are what lying adds to the liar's share of wins. With `--asking` the same races are judged a second time,
with pages that send no heartbeats and are pinged instead (`ratscrew.judge.ping_schedule`). `--frames` compares players
whose pages draw 30 to 120 frames a second (`frame_rates`).
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Any

from benchmarks.asking_simulation import CARDS_PER_RACE, PingCount, judge_asked_race, trace_page
from benchmarks.frame_rates import measure_rates, show_rates
from benchmarks.judged_sessions import (
    SCENARIOS,
    Scenario,
    Tally,
    sessions,
    show_calibration,
    true_winner,
)
from benchmarks.liars import ADAPTIVE, BOT, LIES, ON_PINGS, asked_liars_gains, liars_gains
from benchmarks.player_model import Player, Trial, arrival, arrival_alone, painted_at, seen_at
from benchmarks.race_simulation import HONEST, judge_race, measure_link, trace_card
from ratscrew.judge.credit import Credit

WAIT_MS = 300.0
"""How long the judge `believe_client` waits for other slaps."""

SIMPLE_JUDGES = ("first_packet", "believe_client")


CARDS_PER_S, ROOM_PAGES, HEARTBEATS_PER_S = 0.86, 4, 53
"""What `benchmarks.load` counts in a room: cards, pages, and heartbeats."""


def simple_verdicts(players: Sequence[Player], trials: Sequence[Trial]) -> dict[str, tuple[int, float]]:
    """The winner and the wait in ms for the two simple judges, if each card is sent to all at the same moment."""
    arrived: dict[int, float] = {}
    claims: dict[int, float] = {}
    for seat, (player, trial) in enumerate(zip(players, trials, strict=True)):
        if trial.slaps:
            painted = painted_at(player, trial, arrival(player, trial, 0, None) + 1)
            stamp = seen_at(player, trial, painted) + trial.reaction + trial.scan
            arrived[seat] = arrival_alone(player, trial, stamp + trial.late, trial.lost_up)
            claims[seat] = stamp // player.grain * player.grain - painted // player.grain * player.grain
    first = min(arrived.values())
    received = [seat for seat in arrived if arrived[seat] <= first + WAIT_MS]
    wait = max(arrived.values()) - first if len(received) == len(players) else WAIT_MS
    return {
        "first_packet": (min(arrived, key=arrived.__getitem__), 0.0),
        "believe_client": (min(received, key=claims.__getitem__), wait),
    }


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
                tallies[name].add(margin, verdict.winner == truth, verdict.wait_us / 1000, verdict.confidence_percent)
            for name, (winner, wait) in simple_verdicts(players, trials).items():
                tallies[name].add(margin, winner == truth, wait)
    return tallies, spent / races * 1e6, count


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
        found["calibration"] = tallies["judge_asking"].calibration()
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
    if "calibration" in found:
        show_calibration(found["calibration"])
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
    parser.add_argument("--liars", type=int, help="how many races each liar plays (4800; with --frames none)")
    parser.add_argument("--seed", type=int, default=1, help="the seed of players and races (1)")
    parser.add_argument("--quick", action="store_true", help="few races: a smoke test, not a measurement")
    parser.add_argument("--asking", action="store_true", help="compare with pages that are pinged, without heartbeats")
    parser.add_argument(
        "--frames", action="store_true", help="compare players whose pages draw 30 to 120 frames a second"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    arguments = parser.parse_args()
    races = arguments.races or (600 if arguments.quick else 12000)
    liars = arguments.liars or (240 if arguments.quick else 4800)
    if arguments.frames:
        rates = measure_rates(races, arguments.seed, arguments.liars or 0)
        print(json.dumps(rates, indent=2)) if arguments.json else show_rates(rates)
        return
    found, cost_us = measure(arguments.scenario, arguments.players, races, liars, arguments.seed, arguments.asking)
    if arguments.json:
        print(json.dumps(found, indent=2))
    else:
        show(found, cost_us, liars)


if __name__ == "__main__":
    main()
