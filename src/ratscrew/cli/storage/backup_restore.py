"""`ratscrew backup` and `ratscrew rescue`: copy all games of a data file, or the readable part of a damaged one."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from ratscrew.cli.storage.data_lock import lock_data
from ratscrew.cli.storage.location import Location
from ratscrew.cli.storage.log_lookup import find_file
from ratscrew.cli.terminal import echo
from ratscrew.errors import RatscrewError
from ratscrew.game.codec import Codec
from ratscrew.log.copy import copy
from ratscrew.log.database import open_read_only
from ratscrew.log.postgres.address import PostgresAddress
from ratscrew.log.rescue import rescue as save
from ratscrew.table.record.entries import Entry

SOUND, DAMAGED = 0, 1


def backup(to: Path, where: Location, force: bool) -> None:
    """Copy the stored games, and print how many.

    Raises: RatscrewError if there is nothing to copy, the target exists, or the games are in PostgreSQL, which has its
    own tools for that; LogError if the copy fails.
    """
    if isinstance(where, PostgresAddress):
        raise RatscrewError(
            f"{where} is backed up by PostgreSQL's own tools: `pg_dump --format=custom --schema=ratscrew --file={to} "
            "URL` copies it as it is at one moment, and continuous archiving allows to recover any moment; see "
            "docs/operations.md"
        )
    file = find_file(where)
    if to.is_dir() or (to.exists() and (not force or to.samefile(file))):
        raise RatscrewError(f"{to} already exists: name another file{'' if force else ', or add --force'}")
    with closing(open_read_only(file)) as database:
        games, entries = copy(database, to)
    echo(f"{to} holds {games} games with {entries} entries, as {file} did just now; all of it can be read")


def rescue(file: Path, new: Path) -> int:
    """Copy the readable part of a damaged file, and print what is missing; returns the exit code, 1 if anything is.

    Raises: RatscrewError if there is no such file, or the new one exists; LogError if nothing can be read.
    """
    if new.exists():
        raise RatscrewError(f"{new} already exists: name another file")
    damaged, games, missing = find_file(file), 0, 0
    open_read_only(damaged).close()  # refuses a file that is not a log before the new file is created
    with lock_data(new):
        saved = save(damaged, new, Codec[Entry](Entry))
    for game, entries, wrong in saved:
        games += bool(entries)
        if wrong:
            missing += 1
            echo(f"{game}: {entries} entries are saved; {wrong}")
    echo(f"{new} holds {games} games, of which {missing} are incomplete")
    return DAMAGED if missing else SOUND
