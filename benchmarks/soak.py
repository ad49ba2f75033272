"""Whether a server that is played on for long, by people who come and go, keeps its size and loses nothing.

The server and the crowd are those of `crash`, with one server that lives. Whatever any page was told is compared with
the log in the end, and no page's numbers may have a gap.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random
from statistics import linear_regression
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.crash import Crowd, Server
from ratscrew.game.codec import Codec
from ratscrew.log.sqlite import SqliteLog
from ratscrew.table.records.entries import Entry

LOOKS, WARM = 60, 20
"""How often the server's size is looked at, and how many of the first looks do not count."""


async def soak(minutes: float, seed: int) -> dict[str, Any]:
    """Play for so long. Unit: `slope_kb` kilobytes a minute, by which the server grew after it was warm."""
    crowd, sizes_kb = Crowd(Random(seed)), list[float]()
    with TemporaryDirectory(prefix="ratscrew-benchmark-") as folder:
        file = Path(folder) / "log.sqlite3"
        server = await Server.start(file, None)
        try:
            living = asyncio.create_task(crowd.live(await server.port()))
            for _ in range(LOOKS):
                await asyncio.sleep(minutes * 60 / LOOKS)
                sizes_kb.append(server.memory_kb())
            assert not living.done(), "the server has hung up"
        finally:
            await server.kill()
        await crowd.hang_up()
        await living
        log = SqliteLog(file, Codec[Entry](Entry))
        try:
            found = crowd.memory.verdict(log)._asdict()
        finally:
            log.close()
    at = [look * minutes / LOOKS for look in range(WARM, LOOKS)]
    slope_kb = linear_regression(at, sizes_kb[WARM:]).slope
    sizes = {"warm_kb": sizes_kb[WARM], "end_kb": sizes_kb[-1], "slope_kb": slope_kb}
    return {"minutes": minutes, "seed": seed, **found, "gaps": crowd.memory.gaps, "rooms": len(crowd.rooms), **sizes}
