"""Creates files that only their owner may read: the file of a log holds the signing keys of all seats."""

from __future__ import annotations

import os
from pathlib import Path

MODE = 0o600


def open_private(path: Path, new: bool = False) -> int:
    """Open a file for reading and writing; a file that does not exist is created with mode 0600.

    The mode of an existing file stays.

    Raises: FileExistsError if the file exists and has to be `new`; OSError if it cannot be opened.
    """
    binary: int = getattr(os, "O_BINARY", 0)
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | binary | (os.O_EXCL if new else 0), MODE)
