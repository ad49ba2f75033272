"""Where the log lies: in the file that somebody named, in the folder that he named, or where it lies by itself."""

from __future__ import annotations

from pathlib import Path

from platformdirs import user_data_path

_NAME = "ratscrew.sqlite3"


def default_file() -> Path:
    """The log's file in the user's data folder."""
    return user_data_path("ratscrew") / _NAME


def data_file(data: Path) -> Path:
    """This file, or that in this folder."""
    return data / _NAME if data.is_dir() else data
