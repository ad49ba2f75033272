"""A log of this format is read to the last field by every later version: each entry, game and room of the fixture."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Mapping
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest
from msgspec import Struct

from ratscrew.cli.games.replay import replay
from ratscrew.cli.games.verify import verify
from ratscrew.cli.storage.log_lookup import open_log
from ratscrew.log.protocol import LogReader
from ratscrew.log.sqlite import SqliteLog
from ratscrew.table.history.history import history
from ratscrew.table.record.entries import Entry, Recorded
from tests.log.write_fixture import ENTRIES, ENTRY, EXPECTED, FINISHED, LOG, output, restored, rooms

LINES = ENTRIES.read_bytes().splitlines()
TOLD: Mapping[str, Any] = json.loads(gzip.decompress(EXPECTED.read_bytes()))


@pytest.fixture(scope="module", params=["only read", "written to"])
def file(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The file, which reading does not change."""
    file = tmp_path_factory.mktemp("fixture") / "log.sqlite3"
    file.write_bytes(stored := gzip.decompress(LOG.read_bytes()))
    if request.param == "written to":
        with closing(SqliteLog(file, ENTRY)) as log:
            log.get_or_create("another name", lambda: b"another value")
    yield file
    if request.param == "only read":
        assert sha256(file.read_bytes()).digest() == sha256(stored).digest()


@pytest.fixture
def log(file: Path) -> Iterator[LogReader[Entry]]:
    """The log in the file."""
    with open_log(file) as log:
        yield log


def unset(value: object) -> list[str]:
    """The fields of a value that are null or have their default, in which a change of their name would not show."""
    if not isinstance(value, Struct):
        return [name for each in value for name in unset(each)] if isinstance(value, tuple) else []
    fields = msgspec.structs.fields(value)
    own = [field.name for field in fields if getattr(value, field.name) in (None, field.default)]
    return [*own, *(name for field in fields for name in unset(getattr(value, field.name)))]


def test_there_is_an_entry_of_each_kind_with_every_field() -> None:
    entries = [ENTRY.decode(line) for line in LINES]
    assert [type(entry.event) for entry in entries] == [*get_args(Recorded)]
    assert [name for entry in entries for name in unset(entry)] == []


@pytest.mark.parametrize("line", LINES, ids=[json.loads(line)["event"]["e"] for line in LINES])
def test_an_entry_is_read_to_its_last_field(line: bytes) -> None:
    assert json.loads(ENTRY.encode(ENTRY.decode(line))) == json.loads(line)


def test_every_game_is_retold(log: LogReader[Entry]) -> None:
    assert log.games() == [*TOLD["games"]]
    for game, then in TOLD["games"].items():
        told = history(log.read(game))
        assert (told.game and json.loads(FINISHED.encode(told.finished(game)))) == then["finished"], game


def test_every_game_has_its_text_and_its_races_are_judged_alike(log: LogReader[Entry], file: Path) -> None:
    judged = 0
    for game, then in TOLD["games"].items():
        assert output(replay, game, file) == then["text"], game
        assert output(replay, game, file, judge=True, json=True) == then["judged"], game
        judged += len(json.loads(then["judged"][1])["trials"])
    assert judged > 10


def test_every_shuffle_is_verified_alike(file: Path) -> None:
    for game, then in TOLD["games"].items():
        assert output(verify, game, file, json=True) == then["verified"], game
    assert any('"verdict": "fair"' in then["verified"][1] for then in TOLD["games"].values())


def test_every_room_is_restored_to_the_last_field(log: LogReader[Entry]) -> None:
    assert rooms(log) == [*TOLD["rooms"]]
    for room, then in TOLD["rooms"].items():
        assert json.loads(json.dumps(restored(log, room))) == then, room
    assert any(then["state"]["since"] > 1 for then in TOLD["rooms"].values())


def test_every_stored_value_is_there(log: LogReader[Entry]) -> None:
    assert log.get("a name") == {"a name": b"a value"}
