"""The answers in docs/answers.md: their tables are those of the studies, and the studies can be repeated."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

from benchmarks import answers, claims, claims_tables, face_cards_dealt
from benchmarks.study_tables import STUDIES as FOLDER
from benchmarks.study_tables import rows
from ratscrew.cli.games.rules import find
from ratscrew.lab.grid import Cell, parse_grid
from ratscrew.lab.lineup import parse_lineup
from ratscrew.lab.play import play_games
from ratscrew.lab.study import run_experiment
from ratscrew.rules.presets import PRESETS

STUDIES = sorted(FOLDER.glob("*.toml"))
MORE = 3
"""How many cells of a study are repeated besides the first."""


def grid(study: Path) -> list[Cell]:
    """The cells of a study."""
    return parse_grid(study.read_text(encoding="utf-8"), find)


@pytest.fixture(scope="module", autouse=True)
def tables_made_once() -> Iterator[None]:
    """The tables of the studies are computed once for all tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(answers, "TABLES", {name: cache(table) for name, table in answers.TABLES.items()})
        yield


def test_the_page_has_the_tables_of_the_studies() -> None:
    page = answers.PAGE.read_text(encoding="utf-8")
    assert answers.written(page) == page
    for name in answers.TABLES:
        assert f"<!-- table {name} -->" in page


def test_a_table_that_was_edited_by_hand_is_found() -> None:
    page = answers.PAGE.read_text(encoding="utf-8")
    assert answers.written(page.replace("| 2 |", "| 3 |", 1)) == page


@pytest.mark.parametrize("study", STUDIES, ids=lambda study: study.stem)
def test_every_cell_of_a_study_has_been_played(study: Path) -> None:
    played = [(row["house"], row["lineup"], row["games"], row["seed"]) for row in rows(study.stem)]
    experiments = [cell.experiment for cell in grid(study)]
    assert played == [
        (experiment.house, ",".join(experiment.bots), str(experiment.games), str(experiment.seed))
        for experiment in experiments
    ]


def drawn(study: Path) -> list[int]:
    """The first cell of a study and others, drawn by a seed that stays the same."""
    places = range(1, len(grid(study)))
    return [0, *sorted(Random(study.stem).sample(places, min(MORE, len(places))))]


REPLAYED = [(study, place) for study in STUDIES for place in drawn(study)]


@pytest.mark.parametrize(("study", "place"), REPLAYED, ids=lambda part: part.stem if isinstance(part, Path) else None)
def test_a_cell_of_a_study_plays_the_same_again(study: Path, place: int) -> None:
    cell, row = grid(study)[place], rows(study.stem)[place]
    again = run_experiment(cell.experiment)
    bounds = {name for name in again if name.endswith((".low", ".high"))}
    figures = again.keys() - bounds
    assert {name: read(row[name]) for name in figures} == {name: read(str(again[name])) for name in figures}
    # A bound has been through functions whose last digit depends on the library's version.
    assert {name: read(row[name]) for name in bounds} == pytest.approx({name: again[name] for name in bounds})


CELLS = claims.cells()
PLAYED = rows("claims")


COLUMNS = ("claim", "players", "assumption", "value", "seat", "lineup", "games", "seed")


def key(row: Mapping[str, Any]) -> tuple[str, ...]:
    """A cell of the claims as words."""
    return tuple(str(row[name]) for name in COLUMNS)


def test_every_cell_of_the_claims_has_been_played() -> None:
    """Each claim in every seat, at both sizes of table, with every assumption that matters to it."""
    asked = {
        key({**cell.point, "lineup": ",".join(experiment.bots), "games": experiment.games, "seed": experiment.seed})
        for cell in CELLS
        if (experiment := cell.experiment)
    }
    assert {key(row) for row in PLAYED} == asked
    assert len(PLAYED) == len(asked)


@pytest.mark.parametrize("claim", claims.CLAIMS, ids=lambda claim: claim.name)
def test_a_cell_of_a_claim_plays_the_same_again(claim: claims.Claim) -> None:
    """One of the smaller ones, drawn by a seed that stays the same."""
    some = [cell for cell in CELLS if cell.point["claim"] == claim.name and cell.point["assumption"] != "usual"]
    cell = Random(claim.name).choice(some)
    experiment = cell.experiment
    tally = play_games(experiment.rules, experiment.lineup, experiment.games, experiment.seed)
    (row,) = (row for row in PLAYED if key(row)[:5] == tuple(map(str, cell.point.values())))
    assert {name: int(row[name]) for name in ("wins", "unwon", "cards")} == claims.row(cell, tally)


def test_equal_players_win_an_equal_share_over_all_seats() -> None:
    """Somebody wins each game, whoever leads, so over all seats each player has a share of exactly one of so many."""
    for players in (2, 4):
        tally = play_games(find("classic"), parse_lineup(["steady"] * players), 100, 1)
        assert sum(tally.wins) == 100
    assert all(row["unwon"] == "0" for row in PLAYED)


def test_a_verdict_says_no_more_than_the_games_do() -> None:
    """600 games: 330 wins are 5 points more than half. 300 exclude an effect of five points, 315 do not."""
    assert claims_tables.verdict(400, 600, 0.5, 0.001) == "holds"
    assert claims_tables.verdict(200, 600, 0.5, 0.001) == "the other way round"
    assert [claims_tables.verdict(won, 600, 0.5, 0.2) for won in (300, 315)] == ["no effect", "not detected"]


def read(text: str) -> Any:
    """A value of a table."""
    try:
        return float(text)
    except ValueError:
        return text


def test_face_cards_are_counted_for_the_player_who_leads(tmp_path: Path) -> None:
    """Half of the 16 face cards on average; 400 games instead of all."""
    face_cards_dealt.play(400, tmp_path / "face-cards.csv")
    with (tmp_path / "face-cards.csv").open() as file:
        found = [(row["face_cards"], int(row["games"]), int(row["wins"])) for row in csv.DictReader(file)]
    assert sum(games for _, games, _ in found) == 400
    assert 160 < sum(wins for *_, wins in found) < 240
    (eight,) = [games for face_cards, games, _ in found if face_cards == "8"]
    assert 60 < eight < 120  # hypergeometric: 22 % of the deals


def test_the_page_has_the_game_length_of_every_preset() -> None:
    assert [line.split(" | ")[0][2:] for line in answers.lengths().splitlines()[2:]] == [*PRESETS]
