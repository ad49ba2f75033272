"""A node renews its leases without waiting on the event loop, and knows when it must not claim."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import suppress
from threading import Event
from typing import Any, TypeAlias

import pytest
import pytest_asyncio

from ratscrew.cluster import node as node_module
from ratscrew.cluster.directory import CALL_WITHIN_S, LEASE_S, ClusterDirectory
from ratscrew.cluster.node import ClusterNode
from ratscrew.cluster.records import Renewal
from ratscrew.errors import ClusterError, LogError, NodeReplaced, Overloaded
from ratscrew.log.postgres.address import PostgresAddress
from ratscrew.testing.postgres_server import PostgresServer
from tests.cluster.conftest import LEASE_S as LONG_S
from tests.cluster.conftest import OpenDirectory, pass_time

TIMEOUT_S = 60
HOUR_S = 3600.0

StartNode: TypeAlias = Callable[..., Any]


class Hand:
    """A node's clock, set by hand. Unit: seconds."""

    def __init__(self, now_s: float = 0) -> None:
        self.now_s = now_s

    def __call__(self) -> float:
        return self.now_s


@pytest_asyncio.fixture
async def start_node(open_directory: OpenDirectory) -> AsyncIterator[StartNode]:
    """Starts a node of this name; `node.lost` has what was reported. All are closed in the end."""
    started: list[ClusterNode] = []

    async def start(
        name: str, clock: Callable[[], float] | None = None, takeover_s: float = 0, **how: Any
    ) -> ClusterNode:
        directory = open_directory(name, register=False, **how)
        lost: list[Mapping[str, int]] = []
        node = ClusterNode(directory, lost.append, LONG_S, clock or Hand(), takeover_s)
        node.lost = lost  # type: ignore[attr-defined]
        started.append(node)
        await node.start()
        await node.announce()
        return node

    yield start
    for node in started:
        await node.close()


async def test_a_node_that_was_killed_is_started_again_as_soon_as_its_lease_is_over(
    start_node: StartNode, address: PostgresAddress, monkeypatch: pytest.MonkeyPatch
) -> None:
    tries, register = list[str](), ClusterDirectory.register

    def count(directory: ClusterDirectory) -> int:
        tries.append(directory.me.instance)
        return register(directory)

    monkeypatch.setattr(ClusterDirectory, "register", count)
    monkeypatch.setattr(node_module, "TAKEOVER_POLL_S", 0.01)
    old = await start_node("a")
    await old.create("WOLF1-1", "WOLF1")
    starting = asyncio.create_task(start_node("a", takeover_s=1))  # by a clock that stands still
    while len(tries) < 4:
        assert not starting.done()
        await asyncio.sleep(0.01)
    pass_time(address, LONG_S + 1)
    new = await starting
    found = await new.claim("WOLF1")
    assert found
    assert (found.node, found.epoch) == ("a", 2)
    with pytest.raises(ClusterError, match="--takeover SECONDS waits for it"):
        await start_node("a")


async def test_rooms_that_others_own_now_are_reported_once(start_node: StartNode, address: PostgresAddress) -> None:
    a, b = await start_node("a"), await start_node("b")
    for code in ("WOLF1", "BEAR2"):
        await a.create(f"{code}-1", code)
    pass_time(address, LONG_S + 1)
    await b.renew()
    await b.claim("WOLF1")
    await a.renew()
    await a.renew()
    assert (a.lost, a.rooms, b.rooms) == ([{"WOLF1-1": 1}], {"BEAR2-1": 1}, {"WOLF1-1": 2})


async def test_clocks_that_are_hours_apart_do_not_matter(start_node: StartNode, address: PostgresAddress) -> None:
    clocks = {"a": Hand(0), "b": Hand(7 * HOUR_S), "c": Hand(-9 * HOUR_S)}
    nodes = {name: await start_node(name, clock) for name, clock in clocks.items()}
    assert [node.alive for node in nodes.values()] == [True] * 3
    await nodes["b"].create("WOLF1-1", "WOLF1")
    found = await asyncio.gather(*(node.claim("WOLF1") for node in nodes.values()))
    assert [place.node for place in found] == ["b"] * 3
    pass_time(address, LONG_S + 1)
    for name in "ac":
        await nodes[name].renew()
    found = await asyncio.gather(*(nodes[name].claim("WOLF1") for name in "ac"))
    (owner,) = {place.node for place in found}
    assert owner in "ac"


async def test_a_node_that_could_not_renew_claims_nothing_until_it_has(
    start_node: StartNode, postgres_server: PostgresServer, caplog: pytest.LogCaptureFixture
) -> None:
    clock = Hand()
    node = await start_node("a", clock, within_s=0.3)
    await node.create("WOLF1-1", "WOLF1")
    postgres_server.stop()
    for _ in range(2):
        with pytest.raises(LogError, match="PostgreSQL cannot be reached"):
            await node.renew()
    clock.now_s = LONG_S - 1
    assert node.alive
    clock.now_s = LONG_S + 1
    assert not node.alive
    postgres_server.start()
    for attempt in (node.claim("WOLF1"), node.create("BEAR2-2", "BEAR2")):
        with pytest.raises(ClusterError, match="node a has no valid lease"):
            await attempt
    await node.renew()
    assert node.alive
    assert (await node.claim("WOLF1")).epoch == 1
    assert node.lost == []
    assert caplog.messages == [
        "the node's leases are not renewed; it goes on trying",
        "the node's leases are renewed again",
    ]


