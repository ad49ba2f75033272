"""The path of the data file: a given file, a file in a given folder, or the default."""

from __future__ import annotations

from pathlib import Path

from platformdirs import user_data_path

from ratscrew.errors import LogError

_NAME = "ratscrew.sqlite3"
_NO_FILES = (":memory:", "file:")
"""How names begin that SQLite does not take for files."""


def default_file() -> Path:
    """The default data file, in the user's data folder.

    Raises: LogError if the user has no home folder, as in some containers.
    """
    try:
        return user_data_path("ratscrew") / _NAME
    except RuntimeError:
        raise LogError("this user has no home folder to keep games in: name a file with --data") from None


def data_file(data: Path) -> Path:
    """The path itself, or the data file in it if it is a folder.

    Raises: LogError if it names no file; OSError if the folder around it may not be entered.
    """
    if str(data).startswith(_NO_FILES):
        raise LogError(f"{data}: games are kept in a file; name one with --data")
    return data / _NAME if data.is_dir() else data
