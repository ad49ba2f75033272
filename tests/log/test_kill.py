"""A writer that is killed in the middle of its work: nothing that it has acknowledged is lost."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from ratscrew.game.codec import Codec
from ratscrew.log.postgres.address import PostgresAddress
from ratscrew.log.protocol import EventLog
from ratscrew.log.sqlite import SqliteLog

WRITER = """
import sys
from pathlib import Path
from ratscrew.game.codec import Codec
if sys.argv[1].startswith("postgresql:"):
    from ratscrew.log.postgres.address import PostgresAddress as Place
    from ratscrew.log.postgres.event_log import PostgresLog as Log
else:
    from pathlib import Path as Place
    from ratscrew.log.sqlite import SqliteLog as Log
log = Log(Place(sys.argv[1]), Codec[str](str))
number = len(log.read("g"))
while True:
    soon = [log.append_soon("g", number + ahead, [str(number + ahead + 1)]) for ahead in range(7)]
    for future in soon:
        number = future.result()
        print(number, flush=True)
"""


def kill_and_check(place: str, open_log: Callable[[], EventLog[str]]) -> None:
    """Five times a writer is killed in the middle of its work; each time the next one goes on where it was."""
    told = 0
    for enough in (1, 40, 250, 33, 101):
        command = [sys.executable, "-c", WRITER, place]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as writer:
            assert writer.stdout
            numbers = [int(next(writer.stdout)) for _ in range(enough)]
            writer.kill()
            numbers += [int(line) for line in writer.stdout if line.endswith("\n")]
        with closing(open_log()) as log:
            kept = log.read("g")
        assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))
        assert told < numbers[0]
        told = numbers[-1]
        assert kept == [str(number) for number in range(1, len(kept) + 1)]
        assert len(kept) >= told


def test_kill_9_loses_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    file = tmp_path / "log.sqlite3"
    kill_and_check(str(file), lambda: SqliteLog(file, Codec[str](str)))


def test_kill_9_loses_nothing_that_postgresql_has_acknowledged(address: PostgresAddress) -> None:
    from ratscrew.log.postgres.event_log import PostgresLog

    kill_and_check(address.url, lambda: PostgresLog(address, Codec[str](str)))
