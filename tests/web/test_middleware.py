"""Every request is charged before anything in it is parsed, and every route has a price."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web
from aiohttp.test_utils import TestClient, TestServer

from ratscrew.errors import LimitExceeded, Overloaded
from ratscrew.limits import buckets
from ratscrew.limits import limits as limits_module
from ratscrew.limits.limits import GLOBAL, LIMITS, Limit, Limits
from ratscrew.log.memory import MemoryLog
from ratscrew.testing.clock import ManualClock, on_manual_clock
from ratscrew.web.access.community import CommunityOptions
from ratscrew.web.app import make_app
from ratscrew.web.edge.connections import TOO_MANY
from ratscrew.web.http.proxy_policy import ProxyPolicy
from ratscrew.web.http.static_files import DATA_HEADERS, StaticFiles
from ratscrew.web.middleware import CHOICES_MOST, PATH_MOST
from ratscrew.web.prices import PRICES, check_prices
from ratscrew.web.rendering.worker import execute_here
from ratscrew.web.schema.http_schema import BODY_MOST
from tests.web.http_requests import Client, get, socket_of
from tests.web.raw_connections import exchange, parse_json, parse_response, raw_server, request

API = sorted({path for method, path in PRICES if method == "GET" and path.startswith("/api/") and "socket" not in path})


def app_of(clock: ManualClock, proxy_policy: ProxyPolicy | None = None) -> web.Application:
    """A server without pages but with accounts, which renders without a process."""
    pages = StaticFiles(Path("nowhere"))
    return make_app(
        MemoryLog(),
        clock,
        pages,
        proxy_policy=proxy_policy,
        execute=execute_here,
        community=CommunityOptions(),
    )


@asynccontextmanager
async def asked_by(proxy_policy: ProxyPolicy) -> AsyncIterator[Client]:
    """A server that is reached in this way."""
    async with TestClient(TestServer(app_of(ManualClock(1), proxy_policy))) as client:
        yield client


# Prices


def test_every_route_has_a_price_and_every_price_a_route() -> None:
    """What fails here needs a row in ROUTES of `ratscrew/web/routes.py`."""
    routes = app_of(ManualClock(1)).router.routes()
    there = {(route.method, route.resource.canonical) for route in routes if route.resource and route.method != "HEAD"}
    assert there == set(PRICES)


def test_a_server_with_a_route_without_a_price_does_not_start() -> None:
    app = app_of(ManualClock(1))

    async def handler(_: web.Request) -> web.Response:
        return web.Response()

    app.router.add_put("/api/rooms", handler)
    with pytest.raises(LookupError, match="PUT /api/rooms: a route needs a price"):
        check_prices(app)


PRICED = [path for (method, path), price in PRICES.items() if method == "GET" and price.limit]


@pytest.mark.parametrize("path", PRICED)
async def test_head_costs_what_get_costs(client: Client, monkeypatch: pytest.MonkeyPatch, path: str) -> None:
    what = PRICES["GET", path].limit
    assert what
    monkeypatch.setitem(LIMITS, what, Limit(2, 60))
    path = path.format(game="BEAR-1-1", code="WOLF4821", id="0123456789abcdef")
    found = [(await client.request(method, path)).status for method in ("HEAD", "GET", "HEAD")]
    assert (429 in found[:2], found[2]) == (False, 429)


ODD = {
    "nothing there": request("GET", "/nowhere"),
    "nothing there for programs": request("GET", "/api/nowhere"),
    "another method": request("DELETE", "/api/rooms"),
    "options": request("OPTIONS", "/"),
    "head": request("HEAD", "/"),
    "put": request("PUT", "/api/house"),
    "a method of nobody": request("PROPFIND", "/"),
    "an expectation": request("GET", "/", "Expect: wonders"),
    "compressed": request("POST", "/api/rooms", "Content-Encoding: gzip", "Content-Length: 9", body=b"x" * 9),
    "foreign page": request("POST", "/api/rooms", "Origin: http://elsewhere.example", "Content-Length: 0"),
    "foreign host": request("GET", "/").replace(b"Host: localhost", b"Host: elsewhere.example"),
    "a large body": request("POST", "/api/rooms", f"Content-Length: {BODY_MOST + 1}"),
    "a body in parts": request("POST", "/api/rooms", "Transfer-Encoding: chunked", body=b"1\r\n{\r\n0\r\n\r\n"),
    "a long path": request("GET", "/" + "x" * (PATH_MOST + 1)),
    "a range": request("GET", "/", "Range: " + "0-1," * 1000),
    "no handshake": request("GET", socket_of("BEAR")),
    "a handshake": request(
        "GET",
        socket_of("BEAR"),
        *("Upgrade: websocket", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=="),
    ),
}


@pytest.mark.parametrize("odd", ODD)
@on_manual_clock
async def test_whatever_is_asked_for_is_paid_for(clock: ManualClock, monkeypatch: pytest.MonkeyPatch, odd: str) -> None:
    """After one request of any kind nothing is left, and the next connection hears so before it is parsed."""
    monkeypatch.setitem(LIMITS, "requests", Limit(1, 3600))
    async with raw_server(clock, app_of(clock)) as port:
        first = await exchange(port, ODD[odd])
        assert first
        assert b" 429 " not in first
        assert await exchange(port, request("GET", "/api/health")) == TOO_MANY


@on_manual_clock
async def test_nothing_is_looked_up_before_it_is_paid_for(clock: ManualClock, monkeypatch: pytest.MonkeyPatch) -> None:
    """One connection pipelines two requests: the second finds the limit used up, and its route is never looked up."""
    monkeypatch.setitem(LIMITS, "requests", Limit(1, 3600))
    app, looked_up = app_of(clock), list[str]()
    resolve = app.router.resolve

    async def resolving(request: web.Request) -> Any:
        looked_up.append(request.path)
        return await resolve(request)

    app.router.resolve = resolving  # type: ignore[method-assign]
    two = b"GET /api/health HTTP/1.1\r\nHost: localhost\r\n\r\n" + request("GET", "/api/ready")
    async with raw_server(clock, app) as port:
        _, _, rest = (await exchange(port, two)).partition(b'"rooms":0}')
    status, headers, body = parse_response(rest)
    assert (status, parse_json(body)["code"], looked_up) == (429, "slow_down", ["/api/health"])
    assert {name: headers.get(name) for name in DATA_HEADERS} == DATA_HEADERS


# All addresses together


@on_manual_clock
async def test_what_all_ask_together_has_a_limit_too(clock: ManualClock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GLOBAL, "requests", Limit(3, 7.5))
    monkeypatch.setattr(buckets, "KEPT_FOR", 0)
    found = list[int]()
    async with TestClient(TestServer(app_of(clock, ProxyPolicy(proxied=True)))) as client:
        for number in range(5):
            answer = await client.get("/api/health", headers={"X-Forwarded-For": f"192.0.2.{number}"})
            found.append(answer.status)
        assert answer.headers["Retry-After"] == "8"
        problem = "the server is busy: try again in 8 s"
        assert await answer.json() == {"code": "busy", "problems": [problem], "wait_s": 8}
    assert found == [200, 200, 200, 503, 503]


def test_addresses_without_number_take_no_memory_while_the_server_is_busy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GLOBAL, "requests", Limit(10, 3600))
    monkeypatch.setattr(buckets, "KEPT_FOR", 0)
    limits = Limits(ManualClock(1))
    refused = 0
    for number in range(1000):
        try:
            limits.take("requests", f"192.0.2.{number}")
        except Overloaded:
            refused += 1
    assert (refused, len(limits._buckets)) == (990, 22)  # two of each address, and two of their network


def test_an_address_over_its_own_limit_takes_nothing_from_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GLOBAL, "requests", Limit(10, 3600))
    monkeypatch.setitem(LIMITS, "requests", Limit(4, 3600))
    limits = Limits(ManualClock(1))
    for number in range(100):
        try:
            limits.take("requests", "192.0.2.1")
        except LimitExceeded:
            assert number >= 4
    for _ in range(4):
        limits.take("requests", "192.0.2.2")


def test_what_is_shared_is_more_than_what_one_address_may_use() -> None:
    assert all(limit.most > LIMITS[what].most for what, limit in limits_module.GLOBAL.items())
    assert all(limit.every_s <= LIMITS[what].every_s for what, limit in limits_module.GLOBAL.items())


# Hosts


@pytest.mark.parametrize(
    ("proxy_policy", "host", "own"),
    [
        (ProxyPolicy(), "localhost:8765", True),
        (ProxyPolicy(), "LOCALHOST.", True),
        (ProxyPolicy(), "127.0.0.1:8765", True),
        (ProxyPolicy(), "[::1]:8765", True),
        (ProxyPolicy(), "192.168.1.7", True),
        (ProxyPolicy(), "evil.example:8765", False),
        (ProxyPolicy(), "evil", False),
        (ProxyPolicy(), "localhost.evil.example", False),
        (ProxyPolicy(), "127.0.0.1.evil.example", False),
        (ProxyPolicy(), "laptop.local", False),
        (ProxyPolicy(), "", False),
        (ProxyPolicy(network=True), "laptop.local:8765", True),
        (ProxyPolicy(network=True), "nas.home.arpa", True),
        (ProxyPolicy(network=True), "evil.example", False),
        (ProxyPolicy(network=True), "local.evil.example", False),
        (ProxyPolicy(network=True, hosts=frozenset({"cards.example.org"})), "Cards.Example.org:8765", True),
        (ProxyPolicy(network=True, hosts=frozenset({"cards.example.org"})), "evil.cards.example.org", False),
        (ProxyPolicy(proxied=True), "whatever.the.proxy.passes.example", True),
        (ProxyPolicy(proxied=True, hosts=frozenset({"cards.example.org"})), "cards.example.org", True),
        (ProxyPolicy(proxied=True, hosts=frozenset({"cards.example.org"})), "evil.example", False),
    ],
)
async def test_a_request_for_a_host_that_a_stranger_can_own_is_refused(
    proxy_policy: ProxyPolicy, host: str, own: bool
) -> None:
    async with asked_by(proxy_policy) as client:
        answers = [
            await client.get("/api/health", headers={"Host": host}),
            await client.post("/api/rooms", json={"name": "Ana", "bots": 1}, headers={"Host": host}),
        ]
    assert [answer.status for answer in answers] == ([200, 201] if own else [421, 421])


async def test_who_is_refused_for_the_host_hears_what_to_configure(client: Client) -> None:
    answer = await client.get("/api/health", headers={"Host": "cards.example.org"})
    (problem,) = (await answer.json())["problems"]
    assert "'cards.example.org'" in problem
    assert "--hosts" in problem
    assert "hosts = [" in problem


async def test_this_machines_own_name_is_known_to_a_server_for_the_network(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("socket.gethostname", lambda: "Laptop")
    for proxy_policy, found in ((ProxyPolicy(network=True), 200), (ProxyPolicy(), 421)):
        async with asked_by(proxy_policy) as client:
            assert (await client.get("/api/health", headers={"Host": "laptop:8765"})).status == found


@on_manual_clock
async def test_a_request_names_one_host(clock: ManualClock) -> None:
    head = "GET /api/health HTTP/1.{}\r\nConnection: close\r\n{}\r\n"
    async with raw_server(clock, app_of(clock)) as port:
        for minor, hosts, status in (
            (1, "", 400),
            (1, "Host: localhost\r\nHost: evil.example\r\n", 400),
            (0, "", 200),  # no browser asks so, but some checks of health do
            (0, "Host: evil.example\r\n", 421),
        ):
            assert parse_response(await exchange(port, head.format(minor, hosts).encode()))[0] == status


# Addresses and bodies


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/" + "x" * (PATH_MOST - 1), 404),
        ("/" + "x" * PATH_MOST, 414),
        ("/api/health?" + "&".join(["a"] * CHOICES_MOST), 200),
        ("/api/health?" + "&".join(["a"] * (CHOICES_MOST + 1)), 414),
        ("/api/health?" + "x" * 1001, 414),
        ("/api/house?text=" + "x" * 5000, 422),
    ],
)
async def test_addresses_have_a_length(client: Client, path: str, status: int) -> None:
    assert (await client.get(path)).status == status


@on_manual_clock
async def test_a_handshake_brings_no_body(clock: ManualClock) -> None:
    body = request(
        "GET",
        socket_of("BEAR"),
        *("Upgrade: websocket", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=="),
        "Content-Length: 3",
        body=b"abc",
    )
    async with raw_server(clock, app_of(clock)) as port:
        assert (await exchange(port, body))[9:12] in (b"413", b"400")


@pytest.mark.parametrize("path", API)
async def test_every_answer_says_whether_it_may_be_kept(client: Client, path: str) -> None:
    """What is personal, or of this moment, is kept nowhere; what is the same for everybody is asked for again."""
    asked = re.sub(r"{\w+}", "BEAR-1-1", path)
    for address in (asked, asked + "?text=1;classic&house=1;classic&cards=1&seed=1"):
        answer = await client.get(address)
        same = answer.status == 200 and path.split("/")[2] in ("rules", "house", "drill", "pictures", "openapi.json")
        assert answer.headers["Cache-Control"] == ("no-cache" if same else "no-store")


@pytest.mark.parametrize("path", ["/api/openapi.json", "/api/rules"])
async def test_what_never_changes_is_made_once_and_not_sent_again(client: Client, path: str) -> None:
    first = await client.get(path)
    tag = first.headers["ETag"]
    for held in (tag, f"W/{tag}", f'"x", {tag}'):
        assert (await client.get(path, headers={"If-None-Match": held})).status == 304
    assert (await client.get(path, headers={"If-None-Match": '"x"'})).status == 200
    assert (await client.get(path, headers={"Range": "bytes=0-1,0-1"})).status == 200


async def test_a_list_without_end_is_not_read_to_its_end(client: Client) -> None:
    """A language that is named behind thousands of others is not found: so far nobody looks."""
    many = ",".join(["xx"] * 2000) + ",de"
    answer = await client.get("/api/house", params={"text": "2;"}, headers={"Accept-Language": many})
    german = await client.get("/api/house", params={"text": "2;"}, headers={"Accept-Language": "fr,de;q=0.5"})
    english = await get(client, "/api/house", text="2;")
    assert (await answer.json()) == english[1] != await german.json()
