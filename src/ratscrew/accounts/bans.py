"""Bans: an account, or a reported player's seat, cannot take seats until a time; for a day perhaps a network, too.

No I/O besides a store of values. A browser that holds the account or the seat gets a cookie with the ban, a mark, so it
is known again without them. A network has other people too, and addresses change hands: it is refused for a day at
most, and its browsers get no mark. Addresses are stored as keyed hashes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable

from msgspec import Struct

from ratscrew.accounts.values import PREFIX, Values
from ratscrew.game.codec import Codec

ADDRESS_MOST_US = 24 * 3600 * 1_000_000
"""How long an address is banned at most."""

REASON_MOST = 200
ADDRESS_KEY = f"{PREFIX}address-key"
"""The name of the secret by which addresses are hashed."""


class Ban(Struct, frozen=True):
    """A ban with its reason, which the banned player reads; without `until_us` it is for good.

    `seat` is that of a reported player: the room's full name and the player's id (`seat_name`). `address` is the keyed
    hash of a network. Unit: microseconds since 1970.
    """

    id: str
    at_us: int
    until_us: int | None
    reason: str
    account: str | None = None
    address: str | None = None
    seat: str | None = None

    def active(self, now_us: int) -> bool:
        """Whether it is not over."""
        return self.until_us is None or now_us < self.until_us


_BAN = Codec[Ban](Ban)


class Bans:
    """The bans of a server, in memory."""

    def __init__(self, bans: Iterable[Ban] = ()) -> None:
        self._bans = tuple(bans)

    def of_player(self, account: str | None, seats: Collection[str], marks: Collection[str], now_us: int) -> Ban | None:
        """The ban of a player by what only that player has: an account, a seat, or a browser with marks."""
        for ban in self._bans:
            own = (account and ban.account == account) or ban.seat in seats or ban.id in marks
            if own and ban.active(now_us):
                return ban
        return None

    def of_network(self, address: str | None, now_us: int) -> Ban | None:
        """The ban of a network, by a hashed address, if it still holds; it meets everybody behind that address."""
        for ban in self._bans:
            if address and ban.address == address and ban.active(now_us) and now_us < ban.at_us + ADDRESS_MOST_US:
                return ban
        return None


def seat_name(room: str, player_id: int) -> str:
    """How a ban names a seat, of a room that is given by its full name."""
    return f"{room}/{player_id}"


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
