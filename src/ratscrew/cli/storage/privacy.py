"""`ratscrew forget` and `ratscrew rotate-keys`: delete personal data. No server may use the log meanwhile."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager

from ratscrew.cli.storage import postgres
from ratscrew.cli.storage.data_lock import lock_data
from ratscrew.cli.storage.location import Location
from ratscrew.cli.storage.log_lookup import find_file, find_game, room_games
from ratscrew.cli.terminal import echo, one_line
from ratscrew.errors import RatscrewError
from ratscrew.game.codec import Codec
from ratscrew.log.database import vacuum
from ratscrew.log.postgres.address import PostgresAddress
from ratscrew.log.protocol import EventLog
from ratscrew.log.sqlite import SqliteLog
from ratscrew.table.core.erasure import delete_names_in_log
from ratscrew.table.names.names import NO_NAME, tidy
from ratscrew.table.record.entries import Entry, Sat
from ratscrew.table.registry.tokens import KEYS


def forget_name(room: str, name: str, where: Location) -> None:
    """Delete a player's name from all games of a room, and print from how many.

    Raises: RatscrewError if there is no such room or player, or if another program uses the file.
    """
    wanted = tidy(name)
    with _alone(where) as log:
        games = room_games(log, find_game(log, room))
        full = games[-1].rpartition("-")[0]
        events = (entry.event for game in games for entry in log.read(game))
        people = (sat for sat in events if isinstance(sat, Sat) and sat.bot is None and sat.name != NO_NAME)
        names = dict.fromkeys(sat.name for sat in people)
        if wanted not in names:
            others = ", ".join(map(one_line, names)) or "no player with a stored name"
            raise RatscrewError(f"no {wanted!r} has played in room {full}; the players were {others}")
        deleted = delete_names_in_log(log, full, lambda sat: sat.bot is None and sat.name == wanted)
    echo(f"the name is deleted from {deleted} games of room {full}")


def rotate_keys(where: Location) -> None:
    """Delete the signing keys of all seats, and print the consequence.

    Raises: RatscrewError if there is no such file, or another program uses it.
    """
    with _alone(where) as log:
        log.delete_prefix(KEYS)
    echo("the keys are deleted: no player can return to their seat, and all have to join again")


@contextmanager
def _alone(where: Location) -> Iterator[EventLog[Entry]]:
    """Open the log under its lock; afterwards rewrite its file or tables, so that no deleted data remains in gaps."""
    if isinstance(where, PostgresAddress):
        with postgres.open_locked(where) as log:
            yield log
            _purge(log, where)
            postgres.rewrite(where)
        return
    file = find_file(where)
    with lock_data(file):
        with closing(SqliteLog(file, Codec[Entry](Entry))) as log:
            yield log
            _purge(log, file)
        vacuum(file)


def _purge(log: EventLog[Entry], where: Location) -> None:
    if not log.purge():
        raise RatscrewError(f"{where} still contains the deleted data: stop the program that reads it and retry")
