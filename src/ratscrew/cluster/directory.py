"""The directory of a cluster in PostgreSQL: which node is alive, and which room each node owns.

Only liveness depends on it: the fence of the log (`log/postgres/fence.py`) refuses the appends of a stale owner.

- All times are PostgreSQL's `now()`, so the clocks of the nodes do not matter.
- Each statement is a transaction of its own, so a node that is paused holds no lock.
- A lease never outlasts the node that holds it: a claim lasts until the node's own end.
- Every call can be repeated without harm, and is, after a lost connection.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import LiteralString

from ratscrew.cluster import charges
from ratscrew.cluster import open_rooms as strangers
from ratscrew.cluster.records import NodeIdentity, NodeStatus, OpenRoom, Placement, Renewal, RoomState
from ratscrew.errors import ClusterError, NodeReplaced
from ratscrew.log.postgres.address import PostgresAddress
from ratscrew.log.postgres.schema import check_schema
from ratscrew.log.postgres.session import Session, SessionPool

LEASE_S = 3.0
"""How long a node's leases last after a renewal."""

CALL_WITHIN_S = 1.0
"""How long a call waits for PostgreSQL: less than a lease, so that a call in vain does not delay the next renewal."""

CLAIM_TRIES = 3
"""How often a room is tried whose lease expires while its owner is looked up."""


