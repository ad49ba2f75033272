"""Workers of one machine share an address: connections reach the owner of their room with the kernel's round trip."""

from __future__ import annotations

import asyncio
import hashlib
import os
import re
import signal
import time
from pathlib import Path
from threading import Thread
from typing import Any
from unittest.mock import AsyncMock

import pytest
from aiohttp.test_utils import make_mocked_request
from typer.testing import CliRunner

from ratscrew.cli import app
from ratscrew.cli.server import worker_processes
from ratscrew.errors import ClusterError, RatscrewError
from ratscrew.log.postgres.address import PostgresAddress
from ratscrew.protocol.player_connection import PlayerConnection
from ratscrew.protocol.tcp_info import OwnConnection
from ratscrew.testing.ports import free_port
from ratscrew.web.api.seats import row
from ratscrew.web.edge.socket_passing import SOCKET_PASSING
from ratscrew.web.http.responses import error_response
from tests.cli.process import Server as Process
from tests.cli.process import children, said, starting
from tests.cluster.conftest import OpenDirectory
from tests.cluster.servers import Browser, Server, browsing, receive

KEYS = [
    [key for n in range(100) if hashlib.sha256((key := f"{n:030}").encode()).digest()[7] % 2 == which]
    for which in (0, 1)
]
"""Idempotency keys whose requests belong to the first and to the second of two workers."""


async def open_at(browser: Browser, server: Server, **asked: Any) -> str:
    """Open a room at this worker: without a key a request stays where it arrives."""
    home, browser.home = browser.home, server
    code = await browser.open(**asked)
    browser.home = home
    assert [room.table.room.partition("-")[0] for room in server.rooms].count(code) == 1
    return code


def taken(server: Server) -> int:
    """How many connections a worker has taken over."""
    return server.app[SOCKET_PASSING].taken


async def test_a_socket_is_passed_to_the_owner_of_its_room_where_the_judge_reads_its_own_round_trip(
    workers: tuple[Server, Server],
) -> None:
    for owner, other in (workers, workers[::-1]):
        async with browsing(other) as browser:
            await open_at(browser, owner, wait=True, bots=0)
            before = taken(owner)
            page = await browser.connect()
            welcome = await receive(page)
            assert (welcome["t"], welcome["you"], taken(owner)) == ("welcome", 0, before + 1)
            await page.send_json({"t": "bot", "strength": "steady", "s": 1})
            (room,) = owner.rooms
            while len(room.table.seats) < 2:
                await asyncio.sleep(0.01)
            connection = room.subscriber_at(0)
            assert isinstance(connection, PlayerConnection)
            kernel = connection._rtt_probe._connection
            own = page.get_extra_info("socket")
            assert isinstance(kernel, OwnConnection)
            assert kernel.socket.getpeername() == own.getsockname()
            assert (connection._rtt_probe.kernel_us or 0) > 0


async def test_requests_for_a_room_are_passed_on_too_and_one_connection_goes_on_from_worker_to_worker(
    workers: tuple[Server, Server],
) -> None:
    first, second = workers
    async with browsing(first) as ana, browsing(first) as bo:
        codes = [await open_at(ana, worker, wait=True, bots=0) for worker in (first, second, first, second)]
        counts = [taken(first), taken(second)]
        for code in codes:
            assert (await bo.post(f"/api/rooms/{code}/seats", {"name": "Bo"}))["seat"] == 1
        assert [taken(first) - counts[0], taken(second) - counts[1]] == [1, 2]
        assert sorted(len(room.table.seats) for worker in workers for room in worker.rooms) == [2, 2, 2, 2]
        await bo.post(f"/api/rooms/{codes[0]}/seats", {"name": 7}, 400)


async def test_rooms_of_pages_are_spread_evenly_although_all_belong_to_one_worker_by_their_keys(
    workers: tuple[Server, Server],
) -> None:
    for key_of_first in KEYS[0][:8]:
        async with browsing(workers[0]) as browser:
            key = {"Idempotency-Key": key_of_first}
            joined = await browser.post("/api/rooms", {"name": "Ana", "bots": 2}, 201, **key)
            for worker in workers:
                await worker.cluster._refresh()
            assert await browser.post("/api/rooms", {"name": "Ana", "bots": 2}, 201, **key) == joined
    assert [len(worker.rooms) for worker in workers] in ([4, 4], [5, 3], [3, 5])


@pytest.mark.parametrize(("path", "bots"), [("/api/rooms", {"bots": 2}), ("/api/quick", {})])
async def test_a_repeated_request_for_a_room_opens_one_wherever_it_arrives(
    workers: tuple[Server, Server], path: str, bots: dict[str, int]
) -> None:
    for number in range(4):
        async with browsing(workers[0]) as browser:
            key, body = {"Idempotency-Key": f"{number:030}"}, {"name": f"Ana {number}", **bots}
            answers = []
            for worker in (*workers, *workers[::-1]):
                browser.home = worker
                answers.append(await browser.post(path, body, 201, **key))
            assert answers == answers[:1] * 4
    assert all(taken(worker) for worker in workers)


