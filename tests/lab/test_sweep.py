"""A sweep: one row per cell, nothing run twice, nothing lost, and the same figures from any runner."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from pathlib import Path

import polars as pl
import pytest

from ratscrew.errors import RatscrewError
from ratscrew.lab import sweep as sweeping
from ratscrew.lab.experiment import Experiment
from ratscrew.lab.grid import Cell, parse_grid
from ratscrew.lab.pieces import play_all
from ratscrew.lab.provenance import Provenance, provenance
from ratscrew.lab.study import run_experiment
from ratscrew.lab.sweep import ExperimentRunner, Row, axes_in, errors_in, read, sweep, write
from ratscrew.lab.tally import Tally
from ratscrew.rules.presets import house

GRID = 'players = 2\ngames = 3\n[grid]\n"wrong_slap.count" = {counts}\n"bots.0.miss" = [0.0, 0.5]'


def grid(counts: Sequence[int] = (1, 2)) -> list[Cell]:
    """A grid of as many rows as counts, and two columns."""
    return parse_grid(GRID.format(counts=list(counts)), house)


def made_up(asked: list[Experiment]) -> ExperimentRunner:
    """A runner that returns results at once, the last experiment first, and records its calls."""

    def runner(experiments: Sequence[Experiment]) -> Iterator[tuple[Experiment, Row]]:
        for experiment in reversed(experiments):
            asked.append(experiment)
            yield experiment, {"cards": float(experiment.rules.wrong_slap["count"]), "slapped.double": 0.1}

    return runner


def stopped(after: int) -> ExperimentRunner:
    """The same, interrupted after some experiments."""

    def runner(experiments: Sequence[Experiment]) -> Iterator[tuple[Experiment, Row]]:
        yield from list(made_up([])(experiments))[:after]
        raise KeyboardInterrupt

    return runner


@pytest.mark.parametrize("name", ["some.parquet", "some.csv"])
def test_each_cell_has_a_row_in_the_order_of_the_grid(name: str, tmp_path: Path) -> None:
    assert list(sweep(grid(), tmp_path / name, made_up([]))) == [0, 1, 2, 3, 4]
    table = read(tmp_path / name)
    assert axes_in(table) == ["wrong_slap.count", "bots.0.miss"]
    assert table.columns[2:] == ["house", "lineup", "games", "seed", "version", "source", "cards", "slapped.double"]
    assert table["wrong_slap.count"].to_list() == [1, 1, 2, 2] == table["cards"].to_list()
    assert table["lineup"][1] == "steady:miss=0.5,steady"


@pytest.mark.parametrize("name", ["some.parquet", "some.csv"])
def test_a_stopped_run_goes_on_where_it_was(name: str, tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        list(sweep(grid(), tmp_path / name, stopped(3)))
    assert len(read(tmp_path / name)) == 3
    asked: list[Experiment] = []
    assert list(sweep(grid(), tmp_path / name, made_up(asked))) == [3, 4]
    assert asked == [grid()[0].experiment]
    list(sweep(grid(), tmp_path / f"whole_{name}", made_up([])))
    assert read(tmp_path / name).equals(read(tmp_path / f"whole_{name}"))


def test_what_a_smaller_grid_leaves_out_stays_in_the_table(tmp_path: Path) -> None:
    asked: list[Experiment] = []
    for counts in ((1, 2), (2, 3)):
        list(sweep(grid(counts), tmp_path / "some.parquet", made_up(asked)))
    assert len(asked) == 6
    assert read(tmp_path / "some.parquet")["wrong_slap.count"].to_list() == [2, 2, 3, 3, 1, 1]


@pytest.mark.parametrize("name", ["some.parquet", "some.csv"])
@pytest.mark.parametrize(
    "change",
    ["games = 4", "seed = 2", 'preset = "wiki"', 'bots = ["sharp", "steady"]'],
    ids=lambda each: each.split()[0],
)
def test_a_sweep_of_other_games_over_the_same_axes_plays_every_cell(change: str, name: str, tmp_path: Path) -> None:
    """Rows of another seed, number of games, house or line-up do not answer a cell; they stay in the table."""
    word = change.split()[0]
    text = GRID.format(counts=[1, 2])
    other = parse_grid("\n".join([change, *(line for line in text.splitlines() if not line.startswith(word))]), house)
    for place, both in enumerate(((grid(), other), (other, grid()))):
        for which, one in enumerate(both):
            asked: list[Experiment] = []
            found = list(sweep(one, tmp_path / f"{place}-{name}", made_up(asked)))
            assert (found, len(read(tmp_path / f"{place}-{name}"))) == ([0, 1, 2, 3, 4], 4 + 4 * which)
            assert sorted(asked, key=str) == sorted((cell.experiment for cell in one), key=str)
        for one in both:
            assert list(sweep(one, tmp_path / f"{place}-{name}", made_up([]))) == [4]


def test_a_case_that_stands_in_two_cells_is_played_once(tmp_path: Path) -> None:
    """Two names of one house."""
    double = parse_grid('players = 2\ngames = 3\n[grid]\npreset = ["classic", "home"]', lambda name: house())
    assert double[0].experiment == double[1].experiment
    asked: list[Experiment] = []
    list(sweep(double, tmp_path / "some.csv", made_up(asked)))
    assert (len(asked), len(read(tmp_path / "some.csv"))) == (1, 2)


def test_cells_with_other_figures_stand_in_one_table(tmp_path: Path) -> None:
    lineups = parse_grid("games = 2\n[grid]\nplayers = [2, 3]", house)
    list(
        sweep(
            lineups,
            tmp_path / "some.parquet",
            lambda experiments: [(experiment, run_experiment(experiment)) for experiment in experiments],
        )
    )
    table = read(tmp_path / "some.parquet")
    assert table["wins.2"].to_list()[0] is None
    assert sum(table[f"wins.{seat}"][1] for seat in range(3)) == pytest.approx(1)


def test_another_sweep_is_not_written_over(tmp_path: Path) -> None:
    out = tmp_path / "some.parquet"
    list(sweep(grid(), out, made_up([])))
    before = out.read_bytes()
    with pytest.raises(
        RatscrewError, match=r"holds a sweep over wrong_slap.count, bots.0.miss, and this grid goes over"
    ):
        list(sweep(parse_grid("games = 3\n[grid]\nseed = [1, 2]", house), out, made_up([])))
    assert out.read_bytes() == before


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("some.txt", None, "a table must be a file of type .parquet or .csv"),
        ("no/folder/some.csv", None, "cannot be written"),
        ("some.parquet", "Dear Ana", "cannot be read as a table"),
        ("some.csv", "a,b\n1,2\n", "is not the table of a sweep: it lacks house, lineup, games, seed"),
    ],
)
def test_a_file_that_cannot_be_used_is_reported_before_anything_is_played(
    name: str, text: str | None, says: str, tmp_path: Path
) -> None:
    if text:
        (tmp_path / name).write_text(text)
    asked: list[Experiment] = []
    with pytest.raises(RatscrewError, match=says):
        list(sweep(grid(), tmp_path / name, made_up(asked)))
    assert asked == []


def test_a_table_keeps_every_digit(tmp_path: Path) -> None:
    def exact(experiments: Sequence[Experiment]) -> Iterator[tuple[Experiment, Row]]:
        return ((experiment, {"cards": 0.1 + 0.2, "tricks": 1e-17}) for experiment in experiments)

    for name in ("some.csv", "some.parquet"):
        list(sweep(grid(), tmp_path / name, exact))
    assert read(tmp_path / "some.csv").equals(read(tmp_path / "some.parquet"))
    assert isinstance(read(tmp_path / "some.csv"), pl.DataFrame)


@pytest.mark.parametrize("name", ["some.parquet", "some.csv"])
def test_each_row_has_the_version_and_the_sources_that_played_it(name: str, tmp_path: Path) -> None:
    list(sweep(grid(), tmp_path / name, made_up([])))
    table = read(tmp_path / name)
    assert set(table.select("version", "source").rows()) == {(provenance().version, provenance().source)}


@pytest.mark.parametrize("name", ["some.parquet", "some.csv"])
def test_rows_of_other_sources_are_not_mixed(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / name
    with pytest.raises(KeyboardInterrupt):
        list(sweep(grid(), out, stopped(3)))
    before = read(out)
    monkeypatch.setattr(sweeping, "provenance", lambda *_: Provenance("9.9", "sha256-other"))
    asked: list[Experiment] = []
    with pytest.raises(
        RatscrewError, match=r"was played by Ratscrew .*sha256-.*, and this is 9.9 \(source sha256-other"
    ):
        list(sweep(grid(), out, made_up(asked)))
    assert (asked, read(out).equals(before)) == ([], True)


def test_a_finished_table_of_other_sources_is_left_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables that are older than the columns are such tables too."""
    out = tmp_path / "some.csv"
    list(sweep(grid(), out, made_up([])))
    write(out, read(out).drop("version", "source"))
    assert list(sweep(grid(), out, made_up([]))) == [4]
    with pytest.raises(RatscrewError, match="was played by Ratscrew unknown"):
        list(sweep(grid((1, 3)), out, made_up([])))


