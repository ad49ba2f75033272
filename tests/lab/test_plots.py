"""Plots show the figures of a run with labels, and can be written as PNG and SVG."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import matplotlib as mpl
import msgspec
import numpy as np
import polars as pl
import pytest
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import FancyBboxPatch, StepPatch
from matplotlib.text import Annotation, Text

from ratscrew.errors import RatscrewError
from ratscrew.lab import run_plots, style, sweep_plots
from ratscrew.lab.statistics import Estimate
from ratscrew.lab.study import Bin, Run
from tests.lab.small_experiments import small_run


@pytest.fixture(scope="module")
def run() -> Run:
    """Some games."""
    return small_run()


def words(figure: Figure) -> str:
    """All that is written on a picture."""
    return "\n".join(text.get_text() for text in figure.findobj(Text) if isinstance(text, Text))


def points(line: Line2D) -> Any:
    """The points of a line, as pairs of x and y."""
    return np.asarray(line.get_xydata()).tolist()


def table(*axes: str) -> pl.DataFrame:
    """A sweep over two values of each of these axes, 1 and 2."""
    rows = pl.DataFrame({"at": [0]})
    for axis in axes:
        rows = rows.join(pl.DataFrame({axis: [1, 2]}), how="cross")
    known = {"house": "1;classic", "lineup": "a,b", "games": 9, "seed": 1}
    found = {"wins.0": 0.25, "wins.0.low": 0.125, "wins.0.high": 0.375, "wrong_slaps": 1.5}
    return rows.drop("at").with_columns(**{name: pl.lit(value) for name, value in (known | found).items()})


def test_the_winner_is_reported_by_name_with_the_bounds(run: Run) -> None:
    told = words(run_plots.plot_wins(run))
    assert "0  sharp" in told
    for seat in range(2):
        found = run.estimates[f"wins.{seat}"]
        assert f"{100 * found.value:.1f} %   {100 * found.low:.1f} to {100 * found.high:.1f}" in told


def test_each_seat_has_a_bar_to_its_share_and_a_line_from_bound_to_bound(run: Run) -> None:
    shares = {"wins.0": Estimate(0.5, 0.25, 0.875), "wins.1": Estimate(0.125, 0.0625, 0.375)}
    axes = run_plots.plot_wins(msgspec.structs.replace(run, estimates=run.estimates | shares)).axes[0]
    assert [patch.get_width() for patch in axes.patches] == [50, 12.5]  # type: ignore[attr-defined]
    lines = [points(line) for line in axes.lines]
    level = [line for line in lines if line[0][1] == line[-1][1]]
    assert level == 2 * [[[25, 0], [87.5, 0]]] + 2 * [[[6.25, 1], [37.5, 1]]]  # each with its outline


def test_a_bar_of_lengths_covers_as_much_as_it_has_games(run: Run) -> None:
    """On the logarithmic axis the second bin is twice as wide as the first, and the third half as wide."""
    bins = (Bin(64, 128, 6), Bin(128, 512, 6), Bin(512, 724, 3))
    axes = run_plots.plot_lengths(msgspec.structs.replace(run, games=15, lengths=bins)).axes[0]
    steps: list[Any] = [patch.get_data() for patch in axes.patches if isinstance(patch, StepPatch)]
    assert len(steps) == 2  # the area and its outline
    for heights, edges, _ in steps:
        assert list(edges) == [64, 128, 512, 724]
        assert list(heights) == pytest.approx([6, 3, 6], rel=1e-3)  # 724 is nearly 512 · 2^½
    lines = sorted(points(line)[0][0] for line in axes.lines)
    assert lines == pytest.approx([64 * 2**0.25, 128 * 4**0.25, 512 * 2**0.25], rel=1e-3)  # 1.5, 7.5, 13.5 of 15 games


def test_the_length_of_games_is_printed_in_cards_and_minutes(run: Run) -> None:
    told = words(run_plots.plot_lengths(run))
    assert f"{run.mean_cards:,.0f} on average, or {run.mean_minutes:,.1f} minutes of play" in told
    assert f"half\n{run.quantile(0.5):,.0f}" in told


def test_each_pattern_stands_beside_how_often_it_is_slapped(run: Run) -> None:
    figure = run_plots.plot_slaps(run)
    labels = [label.get_text() for label in figure.axes[0].get_yticklabels()]
    bars = [patch.get_width() for patch in figure.axes[0].patches]  # type: ignore[attr-defined]
    named = dict(zip(labels, bars, strict=True))
    assert named == {name: run.rates[f"slapped.{name}"] for name in ("double", "sandwich")} | {
        "wrong slaps": run.rates["wrong_slaps"]
    }


def test_a_house_without_slaps_has_no_picture_of_them(run: Run) -> None:
    bare = {name: rate for name, rate in run.rates.items() if not name.startswith("slapped.")}
    assert set(run_plots.plot_all(msgspec.structs.replace(run, rates=bare))) == {"wins", "lengths"}


@pytest.mark.parametrize(("axes", "maps_drawn"), [("x", 1), ("x y", 1), ("x y z", 2), ("w x y z", 4)])
def test_a_sweep_is_a_line_or_a_map_for_each_value_of_what_else_changes(axes: str, maps_drawn: int) -> None:
    figure = sweep_plots.plot_sweep(table(*axes.split()), "wins.0")
    assert len(figure.axes) == maps_drawn
    told = words(figure)
    assert "Games won, seat 0, %" in told
    assert told.count("25.0") == 2 ** len(axes.split())
    if maps_drawn > 1:
        assert "± 12.5" in told
        assert figure.axes[0].get_title("left") == ("x 1" if maps_drawn == 2 else "w 1, x 1")


def test_a_line_of_a_sweep_has_each_value_between_its_bounds() -> None:
    found = table("x").with_columns(
        **{name: pl.Series(pair) for name, pair in {"wins.0": [0.25, 0.5], "wins.0.low": [0.2, 0.375]}.items()},
        **{"wins.0.high": pl.Series([0.5, 0.875])},
    )
    axes = sweep_plots.plot_sweep(found, "wins.0").axes[0]
    (line,) = axes.lines
    assert points(line) == [[0, 25], [1, 50]]
    (bars,) = (each for each in axes.collections if isinstance(each, LineCollection))
    assert [np.asarray(bar).tolist() for bar in bars.get_segments()] == [[[0, 20], [0, 50]], [[1, 37.5], [1, 87.5]]]


def test_each_square_of_a_map_has_the_figure_of_its_place() -> None:
    """Rows go down by y, columns across by x; half an interval of 0.25 is 12.5 points."""
    values = pl.Series([0.1, 0.2, 0.3, 0.4])  # of (y, x): (1, 1), (1, 2), (2, 1), (2, 2)
    (panel,) = sweep_plots.plot_sweep(table("y", "x").with_columns(**{"wins.0": values}), "wins.0").axes
    told = {(text.get_text(), *text.get_position()) for text in panel.texts}
    squares = {(x, y): f"{10 * (1 + x + 2 * y):.1f}" for x in (0, 1) for y in (0, 1)}
    assert told == {(value, x, y - 0.1) for (x, y), value in squares.items()} | {
        ("± 12.5", x, y + 0.24) for x, y in squares
    }
    colours: dict[Any, Any] = {
        (round(each.get_x() + 0.44), round(each.get_y() + 0.42)): each.get_facecolor()
        for each in panel.patches
        if isinstance(each, FancyBboxPatch)
    }
    assert colours == {(x, y): pytest.approx(style.HEAT((x + 2 * y) / 3)) for x, y in squares}


def test_a_figure_without_bounds_is_drawn_without_them() -> None:
    assert "±" not in words(sweep_plots.plot_sweep(table("x", "y"), "wrong_slaps"))


@pytest.mark.parametrize("axes", ["x", "xy"])
def test_cells_that_lack_a_figure_are_left_out(axes: str) -> None:
    """Where there are two players there is no seat 2."""
    lacking = table(*axes).with_columns(pl.when(pl.col("x") == 1).then("wrong_slaps").alias("wrong_slaps"))
    assert words(sweep_plots.plot_sweep(lacking, "wrong_slaps")).count("1.50") == len(axes)


def test_a_figure_that_a_sweep_does_not_have_is_reported() -> None:
    with pytest.raises(RatscrewError, match=r"luck: there is no such figure; there are wins\.0, wrong_slaps"):
        sweep_plots.plot_sweep(table("x"), "luck")


@pytest.mark.parametrize(("name", "begins"), [("some.png", b"\x89PNG"), ("some.svg", b"<svg")])
def test_a_picture_is_written_as_its_name_says(name: str, begins: bytes, run: Run, tmp_path: Path) -> None:
    style.save(run_plots.plot_wins(run), tmp_path / name)
    assert (tmp_path / name).read_bytes().startswith(begins)


def test_the_same_picture_is_the_same_file(run: Run) -> None:
    assert style.svg(run_plots.plot_lengths(run)) == style.svg(run_plots.plot_lengths(run))


def test_nobody_elses_pictures_change(run: Run) -> None:
    before = dict(mpl.rcParams)
    style.svg(run_plots.plot_wins(run))
    assert dict(mpl.rcParams) == before


@pytest.mark.parametrize(
    ("name", "says"), [("a.gif", r"a picture must be a file of type \.png or \.svg"), ("b/a.png", "cannot be")]
)
def test_a_picture_that_cannot_be_written_is_reported(name: str, says: str, run: Run, tmp_path: Path) -> None:
    with pytest.raises(RatscrewError, match=says):
        style.save(run_plots.plot_wins(run), tmp_path / name)


def test_no_words_lie_on_others(run: Run) -> None:
    """As far as pictures of a run go: names and figures of seats, of lengths and of patterns."""
    for figure in run_plots.plot_all(run).values():
        figure.draw_without_rendering()
        boxes = [text.get_window_extent() for text in figure.findobj(Annotation) if isinstance(text, Annotation)]
        assert not any(one.overlaps(other) for place, one in enumerate(boxes) for other in boxes[:place])


def test_a_heatmap_bounds_the_length_of_games_below_where_some_were_given_up() -> None:
    known = {"minutes": 20.0, "minutes.low": 15.0, "minutes.high": 25.0}
    cells = table("a", "b").with_columns(**{name: pl.lit(value) for name, value in known.items()})
    cells = cells.with_columns(never_ended=pl.Series([0.0, 0.0, 0.0, 0.5]))
    told = words(sweep_plots.plot_sweep(cells, "minutes")).splitlines()
    assert (told.count("≥ 15.0"), told.count("20.0"), told.count("± 5.00")) == (1, 3, 3)
