"""What the directory of a cluster holds of nodes and rooms. No I/O here.

No value is a time of a node's clock: durations are counted from the moment at which PostgreSQL executes a statement.
"""

from __future__ import annotations

from typing import NamedTuple

DRAIN_WITHIN_S = 10.0
"""How long a node that stops looks for a quiet moment in each of its rooms."""


class NodeIdentity(NamedTuple):
    """A process of the cluster. `instance` is random for each process, so two with one name are told apart.

    `url` is the public address at which players reach this process.
    """

    name: str
    url: str
    instance: str
    version: str


class NodeStatus(NamedTuple):
    """A node as the others see it. `epoch` rises with each process of this name; `rooms` counts its
    leases of rooms that were opened: it reserves codes for the next ones too. A node that starts drains until its
    address was checked; a new one has an empty `url` until then. `load` is the busy share of its event loop, below 1;
    it is 1 if the node has no space for another room.

    Unit: `left_s` seconds until its leases expire, negative if they have; `-inf` if it has left.
    """

    name: str
    url: str
    epoch: int
    left_s: float
    load: float
    draining: bool
    version: str
    rooms: int

    @property
    def alive(self) -> bool:
        """Whether the node has renewed its leases in time."""
        return self.left_s > 0

    @property
    def takes_rooms(self) -> bool:
        """Whether a room that is opened, or has no owner, can go there."""
        return self.alive and not self.draining and self.load < 1


class Placement(NamedTuple):
    """Where a room is, by its full name. Without a valid lease `node` and `url` are None: it can be claimed.

    `epoch` rises with each claim: of two processes that both take themselves for the owner, the one with the lower
    epoch is stale.
    """

    room: str
    epoch: int
    node: str | None
    url: str | None


class Renewal(NamedTuple):
    """The answer to a renewal: all rooms that the node still owns, with their epochs.

    Unit: `now_s` is PostgreSQL's time in seconds since 1970.
    """

    draining: bool
    rooms: dict[str, int]
    now_s: float


class RoomState(NamedTuple):
    """What the owner of a room publishes of it.

    `joined` is how many players with a reserved chair have taken a seat since the last time. With `used`, the code's
    time of use begins anew. `summary` is shown in the list of open rooms, in a format of the caller's.
    Unit: `fill_in_s` seconds until bots take the free chairs; None if the room does not wait for strangers.
    """

    room: str
    epoch: int
    listed: bool = False
    playing: bool = False
    free_chairs: int = 0
    fill_in_s: float | None = None
    joined: int = 0
    used: bool = False
    played: bool = False
    summary: bytes | None = None


class OpenRoom(NamedTuple):
    """A room that strangers may join."""

    room: str
    code: str
    playing: bool
    summary: bytes | None
    url: str
