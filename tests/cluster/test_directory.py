"""Nodes and rooms in the directory: one owner for each room, by PostgreSQL's clock alone."""

from __future__ import annotations

import pytest

from ratscrew.cluster import directory as directory_module
from ratscrew.cluster.records import Placement
from ratscrew.errors import ClusterError, LogError, NodeReplaced
from ratscrew.game.codec import Codec
from ratscrew.log.postgres.address import PostgresAddress
from ratscrew.log.postgres.event_log import PostgresLog
from ratscrew.testing.postgres_server import PostgresServer
from tests.cluster.conftest import LEASE_S, OpenDirectory, pass_time
from tests.log.conftest import sql

DAY_S = 86400.0


# Nodes


def test_two_nodes_with_one_name_are_refused_while_the_first_is_alive(
    open_directory: OpenDirectory, address: PostgresAddress
) -> None:
    open_directory("a")
    second = open_directory("a", register=False)
    with pytest.raises(
        ClusterError, match=r"a node named a is alive at https://a\.example\.org: give each node a name"
    ):
        second.register()
    pass_time(address, LEASE_S - 100)
    with pytest.raises(ClusterError, match="a node named a is alive"):
        second.register()
    pass_time(address, 200)
    assert second.register() == 2


def test_a_node_that_left_can_be_started_again_at_once(open_directory: OpenDirectory) -> None:
    open_directory("a").leave()
    assert open_directory("a", register=False).register() == 2


def test_a_repeated_registration_is_the_same_node(open_directory: OpenDirectory) -> None:
    """As after a lost answer."""
    node = open_directory("a", register=False)
    assert [node.register(), node.register()] == [1, 1]


def test_a_process_that_was_replaced_finds_out_and_harms_nobody(
    open_directory: OpenDirectory, address: PostgresAddress
) -> None:
    """It was paused for longer than its lease, and another process was started under its name."""
    old = open_directory("a")
    old.create("WOLF1-1", "WOLF1")
    pass_time(address, LEASE_S + 1)
    new = open_directory("a")
    claimed = new.claim("WOLF1")
    assert claimed == Placement("WOLF1-1", 2, "a", "https://a.example.org")
    with pytest.raises(NodeReplaced, match="another process has registered as node a"):
        old.renew()
    with pytest.raises(ClusterError, match="node a has no valid lease"):
        old.create("BEAR2-2", "BEAR2")
    old.release({"WOLF1-1": 1})
    old.leave()
    assert new.renew().rooms == {"WOLF1-1": 2}
    assert new.find("WOLF1") == claimed


def test_a_node_that_ended_is_forgotten_after_a_day_and_one_that_is_alive_never(
    open_directory: OpenDirectory, address: PostgresAddress
) -> None:
    left, _, alive = open_directory("a"), open_directory("b"), open_directory("c")
    left.leave()
    pass_time(address, DAY_S - 60)
    alive.renew()
    assert alive.forget_nodes(DAY_S) == 0
    pass_time(address, 120)
    alive.renew()
    assert alive.forget_nodes(DAY_S) == 2
    assert [node.name for node in alive.nodes()] == ["c"]


def test_the_nodes_are_listed_with_their_leases(open_directory: OpenDirectory, address: PostgresAddress) -> None:
    a, b = open_directory("a"), open_directory("b")
    a.create("WOLF1-1", "WOLF1")
    pass_time(address, LEASE_S + 1)
    b.renew(0.25)
    b.create("BEAR2-2", "BEAR2")
    b.create("LION3-3", "LION3")  # reserved, and not opened: it is no room yet, and the next one is another's
    for game in ("BEAR2-2-0", "BEAR2-2-1", "LION3-33-0"):
        sql(address, "INSERT INTO ratscrew.game (name, place, version) VALUES (%s, 1, 1)", game)
    first, second = a.nodes()
    assert (first.name, first.epoch, first.alive, first.rooms) == ("a", 1, False, 0)
    assert (second.url, second.alive, second.rooms, second.load, second.version) == (
        "https://b.example.org",
        True,
        1,
        0.25,
        "1.0",
    )
    assert 0 < second.left_s <= LEASE_S
    b.leave()
    assert [node.alive for node in a.nodes()] == [False, False]


