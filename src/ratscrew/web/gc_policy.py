"""When Python looks for reference cycles: new objects often and quickly, everything only in a quiet moment.

What the server has loaded at its start is never looked at again (`gc.freeze`). Young objects are looked at as usual,
which takes a fraction of a millisecond and frees the cycles that errors leave. A look at everything takes as long as
there are objects, so it waits until the server has grown and no table has anything to do.
"""

from __future__ import annotations

import asyncio
import gc
import sys
import time
from collections.abc import Callable

THRESHOLDS = (2_000, 10, 1_000_000)
"""New objects before the youngest generation is looked at, how often that is before the middle one, and how often that
is before everything is: practically never."""

CHECK_EVERY_S = 5.0
"""How often the size of the server is looked at, which takes no time."""

GROWN, SPARE = 1.5, 500_000
"""Everything is looked at when there are so many times as many blocks of memory as after the last time, and so many
more."""

IDLE_WAIT_S, POLL_EVERY_S = 5.0, 0.05
"""How long a quiet moment is waited for, and how often it is looked for one; then it is collected all the same, or
memory would run out."""

EXPECTED_S = 0.2
"""How long the first collection is thought to take; later it is known."""


async def collect_when_idle(is_idle: Callable[[float], bool], on_collected: Callable[[float], None]) -> None:
    """Collect for ever, when `quiet` says of so many seconds that nothing is due in them; report how long it took."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*THRESHOLDS)
    took_s, blocks = EXPECTED_S, sys.getallocatedblocks()
    while True:
        await asyncio.sleep(CHECK_EVERY_S)
        if sys.getallocatedblocks() <= GROWN * blocks + SPARE:
            continue
        for _ in range(round(IDLE_WAIT_S / POLL_EVERY_S)):
            if is_idle(took_s):
                break
            await asyncio.sleep(POLL_EVERY_S)
        began_s = time.perf_counter()
        gc.collect()
        took_s, blocks = time.perf_counter() - began_s, sys.getallocatedblocks()
        on_collected(took_s)
