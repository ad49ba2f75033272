"""Background tasks survive their failures, and readiness reports which of them fail."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from ratscrew.errors import LogError
from ratscrew.log.memory import MemoryLog
from ratscrew.supervision import RECOVERED_AFTER_S, RESTART_AFTER_S, Supervisor
from ratscrew.table.record.entries import Entry
from ratscrew.testing.clock import ManualClock, on_manual_clock
from ratscrew.web import app as app_module
from ratscrew.web.api.health import Readiness
from ratscrew.web.app import REGISTRY
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

    task = asyncio.create_task(supervisor.run("collector", work))
    await asyncio.sleep(2.5 * RESTART_AFTER_S)
    task.cancel()
    assert len(begun) == 3
    assert len(caplog.records) == 1


@on_manual_clock
async def test_work_that_goes_on_after_an_error_has_recovered(clock: ManualClock) -> None:
    supervisor, begun = Supervisor(), list[int]()

    async def work() -> None:
        begun.append(clock.now_us())
        if len(begun) == 1:
            raise RuntimeError("a fault")
        await asyncio.sleep(10 * RECOVERED_AFTER_S)

    task = asyncio.create_task(supervisor.run("collector", work))
    await asyncio.sleep(RECOVERED_AFTER_S)
    assert supervisor.failing == ("collector",)
    await asyncio.sleep(2 * RESTART_AFTER_S)
    assert (len(supervisor.failing), len(begun)) == (0, 2)
    await asyncio.wait_for(task, 11 * RECOVERED_AFTER_S)


@on_manual_clock
async def test_an_error_that_passes_by_itself_is_neither_logged_nor_a_failure(
    clock: ManualClock, caplog: pytest.LogCaptureFixture
) -> None:
    supervisor, outcomes = Supervisor(), [LogError("away"), ValueError("a bug"), LogError("away"), ValueError("a bug")]
    seen: list[tuple[str, ...]] = []

    async def step() -> None:
        seen.append(supervisor.failing)
        if outcomes:
            raise outcomes.pop(0)

    task = asyncio.create_task(supervisor.run_every(60, "publish", step, (LogError,), at_once=True))
    await asyncio.sleep(60 * 5 + 1)
    task.cancel()
    assert seen == [(), (), ("publish",), ("publish",), ("publish",), ()]
    (record,) = caplog.records
    assert record.exc_info
    assert isinstance(record.exc_info[1], ValueError)


@on_manual_clock
async def test_an_error_that_is_raised_on_purpose_needs_no_traceback(
    clock: ManualClock, caplog: pytest.LogCaptureFixture
) -> None:
    async def step() -> None:
        raise LogError("the disk is full")

    supervisor = Supervisor()
    async with supervisor.running(supervisor.run_every(60, "results", step)):
        await asyncio.sleep(200)
    (record,) = caplog.records
    assert not record.exc_info
    assert record.__dict__["error"] == "LogError('the disk is full')"
    await asyncio.sleep(200)  # the block has ended the task
    assert supervisor.failing == ("results",)


async def test_a_trial_write_with_a_bug_means_that_the_server_is_not_ready(caplog: pytest.LogCaptureFixture) -> None:
    log = MemoryLog[Entry]()

    def put(name: str, value: bytes) -> None:
        raise KeyError(name)

    log.put = put  # type: ignore[method-assign]
    readiness = Readiness(log)
    assert await readiness.why_not() == "the log cannot be written"
    (record,) = caplog.records
    assert record.exc_info
    assert isinstance(record.exc_info[1], KeyError)


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
