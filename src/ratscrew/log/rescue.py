"""Copies the readable part of a damaged log into a new one. The damaged file is only read."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from concurrent.futures import Future
from contextlib import closing, suppress
from functools import partial
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from ratscrew.game.codec import Codec
from ratscrew.log.database import open_read_only
from ratscrew.log.rows import decode_rows
from ratscrew.log.sqlite import SqliteLog

E = TypeVar("E")


class RescuedGame(NamedTuple):
    """A game, how many of its entries were saved, and what is wrong with the next entry; '' if all were saved."""

    game: str
    entries: int
    wrong: str


def rescue(file: Path, new: Path, codec: Codec[E]) -> list[RescuedGame]:
    """Copy every game up to its first unreadable entry, and the stored values.

    Anything that was only in damaged pages, down to a game's name, is missing from the result too.

    Raises: LogError if nothing of the file can be read, or the new one cannot be written.
    """
    with closing(open_read_only(file)) as damaged, closing(SqliteLog(new, codec)) as log:
        found, kept = list[RescuedGame](), list[Future[int]]()
        query = "SELECT number, CAST(body AS BLOB), sum FROM entry WHERE game = ? ORDER BY number"
        for name, value in _read_in_orders(damaged, "SELECT name, value FROM kept", ("name", "name DESC")):
            log.get_or_create(name, partial(bytes, value))
        games = _read_in_orders(damaged, "SELECT name, id FROM game", ("id", "id DESC", "name", "name DESC"))
        for game, place in sorted(dict(games).items(), key=itemgetter(1)):
            saved, wrong = list[E](), ""
            try:
                for entry in decode_rows(damaged.execute(query, (place,)), codec):
                    saved.append(entry)
            except (sqlite3.Error, ValueError) as error:
                wrong = str(error)
            found.append(RescuedGame(game, len(saved), wrong))
            kept.append(log.append_soon(game, 0, saved))
        for soon in kept:
            soon.result()
    return found


def _read_in_orders(damaged: sqlite3.Connection, query: str, orders: Sequence[str]) -> set[tuple[str, Any]]:
    """The rows with a name that a query finds in any of the orders: another index may lead past a damaged page."""
    found = set[tuple[str, Any]]()
    for order in orders:
        with suppress(sqlite3.Error):
            found.update(row for row in damaged.execute(f"{query} ORDER BY {order}") if isinstance(row[0], str))
    return found