class ClusterDirectory:
    """The directory as one node uses it. Every method may be called from any thread, and waits for PostgreSQL.

    Every method raises LogError if PostgreSQL cannot be reached in time.
    """

    def __init__(
        self, address: PostgresAddress, me: NodeIdentity, lease_s: float = LEASE_S, within_s: float = CALL_WITHIN_S
    ) -> None:
        """Raises: LogError if PostgreSQL cannot be reached, or its tables are not those of this version."""
        self.me = me
        self._lease_s, self._within_s = lease_s, within_s
        self._own = {"node": me.name, "instance": me.instance}
        self._sessions = SessionPool(address)
        self._sessions.run(lambda session: check_schema(session, address))

    # Nodes

    def register(self) -> int:
        """Enter this node, with no rooms; returns its epoch. Until `announce` it drains, and has no address, or the one
        of the last process with its name.

        Raises: ClusterError if another node with its name is alive.
        """

        def register(session: Session) -> int:
            asked = {**self._own, "version": self.me.version, "lease_s": self._lease_s}
            if row := session.execute(_REGISTER, asked).fetchone():
                return int(row[0])
            (url,) = session.execute(_URL, self._own).fetchone() or ("",)
            where = f" at {url}" if url else ""
            raise ClusterError(
                f"a node named {self.me.name} is alive{where}: give each node a name of its own with --node; one "
                f"that ended without a goodbye is forgotten after {self._lease_s:g} s, and "
                "--takeover SECONDS waits for it"
            )

        return self._sessions.run(register, self._within_s)

    def announce(self) -> None:
        """Enter the address of this node, which leads to it: from now on it takes rooms, and players are sent to it."""
        self._execute(_ANNOUNCE, {**self._own, "url": self.me.url})

    def renew(self, load: float = 0) -> Renewal:
        """Renew this node and all its leases, also those that have expired if nobody has claimed the room since.

        `load` is this node's, for the other nodes and the operator: see `NodeStatus`.

        Raises: NodeReplaced.
        """
        asked = {**self._own, "lease_s": self._lease_s, "load": load}
        found = self._sessions.run(
            lambda session: session.execute(_RENEW, asked, binary=True).fetchone(), self._within_s
        )
        if found is None:
            raise NodeReplaced(f"another process has registered as node {self.me.name}: give each a name of its own")
        draining, now_s, rooms, epochs = found
        return Renewal(draining, dict(zip(rooms or (), epochs or (), strict=True)), now_s)

    def leave(self) -> None:
        """Release all rooms, and count as dead from now on. Does nothing if another process has replaced this one."""
        for statement in (_LEAVE, _FORGET_UNKNOWN):
            self._execute(statement, self._own)

    def nodes(self) -> list[NodeStatus]:
        """All nodes that are alive or were lately, by name; see `forget_nodes`."""
        return self._sessions.run(lambda session: [NodeStatus(*row) for row in session.execute(_NODES)], self._within_s)

    def forget_nodes(self, after_s: float) -> int:
        """Delete the nodes that were last alive so long ago, however they ended; returns how many."""
        return self._execute(_FORGET_NODES, {"after_s": after_s})

    def set_draining(self, node: str, draining: bool = True) -> bool:
        """Have any node take no more rooms, or take them again; False if there is no such node. It lasts until the
        node is started anew.
        """
        return bool(self._execute(_DRAIN, {"node": node, "draining": draining}))

    # Rooms

    def create(self, room: str, code: str, opener: str | None = None) -> int | None:
        """Enter a new room of this node by its full name; returns its epoch, or None if its code is taken.

        `opener` identifies the client that opened it, for limits; it must not be an address in plain text.

        Raises: ClusterError if this node is not alive, or is draining.
        """
        asked = {**self._own, "room": room, "code": code, "opener": opener}

        def create(session: Session) -> int | None:
            for statement in (_CREATE, _OWN_EPOCH):  # the room is there if only the answer to the first was lost
                if row := session.execute(statement, asked).fetchone():
                    return int(row[0])
            self._check_may_claim(session)
            return None

        return self._sessions.run(create, self._within_s)

    def claim(self, code: str) -> Placement | None:
        """Make this node the owner of a room that has none, or whose lease has expired; None if there is no such room.

        Returns where the room is then: here, or at another node with a valid lease.

        Raises: ClusterError if the room has no owner, and this node is not alive, or is draining; if its owner changes
        again and again.
        """

        def claim(session: Session) -> Placement | None:
            for _ in range(CLAIM_TRIES):
                if row := session.execute(_CLAIM, {**self._own, "code": code}).fetchone():
                    return Placement(row[0], row[1], self.me.name, self.me.url)
                placement = _find(session, code)
                if placement is None or placement.node is not None:
                    return placement
                self._check_may_claim(session)
            raise ClusterError(f"room {code} could not be claimed: its owner is changing, try again")

        return self._sessions.run(claim, self._within_s)

    def find(self, code: str) -> Placement | None:
        """Where a room is; None if there is no such room."""
        return self._sessions.run(lambda session: _find(session, code), self._within_s)

    def release(self, rooms: Mapping[str, int]) -> None:
        """Give up rooms, by full name with their epochs; those that others own now are left alone."""
        self._execute(_RELEASE, {"node": self.me.name, "rooms": list(rooms), "epochs": list(rooms.values())})

    def retire(self, kept_s: float, unplayed_kept_s: float) -> int:
        """Free the codes of rooms without an owner that nobody has used for so long; returns how many.

        `unplayed_kept_s` is for rooms in which no card was ever turned. What strangers saw of rooms without an owner
        is deleted too: a player's name can be in it.
        """
        self._execute(_CLEAR, {})
        return self._execute(_RETIRE, {"kept_s": kept_s, "unplayed_kept_s": unplayed_kept_s})

    def codes_in_use(self) -> dict[int, int]:
        """How many codes of each length lead to a room. Reads all codes: not for each request."""
        return self._sessions.run(lambda session: dict(session.execute(_LENGTHS).fetchall()), self._within_s)

    def adopt_rooms(self) -> int:
        """Enter the rooms of the log that are not in the directory, as used now; returns how many.

        They are from a server without a cluster. It reads the names of all games: only at the start of a node.
        """
        return self._sessions.run(lambda session: session.execute(_ADOPT).rowcount)

    # Rooms that are open to strangers

    def publish(self, states: Sequence[RoomState]) -> None:
        """Publish the states of rooms; those that this node does not own in that epoch are left alone."""
        self._sessions.run(lambda session: strangers.publish(session, self.me.name, states), self._within_s)

    def reserve_chair(self, refused: Sequence[str] = ()) -> Placement | None:
        """Reserve a chair among strangers who wait for players, the table that waits for bots soonest; None if there
        is none. `refused` are rooms, by full name, that have turned the player down.
        """
        return self._sessions.run(lambda session: strangers.reserve_chair(session, refused), self._within_s)

    def open_rooms(self, most: int, most_of_opener: int, playing: bool = False) -> list[OpenRoom]:
        """Some rooms that strangers may join, those that wait for players first, a few of each opener; if `playing`,
        those with a game, also full ones.
        """
        return self._sessions.run(
            lambda session: strangers.open_rooms(session, most, most_of_opener, playing), self._within_s
        )

    # Rate limits

    def exchange_charges(
        self, writer: str, number: int, body: bytes | None, seen: Mapping[str, int]
    ) -> list[tuple[str, int, bytes]]:
        """Publish what this node has charged to shared limits, and read what others have; see `charges.exchange`."""
        return self._sessions.run(lambda session: charges.exchange(session, writer, number, body, seen), self._within_s)

    def close(self) -> None:
        """Close the connections. The node stays registered until its lease expires: see `leave`."""
        self._sessions.close()

    def _execute(self, statement: LiteralString, values: Mapping[str, object]) -> int:
        """Execute a statement, and return how many rows it changed."""
        return self._sessions.run(lambda session: session.execute(statement, values).rowcount, self._within_s)

    def _check_may_claim(self, session: Session) -> None:
        """Raises: ClusterError if this node is not alive, or is draining."""
        row = session.execute(_MAY_CLAIM, self._own).fetchone()
        if row is None or not row[0]:
            raise ClusterError(f"node {self.me.name} has no valid lease: it could not renew it in time")
        if row[1]:
            raise ClusterError(f"node {self.me.name} is draining: it takes no more rooms")