def test_a_sweep_that_was_killed_goes_on_from_its_journal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing runs when a process is killed, so the table is as it was at the start; the last line is cut off."""
    out, journal = tmp_path / "some.csv", tmp_path / "some.csv.journal"
    running = sweep(grid(), out, made_up([]))
    assert [next(running) for _ in range(4)] == [0, 1, 2, 3]
    found = journal.read_text()
    del running  # which closes it
    list(sweep(grid(), tmp_path / "whole.csv", made_up([])))
    write(out, read(out).clear())
    journal.write_text(found[:-9])
    asked: list[Experiment] = []
    assert list(sweep(grid(), out, made_up(asked))) == [2, 3, 4]
    assert len(asked) == 2
    assert read(out).equals(read(tmp_path / "whole.csv"))
    assert not journal.exists()


def test_the_table_is_written_as_often_for_many_cells_as_for_few(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[int] = []

    def counted(file: Path, table: pl.DataFrame) -> None:
        written.append(len(table))
        write(file, table)

    monkeypatch.setattr(sweeping, "write", counted)
    for counts in ((1,), (1, 2, 3, 4)):
        list(sweep(grid(counts), tmp_path / f"{len(counts)}.csv", made_up([])))
    assert written == [0, 2, 0, 8]


@pytest.mark.parametrize("name", ["some.parquet", "some.csv"])
def test_a_cell_that_fails_is_recorded_and_run_again_by_the_next_sweep(name: str, tmp_path: Path) -> None:
    def failing(experiments: Sequence[Experiment]) -> Iterator[tuple[Experiment, Row]]:
        for place, (experiment, row) in enumerate(made_up([])(experiments)):
            yield experiment, {"error": "ValueError('bad luck')"} if place == 1 else row

    assert list(sweep(grid(), tmp_path / name, failing)) == [0, 1, 2, 3, 4]
    table = read(tmp_path / name)
    assert (len(table), errors_in(table)) == (4, ["ValueError('bad luck')"])
    assert table["cards"].null_count() == 1
    assert list(sweep(grid(), tmp_path / name, made_up([]))) == [3, 4]
    assert (len(table), errors_in(read(tmp_path / name))) == (4, [])


def test_many_cells_take_operations_in_proportion_to_their_number(tmp_path: Path) -> None:
    """Function calls of reading a grid, playing its pieces and writing the table: four times the cells, four times."""

    def operations(cells: int) -> int:
        out, count = tmp_path / f"{cells}.parquet", 0

        def called(*_: object) -> None:
            nonlocal count
            count += 1

        text = f"players = 2\ngames = 2\n[grid]\nseed = {list(range(cells))}"
        with ThreadPoolExecutor(1) as pool:
            sys.setprofile(called)
            try:
                grid = parse_grid(text, house)
                list(sweep(grid, out, lambda missing: _by_pieces(pool, missing)))
            finally:
                sys.setprofile(None)
        assert len(read(out)) == cells
        return count

    operations(10)  # what is loaded or cached once
    assert operations(200) < 4.4 * operations(50)


def _by_pieces(pool: Executor, missing: Sequence[Experiment]) -> Iterator[tuple[Experiment, Row]]:
    for experiment, tally in play_all(pool, missing):
        assert isinstance(tally, Tally)
        yield experiment, {"cards": tally.cards}
