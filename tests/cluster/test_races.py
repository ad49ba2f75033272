"""Nodes that race for the same rooms, from several connections: one owner for each epoch, and epochs only rise."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from threading import Barrier
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ratscrew.cluster.directory import ClusterDirectory
from ratscrew.cluster.records import NodeIdentity, Placement
from ratscrew.errors import ClusterError
from ratscrew.log.postgres.address import PostgresAddress
from ratscrew.testing.postgres_server import PostgresServer
from tests.cluster.conftest import LEASE_S, OpenDirectory, pass_time
from tests.log.conftest import sql

if TYPE_CHECKING:
    from collections.abc import Sequence

TIMEOUT_S = 60
ROOMS = 100


def at_once(works: Sequence[Callable[[], Any]]) -> list[Any]:
    """The results of functions that begin at the same moment, each in a thread of its own."""
    start = Barrier(len(works))

    def run(work: Callable[[], Any]) -> Any:
        start.wait(TIMEOUT_S)
        return work()

    with ThreadPoolExecutor(len(works)) as threads:
        return list(threads.map(run, works))


def test_a_room_requested_at_three_nodes_at_the_same_moment_has_one_owner(
    open_directory: OpenDirectory, address: PostgresAddress
) -> None:
    """All rooms of a dead node at once, each node in an order of its own."""
    dead, chance = open_directory("dead"), random.Random(7)
    codes = [f"WOLF{number}" for number in range(ROOMS)]
    for code in codes:
        dead.create(f"{code}-1", code)
    pass_time(address, LEASE_S + 1)
    nodes = [open_directory(name) for name in "abc"]
    orders = [chance.sample(codes, ROOMS) for _ in nodes]

    def claim_all(node: ClusterDirectory, order: list[str]) -> dict[str, Placement | None]:
        return {code: node.claim(code) for code in order}

    found = at_once([partial(claim_all, *each) for each in zip(nodes, orders, strict=True)])
    for code in codes:
        (one,) = {each[code] for each in found}
        assert one == nodes[0].find(code)
        assert one.epoch == 2
    owned = [node.renew().rooms for node in nodes]
    assert sum(map(len, owned)) == ROOMS
    assert sum(bool(rooms) for rooms in owned) > 1, "they did not race"


def test_a_code_that_three_nodes_want_at_the_same_moment_leads_to_one_room(open_directory: OpenDirectory) -> None:
    nodes = [open_directory(name) for name in "abc"]
    for number in range(30):
        epochs = at_once(
            [partial(node.create, f"WOLF{number}-{place}", f"WOLF{number}") for place, node in enumerate(nodes)]
        )
        assert sorted(epochs, key=str) == [1, None, None]


def test_of_two_processes_that_start_with_one_name_at_the_same_moment_one_is_refused(
    open_directory: OpenDirectory,
) -> None:
    for number in range(10):
        pair = [open_directory(f"n{number}", register=False) for _ in range(2)]

        def register(node: ClusterDirectory) -> bool:
            with suppress(ClusterError):
                return bool(node.register())
            return False

        assert sorted(at_once([partial(register, node) for node in pair])) == [False, True]


def test_each_epoch_of_a_room_has_one_owner_whatever_happens(
    open_directory: OpenDirectory, address: PostgresAddress
) -> None:
    """Five nodes claim, release, renew, forget to renew, leave and come back, while time passes in leaps."""
    names, codes = "abcde", [f"WOLF{number}" for number in range(8)]
    maker = open_directory("maker")
    for code in codes:
        maker.create(f"{code}-1", code)
    maker.leave()

    def live(name: str) -> list[tuple[str, int, str]]:
        """Returns the claims that this node made, in its order."""
        chance, node, won = random.Random(name), open_directory(name), list[tuple[str, int, str]]()
        held: dict[str, int] = {}
        for _ in range(150):
            match chance.choice(["claim", "claim", "claim", "release", "renew", "time", "leave"]):
                case "claim":
                    with suppress(ClusterError):
                        placement = node.claim(chance.choice(codes))
                        assert placement
                        if placement.node == name and held.get(placement.room) != placement.epoch:
                            held[placement.room] = placement.epoch
                            won.append((placement.room, placement.epoch, name))
                case "release" if held:
                    room = chance.choice(list(held))
                    node.release({room: held.pop(room)})
                case "renew":
                    renewed = node.renew().rooms
                    assert renewed.items() <= held.items()
                    held = renewed
                case "time":
                    pass_time(address, LEASE_S / 3)
                case "leave" if chance.random() < 0.2:
                    node.leave()
                    node.register()
                    node.announce()
                    held = {}
        return won

    claims = [claim for won in at_once([partial(live, name) for name in names]) for claim in won]
    last = dict(sql(address, "SELECT name, epoch FROM ratscrew.room"))
    assert len(claims) > 100
    for code in codes:
        room = f"{code}-1"
        epochs = sorted(epoch for each, epoch, _ in claims if each == room)
        assert epochs == list(range(2, last[room] + 1)), "an epoch has two owners, or none"
    for name in names:
        for code in codes:
            own = [epoch for room, epoch, owner in claims if (room, owner) == (f"{code}-1", name)]
            assert own == sorted(own)


# Against a model


class Model:
    """One cluster with a clock of its own: who owns which room until when."""

    def __init__(self, names: str) -> None:
        self.now = 0.0
        self.alive = dict.fromkeys(names, LEASE_S)
        self.rooms: dict[str, tuple[str | None, int, float]] = {}

    def claim(self, name: str, code: str) -> tuple[int, str | None] | type[ClusterError] | None:
        """The epoch and the owner of a room afterwards."""
        if code not in self.rooms:
            return None
        owner, epoch, until = self.rooms[code]
        if until > self.now:
            return epoch, owner
        if self.alive[name] <= self.now:
            return ClusterError
        self.rooms[code] = (name, epoch + 1, self.alive[name])
        return epoch + 1, name

    def create(self, name: str, code: str) -> int | type[ClusterError] | None:
        """The epoch of a new room."""
        if self.alive[name] <= self.now:
            owner = self.rooms.get(code, (None, 0, 0))[0]
            return self.rooms[code][1] if owner == name else ClusterError
        if code in self.rooms:
            return self.rooms[code][1] if self.rooms[code][0] == name else None
        self.rooms[code] = (name, 1, self.alive[name])
        return 1

    def renew(self, name: str) -> dict[str, int]:
        """The rooms of a node."""
        self.alive[name] = self.now + LEASE_S
        own = {code: epoch for code, (owner, epoch, _) in self.rooms.items() if owner == name}
        self.rooms |= {code: (name, epoch, self.alive[name]) for code, epoch in own.items()}
        return own

    def release(self, name: str, code: str, epoch: int) -> None:
        """A node gives up a room."""
        if self.rooms.get(code, (None, 0, 0.0))[:2] == (name, epoch):
            self.rooms[code] = (None, epoch, -1)


@pytest.fixture(scope="module")
def shared_nodes(postgres_server: PostgresServer) -> Iterator[tuple[PostgresAddress, dict[str, ClusterDirectory]]]:
    """Three nodes of one cluster, emptied before each example."""
    address = postgres_server.create_log()
    nodes = {
        name: ClusterDirectory(address, NodeIdentity(name, f"https://{name}", name, "1"), LEASE_S, 30) for name in "abc"
    }
    yield address, nodes
    for node in nodes.values():
        node.close()


nodes_of, codes_of = st.sampled_from("abc"), st.sampled_from(["WOLF1", "BEAR2"])
steps = st.one_of(
    st.tuples(st.just("claim"), nodes_of, codes_of),
    st.tuples(st.just("create"), nodes_of, codes_of),
    st.tuples(st.just("renew"), nodes_of),
    st.tuples(st.just("release"), nodes_of, codes_of, st.integers(1, 4)),
    st.tuples(st.just("time"), st.sampled_from([LEASE_S * 0.4, LEASE_S * 0.7, LEASE_S * 1.5])),
)


@given(st.lists(steps, max_size=25))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_leases_are_those_of_a_model(
    shared_nodes: tuple[PostgresAddress, dict[str, ClusterDirectory]], steps: list[Any]
) -> None:
    address, nodes = shared_nodes
    sql(address, "TRUNCATE ratscrew.node, ratscrew.room")
    for node in nodes.values():
        node.register()
        node.announce()
    model = Model("abc")

    def attempt(work: Callable[[], Any]) -> Any:
        try:
            return work()
        except ClusterError:
            return ClusterError

    for step in steps:
        match step:
            case "claim", name, code:
                found = attempt(partial(nodes[name].claim, code))
                if isinstance(found, Placement):
                    found = (found.epoch, found.node)
                assert found == model.claim(name, code)
            case "create", name, code:
                found = attempt(partial(nodes[name].create, f"{code}-1", code))
                assert found == model.create(name, code)
            case "renew", name:
                expected = {f"{code}-1": epoch for code, epoch in model.renew(name).items()}
                assert nodes[name].renew().rooms == expected
            case "release", name, code, epoch:
                nodes[name].release({f"{code}-1": epoch})
                model.release(name, code, epoch)
            case "time", seconds:
                pass_time(address, seconds)
                model.now += seconds