def test_a_draining_node_keeps_its_rooms_and_takes_no_more(open_directory: OpenDirectory) -> None:
    a, b = open_directory("a"), open_directory("b")
    a.create("WOLF1-1", "WOLF1")
    b.create("BEAR2-2", "BEAR2")
    assert b.set_draining("a")
    assert a.renew()[:2] == (True, {"WOLF1-1": 1})
    b.release({"BEAR2-2": 1})
    for attempt in (lambda: a.claim("BEAR2"), lambda: a.create("LION3-3", "LION3")):
        with pytest.raises(ClusterError, match="node a is draining: it takes no more rooms"):
            attempt()
    assert b.claim("BEAR2") == ("BEAR2-2", 2, "b", "https://b.example.org")
    assert b.set_draining("a", False)
    assert a.create("LION3-3", "LION3") == 1
    assert not b.set_draining("unknown")


def test_a_lease_is_three_seconds_by_default(address: PostgresAddress, open_directory: OpenDirectory) -> None:
    node = open_directory("a", lease_s=directory_module.LEASE_S)
    node.create("WOLF1-1", "WOLF1")
    node.renew()
    ((lasts,),) = sql(address, "SELECT extract(epoch FROM alive_until - now())::float8 FROM ratscrew.node")
    assert directory_module.LEASE_S == 3
    assert lasts <= 3
    assert sql(address, "SELECT alive_until = lease_until FROM ratscrew.node, ratscrew.room") == [(True,)]


# Leases


def test_a_room_is_claimed_only_when_its_lease_has_expired(
    open_directory: OpenDirectory, address: PostgresAddress
) -> None:
    a, b = open_directory("a"), open_directory("b")
    assert a.create("WOLF1-1", "WOLF1") == 1
    at_a = Placement("WOLF1-1", 1, "a", "https://a.example.org")
    assert b.claim("WOLF1") == b.find("WOLF1") == at_a
    pass_time(address, LEASE_S - 100)
    b.renew()
    assert b.claim("WOLF1") == at_a
    pass_time(address, 200)
    assert b.find("WOLF1") == Placement("WOLF1-1", 1, None, None)
    assert b.claim("WOLF1") == a.find("WOLF1") == Placement("WOLF1-1", 2, "b", "https://b.example.org")
    assert a.renew().rooms == {}


def test_a_renewal_extends_every_lease_of_the_node_and_no_other(
    open_directory: OpenDirectory, address: PostgresAddress
) -> None:
    a, b = open_directory("a"), open_directory("b")
    for number in range(5):
        a.create(f"WOLF{number}-1", f"WOLF{number}")
        b.create(f"BEAR{number}-1", f"BEAR{number}")
    pass_time(address, LEASE_S - 100)
    assert a.renew()[:2] == (False, {f"WOLF{number}-1": 1 for number in range(5)})
    pass_time(address, 200)
    assert all((found := b.find(f"WOLF{number}")) and found.node == "a" for number in range(5))
    assert all((found := a.claim(f"BEAR{number}")) and found.node == "a" for number in range(5))


def test_all_rooms_of_a_dead_node_can_be_claimed_when_its_lease_is_over(
    open_directory: OpenDirectory, address: PostgresAddress
) -> None:
    """Also those that it claimed just before its end, and those whose owner comes back too late."""
    a, b = open_directory("a"), open_directory("b")
    a.create("WOLF1-1", "WOLF1")
    pass_time(address, LEASE_S - 1)
    b.renew()
    a.create("BEAR2-2", "BEAR2")
    b.create("LION3-3", "LION3")
    b.release({"LION3-3": 1})
    a.claim("LION3")
    pass_time(address, 2)
    for code, epoch in (("WOLF1", 2), ("BEAR2", 2), ("LION3", 3)):
        claimed = b.claim(code)
        assert claimed
        assert (claimed.node, claimed.epoch) == ("b", epoch)
    assert a.renew().rooms == {}


