"""Write the tables of docs/answers.md from the results of the studies in docs/studies.

    python -m benchmarks.answers            # write the tables again
    python -m benchmarks.answers --play     # play the missing cells first

A study is a grid for `ratscrew lab sweep`, with its resulting table beside it.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from benchmarks import claims as claims_study
from benchmarks import face_cards_dealt
from benchmarks.claims_tables import assumptions, claims
from benchmarks.study_tables import STUDIES, Row, estimate, mean, minutes, more_wins, percent, rows, table, wins
from ratscrew.bots.reflexes import STRENGTHS
from ratscrew.lab.statistics import (
    ALPHA,
    adjust,
    proportions_p,
    wilson_ci,
)
from ratscrew.rules.presets import PRESETS, house

DOCS = Path(__file__).resolve().parent.parent / "docs"
PAGE = DOCS / "answers.md"

MANNERS = {
    "every card": (0, 2, 0),
    "a face card beneath": (0, 2, 1),
    "4 cards": (0, 4, 0),
    "6 cards": (0, 6, 0),
    "6 cards, 2 face cards": (0, 6, 2),
    "its own last chances": (1, 2, 0),
}
"""When a bot slaps blindly: only at last chances (1), least cards in the pile, least face cards beneath the top."""

PUBLISHED = {
    "TWO": ("every card", ("82.5", "41.8", "22.9"), ("66.0", "17.7", "4.8")),
    "ALL_FACES": ("a face card beneath", ("90.8", "63.6", "41.0"), ("72.9", "29.5", "11.2")),
    "FOUR": ("4 cards", ("65.8", "37.3", "23.5"), ("58.8", "23.3", "9.8")),
    "SIX": ("6 cards", ("3.5", "2.9", "2.3"), ("2.7", "1.7", "1.1")),
}
"""The published study's strategies: their equivalent here, and their wins in percent if the strategist wins each tie,
in games of two and of four, with burns of 1, 2 and 3. Source: the public simulator of the study (arXiv 2304.01007)."""

STRATEGIES = [here for here, *_ in PUBLISHED.values()]

REFLEXIVE = ("50.1", "24.9")
"""What the published study's player wins who slaps patterns only, among others of its kind, with a burn of one."""


def blind(row: Row) -> tuple[int, int, int] | None:
    """When seat 0 slaps blindly; None if never."""
    return manner(row) if float(row["bots.0.risk"]) else None


def manner(row: Row) -> tuple[int, int, int]:
    """When seat 0 slaps blindly, as in `MANNERS`."""
    last = int(row.get("bots.0.last_chance", "0"))
    return last, int(row["bots.0.pile"]), int(row["bots.0.face_cards"])


def risk() -> str:
    """Wins of a risk slapper by players, penalty and manner."""
    found = {(row["players"], row["wrong_slap"], manner(row)): row for row in rows("risk")}
    even = {(row["players"], row["wrong_slap"]): row for row in rows("risk-even")}
    more = dict(zip(found, more_wins([(row, even[place[:2]]) for place, row in found.items()]), strict=True))
    names = {
        "burn count=1": "1",
        "burn count=2": "2",
        "burn count=3": "3",
        "burn count=1 escalate=True": "1, 2, 3, ...",
    }
    places = list(dict.fromkeys((players, cost) for players, cost, _ in found))

    def body() -> Iterator[Sequence[str]]:
        for players, cost in places:
            ways = [(players, cost, manner) for manner in MANNERS.values()]
            cells = [percent(estimate(found[way], "wins.0"), more[way]) for way in ways]
            yield players, names[cost], percent(estimate(even[players, cost], "wins.0")), *cells

    return table(["players", "burn", "never blind", *MANNERS], body())


def published() -> str:
    """The same strategies with people's reactions, beside the published ones."""
    found = {(row["players"], row["wrong_slap.count"], blind(row)): row for row in rows("published")}
    places = [(players, str(burn), MANNERS[here]) for players in "24" for burn in (1, 2, 3) for here in STRATEGIES]
    pairs = [(found[place], found[(*place[:2], None)]) for place in places]
    more = dict(zip(places, more_wins(pairs), strict=True))

    def cell(players: str, burn: int, here: str) -> str:
        place = players, str(burn), MANNERS[here]
        return percent(estimate(found[place], "wins.0"), more[place])

    def body() -> Iterator[Sequence[str]]:
        for burn in (1, 2, 3):
            for name, (here, two, four) in PUBLISHED.items():
                yield (
                    str(burn),
                    name,
                    here,
                    cell("2", burn, here),
                    two[burn - 1],
                    cell("4", burn, here),
                    four[burn - 1],
                )
            never = [percent(estimate(found[players, str(burn), None], "wins.0")) for players in "24"]
            yield str(burn), "REFLEXIVE", "never", never[0], REFLEXIVE[0], never[1], REFLEXIVE[1]

    return table(["burn", "strategy", "blind at", "of two, here", "published", "of four, here", "published"], body())


