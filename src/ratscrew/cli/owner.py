"""One server at a time has a file: whoever comes second waits until the first has let go, or is told that it has not.

So the next server may be started, and get everything ready, before the one that runs is stopped.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from ratscrew.errors import RatscrewError

LOOK_EVERY_S = 0.02


@contextmanager
def owning(file: Path, wait_s: float = 0, otherwise: str = "or name another file with --data") -> Iterator[None]:
    """Have a file for oneself, after `wait_s` seconds of waiting at most; `otherwise` is what else would help.

    Raises: RatscrewError if somebody else has it, or there is no place for it.
    """
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        lock = FileLock(f"{file}.lock", timeout=wait_s, poll_interval=LOOK_EVERY_S)
        lock.acquire()
    except Timeout as error:
        raise RatscrewError(f"another Ratscrew keeps its games in {file}: stop it, {otherwise}") from error
    except OSError as error:
        raise RatscrewError(f"{file} cannot be used as the log: {error}") from error
    try:
        yield
    finally:
        lock.release()
