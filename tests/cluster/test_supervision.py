"""A node's background tasks are supervised like those of any server: a bug is logged once, and readiness says so."""

from __future__ import annotations

import asyncio
import logging

import aiohttp
import pytest

from ratscrew.cluster.node import ClusterNode
from ratscrew.errors import LogError
from ratscrew.table.registry.cluster_rooms import ClusterRooms
from ratscrew.web.cluster import cluster as cluster_module
from tests.cluster.servers import WITHIN_S, Servers

ROUNDS = 20
"""How often a step fails."""


async def readiness_of(url: str) -> tuple[int, str | None]:
    """The status of `/api/ready` and its reason."""
    async with aiohttp.ClientSession() as session, session.get(f"{url}/api/ready") as answer:
        return answer.status, (await answer.json())["why"]


def errors_of(caplog: pytest.LogCaptureFixture) -> list[str]:
    """What was logged as an error."""
    return [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR]


async def test_a_bug_in_a_step_is_logged_once_and_the_node_is_not_ready(
    servers: Servers, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(cluster_module, "REFRESH_EVERY_S", 0.01)
    calls, works = 0, asyncio.Event()
    publish = ClusterRooms.publish

    async def fail(rooms: ClusterRooms, row: object) -> None:
        nonlocal calls
        calls += 1
        if not works.is_set():
            raise KeyError("a bug")
        await publish(rooms, row)  # type: ignore[arg-type]

    monkeypatch.setattr(ClusterRooms, "publish", fail)
    node = await servers.start("a")
    async with asyncio.timeout(WITHIN_S):
        while calls < ROUNDS:
            await asyncio.sleep(0.01)
        assert await readiness_of(node.url) == (503, "a background task fails: publish_rooms")
        assert errors_of(caplog) == ["the background task 'publish_rooms' failed; it continues"]
        works.set()
        while (await readiness_of(node.url))[0] != 200:
            await asyncio.sleep(0.01)


async def test_that_postgresql_does_not_answer_a_step_is_no_failure_of_the_step(
    servers: Servers, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(cluster_module, "REFRESH_EVERY_S", 0.01)
    calls = 0

    async def fail(rooms: ClusterRooms, row: object) -> None:
        nonlocal calls
        calls += 1
        raise LogError("away")

    monkeypatch.setattr(ClusterRooms, "publish", fail)
    node = await servers.start("a")
    async with asyncio.timeout(WITHIN_S):
        while calls < ROUNDS:
            await asyncio.sleep(0.01)
    assert await readiness_of(node.url) == (200, None)
    assert errors_of(caplog) == []


async def test_a_bug_in_the_renewal_of_leases_does_not_end_it(
    servers: Servers, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    node, renew = await servers.start("a"), ClusterNode.renew
    broken, renewed = True, asyncio.Event()

    async def fail(of: ClusterNode, load: float = 0) -> None:
        if broken:
            raise KeyError("a bug")
        await renew(of, load)
        renewed.set()

    monkeypatch.setattr(ClusterNode, "renew", fail)
    async with asyncio.timeout(WITHIN_S):
        while (await readiness_of(node.url))[0] == 200:
            await asyncio.sleep(0.01)
        assert await readiness_of(node.url) == (503, "a background task fails: renew_leases")
        broken = False
        await renewed.wait()
    assert errors_of(caplog) == ["the background task 'renew_leases' failed; it continues"]
