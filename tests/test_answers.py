"""The answers in docs/answers.md: their tables are those of the studies, and the studies can be repeated."""

from __future__ import annotations

import csv
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest

from benchmarks import answers, claims_in_pieces, face_cards_dealt
from ratscrew.cli.rules import find
from ratscrew.lab.experiment import Experiment
from ratscrew.lab.grid import Cell, parse_grid
from ratscrew.lab.play import chunk_bounds
from ratscrew.lab.study import run_experiment
from ratscrew.rules.presets import PRESETS

STUDIES = sorted(answers.STUDIES.glob("*.toml"))
SLOW = ("claims",)
"""Bots with strategy play by the engine: a few games of each claim are repeated here, not all."""

MORE = 3
"""How many cells of a study are repeated besides the first."""


def grid(study: Path) -> list[Cell]:
    """The cells of a study."""
    return parse_grid(study.read_text(encoding="utf-8"), find)


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
    played = [(row["house"], row["lineup"], row["games"], row["seed"]) for row in answers.rows(study.stem)]
    experiments = [cell.experiment for cell in grid(study)]
    assert played == [
        (experiment.house, ",".join(experiment.bots), str(experiment.games), str(experiment.seed))
        for experiment in experiments
    ]


def drawn(study: Path) -> list[int]:
    """The first cell of a study and others, drawn by a seed that stays the same."""
    places = range(1, len(grid(study)))
    return [0, *sorted(Random(study.stem).sample(places, min(MORE, len(places))))]


REPLAYED = [(study, place) for study in STUDIES if study.stem not in SLOW for place in drawn(study)]


@pytest.mark.parametrize(("study", "place"), REPLAYED, ids=lambda part: part.stem if isinstance(part, Path) else None)
def test_a_cell_of_a_study_plays_the_same_again(study: Path, place: int) -> None:
    cell, row = grid(study)[place], answers.rows(study.stem)[place]
    again = run_experiment(cell.experiment)
    bounds = {name for name in again if name.endswith((".low", ".high"))}
    figures = again.keys() - bounds
    assert {name: read(row[name]) for name in figures} == {name: read(str(again[name])) for name in figures}
    # A bound has been through functions whose last digit depends on the library's version.
    assert {name: read(row[name]) for name in bounds} == pytest.approx({name: again[name] for name in bounds})


PIECES = answers.rows(claims_in_pieces.FILE.stem)
CLAIMS = claims_in_pieces.experiments()


@pytest.mark.parametrize("experiment", CLAIMS, ids=lambda experiment: ",".join(experiment.bots))
def test_ten_games_of_a_claim_play_the_same_again(experiment: Experiment) -> None:
    """One piece of the hundred, drawn by a seed that stays the same for each line-up."""
    lineup = ",".join(experiment.bots)
    piece = Random(lineup).choice([piece for piece in PIECES if piece["lineup"] == lineup])
    first = int(piece["first"])
    assert claims_in_pieces.play(experiment, first, first + int(piece["games"])) == piece


@pytest.mark.parametrize("experiment", CLAIMS, ids=lambda experiment: ",".join(experiment.bots))
def test_the_pieces_of_a_claim_are_all_of_its_games(experiment: Experiment) -> None:
    """Their sums are the figures of the study, each a whole number of games, cards or slaps among all games."""
    lineup = ",".join(experiment.bots)
    (row,) = (row for row in answers.rows("claims") if row["lineup"] == lineup)
    pieces = [piece for piece in PIECES if piece["lineup"] == lineup]
    assert [(int(piece["first"]), int(piece["games"])) for piece in pieces] == [
        (first, last - first) for first, last in pairwise(chunk_bounds(experiment.games))
    ]

    def total(figure: str, seat: int = 0) -> int:
        counts = (piece[figure].split() for piece in pieces)
        return sum(int(count[seat]) for count in counts if seat < len(count))

    found = {f"wins.{seat}": total("wins", seat) for seat in (0, 1)}
    found |= {f"{kind}_slaps.{seat}": total(kind, seat) for kind in ("good", "wrong") for seat in (0, 1)}
    found |= {"cards": total("cards"), "tricks": total("tricks")}
    assert {name: experiment.games * float(row[name]) for name in found} == pytest.approx(found)
    assert experiment.games * 60_000_000 * float(row["minutes"]) == pytest.approx(total("time_us"))


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


def test_every_claim_has_a_study() -> None:
    assert {row["lineup"] for row in answers.rows("claims")} == answers.CLAIMS.keys()
