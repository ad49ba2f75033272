"""The lab in a notebook: the example runs cell by cell, and results show themselves."""

from __future__ import annotations

import ast
import json
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import polars as pl
import pytest

from ratscrew import lab
from ratscrew.errors import RatscrewError
from ratscrew.lab import style
from ratscrew.lab.compare import compare, compare_until
from ratscrew.lab.game_rows import game_rows
from ratscrew.lab.play import play_games
from ratscrew.lab.provenance import provenance
from ratscrew.lab.study import run
from ratscrew.lab.style import LIGHT
from tests.lab.small_experiments import small
from tests.lab.test_report import Reader

NOTEBOOK = Path(__file__).resolve().parents[2] / "examples" / "lab.ipynb"


def shown(cell: str, names: dict[str, Any]) -> Any:
    """Run a cell as a notebook does: the value of its last line, if that is an expression."""
    tree = ast.parse(cell)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "cell", "exec"), names)
    return eval(compile(ast.Expression(last.value), "cell", "eval"), names) if isinstance(last, ast.Expr) else None


def test_the_example_runs_and_every_cell_shows_something(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    ipython = SimpleNamespace(get_ipython=lambda: None, version_info=(9, 0))
    monkeypatch.setitem(sys.modules, "IPython", ipython)  # so progress is shown
    names: dict[str, Any] = {}
    cells = json.loads(NOTEBOOK.read_text())["cells"]
    values = [shown("".join(cell["source"]), names) for cell in cells if cell["cell_type"] == "code"]
    assert len(values) == 6
    for value in values:
        show = getattr(value, "_repr_html_", None) or value._repr_svg_
        assert "<" in show()
    assert all(cell.get("outputs", []) == [] for cell in cells)
    assert "400 of 400 games" in capsys.readouterr().err
    assert (tmp_path / "penalties.parquet").exists()
    assert values[-1]["len"].sum() == 400


def test_a_run_shows_its_figures_and_gives_them_as_a_frame() -> None:
    found = lab.run_games(small(40))
    page = Reader(found._repr_html_())
    assert page.open == []
    assert {"1;classic, sharp, steady: 40 games, seed 3", "0 sharp"} <= set(page.said)
    frame = found.to_polars()
    wins = frame.row(by_predicate=pl.col("figure") == "wins.0", named=True)
    sure = found.run.estimates["wins.0"]
    assert (wins["value"], wins["low"], wins["high"]) == (sure.value, sure.low, sure.high)
    assert frame.row(by_predicate=pl.col("figure") == "wrong_slaps", named=True)["low"] is None
    with pytest.raises(RatscrewError, match="there is no such picture of a run; there are wins, lengths, slaps"):
        found.plot("pie")


def test_a_comparison_shows_what_differs() -> None:
    ours, theirs = small(60, bots="steady,steady"), small(60, bots="steady:miss=1,steady")
    found = lab.compare_games(ours, theirs)
    assert found.differences == compare(ours, theirs)
    page = Reader(found._repr_html_())
    assert any(text.startswith("Different (p below 0.05 after Holm's correction for") for text in page.said)
    assert found.to_polars().filter(pl.col("figure") == "wins.0")["p"][0] < 0.05


def test_a_notebook_plays_until_wins_are_known_as_well_as_the_command_does() -> None:
    asked = small(8000, bots="steady,steady")
    found = lab.run_games(asked, precision=5)
    assert found.run.games == 2000
    assert found.run.estimates == run(asked, precision=0.05).estimates
    said = set(Reader(found._repr_html_()).said)
    assert any(text.startswith("Wins are known to ") and "not to" not in text for text in said)
    other = small(8000, bots="steady,steady:miss=0.3")
    games, differences = compare_until(0.1, asked, other)
    compared = lab.compare_games(asked, other, precision=10)
    assert (compared.games, compared.differences) == (games, differences)
    assert 1000 <= games < 8000
    assert any(text.startswith("Wins are known to ") for text in Reader(compared._repr_html_()).said)


def test_a_notebook_says_nothing_of_a_precision_that_nobody_asked_for() -> None:
    assert not any("Wins are known" in text for text in Reader(lab.run_games(small(40))._repr_html_()).said)


def test_a_precision_that_was_not_reached_is_named() -> None:
    said = Reader(lab.run_games(small(40), precision=1)._repr_html_()).said
    assert any("percent on either side, not to 1, after the most games." in text for text in said)


@pytest.mark.parametrize("percent", [0, 0.001, 51, float("nan")])
def test_a_precision_out_of_its_bounds_is_refused(percent: float) -> None:
    for play_some in (lab.run_games, lambda asked, **given: lab.compare_games(asked, asked, **given)):
        with pytest.raises(RatscrewError, match=r"it is in percent, from 0\.01 to 50"):
            play_some(small(40), precision=percent)


def test_pictures_of_a_notebook_are_light(tmp_path: Path) -> None:
    picture = lab.run_games(small(40)).plot("lengths")
    text = picture._repr_svg_()
    assert LIGHT.paper in text
    assert style.PANEL not in text
    picture.save(str(tmp_path / "lengths.svg"))
    assert LIGHT.paper in (tmp_path / "lengths.svg").read_text()
    assert style.theme() == style.DARK


@pytest.mark.parametrize("engine", [False, True])
def test_the_rows_of_games_are_the_games_of_the_run(engine: bool) -> None:
    experiment = small(60)
    rows, tally = game_rows(experiment, engine=engine), play_games(experiment.rules, experiment.lineup, 60, 3)
    assert rows["game"].to_list() == list(range(60))
    assert [int((rows["winner"] == seat).sum()) for seat in (0, 1)] == [*tally.wins, 0][:2]
    assert (rows["cards"].sum(), (rows["cards"] ** 2).sum()) == (tally.cards, tally.cards2)
    assert rows["slapped.double"].sum() == tally.slaps["double"]
    assert rows["minutes"].sum() == pytest.approx(tally.time_us / 60_000_000)
    assert [rows[f"wrong_slaps.{seat}"].sum() for seat in (0, 1)] == list(tally.wrong)


def test_each_game_names_its_house_its_seed_and_its_sources() -> None:
    rows, here = game_rows(small(12, seed=7)), provenance()
    same = rows.select("house", "lineup", "seed", "version", "source").unique().rows()
    assert same == [("1;classic", "sharp,steady", 7, here.version, here.source)]
