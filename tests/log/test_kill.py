"""A writer that is killed in the middle of its work: nothing that it has acknowledged is lost."""

from __future__ import annotations

import subprocess
import sys
from contextlib import closing
from pathlib import Path

from ratscrew.game.codec import Codec
from ratscrew.log.sqlite import SqliteLog

WRITER = """
import sys
from pathlib import Path
from ratscrew.game.codec import Codec
from ratscrew.log.sqlite import SqliteLog
log = SqliteLog(Path(sys.argv[1]), Codec[str](str))
number = len(log.read("g"))
while True:
    soon = [log.append_soon("g", number + ahead, [str(number + ahead + 1)]) for ahead in range(7)]
    for future in soon:
        number = future.result()
        print(number, flush=True)
"""


def test_kill_9_loses_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    """Five times a writer is killed in the middle of its work; each time the next one goes on where it was."""
    file, told = tmp_path / "log.sqlite3", 0
    for enough in (1, 40, 250, 33, 101):
        command = [sys.executable, "-c", WRITER, str(file)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as writer:
            assert writer.stdout
            numbers = [int(next(writer.stdout)) for _ in range(enough)]
            writer.kill()
            numbers += [int(line) for line in writer.stdout if line.endswith("\n")]
        with closing(SqliteLog(file, Codec[str](str))) as log:
            kept = log.read("g")
        assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))
        assert told < numbers[0]
        told = numbers[-1]
        assert kept == [str(number) for number in range(1, len(kept) + 1)]
        assert len(kept) >= told
