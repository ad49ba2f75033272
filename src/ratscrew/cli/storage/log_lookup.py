"""Finds stored games by name, read-only; if there is no such game, the error lists those that exist."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from ratscrew.cli.storage import postgres
from ratscrew.cli.storage.location import Location
from ratscrew.errors import RatscrewError
from ratscrew.game.codec import Codec
from ratscrew.log.paths import data_file
from ratscrew.log.postgres.address import PostgresAddress
from ratscrew.log.protocol import LogReader
from ratscrew.log.reader import SqliteReader
from ratscrew.table.history.game_names import GameNames
from ratscrew.table.record.entries import Entry
from ratscrew.table.registry.codes import read_code

MAX_LISTED = 12
"""How many existing games an error lists."""


def find_file(data: Path) -> Path:
    """The existing data file: the path itself, or the file in it if it is a folder.

    Raises: RatscrewError if there is no such file.
    """
    file = data_file(data)
    if not file.is_file():
        raise RatscrewError(f"{file}: there is no such file; name the one with the games with --data")
    return file


@contextmanager
def open_log(where: Location) -> Iterator[LogReader[Entry]]:
    """Open the log in a file, a folder or a database read-only: it is neither created nor migrated.

    Raises: RatscrewError if there is no such file; LogError if it is not a log.
    """
    if isinstance(where, PostgresAddress):
        with postgres.open_reader(where) as reader:
            yield reader
    else:
        with closing(SqliteReader(find_file(where), Codec[Entry](Entry))) as log:
            yield log


def find_game(log: LogReader[Entry], what: str) -> str:
    """The game with this name, as the log or a link has it, or the latest game of the room with this name or code.

    Raises: RatscrewError that lists existing games, if there is none.
    """
    code, dash, rest = what.partition("-")
    name = code.upper() + dash + rest.lower()
    games = log.games()
    if (linked := GameNames.read(log).in_log(what)) in games:
        return linked
    for prefix in (f"{name}-", f"{read_code(what)}-"):
        if found := [game for game in games if game == name] or [game for game in games if game.startswith(prefix)]:
            return found[-1]
    if not games:
        raise RatscrewError(f"there is no game {what!r}: none has been stored yet")
    room = "-".join(name.split("-")[:2])
    near = [game for game in games if dash and game.startswith(f"{room}-")] or games
    more = "" if len(near) <= MAX_LISTED else f", and {len(near) - MAX_LISTED} older ones"
    raise RatscrewError(f"there is no game {what!r}; there are {', '.join(near[-MAX_LISTED:])}{more}")


def room_games(log: LogReader[Entry], game: str) -> list[str]:
    """All games of a game's room, oldest first."""
    return log.games(f"{game.rpartition('-')[0]}-")
