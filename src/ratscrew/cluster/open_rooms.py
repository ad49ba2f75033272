"""Rooms that strangers may join, on all nodes: what their owners publish of them, and chairs reserved in them.

A reserved chair is an entry of its room's row, so of two strangers who reserve the last one, one gets it. It expires
by itself if the player never arrives.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

from ratscrew.cluster.records import OpenRoom, Placement, RoomState
from ratscrew.log.postgres.session import Session

RESERVED_S = 10.0
"""How long a chair is reserved for a player who is on the way to its room."""

SHOWN_S = 10
"""How long the same rooms are listed if there are too many."""


def publish(session: Session, node: str, states: Sequence[RoomState]) -> None:
    """Publish the states of rooms that a node owns.

    Raises: psycopg.Error.
    """
    if states:
        columns = RoomState(*map(list, zip(*states, strict=True)))  # type: ignore[arg-type]
        session.execute(_PUBLISH, {"node": node, **columns._asdict()})


def reserve_chair(session: Session, refused: Sequence[str]) -> Placement | None:
    """Reserve a chair in a room that waits for strangers, but not in those that refused; None if there is none.

    Raises: psycopg.Error.
    """
    asked = {"refused": list(refused), "reserved_s": RESERVED_S}
    for statement in (_RESERVE_UNLOCKED, _RESERVE):  # a renewal locks all rooms of its node for some milliseconds
        if row := session.execute(statement, asked).fetchone():
            return Placement(*row)
    return None


def open_rooms(session: Session, most: int, most_of_opener: int, playing: bool) -> list[OpenRoom]:
    """Some rooms that strangers may join; if `playing`, those with a game, also full ones.

    Raises: psycopg.Error.
    """
    asked = {"most": most, "most_of_opener": most_of_opener, "turn": int(time.time() / SHOWN_S)}
    rows = session.execute(_PLAYING if playing else _OPEN_ROOMS, asked, binary=True)
    return [OpenRoom(*row) for row in rows]


_RESERVED = "ARRAY(SELECT each FROM unnest(reserved) AS each WHERE each > now() ORDER BY each)"
"""A room's reservations that have not expired."""

_FREE = "free_chairs > (SELECT count(*) FROM unnest(reserved) AS each WHERE each > now())"

_PUBLISH = """
UPDATE ratscrew.room SET listed = s.listed, playing = s.playing, free_chairs = s.free_chairs,
    fill_until = now() + make_interval(secs => s.fill_in_s),
    reserved = ARRAY(SELECT each FROM unnest(reserved) AS each WHERE each > now() ORDER BY each OFFSET s.joined),
    last_used = CASE WHEN s.used THEN now() ELSE last_used END, played = room.played OR s.played, summary = s.summary
FROM unnest(
    %(room)s::text[], %(epoch)s::bigint[], %(listed)s::boolean[], %(playing)s::boolean[], %(free_chairs)s::integer[],
    %(fill_in_s)s::float8[], %(joined)s::integer[], %(used)s::boolean[], %(played)s::boolean[], %(summary)s::bytea[]
) AS s (name, epoch, listed, playing, free_chairs, fill_in_s, joined, used, played, summary)
WHERE room.name = s.name AND room.epoch = s.epoch AND owner = %(node)s
"""

_RESERVE_IN = f"""
WITH reserved AS (
    UPDATE ratscrew.room SET reserved = {_RESERVED} || (now() + make_interval(secs => %(reserved_s)s))
    WHERE name = (
        SELECT name FROM ratscrew.room
        WHERE listed AND active AND NOT playing AND fill_until > now() AND lease_until > now() AND {_FREE}
            AND name <> ALL (%(refused)s::text[])
        ORDER BY fill_until LIMIT 1 FOR UPDATE"""
_RESERVE_OUT = """
    ) RETURNING name, epoch, owner
)
SELECT reserved.name, reserved.epoch, node.name, node.url FROM reserved JOIN ratscrew.node ON node.name = owner
"""
_RESERVE_UNLOCKED = f"{_RESERVE_IN} SKIP LOCKED {_RESERVE_OUT}"
_RESERVE = f"{_RESERVE_IN} {_RESERVE_OUT}"

_LISTED = """
SELECT room.name, code, playing, summary, url FROM (
    SELECT * FROM (
        SELECT *, row_number() OVER (PARTITION BY coalesce(opener, name), playing ORDER BY name) AS nth
        FROM ratscrew.room WHERE listed AND active AND lease_until > now() AND {which}
    ) AS each WHERE nth <= %(most_of_opener)s
    ORDER BY playing, hashtextextended(name, %(turn)s) LIMIT %(most)s
) AS room JOIN ratscrew.node ON node.name = owner ORDER BY playing, room.name
"""
"""Each node publishes a list of its own; if these are too many together, every `SHOWN_S` others are shown."""
_OPEN_ROOMS, _PLAYING = _LISTED.format(which=_FREE), _LISTED.format(which="playing")
