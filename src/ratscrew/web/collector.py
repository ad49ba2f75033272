"""Garbage is looked for when nobody slaps, and when there may be enough of it; never by Python itself.

To look for garbage takes as long as there are things to look at, rubbish or not: with two hundred rooms 30 ms for what
is new, and several times that for everything. So what is new is put aside each second, which looks at nothing and takes
no time. What is used up goes by itself, lost connections included (`socket.py`); a circle that was missed stays until
so much lies there that everything is looked at once.
"""

from __future__ import annotations

import asyncio
import gc
import time
from collections.abc import Callable

EVERY_S = 1.0
"""How often what is new is put aside: before so much has come that Python would look at it."""

COUNT_EVERY = 300
"""How many times it is put aside for each time that all of it is counted: that takes a while itself."""

GROWN, SPARE = 2.0, 100_000
"""Everything is looked at when so many times as much lies there as after the last time, and so many objects more."""

PATIENCE_S, LOOK_EVERY_S = 5.0, 0.05
"""How long a quiet moment is waited for, and how often it is looked for one; then it is collected all the same, or
memory would run out."""

_EXPECTED_S = 0.2
"""How long the first collection is thought to take; later it is known."""

_YOUNG, _MIDDLE, _NEVER = 20_000, 50, 2**31 - 1


class Aside:
    """What was put aside, garbage and all. From now on nothing is collected in full by itself."""

    def __init__(self) -> None:
        gc.collect()
        gc.freeze()
        gc.set_threshold(_YOUNG, _MIDDLE, _NEVER)
        self._lived, self._times = gc.get_freeze_count(), 0

    def put(self) -> bool:
        """Put what is new aside; whether it is time to look at everything."""
        gc.freeze()
        self._times += 1
        return self._times % COUNT_EVERY == 0 and gc.get_freeze_count() > GROWN * self._lived + SPARE

    def collect(self) -> float:
        """Look at everything, and put aside what is no garbage; how many seconds it took."""
        began_s = time.perf_counter()
        gc.unfreeze()
        gc.collect()
        gc.freeze()
        took_s = time.perf_counter() - began_s
        self._lived = gc.get_freeze_count()
        return took_s


async def collect_in_quiet(quiet: Callable[[float], bool], collected: Callable[[float], None]) -> None:
    """Collect for ever, when `quiet` says of so many seconds that nothing is due in them; tell how long it took."""
    aside, took_s = Aside(), _EXPECTED_S
    while True:
        await asyncio.sleep(EVERY_S)
        if not aside.put():
            continue
        for _ in range(round(PATIENCE_S / LOOK_EVERY_S)):
            if quiet(took_s):
                break
            await asyncio.sleep(LOOK_EVERY_S)
        took_s = aside.collect()
        collected(took_s)
