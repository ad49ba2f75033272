"""Reads that come at one moment wait unparsed: addresses take turns, and so much may wait."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

import pytest

from ratscrew.testing.clock import ManualClock, on_manual_clock
from ratscrew.web import read_pacer
from ratscrew.web.read_pacer import READS_EVERY_S, WAITING_BYTES_MOST, Pacer


@dataclass
class Reader:
    """A connection whose reads are paced; `order` notes them."""

    address: str
    order: list[str]
    has_left: bool = False

    def drop(self) -> None:
        """See `GuardedHandler`."""
        self.order.append(f"{self.address} dropped")

    def hold(self) -> None:
        """See `GuardedHandler`."""

    def parse(self, data: bytes) -> None:
        """See `GuardedHandler`."""
        self.order.append(f"{self.address} {data.decode()}")


@on_manual_clock
async def test_addresses_take_turns_when_reads_wait(clock: ManualClock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(read_pacer, "READS", 1)
    pacer, order = Pacer(), list[str]()
    for address, data in [("A", b"1"), ("A", b"2"), ("A", b"3"), ("A", b"4"), ("B", b"1"), ("C", b"1")]:
        assert pacer.read(Reader(address, order), data)
    await asyncio.sleep(6 * READS_EVERY_S)
    assert order == ["A 1", "A 2", "B 1", "C 1", "A 3", "A 4"]


@on_manual_clock
async def test_a_long_read_is_parsed_at_once_or_refused_but_does_not_wait(
    clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Thousands of them would take gigabytes."""
    monkeypatch.setattr(read_pacer, "READS", 1)
    pacer, order = Pacer(), list[str]()
    assert pacer.read(Reader("A", order), b"1" * (WAITING_BYTES_MOST + 1))
    assert pacer.read(Reader("B", order), b"1" * WAITING_BYTES_MOST)
    assert not pacer.read(Reader("C", order), b"1" * (WAITING_BYTES_MOST + 1))
    assert (len(order), pacer.waiting) == (1, 1)
    pacer.close()
