"""The activity of Discord over HTTP: one room for each instance, and what differs for pages in a frame of Discord."""

from __future__ import annotations

from asyncio import BaseTransport as Connection
from collections.abc import AsyncIterator
from pathlib import Path
from socket import socket

import pytest
from aiohttp import web
from aiohttp.test_utils import TestClient, TestServer, make_mocked_request
from multidict import CIMultiDict

from ratscrew.errors import RatscrewError
from ratscrew.log.memory import MemoryLog
from ratscrew.protocol.tcp_info import OwnConnection
from ratscrew.table.record.entries import Entry
from ratscrew.testing.clock import ManualClock
from ratscrew.web.app import REGISTRY, make_app
from ratscrew.web.http.discord import DiscordApplication
from ratscrew.web.http.proxy_policy import ProxyPolicy
from ratscrew.web.http.static_files import StaticFiles
from ratscrew.web.rendering.worker import execute_here
from tests.web.http_requests import Client, ask

APPLICATION = DiscordApplication("123456789012345678")
ORIGIN = "https://123456789012345678.discordsays.com"
ACTIVITY = "/api/activity"


@pytest.fixture
async def activity(log: MemoryLog[Entry], tmp_path: Path) -> AsyncIterator[Client]:
    """A page in a frame of Discord; its proxy is another address on this machine."""
    for name in ("index", "start"):
        (tmp_path / f"{name}.html").write_text(f"<head></head>{name}")
    policy = ProxyPolicy(discord=APPLICATION)
    app = make_app(log, ManualClock(1), StaticFiles(tmp_path), execute=execute_here, proxy_policy=policy)
    async with TestClient(TestServer(app), headers={"Origin": ORIGIN}) as some:
        yield some


def request(*headers: tuple[str, str]) -> web.Request:
    """A request with these headers."""
    return make_mocked_request("GET", "/", headers=CIMultiDict([("Host", "cards.example"), *headers]))


async def test_everyone_in_an_instance_gets_its_room_and_others_another(activity: Client) -> None:
    status, first = await ask(activity, {"instance": "i-1-gc-2-3", "name": "Ana"}, ACTIVITY)
    assert (status, first["seat"], first["player_id"]) == (201, 0, 0)
    status, second = await ask(activity, {"instance": "i-1-gc-2-3", "name": "Bo"}, ACTIVITY)
    assert (status, second) == (200, {"room": first["room"], "seat": None, "player_id": None})
    assert (await ask(activity, {"name": "Bo"}, f"/api/rooms/{first['room']}/seats"))[0] == 201
    _, other = await ask(activity, {"instance": "i-4-gc-2-3", "name": "Cy"}, ACTIVITY)
    assert other["room"] != first["room"]
    assert {len(room.table.seats) for room in activity.app[REGISTRY]} == {1, 2}


async def test_the_room_is_there_after_it_has_left_the_memory(activity: Client) -> None:
    _, first = await ask(activity, {"instance": "i-1", "name": "Ana"}, ACTIVITY)
    registry = activity.app[REGISTRY]
    (room,) = registry
    registry._let_go(room)
    status, again = await ask(activity, {"instance": "i-1", "name": "Bo"}, ACTIVITY)
    assert (status, again["room"]) == (200, first["room"])


async def test_a_name_that_is_none_opens_no_room(activity: Client) -> None:
    assert (await ask(activity, {"instance": "i-1", "name": "x" * 21}, ACTIVITY))[0] == 422
    assert len(activity.app[REGISTRY]) == 0
    assert (await ask(activity, {"instance": "i-1", "name": "Ana"}, ACTIVITY))[0] == 201


@pytest.mark.parametrize("instance", ["", "x" * 201])
async def test_an_instance_has_1_to_200_characters(activity: Client, instance: str) -> None:
    assert (await ask(activity, {"instance": instance, "name": "Ana"}, ACTIVITY))[0] == 400


async def test_cookies_reach_a_frame_and_only_one_of_discord(activity: Client) -> None:
    here = await activity.post("/api/rooms", json={"name": "Ana", "bots": 0, "wait": True})
    own = str(activity.make_url("")).rstrip("/")
    there = await activity.post("/api/rooms", json={"name": "Bo", "bots": 0, "wait": True}, headers={"Origin": own})
    assert "; SameSite=None; Partitioned" in here.headers["Set-Cookie"]
    assert "; Secure" in here.headers["Set-Cookie"]
    assert "SameSite=Strict" in there.headers["Set-Cookie"]


async def test_discord_may_show_the_page_in_a_frame_and_nobody_else(activity: Client, client: Client) -> None:
    allowed = f"frame-ancestors {ORIGIN} https://discord.com https://*.discord.com"
    assert allowed in (await activity.get("/")).headers["Content-Security-Policy"]
    assert "frame-ancestors 'none'" in (await client.get("/api/health")).headers["Content-Security-Policy"]


async def test_a_frame_of_discord_begins_at_the_page_of_the_activity(activity: Client) -> None:
    begun = await activity.get("/?frame_id=f&instance_id=i%261", allow_redirects=False)
    assert begun.headers["Location"] == f"/activity?frame_id=f&instance_id=i%261&application={APPLICATION.id}"
    assert "index" in await (await activity.get("/activity")).text()
    assert "start" in await (await activity.get("/")).text()


async def test_without_an_application_there_is_no_trace_of_it(client: Client) -> None:
    assert (await client.get("/activity")).status == 404
    assert (await ask(client, {"instance": "i-1", "name": "Ana"}, ACTIVITY))[0] == 404
    assert (await client.post(ACTIVITY, json={}, headers={"Origin": ORIGIN})).status == 403


def test_the_origin_of_discord_switches_no_measurement_off() -> None:
    """Any client can send it: what bounds a lie about the distance must hold whatever it says."""
    through = request(("X-Rtt", "900"), ("Origin", ORIGIN))
    assert ProxyPolicy(True, "X-Rtt", discord=APPLICATION).reported_rtt_us(through) == 900
    with socket() as end:
        measured = ProxyPolicy(discord=APPLICATION).connection(through, Connection(extra={"socket": end}))
        assert measured == OwnConnection(end)


@pytest.mark.parametrize(
    "origin", ["https://123456789012345679.discordsays.com", "http://123456789012345678.discordsays.com"]
)
async def test_pages_of_other_applications_are_strangers(activity: Client, origin: str) -> None:
    assert (await activity.post(ACTIVITY, json={}, headers={"Origin": origin})).status == 403


@pytest.mark.parametrize("number", ["", "12345", "12345678901234567x", "123456789012345678901"])
def test_an_application_has_a_number(number: str) -> None:
    with pytest.raises(RatscrewError, match="17 to 20 digits"):
        DiscordApplication(number)
