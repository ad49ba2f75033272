"""One process at a time writes a data file, by whichever path it comes; commands that only read write nothing."""

from __future__ import annotations

import os
import sqlite3
import stat
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
import typer.main

from ratscrew import cli
from ratscrew.cli.storage import data_lock
from ratscrew.cli.storage.data_lock import lock_data, open_locked
from ratscrew.errors import RatscrewError
from ratscrew.table.record.entries import Entry, Listed
from tests.cli.sample_room import Run
from tests.log.test_storage_faults import small_disks
from tests.table.test_import_export import SHORT

WRITERS = {"serve", "play", "import", "forget", "rotate-keys", "copy"}
"""Commands that write the data file, or whose result would miss what a server writes, and so need its lock."""

READERS = {"replay", "verify", "suspicion", "export", "backup"}
"""Commands that only read it."""

BESIDE = {"reports"}
"""Commands that write only values, which no server takes for its own."""


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data file in a folder of its own."""
    with open_locked(tmp_path / "games" / "one.sqlite3") as log:
        log.append("QUIZ-1f-1", 0, [Entry(1, Listed(True))])
    return tmp_path / "games" / "one.sqlite3"


def refused(path: Path) -> str:
    """Why a file cannot be had."""
    with pytest.raises(RatscrewError) as caught, lock_data(path):
        pass
    return str(caught.value)


# One owner


def test_a_file_is_had_again_after_it_was_let_go(data: Path) -> None:
    for _ in range(2):
        with lock_data(data):
            assert refused(data).startswith(f"another Ratscrew is using {data}: stop it")


@pytest.mark.parametrize("far", ["file", "folder", "both"])
def test_a_symbolic_link_leads_to_the_same_lock(data: Path, tmp_path: Path, far: str) -> None:
    link, folder = tmp_path / "link.sqlite3", tmp_path / "linked"
    link.symlink_to(data)
    folder.symlink_to(data.parent)
    other = {"file": link, "folder": folder / data.name, "both": tmp_path / "linked" / ".." / "linked" / data.name}[far]
    with lock_data(data):
        assert refused(other).startswith(f"another Ratscrew is using {other}")
    with lock_data(other):
        assert refused(data).startswith(f"another Ratscrew is using {data}")


def test_where_a_file_itself_cannot_be_locked_a_link_leads_to_the_same_lock_beside_it(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(data_lock, "_lock", lambda handle, until_s: None)
    (link := tmp_path / "link.sqlite3").symlink_to(data)
    with lock_data(data):
        assert refused(link).startswith(f"another Ratscrew is using {link}")


def test_a_relative_path_leads_to_the_same_lock(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(data.parent)
    with lock_data(data):
        assert refused(Path(data.name)).startswith("another Ratscrew is using one.sqlite3")


def test_a_file_with_two_hard_links_is_refused_by_both_names(data: Path) -> None:
    other = data.with_name("two.sqlite3")
    os.link(data, other)
    for path in (data, other):
        assert refused(path) == (
            f"{path} has 2 names (hard links), and games that are stored under one of them can be missing under "
            "another: "
            "keep one name and delete the others"
        )
    other.unlink()
    with lock_data(data):
        pass


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the lock is beside the file only")
def test_the_lock_is_on_the_file_itself_wherever_it_is_mounted(data: Path) -> None:
    """As by a mount of the file alone: the file for the lock beside it is another one."""
    with lock_data(data):
        data.with_name("one.sqlite3.lock").unlink()
        assert refused(data).startswith("another Ratscrew is using")


MOUNTED = """
import sys
from pathlib import Path
from ratscrew.cli.storage.data_lock import lock_data
from ratscrew.errors import RatscrewError
with lock_data(Path(sys.argv[1])):
    try:
        with lock_data(Path(sys.argv[2])):
            print("both have it")
    except RatscrewError as error:
        print(error)
