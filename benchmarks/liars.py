"""Pages that lie in `benchmarks.fairness`, and how many points of wins each lie gains."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import TypeAlias

from benchmarks.asking_simulation import PingCount, judge_asked_race, trace_page
from benchmarks.judged_sessions import Scenario, sessions
from benchmarks.player_model import Player, Trial
from benchmarks.race_simulation import HONEST, Lie, judge_race, measure_link, reaction_of, trace_card
from ratscrew.judge.credit import Credit
from ratscrew.judge.rtt_estimator import LinkEstimate

CHEATED = Scenario((4,), ("cable+wifi",))


FAR = Lie(slap=190, beats=190, pongs=380, dated=190, quickest=155)
"""Pretends to be 380 ms farther away, in all that it sends, and claims no reaction that would be refused."""

LIES = {
    "claims 100 ms less": Lie(slap=100),
    "claims the card came 100 ms later": Lie(paint=100),
    "peeks": Lie(peeks=True),
    "pongs 100 ms late, claims 120 less": Lie(slap=120, beats=120, pongs=100),
    "all together, always": Lie(slap=100, beats=100, pongs=100, peeks=True),
    "all together, where useful": Lie(slap=100, beats=100, pongs=100, peeks=True, useful=(290, 420)),
    # neither a header of a proxy nor the origin of a page in Discord takes the kernel's bound away
    "pongs 380 ms late, claims 190 less": FAR,
    "slow at first, pongs 380 ms late, claims 190 less": FAR._replace(at_first=380),
    "pauses at cards that can be slapped": Lie(pauses=True),
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

    honest_share, *shares = _shares(won, lies, races, seed)
    return [share - honest_share for share in shares]


def asked_liars_gains(
    lies: Sequence[Lie], races: int, seed: int, scenario: Scenario = CHEATED
) -> tuple[list[float], list[float]]:
    """The same if pages are asked; and how many wrong slaps each cheat makes for each race."""
    (honest, *shares), wrong = asked_shares(lies, races, seed, scenario)
    return [share - honest for share in shares], wrong


Moment: TypeAlias = Callable[[Sequence[Player], Sequence[Trial], Sequence[LinkEstimate]], Sequence[Trial]]
"""The same race with the card at the moment that the server chooses."""


def as_dealt(_players: Sequence[Player], trials: Sequence[Trial], _links: Sequence[LinkEstimate]) -> Sequence[Trial]:
    """At the moment that the trials have."""
    return trials


def asked_shares(
    lies: Sequence[Lie],
    races: int,
    seed: int,
    scenario: Scenario = CHEATED,
    moment: Moment = as_dealt,
) -> tuple[list[float], list[float]]:
    """The first player's share of wins in percent, honest and with each lie, if pages are asked; and how many wrong
    slaps each lie costs for each race."""
    counts = [PingCount() for _ in range(len(lies) + 1)]

    def won(
        players: Sequence[Player], deals: Sequence[Sequence[Trial]], links: Sequence[LinkEstimate]
    ) -> Iterator[list[bool]]:
        deals = [moment(players, trials, links) for trials in deals]
        honest = [[trace_page(*each) for each in zip(players, trials, links, strict=True)] for trials in deals]
        for lie, count in zip((HONEST, *lies), counts, strict=True):
            credits, link, draw = [Credit() for _ in players], measure_link(players[0], lie), Random(seed).randrange
            yield [
                judge_asked_race([trace_page(players[0], trials[0], link, lie), *rivals], credits, draw, count).winner
                == 0
                for trials, (_, *rivals) in zip(deals, honest, strict=True)
            ]

    shares = _shares(won, lies, races, seed, scenario)
    return shares, [count.wrong_slaps / max(1, count.races) for count in counts[1:]]


Winning: TypeAlias = Callable[
    [Sequence[Player], Sequence[Sequence[Trial]], Sequence[LinkEstimate]], Iterator[list[bool]]
]
"""Whether the first player wins each race of a session: if honest, and with each lie."""


def _shares(winning: Winning, lies: Sequence[Lie], races: int, seed: int, scenario: Scenario = CHEATED) -> list[float]:
    won, played = [0] * (len(lies) + 1), [0] * (len(lies) + 1)
    for players, deals in sessions(scenario, races, seed):
        links = [measure_link(player, HONEST) for player in players]
        for k, (lie, wins) in enumerate(zip((HONEST, *lies), winning(players, deals, links), strict=True)):
            for win, (mine, *others) in zip(wins, deals, strict=True):
                if reaction_of(mine, lie)[1] and any(trial.slaps for trial in others):
                    won[k], played[k] = won[k] + win, played[k] + 1
    return [100 * wins / max(1, of) for wins, of in zip(won, played, strict=True)]
