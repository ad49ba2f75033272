"""Expensive work runs in another process: in turns by address, within a budget, and cached."""

from __future__ import annotations

import asyncio
import gzip
import json
import os
import sys
from collections.abc import Callable
from inspect import isfunction
from pathlib import Path
from typing import get_type_hints

import pytest
from aiohttp.test_utils import TestClient, TestServer

from ratscrew.errors import LimitExceeded, Overloaded, TooCostly
from ratscrew.limits import fair_lock
from ratscrew.limits.fair_lock import WAIT_MOST_S, FairLock
from ratscrew.limits.limits import LIMITS, Limits
from ratscrew.log.memory import MemoryLog
from ratscrew.testing.clock import ManualClock, on_manual_clock
from ratscrew.web.app import make_app
from ratscrew.web.http.static_files import StaticFiles
from ratscrew.web.rendering import rendering
from ratscrew.web.rendering.rendering import Rendered
from ratscrew.web.rendering.rendering_process import JOBS
from ratscrew.web.rendering.worker import NICE, OVERRUN_COST, Argument, Execute, RenderingProcess, Worker, execute_here
from tests.web.http_requests import get

CARDS = "+".join(rank + suit for rank in "23456789TJQKA" for suit in "CDHS")
HOSTILE = ";".join(
    ["1;chaos", "slaps.run.len=4"]
    + [f"{choice}={CARDS}" for choice in ("stoppers", "slaps.wild", "slaps.instant")]
    + [f"chances.{rank}{suit}=1" for rank in "23456789T" for suit in "CDHS"]
)
"""A house of 1,000 characters in which it takes five seconds to find 200 cards to practise with."""

WELL = Rendered(200, b"well")


# Turns


async def served(asking: list[str]) -> list[str]:
    """In which order these addresses are served, which ask one after the other while the first has its turn."""
    order, line = list[str](), FairLock()

    async def ask(address: str) -> None:
        async with line.hold(address):
            order.append(address)
            await asyncio.sleep(1)

    tasks = list[asyncio.Task[None]]()
    for address in asking:
        tasks.append(asyncio.create_task(ask(address)))
        await asyncio.sleep(0)
    await asyncio.gather(*tasks)
    return order


@on_manual_clock
async def test_addresses_take_turns_so_each_delays_only_itself(clock: ManualClock) -> None:
    assert await served(["loud"] * 5 + ["quiet"]) == ["loud", "quiet", "loud", "loud", "loud", "loud"]
    assert await served(["a", "a", "b", "b", "c"]) == ["a", "b", "c", "a", "b"]


@on_manual_clock
async def test_only_so_many_wait_of_one_address_and_of_all(clock: ManualClock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fair_lock, "OF_ADDRESS_MOST", 2)
    monkeypatch.setattr(fair_lock, "WAITING_MOST", 3)
    line = FairLock()

    async def ask(address: str) -> str:
        try:
            async with line.hold(address):
                await asyncio.sleep(1)
        except LimitExceeded as error:
            return type(error).__name__
        return "served"

    found = await asyncio.gather(*map(ask, ["a", "a", "a", "a", "b", "c"]))
    assert found == ["served", "served", "Overloaded", "LimitExceeded", "served", "served"]  # a gives way to c


@on_manual_clock
async def test_a_turn_that_does_not_come_is_waited_for_only_so_long(clock: ManualClock) -> None:
    """Nor does a request that is given up in the meantime keep a place."""
    line = FairLock()
    async with line.hold("a"):
        before = clock.now_us()
        given_up = asyncio.create_task(line.hold("c").__aenter__())
        await asyncio.sleep(0)
        given_up.cancel()
        with pytest.raises(Overloaded):
            async with line.hold("b"):
                pass
        assert (clock.now_us() - before) / 1e6 == pytest.approx(WAIT_MOST_S, abs=0.01)
        assert line.waiting == 0
    async with asyncio.timeout(1), line.hold("b"):
        pass


# Jobs