def risk_assumptions() -> str:
    """In how many of the worlds two ways of blind slapping win more, and by how much."""
    return _blind_gains("risk-assumptions", ("players", "wrong_slap.count"), ("players", "burn"), RISKY)


def tournament_assumptions() -> str:
    """The same in the house for tournaments."""
    return _blind_gains("tournament-assumptions", ("players",), ("players",), RISKY | CAUTIOUS)


def _blind_gains(study: str, axes: Sequence[str], heads: Sequence[str], ways: Mapping[str, str]) -> str:
    found = {}
    for row in rows(study):
        first, *others = row["bots"].split(",")
        table_of = {**row, "players": str(1 + len(others))}
        found[(first, *(table_of[name] for name in (*axes, *WORLD)))] = row
    pairs = {place: (row, found[("risky:risk=0", *place[1:])]) for place, row in found.items() if place[0] in ways}
    ps = adjust([proportions_p(*wins(row), *wins(even)) for row, even in pairs.values()], false_share=True)
    gains = [float(row["wins.0"]) - float(even["wins.0"]) for row, even in pairs.values()]
    results: dict[tuple[str, ...], list[tuple[float, float]]] = {}
    for place, p, gain in zip(pairs, ps, gains, strict=True):
        results.setdefault(place[: len(axes) + 2], []).append((p, gain))
    starts = list(dict.fromkeys(row["bots.simple_reaction"] for row in found.values()))

    def cell(place: tuple[str, ...]) -> str:
        some = results[place]
        up, down = (sum(p <= ALPHA and sign * gain > 0 for p, gain in some) for sign in (1, -1))
        low, high = (round(100 * edge(gain for _, gain in some)) for edge in (min, max))
        return f"{low:+d} to {high:+d}; more in {up}, less in {down} of {len(some)}"

    def body() -> Iterator[Sequence[str]]:
        for place in sorted({place[:-1] for place in results}, key=lambda place: ([*ways].index(place[0]), place[1:])):
            yield ways[place[0]], *place[1:], *(cell((*place, start)) for start in starts)

    return table(["blind at", *heads, *(f"reaction left {start}" for start in starts)], body())


def lengths_assumptions() -> str:
    """The range of the mean length by the pace, over reactions and overlooked patterns."""
    found: dict[tuple[str, ...], list[float]] = {}
    for row in rows("lengths-assumptions"):
        place = row["preset"], row["players"], row["bots.pace_us"]
        found.setdefault(place, []).append(float(row["minutes"]))
        assert float(row["never_ended"]) == 0
    paces = list(dict.fromkeys(pace for *_, pace in found))

    def body() -> Iterator[Sequence[str]]:
        for place in dict.fromkeys(place[:2] for place in found):
            cells = [found[(*place, pace)] for pace in paces]
            yield *place, *(f"{min(each):.1f} to {max(each):.1f}" for each in cells)

    return table(["house", "players", *(f"a card in {int(pace) / 1_000_000:.2f} s" for pace in paces)], body())


WORLD = ("bots.simple_reaction", "bots.mu_us", "bots.miss")
"""What is assumed about people, with the head start first."""

RISKY = {"risky:pile=6:face_cards=2": "6 cards, 2 face cards", "risky:last_chance=1": "its own last chances"}

CAUTIOUS = {
    "risky:last_chance=1:pile=6:face_cards=2:risk=0.1": "10 % of last chances with 6 cards, 2 face cards beneath"
}


def face_cards() -> str:
    """How often the leader wins, by the face cards they were dealt."""

    def body() -> Iterator[Sequence[str]]:
        for row in rows("face-cards"):
            games = int(row["games"])
            found = wilson_ci(int(row["wins"]), games)
            yield row["face_cards"], f"{games:,}", percent(found)

    return table(["face cards of 16", "games", "wins, %"], body())


def lengths() -> str:
    """Minutes of a game in every preset."""
    seats = [str(players) for players in range(2, 9)]
    found = {(row["preset"], row["players"]): row for row in rows("lengths")}
    found |= {(name, row["players"]): row for name in ("beggar", "sprint") for row in rows(name)}
    steady = str(STRENGTHS["steady"].mu_us)
    found |= {("tournament", row["players"]): row for row in rows("tournament") if row["bots.0.mu_us"] == steady}

    def body() -> Iterator[Sequence[str]]:
        for preset in PRESETS:
            places = [found.get((preset, players)) for players in seats]
            yield preset, *(minutes(row) if row else "–" for row in places)

    return table(["house", *(f"{players} players" for players in seats)], body())


def limits() -> str:
    """How many games of the presets that have a limit of cards met it."""
    seats = [str(players) for players in range(2, 9)]
    found = {(row["preset"], row["players"]): row for row in rows("lengths")}

    def body() -> Iterator[Sequence[str]]:
        for preset in PRESETS:
            if limit := house(preset).limit_cards:
                cells = [percent(estimate(found[preset, players], "limited")) for players in seats]
                yield preset, f"{limit:,}", *cells

    return table(["house", "limit", *(f"{players} players" for players in seats)], body())


