"""Studies are played again: their rows get today's sources, and another figure is found."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import replay
from ratscrew.lab.provenance import provenance

GRID = """
bots = ["quiet"]
preset = "beggar"
seed = 1

[grid]
games = [20, 30]
"""

OLD = "games,version,source,cards\n20,0.1.0,sha256-older,250.5\n30,0.1.0,sha256-older,260.25\n"
NEW = OLD.replace("older", "newer")


@pytest.fixture
def studies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a study whose table was played by other sources, and which gives other rows now."""
    (tmp_path / "small.toml").write_text(GRID)
    (tmp_path / "small.csv").write_text(OLD)
    monkeypatch.setattr(replay, "play", lambda name, folder, file: file.write_text((folder / "now").read_text()))
    (tmp_path / "now").write_text(NEW)
    return tmp_path


def test_a_study_is_played_by_todays_sources(tmp_path: Path) -> None:
    (tmp_path / "small.toml").write_text(GRID)
    replay.play("small", tmp_path, tmp_path / "small.csv")
    rows = replay.read(tmp_path / "small.csv")
    assert [row["games"] for row in rows] == ["20", "30"]
    assert {row["source"] for row in rows} == {provenance().source}


def test_rows_name_the_sources_that_have_played_them_again(studies: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert replay.main(["small"], studies) == 0
    assert capsys.readouterr().out == "small: 2 rows, 0 differences\n"
    assert (studies / "small.csv").read_text() == NEW


def test_a_figure_that_is_another_one_now_is_found_and_replaced(
    studies: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (studies / "now").write_text(NEW.replace("260.25", "261"))
    assert replay.main(["small"], studies) == 1
    assert capsys.readouterr().out == "small: 2 rows, 1 differences\n  row 1: cards = 261 instead of 260.25\n"
    assert replay.main(["small"], studies) == 0


def test_a_cell_that_is_missing_is_found(studies: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (studies / "now").write_text("".join(NEW.splitlines(keepends=True)[:2]))
    assert replay.main(["small"], studies) == 1
    assert "  1 rows instead of 2\n" in capsys.readouterr().out


def test_the_last_digits_of_a_bound_do_not_count() -> None:
    assert replay.same("0.49300663988495563", "0.49300663988495601")
    assert not replay.same("0.4930", "0.4931")
    assert not replay.same("", "0.4931")


def test_a_study_that_there_is_not_is_refused(studies: Path) -> None:
    with pytest.raises(SystemExit):
        replay.main(["large"], studies)