def test_a_node_that_comes_back_keeps_the_rooms_that_nobody_has_claimed(
    open_directory: OpenDirectory, address: PostgresAddress
) -> None:
    """As after a restart of PostgreSQL, during which no node could renew."""
    a, b = open_directory("a"), open_directory("b")
    a.create("WOLF1-1", "WOLF1")
    a.create("BEAR2-2", "BEAR2")
    pass_time(address, LEASE_S + 1)
    b.renew()
    b.claim("WOLF1")
    assert a.renew().rooms == {"BEAR2-2": 1}


def test_a_node_without_a_valid_lease_claims_nothing(open_directory: OpenDirectory, address: PostgresAddress) -> None:
    """It was paused, and claims before it renews."""
    a, b = open_directory("a"), open_directory("b")
    a.create("WOLF1-1", "WOLF1")
    pass_time(address, LEASE_S + 1)
    for attempt in (lambda: b.claim("WOLF1"), lambda: b.create("BEAR2-2", "BEAR2")):
        with pytest.raises(ClusterError, match="node b has no valid lease: it could not renew it in time"):
            attempt()
    b.renew()
    assert b.claim("WOLF1") == ("WOLF1-1", 2, "b", "https://b.example.org")


def test_a_released_room_is_free_at_once_and_a_stale_release_does_nothing(open_directory: OpenDirectory) -> None:
    a, b = open_directory("a"), open_directory("b")
    a.create("WOLF1-1", "WOLF1")
    a.release({"WOLF1-1": 1})
    assert a.claim("WOLF1") == ("WOLF1-1", 2, "a", "https://a.example.org")
    a.release({"WOLF1-1": 1})
    b.release({"WOLF1-1": 2})
    assert a.renew().rooms == {"WOLF1-1": 2}


def test_a_claim_whose_answer_was_lost_is_not_made_twice(open_directory: OpenDirectory) -> None:
    a, b = open_directory("a"), open_directory("b")
    a.create("WOLF1-1", "WOLF1")
    a.release({"WOLF1-1": 1})
    assert b.claim("WOLF1") == b.claim("WOLF1") == ("WOLF1-1", 2, "b", "https://b.example.org")


# Codes


def test_a_code_is_unique_among_active_rooms(open_directory: OpenDirectory, address: PostgresAddress) -> None:
    a, b = open_directory("a"), open_directory("b")
    assert a.create("WOLF1-1", "WOLF1") == 1
    assert b.create("WOLF1-2", "WOLF1") is None
    a.leave()
    pass_time(address, LEASE_S / 2)
    assert b.retire(kept_s=100, unplayed_kept_s=100) == 1
    assert b.create("WOLF1-2", "WOLF1") == 1
    assert a.find("WOLF1") == ("WOLF1-2", 1, "b", "https://b.example.org")


def test_a_room_whose_creation_was_not_answered_is_not_created_twice(
    open_directory: OpenDirectory, address: PostgresAddress
) -> None:
    a, b = open_directory("a"), open_directory("b")
    assert [a.create("WOLF1-1", "WOLF1"), a.create("WOLF1-1", "WOLF1")] == [1, 1]
    assert b.create("WOLF1-1", "WOLF1") is None
    assert sql(address, "SELECT count(*) FROM ratscrew.room") == [(1,)]


