"""What a client writes into its own headers, over a real connection: it gains nothing by any of it.

A proxy's headers, and the `Origin` of a page in Discord, are texts that every client can send.
"""

from __future__ import annotations

import socket
from ipaddress import ip_network
from pathlib import Path

import pytest
from aiohttp import ClientSession, CookieJar
from aiohttp.test_utils import TestClient, TestServer

from ratscrew.accounts.bans import Ban, put_ban
from ratscrew.accounts.reports import read_reports
from ratscrew.limits.limits import LIMITS, Limit
from ratscrew.log.memory import MemoryLog
from ratscrew.table.record.entries import Entry
from ratscrew.testing.clock import ManualClock, on_manual_clock
from ratscrew.web.access.community import CommunityOptions
from ratscrew.web.app import MODERATION, make_app
from ratscrew.web.http.discord import DiscordApplication
from ratscrew.web.http.proxy_policy import ProxyPolicy
from ratscrew.web.http.static_files import StaticFiles
from ratscrew.web.rendering.worker import execute_here
from tests.web.http_requests import ask
from tests.web.pages import serve

DISCORD = DiscordApplication("123456789012345678")
LATE_S = 0.39
"""How late a liar answers pings, to seem far away."""

POLICIES = {
    "no proxy": ProxyPolicy(discord=DISCORD, header="X-Rtt", socket_header="X-Client-Socket"),
    "a proxy elsewhere": ProxyPolicy(
        proxied=True,
        discord=DISCORD,
        header="X-Rtt",
        socket_header="X-Client-Socket",
        trusted=(ip_network("203.0.113.0/24"),),
    ),
}
FORGED = {
    "nothing": {},
    "Discord's page": {"Origin": DISCORD.origin},
    "Discord's proxy": {
        "Origin": DISCORD.origin,
        "X-Forwarded-Host": DISCORD.host,
        "X-Forwarded-Proto": "https",
        "X-Forwarded-For": "198.51.100.7",
    },
    "a proxy's round trip": {"X-Rtt": "380000", "X-Forwarded-For": "127.0.0.1"},
    "a connection of others": {"X-Client-Socket": "127.0.0.1 1 127.0.0.1 2", "X-Forwarded-For": "127.0.0.1"},
    "no connection": {"X-Client-Socket": "", "X-Forwarded-For": "unknown"},
}


@pytest.mark.skipif(not hasattr(socket, "AF_NETLINK"), reason="only Linux measures round trips")
@pytest.mark.parametrize("by_stream", [False, True], ids=["WebSocket", "event stream"])
@pytest.mark.parametrize("forged", FORGED)
@pytest.mark.parametrize("policy", POLICIES)
@on_manual_clock
async def test_no_header_moves_a_direct_client_farther_away_than_its_packets_are(
    clock: ManualClock, policy: str, forged: str, by_stream: bool
) -> None:
    """Distance is made up for, so a liar answers each ping late and lets no browser answer."""
    async with serve(clock, proxy_policy=POLICIES[policy]) as served:
        served.headers.update(FORGED[forged])
        page = await served.enter(LATE_S, signs=False, by_stream=by_stream)
        while not (await page.receive("link_stats"))["links"][0]:
            pass
        page_state = served.room.table.seats[0].page_state
        assert page_state
        assert page_state.link_estimate.rtt_us < 6_000
        assert page_state.rtt_estimator.kernel_us is not None


@pytest.mark.parametrize(
    "header", ["X-Forwarded-For", "Forwarded", "X-Real-IP", "CF-Connecting-IP", "True-Client-IP", "X-Client-IP"]
)
@pytest.mark.parametrize("policy", POLICIES)
@on_manual_clock
async def test_no_header_gives_a_direct_client_another_address(
    clock: ManualClock, policy: str, header: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(LIMITS, "rooms_hour", Limit(3, 1000))
    app = make_app(MemoryLog(), clock, StaticFiles(tmp_path), proxy_policy=POLICIES[policy], execute=execute_here)
    async with TestClient(TestServer(app)) as client:
        statuses = []
        for number in range(5):
            address = f"198.51.100.{number}"
            headers = {"Origin": DISCORD.origin, header: f"for={address}" if header == "Forwarded" else address}
            opened = await client.post("/api/rooms", json={"name": "Eve", "bots": 1}, headers=headers)
            statuses.append(opened.status)
    assert statuses == [201] * 3 + [429] * 2


@on_manual_clock
async def test_a_ban_of_a_network_meets_a_client_that_says_it_is_in_discord(clock: ManualClock, tmp_path: Path) -> None:
    """Its address is known like that of all others; the operator learns that it may be the one of Discord's proxy."""
    log = MemoryLog[Entry]()
    app = make_app(
        log,
        clock,
        StaticFiles(tmp_path),
        proxy_policy=ProxyPolicy(discord=DISCORD),
        execute=execute_here,
        community=CommunityOptions(),
    )
    server = TestServer(app)
    async with (
        TestClient(server, cookie_jar=CookieJar(unsafe=True)) as ana,
        TestClient(server, cookie_jar=CookieJar(unsafe=True), headers={"Origin": DISCORD.origin}) as eve,
    ):
        _, room = await ask(ana, {"name": "Ana", "bots": 0, "wait": True})
        await ask(eve, {"name": "Eve"}, f"/api/rooms/{room['room']}/seats")
        report = {"player_id": 0, "seat": 1, "reason": "abuse"}
        assert (await ask(ana, report, f"/api/rooms/{room['room']}/reports"))[0] == 201
        (found,) = read_reports(log)
        assert (found.framed, found.neighbours) == (True, 1)
        put_ban(log, Ban("0a0b0c0d", clock.now_us(), None, "insults", None, found.address))
        await app[MODERATION].read()
        for headers in ({}, {"Origin": DISCORD.origin}, {"Origin": str(ana.make_url("")).rstrip("/")}):
            async with (
                ClientSession(headers=headers) as browser,
                browser.post(ana.make_url("/api/rooms"), json={"name": "Eve", "bots": 1}) as answer,
            ):
                assert answer.status == 403