def _find(session: Session, code: str) -> Placement | None:
    row = session.execute(_FIND, (code,)).fetchone()
    return Placement(*row) if row else None


_REGISTER = """
WITH me AS (
    INSERT INTO ratscrew.node (name, url, instance, epoch, alive_until, version, draining)
    VALUES (%(node)s, '', %(instance)s, 1, now() + make_interval(secs => %(lease_s)s), %(version)s, true)
    ON CONFLICT (name) DO UPDATE SET instance = excluded.instance, version = excluded.version,
        alive_until = excluded.alive_until, last_alive = now(), load = 0, draining = true,
        epoch = node.epoch + (node.instance <> excluded.instance)::integer
    WHERE node.alive_until < now() OR node.instance = excluded.instance
    RETURNING name, epoch
), released AS (
    UPDATE ratscrew.room SET owner = NULL, lease_until = '-infinity' FROM me WHERE owner = me.name
)
SELECT epoch FROM me
"""
_URL = "SELECT url FROM ratscrew.node WHERE name = %(node)s"
_ANNOUNCE = """
UPDATE ratscrew.node SET url = %(url)s, draining = false WHERE name = %(node)s AND instance = %(instance)s
"""
_RENEW = """
WITH me AS (
    UPDATE ratscrew.node SET alive_until = now() + make_interval(secs => %(lease_s)s), last_alive = now(),
        load = %(load)s
    WHERE name = %(node)s AND instance = %(instance)s RETURNING name, alive_until, draining
), renewed AS (
    UPDATE ratscrew.room SET lease_until = me.alive_until FROM me WHERE owner = me.name
    RETURNING room.name, room.epoch
)
SELECT me.draining, extract(epoch FROM now())::float8,
    (SELECT array_agg(name) FROM renewed), (SELECT array_agg(epoch) FROM renewed) FROM me
"""
_LEAVE = """
WITH me AS (
    UPDATE ratscrew.node SET alive_until = '-infinity', last_alive = now()
    WHERE name = %(node)s AND instance = %(instance)s RETURNING name
)
UPDATE ratscrew.room SET owner = NULL, lease_until = '-infinity' FROM me WHERE owner = me.name
"""
_FORGET_UNKNOWN = "DELETE FROM ratscrew.node WHERE name = %(node)s AND instance = %(instance)s AND url = ''"
"""Its address was never announced, so no player knows it."""
_NODES = """
SELECT name, url, epoch,
    CASE WHEN isfinite(alive_until) THEN extract(epoch FROM alive_until - now())::float8 ELSE '-infinity' END,
    load, draining, version,
    (SELECT count(*) FROM ratscrew.room WHERE owner = node.name AND lease_until > now() AND EXISTS (
        SELECT FROM ratscrew.game WHERE game.name > room.name || '-' AND game.name < room.name || '.'
    ))
FROM ratscrew.node ORDER BY name
"""
_FORGET_NODES = """
DELETE FROM ratscrew.node WHERE last_alive < now() - make_interval(secs => %(after_s)s)
"""
_DRAIN = "UPDATE ratscrew.node SET draining = %(draining)s WHERE name = %(node)s"
_MAY_CLAIM = "SELECT alive_until > now(), draining FROM ratscrew.node WHERE name = %(node)s AND instance = %(instance)s"

