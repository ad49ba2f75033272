"""Error messages for problems with the file of a log, each with a hint what to do. No I/O here."""

from __future__ import annotations

import errno

_ADVICE = {
    "SQLITE_FULL": "free some disk space",
    "SQLITE_READONLY": "give Ratscrew permission to write to it and its folder, or name another file with --data",
    "SQLITE_CANTOPEN": "check that its folder exists and is writable, or name another file with --data",
    "SQLITE_PERM": "give Ratscrew permission to write to it, or name another file with --data",
    "SQLITE_BUSY": "another program is using it: stop that program, or name another file with --data",
    "SQLITE_LOCKED": "another program is using it: stop that program, or name another file with --data",
    "SQLITE_IOERR_SHM": "this file system (of a network, or a folder that a container shares with its host) has no "
    "shared memory: name a file on a local disk with --data, or in a volume of the container",
    "SQLITE_IOERR": "the disk is full or failing: check it",
    "SQLITE_CORRUPT": "it is damaged: `ratscrew rescue` copies the readable part into a new file",
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
"""The SQLite error that gives the hint for an error of the operating system."""


def with_hint(error: Exception) -> str:
    """The message of an error of SQLite or of the system, with a hint what to do if there is one."""
    name = getattr(error, "sqlite_errorname", "")
    if isinstance(error, OSError):
        name = _LIKE.get(error.errno or 0, "")
    advice = next((words for code, words in _ADVICE.items() if name.startswith(code)), None)
    return f"{error}; {advice}" if advice else str(error)
