"""Where a log is: in a file that `--data` names, or in a PostgreSQL database that `--log` names."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeAlias

import typer

from ratscrew.cli.storage import postgres
from ratscrew.cli.storage.data_lock import ADVICE, open_locked
from ratscrew.errors import LogError
from ratscrew.log.database import Durability
from ratscrew.log.paths import data_file
from ratscrew.log.postgres.address import PostgresAddress
from ratscrew.log.protocol import EventLog
from ratscrew.table.record.entries import Entry

Location: TypeAlias = Path | PostgresAddress


def parse_address(url: str) -> PostgresAddress:
    """The value of `--log`.

    Raises: typer.BadParameter without the URL, which may have a password in it.
    """
    try:
        return PostgresAddress(url)
    except LogError as error:
        raise typer.BadParameter(str(error)) from None


def resolve(where: Location) -> Location:
    """The place itself, or the data file in it if it is a folder."""
    return data_file(where) if isinstance(where, Path) else where


@contextmanager
def open_for_writing(
    where: Location, wait_s: float = 0, advice: str = ADVICE, durability: Durability = "full"
) -> Iterator[EventLog[Entry]]:
    """Open a log that no other server uses, waiting for that at most `wait_s` seconds. `where` is resolved.

    `advice` and `durability` are those of `open_locked`, for files.

    Raises: RatscrewError if another process uses it; LogError if it cannot be used.
    """
    opening = (
        open_locked(where, wait_s, advice, durability)
        if isinstance(where, Path)
        else postgres.open_locked(where, wait_s)
    )
    with opening as log:
        yield log
