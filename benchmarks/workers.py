"""What a room costs one process, with SQLite and with PostgreSQL, and each of two workers behind one port: CPU alone.

    python -m benchmarks.workers [--rooms 60] [--seconds 8] [--workers 2]

The servers are the real ones (`ratscrew serve --workers`), with rate limits lifted, since all players share an address.
They run one after the other, with as many rooms for each process: one with fewer rooms has less to do whenever it
wakes up, so each of its rooms costs more. `ratio` is how many times as many rooms the workers would serve by CPU, if
each had a core: rooms for each percent of the busiest worker's CPU, divided by those of one process with PostgreSQL.
PostgreSQL's own CPU is counted by itself, with the entries that it stored and in how many batches: a batch is one
commit. It waits for the disk as usual. The players are not counted.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import subprocess
import sys
import time
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from psycopg.conninfo import conninfo_to_dict

from benchmarks.checkout_server import ROOT
from benchmarks.dialects import dialect_of
from benchmarks.load_generator import LoadGenerator
from ratscrew.testing.ports import free_port
from ratscrew.testing.postgres_server import PostgresServer

SERVER = """
from functools import partial
from ratscrew import cli
from ratscrew.cli.server import serving
from ratscrew.table.record.clock import SystemClock
from ratscrew.limits.limits import Limits
serving.make_app = partial(serving.make_app, limits=Limits(SystemClock(), times=1000))
cli.main()
"""

SETTLE_S, OPEN_PER_S, OPEN_GRACE_S = 6.0, 20.0, 30.0
"""From the beginning of the games to the measurement; how fast rooms open, and how much longer that may take."""

_STORED = "SELECT count(*), count(DISTINCT batch) FROM ratscrew.entry"


def children(process: int) -> list[int]:
    """The processes that a process has started."""
    return [int(found) for found in Path(f"/proc/{process}/task/{process}/children").read_text().split()]


def cpu_s(process: int) -> float:
    """The CPU time of a process, by Linux's clock of it."""
    return time.clock_gettime((~process << 3) | 2)


class Database:
    """A log in PostgreSQL, and what it costs; nothing without one."""

    def __init__(self, postgres: PostgresServer | None) -> None:
        self.address = postgres.create_log() if postgres else None
        self._server = postgres

    def used(self) -> tuple[float, int, int]:
        """The CPU time of all processes of PostgreSQL, the entries and the batches, so far. Unit: seconds."""
        if not self._server or not self.address:
            return 0.0, 0, 0
        name = conninfo_to_dict(self.address.url)["dbname"]
        ((entries, batches),) = self._server.execute(_STORED, database=str(name))
        postmaster = self._server.process_id
        cpu = sum(cpu_s(process) for process in (postmaster, *children(postmaster)))
        return cpu, int(str(entries)), int(str(batches))


async def measure(workers: int, postgres: PostgresServer | None, rooms: int, seconds: float) -> dict[str, Any]:
    """Run a server with so many workers, and let the players of these rooms play; without `postgres` with SQLite."""
    port, database = free_port(), Database(postgres)
    words = ["serve", "--port", str(port)]
    with ExitStack() as stack:
        if database.address:
            node = ["--node", "n", "--public-url", f"http://127.0.0.1:{port}", "--workers", str(workers)]
            words += ["--log", database.address.url, *node]
        else:
            words += ["--data", stack.enter_context(TemporaryDirectory(prefix="ratscrew-benchmark-"))]
        command = [sys.executable, "-c", SERVER, *words]
        server = stack.enter_context(subprocess.Popen(command, stdout=subprocess.PIPE, text=True))
        assert server.stdout
        server.stdout.readline()
        processes = children(server.pid) if workers > 1 else [server.pid]
        players = await LoadGenerator.start(1, [])
        try:
            opened = await players.open(
                port, dialect_of(ROOT).name, rooms, OPEN_PER_S, rooms / OPEN_PER_S + OPEN_GRACE_S
            )
            await players.begin(2.0)
            await asyncio.sleep(2.0 + min(SETTLE_S, 2 * seconds))
            before, stored_before = [cpu_s(process) for process in processes], database.used()
            generated = await players.measure(seconds)
            used = [cpu_s(process) - then for process, then in zip(processes, before, strict=True)]
            stored = [now - then for now, then in zip(database.used(), stored_before, strict=True)]
        finally:
            await players.end()
            server.terminate()
        server.wait()
    percent = [round(each / generated.elapsed_s * 100, 1) for each in used]
    room_seconds = max(1, opened.rooms) * generated.elapsed_s
    found: dict[str, Any] = {"log": "postgresql" if postgres else "sqlite", "workers": workers, "rooms": opened.rooms}
    found |= {"cpu_percent": percent, "cpu_ms_per_room_second": sum(used) / room_seconds * 1000}
    if postgres:
        names = ("postgresql_cpu_ms_per_room_second", "entries_per_room_second", "batches_per_second")
        values = (stored[0] / room_seconds * 1000, stored[1] / room_seconds, stored[2] / generated.elapsed_s)
        found |= dict(zip(names, values, strict=True))
    return found


async def run(arguments: argparse.Namespace) -> dict[str, Any]:
    """Measure one process, and the workers."""
    import postgres as programs

    with PostgresServer(Path(programs.find_or_install()), durable=True) as postgres:
        servers = ((1, None), (1, postgres), (arguments.workers, postgres))
        measured = [await measure(count, log, count * arguments.rooms, arguments.seconds) for count, log in servers]
    _, one, many = measured
    per_room = [max(each["cpu_percent"]) / max(1, each["rooms"]) for each in (one, many)]
    cost = one["cpu_ms_per_room_second"] * arguments.workers / many["cpu_ms_per_room_second"]
    return {"measured": measured, "ratio": per_room[0] / per_room[1], "ratio_if_rooms_were_spread_evenly": cost}


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--rooms", type=int, default=60, help="for each process")
    parser.add_argument("--seconds", type=float, default=8.0)
    parser.add_argument("--workers", type=int, default=2)
    sys.path.insert(0, str(ROOT / "scripts"))
    print(json.dumps(asyncio.run(run(parser.parse_args())), indent=2))
