"""Makes a server one node of a cluster: its rooms, its leases, and what it knows of the other nodes."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import suppress
from functools import partial
from typing import Any

from aiohttp import web

from ratscrew.cluster.node import ClusterNode
from ratscrew.errors import ClusterError, LogError, Overloaded
from ratscrew.log.protocol import SharedLog
from ratscrew.table.clock import Clock
from ratscrew.table.records.entries import Entry
from ratscrew.table.rooms.cluster_registry import ClusterRegistry
from ratscrew.table.rooms.tokens import Tokens
from ratscrew.table.shuffle.dealer import Laid
from ratscrew.web.cluster_peers import ClusterPeers
from ratscrew.web.forwarding import Forwarder
from ratscrew.web.metrics_sink import MeasuredLog
from ratscrew.web.node_check import NodeCheck
from ratscrew.web.node_tokens import NodeTokens
from ratscrew.web.proxy_policy import ProxyPolicy
from ratscrew.web.room_router import RoomRouter
from ratscrew.web.seats import row
from ratscrew.web.socket_passing import SOCKET_PASSING, SocketPassing, WorkerGroup

_logger = logging.getLogger(__name__)
REFRESH_EVERY_S = 1.0
TIDY_EVERY_S = 30.0

DRAIN_WITHIN_S = 10.0
"""How long a node that stops looks for a quiet moment in each room."""


class Cluster:
    """This server as a node. `log` is the one that all nodes share. The methods are called in this order."""

    def __init__(self, node: ClusterNode, log: SharedLog[Entry], group: WorkerGroup | None = None) -> None:
        """With a `group` this is one of the workers that share a port of this machine."""
        self.node, self.log, self._group = node, log, group
        self.replaced = asyncio.Event()
        """Set if another process has registered under this node's name: this one has to end."""

    def registry(self, log: MeasuredLog, clock: Clock, laid: Laid | None) -> ClusterRegistry:
        """The rooms of this node, on a log that measures its appends."""
        self.rooms = ClusterRegistry(log, clock, laid, self.node, self.log)
        return self.rooms

    def peers(self, tokens: Tokens) -> ClusterPeers:
        """The other nodes, as pages and requests need them."""
        self._tokens = NodeTokens(tokens, self.node)
        self._peers = ClusterPeers(self.node.identity.url, self._tokens, lambda: self.node.draining)
        self.check = NodeCheck(self._tokens, self.node.identity, self._group.names if self._group else ())
        return self._peers

    def join(self, app: web.Application, proxy_policy: ProxyPolicy) -> None:
        """Have an application register as a node when it starts, and leave the cluster when it ends."""
        router = None
        if self._group:
            passing = app[SOCKET_PASSING] = SocketPassing(self._group)
            router = RoomRouter(passing, self._peers, self.rooms.owner_of)
        forwarder = Forwarder(self._peers, proxy_policy, lambda: self.node.draining, router)
        app.middlewares.append(forwarder.middleware)
        app.cleanup_ctx.extend((self._run, forwarder.run))

    async def drain(self) -> None:
        """Give all rooms to the other nodes, and take no more."""
        await self.rooms.drain(DRAIN_WITHIN_S)

    async def _run(self, _: web.Application) -> AsyncIterator[None]:
        await self.node.start()
        await self._refresh()
        await self.rooms.reserve_names()
        steps = [
            self._renew(),
            self.rooms.keep_names_reserved(),
            _every(REFRESH_EVERY_S, self._refresh),
            _every(REFRESH_EVERY_S, self._drain_if_asked),
            _every(REFRESH_EVERY_S, partial(self.rooms.publish, row)),
            _every(TIDY_EVERY_S, self.rooms.publish_uses),
            _every(TIDY_EVERY_S, self.rooms.tidy),
        ]
        tasks = [asyncio.create_task(step) for step in steps]
        yield
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self.node.close()

    async def _renew(self) -> None:
        try:
            await self.node.run()
        except ClusterError:
            self.replaced.set()

    async def _drain_if_asked(self) -> None:
        if self.node.draining and self.node.rooms:
            await self.drain()

    async def _refresh(self) -> None:
        self._peers.refresh(await self.node.nodes())


async def _every(pause_s: float, step: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Do something again and again, also after it has failed. That PostgreSQL is away is logged elsewhere."""
    while True:
        await asyncio.sleep(pause_s)
        try:
            with suppress(LogError, Overloaded):
                await step()
        except Exception:
            _logger.exception("a task of the node failed")
