"""Garbage is collected when nobody slaps: never in full by itself, but while no table is about to do anything.

What survives is frozen, so the next collection looks only at what has come since; seldom one looks at everything.
"""

from __future__ import annotations

import asyncio
import gc
import time
from collections.abc import Callable

EVERY_S = 30.0
"""How long it is at least from one collection to the next."""

PATIENCE_S = 30.0
"""How long a quiet moment is waited for; then it is collected all the same, or memory would run out."""

LOOK_EVERY_S = 0.05
WHOLE_EVERY = 120
"""Each so manieth collection looks at what was frozen, too: rooms end, and what they leave is in circles."""

_YOUNG, _MIDDLE, _NEVER = 20_000, 50, 2**31 - 1


def calm() -> None:
    """From now on nothing is collected in full by itself, and what stands now is not looked at again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(_YOUNG, _MIDDLE, _NEVER)


async def collect_in_quiet(quiet: Callable[[float], bool], collected: Callable[[float], None]) -> None:
    """Collect for ever, when `quiet` says of so many seconds that nothing is due in them; tell how long it took."""
    calm()
    took_s, count = 0.0, 0
    while True:
        await asyncio.sleep(EVERY_S)
        for _ in range(round(PATIENCE_S / LOOK_EVERY_S)):
            if quiet(took_s):
                break
            await asyncio.sleep(LOOK_EVERY_S)
        count += 1
        collected(took_s := _collect(whole=count % WHOLE_EVERY == 0))


def _collect(whole: bool) -> float:
    """Collect what is garbage, freeze what is not; how many seconds it took."""
    began_s = time.perf_counter()
    if whole:
        gc.unfreeze()
    gc.collect()
    gc.freeze()
    return time.perf_counter() - began_s