def worker_of(execute: Execute = execute_here) -> tuple[Worker, Limits]:
    """A worker on a clock that stands still."""
    limits = Limits(ManualClock(1))
    return Worker(limits, execute), limits


def here() -> bool:
    """The client of these tests has not gone."""
    return False


@on_manual_clock
async def test_the_same_question_is_worked_out_once_and_errors_are_not_kept(clock: ManualClock) -> None:
    worker, _ = worker_of()
    done = list[str]()

    def job(name: str, rendered: Rendered) -> Callable[[Execute], asyncio.Future[Rendered]]:
        async def work(_: Execute) -> Rendered:
            await asyncio.sleep(1)
            done.append(name)
            return rendered

        return lambda execute: asyncio.ensure_future(work(execute))

    asking = [worker.render(address, here, "game", job("game", WELL)) for address in "abcabc"]
    assert await asyncio.gather(*asking) == [WELL] * 6
    assert done == ["game"]
    for _ in range(2):
        await worker.render("a", here, "wrong", job("wrong", Rendered(422, b"")))
        await worker.render("a", here, "not over", job("not over", Rendered(409, b"")))
    worker.clear_cache()
    await worker.render("a", here, "game", job("game", WELL))
    assert done == ["game", "wrong", "not over", "wrong", "game"]


@on_manual_clock
async def test_an_answer_that_was_begun_before_a_name_was_deleted_is_not_kept(clock: ManualClock) -> None:
    worker, _ = worker_of()
    count = 0

    async def job(_: Execute) -> Rendered:
        nonlocal count
        count += 1
        await asyncio.sleep(1)
        return WELL

    asking = asyncio.create_task(worker.render("a", here, "game", job))
    await asyncio.sleep(0.5)
    worker.clear_cache()
    await asking
    await worker.render("a", here, "game", job)
    assert count == 2


@on_manual_clock
async def test_a_job_whose_client_has_gone_is_not_done(clock: ManualClock) -> None:
    """Two hundred ask and hang up; then somebody else asks, and waits for nobody."""
    worker, _ = worker_of()
    done = list[int]()

    async def ask(number: int, gone: bool) -> None:
        async def job(_: Execute) -> Rendered:
            done.append(number)
            await asyncio.sleep(1)
            return WELL

        await worker.render(f"a{number % 50}", lambda: gone, number, job)

    first = asyncio.create_task(ask(0, False))
    await asyncio.sleep(0)
    asking = [asyncio.create_task(ask(number, True)) for number in range(1, 120)]
    await asyncio.sleep(0)
    before = clock.now_us()
    await ask(999, False)
    assert done == [0, 999]
    assert (clock.now_us() - before) / 1e6 <= 2.1
    await first
    assert all(isinstance(error, ConnectionError) for error in await asyncio.gather(*asking, return_exceptions=True))


@on_manual_clock
async def test_what_goes_over_its_budget_costs_its_address_more(clock: ManualClock) -> None:
    """After so many of them it has to wait, and what of it still waits is not done; others are served."""

    async def costly(_: Callable[..., Rendered], *args: Argument) -> Rendered:
        raise TooCostly("too long")

    worker, limits = worker_of(costly)
    asking = [
        worker.render("loud", here, number, lambda execute: execute(rendering.house_of_text)) for number in range(10)
    ]
    found = [type(error) for error in await asyncio.gather(*asking, return_exceptions=True)]
    most = LIMITS["heavy"].most // OVERRUN_COST + 1
    assert found == [TooCostly] * most + [LimitExceeded] * (10 - most)
    limits.take("heavy", "quiet")
    with pytest.raises(LimitExceeded):
        limits.take("heavy", "loud")


# The process


