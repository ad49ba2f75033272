"""The races at the tables, compared with what the people there did: who should have won.

Who was first is in the people's own record (`live_people`), and whom the judge named is what the server told the
players: neither comes from the judge's stamps. The log has the time that a verdict took and the proofs, from which the
verdicts of simpler judges are computed: the first packet
to arrive, for a card that all saw at the same moment; the same for a card sent to all at the same moment (later by each
player's one-way delay); and the page's own claim, awaited for 300 ms.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import NamedTuple, TypeAlias

from benchmarks.fairness import WAIT_MS
from benchmarks.frame_rates import RateTally
from benchmarks.judged_sessions import Tally
from benchmarks.live_page import ToldVerdict
from benchmarks.live_people import Attempt
from benchmarks.loop_lag import Stall, disturbed
from benchmarks.network_paths import NetworkPath
from ratscrew.game.codec import Codec
from ratscrew.game.events import Played
from ratscrew.log.sqlite import SqliteLog
from ratscrew.table.history.game_names import GameNames
from ratscrew.table.record.entries import Entry, Judged, SlapRecord

JUDGES = ("truth", "judge", "first_packet", "first_packet_sent_at_once", "believe_client")
"""`truth` knows who was first as soon as all pages can have told; a real judge is sooner only if it does not wait."""

SENT_MS = 110
"""How long before its moment a card is sent to the most distant client here."""

OBSERVED_MS = 600
"""From the painting of a card; by then nearly every race for it is decided."""

Attempts: TypeAlias = dict[tuple[str, int], dict[int, Attempt]]


class Race(NamedTuple):
    """One race in the log: its slaps in order, and the time from the first one's arrival to the verdict."""

    game: str
    n: int
    order: tuple[SlapRecord, ...]
    wait_us: int


def races_in(file: Path) -> list[Race]:
    """All races in a log, with the names of their games that players were told."""
    log, races = SqliteLog(file, Codec[Entry](Entry)), list[Race]()
    try:
        names = GameNames.read(log)
        for game in log.games():
            shown_us: dict[int, int] = {}
            for entry in log.read(game):
                match entry.event:
                    case Played(n=n, at_ms=int(at_ms)):
                        shown_us[n] = at_ms * 1000
                    case Judged(n=n, order=order) if n in shown_us and all(hit.proof for hit in order):
                        first_us = min(hit.proof.arrived_us for hit in order if hit.proof)
                        races.append(Race(names.public(game), n, order, entry.at_us - shown_us[n] - first_us))
    finally:
        log.close()
    return races


