"""What can go wrong with the file of a log, each with what to do about it. Nothing in this file does it."""

from __future__ import annotations

import errno

_ADVICE = {
    "SQLITE_FULL": "make room on the disk",
    "SQLITE_READONLY": "give Ratscrew the right to write it and its folder, or name another file with --data",
    "SQLITE_CANTOPEN": "look whether its folder is there and may be written, or name another file with --data",
    "SQLITE_PERM": "give Ratscrew the right to write it, or name another file with --data",
    "SQLITE_BUSY": "another program holds it: end that one, or name another file with --data",
    "SQLITE_LOCKED": "another program holds it: end that one, or name another file with --data",
    "SQLITE_IOERR": "the disk fails or is full: look after it",
    "SQLITE_CORRUPT": "it is damaged: `ratscrew rescue` copies what can be read of it into a new file",
    "SQLITE_NOTADB": "name another file with --data",
}

_LIKE = {
    errno.EACCES: "SQLITE_CANTOPEN",
    errno.EPERM: "SQLITE_CANTOPEN",
    errno.EROFS: "SQLITE_CANTOPEN",
    errno.ENOENT: "SQLITE_CANTOPEN",
    errno.ENOSPC: "SQLITE_FULL",
    errno.EDQUOT: "SQLITE_FULL",
    errno.EIO: "SQLITE_IOERR",
}
"""What SQLite would say of an error of the system."""


def with_hint(error: Exception) -> str:
    """What SQLite or the system complains of, and what would help."""
    name = getattr(error, "sqlite_errorname", "")
    if isinstance(error, OSError):
        name = _LIKE.get(error.errno or 0, "")
    advice = next((words for code, words in _ADVICE.items() if name.startswith(code)), None)
    return f"{error}; {advice}" if advice else str(error)
