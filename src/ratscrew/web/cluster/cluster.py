"""Makes a server one node of a cluster: its rooms, its leases, and what it knows of the other nodes."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import AsyncIterator, Callable, Container
from functools import partial

from aiohttp import web
from aiohttp.typedefs import Handler

from ratscrew.cluster.node import ClusterNode
from ratscrew.cluster.records import DRAIN_WITHIN_S
from ratscrew.errors import ClusterError, LogError, Overloaded
from ratscrew.limits.loop_share import LoopShare
from ratscrew.limits.shared_limits import EXCHANGE_EVERY_S, SECRET, SharedLimits
from ratscrew.log.protocol import CommitCounts, SharedLog
from ratscrew.protocol.metrics_sink import NodeFigures
from ratscrew.supervision import Supervisor
from ratscrew.table.record.entries import Entry
from ratscrew.table.registry.cluster_rooms import ClusterRooms
from ratscrew.table.registry.tokens import Tokens
from ratscrew.web.access.admission import Admission
from ratscrew.web.api.seats import row
from ratscrew.web.cluster.forwarding import Forwarder
from ratscrew.web.cluster.room_router import RoomRouter
from ratscrew.web.edge.socket_passing import SOCKET_PASSING, SocketPassing, WorkerGroup
from ratscrew.web.http.cluster_peers import ClusterPeers
from ratscrew.web.http.node_check import PATH as CHECK
from ratscrew.web.http.node_check import NodeCheck
from ratscrew.web.http.node_tokens import NodeTokens
from ratscrew.web.http.proxy_policy import ProxyPolicy

_logger = logging.getLogger(__name__)
REFRESH_EVERY_S = 1.0
TIDY_EVERY_S = 30.0

FORGOTTEN_AFTER_S = 24 * 3600.0
"""How long a node that has ended stays in the directory: pages may connect to its address if it comes back."""

ALWAYS_ANSWERED = (CHECK, "/api/health", "/api/ready")
"""The paths of requests that do not wait until this node takes part in the cluster."""

BUSY_MOST = 0.99
"""The load of a node that has space, at most: see `NodeStatus`."""

PASSING = (LogError, Overloaded)
"""What steps of a node may raise for a while: PostgreSQL is away or slow. The node logs once that it cannot renew its
leases (`ClusterNode.renew`), and readiness writes to the log itself: so no step repeats it."""


class Cluster:
    """This server as a node. `log` is the one that all nodes share. The methods are called in this order.

    The application registers the node when it starts. Requests wait until `announce`, and it owns no room before.
    """

    def __init__(
        self,
        node: ClusterNode,
        log: SharedLog[Entry],
        group: WorkerGroup | None = None,
        counts: Callable[[], CommitCounts] = CommitCounts,
    ) -> None:
        """With a `group` this is one of the workers that share a port of this machine; `counts` are the log's."""
        self.node, self.log, self._group, self._counts = node, log, group, counts
        self.rooms = ClusterRooms(node, log)
        self._shared: SharedLimits | None = None
        self._loop_share: LoopShare | None = None
        self._supervisor = Supervisor()  # until it joins an application, which has one for all its tasks
        self._takes_part = asyncio.Event()
        self._known = ""
        self.replaced = asyncio.Event()
        """Set if another process has registered under this node's name: this one has to end."""

    def shared_limits(self) -> SharedLimits:
        """The rate limits that count at all nodes together.

        Raises: LogError.
        """
        self._shared = SharedLimits(self.log.get_or_create(SECRET, lambda: secrets.token_bytes(32)))
        return self._shared

    def peers(self, tokens: Tokens) -> ClusterPeers:
        """The other nodes, as pages and requests need them."""
        self._tokens = NodeTokens(tokens, self.node)
        self._peers = ClusterPeers(self.node.identity.url, self._tokens, lambda: self.node.draining)
        self.check = NodeCheck(self._tokens, self.node.identity, self._group.names if self._group else ())
        return self._peers

    def join(
        self,
        app: web.Application,
        proxy_policy: ProxyPolicy,
        share: LoopShare,
        admission: Admission,
        streams: Container[str],
        supervisor: Supervisor,
    ) -> None:
        """Have an application register as a node when it starts, and leave the cluster when it ends; `share` measures
        its event loop, `admission` charges those who ask for rooms, `streams` are the ids of its event streams,
        `supervisor` runs the node's background tasks.
        """
        self._loop_share, self._supervisor = share, supervisor
        self._router = None
        if self._group:
            passing = app[SOCKET_PASSING] = SocketPassing(self._group)
            owner_of = partial(admission.owner_of, self.rooms.owner_of)
            self._router = RoomRouter(passing, self._peers, owner_of)
        self._forwarder = Forwarder(self._peers, proxy_policy, lambda: self.node.draining, streams, self._router)
        app.middlewares.extend((self._wait_until_announced, self._forwarder.middleware))
        app.cleanup_ctx.extend((self._run, self._forwarder.run))

    async def announce(self) -> None:
        """Check that the public address leads here, then take part in the cluster. Call it when the server listens.

        Raises: ClusterError that says where the address leads; LogError; Overloaded.
        """
        await self.check.check()
        await self.take_part()

    async def take_part(self) -> None:
        """Own rooms from now on, and have players sent here.

        Raises: LogError; ClusterError; Overloaded.
        """
        await self.node.announce()
        await self._refresh()
        await self.rooms.reserve_names()
        self._takes_part.set()

    def why_not_ready(self) -> str | None:
        """Why no client should come to this node; None if it is ready."""
        if self.node.draining:
            return "the node gives its rooms to others"
        return None if self._takes_part.is_set() else "the node has not checked its public address yet"

    def figures(self) -> NodeFigures:
        """What this node has done so far, for metrics."""
        passed_on = self._router.passed_on if self._router else 0
        return NodeFigures(
            len(self.node.rooms),
            self.node.taken_over,
            self.node.lost_rooms,
            self.rooms.given_away,
            passed_on,
            self._forwarder.forwarded,
            *self._counts(),
        )

    async def drain(self) -> None:
        """Give all rooms to the other nodes, and take no more."""
        await self.rooms.drain(DRAIN_WITHIN_S)

    async def _run(self, _: web.Application) -> AsyncIterator[None]:
        await self.node.start()
        await self._refresh()
        steps = (
            (REFRESH_EVERY_S, "refresh_nodes", self._refresh),
            (REFRESH_EVERY_S, "drain_if_asked", self._drain_if_asked),
            (REFRESH_EVERY_S, "publish_rooms", partial(self.rooms.publish, row)),
            (EXCHANGE_EVERY_S, "exchange_charges", self._exchange_charges),
            (TIDY_EVERY_S, "publish_uses", self.rooms.publish_uses),
            (TIDY_EVERY_S, "tidy_rooms", self.rooms.tidy),
            (TIDY_EVERY_S, "forget_nodes", partial(self.node.forget_nodes, FORGOTTEN_AFTER_S)),
        )
        run, run_every = self._supervisor.run, self._supervisor.run_every
        tasks = self._supervisor.start(
            run("renew_leases", self._renew),
            run("reserve_names", self.rooms.keep_names_reserved),
            *(run_every(pause_s, name, step, PASSING) for pause_s, name, step in steps),
        )
        yield
        await self._supervisor.end(tasks)
        await self.node.close()

    @web.middleware
    async def _wait_until_announced(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        if request.path not in ALWAYS_ANSWERED:
            await self._takes_part.wait()
        return await handler(request)

    async def _renew(self) -> None:
        try:
            await self.node.run(self._load)
        except ClusterError:
            self.replaced.set()

    def _load(self) -> float:
        busy = self._loop_share.busy if self._loop_share else 0.0
        return 1.0 if self.rooms.full else min(busy, BUSY_MOST)

    async def _drain_if_asked(self) -> None:
        if self.node.draining and self.node.rooms:
            await self.drain()

    async def _refresh(self) -> None:
        nodes = await self.node.nodes()
        self._peers.refresh(nodes)
        known = ",".join(node.name for node in nodes if node.alive and not node.draining)
        if known != self._known:
            _logger.info(
                "the nodes that take rooms have changed", extra={"node": self.node.identity.name, "nodes": known}
            )
            self._known = known
        if self._shared:
            self._shared.nodes = max(1, sum(node.alive for node in nodes))

    async def _exchange_charges(self) -> None:
        if self._shared:
            await self._shared.exchange(self.node)
