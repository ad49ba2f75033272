"""The nodes of the cluster as this one knows them: their addresses, and what they sign for each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from urllib.parse import urlsplit
from zlib import crc32

from ratscrew.cluster.records import NodeStatus
from ratscrew.protocol import wire
from ratscrew.web.http.node_tokens import NodeTokens


class ClusterPeers:
    """The nodes of the cluster, this one among them.

    `urls` are the addresses of those that players may be sent to, `others` these without this node's; `draining` are
    the names of those that give their rooms away, `rooms` how many each node has. The workers of one machine share an
    address.
    """

    def __init__(self, own_url: str, tokens: NodeTokens, draining: Callable[[], bool] = lambda: False) -> None:
        """`draining` tells whether this node gives its rooms away."""
        self.tokens = tokens
        self._draining = draining
        self._own_url = own_url
        self.urls: tuple[str, ...] = (own_url,)
        self.draining = frozenset[str]()
        self.rooms = Counter[str]()
        self._with_space: Sequence[NodeStatus] = ()
        self._origins = frozenset({_origin(own_url)})
        self.connect_src = ""
        self.on_change: Callable[[], None] = lambda: None
        """Called when `urls` have changed."""
        self._set_sources()

    def refresh(self, nodes: Sequence[NodeStatus]) -> None:
        """Note which nodes there are. Those that are away for a moment stay in the origins: they come back."""
        before = self.urls
        self.urls = tuple(dict.fromkeys(node.url for node in nodes if node.alive and not node.draining))
        self.draining = frozenset(node.name for node in nodes if node.alive and node.draining)
        self.rooms = Counter({node.name: node.rooms for node in nodes})
        self._with_space = [node for node in nodes if node.takes_rooms and node.url != self._own_url]
        origins = frozenset(_origin(node.url) for node in nodes if node.url) or self._origins
        if origins != self._origins:
            self._origins = origins
            self._set_sources()
        if self.urls != before:
            self.on_change()

    @property
    def others(self) -> tuple[str, ...]:
        """The addresses of the other nodes that players may be sent to."""
        return tuple(url for url in self.urls if url != self._own_url)

    def with_space(self) -> list[NodeStatus]:
        """The other nodes that have space for another room, those with the fewest rooms first."""
        return sorted(self._with_space, key=lambda node: self.rooms[node.name])

    def leave(self, room: str, player_ids: Collection[int]) -> wire.RoomMoved:
        """What the client with the seats of these players gets when a room, given by its full name, leaves this node.

        A node that drains may end at any moment, so it names another one, the same for all clients of the room.
        """
        if not self._draining() or not (others := self.others):
            return wire.RoomMoved()
        url = others[crc32(room.encode()) % len(others)]
        return wire.RoomMoved(url, self.tokens.ticket(url, room, player_ids) if player_ids else None)

    def has_origin(self, origin: str) -> bool:
        """Whether a page comes from an address of a node."""
        return origin in self._origins

    def _set_sources(self) -> None:
        sockets = [origin.replace("http", "ws", 1) for origin in self._origins]
        self.connect_src = " ".join(["connect-src 'self'", *sorted([*self._origins, *sockets])])


def _origin(url: str) -> str:
    """The origin of a URL, as browsers send it: without the usual port of its scheme."""
    parts = urlsplit(url)
    host = (parts.hostname or "").lower()
    host = f"[{host}]" if ":" in host else host
    usual = {"http": 80, "https": 443}.get(parts.scheme)
    return f"{parts.scheme}://{host}" + ("" if parts.port in (None, usual) else f":{parts.port}")
