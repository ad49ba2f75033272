"""The census in the terminal."""

from __future__ import annotations

import json

import pytest

from ratscrew.cli.games.census import census
from ratscrew.errors import RulesError


def test_the_figures_are_printed_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    census("classic", json=True)
    told = json.loads(capsys.readouterr().out)
    assert told == {"patterns": {"double": [156, 2652], "sandwich": [7488, 132600], "instant": [0, 52]}}


def test_the_figures_are_printed_as_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    census("1;classic;slaps.suit_run=3")
    heading, *rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert heading == ["slap", "choices", "windows", "of", "one", "in"]
    assert rows == [
        ["double", "156", "2,652", "17.0"],
        ["sandwich", "7,488", "132,600", "17.7"],
        ["suit_run", "len", "=", "3", "6,864", "132,600", "19.3"],
        ["instant", "cards", "=", "JK", "0", "52"],
    ]


def test_a_house_that_is_none_is_reported() -> None:
    with pytest.raises(RulesError, match="there is no preset 'clasic'"):
        census("clasic")
