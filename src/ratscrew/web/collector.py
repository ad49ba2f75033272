"""Garbage is looked for when nobody slaps, and when there may be enough of it; never by Python itself.

To look for garbage takes as long as there are things to look at, rubbish or not: with two hundred rooms 30 ms for what
is new, and several times that for everything. What is used up goes by itself, lost connections included (`socket.py`);
a circle that was missed stays until so much lies there that everything is looked at once.
"""

from __future__ import annotations

import asyncio
import gc
import time
from collections.abc import Callable

EVERY_S = 300.0
"""How often all there is is counted: that takes a while itself."""

GROWN, SPARE = 2.0, 100_000
"""Everything is looked at when there is so many times as much as after the last time, and so many objects more."""

PATIENCE_S, LOOK_EVERY_S = 5.0, 0.05
"""How long a quiet moment is waited for, and how often it is looked for one; then it is collected all the same, or
memory would run out."""

EXPECTED_S = 0.2
"""How long the first collection is thought to take; later it is known."""


async def collect_in_quiet(quiet: Callable[[float], bool], collected: Callable[[float], None]) -> None:
    """Collect for ever, when `quiet` says of so many seconds that nothing is due in them; tell how long it took."""
    gc.disable()
    gc.collect()
    took_s, lived = EXPECTED_S, objects()
    while True:
        await asyncio.sleep(EVERY_S)
        if objects() <= GROWN * lived + SPARE:
            continue
        for _ in range(round(PATIENCE_S / LOOK_EVERY_S)):
            if quiet(took_s):
                break
            await asyncio.sleep(LOOK_EVERY_S)
        began_s = time.perf_counter()
        gc.collect()
        took_s, lived = time.perf_counter() - began_s, objects()
        collected(took_s)


def objects() -> int:
    """How many things there are that garbage is looked for among."""
    gc.freeze()  # Python counts what is frozen without a list of it
    count = gc.get_freeze_count()
    gc.unfreeze()
    return count
