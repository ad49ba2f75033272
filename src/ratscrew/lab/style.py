"""The common style of the lab's plots, in the colours of the table. Independent of what is drawn."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any, NamedTuple

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.patheffects import withStroke

from ratscrew.errors import RatscrewError

NIGHT, PANEL, FELT, TEAL = "#06171c", "#0a2128", "#114650", "#2f8f96"
GOLD, SAND, DIM, RED = "#eec266", "#f6e7c1", "#8fa5a3", "#e8705a"
SEAT_COLOURS = ("#f4bc3a", "#f0562b", "#55aeff", "#249773", "#a373ff", "#efa8b9", "#abf5ac", "#ffffff")
"""The colours of the seats: distinct for colour-blind readers too."""

HEAT = LinearSegmentedColormap.from_list("ratscrew", ["#0d3038", FELT, TEAL, "#c9b36b", "#ffdf94"])


class Theme(NamedTuple):
    """The colours of a plot besides those of its bars: background, text, lines, and the colour that stands out."""

    paper: str
    ink: str
    dim: str
    edge: str
    grid: str
    accent: str


DARK = Theme(PANEL, SAND, DIM, "#2a4a50", "#1a3a41", GOLD)
LIGHT = Theme("#ffffff", "#17323a", "#5d7073", "#c3d0d0", "#e2e9e9", "#b97f14")

_theme = ContextVar("theme", default=DARK)


def theme() -> Theme:
    """The theme of the context."""
    return _theme.get()


@contextmanager
def use(colours: Theme) -> Iterator[None]:
    """Draw with another theme within the context."""
    token = _theme.set(colours)
    try:
        yield
    finally:
        _theme.reset(token)


def halo() -> list[withStroke]:
    """Keeps text readable on top of a line."""
    return [withStroke(linewidth=3, foreground=theme().paper)]


FORMATS = (".png", ".svg")

_COMMON: dict[Any, Any] = {
    "figure.dpi": 160,
    "font.size": 11,
    "font.family": "sans-serif",
    "axes.titlesize": 15,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.titlepad": 16,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "grid.linewidth": 0.8,
    "xtick.major.size": 0,
    "ytick.major.size": 0,
    "xtick.minor.size": 0,
    "svg.hashsalt": "ratscrew",
}


def _style() -> dict[Any, Any]:
    colours = theme()
    return {
        **_COMMON,
        **dict.fromkeys(("figure.facecolor", "axes.facecolor"), colours.paper),
        **dict.fromkeys(("axes.titlecolor", "text.color"), colours.ink),
        **dict.fromkeys(("axes.labelcolor", "xtick.color", "ytick.color"), colours.dim),
        "axes.edgecolor": colours.edge,
        "grid.color": colours.grid,
    }


@contextmanager
def canvas(width: float, height: float, title: str) -> Iterator[tuple[Figure, Axes]]:
    """An empty figure of so many inches, with the common style within the context."""
    with mpl.rc_context(_style()):
        figure = Figure(figsize=(width, height), layout=ConstrainedLayoutEngine(w_pad=0.15, h_pad=0.15))
        axes = figure.subplots()
        axes.set_title(title)
        yield figure, axes


def svg(figure: Figure) -> str:
    """A figure as inline SVG; the same figure gives the same text."""
    out = io.StringIO()
    with mpl.rc_context(_style()):
        figure.savefig(out, format="svg", metadata={"Date": None})
    text = out.getvalue()
    return text[text.index("<svg") :]


def save(figure: Figure, file: Path) -> None:
    """Write a figure as PNG or SVG, by the file's suffix.

    Raises: RatscrewError for another suffix, or if the file cannot be written.
    """
    if file.suffix.lower() not in FORMATS:
        raise RatscrewError(f"{file}: a picture must be a file of type {' or '.join(FORMATS)}")
    with mpl.rc_context(_style()):
        try:
            if file.suffix.lower() == ".svg":
                file.write_text(svg(figure), encoding="utf-8")
            else:
                figure.savefig(file, format="png")
        except OSError as error:
            raise RatscrewError(f"{file} cannot be written: {error.strerror}") from error
