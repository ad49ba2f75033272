"""When garbage is collected: young objects as usual, all objects only while no table is busy.

Objects that exist at the start are never scanned again (`gc.freeze`). Collections of young objects free the reference
cycles that errors leave. They are small, because every object that they visit is a cache miss: with 20,000 objects in
the middle generation they took 65 ms beside 10,000 connections, with some 2,000 they take 10 to 20. A full collection
takes time in proportion to the number of objects (some 0.2 ms a room), so it waits until memory has grown and no table
has anything to do. On a server that is never idle, all objects are frozen instead, which takes microseconds: what has
lasted until then are rooms and connections, which reference counting frees.
"""

from __future__ import annotations

import asyncio
import gc
import sys
import time
from collections.abc import Callable

THRESHOLDS = (700, 2, 1_000_000)
"""`gc` thresholds: new objects per collection of the youngest generation, those per collection of the middle one, and
those per full collection: practically never."""

CHECK_EVERY_S = 5.0
"""How often memory is checked, which takes no time."""

GROWN, SPARE = 1.5, 500_000
"""A full collection is due at this many times the memory blocks after the last one, plus this many."""

IDLE_WAIT_S, POLL_EVERY_S = 5.0, 0.05
"""How long a collection waits for an idle moment, and how often it checks. Then all objects are frozen instead."""

FROZEN_MOST = 4.0
"""At so many times the memory blocks after the last full collection, one runs at any moment: memory is finite."""

EXPECTED_S = 0.2
"""Assumed duration of the first full collection; later ones are estimated by the last."""


async def collect_when_idle(is_idle: Callable[[float], bool], on_collected: Callable[[float], None]) -> None:
    """Run forever: collect when due and `is_idle` of the expected seconds is true; report each duration in seconds."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*THRESHOLDS)
    took_s, blocks, frozen = EXPECTED_S, sys.getallocatedblocks(), False
    collected = blocks
    while True:
        await asyncio.sleep(CHECK_EVERY_S)
        if sys.getallocatedblocks() <= GROWN * blocks + SPARE:
            continue
        idle = False
        for _ in range(round(IDLE_WAIT_S / POLL_EVERY_S)):
            if idle := is_idle(took_s):
                break
            await asyncio.sleep(POLL_EVERY_S)
        if idle or sys.getallocatedblocks() > FROZEN_MOST * (collected + SPARE):
            began_s = time.perf_counter()
            if frozen:
                gc.unfreeze()
            gc.collect()
            took_s, collected, frozen = time.perf_counter() - began_s, sys.getallocatedblocks(), False
            on_collected(took_s)
        else:
            gc.freeze()
            frozen = True
        blocks = sys.getallocatedblocks()
