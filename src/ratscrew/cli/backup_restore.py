"""`ratscrew backup` and `ratscrew rescue`: a second file of the games, of a sound one or of what is left of another."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from ratscrew.cli.data_lock import lock_data
from ratscrew.cli.log_lookup import find_file
from ratscrew.cli.terminal import echo
from ratscrew.errors import RatscrewError
from ratscrew.game.codec import Codec
from ratscrew.log.copy import copy
from ratscrew.log.database import open_read_only
from ratscrew.log.rescue import rescue as save
from ratscrew.table.records.entries import Entry

SOUND, DAMAGED = 0, 1


def backup(to: Path, data: Path, force: bool) -> None:
    """Copy the games that are kept, and say how many.

    Raises: RatscrewError if there is nothing to copy, or something in its way; LogError if it cannot be copied.
    """
    file = find_file(data)
    if to.is_dir() or (to.exists() and (not force or to.samefile(file))):
        raise RatscrewError(f"{to} is there already: name another file{'' if force else ', or add --force'}")
    with closing(open_read_only(file)) as database:
        games, entries = copy(database, to)
    echo(f"{to} holds {games} games with {entries} entries, as {file} did just now; all of it can be read")


def rescue(file: Path, new: Path) -> int:
    """Copy what can be read of a damaged file, and say what cannot; give the exit code, 1 if anything is missing.

    Raises: RatscrewError if there is nothing to read, or something in the way; LogError if nothing can be read.
    """
    if new.exists():
        raise RatscrewError(f"{new} is there already: name another file")
    damaged, games, missing = find_file(file), 0, 0
    open_read_only(damaged).close()  # what is no log at all is refused before anything is made
    with lock_data(new):
        saved = save(damaged, new, Codec[Entry](Entry))
    for game, entries, wrong in saved:
        games += bool(entries)
        if wrong:
            missing += 1
            echo(f"{game}: {entries} entries are saved; {wrong}")
    echo(f"{new} holds {games} games, of which {missing} are not whole")
    return DAMAGED if missing else SOUND
