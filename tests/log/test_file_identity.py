"""A file that is deleted or replaced while its log is open keeps nothing more, and the log says so."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from ratscrew.errors import Detached
from ratscrew.game.codec import Codec
from ratscrew.log.sqlite import SqliteLog

TEXT = Codec[str](str)


@pytest.fixture
def log(tmp_path: Path) -> Iterator[SqliteLog[str]]:
    """A log with an entry, in a folder of its own."""
    (tmp_path / "games").mkdir()
    with closing(SqliteLog(tmp_path / "games" / "log.sqlite3", TEXT)) as log:
        log.append("g", 0, ["a"])
        yield log


def delete(ending: str) -> Callable[[Path], None]:
    """Delete the file with this ending."""
    return lambda file: Path(f"{file}{ending}").unlink()


def replace(file: Path) -> None:
    """Put a copy in its place, as a backup that was restored."""
    copy = file.with_name("copy")
    copy.write_bytes(file.read_bytes())
    copy.rename(file)


def move_the_folder(file: Path) -> None:
    """The whole folder has another name."""
    file.parent.rename(file.parent.with_name("elsewhere"))


@pytest.mark.parametrize("lose", [delete(""), delete("-wal"), delete("-shm"), replace, move_the_folder])
def test_what_would_be_lost_is_refused(log: SqliteLog[str], tmp_path: Path, lose: Callable[[Path], None]) -> None:
    """Nothing is made in the place of what is gone, by an append, by a note, or by anything else."""
    file = tmp_path / "games" / "log.sqlite3"
    log.check()
    lose(file)
    before = sorted(path.name for path in tmp_path.rglob("*"))
    asked: list[Callable[[], object]] = [
        log.check,
        lambda: log.append("g", 1, ["b"]),
        lambda: log.put("alive", b"1"),
        lambda: log.get_or_create("key", lambda: b"1"),
        lambda: log.redact("g", str.upper),
        lambda: log.delete_prefix("key"),
        log.purge,
        lambda: log.read("g"),
        log.games,
    ]
    for ask in asked:
        with pytest.raises(Detached, match=r"was deleted or replaced while the server runs: put it back, or stop"):
            ask()
    assert sorted(path.name for path in tmp_path.rglob("*")) == before


def test_a_file_that_is_put_back_goes_on(log: SqliteLog[str], tmp_path: Path) -> None:
    file = tmp_path / "games" / "log.sqlite3"
    os.rename(file, tmp_path / "aside")
    with pytest.raises(Detached):
        log.append("g", 1, ["b"])
    os.rename(tmp_path / "aside", file)
    assert (log.append("g", 1, ["b"]), log.read("g")) == (2, ["a", "b"])


def test_a_link_that_leads_elsewhere_is_another_file(tmp_path: Path) -> None:
    (link := tmp_path / "link").symlink_to(tmp_path / "one")
    with closing(SqliteLog(link, TEXT)) as log:
        log.append("g", 0, ["a"])
        link.unlink()
        link.symlink_to(tmp_path / "two")
        with pytest.raises(Detached):
            log.append("g", 1, ["b"])
        assert not (tmp_path / "two").exists()
