"""Locks a data file, so that one process at a time writes it. The next one waits, or fails after a timeout.

So the next server can start and prepare before the running one is stopped.

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
from ratscrew.table.record.entries import Entry

POLL_INTERVAL_S = 0.02

ADVICE = "or name another file with --data"

LOCKED_BYTE = 2**62
"""The byte of the data file that is locked: far beyond its end, and far from the bytes that SQLite locks."""


@contextmanager
def open_locked(
    file: Path, wait_s: float = 0, advice: str = ADVICE, durability: Durability = "full"
) -> Iterator[SqliteLog[Entry]]:
    """Open a data file for writing, under its lock; nothing else writes one.

    Raises: as `lock_data`; LogError if it is not a log.
    """
    with lock_data(file, wait_s, advice), closing(SqliteLog(file, Codec[Entry](Entry), durability)) as log:
        yield log


@contextmanager
def lock_data(file: Path, wait_s: float = 0, advice: str = ADVICE) -> Iterator[None]:
    """Lock a data file for this process, waiting at most `wait_s` seconds; it is created if there is none.

    `advice` completes the error's "stop it, ...".

    Raises: RatscrewError if another process holds the lock, if the file has several names, or cannot be created.
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
                        f"{file} has {names} names (hard links), and games that are stored under one of them can be "
                        "missing under another: keep one name and delete the others"
                    )
                _lock(handle, until_s)
                yield
            finally:
                os.close(handle)
    except Timeout as error:
        raise RatscrewError(f"another Ratscrew is using {file}: stop it, {advice}") from error
    except OSError as error:
        raise RatscrewError(f"{file} cannot be used as the log: {with_hint(error)}") from error


if sys.platform == "linux":
    from fcntl import F_OFD_SETLK, F_WRLCK, fcntl

    def _lock(handle: int, until_s: float) -> None:
        """Lock an open file by its inode, until it is closed (an open file description lock, `man 2 fcntl`).

        Raises: Timeout if another process still holds the lock then.
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
        """Other systems have only the lock file beside the data file."""
