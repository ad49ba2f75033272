"""Bans: an account, or the browsers and addresses of a reported player, cannot take seats until a time.

No I/O besides a store of values. Addresses are stored as keyed hashes, and a ban of an address is short: addresses
change hands. A refused browser gets a cookie with the ban, so it is known again at another address.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable

from msgspec import Struct

from ratscrew.community.values import PREFIX, Values
from ratscrew.game.codec import Codec

ADDRESS_MOST_US = 24 * 3600 * 1_000_000
"""How long an address is banned at most."""

REASON_MOST = 200
ADDRESS_KEY = f"{PREFIX}address-key"
"""The name of the secret by which addresses are hashed."""


class Ban(Struct, frozen=True):
    """A ban with its reason, which the banned player reads; without `until_us` it is for good.

    Unit: microseconds since 1970.
    """

    id: str
    at_us: int
    until_us: int | None
    reason: str
    account: str | None = None
    address: str | None = None

    def active(self, now_us: int) -> bool:
        """Whether it is not over."""
        return self.until_us is None or now_us < self.until_us


_BAN = Codec[Ban](Ban)


class Bans:
    """The bans of a server, in memory."""

    def __init__(self, bans: Iterable[Ban] = ()) -> None:
        self._bans = tuple(bans)
        self._accounts = {ban.account for ban in self._bans} - {None}
        self._addresses = {ban.address for ban in self._bans} - {None}

    def may_concern(self, account: str | None, address: str | None) -> bool:
        """Whether there is any ban of this account or this hashed address; one that is over counts, too."""
        return account in self._accounts or address in self._addresses

    def find(self, account: str | None, address: str | None, marks: Collection[str], now_us: int) -> Ban | None:
        """The ban of a request from this account, this hashed address, or a browser with these `marks`."""
        for ban in self._bans:
            by_address = address and ban.address == address and now_us < ban.at_us + ADDRESS_MOST_US
            if ban.active(now_us) and ((account and ban.account == account) or by_address or ban.id in marks):
                return ban
        return None


def read_bans(values: Values) -> list[Ban]:
    """All bans, oldest first."""
    return sorted(map(_BAN.decode, values.get(f"{PREFIX}ban/").values()), key=lambda ban: ban.at_us)


def put_ban(values: Values, ban: Ban) -> None:
    """Store a ban.

    Raises: LogError.
    """
    values.put(f"{PREFIX}ban/{ban.id}/", _BAN.encode(ban))


def remove_ban(values: Values, ban: Ban) -> None:
    """Delete a ban.

    Raises: LogError.
    """
    values.delete_prefix(f"{PREFIX}ban/{ban.id}/")


def hash_address(secret: bytes, address: str) -> str:
    """The keyed hash of an address."""
    return hashlib.blake2b(address.encode(), key=secret, digest_size=12).hexdigest()
