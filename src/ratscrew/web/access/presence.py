"""Which accounts are online: those with a connected seat, and those whose page has asked for its friends.

A node knows its own. The nodes of a cluster store theirs every few seconds, each in one value, and read the others'. So
a friend at another node appears and disappears some seconds later; what a node that crashed says is over in a minute.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable

from msgspec import Struct

from ratscrew.accounts.values import PREFIX, Values
from ratscrew.game.codec import Codec
from ratscrew.table.room.room import Room
from ratscrew.web.schema.community_schema import Presence

ASKED_US = 45_000_000
"""How long an account counts as online after its page has asked for its friends: pages ask every fifteen seconds."""

SAID_US = 60_000_000
"""How long what another node said is believed. The nodes' clocks may differ by less."""

PUBLISH_EVERY_S, LOOK_EVERY_US = 10.0, 2_000_000


class _Said(Struct, frozen=True):
    """The accounts that are online at a node."""

    at_us: int
    accounts: dict[str, Presence]


_SAID = Codec[_Said](_Said)
_KIND = f"{PREFIX}online/"


class OnlineAccounts:
    """The accounts that are online, here and at other nodes."""

    def __init__(self, values: Values, rooms: Iterable[Room], now_us: Callable[[], int]) -> None:
        self._values, self._rooms, self._now_us = values, rooms, now_us
        self._asked: dict[str, int] = {}
        self._elsewhere: dict[str, Presence] = {}
        self._seen: tuple[int, dict[str, Presence]] = (-LOOK_EVERY_US, {})

    def note(self, account: str) -> None:
        """A page of this account is open."""
        self._asked[account] = self._now_us()

    def forget(self, account: str) -> None:
        """An account was deleted."""
        self._asked.pop(account, None)
        self._elsewhere.pop(account, None)
        self._seen = (-LOOK_EVERY_US, {})

    def here(self) -> dict[str, Presence]:
        """The accounts that are online at this node; as they were a moment ago, for it looks into every room."""
        now_us = self._now_us()
        if now_us - self._seen[0] >= LOOK_EVERY_US:
            self._seen = now_us, self._look(now_us - ASKED_US)
        return self._seen[1]

    def _look(self, since_us: int) -> dict[str, Presence]:
        self._asked = {account: at_us for account, at_us in self._asked.items() if at_us > since_us}
        online: dict[str, Presence] = dict.fromkeys(self._asked, "here")
        for room in self._rooms:
            for seat in room.table.seats:
                if seat.account and seat.here and not seat.gone:
                    online[seat.account] = "playing"
        return online

    def online(self) -> dict[str, Presence]:
        """The accounts that are online at any node."""
        return self._elsewhere | self.here()

    async def publish(self, node: str) -> None:
        """Store the accounts that are online at this node, and read those of the others.

        Raises: LogError.
        """
        now_us = self._now_us()
        said = _SAID.encode(_Said(now_us, self.here()))
        self._elsewhere = await asyncio.to_thread(_exchange, self._values, node, said, now_us)


def _exchange(values: Values, node: str, said: bytes, now_us: int) -> dict[str, Presence]:
    """Store what a node says, and read what the others say; what is too old is deleted."""
    values.put(f"{_KIND}{node}/", said)
    online: dict[str, Presence] = {}
    for name, value in values.get(_KIND).items():
        other = _SAID.decode(value)
        if other.at_us + SAID_US <= now_us:
            values.delete_prefix(name)
        elif name != f"{_KIND}{node}/":
            online |= other.accounts
    return online
