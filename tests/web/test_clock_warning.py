"""A server logs once each time that the system's clock was set or the machine slept."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from ratscrew.log.memory import MemoryLog
from ratscrew.web import app as app_module
from tests.table.test_clock import Machine
from tests.web.pages import full_server


async def test_a_clock_that_was_set_is_said_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(app_module, "CLOCK_EVERY_S", 0)
    machine = Machine(day_s=1_700_000_000)
    async with full_server(machine.clock(), MemoryLog(), tmp_path):
        for set_by_s in (30, 3600, 0, -3600):
            machine.sleep(set_by_s)
            for _ in range(20):
                await asyncio.sleep(0)
    told = [record.getMessage() for record in caplog.records if "clock was set" in record.getMessage()]
    assert [words.partition("it is ")[2].partition(" from")[0] for words in told] == ["+3630 s", "+30 s"]