def test_a_code_is_kept_by_its_rooms_last_use(open_directory: OpenDirectory, address: PostgresAddress) -> None:
    from ratscrew.cluster.records import RoomState

    a = open_directory("a")
    for room in ("PLAYED1-1", "UNPLAYED1-1", "OWNED1-1", "USED1-1"):
        a.create(room, room.partition("-")[0])
    a.publish([RoomState("PLAYED1-1", 1, played=True)])
    pass_time(address, 15 * DAY_S)
    a.renew()
    a.publish([RoomState("USED1-1", 1, used=True)])
    a.release(dict.fromkeys(("PLAYED1-1", "UNPLAYED1-1", "USED1-1"), 1))
    assert a.retire(kept_s=16 * DAY_S, unplayed_kept_s=3600) == 1
    assert a.codes_in_use() == {len("PLAYED1"): 1, len("OWNED1"): 1, len("USED1"): 1}
    assert a.find("UNPLAYED1") is None
    pass_time(address, 2 * DAY_S)
    a.renew()
    assert a.retire(kept_s=16 * DAY_S, unplayed_kept_s=3 * DAY_S) == 1
    assert (a.find("PLAYED1"), a.find("USED1") is None) == (None, False)


def test_an_unknown_code_leads_nowhere(open_directory: OpenDirectory) -> None:
    a = open_directory("a")
    assert (a.find("WOLF1"), a.claim("WOLF1")) == (None, None)


def test_the_rooms_of_a_server_without_a_cluster_are_adopted_once(
    open_directory: OpenDirectory, address: PostgresAddress
) -> None:
    log = PostgresLog(address, Codec[str](str))
    for game in ("WOLF1234-5f-0", "WOLF1234-5f-1", "BEAR-1-1", "BEAR-2-1", "LION7777-9-1"):
        log.append(game, 0, ["x"])
    log.close()
    a = open_directory("a")
    a.create("LION7777-9", "LION7777")
    assert [a.adopt_rooms(), a.adopt_rooms()] == [2, 0]
    assert a.claim("WOLF1234") == ("WOLF1234-5f", 1, "a", "https://a.example.org")
    assert a.claim("BEAR") == ("BEAR-2", 1, "a", "https://a.example.org")


# PostgreSQL


def test_a_directory_needs_the_tables_of_its_version(
    open_directory: OpenDirectory, postgres_server: PostgresServer
) -> None:
    empty = PostgresAddress(postgres_server.url(postgres_server.create_database()))
    with pytest.raises(LogError, match="create them by `ratscrew migrate`"):
        open_directory("a", at=empty)


def test_calls_survive_a_restart_of_postgresql(open_directory: OpenDirectory, postgres_server: PostgresServer) -> None:
    a = open_directory("a")
    a.create("WOLF1-1", "WOLF1")
    postgres_server.stop()
    postgres_server.start()
    assert a.renew().rooms == {"WOLF1-1": 1}


def test_a_call_ends_in_time_if_postgresql_is_away(
    open_directory: OpenDirectory, postgres_server: PostgresServer
) -> None:
    a = open_directory("a", within_s=0.3)
    postgres_server.stop()
    try:
        for attempt in (a.renew, a.register, lambda: a.claim("WOLF1"), lambda: a.create("WOLF1-1", "WOLF1")):
            with pytest.raises(LogError, match="PostgreSQL cannot be reached"):
                attempt()
    finally:
        postgres_server.start()


@pytest.mark.parametrize("zone", ["Asia/Tokyo", "America/New_York"])
def test_the_time_zone_of_a_node_does_not_matter(
    open_directory: OpenDirectory, address: PostgresAddress, zone: str
) -> None:
    a, b = open_directory("a"), open_directory("b", at=PostgresAddress(f"{address.url}&options=-ctimezone%3D{zone}"))
    a.create("WOLF1-1", "WOLF1")
    assert b.claim("WOLF1") == ("WOLF1-1", 1, "a", "https://a.example.org")
    pass_time(address, LEASE_S - 100)
    b.renew()
    pass_time(address, 200)
    a.renew()
    b.create("BEAR2-2", "BEAR2")
    assert a.claim("BEAR2") == ("BEAR2-2", 1, "b", "https://b.example.org")
