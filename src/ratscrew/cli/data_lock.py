"""One process at a time writes a data file: the next one waits until the first lets go, or says that it has not.

So the next server may be started, and get everything ready, before the one that runs is stopped.

There are two locks. One is on a file beside the data file; the other, on Linux, on the data file itself, so that a
second path to it (a symbolic link, a bind mount, a container's volume) leads to the same lock. A data file with several
hard links is refused: SQLite names its journal after the path, so an entry that is only in the journal of one path is
missing under the other.
"""

from __future__ import annotations

import os
import struct
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from ratscrew.errors import RatscrewError
from ratscrew.game.codec import Codec
from ratscrew.log.database import Durability
from ratscrew.log.error_hints import with_hint
from ratscrew.log.private_file import open_private
from ratscrew.log.sqlite import SqliteLog
from ratscrew.table.records.entries import Entry

POLL_INTERVAL_S = 0.02

ADVICE = "or name another file with --data"

LOCKED_BYTE = 2**62
"""Which byte of the data file is locked: far beyond its end, and from the bytes that SQLite locks."""


@contextmanager
def open_locked(
    file: Path, wait_s: float = 0, advice: str = ADVICE, durability: Durability = "full"
) -> Iterator[SqliteLog[Entry]]:
    """Open a data file for writing, under its lock; only this writes one or migrates it to a new format.

    Raises: as `lock_data`; LogError if it is no log.
    """
    with lock_data(file, wait_s, advice), closing(SqliteLog(file, Codec[Entry](Entry), durability)) as log:
        yield log


@contextmanager
def lock_data(file: Path, wait_s: float = 0, advice: str = ADVICE) -> Iterator[None]:
    """Have a file for this process alone, after `wait_s` seconds of waiting at most; it is made if there is none.

    `advice` is what else would help.

    Raises: RatscrewError if another process has it, if it has several names, or if there is no place for it.
    """
    until_s = time.monotonic() + wait_s
    try:
        real = file.resolve()
        real.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(f"{real}.lock", timeout=wait_s, poll_interval=POLL_INTERVAL_S):
            handle = open_private(real)
            try:
                if (names := os.fstat(handle).st_nlink) > 1:
                    raise RatscrewError(
                        f"{file} has {names} names (hard links), and games that are kept under one of them can be "
                        "missing under another: keep one name and delete the others"
                    )
                _lock(handle, until_s)
                yield
            finally:
                os.close(handle)
    except Timeout as error:
        raise RatscrewError(f"another Ratscrew keeps its games in {file}: stop it, {advice}") from error
    except OSError as error:
        raise RatscrewError(f"{file} cannot be used as the log: {with_hint(error)}") from error


if sys.platform == "linux":
    from fcntl import F_OFD_SETLK, F_WRLCK, fcntl

    def _lock(handle: int, until_s: float) -> None:
        """Lock an open file by its inode, until it is closed (an open file description lock, `man 2 fcntl`).

        Raises: Timeout if another process has the lock all the time.
        """
        flock = struct.pack("hhqqi4x", F_WRLCK, os.SEEK_SET, LOCKED_BYTE, 1, 0)
        while True:
            try:
                fcntl(handle, F_OFD_SETLK, flock)
                return
            except (BlockingIOError, PermissionError) as error:
                if time.monotonic() >= until_s:
                    raise Timeout("") from error
                time.sleep(POLL_INTERVAL_S)

else:

    def _lock(handle: int, until_s: float) -> None:
        """Elsewhere the lock beside the file has to do."""