async def test_the_process_renders_what_would_be_rendered_here() -> None:
    process = RenderingProcess()
    try:
        for render, args in (
            (rendering.house_of_text, ("1;wiki", "de")),
            (rendering.house_of_text, ("1;nowhere", "en")),
            (rendering.house_of_choices, (b'{"choices":{"turn_ms":5000}}', "en")),
            (rendering.house_of_choices, (b"{", "en")),
            (rendering.practice_cards, ("1;classic", "20", "7", "en")),
            (rendering.practice_cards, ("1;classic", "0", "7", "en")),
            (rendering.game_as_data, ("BEAR-1-1", b"", b"")),
            (rendering.headline_of_game, ("BEAR-1-1", b"[" * 300_000, b"1")),
        ):
            there, same = await process(render, *args), render(*args)
            assert there.status == same.status
            assert gzip.decompress(there.packed) == gzip.decompress(same.packed)
    finally:
        await process.close()


async def test_a_job_without_an_end_is_ended_and_the_next_one_is_done() -> None:
    process = RenderingProcess()
    try:
        first = await process.start()
        with pytest.raises(TooCostly, match="takes the server too long"):
            await process(rendering.practice_cards, HOSTILE, "200", "78", "en")
        assert first.returncode is not None
        assert (await process(rendering.house_of_text, "1;classic", "en")).status == 200
        assert await process.start() is not first
    finally:
        await process.close()


async def test_a_fault_in_a_job_is_answered_as_one() -> None:
    process = RenderingProcess()
    try:
        rendered = await process(rendering.game_as_data, "BEAR-1-1", b"", b"no checksum", "too much")
        assert rendered.status == 500
        assert (await process(rendering.house_of_text, "1;classic", "en")).status == 200
    finally:
        await process.close()


async def test_where_no_process_starts_clients_hear_that_the_server_is_busy(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(sys, "executable", str(tmp_path / "nowhere"))
    app = make_app(MemoryLog(), ManualClock(1), StaticFiles(tmp_path))
    async with TestClient(TestServer(app)) as client:
        status, told = await get(client, "/api/house", text="1;classic;turn_ms=5000")
        assert (status, told["code"]) == (503, "busy")
        assert (await get(client, "/api/rules"))[0] == 200


async def test_a_house_that_means_harm_gets_a_sentence_from_a_whole_server(tmp_path: Path) -> None:
    app = make_app(MemoryLog(), ManualClock(1), StaticFiles(tmp_path))
    async with TestClient(TestServer(app)) as client:
        status, told = await get(client, "/api/drill", house=HOSTILE, cards="200", seed="78")
        assert (status, told["code"]) == (422, "too_costly")
        status, told = await get(client, "/api/drill", house="1;classic", cards="3", seed="1")
        assert (status, len(told["cards"])) == (200, 3)
        answer = await client.get("/api/drill?house=1;classic&cards=3&seed=1", headers={"Accept-Encoding": "identity"})
        assert json.loads(await answer.read()) == told


# Its priority


@pytest.mark.skipif(not hasattr(os, "SCHED_IDLE"), reason="only Linux has such a priority")
async def test_the_tables_go_first_and_on_one_core_the_process_only_gets_what_they_leave() -> None:
    cores = os.sched_getaffinity(0)
    try:
        for core, expected in ((cores, os.SCHED_OTHER), ({min(cores)}, os.SCHED_IDLE)):
            os.sched_setaffinity(0, core)
            process = RenderingProcess()
            try:
                pid = (await process.start()).pid
                if len(core) == 1:
                    expected = os.SCHED_IDLE  # the machine may have no other core
                else:
                    assert os.getpriority(os.PRIO_PROCESS, pid) == os.getpriority(os.PRIO_PROCESS, 0) + NICE
                assert os.sched_getscheduler(pid) == expected
            finally:
                await process.close()
    finally:
        os.sched_setaffinity(0, cores)


def test_whatever_renders_a_response_is_a_job_of_the_process() -> None:
    """Tests run jobs in their own process, where each can be called."""
    renders = {name for name, each in vars(rendering).items() if isfunction(each) and name[0] != "_"}
    renders = {name for name in renders if get_type_hints(vars(rendering)[name]).get("return") is rendering.Rendered}
    assert set(JOBS) == renders - {"failed", "not_over"}  # what jobs respond with in place of their result
