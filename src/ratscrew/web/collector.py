"""Garbage is collected when nobody slaps: never in full by itself, but while no table is about to do anything.

What survives is frozen, so the next collection looks only at what has come since. Who goes after that, and every
connection leaves circles, is garbage among it: when enough has been frozen, one collection looks at everything.
"""

from __future__ import annotations

import asyncio
import gc
import time
from collections.abc import Callable

EVERY_S = 5.0
"""How long it is at least from one collection to the next: little is new then, and it is short."""

PATIENCE_S = 5.0
"""How long a quiet moment is waited for; then it is collected all the same, or memory would run out."""

LOOK_EVERY_S = 0.05
COUNT_EVERY = 12
"""One in so many collections, about one a minute, counts what was frozen: that takes a while itself."""

GROWN, SPARE = 1.25, 20_000
"""Everything is looked at when so many times as much is frozen as after the last time, and so many objects more."""

_EXPECTED_S = {False: 0.005, True: 0.2}
"""How long the first collection is thought to take, of what is new and of everything; later it is known."""

_YOUNG, _MIDDLE, _NEVER = 20_000, 50, 2**31 - 1


def calm() -> None:
    """From now on nothing is collected in full by itself, and what stands now is not looked at again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(_YOUNG, _MIDDLE, _NEVER)


async def collect_in_quiet(quiet: Callable[[float], bool], collected: Callable[[float], None]) -> None:
    """Collect for ever, when `quiet` says of so many seconds that nothing is due in them; tell how long it took."""
    calm()
    took_s, count, lived = dict(_EXPECTED_S), 0, gc.get_freeze_count()
    while True:
        await asyncio.sleep(EVERY_S)
        count += 1
        whole = count % COUNT_EVERY == 0 and gc.get_freeze_count() > GROWN * lived + SPARE
        for _ in range(round(PATIENCE_S / LOOK_EVERY_S)):
            if quiet(took_s[whole]):
                break
            await asyncio.sleep(LOOK_EVERY_S)
        took_s[whole] = collect(whole)
        lived = gc.get_freeze_count() if whole else lived
        collected(took_s[whole])


def collect(whole: bool) -> float:
    """Collect what is garbage, freeze what is not; how many seconds it took."""
    began_s = time.perf_counter()
    if whole:
        gc.unfreeze()
    gc.collect()
    gc.freeze()
    return time.perf_counter() - began_s
