"""Where the log lies unless somebody says otherwise."""

from __future__ import annotations

from pathlib import Path

from platformdirs import user_data_path


def default_file() -> Path:
    """The log's file in the user's data folder."""
    return user_data_path("ratscrew") / "ratscrew.sqlite3"
