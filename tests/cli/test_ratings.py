"""`ratscrew ratings`: the same numbers from the logs alone, and what the operator decides about flagged players."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from ratscrew.accounts.accounts import Accounts
from ratscrew.accounts.ratings import Ratings
from ratscrew.accounts.results import GameResult, RankedPlayer, put_result
from ratscrew.cli.people.ratings import print_flags, rebuild, set_allowed
from ratscrew.errors import RatscrewError
from ratscrew.game.codec import Codec
from ratscrew.log.sqlite import SqliteLog
from ratscrew.table.history.settling import store_game
from ratscrew.table.names.names import looks
from ratscrew.table.record.entries import Entry
from tests.community.rated_games import NOVEMBER_US, rated_game


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A file with two rated games and the account of one of their players, who is flagged."""
    file = tmp_path / "games.sqlite3"
    with closing(SqliteLog(file, Codec[Entry](Entry))) as log:
        for number in range(2):
            log.append(f"WOLF000{number}-1-1", 0, rated_game(("sharp", "gentle"), number))
        Accounts(log, looks).create("Ana", "sharp", 1, lambda most: 42)
    return file


def test_rebuilding_prints_every_digit(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with closing(SqliteLog(file, Codec[Entry](Entry))) as log:
        live = Ratings(["1;classic"])
        live.add(found for game in log.games() if (found := store_game(log, game)))
    rebuild(file, ())
    rating, printed = live.rating("1;classic", "sharp"), capsys.readouterr().out
    assert f"Ana#0042: {rating.points:5} mu {rating.mu!r} sigma {rating.sigma!r} games 2" in printed
    assert "games: 2, of which not rated: 0" in printed


def test_the_operator_sees_who_loses_to_one_account_again_and_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with closing(SqliteLog(file := tmp_path / "games.sqlite3", Codec[Entry](Entry))) as log:
        for number in range(14):
            places = (RankedPlayer("main", 0, 0), RankedPlayer("second", 1, 1))
            put_result(log, GameResult(f"G-{number}", NOVEMBER_US + number, "1;classic", places))
        Accounts(log, looks).create("Ana", "main", 1, lambda most: 42)
        Accounts(log, looks).create("Bo", "second", 1, lambda most: 7)
    print_flags(file)
    assert (
        "Bo#0007 (second) lost to Ana#0042 (main) in 14 of 14 games, expected 7.0, p 6e-05" in capsys.readouterr().out
    )


def test_the_operator_sees_who_plays_each_other_in_one_network(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with closing(SqliteLog(file := tmp_path / "games.sqlite3", Codec[Entry](Entry))) as log:
        for number in range(10):
            places = (RankedPlayer("main", 0, 0), RankedPlayer("second", 1, 1))
            result = GameResult(f"G-{number}", NOVEMBER_US + number, "1;classic", places, ("same_network",))
            put_result(log, result)
        Accounts(log, looks).create("Ana", "main", 1, lambda most: 42)
        Accounts(log, looks).create("Bo", "second", 1, lambda most: 7)
    print_flags(file)
    line = "Bo#0007 (second) and Ana#0042 (main) played 10 games in one network, not rated: Bo#0007 lost 10"
    assert line in capsys.readouterr().out


def test_the_operator_sees_flags_and_allows(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with closing(SqliteLog(file, Codec[Entry](Entry))) as log:
        log.put("community/flag/sharp/", b'["people recognise nothing so fast"]')
    print_flags(file)
    assert "Ana#0042 (sharp), not rated: people recognise nothing so fast" in capsys.readouterr().out
    set_allowed("Ana#0042", file, True)
    print_flags(file)
    assert "allowed: people" in capsys.readouterr().out
    with pytest.raises(RatscrewError, match="there is no player 'Bo#0001'"):
        set_allowed("Bo#0001", file, True)