async def test_a_slow_renewal_does_not_make_the_leases_look_longer(
    start_node: StartNode, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Hand()
    node = await start_node("a", clock)
    renew = ClusterDirectory.renew

    def slow(directory: ClusterDirectory, load: float) -> Any:
        renewal = renew(directory, load)
        clock.now_s += LONG_S + 1
        return renewal

    monkeypatch.setattr(ClusterDirectory, "renew", slow)
    await node.renew()
    assert not node.alive


async def test_a_node_that_was_replaced_loses_every_room_and_ends(
    start_node: StartNode, address: PostgresAddress
) -> None:
    old = await start_node("a")
    await old.create("WOLF1-1", "WOLF1")
    pass_time(address, LONG_S + 1)
    await start_node("a")
    with pytest.raises(NodeReplaced):
        await old.run()
    assert (old.lost, old.rooms, old.alive) == ([{"WOLF1-1": 1}], {}, False)


async def test_a_node_that_closes_leaves_its_rooms_to_others_at_once(start_node: StartNode) -> None:
    a, b = await start_node("a"), await start_node("b")
    await a.create("WOLF1-1", "WOLF1")
    await a.close()
    assert not a.alive
    assert (await b.claim("WOLF1")).node == "b"
    await a.close()


async def test_a_released_room_is_no_longer_here_and_not_reported_as_lost(start_node: StartNode) -> None:
    a, b = await start_node("a"), await start_node("b")
    await a.create("WOLF1-1", "WOLF1")
    await a.release({"WOLF1-1": 1})
    assert (await b.claim("WOLF1")).node == "b"
    await a.renew()
    assert (a.rooms, a.lost) == ({}, [])


async def test_a_room_that_was_claimed_although_the_request_was_cancelled_is_known(
    start_node: StartNode, monkeypatch: pytest.MonkeyPatch
) -> None:
    a = await start_node("a")
    begun, go_on, create = Event(), Event(), ClusterDirectory.create

    def slow(directory: ClusterDirectory, *values: Any) -> Any:
        begun.set()
        go_on.wait(TIMEOUT_S)
        return create(directory, *values)

    monkeypatch.setattr(ClusterDirectory, "create", slow)
    creating = asyncio.create_task(a.create("WOLF1-1", "WOLF1"))
    await asyncio.to_thread(begun.wait, TIMEOUT_S)
    creating.cancel()
    with suppress(asyncio.CancelledError):
        await creating
    go_on.set()
    await a.renew()
    assert a.rooms == {"WOLF1-1": 1}


async def test_the_event_loop_goes_on_and_calls_are_bounded_while_the_directory_does_not_answer(
    start_node: StartNode, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(node_module, "WAITING_MOST", 3)
    clock = Hand()
    node, go_on, asked = await start_node("a", clock), Event(), list[str]()

    def slow(_: ClusterDirectory, code: str) -> None:
        asked.append(code)
        go_on.wait(TIMEOUT_S)

    monkeypatch.setattr(ClusterDirectory, "find", slow)
    waiting = [asyncio.create_task(node.find(code)) for code in ("A", "B", "C")]
    while not asked:
        await asyncio.sleep(0)
    with pytest.raises(Overloaded):
        await node.find("D")
    clock.now_s += CALL_WITHIN_S + 1
    go_on.set()
    assert await waiting[0] is None
    for late in waiting[1:]:
        with pytest.raises(LogError, match="did not answer in time"):
            await late
    assert asked == ["A"]
    assert await node.find("E") is None


async def test_a_node_renews_several_times_while_a_lease_lasts_and_goes_on_after_a_failure(
    start_node: StartNode, monkeypatch: pytest.MonkeyPatch
) -> None:
    node = await start_node("a")
    loads, pauses, enough = list[float](), list[float](), asyncio.Event()

    async def pause(seconds: float) -> None:
        pauses.append(seconds)
        if len(pauses) == 4:
            enough.set()
            await asyncio.Event().wait()

    def renew(_: ClusterDirectory, load: float) -> Any:
        loads.append(load)
        if len(loads) == 2:
            raise LogError("away")
        return Renewal(len(loads) == 4, {}, 0.0)

    monkeypatch.setattr(ClusterDirectory, "renew", renew)
    monkeypatch.setattr("ratscrew.cluster.node.asyncio.sleep", pause)
    running = asyncio.create_task(node.run(lambda: 0.5))
    await enough.wait()
    running.cancel()
    assert (loads, pauses) == ([0.5] * 4, [LONG_S / 3] * 4)
    assert node.draining
    assert LEASE_S / node_module.RENEWALS_PER_LEASE == 1