def simple_verdicts(order: Iterable[SlapRecord], later_us: Mapping[int, int]) -> dict[str, tuple[int, float]]:
    """The winner and the wait in milliseconds for each of the simpler judges.

    `later_us` is when slaps after the verdict would have arrived, for a card sent to all at the same moment.
    """
    proofs = {hit.seat: hit.proof for hit in order if hit.proof}
    arrived = {seat: proof.arrived_us for seat, proof in proofs.items()}
    sent = {**later_us, **{seat: proof.arrived_us + proof.rtt_us // 2 for seat, proof in proofs.items()}}
    first_us = min(arrived.values())
    claims = {seat: proof.pressed_us for seat, proof in proofs.items() if arrived[seat] <= first_us + WAIT_MS * 1000}
    return {
        "first_packet": (min(arrived, key=arrived.__getitem__), 0.0),
        "first_packet_sent_at_once": (min(sent, key=sent.__getitem__), 0.0),
        "believe_client": (min(claims, key=claims.__getitem__), WAIT_MS),
    }


def all_told_ms(by_seat: Mapping[int, Attempt], paths: Sequence[NetworkPath]) -> float:
    """When all pages can have told how their players stand, in milliseconds after the first slap's arrival.

    A page knows whether its player has slapped by the winner's reaction when that time is over there, and its message
    takes half the path's round trip.
    """
    seen_ms = {seat: each.seen_ms + paths[seat].rtt_ms / 2 for seat, each in by_seat.items()}
    slapped_ms = {seat: each.reaction_us / 1000 for seat, each in by_seat.items() if each.slaps}
    first_ms = min(seen_ms[seat] + reaction_ms for seat, reaction_ms in slapped_ms.items())
    return max(seen_ms.values()) + min(slapped_ms.values()) - first_ms


class LiveTally(NamedTuple):
    """The tally of every judge, how often each seat won by each judge and in truth, and the judge's bias by seat."""

    tallies: dict[str, Tally]
    wins: dict[str, list[int]]
    seats: list[RateTally]


def winners_told(verdicts: Iterable[ToldVerdict]) -> dict[tuple[str, int], int]:
    """The winner of each card's race, as the players were told."""
    return {(each.game, each.n): each.winner for each in verdicts}


def attempts_by_card(attempts: Iterable[Attempt]) -> Attempts:
    """All attempts, by card and seat."""
    found: Attempts = defaultdict(dict)
    for each in attempts:
        found[each.game, each.n][each.seat] = each
    return found


def undisturbed(races: Iterable[Race], attempts: Attempts, stalls: Sequence[Stall]) -> list[Race]:
    """The races during which no process was late.

    The period is the same for all. If it ended with the verdict, races won by near players would be dropped more often,
    as their verdict waits for the distant one.
    """
    found = []
    for race in races:
        if by_seat := attempts.get((race.game, race.n)):
            shown = min(person.seen_ms for person in by_seat.values())
            if not disturbed(shown - SENT_MS, shown + OBSERVED_MS, stalls):
                found.append(race)
    return found


def tally(
    races: Iterable[Race], attempts: Attempts, told: Mapping[tuple[str, int], int], paths: Sequence[NetworkPath]
) -> LiveTally:
    """The tally of every judge; `told` is the winner of each card's race by what the players were told."""
    tallies, wins = {name: Tally() for name in JUDGES}, {name: [0] * len(paths) for name in JUDGES}
    found = LiveTally(tallies, wins, [RateTally() for _ in paths])
    for race in races:
        by_seat = attempts.get((race.game, race.n), {})
        times = sorted((person.reaction_us, seat) for seat, person in by_seat.items() if person.slaps)
        if len(times) < 2 or (race.game, race.n) not in told:
            continue
        margin, truth = (times[1][0] - times[0][0]) / 1000, times[0][1]
        would_arrive_us = {seat: us + round(paths[seat].rtt_ms * 1000) for us, seat in times}
        judged_first = told[race.game, race.n]
        verdicts = {
            "truth": (truth, all_told_ms(by_seat, paths)),
            "judge": (judged_first, race.wait_us / 1000),
            **simple_verdicts(race.order, would_arrive_us),
        }
        for seat, each in enumerate(found.seats):
            each.add(seat == truth, seat == judged_first)
        for name, (winner, wait) in verdicts.items():
            tallies[name].add(margin, winner == truth, wait)
            wins[name][winner] += 1
    return found


def seat_figures(races: Sequence[Race], seat: int, path: NetworkPath) -> dict[str, float | None]:
    """A seat's true network path, and the judge's measurements of it (medians)."""
    proofs = [hit.proof for race in races for hit in race.order if hit.seat == seat and hit.proof]
    found: dict[str, float | None] = {
        "rtt_ms": path.rtt_ms,
        "jitter_ms": path.jitter_ms,
        "loss_percent": path.loss * 100,
    }
    values = {
        "judge_rtt_ms": [proof.rtt_us for proof in proofs],
        "kernel_rtt_ms": [proof.kernel_us for proof in proofs if proof.kernel_us is not None],
        "excess_ms": [proof.arrived_us - proof.rtt_us // 2 - proof.pressed_us for proof in proofs],
    }
    return found | {name: round(median(us) / 1000, 1) if us else None for name, us in values.items()}
