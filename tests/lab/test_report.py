"""The report of a study is self-contained: it fetches nothing."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import msgspec
import polars as pl
import pytest

from ratscrew.lab import report, run_plots
from ratscrew.lab.statistics import wilson_ci
from ratscrew.lab.study import Run
from ratscrew.rules.presets import house
from ratscrew.rules.rule_sheet import sheet
from tests.lab.small_experiments import small_run

EMPTY = {"meta", "path", "use", "rect", "image"}


class Reader(HTMLParser):
    """The text of a page, its open tags, and the addresses it would fetch."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.said: list[str] = []
        self.open: list[str] = []
        self.fetched: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note a tag."""
        self.fetched += [value for name, value in attrs if name in ("src", "href", "xlink:href") and value]
        if tag not in EMPTY:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        """Close a tag, the last that was opened."""
        if tag not in EMPTY:
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        """Note words."""
        self.said.append(data.strip())


@pytest.fixture(scope="module")
def run() -> Run:
    """Some games."""
    return small_run()


@pytest.fixture(scope="module")
def page(run: Run) -> str:
    """Their page."""
    return report.run_page(run)


def test_the_page_of_a_run_has_its_figures_its_rules_and_its_command(run: Run, page: str) -> None:
    read = Reader(page)
    assert read.open == []
    said = set(read.said)
    assert {"Classic rules, 2 players", "ratscrew lab run", "1;classic", "0 sharp"} <= said
    assert {line.text for section in sheet(house()).sections for line in section.lines} <= said
    assert {f"{run.rates['cards']:.2f}", "40"} <= said


def test_a_page_fetches_nothing(page: str) -> None:
    fetched = Reader(page).fetched
    assert fetched
    assert all(address.startswith("#") for address in fetched)
    assert not re.search(r"@import|url\((?!#)", page)


def test_parts_of_several_pictures_are_not_mistaken_for_each_other(page: str) -> None:
    """Every id that a plot refers to is on the page, and equal ids are equal elements."""
    for name in set(re.findall(r"(?:href=\"#|url\(#)([^\")]+)", page)):
        assert len(set(re.findall(rf'<(\w+ id="{name}"[^>]*>(?:\s*<rect[^>]*>)?)', page))) == 1


def test_words_of_others_stay_words(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_plots, "plot_all", lambda run: {})
    page = report.run_page(msgspec.structs.replace(run, command="<script>alert(1)</script>"))
    assert "<script" not in page
    assert "&lt;script&gt;" in page


def test_the_page_of_a_sweep_says_how_each_cell_differs_from_the_first() -> None:
    """Newcombe's 56 of 70 and 48 of 80, whose difference lies between 5.24 and 33.39 points."""
    found = wilson_ci(48, 80), wilson_ci(56, 70)
    table = pl.DataFrame(
        {
            "tie": ["earliest", "void"],
            "house": ["1;classic", "1;classic;tie=void"],
            "lineup": ["a,b"] * 2,
            "games": [80, 70],
            "seed": [1, 1],
            "wins.0": [each.value for each in found],
            "wins.0.low": [each.low for each in found],
            "wins.0.high": [each.high for each in found],
        }
    )
    page = Reader(report.sweep_page(table, "some.csv"))
    assert page.open == []
    interval = "+5.2 % and +33.4 %"
    heading = "some.csv: 2 cells, 150 games; 95 % confidence intervals."
    assert {"A sweep over tie", "+20.0 %", interval, heading} <= set(page.said)


def test_a_page_bounds_the_length_of_games_below_if_some_were_given_up(run: Run) -> None:
    minutes = run.estimates["minutes"].low
    for given_up, bound in ((0, f"{minutes:.2f} and "), (3, f"at least {minutes:.2f}")):
        said = Reader(report.run_page(msgspec.structs.replace(run, never_ended=given_up))).said
        assert any(text.startswith(bound) for text in said)
