"""Rate limits: `LIMITS` per address and per connection, `GLOBAL` for all addresses together. Does not import aiohttp.

A network (/24 of IPv4, /48 of IPv6) may use as much as ten of its addresses. A few addresses cannot use up a global
limit for all: a share of each is kept for newcomers, those that have used no more than `NEWCOMER` of it lately.

Normal play stays far below each limit (`tests/web/test_limits.py` plays a class of thirty behind one address). A client
over a limit of its address gets 429, and over a global one 503, both with `Retry-After`. Times are those of the table's
clock, so tests need not wait.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import partial
from typing import Literal, NamedTuple, TypeAlias
from weakref import WeakKeyDictionary

from ratscrew.errors import LimitExceeded, Overloaded
from ratscrew.limits.buckets import NETWORK_TIMES, NEW_NETWORK_TIMES, GlobalLimit
from ratscrew.limits.buckets import Bucket as Bucket
from ratscrew.limits.buckets import Limit as Limit
from ratscrew.limits.shared_limits import SharedLimits
from ratscrew.table.record.clock import Clock
from ratscrew.table.registry.networks import network_of

LimitName: TypeAlias = Literal[
    "connections",
    "requests",
    "heavy",
    "rooms",
    "rooms_hour",
    "seats",
    "room_seats",
    "sockets",
    "address_messages",
    "messages",
    "bytes",
    "room_requests",
    "slaps",
    "accounts",
    "community",
    "reports",
]

LIMITS: Mapping[LimitName, Limit] = {
    # per address: a class of thirty may share one, and a page loads some forty files
    "connections": Limit(1500, 1 / 150),  # a browser opens six, and one for each WebSocket
    "requests": Limit(3000, 1 / 200),
    "heavy": Limit(200, 1 / 10),  # requests that take more processor time than a message
    "rooms": Limit(100, 2),  # a learner opens one for each lesson
    "rooms_hour": Limit(600, 12),  # each stays in the log: thirty learners open one a minute for twenty minutes
    "seats": Limit(200, 1),
    "room_seats": Limit(30, 20),  # per address and room: a class of thirty joins one room
    "accounts": Limit(40, 120),  # new accounts: a class of thirty makes them at one moment
    "community": Limit(200, 1 / 2),  # what reads or changes an account, a profile or a list
    "reports": Limit(12, 300),  # a player seldom has more than one reason in a game
    "sockets": Limit(300, 1 / 10),  # a page has two, and after a restart of the server all reconnect at once
    "address_messages": Limit(40_000, 1 / 4000),  # of all its connections; a page sends some thirty a second
    # per connection
    "messages": Limit(1200, 1 / 120, first=150),  # eight players on a tablet send a hundred a second, and so many come
    "bytes": Limit(200_000, 1 / 40_000),  # at once after a connection has stalled for ten seconds
    # per address; all but measurements and cards, in units of `log_budget.py` (about 100 bytes each)
    "room_requests": Limit(6000, 1 / 100),  # a hundred deals at once, and five houses or fifty signs every two seconds
    "slaps": Limit(600, 1 / 30),  # thirty players slap ten times a second together; each slap may be logged, with proof
}

OF_SEAT, OF_ROOM = Limit(400, 1 / 20), Limit(1200, 1 / 60)
"""The units of "room_requests" for one seat, and for all players of one room: one host may set ten houses at once."""

SLAPS_OF_SEAT = Limit(20, 2)
"""While an address is over its limit of "slaps", only its seats that have used less than half of this may slap."""

GLOBAL: Mapping[LimitName, Limit] = {
    # all addresses together: what one core can handle while it serves the tables that are playing
    "connections": Limit(10_000, 1 / 1000),
    "requests": Limit(
        20_000, 1 / 2000
    ),  # `web/edge/connections.py` spreads a burst, so that tables are served in between
    "heavy": Limit(1000, 1 / 50),
    "rooms": Limit(200, 1 / 10),  # a busy server opens none, but takes a moment to measure that it is busy
    "seats": Limit(2000, 1 / 50),
    "accounts": Limit(400, 2),
    "community": Limit(1000, 1 / 50),
    "reports": Limit(200, 10),  # each is stored until the operator has looked at it
    "sockets": Limit(9000, 1 / 300),  # 4,000 pages that reconnect at once after a restart of the server
    "room_requests": Limit(60_000, 1 / 1000),  # 100 kB of the log a second
}

NEWCOMER: Mapping[LimitName, Limit] = {
    # per address: what a player who comes now and then uses
    "connections": Limit(20, 5),
    "requests": Limit(120, 1),
    "heavy": Limit(10, 20),
    "rooms": Limit(3, 120),
    "seats": Limit(4, 60),
    "accounts": Limit(1, 1200),
    "community": Limit(10, 20),
    "reports": Limit(1, 600),
    "sockets": Limit(6, 20),
    "room_requests": Limit(120, 1),
}
"""Of each global limit: what an address may have used lately to have its share of what is kept for newcomers."""

SHARED: tuple[LimitName, ...] = ("rooms", "rooms_hour", "seats", "room_seats")
"""The limits of an address that count at all nodes of a cluster together. The others, and all global ones, protect each
node by itself."""

SOCKETS_MOST = 300
"""WebSockets that one address may have open at the same time."""

WATCHERS_MOST, WATCHERS_OF_ADDRESS = 1000, 8
"""Pages without a seat that may watch a room, and how many of one address: one client cannot use up all of them."""

ALL_WATCHERS_MOST, ALL_WATCHERS_OF_ADDRESS = 3000, 30
"""Pages that may watch any room of this server, and how many of an address. To send to all takes a third of a core."""

WATCHERS_KEPT = 200
"""So many more may watch, each of them the first page of its address."""

BUSY_S = 10.0
"""The retry delay for a client that was disconnected for sending too much, or has too many connections."""

IGNORED_MOST = 150
"""Messages in a row over the rate that are ignored before the client is disconnected."""

_EVICT_AT = 10_000
_SEATS_KEPT = 64


class RoomUse:
    """The limits of one room, its seats and its watchers, as used so far."""

    def __init__(self, now_us: int) -> None:
        self.room = Bucket(OF_ROOM, now_us)
        self.watchers: Counter[str] = Counter()
        self._seats: dict[int, tuple[Bucket, Bucket]] = {}

    def seat(self, player: int, now_us: int) -> tuple[Bucket, Bucket]:
        """The buckets of a player for requests and for slaps."""
        if (buckets := self._seats.get(player)) is None:
            if len(self._seats) >= _SEATS_KEPT:
                kept = self._seats.items()
                self._seats = {who: two for who, two in kept if not all(one.unused(now_us) for one in two)}
            buckets = self._seats[player] = Bucket(OF_SEAT, now_us), Bucket(SLAPS_OF_SEAT, now_us)
        return buckets


class GlobalCharge(NamedTuple):
    """What was charged to a global limit."""

    buckets: tuple[Bucket, ...]
    cost: int = 1

    def refund(self) -> None:
        """Undo it: nothing came of what was charged for."""
        for bucket in self.buckets:
            bucket.refund(self.cost)


class Limits:
    """The limits of all addresses, as used so far.

    `times` multiplies every limit, global ones too, for places where many players share one address.
    """

    def __init__(self, clock: Clock, times: float = 1, shared: SharedLimits | None = None) -> None:
        """`shared` connects the limits of the nodes of a cluster."""
        self._clock, self.times, self.shared = clock, times, shared
        for what in SHARED if shared else ():
            shared.receive(what, partial(self._add, what))  # type: ignore[union-attr]
        self._buckets: dict[tuple[LimitName, str], Bucket] = {}
        self._evict_at = _EVICT_AT
        self._sockets: Counter[str] = Counter()
        self._watching: Counter[str] = Counter()
        self._global: dict[LimitName, GlobalLimit] = {}
        self._rooms: WeakKeyDictionary[object, RoomUse] = WeakKeyDictionary()

    def bucket(self, what: LimitName, address: str) -> Bucket:
        return self._bucket((what, address), LIMITS[what])

    def take(self, what: LimitName, address: str) -> GlobalCharge:
        """Charge a limit of an address and of its network, and the global limit of the same name.

        A client over its own limit is not charged to the global one, so it takes nothing from other clients. The charge
        to the global one can be refunded if nothing came of it.

        Raises: LimitExceeded if the address has to wait; Overloaded if all clients have to, newcomers or not.
        """
        now_us, shared, network = self._clock.now_us(), self._of_all(what), network_of(address)
        across = self.shared if what in SHARED else None
        if across:
            address, network = across.hide(address), across.hide(network)
        if shared and (wait_us := shared.wait_us(now_us)):  # first: so a flood of addresses creates no buckets
            raise Overloaded(self._seconds(wait_us))
        own = [self.bucket(what, address), self._network_bucket(what, network)]
        self._raise_if_waiting(max(bucket.wait_us(now_us) for bucket in own))
        charge, wait_us = self._take_of_all(what, address, network, 1)
        if wait_us:
            raise Overloaded(self._seconds(wait_us))
        for bucket in own:
            bucket.take(now_us)
        if across:
            across.note(what, address)
        return charge

    def check(self, what: LimitName, address: str) -> None:
        """Check a limit of an address without charging it.

        Raises: LimitExceeded if the address has to wait.
        """
        self._raise_if_waiting(self.bucket(what, address).wait_us(self._clock.now_us()))

    def used_up(self, what: LimitName, address: str) -> bool:
        """Whether an address would have to wait. Creates no bucket for a new address."""
        bucket = self._buckets.get((what, address))
        return bucket is not None and bucket.wait_us(self._clock.now_us()) > 0

    def spend(self, what: LimitName, address: str, cost: int) -> None:
        """Charge an address for something that turned out to cost more."""
        self.bucket(what, address).spend(self._clock.now_us(), cost)

    def overdrawn(self, what: LimitName, address: str) -> bool:
        """Whether the bucket of an address is overdrawn."""
        return self.bucket(what, address).overdrawn(self._clock.now_us())

    def connect(self, address: str) -> None:
        """Count a WebSocket of an address, until `disconnect`.

        Raises: LimitExceeded if the address has too many.
        """
        if self._sockets[address] >= SOCKETS_MOST * self.times:
            raise LimitExceeded(BUSY_S)
        self._sockets[address] += 1

    def disconnect(self, address: str) -> None:
        """A WebSocket of an address that was counted has ended."""
        self._sockets[address] -= 1
        if not self._sockets[address]:
            del self._sockets[address]

    def request(self, room: object, player: int, address: str, cost: int) -> int:
        """Charge a player's request to the seat, the room, the address and all addresses together, or to none of them
        if one has too little left. `cost` is in units.

        Returns: how many microseconds the player has to wait; 0 if charged.
        """
        now_us = self._clock.now_us()
        buckets = self._request_buckets(room, player, address)
        if wait_us := max(bucket.wait_us(now_us, cost) for bucket in buckets):
            return wait_us
        if wait_us := self._take_of_all("room_requests", address, network_of(address), cost)[1]:
            return wait_us
        for bucket in buckets:
            bucket.take(now_us, cost)
        return 0

    def refund_request(self, room: object, player: int, address: str, cost: int) -> None:
        """Refund a part of a request that changed nothing."""
        shared = self._of_all("room_requests")
        for bucket in (*self._request_buckets(room, player, address), *([shared.common] if shared else [])):
            bucket.refund(cost)

    def _request_buckets(self, room: object, player: int, address: str) -> list[Bucket]:
        use = self._use(room)
        seat, _ = use.seat(player, self._clock.now_us())
        return [seat, use.room, self.bucket("room_requests", address)]

    def slap(self, room: object, player: int, address: str) -> int:
        """Charge a slap. If an address is over its limit, only its players that slap most are limited.

        Returns: how many microseconds the player has to wait; 0 if charged.
        """
        now_us = self._clock.now_us()
        seat, all_of_address = self._use(room).seat(player, now_us)[1], self.bucket("slaps", address)
        if (wait_us := all_of_address.wait_us(now_us)) and seat.half_used(now_us):
            return wait_us
        seat.spend(now_us, 1)
        all_of_address.spend(now_us, 1)
        return 0

    def watch(self, room: object, address: str) -> bool:
        """Count a page that watches a room, until `unwatch`; False, and not counted, if too many watch."""
        watchers, own = self._use(room).watchers, self._watching[address]
        more = 0 if own else WATCHERS_KEPT
        many = watchers.total() >= WATCHERS_MOST + more or self._watching.total() >= ALL_WATCHERS_MOST + more
        own_many = watchers[address] >= WATCHERS_OF_ADDRESS * self.times or own >= ALL_WATCHERS_OF_ADDRESS * self.times
        if many or own_many:
            return False
        watchers[address] += 1
        self._watching[address] += 1
        return True

    def unwatch(self, room: object, address: str) -> None:
        """A page that was counted watches a room no longer."""
        for watchers in (self._use(room).watchers, self._watching):
            watchers[address] -= 1
            if not watchers[address]:
                del watchers[address]

    def _use(self, room: object) -> RoomUse:
        if (use := self._rooms.get(room)) is None:
            use = self._rooms[room] = RoomUse(self._clock.now_us())
        return use

    def _of_all(self, what: LimitName) -> GlobalLimit | None:
        """The global limit with this name, if there is one."""
        if (found := self._global.get(what)) is None and (limit := GLOBAL.get(what)):
            scaled, newcomer = self._scaled(limit), self._scaled(NEWCOMER[what])
            found = self._global[what] = GlobalLimit(scaled, newcomer, self._clock.now_us())
        return found

    def _take_of_all(self, what: LimitName, address: str, network: str, cost: int) -> tuple[GlobalCharge, int]:
        """Charge the global limit with this name: the kept share if the rest is used up, and these are newcomers.

        Returns: the charge, and 0 if charged; otherwise how many microseconds they have to wait.
        """
        if (shared := self._of_all(what)) is None:
            return GlobalCharge(()), 0
        now_us, limit = self._clock.now_us(), NEWCOMER[what]
        newcomer = [
            self._bucket((what, f"new {address}"), limit),
            self._bucket((what, f"new {network}/"), limit, NEW_NETWORK_TIMES),
        ]
        bucket = shared.common
        if wait_us := bucket.wait_us(now_us, cost):
            bucket = shared.kept
            if others_us := max(each.wait_us(now_us, cost) for each in (bucket, *newcomer)):
                return GlobalCharge(()), min(wait_us, others_us)
        bucket.take(now_us, cost)
        for each in newcomer:
            each.spend(now_us, cost)
        return GlobalCharge((bucket,), cost), 0

    def _network_bucket(self, what: LimitName, network: str) -> Bucket:
        return self._bucket((what, f"{network}/"), LIMITS[what], NETWORK_TIMES)

    def _bucket(self, key: tuple[LimitName, str], limit: Limit, times: float = 1) -> Bucket:
        if (bucket := self._buckets.get(key)) is None:
            self._evict_unused()
            bucket = self._buckets[key] = Bucket(self._scaled(limit, times), self._clock.now_us())
        return bucket

    def _scaled(self, limit: Limit, times: float = 1) -> Limit:
        times *= self.times
        return Limit(round(limit.most * times), limit.every_s / times, limit.first)

    def _add(self, what: LimitName, address: str, count: int) -> None:
        """Charge what another node has let an address do."""
        self.bucket(what, address).add(self._clock.now_us(), count)

    def _raise_if_waiting(self, wait_us: int) -> None:
        if wait_us > 0:
            raise LimitExceeded(self._seconds(wait_us))

    def _seconds(self, wait_us: int) -> float:
        return wait_us / self._clock.speed / 1e6

    def _evict_unused(self) -> None:
        """Drop full buckets once there are many."""
        if len(self._buckets) >= self._evict_at:
            now_us = self._clock.now_us()
            self._buckets = {key: bucket for key, bucket in self._buckets.items() if not bucket.unused(now_us)}
            self._evict_at = max(_EVICT_AT, 2 * len(self._buckets))


class MessageRateLimiter:
    """Limits the messages of one connection. A client over the rate is ignored for a while, then disconnected."""

    def __init__(self, clock: Clock, of_address: Bucket) -> None:
        self._clock, self._of_address = clock, of_address
        self._messages, self._bytes = (Bucket(LIMITS[what], clock.now_us()) for what in ("messages", "bytes"))
        self._ignored = 0

    def wait_us(self, size: int, now_us: int) -> int:
        """0 if a message of so many bytes is accepted; otherwise how long until one would be.

        If an address is over its limit, only its connections that send most are limited.

        Raises: LimitExceeded if the client does not stop.
        """
        wait_us = self._messages.take(now_us) or self._bytes.take(now_us, size)
        if not wait_us and (address_wait_us := self._of_address.take(now_us)) and self._messages.half_used(now_us):
            wait_us = address_wait_us
        if not wait_us:
            self._ignored = 0
            return 0
        self._ignored += 1
        if self._ignored > IGNORED_MOST:
            raise LimitExceeded(BUSY_S)
        return wait_us
