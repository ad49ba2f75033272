"""`ratscrew copy`: copies all games of a data file into an empty PostgreSQL database, to go on there."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from ratscrew.cli.storage import postgres
from ratscrew.cli.storage.data_lock import lock_data
from ratscrew.cli.storage.log_lookup import find_file
from ratscrew.cli.terminal import echo
from ratscrew.errors import RatscrewError
from ratscrew.game.codec import Codec
from ratscrew.log.postgres.address import PostgresAddress
from ratscrew.log.reader import SqliteReader
from ratscrew.table.record.entries import Entry


def copy(data: Path, address: PostgresAddress) -> None:
    """Copy games, seat keys and other stored values, and print how many. The file stays as it is.

    Raises: RatscrewError if there is no such file, a server uses it or the database, or the database has games;
    LogError if one of them fails, and Corrupt for an entry that cannot be read: then the copy is incomplete.
    """
    file, entries = find_file(data), 0
    with (
        lock_data(file),
        closing(SqliteReader(file, Codec[Entry](Entry))) as source,
        postgres.open_locked(address) as target,
    ):
        if target.games() or target.get():
            raise RatscrewError(f"{address} is not empty: copy into a new database")
        for name, value in source.get().items():
            target.put(name, value)
        games = source.games()
        for game in games:
            entries += target.append(game, 0, source.read(game))
    echo(f"{address} holds {len(games)} games with {entries} entries, as {file} does")
