"""What one node of a cluster signs for another: tickets for sockets, forwarded requests, and answers to self-checks.

All nodes have the same keys, in the log. Times are PostgreSQL's (`ClusterNode.now_s`), so the nodes' own clocks do not
matter. Everything is valid for some seconds only, and for one node.
"""

from __future__ import annotations

import secrets
from collections.abc import Collection
from typing import TYPE_CHECKING, NamedTuple

from aiohttp import web

from ratscrew.table.registry.tokens import Tokens

if TYPE_CHECKING:
    from ratscrew.cluster.node import ClusterNode

TICKET_LASTS_S = 10
"""How long a ticket is valid: a page uses it at once."""

FORWARD_LASTS_S = 15

USED_MOST = 50_000
"""Used tickets in memory; they are forgotten when they expire. Of more, the oldest are forgotten."""

FORWARDED = "Ratscrew-Forwarded"
"""The header by which a node forwards a request for a client."""


class Forwarded(NamedTuple):
    """The client of a forwarded request: its address, and whether its connection is encrypted."""

    address: str
    encrypted: bool


_READ = web.RequestKey("forwarded", Forwarded)
"""Where a request stores its client, once the header was verified."""


class NodeTokens:
    """Signs for other nodes, and verifies what they signed for this one."""

    def __init__(self, tokens: Tokens, node: ClusterNode) -> None:
        self._tokens, self._node = tokens, node
        self._used: dict[str, float] = {}

    def ticket(self, url: str, room: str, player_ids: Collection[int]) -> str:
        """A ticket for one socket at the node of this address: it holds the seats of these players in a room."""
        text = f"{secrets.token_hex(8)}.{'-'.join(map(str, player_ids))}"
        return self._tokens.sign_text("ticket", f"{room}@{url}", text, TICKET_LASTS_S, self._now_us())

    def use_ticket(self, room: str, ticket: str) -> frozenset[int]:
        """The players whose seats a ticket holds; none if it is forged, expired, used, or for another room or node."""
        now_s = self._node.now_s()
        text = self._tokens.read_text("ticket", f"{room}@{self._node.identity.url}", ticket, self._now_us())
        if text is None:
            return frozenset()
        for used, until_s in list(self._used.items())[:2]:  # the oldest; so the cost is spread
            if until_s < now_s or len(self._used) > USED_MOST:
                del self._used[used]
        number, _, player_ids = text.partition(".")
        if number in self._used:
            return frozenset()
        self._used[number] = now_s + TICKET_LASTS_S + 1
        return frozenset(int(each) for each in player_ids.split("-") if each)

    def forward(self, url: str, path: str, client: Forwarded) -> str:
        """The header for a request that is forwarded to the node of this address."""
        text = f"{int(client.encrypted)}.{client.address}"
        return self._tokens.sign_text("forward", f"{path}@{url}", text, FORWARD_LASTS_S, self._now_us())

    def forwarded(self, request: web.BaseRequest) -> Forwarded | None:
        """The client of a request that another node has forwarded; None for any other request."""
        if (token := request.headers.get(FORWARDED)) is None:
            return None
        if (client := request.get(_READ)) is None:
            subject = f"{request.rel_url.raw_path}@{self._node.identity.url}"
            text = self._tokens.read_text("forward", subject, token, self._now_us())
            encrypted, _, address = (text or "").partition(".")
            if not text:
                return None
            client = request[_READ] = Forwarded(address, encrypted == "1")
        return client

    def sign_check(self, question: str) -> str:
        """The answer to a self-check: that this process, and no other, was asked this question."""
        me = self._node.identity
        return self._tokens.sign_text("node", question, f"{me.name}.{me.instance}", FORWARD_LASTS_S, self._now_us())

    def read_check(self, question: str, answer: str) -> tuple[str, str] | None:
        """The name and instance of the node that answered a self-check; None if no node of this cluster did."""
        text = self._tokens.read_text("node", question, answer, self._now_us())
        name, _, instance = (text or "").rpartition(".")
        return (name, instance) if text else None

    def _now_us(self) -> int:
        return int(self._node.now_s() * 1e6)
