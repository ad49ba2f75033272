"""What a room costs one process, and each of two workers behind one port: CPU alone, with a log in PostgreSQL.

    python -m benchmarks.workers [--rooms 60] [--seconds 8] [--workers 2]

The servers are the real ones (`ratscrew serve --workers`), with rate limits lifted, since all players share an address.
They run one after the other with the same rooms. `ratio` is how many times as many rooms the workers would serve by
CPU, if each had a core: the CPU of one process, divided by that of the busiest worker. Players and PostgreSQL are not
counted.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from benchmarks.checkout_server import ROOT
from benchmarks.dialects import dialect_of
from benchmarks.load_generator import LoadGenerator
from ratscrew.testing.postgres_server import PostgresServer
from tests.cluster.servers import free_port

SERVER = """
from functools import partial
from ratscrew import cli
from ratscrew.cli import serving
from ratscrew.table.clock import SystemClock
from ratscrew.web.limits import Limits
serving.make_app = partial(serving.make_app, limits=Limits(SystemClock(), times=1000))
cli.main()
"""

SETTLE_S, OPEN_PER_S, OPEN_GRACE_S = 6.0, 20.0, 30.0
"""From the beginning of the games to the measurement; how fast rooms open, and how much longer that may take."""


def children(process: int) -> list[int]:
    """The processes that a process has started."""
    return [int(found) for found in Path(f"/proc/{process}/task/{process}/children").read_text().split()]


def cpu_s(process: int) -> float:
    """The CPU time of a process, by Linux's clock of it."""
    return time.clock_gettime((~process << 3) | 2)


async def measure(workers: int, postgres: PostgresServer, rooms: int, seconds: float) -> dict[str, Any]:
    """Run a server with so many workers, and let the players of these rooms play."""
    port = free_port()
    words = ["--port", str(port), "--public-url", f"http://127.0.0.1:{port}", "--node", "n", "--workers", str(workers)]
    command = [sys.executable, "-c", SERVER, "serve", "--log", postgres.create_log().url, *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
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
            before = [cpu_s(process) for process in processes]
            generated = await players.measure(seconds)
            used = [cpu_s(process) - then for process, then in zip(processes, before, strict=True)]
        finally:
            await players.end()
            server.terminate()
        server.wait()
    percent = [round(each / generated.elapsed_s * 100, 1) for each in used]
    cost_ms = sum(used) / generated.elapsed_s / max(1, opened.rooms) * 1000
    return {"workers": workers, "rooms": opened.rooms, "cpu_percent": percent, "cpu_ms_per_room_second": cost_ms}


async def run(arguments: argparse.Namespace) -> dict[str, Any]:
    """Measure one process, and the workers."""
    import postgres as programs

    with PostgresServer(Path(programs.find_or_install())) as postgres:
        counts = (1, arguments.workers)
        measured = [await measure(count, postgres, arguments.rooms, arguments.seconds) for count in counts]
    one, many = measured
    per_room = [max(each["cpu_percent"]) / max(1, each["rooms"]) for each in measured]
    cost = one["cpu_ms_per_room_second"] * arguments.workers / many["cpu_ms_per_room_second"]
    return {"measured": measured, "ratio": per_room[0] / per_room[1], "ratio_if_rooms_were_spread_evenly": cost}


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--rooms", type=int, default=60)
    parser.add_argument("--seconds", type=float, default=8.0)
    parser.add_argument("--workers", type=int, default=2)
    sys.path.insert(0, str(ROOT / "scripts"))
    print(json.dumps(asyncio.run(run(parser.parse_args())), indent=2))
