"""Nodes of a cluster share the limits of guesses, new rooms and seats: to ask several of them gains nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

import pytest

from ratscrew.cluster.directory import ClusterDirectory
from ratscrew.cluster.node import ClusterNode
from ratscrew.errors import LimitExceeded, LogError
from ratscrew.limits.guessing import ADDRESS, GuessLimiter
from ratscrew.limits.limits import LIMITS, Limits
from ratscrew.limits.shared_limits import SharedLimits
from ratscrew.log.postgres.address import PostgresAddress
from ratscrew.testing.clock import ManualClock
from tests.cluster.conftest import OpenDirectory
from tests.log.conftest import sql

CLIENT = "192.0.2.7"
NODES = 3


class Limited(NamedTuple):
    """A node with its limits."""

    node: ClusterNode
    shared: SharedLimits
    guesses: GuessLimiter
    limits: Limits

    def may_guess(self, address: str = CLIENT) -> bool:
        """Whether an address may try a code now; a wrong one."""
        try:
            self.guesses.charge(address)
        except LimitExceeded:
            return False
        return True

    def may_open(self) -> bool:
        """Whether the client may open a room now."""
        try:
            self.limits.take("rooms", CLIENT)
        except LimitExceeded:
            return False
        return True


Start: TypeAlias = Callable[[ManualClock], list[Limited]]


@pytest.fixture
def start(open_directory: OpenDirectory) -> Start:
    """Starts some nodes that have just been started, on one clock."""

    def start_nodes(clock: ManualClock) -> list[Limited]:
        found = []
        for name in "abc"[:NODES]:
            shared = SharedLimits(b"the same for all")
            shared.nodes = NODES
            node = ClusterNode(open_directory(name, within_s=5))
            found.append(Limited(node, shared, GuessLimiter(clock, shared=shared), Limits(clock, shared=shared)))
        return found

    return start_nodes


async def exchange(nodes: list[Limited]) -> None:
    """A second passes: every node tells the others, and then hears of all of them."""
    for _ in range(2):
        for each in nodes:
            await each.shared.exchange(each.node)


async def test_an_address_that_spreads_its_guesses_over_the_nodes_has_one_more_of_each_node(start: Start) -> None:
    clock = ManualClock(1)
    nodes = start(clock)
    asked = 0
    for _ in range(10):
        asked += sum(each.may_guess() for each in nodes for _ in range(2 * ADDRESS.most))
        await exchange(nodes)
    assert ADDRESS.most <= asked <= ADDRESS.most + NODES
    for _ in range(100):  # and no more in the long run
        clock.advance(int(ADDRESS.every_s * 1e6))
        asked += sum(each.may_guess() for each in nodes for _ in range(3))
        await exchange(nodes)
    assert ADDRESS.most + 100 - NODES <= asked <= ADDRESS.most + 100 + NODES


async def test_right_codes_cost_nothing_at_any_node(start: Start) -> None:
    nodes = start(ManualClock(1))
    for _ in range(5):
        for each in nodes:
            for _ in range(ADDRESS.most):
                each.guesses.charge(CLIENT).refund()
        await exchange(nodes)


async def test_rooms_that_an_address_opens_everywhere_at_once_are_a_debt_that_it_pays_everywhere(start: Start) -> None:
    """Each node lets through what one allows, before it hears of the others; then they wait as long as for all."""
    clock, limit = ManualClock(1), LIMITS["rooms"]
    nodes = start(clock)
    asked = sum(each.may_open() for each in nodes for _ in range(2 * limit.most))
    assert asked == NODES * limit.most
    await exchange(nodes)
    clock.advance(int((NODES - 1) * limit.most * limit.every_s * 1e6))
    assert not any(each.may_open() for each in nodes)
    clock.advance(int(limit.every_s * 1e6))
    assert nodes[0].may_open()


async def test_without_postgresql_each_node_has_its_own_limits_and_tells_the_others_later(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    nodes = start(ManualClock(1))
    first, second, _ = nodes

    def fail(*_: object) -> None:
        raise LogError("away")

    with monkeypatch.context() as patched:
        patched.setattr(ClusterDirectory, "exchange_charges", fail)
        asked = 0
        for _ in range(2 * ADDRESS.most):
            asked += first.may_guess()
            with pytest.raises(LogError):
                await first.shared.exchange(first.node)
        assert asked == ADDRESS.most
    assert second.may_guess()
    await exchange(nodes)
    assert not second.may_guess()


async def test_an_answer_that_was_lost_repeats_no_charge(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second, _ = start(ManualClock(1))
    publish = ClusterDirectory.exchange_charges

    def lose(*asked: object) -> None:
        publish(*asked)  # type: ignore[arg-type]
        raise LogError("lost")

    for _ in range(13):
        assert first.may_guess()
    with monkeypatch.context() as patched:
        patched.setattr(ClusterDirectory, "exchange_charges", lose)
        with pytest.raises(LogError):
            await first.shared.exchange(first.node)
    await exchange([first, second])
    second.shared.nodes = 1
    assert sum(second.may_guess() for _ in range(2 * ADDRESS.most)) == ADDRESS.most - 13


async def test_no_address_is_stored_and_nothing_for_long(start: Start, address: PostgresAddress) -> None:
    nodes = start(ManualClock(1))
    assert nodes[0].may_guess()
    await exchange(nodes)
    ((body,),) = sql(address, "SELECT body FROM ratscrew.charge")
    assert b"guess_address " in bytes(body)
    assert CLIENT.encode() not in bytes(body)
    sql(address, "UPDATE ratscrew.charge SET at = at - interval '1 minute'")
    await exchange(nodes)
    assert sql(address, "SELECT FROM ratscrew.charge") == []
