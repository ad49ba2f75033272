"""The answers in docs/answers.md: their tables are those of the studies, and the studies play the same again."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest

from benchmarks import answers, letters_dealt
from ratscrew.cli.rules import find
from ratscrew.lab.grid import Cell, cells
from ratscrew.lab.study import answer
from ratscrew.rules.presets import PRESETS

STUDIES = sorted(answers.STUDIES.glob("*.toml"))
SLOW = ("claims",)
"""Bots with wits play by the engine: not again here."""


def grid(study: Path) -> list[Cell]:
    """The cells of a study."""
    return cells(study.read_text(encoding="utf-8"), find)


def test_the_page_has_every_table_as_the_studies_have_it() -> None:
    page = answers.PAGE.read_text(encoding="utf-8")
    assert answers.written(page) == page
    for name in answers.TABLES:
        assert f"<!-- table {name} -->" in page


def test_a_table_that_has_been_touched_is_noticed() -> None:
    page = answers.PAGE.read_text(encoding="utf-8")
    assert answers.written(page.replace("| 2 |", "| 3 |", 1)) == page


@pytest.mark.parametrize("study", STUDIES, ids=lambda study: study.stem)
def test_every_cell_of_a_study_has_been_played(study: Path) -> None:
    played = [(row["house"], row["lineup"], row["games"], row["seed"]) for row in answers.rows(study.stem)]
    cases = [cell.case for cell in grid(study)]
    assert played == [(case.house, ",".join(case.bots), str(case.games), str(case.seed)) for case in cases]


@pytest.mark.parametrize("study", [study for study in STUDIES if study.stem not in SLOW], ids=lambda study: study.stem)
def test_a_study_plays_the_same_again(study: Path) -> None:
    cell, row = grid(study)[0], answers.rows(study.stem)[0]
    again = answer(cell.case)
    assert {name: read(row[name]) for name in again} == {name: read(str(value)) for name, value in again.items()}


def read(text: str) -> Any:
    """A value of a table."""
    try:
        return float(text)
    except ValueError:
        return text


def test_the_letters_are_those_of_whoever_leads(tmp_path: Path) -> None:
    """Half of the 16 letter cards are his on average; 400 games instead of all."""
    letters_dealt.play(400, tmp_path / "letters.csv")
    with (tmp_path / "letters.csv").open() as file:
        found = [(row["letters"], int(row["games"]), int(row["wins"])) for row in csv.DictReader(file)]
    assert sum(games for _, games, _ in found) == 400
    assert 160 < sum(wins for *_, wins in found) < 240
    (eight,) = [games for letters, games, _ in found if letters == "8"]
    assert 60 < eight < 120  # hypergeometric: 22 % of the deals


def test_every_house_with_a_name_has_its_length() -> None:
    assert [line.split(" | ")[0][2:] for line in answers.lengths().splitlines()[2:]] == [*PRESETS]


def test_every_claim_was_put_to_the_test() -> None:
    assert {row["lineup"] for row in answers.rows("claims")} == answers.CLAIMS.keys()
