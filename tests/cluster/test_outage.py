"""PostgreSQL goes away in the middle of a game, and comes back: the clocks stop, pages know why, nothing is lost."""

from __future__ import annotations

import asyncio
from collections.abc import Generator
from contextlib import AsyncExitStack
from pathlib import Path
from threading import get_ident
from typing import Any

import pytest

from ratscrew.log.postgres.address import PostgresAddress
from ratscrew.log.postgres.session import Session
from ratscrew.table.record.clock import SystemClock
from ratscrew.testing.postgres_server import PostgresServer
from tests.cluster.servers import Servers, browsing, receive
from tests.log.conftest import sql
from tests.log.tcp_proxy import Fault, proxy_to

SPEED = 8


async def test_a_game_waits_for_postgresql_and_goes_on_where_it_was(
    address: PostgresAddress, postgres_server: PostgresServer, tmp_path: Path
) -> None:
    """Ana plays with two bots, whose turns come without her."""
    ((name,),) = sql(address, "SELECT current_database()")
    with proxy_to(postgres_server.socket) as proxy:
        async with AsyncExitStack() as stack:
            a = await Servers(proxy.address(name), tmp_path, stack).start("a", lease_s=1000, clock=SystemClock(SPEED))
            async with browsing(a) as ana:
                await ana.open()
                socket, welcome = await ana.follow()
                versions = [welcome["version"], (await receive(socket, "event"))["v"]]
                proxy.inject(Fault.BEFORE, '"played"', shut=True)
                while (said := await receive(socket, "event", "saving", "lost"))["t"] == "event":
                    versions.append(said["v"])
                assert (said["t"], said["on"]) == ("saving", True)
                (room,) = a.rooms
                assert room.table.session
                assert room.table.session.schedule.held
                proxy.reopen()
                while (said := await receive(socket, "event", "saving", "lost"))["t"] == "event":
                    versions.append(said["v"])
                assert (said["t"], said["on"]) == ("saving", False)
                versions += [(await receive(socket, "event"))["v"] for _ in range(2)]
    assert versions == list(range(versions[0], versions[0] + len(versions)))


async def test_a_room_goes_on_elsewhere_if_its_node_alone_does_not_reach_postgresql(
    address: PostgresAddress, postgres_server: PostgresServer, tmp_path: Path
) -> None:
    """The node comes back later, and finds that the room is no longer its own."""
    ((name,),) = sql(address, "SELECT current_database()")
    with proxy_to(postgres_server.socket) as proxy:
        async with AsyncExitStack() as stack:
            a = await Servers(proxy.address(name), tmp_path, stack).start("a", clock=SystemClock(SPEED))
            b = await Servers(address, tmp_path, stack).start("b", clock=SystemClock(SPEED))
            await a.cluster._refresh()
            async with browsing(b) as ana:
                ana.home = a
                await ana.open()
                ana.home = b  # cookies of this host reach all its ports
                at_a, _ = await ana.follow()
                seen = (await receive(at_a, "event"))["v"]
                proxy.cut()
                while (said := await receive(at_a, "event", "saving", "moved", "lost"))["t"] == "event":
                    seen = said["v"]
                at_b, welcome = await ana.follow()
                while welcome["epoch"] == 1:  # the lease is not over yet
                    await at_b.close()
                    at_b, welcome = await ana.follow()
                assert (welcome["you"], welcome["epoch"], welcome["version"] >= seen) == (0, 2, True)
                assert (await receive(at_b, "event"))["v"] == welcome["version"] + 1
                proxy.reopen()
                while a.rooms:
                    await asyncio.sleep(0.01)
                assert len(b.rooms) == 1


async def test_no_request_makes_the_event_loop_of_a_node_wait_for_postgresql(
    address: PostgresAddress, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    loop, waits, wait = get_ident(), list[str](), Session.wait

    def noted(session: Session, gen: Generator[Any, Any, Any], *more: Any) -> Any:
        if get_ident() == loop:
            waits.append(repr(gen))
        return wait(session, gen, *more)

    async with AsyncExitStack() as stack:
        servers = Servers(address, tmp_path, stack)
        a, b = await servers.start("a"), await servers.start("b", clock=SystemClock(SPEED))
        monkeypatch.setattr(Session, "wait", noted)
        async with browsing(a) as ana, browsing(b) as bo:
            code = await ana.open(wait=True, bots=0, listed=True)
            await bo.join(code)
            await bo.post("/api/rooms/QQQQ1234/seats", {"name": "Bo"}, 404)
            for browser in (ana, bo):
                socket, _ = await browser.follow()
            await socket.send_json({"t": "bot", "strength": "steady", "s": 1})
            await receive(socket, "refused", "done")
            ana.sit(await ana.post("/api/quick", {"name": "Ana"}))
            await ana.follow()
            for path in ("/api/rooms", "/api/ready", "/api/health", "/api/games/QUIZ-1-1"):
                async with ana.session.get(f"{a.url}{path}") as answer:
                    assert answer.status in (200, 404)
            await a.cluster.drain()
            _, welcome = await bo.follow()
            assert (welcome["epoch"], a.rooms) == (2, [])
            await bo.open()
            at_b, _ = await bo.follow()
            await receive(at_b, "event")
    assert waits == []
