"""Real processes: one that is killed, and one that is paused and wakes too late."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import TypeAlias

import pytest

from ratscrew.cluster.directory import ClusterDirectory
from ratscrew.cluster.node import ClusterNode
from ratscrew.cluster.records import NodeIdentity, Placement
from ratscrew.errors import ClusterError
from ratscrew.log.postgres.address import PostgresAddress
from tests.cluster.conftest import OpenDirectory

LEASE_S = 0.6
ROOMS = 20

StartProcess: TypeAlias = "Callable[[str], subprocess.Popen[str]]"


@pytest.fixture
def start_process(address: PostgresAddress) -> Iterator[StartProcess]:
    """Starts a node of this name with some rooms in a process of its own, and waits until it has them."""
    started: list[subprocess.Popen[str]] = []

    def start(name: str) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.cluster.test_processes", address.url, name],
            stdout=subprocess.PIPE,
            text=True,
        )
        started.append(process)
        assert process.stdout
        assert process.stdout.readline() == "ready\n"
        return process

    yield start
    for process in started:
        process.kill()
        process.wait()
        assert process.stdout
        process.stdout.close()


def claim_all(node: ClusterDirectory) -> list[Placement]:
    """Claim every room as soon as that is possible."""
    found = list[Placement]()
    for number in range(ROOMS):
        while True:
            node.renew()
            placement = node.claim(f"WOLF{number}")
            assert placement
            if placement.node == node.me.name:
                found.append(placement)
                break
            assert (placement.node, placement.epoch) == ("a", 1)
            time.sleep(0.02)
    return found


def test_every_room_of_a_killed_process_is_claimed_after_its_lease(
    start_process: StartProcess, open_directory: OpenDirectory
) -> None:
    process, other = start_process("a"), open_directory("b", lease_s=LEASE_S)
    process.kill()
    assert [placement.epoch for placement in claim_all(other)] == [2] * ROOMS
    assert open_directory("a", register=False, lease_s=LEASE_S).register() == 2


def test_a_process_that_wakes_after_its_lease_finds_its_rooms_lost_and_takes_none_back(
    start_process: StartProcess, open_directory: OpenDirectory
) -> None:
    process, other = start_process("a"), open_directory("b", lease_s=1000)
    os.kill(process.pid, signal.SIGSTOP)
    claimed = claim_all(other)
    os.kill(process.pid, signal.SIGCONT)
    assert process.stdout
    assert process.stdout.readline() == f"lost {ROOMS}\n"
    assert process.stdout.readline() == "now 0\n"
    assert [other.find(f"WOLF{number}") for number in range(ROOMS)] == claimed


async def live(url: str, name: str) -> None:
    """A node with some rooms; prints what it loses, and what it has then."""
    me = NodeIdentity(name, "https://a.example.org", f"{os.getpid()}", "1")
    with closing(ClusterDirectory(PostgresAddress(url), me, LEASE_S)) as directory:
        node = ClusterNode(directory, lambda lost: print("lost", len(lost), flush=True), LEASE_S)
        await node.start()
        await node.announce()
        running = asyncio.create_task(node.run())
        for number in range(ROOMS):
            await node.create(f"WOLF{number}-1", f"WOLF{number}")
        print("ready", flush=True)
        while node.rooms:
            await asyncio.sleep(0.01)
        for number in range(ROOMS):
            try:
                await node.claim(f"WOLF{number}")
            except ClusterError as error:
                print(error, flush=True)
        print("now", len(node.rooms), flush=True)
        await running


if __name__ == "__main__":
    asyncio.run(live(*sys.argv[1:]))
