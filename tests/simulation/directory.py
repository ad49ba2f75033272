"""The directory of a simulated cluster: stands for the statements of `cluster/directory.py`, with the same answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from ratscrew.cluster.records import NodeIdentity, NodeStatus, OpenRoom, Placement, Renewal, RoomState
from ratscrew.errors import ClusterError, LogError, NodeReplaced
from tests.simulation.database import LEASE_US, Database, NodeRow, RoomRow

T = TypeVar("T")


class SimulatedDirectory:
    """The directory as one node uses it; see `ClusterDirectory`. An answer that is lost is asked for again."""

    def __init__(self, database: Database, me: NodeIdentity) -> None:
        self.me, self.alive = me, True
        self._database = database

    # Nodes

    def register(self) -> int:
        """See `ClusterDirectory`."""

        def register(now_us: int) -> int:
            me, before = self.me, self._database.nodes.get(self.me.name)
            if before and before.alive_until_us >= now_us and before.instance != me.instance:
                raise ClusterError(f"a node named {me.name} is alive")
            epoch = before.epoch + (before.instance != me.instance) if before else 1
            row = NodeRow(before.url if before else "", me.instance, me.version, epoch, now_us + LEASE_US)
            row.draining, self._database.nodes[me.name] = True, row
            self._release_all()
            return epoch

        return self._run(register)

    def announce(self) -> None:
        """See `ClusterDirectory`."""

        def announce(_: int) -> None:
            if me := self._me():
                me.url, me.draining = self.me.url, False

        self._run(announce)

    def renew(self, load: float = 0) -> Renewal:
        """See `ClusterDirectory`."""

        def renew(now_us: int) -> Renewal:
            if (me := self._me()) is None:
                raise NodeReplaced(f"another process has registered as node {self.me.name}")
            me.alive_until_us, me.load = now_us + LEASE_US, load
            mine = {name: room for name, room in self._database.rooms.items() if room.owner == self.me.name}
            for room in mine.values():
                room.lease_until_us = me.alive_until_us
            return Renewal(me.draining, {name: room.epoch for name, room in mine.items()}, now_us / 1e6)

        return self._run(renew)

    def leave(self) -> None:
        """See `ClusterDirectory`."""

        def leave(_: int) -> None:
            if me := self._me():
                me.alive_until_us = -1
                self._release_all()

        self._run(leave)

    def nodes(self) -> list[NodeStatus]:
        """See `ClusterDirectory`."""

        def status(now_us: int, name: str, node: NodeRow) -> NodeStatus:
            left_s = (node.alive_until_us - now_us) / 1e6 if node.alive_until_us >= 0 else float("-inf")
            rooms = sum(room.owner == name and room.lease_until_us > now_us for room in self._database.rooms.values())
            return NodeStatus(name, node.url, node.epoch, left_s, node.load, node.draining, node.version, rooms)

        return self._run(lambda now_us: [status(now_us, *each) for each in sorted(self._database.nodes.items())])

    def forget_nodes(self, after_s: float) -> int:
        """See `ClusterDirectory`; no story lasts that long."""
        return 0

    def set_draining(self, node: str, draining: bool = True) -> bool:
        """See `ClusterDirectory`."""

        def drain(_: int) -> bool:
            if (row := self._database.nodes.get(node)) is None:
                return False
            row.draining = draining
            return True

        return self._run(drain)

    # Rooms

    def create(self, room: str, code: str, opener: str | None = None) -> int | None:
        """See `ClusterDirectory`."""

        def create(now_us: int) -> int | None:
            rooms = self._database.rooms
            taken = room in rooms or any(each.code == code and each.active for each in rooms.values())
            if (me := self._may_claim(now_us)) and not taken:
                rooms[room] = RoomRow(code, self.me.name, 1, me.alive_until_us)
            elif room in rooms and rooms[room].owner == self.me.name and rooms[room].active:
                pass
            else:
                self._check_may_claim(now_us)
                return None
            return rooms[room].epoch

        return self._run(create)

    def claim(self, code: str) -> Placement | None:
        """See `ClusterDirectory`."""

        def claim(now_us: int) -> Placement | None:
            name, room = self._room(code)
            if room is None:
                return None
            if room.lease_until_us < now_us and (me := self._may_claim(now_us)):
                room.owner, room.epoch, room.lease_until_us = self.me.name, room.epoch + 1, me.alive_until_us
                return Placement(name, room.epoch, self.me.name, self.me.url)
            placement = self._find(code, now_us)
            if placement and placement.node is None:
                self._check_may_claim(now_us)
            return placement

        return self._run(claim)

    def find(self, code: str) -> Placement | None:
        """See `ClusterDirectory`."""
        return self._run(lambda now_us: self._find(code, now_us))

    def release(self, rooms: Mapping[str, int]) -> None:
        """See `ClusterDirectory`."""

        def release(_: int) -> None:
            for name, epoch in rooms.items():
                room = self._database.rooms.get(name)
                if room and (room.epoch, room.owner) == (epoch, self.me.name):
                    room.owner, room.lease_until_us = None, -1

        self._run(release)

    def retire(self, kept_s: float, unplayed_kept_s: float) -> int:
        """See `ClusterDirectory`; no story lasts that long."""
        return 0

    def codes_in_use(self) -> dict[int, int]:
        """See `ClusterDirectory`."""
        return self._run(lambda _: {})

    def adopt_rooms(self) -> int:
        """See `ClusterDirectory`; all rooms are in the directory."""
        return 0

    def publish(self, states: Sequence[RoomState]) -> None:
        """See `ClusterDirectory`; no stranger asks for a table here."""
        self._run(lambda _: None)

    def reserve_chair(self, refused: Sequence[str] = ()) -> Placement | None:
        """See `ClusterDirectory`."""
        return None

    def open_rooms(self, most: int, most_of_opener: int, playing: bool = False) -> list[OpenRoom]:
        """See `ClusterDirectory`."""
        return []

    def exchange_charges(
        self, writer: str, number: int, body: bytes | None, seen: Mapping[str, int]
    ) -> list[tuple[str, int, bytes]]:
        """See `ClusterDirectory`; nothing is limited here."""
        return []

    def close(self) -> None:
        """The process has ended: nothing is executed for it any more."""
        self.alive = False

    # Inside

    def _run(self, statement: Callable[[int], T]) -> T:
        database, times = self._database, 1
        if database.world.happens(database.trouble.loses):  # it is executed, but not answered: once more
            times = 2
        for _ in range(times):
            if not self.alive or not database.reaches(self.me.name):
                raise LogError("PostgreSQL cannot be reached")
            answer = statement(database.now_us)
        return answer

    def _me(self) -> NodeRow | None:
        me = self._database.nodes.get(self.me.name)
        return me if me and me.instance == self.me.instance else None

    def _may_claim(self, now_us: int) -> NodeRow | None:
        me = self._me()
        return me if me and me.alive_until_us > now_us and not me.draining else None

    def _check_may_claim(self, now_us: int) -> None:
        if self._may_claim(now_us) is None:
            raise ClusterError(f"node {self.me.name} has no valid lease, or is draining")

    def _release_all(self) -> None:
        for room in self._database.rooms.values():
            if room.owner == self.me.name:
                room.owner, room.lease_until_us = None, -1

    def _room(self, code: str) -> tuple[str, RoomRow | None]:
        found = ((name, room) for name, room in self._database.rooms.items() if room.code == code and room.active)
        return next(found, ("", None))

    def _find(self, code: str, now_us: int) -> Placement | None:
        name, room = self._room(code)
        if room is None:
            return None
        owner = self._database.nodes.get(room.owner or "") if room.lease_until_us >= now_us else None
        return Placement(name, room.epoch, room.owner if owner else None, owner.url if owner else None)
