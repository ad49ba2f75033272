"""A house in the terminal: read aloud, compared, as JSON, as a link; and what is wrong with it in sentences."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ratscrew.cli.games.rules import drawn, find, show
from ratscrew.errors import RulesError
from ratscrew.rules.link import to_link
from ratscrew.rules.presets import house


def test_the_rules_of_a_house_are_read_aloud(capsys: pytest.CaptureFixture[str]) -> None:
    show("wiki")
    out = capsys.readouterr().out
    assert out.startswith("Sandwich Shop rules\n\nCards\n  We play with one pack of cards.\n")
    assert "\nSlaps\n  Double: two cards of the same rank in a row.   9♠ 9♥\n" in out
    assert "\n  Marriage: a queen and a king in a row, in either order.   Q♠ K♦\n" in out


def test_long_rules_are_not_broken_when_they_go_into_a_file(capsys: pytest.CaptureFixture[str]) -> None:
    show("wiki")
    assert max(map(len, capsys.readouterr().out.splitlines())) > 100


def test_cards_are_drawn_with_their_suits() -> None:
    assert drawn("5S TD 5H JC JKR").plain == "5♠ 10♦ 5♥ J♣ red joker"
    assert drawn("").plain == ""


def test_only_differences_from_another_house_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    show("1;classic;wrong_slap.escalate=true", against="classic")
    assert capsys.readouterr().out == (
        "Like classic, but:\n  Wrong slap: you burn cards from the top of your hand; one card, under the pile, "
        "and one more each time until your next good slap.\n"
    )


def test_a_house_that_does_not_differ_is_reported(capsys: pytest.CaptureFixture[str]) -> None:
    show("1;classic", against="classic")
    assert capsys.readouterr().out == "Same as classic.\n"


def test_the_text_of_a_link_is_printed_alone(capsys: pytest.CaptureFixture[str]) -> None:
    show("1;wiki;turn_ms=5000", link=True)
    assert capsys.readouterr().out == "1;wiki;turn_ms=5000\n"


def test_a_house_as_json_is_its_rules_its_link_and_its_sheet(capsys: pytest.CaptureFixture[str]) -> None:
    show("wiki", json=True)
    told = json.loads(capsys.readouterr().out)
    assert told.keys() == {"rules", "link", "sheet"}
    assert (told["link"], told["sheet"]["title"], told["rules"]["last_chance"]) == ("1;wiki", "Sandwich Shop rules", 3)
    show("wiki", against="classic", json=True)
    assert "Any number of players can play." in json.loads(capsys.readouterr().out)["differences"]


def test_a_house_is_found_by_name_by_link_or_in_a_file(tmp_path: Path) -> None:
    mine = house("wiki", turn_ms=5000)
    toml, text = tmp_path / "my.toml", tmp_path / "my.json"
    toml.write_text('preset = "wiki"\nturn_ms = 5000\n')
    text.write_text('{"preset": "wiki", "turn_ms": 5000}')
    assert find("wiki") == house("wiki")
    assert find(to_link(mine)) == find(str(toml)) == find(str(text)) == mine


def test_a_file_that_cannot_be_read_is_named_with_the_reason(tmp_path: Path) -> None:
    missing, folder, binary = tmp_path / "no.toml", tmp_path / "folder.json", tmp_path / "picture.json"
    folder.mkdir()
    binary.write_bytes(b"\xff\xfe\x00")
    for path, reason in (
        (missing, "No such file or directory"),
        (folder, "Is a directory"),
        (binary, "not a text file"),
    ):
        with pytest.raises(RulesError) as caught:
            find(str(path))
        (problem,) = caught.value.problems
        assert problem.startswith(f"{path}: ")
        assert reason in problem


def test_every_problem_of_a_house_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "my.toml"
    path.write_text("colour = 'red'\njokers = 9\n[slaps]\ntripple = true\n")
    with pytest.raises(RulesError) as caught:
        show(str(path))
    assert [problem.split()[0] for problem in caught.value.problems] == ["colour:", "jokers", "slaps.tripple:"]


def test_a_house_to_compare_with_must_be_one_too() -> None:
    with pytest.raises(RulesError, match="there is no preset 'clasic'"):
        show("wiki", against="clasic")


def test_the_problems_of_a_house_are_told_in_the_language_of_its_rules() -> None:
    told = {}
    for lang in ("en", "de"):
        with pytest.raises(RulesError) as refused:
            show("1;classic;chances.K=53", lang=lang)
        told[lang] = refused.value.problems
    assert told["en"] == ("chances.K = 53: it can be a whole number from 1 to 52 or 'off'",)
    assert told["de"] == ("chances.K = 53: erlaubt ist eine ganze Zahl von 1 bis 52 oder 'off'",)