_ME = """
WITH me AS MATERIALIZED (
    SELECT name, alive_until FROM ratscrew.node
    WHERE name = %(node)s AND instance = %(instance)s AND alive_until > now() AND NOT draining FOR SHARE
)
"""
"""This node, if it may take rooms. Another process cannot register under its name meanwhile."""

_CREATE = f"""{_ME}
INSERT INTO ratscrew.room (name, code, owner, epoch, lease_until, opener)
SELECT %(room)s, %(code)s, name, 1, alive_until, %(opener)s FROM me
ON CONFLICT DO NOTHING RETURNING epoch
"""
_OWN_EPOCH = "SELECT epoch FROM ratscrew.room WHERE name = %(room)s AND owner = %(node)s AND active"
_CLAIM = f"""{_ME}
UPDATE ratscrew.room SET owner = me.name, epoch = epoch + 1, lease_until = me.alive_until,
    last_used = now(), listed = false, summary = NULL
FROM me WHERE code = %(code)s AND active AND lease_until < now()
RETURNING room.name, epoch
"""
_FIND = """
SELECT room.name, room.epoch, node.name, node.url FROM ratscrew.room
LEFT JOIN ratscrew.node ON node.name = room.owner AND room.lease_until >= now()
WHERE room.code = %s AND room.active
"""
_RELEASE = """
UPDATE ratscrew.room SET owner = NULL, lease_until = '-infinity', listed = false, summary = NULL
FROM unnest(%(rooms)s::text[], %(epochs)s::bigint[]) AS a (name, epoch)
WHERE room.name = a.name AND room.epoch = a.epoch AND owner = %(node)s
"""
_CLEAR = """
UPDATE ratscrew.room SET listed = false, summary = NULL
WHERE lease_until < now() AND (listed OR summary IS NOT NULL)
"""
_RETIRE = """
UPDATE ratscrew.room SET active = false, owner = NULL
WHERE active AND lease_until < now()
    AND last_used < now() - make_interval(secs => CASE WHEN played THEN %(kept_s)s ELSE %(unplayed_kept_s)s END)
"""
_LENGTHS = "SELECT length(code), count(*) FROM ratscrew.room WHERE active GROUP BY 1"
_ADOPT = """
INSERT INTO ratscrew.room (name, code, played)
SELECT DISTINCT ON (split_part(name, '-', 1)) regexp_replace(name, '-[^-]*$', ''), split_part(name, '-', 1), true
FROM ratscrew.game WHERE name LIKE '%-%-%' ORDER BY split_part(name, '-', 1), place DESC
ON CONFLICT DO NOTHING
"""
