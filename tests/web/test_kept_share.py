"""Few addresses cannot use up for all what a limit of all clients lets through: a share of it is kept for newcomers."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path

import pytest
from aiohttp.test_utils import TestClient, TestServer

from ratscrew.errors import LimitExceeded
from ratscrew.limits.fair_lock import FairLock
from ratscrew.limits.limits import (
    GLOBAL,
    LIMITS,
    NEWCOMER,
    LimitName,
    Limits,
)
from ratscrew.log.memory import MemoryLog
from ratscrew.testing.clock import ManualClock
from ratscrew.web.app import make_app
from ratscrew.web.http.proxy_policy import ProxyPolicy
from ratscrew.web.http.static_files import StaticFiles
from ratscrew.web.rendering.worker import execute_here

STRANGERS = {
    "in one network": "203.0.113.{}",
    "in many": "198.{}.7.9",
    "in one of IPv6": "2001:db8:0:{:x}::",
    "in many of IPv6": "2001:db8:{:x}::",
}
SECONDS = 60


@pytest.mark.parametrize(("addresses", "strangers"), [(10, "in many"), *((100, each) for each in STRANGERS)])
@pytest.mark.parametrize("what", GLOBAL)
def test_honest_clients_are_served_while_strangers_take_all_that_they_can(
    what: LimitName, addresses: int, strangers: str
) -> None:
    """Each second an honest client comes from an address of its own, which the strangers' is not near."""
    clock = ManualClock(1)
    some = Limits(clock)
    at_once = min(LIMITS[what].most, 3 * GLOBAL[what].most // addresses)
    for second in range(SECONDS):
        for number in range(addresses):
            with suppress(LimitExceeded):
                for _ in range(5 if second else at_once):
                    some.take(what, STRANGERS[strangers].format(number))
        some.take(what, f"10.{second}.1.1")
        clock.advance(1_000_000)


def test_requests_of_players_at_tables_have_such_a_share_too() -> None:
    clock = ManualClock(1)
    some = Limits(clock)
    for second in range(60):
        for number in range(100):
            while not some.request(rooms[number % 20], number, f"198.{number}.7.9", 60):
                pass
        assert some.request(Room(), 0, f"10.0.{second}.1", 60) == 0
        clock.advance(1_000_000)


class Room:
    """A room, by its identity."""


rooms = [Room() for _ in range(20)]


def test_every_global_limit_says_what_a_newcomer_is() -> None:
    assert set(GLOBAL) == set(NEWCOMER)


def test_a_network_of_many_addresses_has_a_limit_of_its_own() -> None:
    """A /48 network has 65,536 that count as one address each."""
    some = Limits(ManualClock(1))
    most = 10 * LIMITS["rooms_hour"].most
    for number in range(most):
        some.take("rooms_hour", f"2001:db8:0:{number:x}::")
    with pytest.raises(LimitExceeded):
        some.take("rooms_hour", f"2001:db8:0:{most:x}::")
    some.take("rooms_hour", "2001:db8:1::")


def test_what_came_to_nothing_is_charged_to_its_address_and_not_to_all() -> None:
    clock = ManualClock(1)
    some = Limits(clock)
    for number in range(10 * GLOBAL["rooms"].most):
        some.take("rooms", f"198.{number % 250}.{number // 250}.9").refund()
    for _ in range(LIMITS["rooms"].most):
        some.take("rooms", "192.0.2.1").refund()
    with pytest.raises(LimitExceeded):
        some.take("rooms", "192.0.2.1")


@pytest.mark.parametrize("body", [b"x", b'{"name":"Eve","house":"1;nowhere"}', b'{"name":"12345"}'])
async def test_openings_that_come_to_nothing_take_none_from_others(body: bytes) -> None:
    """One byte that is no JSON, rules that do not exist, and a name that is none."""
    app = make_app(
        MemoryLog(),
        ManualClock(1),
        StaticFiles(Path("nowhere")),
        proxy_policy=ProxyPolicy(proxied=True),
        execute=execute_here,
    )
    async with TestClient(TestServer(app)) as client:
        for number in range(GLOBAL["rooms"].most + 50):
            await client.post("/api/rooms", data=body, headers={"X-Forwarded-For": f"198.51.{number % 9}.7"})
        for number in range(12):  # of a player who has played before: more than a newcomer opens
            opened = await client.post(
                "/api/rooms",
                json={"name": "Ana", "bots": 0, "wait": True},
                headers={"X-Forwarded-For": "192.0.2.7"},
            )
            assert opened.status == 201, number


def test_pages_that_watch_leave_space_for_others() -> None:
    """Few addresses cannot take all places of a room, nor all of the server."""
    some, room = Limits(ManualClock(1)), Room()
    for number in range(200):
        while some.watch(room, f"198.51.{number}.1"):
            pass
    assert some.watch(room, "192.0.2.1")
    for number in range(200):
        for other in [Room() for _ in range(40)]:
            some.watch(other, f"198.51.{number}.1")
    assert some.watch(Room(), "192.0.2.2")


async def test_a_full_queue_takes_a_request_of_another_address_in_place_of_the_busiest_ones() -> None:
    line, order = FairLock(), list[str]()

    async def ask(address: str) -> str:
        try:
            async with line.hold(address):
                order.append(address)
        except LimitExceeded as error:
            return type(error).__name__
        return "served"

    async with line.hold("first"):
        busy = [asyncio.create_task(ask(f"busy {number % 4}")) for number in range(128)]
        await asyncio.sleep(0)
        quiet = asyncio.create_task(ask("quiet"))
        await asyncio.sleep(0)
    assert await quiet == "served"
    assert sorted(await asyncio.gather(*busy)).count("served") == 127
    assert order.index("quiet") <= 4  # addresses that have not had their turn lately come first
