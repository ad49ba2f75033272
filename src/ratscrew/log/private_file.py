"""Files that only their owner may read, because the file of a log holds the signing keys of all seats."""

from __future__ import annotations

import os
from pathlib import Path

MODE = 0o600


def open_private(path: Path, new: bool = False) -> int:
    """Open a file to read and write; if there is none it is made, for its owner alone. A file that is there stays so.

    Raises: FileExistsError if it has to be `new` and is not; OSError if it cannot be opened.
    """
    binary: int = getattr(os, "O_BINARY", 0)
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | binary | (os.O_EXCL if new else 0), MODE)
