"""Write the tables of docs/answers.md from the results of the studies in docs/studies.

    python -m benchmarks.answers            # write the tables again
    python -m benchmarks.answers --play     # play the missing cells first

A study is a grid for `ratscrew lab sweep`, with its resulting table beside it.
"""

from __future__ import annotations

import argparse
import csv
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

from benchmarks import face_cards_dealt
from ratscrew.bots.reflexes import STRENGTHS
from ratscrew.lab.statistics import Estimate, newcombe_ci, wilson_ci
from ratscrew.rules.presets import PRESETS

DOCS = Path(__file__).resolve().parent.parent / "docs"
PAGE, STUDIES = DOCS / "answers.md", DOCS / "studies"

Row = Mapping[str, str]

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

CLAIMS = {
    "witty:memory=1,witty": "Recalling the collected cards wins",
    "witty:memory=0.5,witty": "... and so does recalling half of them",
    "witty:memory=1,sharp": "A good memory beats a fast hand (but see below: at recalled cards it is the faster hand)",
    "witty:odds=1,witty": "Counting which ranks are still to come helps",
    "witty:fake_slap=1,witty": "A faked slap lures others into a wrong one",
    "witty:memory=1:refuse_filler=1,witty:memory=1": "Piles without face cards are better left alone",
    "witty:risk=1,witty": "Slap blindly at last chances if you lead and it costs one card",
    "witty:risk=1,witty:feint=1": "... and a feint is the answer to that",
    "witty:memory=1:burn_to_shift=1,witty:memory=1": "Burn a card to get out of a bad row",
    "witty:memory=1:burn_to_face=1,witty:memory=1": "Burn a card to have a face card at hand in a challenge",
}

RISK, FEINT = "witty:risk=1,witty", "witty:risk=1,witty:feint=1"


