"""Nodes behind a proxy that gives each a path of its own, and removes it, as in ops/nginx-cluster.conf."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import aiohttp
import pytest_asyncio
from aiohttp import ClientSession, web

from ratscrew.log.postgres.address import PostgresAddress
from ratscrew.testing.ports import free_port
from tests.cluster.servers import Server, Servers, browsing, receive


class PathProxy:
    """A proxy on a free port: `/n/NAME/` leads to that node, everything else to the node `front`."""

    def __init__(self, session: ClientSession) -> None:
        self.url, self.ports, self.front = f"http://127.0.0.1:{free_port()}", dict[str, int](), "b"
        self._session = session

    async def relay(self, request: web.Request) -> web.StreamResponse:
        """Pass on a request, or a WebSocket, to a node."""
        found = re.match(r"/n/(\w+)(/.*)", request.raw_path)
        name, path = (found[1], found[2]) if found else (self.front, request.raw_path)
        url = f"http://127.0.0.1:{self.ports[name]}{path}"
        headers = {key: value for key, value in request.headers.items() if key in ("Host", "Origin", "Cookie")}
        headers |= {key: value for key, value in request.headers.items() if key.startswith(("X-", "Ratscrew-"))}
        if request.headers.get("Upgrade") == "websocket":
            return await self._relay_socket(request, url, headers)
        headers |= {key: request.headers[key] for key in ("Content-Type",) if key in request.headers}
        async with self._session.request(request.method, url, data=await request.read(), headers=headers) as answer:
            response = web.Response(body=await answer.read(), status=answer.status, content_type=answer.content_type)
            for value in answer.headers.getall("Set-Cookie", ()):
                response.headers.add("Set-Cookie", value)
            return response

    async def _relay_socket(self, request: web.Request, url: str, headers: dict[str, str]) -> web.StreamResponse:
        outer = web.WebSocketResponse(autoclose=False)
        await outer.prepare(request)

        async def pump(
            source: web.WebSocketResponse | aiohttp.ClientWebSocketResponse,
            target: web.WebSocketResponse | aiohttp.ClientWebSocketResponse,
        ) -> None:
            async for message in source:
                await target.send_str(message.data)
            await target.close()

        async with self._session.ws_connect(url, headers=headers) as inner:
            await asyncio.gather(pump(outer, inner), pump(inner, outer))
        return outer


@pytest_asyncio.fixture
async def nodes(address: PostgresAddress, tmp_path: Path) -> AsyncIterator[tuple[Server, Server, PathProxy]]:
    """Two nodes behind such a proxy."""
    async with AsyncExitStack() as stack:
        proxy = PathProxy(await stack.enter_async_context(ClientSession(auto_decompress=False)))
        app = web.Application()
        app.router.add_route("*", "/{path:.*}", proxy.relay)
        runner = web.AppRunner(app, shutdown_timeout=0.1)
        await runner.setup()
        stack.push_async_callback(runner.cleanup)
        await web.TCPSite(runner, "127.0.0.1", int(proxy.url.rpartition(":")[2])).start()
        servers = Servers(address, tmp_path, stack)
        found = []
        for name in "ab":
            proxy.ports[name] = free_port()
            found.append(await servers.start(name, url=f"{proxy.url}/n/{name}", port=proxy.ports[name]))
        yield found[0], found[1], proxy


async def test_each_node_finds_itself_at_its_path(nodes: tuple[Server, Server, PathProxy]) -> None:
    for node in nodes[:2]:
        await node.cluster.check.check()


async def test_a_player_at_the_common_address_takes_a_seat_and_is_sent_to_the_path_of_the_owner(
    nodes: tuple[Server, Server, PathProxy],
) -> None:
    a, b, proxy = nodes
    async with browsing(a) as ana, browsing(b._replace(url=proxy.url)) as bo:
        code = await ana.open(wait=True, bots=0)
        await bo.join(code)
        moved = await receive(await bo.connect())
        assert (moved["t"], moved["to"]) == ("moved", f"{proxy.url}/n/a")
        welcome = await receive(await bo.connect(moved["to"], ticket=moved["ticket"]))
        assert (welcome["t"], welcome["you"], len(welcome["seats"])) == ("welcome", 1, 2)
        assert b.rooms == []