async def test_a_repeated_request_for_a_seat_among_strangers_finds_them_although_the_table_is_full_meanwhile(
    workers: tuple[Server, Server], monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = workers
    async with browsing(second) as ana, browsing(first) as bo:
        ana.sit(await ana.post("/api/quick", {"name": "Ana"}))
        await ana.follow()
        await second.cluster.rooms.publish(row)
        key = {"Idempotency-Key": KEYS[0][0]}
        found = await bo.post("/api/quick", {"name": "Bo"}, 201, **key)
        assert (found["room"], found["seat"]) == (ana.code, 1)
        monkeypatch.setattr(first.cluster.rooms, "find_strangers", AsyncMock(return_value=None))
        async with browsing(first) as again:
            assert await again.post("/api/quick", {"name": "Bo"}, 201, **key) == found


async def test_requests_of_one_packet_and_in_several_ones_are_passed_on_whole(workers: tuple[Server, Server]) -> None:
    first, second = workers
    async with browsing(first) as browser:
        code = await open_at(browser, second)
        reader, writer = await asyncio.open_connection("127.0.0.1", int(first.url.rpartition(":")[2]))
        host = f"Host: {first.url.rpartition('/')[2]}\r\n"
        body = b'{"player_ids": [0]}'
        asked = f"POST /api/rooms/{code}/pass HTTP/1.1\r\n{host}Content-Length: {len(body)}\r\n\r\n".encode() + body
        health = f"GET /api/health HTTP/1.1\r\n{host}\r\n".encode()
        for part in (health + asked[:30], asked[30:] + health):  # two requests in one packet, and one in two
            writer.write(part)
            await reader.readuntil(b'{"ok":true,"rooms":')
            rooms = await reader.readexactly(1)
        assert rooms == b"1"  # so it is the other worker that answers on this connection now
        writer.close()
    assert taken(second) == 1


# Real processes


async def test_workers_behind_one_port_pass_sockets_to_each_other_and_one_that_is_killed_comes_back(
    address: PostgresAddress, tmp_path: Path, open_directory: OpenDirectory
) -> None:
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    words = ["--port", str(port), "--public-url", url, "--node", "m", "--workers", "2", "--log", address.url]
    directory = open_directory("watcher", register=False)
    with starting(tmp_path, *words, "--log-level", "debug") as process:
        assert said(process) == f"Ratscrew is at {url}/\n"
        owners: dict[str, str] = {}
        home: Any = Server("m", url, None, None)  # type: ignore[arg-type]
        passed, log = set[str](), list[str]()
        Thread(target=collect, args=(process, log), daemon=True).start()
        for name in ("m.1", "m.2"):  # until then one may take the other for a worker that has not started yet
            while not any(f"that take rooms have changed node={name} nodes=m.1,m.2" in line for line in log):
                await asyncio.sleep(0.02)
        async with browsing(home) as ana:
            for key, *_ in KEYS:
                code = ana.sit(
                    await ana.post("/api/rooms", {"name": "Ana", "bots": 2}, 201, **{"Idempotency-Key": key})
                )
                placement = directory.find(code)
                assert placement
                owners[code] = str(placement.node)
            assert list(owners.values()) == ["m.1", "m.2"]
            while passed != {"m.1", "m.2"}:
                for ana.code in owners:
                    page = await ana.connect()
                    assert (await receive(page))["t"] == "welcome"
                    await page.close()
                passed = {found[1] for line in log if (found := re.search(r"passed on to=(m\.\d) .*/socket$", line))}
            workers = children(process.pid)
            os.kill(workers[0], signal.SIGKILL)
            ana.code = next(code for code, owner in owners.items() if owner == "m.1")
            _, welcome = await ana.follow()
            assert welcome["epoch"] == 2
            while not any("a worker has ended, and is started anew worker=m.1" in line for line in log):
                await asyncio.sleep(0.02)
            while not (now := directory.nodes()[0]).alive or now.epoch != 1 or len(children(process.pid)) < 2:
                await asyncio.sleep(0.02)
            assert workers[1] in children(process.pid)
        process.terminate()
        assert process.wait(30) == 0
    assert not any(node.alive for node in directory.nodes())


def test_workers_end_when_the_process_that_started_them_is_killed(
    address: PostgresAddress, tmp_path: Path, open_directory: OpenDirectory
) -> None:
    port = free_port()
    words = ["--port", str(port), "--public-url", f"http://127.0.0.1:{port}", "--node", "m", "--workers", "2"]
    directory = open_directory("watcher", register=False)
    with starting(tmp_path, *words, "--log", address.url) as process:
        said(process)
        assert [node.alive for node in directory.nodes()] == [True, True]
        process.kill()
        while any(node.left_s > float("-inf") for node in directory.nodes()):  # both have left, and not just expired
            time.sleep(0.02)


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["--workers", "2"], "several processes share a PostgreSQL as nodes of a cluster; add --node NAME"),
        (["--workers", "0"], "greater than or equal to 1"),
        (["--workers", "2", "--node", "a", "--public-url", "http://a.example"], "--log postgresql://"),
    ],
)
def test_several_workers_need_a_cluster(words: list[str], problem: str) -> None:
    found = CliRunner().invoke(app, ["serve", *words])
    assert found.exit_code
    assert problem in f"{found.output} {found.exception}"


def test_several_workers_need_a_system_that_passes_sockets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_processes, "SUPPORTED", False)
    with pytest.raises(RatscrewError, match="SCM_RIGHTS"):
        worker_processes.check_workers(2, None)


def collect(process: Process, lines: list[str]) -> None:
    """Collect the lines of a server's log until it ends."""
    assert process.stderr
    for line in process.stderr:
        lines.append(line.rstrip())


def test_a_request_that_this_node_cannot_answer_now_is_to_be_tried_again() -> None:
    request = make_mocked_request("POST", "/api/rooms")
    answer = error_response(request, ClusterError("node a is draining: it takes no more rooms"))
    assert (answer.status, answer.headers["Retry-After"]) == (503, "1")
    assert answer.text
    assert "node a" not in answer.text
