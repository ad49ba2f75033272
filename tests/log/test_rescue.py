"""What can be read of a damaged file is saved, and what cannot is named."""

from __future__ import annotations

import random
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from ratscrew.errors import LogError
from ratscrew.game.codec import Codec
from ratscrew.log.rescue import RescuedGame, rescue
from ratscrew.log.sqlite import SqliteLog

TEXT = Codec[str](str)
GAMES = {f"ROOM-{number}": [f"{number}.{entry} " * 40 for entry in range(60)] for number in range(30)}
"""Half a megabyte: 8 games a dozen pages."""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A log of many games."""
    with closing(SqliteLog(tmp_path / "log.sqlite3", TEXT, "process")) as log:
        for game, entries in GAMES.items():
            log.append(game, 0, entries)
        log.get_or_create("seat-key", lambda: b"key")
    return tmp_path / "log.sqlite3"


def saved(file: Path) -> tuple[dict[str, list[str]], list[RescuedGame]]:
    """What a new log holds after a rescue, and the rescue's report."""
    new = file.with_name("new.sqlite3")
    said = rescue(file, new, TEXT)
    with closing(SqliteLog(new, TEXT)) as log:
        found = {game: log.read(game) for game in log.games()}
    new.unlink()
    return found, said


def test_of_a_sound_file_everything_is_saved_in_its_order(file: Path) -> None:
    found, said = saved(file)
    assert (found, list(found)) == (GAMES, list(GAMES))
    assert said == [RescuedGame(game, 60, "") for game in GAMES]


def test_what_is_kept_beside_the_games_is_saved_too(file: Path) -> None:
    """The key, without which no player could return to their seat."""
    rescue(file, file.with_name("new.sqlite3"), TEXT)
    with closing(SqliteLog(file.with_name("new.sqlite3"), TEXT)) as log:
        assert log.get_or_create("seat-key", lambda: b"another") == b"key"


def test_a_game_is_saved_up_to_what_cannot_be_read(file: Path) -> None:
    with closing(sqlite3.connect(file)) as database, database:
        database.execute("UPDATE entry SET body = 'x' WHERE game = 3 AND number = 41")
    found, said = saved(file)
    assert found == GAMES | {"ROOM-2": GAMES["ROOM-2"][:40]}
    assert said[2] == RescuedGame("ROOM-2", 40, "entry 41 cannot be read: its checksum is wrong")
    assert [each.wrong for each in said].count("") == len(GAMES) - 1


def test_wherever_one_page_is_overwritten_little_is_lost_and_that_is_said(file: Path) -> None:
    """Of entries only: a page holds those of two games at most, or leads to so many. What is saved is as it was."""
    whole, chance = file.read_bytes(), random.Random(3)
    for page in chance.sample(range(5, len(whole) // 4096), 6):
        damaged = bytearray(whole)
        damaged[page * 4096 : page * 4096 + 4096] = chance.randbytes(4096)
        file.write_bytes(damaged)
        found, said = saved(file)
        assert all(entries == GAMES[game][: len(entries)] for game, entries in found.items())
        short = {game for game in GAMES if found.get(game) != GAMES[game]}
        assert short == {each.game for each in said if each.wrong}


@pytest.mark.parametrize("page", [1, 2], ids=["the list of games", "its index"])
def test_games_are_found_by_the_list_or_by_its_index(file: Path, page: int) -> None:
    whole = bytearray(file.read_bytes())
    assert b"ROOM-7" in whole[page * 4096 : page * 4096 + 4096]
    whole[page * 4096 : page * 4096 + 4096] = b"\x55" * 4096
    file.write_bytes(whole)
    assert saved(file)[0] == GAMES


def test_of_a_file_without_its_beginning_nothing_can_be_saved_and_nothing_is_made(file: Path) -> None:
    file.write_bytes(b"\x55" * 4096 + file.read_bytes()[4096:])
    with pytest.raises(LogError, match="file is not a database"):
        saved(file)
    assert not file.with_name("new.sqlite3").exists()
