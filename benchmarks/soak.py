"""Whether a long-running server, with players who come and go, keeps its size and loses nothing.

Uses the server and the clients of `crash`, without kills. At the end all received events are compared with the log,
and no client's event numbers may have a gap.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random
from statistics import linear_regression
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.crash import Server, StressClients
from ratscrew.game.codec import Codec
from ratscrew.log.sqlite import SqliteLog
from ratscrew.table.record.entries import Entry

SAMPLES, WARM_UP = 60, 20
"""How often the server's memory is measured, and how many of the first samples do not count."""


async def soak(minutes: float, seed: int) -> dict[str, Any]:
    """Play for this long. Unit: `slope_kb` kilobytes a minute, the server's growth after warming up."""
    clients, sizes_kb = StressClients(Random(seed)), list[float]()
    with TemporaryDirectory(prefix="ratscrew-benchmark-") as folder:
        file = Path(folder) / "log.sqlite3"
        server = await Server.start(file, None)
        try:
            running = asyncio.create_task(clients.run_until_server_dies(await server.port()))
            for _ in range(SAMPLES):
                await asyncio.sleep(minutes * 60 / SAMPLES)
                sizes_kb.append(server.memory_kb())
            assert not running.done(), "the server has closed its connections"
        finally:
            await server.kill()
        await clients.wait_closed()
        await running
        log = SqliteLog(file, Codec[Entry](Entry))
        try:
            found = clients.received.compare(log)._asdict()
        finally:
            log.close()
    at = [sample * minutes / SAMPLES for sample in range(WARM_UP, SAMPLES)]
    slope_kb = linear_regression(at, sizes_kb[WARM_UP:]).slope
    sizes = {"warm_kb": sizes_kb[WARM_UP], "end_kb": sizes_kb[-1], "slope_kb": slope_kb}
    return {
        "minutes": minutes,
        "seed": seed,
        **found,
        "gaps": clients.received.gaps,
        "rooms": len(clients.rooms),
        **sizes,
    }