@cache
def rows(study: str) -> list[Row]:
    """The results of a study, cell by cell."""
    with (STUDIES / f"{study}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def estimate(row: Row, figure: str) -> Estimate:
    """A figure with its interval."""
    value, low, high = (float(row[f"{figure}{end}"]) for end in ("", ".low", ".high"))
    return Estimate(value, low, high)


def percent(row: Row, figure: str, over: float | None = None) -> str:
    """A proportion with its interval, in percent; in bold if the whole interval is above `over`."""
    found = estimate(row, figure)
    text = f"{100 * found.value:.1f} ({100 * found.low:.1f} to {100 * found.high:.1f})"
    return f"**{text}**" if over is not None and found.low > over else text


def mean(row: Row, figure: str) -> str:
    """A mean with its interval."""
    found = estimate(row, figure)
    return f"{found.value:.1f} ({found.low:.1f} to {found.high:.1f})"


def minutes(row: Row) -> str:
    """The length of a game in minutes; a lower bound if games were given up, and how many."""
    if never := float(row["never_ended"]):
        return f"at least {estimate(row, 'minutes').low:.1f}; {100 * never:.1f} % given up"
    return mean(row, "minutes")


def table(head: Sequence[str], body: Iterator[Sequence[str]]) -> str:
    """A Markdown table."""
    lines = [head, ["---"] * len(head), *body]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def manner(row: Row) -> tuple[int, int, int]:
    """When seat 0 slaps blindly, as in `MANNERS`."""
    last = int(row.get("bots.0.last_chance", "0"))
    return last, int(row["bots.0.pile"]), int(row["bots.0.face_cards"])


def risk() -> str:
    """Wins of a risk slapper by players, penalty and manner."""
    found = {(row["players"], row["wrong_slap"], manner(row)): row for row in rows("risk")}
    names = {
        "burn count=1": "1",
        "burn count=2": "2",
        "burn count=3": "3",
        "burn count=1 escalate=True": "1, 2, 3, ...",
    }
    places = list(dict.fromkeys((players, cost) for players, cost, _ in found))

    def body() -> Iterator[Sequence[str]]:
        for players, cost in places:
            fair = 1 / int(players)
            cells = [percent(found[players, cost, manner], "wins.0", fair) for manner in MANNERS.values()]
            yield players, names[cost], f"{100 * fair:.1f}", *cells

    return table(["players", "burn", "fair share", *MANNERS], body())


def published() -> str:
    """The same strategies with people's reactions, beside the published ones."""
    found = {(row["players"], row["wrong_slap.count"], manner(row)): row for row in rows("published")}

    def body() -> Iterator[Sequence[str]]:
        for burn in (1, 2, 3):
            for name, (here, two, four) in PUBLISHED.items():
                ours = [percent(found[players, str(burn), MANNERS[here]], "wins.0") for players in ("2", "4")]
                yield str(burn), name, here, ours[0], two[burn - 1], ours[1], four[burn - 1]

    return table(["burn", "strategy", "blind at", "of two, here", "published", "of four, here", "published"], body())


def claims() -> str:
    """Each claim, its two bots and the verdict. A feint holds if the bot that slaps at risk wins less against it."""
    by_lineup = {row["lineup"]: row for row in rows("claims")}

    def body() -> Iterator[Sequence[str]]:
        for row in rows("claims"):
            won, even = estimate(row, "wins.0"), Estimate(0.5, 0.5, 0.5)
            more = (
                newcombe_ci(estimate(by_lineup[RISK], "wins.0"), won)
                if row["lineup"] == FEINT
                else newcombe_ci(won, even)
            )
            verdict = "holds" if more.low > 0 else "the other way round" if more.high < 0 else "not detected"
            ours, theirs = row["lineup"].split(",")
            yield CLAIMS[row["lineup"]], f"`{ours}`", f"`{theirs}`", percent(row, "wins.0"), verdict

    return table(["claim", "bot", "against", "wins, %", ""], body())


def face_cards() -> str:
    """How often the leader wins, by the face cards they were dealt."""

    def body() -> Iterator[Sequence[str]]:
        for row in rows("face-cards"):
            games = int(row["games"])
            found = wilson_ci(int(row["wins"]), games)
            cells = f"{100 * found.value:.1f} ({100 * found.low:.1f} to {100 * found.high:.1f})"
            yield row["face_cards"], f"{games:,}", cells

    return table(["face cards of 16", "games", "wins, %"], body())


def lengths() -> str:
    """Minutes of a game in every preset."""
    seats = [str(players) for players in range(2, 9)]
    found = {(row["preset"], row["players"]): row for row in rows("lengths")}
    found |= {("beggar", row["players"]): row for row in rows("beggar")}
    steady = str(STRENGTHS["steady"].mu_us)
    found |= {("tournament", row["players"]): row for row in rows("tournament") if row["bots.0.mu_us"] == steady}

    def body() -> Iterator[Sequence[str]]:
        for preset in PRESETS:
            places = [found.get((preset, players)) for players in seats]
            yield preset, *(minutes(row) if row else "–" for row in places)

    return table(["house", *(f"{players} players" for players in seats)], body())


def tournament() -> str:
    """The tournament house: minutes, comebacks, and the wins of a faster player."""
    found = rows("tournament")
    faster = list(dict.fromkeys(row["bots.0.mu_us"] for row in found))[1:]
    steady = STRENGTHS["steady"].mu_us
    heads = [f"wins if {(steady - int(mu)) // 1000} ms faster, %" for mu in faster]

    def body() -> Iterator[Sequence[str]]:
        for players in dict.fromkeys(row["players"] for row in found):
            by_mu = {row["bots.0.mu_us"]: row for row in found if row["players"] == players}
            fair, plain = 1 / int(players), by_mu[str(steady)]
            wins = [percent(by_mu[mu], "wins.0", fair) for mu in faster]
            yield players, mean(plain, "minutes"), percent(plain, "comebacks"), f"{100 * fair:.1f}", *wins

    return table(["players", "minutes", "won after running out of cards, %", "fair share", *heads], body())


def tournament_risk() -> str:
    """The best of all strategies of blind slapping in the tournament house, and the same with new games."""
    found = rows("tournament-risk")
    again = {(row["players"], row["bots.0.risk"], manner(row)): row for row in rows("tournament-best")}

    def body() -> Iterator[Sequence[str]]:
        for players in dict.fromkeys(row["players"] for row in found):
            tried = [row for row in found if row["players"] == players]
            best = max(tried, key=lambda row: float(row["wins.0"]))
            last, pile, beneath = manner(best)
            how = f"{100 * float(best['bots.0.risk']):.0f} % of {'last chances with ' if last else ''}{pile} cards"
            letters = f", {beneath} face cards beneath" if beneath else ""
            fair, new = 1 / int(players), again[players, best["bots.0.risk"], manner(best)]
            wins = [percent(row, "wins.0", fair) for row in (best, new)]
            yield players, str(len(tried)), f"{100 * fair:.1f}", how + letters, *wins

    heads = ["players", "ways tried", "fair share", "the best: blind at", "wins, %", "wins in 20,000 new games, %"]
    return table(heads, body())


def tries() -> str:
    """The alternatives to the tournament house."""

    def body() -> Iterator[Sequence[str]]:
        for row in rows("tries"):
            slaps = "doubles, sandwiches" if row["slaps.sandwich"] == "true" else "doubles"
            always = row["slap_window"] == "always"
            when = "always" if always else "not during challenges"
            yield row["pack"], slaps, when, row["no_cards.limit"], mean(row, "minutes"), percent(row, "comebacks")

    return table(["pack", "slaps", "when", "strikes", "minutes", "won after running out of cards, %"], body())


TABLES: Mapping[str, Callable[[], str]] = {
    "risk": risk,
    "published": published,
    "claims": claims,
    "face-cards": face_cards,
    "lengths": lengths,
    "tournament": tournament,
    "tournament-risk": tournament_risk,
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
