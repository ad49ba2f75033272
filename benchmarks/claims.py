"""What the strategy pages claim, played at two sizes of table and over the range of what is assumed about people.

    python -m benchmarks.claims [--threads 2] [--out docs/studies/claims.csv]     # play the cells that the table lacks

The player who follows the advice sits in each seat equally often, so that equal players would win exactly an equal
share, whoever leads. The engine plays, since bots with a strategy have no kernel.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path

from msgspec import Struct

from ratscrew.bots.reflexes import STRENGTHS
from ratscrew.lab.executors import process_pool
from ratscrew.lab.experiment import Experiment, make_experiment
from ratscrew.lab.grid import Cell, Label
from ratscrew.lab.pieces import play_all
from ratscrew.lab.sweep import ERROR, Row, sweep
from ratscrew.lab.tally import Tally
from ratscrew.rules.presets import house

FILE = Path(__file__).resolve().parent.parent / "docs" / "studies" / "claims.csv"

USUAL_GAMES, USUAL_SEEDS = {2: 100, 4: 50}, {2: (1, 2, 3), 4: (1, 2)}
"""The games of a cell with the usual assumptions, and its seeds, by the number of players: 600 games, and 400."""

OTHER_GAMES, OTHER_SEEDS = {2: 50, 4: 20}, {2: (1,), 4: (1,)}
"""Those of a cell with another assumption: 100 games, and 80."""


class Claim(Struct, frozen=True):
    """Advice, the bot that follows it, and the bot of all other players, who do not."""

    name: str
    text: str
    bot: str
    others: str


CLAIMS = (
    Claim("memory", "Recalling the collected cards wins", "witty:memory=1", "witty"),
    Claim("half-memory", "... and so does recalling half of them", "witty:memory=0.5", "witty"),
    Claim("memory-or-speed", "A good memory beats `sharp`, which recalls nothing", "witty:memory=1", "sharp"),
    Claim("odds", "Counting which ranks are still to come helps", "witty:odds=1", "witty"),
    Claim("fake-slap", "A faked slap lures others into a wrong one", "witty:fake_slap=1", "witty"),
    Claim(
        "filler",
        "Piles without face cards are better left alone",
        "witty:memory=1:refuse_filler=1",
        "witty:memory=1",
    ),
    Claim("risk", "Slap blindly at last chances if you lead and it costs one card", "witty:risk=1", "witty"),
    Claim("feint", "... and a feint is the answer to that", "witty:risk=1:feint=1", "witty:risk=1"),
    Claim(
        "burn-to-shift",
        "Burn a card to get out of a bad row",
        "witty:memory=1:burn_to_shift=1",
        "witty:memory=1",
    ),
    Claim(
        "burn-to-face",
        "Burn a card to have a face card at hand in a challenge",
        "witty:memory=1:burn_to_face=1",
        "witty:memory=1",
    ),
)

USUAL = ("usual", "")
"""The assumption of the cells with the usual constants, and its value."""

ASSUMPTIONS: dict[str, tuple[str, ...]] = {
    "simple_reaction": ("0.1", "0.6", "1.0"),
    "max_readiness": ("0.1", "0.7"),
    "reactions": ("× 0.7", "× 1.5"),
    "errors": ("none", "many"),
    "half_life": ("50",),
}
"""What is assumed about all people at a table, each changed alone, with the values besides the usual one."""

ERRORS = {
    "none": "miss=0:false_alarm=0:lure_false_alarm=0",
    "many": "miss=0.22:false_alarm=0.01:lure_false_alarm=0.15",
}


def matters(claim: Claim, assumption: str) -> bool:
    """Whether an assumption is about something that a player of the claim does."""
    needed = {"half_life": "memory=", "max_readiness": "odds="}
    return needed.get(assumption, "") in claim.bot


def assuming(bot: str, assumption: str, value: str) -> str:
    """A bot with another value of what is assumed about people."""
    name = bot.partition(":")[0]
    if assumption == "reactions":
        mu_us = STRENGTHS["sharp" if name == "sharp" else "steady"].mu_us
        return f"{bot}:mu_us={round(mu_us * float(value.removeprefix('× ')))}"
    if assumption == "errors":
        return f"{bot}:{ERRORS[value]}"
    return bot if assumption == USUAL[0] or name == "sharp" else f"{bot}:{assumption}={value}"


def worlds(claim: Claim) -> Iterator[tuple[str, str]]:
    """The usual assumptions, and each other value of one that matters."""
    yield USUAL
    for assumption, values in ASSUMPTIONS.items():
        if matters(claim, assumption):
            yield from ((assumption, value) for value in values)


def cells() -> list[Cell]:
    """Every cell: a claim, a number of players, an assumption, a seed and a seat."""
    found = []
    for players, claim in product(USUAL_GAMES, CLAIMS):
        for assumption, value in worlds(claim):
            usual = (assumption, value) == USUAL
            games, seeds = (USUAL_GAMES, USUAL_SEEDS) if usual else (OTHER_GAMES, OTHER_SEEDS)
            for seed, seat in product(seeds[players], range(players)):
                bots = [assuming(claim.others, assumption, value)] * players
                bots[seat] = assuming(claim.bot, assumption, value)
                point: dict[str, Label] = {
                    "claim": claim.name,
                    "players": players,
                    "assumption": assumption,
                    "value": value,
                    "seat": seat,
                }
                found.append(Cell(point, make_experiment(house("classic"), bots, None, games[players], seed)))
    order = [USUAL[0], *ASSUMPTIONS]
    return sorted(found, key=lambda cell: (cell.point["players"], order.index(str(cell.point["assumption"]))))


def row(cell: Cell, tally: Tally) -> Row:
    """The wins of the player who follows the advice, and the games that nobody won."""
    wins = (*tally.wins, *[0] * 8)[int(cell.point["seat"])]
    return {"wins": wins, "unwon": tally.games - sum(tally.wins), "cards": tally.cards}


def play(some: Sequence[Cell], out: Path, threads: int) -> Iterator[int]:
    """Play the cells that the table does not have yet; yields the number of finished cells."""
    by_experiment = {cell.experiment: cell for cell in some}
    with process_pool(threads) as executor:

        def runner(experiments: Sequence[Experiment]) -> Iterator[tuple[Experiment, Row]]:
            for experiment, found in play_all(executor, experiments):
                if isinstance(found, Exception):
                    yield experiment, {ERROR: repr(found)}
                else:
                    yield experiment, row(by_experiment[experiment], found)

        yield from sweep(some, out, runner)


def main() -> None:
    """Play what is missing."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.claims", description=__doc__.partition("\n")[0])
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--out", type=Path, default=FILE)
    given = parser.parse_args()
    some = cells()
    for finished in play(some, given.out, given.threads):
        print(f"{finished} of {len(some)} cells", end="\r", flush=True)
    print()


if __name__ == "__main__":
    main()
