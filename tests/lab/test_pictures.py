"""Pictures say what they show in words, with the figures of the run, and can be written in both forms."""

from __future__ import annotations

from pathlib import Path

import matplotlib as mpl
import msgspec
import polars as pl
import pytest
from matplotlib.figure import Figure
from matplotlib.text import Annotation, Text

from ratscrew.errors import RatscrewError
from ratscrew.lab import maps, plots, style
from ratscrew.lab.study import Run
from tests.lab.asking import answered


@pytest.fixture(scope="module")
def run() -> Run:
    """Some games."""
    return answered()


def words(figure: Figure) -> str:
    """All that is written on a picture."""
    return "\n".join(text.get_text() for text in figure.findobj(Text) if isinstance(text, Text))


def table(*axes: str) -> pl.DataFrame:
    """A sweep over two values of each of these axes, 1 and 2."""
    rows = pl.DataFrame({"at": [0]})
    for axis in axes:
        rows = rows.join(pl.DataFrame({axis: [1, 2]}), how="cross")
    known = {"house": "1;classic", "lineup": "a,b", "games": 9, "seed": 1}
    found = {"wins.0": 0.25, "wins.0.low": 0.125, "wins.0.high": 0.375, "wrong_slaps": 1.5}
    return rows.drop("at").with_columns(**{name: pl.lit(value) for name, value in (known | found).items()})


def test_who_wins_is_told_by_name_with_the_bounds(run: Run) -> None:
    told = words(plots.wins(run))
    assert "0  sharp" in told
    for seat in range(2):
        found = run.estimates[f"wins.{seat}"]
        assert f"{100 * found.value:.1f} %   {100 * found.low:.1f} to {100 * found.high:.1f}" in told


def test_the_length_of_games_is_told_in_cards_and_minutes(run: Run) -> None:
    told = words(plots.lengths(run))
    assert f"{run.mean_cards:,.0f} in the mean, or {run.mean_minutes:,.1f} minutes of play" in told
    assert f"half\n{run.quantile(0.5):,.0f}" in told


def test_each_pattern_stands_beside_how_often_it_is_slapped(run: Run) -> None:
    figure = plots.slaps(run)
    labels = [label.get_text() for label in figure.axes[0].get_yticklabels()]
    bars = [patch.get_width() for patch in figure.axes[0].patches]  # type: ignore[attr-defined]
    named = dict(zip(labels, bars, strict=True))
    assert named == {name: run.rates[f"slapped.{name}"] for name in ("double", "sandwich")} | {
        "wrong slaps": run.rates["wrong_slaps"]
    }


def test_a_house_without_slaps_has_no_picture_of_them(run: Run) -> None:
    bare = {name: rate for name, rate in run.rates.items() if not name.startswith("slapped.")}
    assert set(plots.pictures(msgspec.structs.replace(run, rates=bare))) == {"wins", "lengths"}


@pytest.mark.parametrize(("axes", "maps_drawn"), [("x", 1), ("x y", 1), ("x y z", 2), ("w x y z", 4)])
def test_a_sweep_is_a_line_or_a_map_for_each_value_of_what_else_changes(axes: str, maps_drawn: int) -> None:
    figure = maps.sweep(table(*axes.split()), "wins.0")
    assert len(figure.axes) == maps_drawn
    told = words(figure)
    assert "Games won, seat 0, %" in told
    assert told.count("25.0") == 2 ** len(axes.split())
    if maps_drawn > 1:
        assert "± 12.5" in told
        assert figure.axes[0].get_title("left") == ("x 1" if maps_drawn == 2 else "w 1, x 1")


def test_a_figure_without_bounds_is_drawn_without_them() -> None:
    assert "±" not in words(maps.sweep(table("x", "y"), "wrong_slaps"))


@pytest.mark.parametrize("axes", ["x", "xy"])
def test_cells_that_lack_a_figure_are_left_out(axes: str) -> None:
    """Where there are two players there is no seat 2."""
    lacking = table(*axes).with_columns(pl.when(pl.col("x") == 1).then("wrong_slaps").alias("wrong_slaps"))
    assert words(maps.sweep(lacking, "wrong_slaps")).count("1.50") == len(axes)


def test_a_figure_that_a_sweep_does_not_have_is_told() -> None:
    with pytest.raises(RatscrewError, match=r"luck: there is no such figure; there are wins\.0, wrong_slaps"):
        maps.sweep(table("x"), "luck")


@pytest.mark.parametrize(("name", "begins"), [("some.png", b"\x89PNG"), ("some.svg", b"<svg")])
def test_a_picture_is_written_as_its_name_says(name: str, begins: bytes, run: Run, tmp_path: Path) -> None:
    style.save(plots.wins(run), tmp_path / name)
    assert (tmp_path / name).read_bytes().startswith(begins)


def test_the_same_picture_is_the_same_file(run: Run) -> None:
    assert style.svg(plots.lengths(run)) == style.svg(plots.lengths(run))


def test_nobody_elses_pictures_change(run: Run) -> None:
    before = dict(mpl.rcParams)
    style.svg(plots.wins(run))
    assert dict(mpl.rcParams) == before


@pytest.mark.parametrize(
    ("name", "says"), [("a.gif", r"a picture is written as \.png or \.svg"), ("b/a.png", "cannot be")]
)
def test_a_picture_that_cannot_be_written_is_told(name: str, says: str, run: Run, tmp_path: Path) -> None:
    with pytest.raises(RatscrewError, match=says):
        style.save(plots.wins(run), tmp_path / name)


def test_no_words_lie_on_others(run: Run) -> None:
    """As far as pictures of a run go: names and figures of seats, of lengths and of patterns."""
    for figure in plots.pictures(run).values():
        figure.draw_without_rendering()
        boxes = [text.get_window_extent() for text in figure.findobj(Annotation) if isinstance(text, Annotation)]
        assert not any(one.overlaps(other) for place, one in enumerate(boxes) for other in boxes[:place])
