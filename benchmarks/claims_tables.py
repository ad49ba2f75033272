"""The tables of the claims: what their games say, as usual and over the range of what is assumed about people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

from benchmarks.claims import ASSUMPTIONS, CLAIMS, USUAL, Claim
from benchmarks.study_tables import percent, rows, table
from ratscrew.lab.statistics import ALPHA, adjust, equivalence_p, proportion_p, wilson_ci

MARGIN = 0.05
"""An effect on wins of less than five points counts as none. Chosen before the claims were played."""


Way = tuple[str, str, str, str]
"""A claim, the number of players, an assumption and its value."""


@cache
def claim_wins() -> dict[Way, tuple[int, int]]:
    """The wins of the player who follows a claim and the games, in all seats and seeds together."""
    sums: dict[Way, tuple[int, int]] = {}
    for row in rows("claims"):
        way = row["claim"], row["players"], row["assumption"], row["value"]
        won, games = sums.get(way, (0, 0))
        sums[way] = won + int(row["wins"]), games + int(row["games"])
    return sums


def verdict(won: int, games: int, share: float, p: float) -> str:
    """What the games say of a claim; `p` is adjusted."""
    if p <= ALPHA:
        return "holds" if won > games * share else "the other way round"
    return "no effect" if equivalence_p(won, games, share, MARGIN) <= ALPHA else "not detected"


def claims() -> str:
    """Each claim, its two bots, and the verdict for tables of two and of four."""
    found = {way: wins for way, wins in claim_wins().items() if way[2:] == USUAL}
    ps = adjust([proportion_p(*found[way], 1 / int(way[1])) for way in found])
    says = {way: verdict(*found[way], 1 / int(way[1]), p) for way, p in zip(found, ps, strict=True)}

    def body() -> Iterator[Sequence[str]]:
        for claim in CLAIMS:
            two, four = ((claim.name, players, *USUAL) for players in "24")
            cells = [(percent(wilson_ci(*found[way])), says[way]) for way in (two, four)]
            yield claim.text, f"`{claim.bot}`", f"`{claim.others}`", *cells[0], *cells[1]

    return table(["claim", "bot", "against", "wins of two, %", "", "wins of four, %", ""], body())


def assumptions() -> str:
    """In which part of the range of each assumption a claim holds."""
    found = claim_wins()
    ps = adjust([proportion_p(*found[way], 1 / int(way[1])) for way in found], false_share=True)
    sure = {way: p <= ALPHA for way, p in zip(found, ps, strict=True)}
    worlds = [USUAL, *((name, value) for name, values in ASSUMPTIONS.items() for value in values)]

    def cell(claim: Claim, players: str, world: tuple[str, str]) -> str:
        if (way := (claim.name, players, *world)) not in found:
            return ""
        won, games = found[way]
        text = f"{100 * won / games:.0f}"
        return text if not sure[way] else f"**{text}**" if won * int(players) > games else f"*{text}*"

    def body() -> Iterator[Sequence[str]]:
        for claim in CLAIMS:
            for players in "24":
                yield claim.text, players, *(cell(claim, players, world) for world in worlds)

    heads = [f"{WORLD_NAMES.get(name, name)} {value}".strip() for name, value in worlds]
    return table(["claim", "players", *heads], body())


WORLD_NAMES = {
    "usual": "as usual",
    "simple_reaction": "reaction left",
    "half_life": "half-life",
    "max_readiness": "readiness up to",
}
"""The names of assumptions in the head of a table."""
