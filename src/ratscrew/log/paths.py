"""The path of the data file: a given file, a file in a given folder, or the default."""

from __future__ import annotations

from pathlib import Path

from platformdirs import user_data_path

_NAME = "ratscrew.sqlite3"


def default_file() -> Path:
    """The default data file, in the user's data folder."""
    return user_data_path("ratscrew") / _NAME


def data_file(data: Path) -> Path:
    """The path itself, or the data file in it if it is a folder."""
    return data / _NAME if data.is_dir() else data