"""


@pytest.mark.skipif(not small_disks(), reason="this machine lends nobody a mount")
@pytest.mark.parametrize("folder", [True, False])
def test_a_bind_mount_leads_to_the_same_lock(data: Path, tmp_path: Path, folder: bool) -> None:
    """Of the folder, or of the file alone, as containers are given volumes."""
    (there := tmp_path / "there").mkdir()
    (there / data.name).touch()
    what, where = (data.parent, there) if folder else (data, there / data.name)
    mount = ["unshare", "--map-root-user", "--mount", "sh", "-c", 'mount --bind "$1" "$2" && shift 2 && "$@"', "sh"]
    words = [*mount, what, where, sys.executable, "-c", MOUNTED, data, there / data.name]
    done = subprocess.run(list(map(str, words)), capture_output=True, text=True, timeout=60)
    assert done.stdout.startswith(f"another Ratscrew is using {there / data.name}"), done


def test_the_lock_is_no_lock_of_sqlites(data: Path) -> None:
    """While it is held the file is read and written as ever, also by another program."""
    with open_locked(data) as log, closing(sqlite3.connect(data)) as other:
        assert log.append("QUIZ-1f-1", 1, [Entry(2, Listed(False))]) == 2
        assert other.execute("SELECT count(*) FROM entry").fetchone() == (2,)


# Commands


def test_every_command_with_a_data_file_is_listed_as_reading_or_writing_it() -> None:
    commands = typer.main.get_command(cli.app).commands  # type: ignore[attr-defined]
    told = {name for name, command in commands.items() if any("--data" in each.opts for each in command.params)}
    assert told == WRITERS | READERS | BESIDE


@pytest.mark.parametrize("words", [("import", "game.txt"), ("forget", "WOLF", "Ana"), ("rotate-keys",)])
def test_what_writes_is_refused_while_a_server_has_the_file(file: Path, run: Run, words: tuple[str, ...]) -> None:
    (file.parent / "game.txt").write_text(SHORT)
    before = file.read_bytes()
    told = f"ratscrew: another Ratscrew is using {file}: stop it, or name another file with --data\n"
    words = tuple(str(file.parent / word) if word.endswith(".txt") else word for word in words)
    with lock_data(file):
        assert run(*words, "--data", file) == (1, "", told)
    assert file.read_bytes() == before


def test_nothing_is_rescued_into_the_place_of_a_file_that_a_server_has(file: Path, run: Run) -> None:
    """The server's own file was deleted meanwhile."""
    other = file.with_name("other.sqlite3")
    with lock_data(other):
        other.unlink()
        code, out, err = run("rescue", file, other)
    assert (code, out) == (1, "")
    assert err.startswith(f"ratscrew: another Ratscrew is using {other}: stop it")


# A user who can read the file can take every seat


def mode(path: Path) -> str:
    """The permissions of a file."""
    return stat.filemode(path.stat().st_mode)


@pytest.mark.skipif(sys.platform == "win32", reason="files have other rights there")
def test_only_the_owner_may_read_a_data_file_and_every_copy(
    file: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also while it is being made: nothing is ever opened by a name that others may read."""
    before, seen = os.umask(0), set[str]()
    copied = Path.resolve

    def and_looked_at(self: Path, strict: bool = False) -> Path:
        seen.update(mode(each) for each in file.parent.glob("*.unfinished*"))
        return copied(self, strict)

    monkeypatch.setattr(Path, "resolve", and_looked_at)
    sqlite_connect = sqlite3.connect

    def connect(path: Path, *args: object, **more: object) -> sqlite3.Connection:
        seen.update(mode(each) for each in file.parent.glob("*.unfinished*"))
        return sqlite_connect(path, *args, **more)  # type: ignore[call-overload, no-any-return]

    monkeypatch.setattr(sqlite3, "connect", connect)
    try:
        copy, rescued, new = (file.with_name(f"{name}.sqlite3") for name in ("copy", "rescued", "new"))
        file.chmod(0o644)
        run("backup", copy, "--data", file)
        run("rescue", file, rescued)
        with open_locked(new) as log:
            log.append("QUIZ-1f-1", 0, [Entry(1, Listed(True))])
            modes = {path.name: mode(path) for path in [copy, rescued, *file.parent.glob("new.sqlite3*")]}
    finally:
        os.umask(before)
    modes.pop("new.sqlite3.lock")
    assert set(modes) == {"copy.sqlite3", "rescued.sqlite3", "new.sqlite3", "new.sqlite3-wal", "new.sqlite3-shm"}
    assert set(modes.values()) | seen == {"-rw-------"}