def tournament() -> str:
    """The tournament house: minutes, comebacks, and the wins of a faster player."""
    found = rows("tournament")
    faster = list(dict.fromkeys(row["bots.0.mu_us"] for row in found))[1:]
    steady = STRENGTHS["steady"].mu_us
    heads = [f"wins if {(steady - int(mu)) // 1000} ms faster, %" for mu in faster]
    even = {row["players"]: row for row in rows("tournament-even")}
    quick = [row for row in found if row["bots.0.mu_us"] in faster]
    more = more_wins([(row, even[row["players"]]) for row in quick])
    sure = {(row["players"], row["bots.0.mu_us"]): each for row, each in zip(quick, more, strict=True)}

    def body() -> Iterator[Sequence[str]]:
        for players in dict.fromkeys(row["players"] for row in found):
            by_mu = {row["bots.0.mu_us"]: row for row in found if row["players"] == players}
            plain, like = by_mu[str(steady)], percent(estimate(even[players], "wins.0"))
            cells = [percent(estimate(by_mu[mu], "wins.0"), sure[players, mu]) for mu in faster]
            yield players, mean(plain, "minutes"), percent(estimate(plain, "comebacks")), like, *cells

    return table(["players", "minutes", "won after running out of cards, %", "wins if equal, %", *heads], body())


def tournament_risk() -> str:
    """The best of all strategies of blind slapping in the tournament house, and the same with new games."""
    found = rows("tournament-risk")
    again = {(row["players"], row["bots.0.risk"], manner(row)): row for row in rows("tournament-best")}
    even = {row["players"]: row for row in rows("tournament-even")}
    tables = [[row for row in found if row["players"] == players] for players in even]
    chosen = {tried[0]["players"]: max(tried, key=lambda row: float(row["wins.0"])) for tried in tables}
    news = {players: again[players, row["bots.0.risk"], manner(row)] for players, row in chosen.items()}
    more = dict(zip(news, more_wins([(row, even[players]) for players, row in news.items()]), strict=True))

    def body() -> Iterator[Sequence[str]]:
        for players, best in chosen.items():
            tried = [row for row in found if row["players"] == players]
            last, pile, beneath = manner(best)
            how = f"{100 * float(best['bots.0.risk']):.0f} % of {'last chances with ' if last else ''}{pile} cards"
            letters = f", {beneath} face cards beneath" if beneath else ""
            cells = [percent(estimate(best, "wins.0")), percent(estimate(news[players], "wins.0"), more[players])]
            yield players, str(len(tried)), percent(estimate(even[players], "wins.0")), how + letters, *cells

    heads = ["players", "ways tried", "never blind", "the best: blind at", "wins, %", "wins in 20,000 new games, %"]
    return table(heads, body())


def tries() -> str:
    """The alternatives to the tournament house."""

    def body() -> Iterator[Sequence[str]]:
        for row in rows("tries"):
            slaps = "doubles, sandwiches" if row["slaps.sandwich"] == "true" else "doubles"
            always = row["slap_window"] == "always"
            when = "always" if always else "not during challenges"
            yield (
                row["pack"],
                slaps,
                when,
                row["no_cards.limit"],
                mean(row, "minutes"),
                percent(estimate(row, "comebacks")),
            )

    return table(["pack", "slaps", "when", "strikes", "minutes", "won after running out of cards, %"], body())


TABLES: Mapping[str, Callable[[], str]] = {
    "risk": risk,
    "risk-assumptions": risk_assumptions,
    "published": published,
    "claims": claims,
    "assumptions": assumptions,
    "face-cards": face_cards,
    "lengths": lengths,
    "limits": limits,
    "lengths-assumptions": lengths_assumptions,
    "tournament": tournament,
    "tournament-risk": tournament_risk,
    "tournament-assumptions": tournament_assumptions,
    "tries": tries,
}


def written(page: str) -> str:
    """The page with its tables written again, each between its marker and the next `end`."""

    def put(place: re.Match[str]) -> str:
        return f"<!-- table {place[1]} -->\n{TABLES[place[1]]()}\n<!-- end -->"

    return re.sub(r"<!-- table ([\w-]+) -->\n.*?<!-- end -->", put, page, flags=re.DOTALL)


def play() -> None:
    """Play every missing cell."""
    for grid in sorted(STUDIES.glob("*.toml")):
        ratscrew = Path(sys.executable).with_name("ratscrew")
        subprocess.run([ratscrew, "lab", "sweep", grid, "--out", grid.with_suffix(".csv")], check=True)
    for _ in claims_study.play(claims_study.cells(), claims_study.FILE, threads=1):
        pass
    if not (file := STUDIES / "face-cards.csv").exists():
        face_cards_dealt.play(face_cards_dealt.GAMES, file)


def main() -> None:
    """Write the tables; with `--play` play the missing cells first."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.answers", description=__doc__.partition("\n")[0])
    parser.add_argument("--play", action="store_true", help="play the missing cells first")
    if parser.parse_args().play:
        play()
        rows.cache_clear()
    PAGE.write_text(written(PAGE.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
