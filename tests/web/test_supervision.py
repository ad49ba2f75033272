"""Background tasks survive their failures, and readiness reports which of them fail."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from ratscrew.log.memory import MemoryLog
from ratscrew.table.records.entries import Entry
from ratscrew.testing.clock import ManualClock, on_manual_clock
from ratscrew.web import app as app_module
from ratscrew.web.app import REGISTRY
from ratscrew.web.supervision import RESTART_AFTER_S, Supervisor
from tests.web.http_requests import get
from tests.web.pages import full_server


@on_manual_clock
async def test_a_step_that_fails_is_done_again_and_logged_once(
    clock: ManualClock, caplog: pytest.LogCaptureFixture
) -> None:
    supervisor, outcomes = Supervisor(), [True, False, False, True, False]
    seen: list[tuple[str, ...]] = []

    async def step() -> None:
        seen.append(supervisor.failing)
        if not outcomes[len(seen) - 1]:
            raise OSError("the disk is full")

    task = asyncio.create_task(supervisor.run_every(60, "sweep", step))
    await asyncio.sleep(60 * len(outcomes) + 1)
    task.cancel()
    assert seen == [(), (), ("sweep",), ("sweep",), ()]
    assert supervisor.failing == ("sweep",)
    messages = [record.getMessage() for record in caplog.records]
    assert messages == ["the background task 'sweep' failed; it continues"] * 2


@on_manual_clock
async def test_work_without_an_end_is_begun_again(clock: ManualClock, caplog: pytest.LogCaptureFixture) -> None:
    supervisor, begun = Supervisor(), list[int]()

    async def work() -> None:
        begun.append(clock.now_us())
        raise RuntimeError("a fault")

    task = asyncio.create_task(supervisor.run_forever("collector", work))
    await asyncio.sleep(2.5 * RESTART_AFTER_S)
    task.cancel()
    assert len(begun) == 3
    assert len(caplog.records) == 1


async def test_a_server_whose_sweep_fails_goes_on_sweeping_and_is_not_ready(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(app_module, "SWEEP_EVERY_S", 0.001)
    swept = asyncio.Event()
    async with full_server(ManualClock(1), MemoryLog[Entry](), tmp_path) as client:
        registry = client.app[REGISTRY]

        def fail() -> None:
            raise RuntimeError("a fault")

        def well() -> None:
            swept.set()

        registry.sweep = fail  # type: ignore[method-assign]
        async with asyncio.timeout(30):
            while (await get(client, "/api/ready"))[0] == 200:
                await asyncio.sleep(0.001)
        assert (await get(client, "/api/ready"))[1]["why"] == "a background task fails: sweep"
        registry.sweep = well  # type: ignore[method-assign]
        async with asyncio.timeout(30):
            await swept.wait()
            while (await get(client, "/api/ready"))[0] != 200:
                await asyncio.sleep(0.001)
