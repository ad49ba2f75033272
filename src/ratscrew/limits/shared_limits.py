"""Rate limits that the nodes of a cluster share: each tells the others, once a second, what it has charged.

A charge is decided by this node's own buckets at once; what others have charged is added to them later. Does not import
aiohttp or the directory.
"""

from __future__ import annotations

import asyncio
import hashlib
import secrets
from collections import Counter
from collections.abc import Callable, Mapping
from math import ceil
from typing import Protocol

from ratscrew.game.codec import Codec

EXCHANGE_EVERY_S = 1.0

NAMES_MOST = 5000
"""How many limits with charges wait for the next exchange at most; further ones stay this node's own."""

SECRET = "charges"
"""The name of the value in the log with which addresses are hashed."""

_BODY = Codec[dict[str, int]](dict[str, int])


class ChargeExchange(Protocol):
    """How nodes exchange charges; see `ClusterNode.exchange_charges`."""

    async def exchange_charges(
        self, writer: str, number: int, body: bytes | None, seen: Mapping[str, int]
    ) -> list[tuple[str, int, bytes]]:
        """Publish the charges, and get those of others."""


class SharedLimits:
    """The charges of this node that others do not know yet, and those of the others that arrive.

    A charge belongs to a limit by its name: a kind, a space, and the hash of an address, or nothing for all clients.
    """

    def __init__(self, secret: bytes) -> None:
        """`secret` is the same for all nodes: addresses are hashed with it."""
        self.nodes = 1
        self._secret, self._writer, self._number = secret, secrets.token_hex(8), 0
        self._waiting, self._fresh = Counter[str](), Counter[str]()
        self._sent: bytes | None = None
        self._seen: dict[str, int] = {}
        self._lock = asyncio.Lock()
        self._receivers: dict[str, Callable[[str, int], None]] = {}

    def hide(self, address: str) -> str:
        """A text that stands for an address, or a network, or an address in a room."""
        return hashlib.blake2b(address.encode(), key=self._secret, digest_size=12).hexdigest()

    def receive(self, kind: str, add: Callable[[str, int], None]) -> None:
        """Have charges of other nodes for a kind of limits added by this, with the hash and how many."""
        self._receivers[kind] = add

    def note(self, kind: str, hidden: str, count: int = 1) -> None:
        """This node has charged a limit so often, or refunded it with a negative `count`."""
        name = f"{kind} {hidden}"
        self._fresh[name] += count
        if name in self._waiting or len(self._waiting) < NAMES_MOST:
            self._waiting[name] += count

    def uses_share(self, kind: str, hidden: str, most: int) -> bool:
        """Whether this node has charged its share of a limit since the last exchange: each gets as much of `most`."""
        return self.nodes > 1 and self._fresh[f"{kind} {hidden}"] >= ceil(most / self.nodes)

    async def exchange(self, others: ChargeExchange) -> None:
        """Tell the other nodes what this one has charged, and add what they have.

        After a failure the next call publishes the same again, once; meanwhile this node's own limits hold.

        Raises: LogError; Overloaded.
        """
        async with self._lock:
            await self._exchange(others)

    async def _exchange(self, others: ChargeExchange) -> None:
        if self._sent is None and (told := {name: count for name, count in self._waiting.items() if count}):
            self._sent, self._number = _BODY.encode(told), self._number + 1
            self._waiting.clear()
        self._fresh.clear()  # also if it fails: then each node's own limits hold, not a share of them
        found = await others.exchange_charges(self._writer, self._number, self._sent, self._seen)
        self._sent = None
        for writer, number, body in found:
            self._seen[writer] = max(number, self._seen.get(writer, 0))
            for name, count in _BODY.decode(body).items():
                kind, _, hidden = name.partition(" ")
                if add := self._receivers.get(kind):
                    add(hidden, count)
