"""The fence: appends to many games as one statement, of which each game's succeeds or fails alone.

Safety depends on nothing else, no lock and no clock: a game's row has the number of its last entry, the statement
updates it only where that number is still the one after which to append, and inserts only the entries of those games.
An append that is behind a failed one of its writer is never sent, although its number may fit what another has written.

The same statement is safe to send again after its answer was lost, provided that one looks first: each entry has the
number of the batch that wrote it, and no two batches have the same. If the first attempt is still on its way, only one
of the two can succeed.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Future
from enum import Enum
from typing import NamedTuple, TypeAlias

from ratscrew.log.group_commit import Queued
from ratscrew.log.postgres.session import Session
from ratscrew.log.protocol import End

MAX_ENTRIES = 2_000
"""How many entries a batch holds, unless a single append has more: so none takes long after an outage."""


class Append(NamedTuple):
    """Entries to append after a number of a game, until when; see `SharedLog`. Unit: `until_s` by the clock of
    `time.monotonic`.
    """

    game: str
    after: int
    bodies: Sequence[bytes]
    until_s: float
    ends: End | None = None
    behind: Future[int] | None = None

    @property
    def last(self) -> int:
        """The number of the game's last entry afterwards."""
        return self.after + len(self.bodies)


Chain: TypeAlias = list[Queued[Append]]
"""Appends to one game, each after the last entry of the one before. They succeed together or not at all."""

Batch: TypeAlias = dict[str, Chain]
"""A chain for each game, by its name."""


class Outcome(Enum):
    """What became of a chain whose statement was not answered, or did not succeed."""

    STORED = "stored"
    CONFLICT = "conflict"
    OPEN = "open"
    """Not stored by now, and it still can be."""


def take_batch(waiting: Sequence[Queued[Append]]) -> tuple[Batch, list[Queued[Append]]]:
    """The next batch, and what has to wait for its outcome: each game's appends are executed in their order."""
    batch, later, entries = Batch(), list[Queued[Append]](), 0
    ended = set[str]()
    for queued in waiting:
        append = queued.write
        chain = batch.get(append.game)
        behind = append.ends and (append.ends.game in batch or append.ends.game in ended)
        if append.game in ended or behind or entries >= MAX_ENTRIES or (chain and chain[-1].write.last != append.after):
            ended.add(append.game)
            later.append(queued)
        else:
            batch.setdefault(append.game, []).append(queued)
            entries += len(append.bodies)
        if append.ends:
            ended.add(append.ends.game)
    return batch, later


def store(session: Session, batch: Batch, number: int) -> list[str]:
    """Store a batch by its number, in one statement; returns the games whose chains are stored.

    Raises: psycopg.Error; unless the connection was lost, nothing is stored.
    """
    chains = {game: bodies for game, chain in batch.items() if (bodies := _bodies(chain))}
    if not chains:
        return []
    entries = [body for bodies in chains.values() for body in bodies]
    afters = {game: _after(batch[game]) for game in chains}
    asked = {
        "games": list(chains),
        "afters": list(afters.values()),
        "counts": [len(bodies) for bodies in chains.values()],
        **_ends(batch, chains),
        "batch": number,
        "entry_games": [game for game, bodies in chains.items() for _ in bodies],
        "numbers": [after for game, bodies in chains.items() for after, _ in enumerate(bodies, afters[game] + 1)],
        "bodies": entries,
        "checksums": list(map(zlib.crc32, entries)),
    }
    return [game for (game,) in session.execute(_STORE, asked)]


def look_up(session: Session, batch: Batch, number: int) -> Mapping[str, tuple[Outcome, int]]:
    """What became of each chain of a batch, and the number of its game's last entry.

    Raises: psycopg.Error.
    """
    asked = {"games": list(batch), "afters": [_after(chain) for chain in batch.values()], **_ends(batch, batch)}
    rows = session.execute(_LOOK_UP, asked).fetchall()
    return {game: (_outcome(batch[game], number, last, wrote, fenced), last) for game, last, wrote, fenced in rows}


def _outcome(chain: Chain, number: int, last: int, wrote: int | None, fenced: bool) -> Outcome:
    """`last` is the number of the game's last entry; `wrote` the batch of its first entry after the chain's start.

    With `fenced` the game has ended, or the one that the chain ends has another last number, or was ended before.
    """
    writes = bool(_bodies(chain))
    if writes and wrote == number:
        return Outcome.STORED
    if last != _after(chain) or fenced:
        return Outcome.CONFLICT
    return Outcome.OPEN if writes else Outcome.STORED


def _after(chain: Chain) -> int:
    return chain[0].write.after


def _ends(batch: Batch, games: Iterable[str]) -> Mapping[str, object]:
    """The games that these ones end, and the last numbers of those; null for a game that ends none."""
    ends = [batch[game][0].write.ends or (None, None) for game in games]
    return {"ends": [game for game, _ in ends], "lasts": [last for _, last in ends]}


def _bodies(chain: Chain) -> list[bytes]:
    return [body for queued in chain for body in queued.write.bodies]


_STORE = """
WITH asked AS MATERIALIZED (
    SELECT name, after, count, CASE after WHEN 0 THEN nextval('ratscrew.game_place') END AS place, ends, last
    FROM unnest(%(games)b::text[], %(afters)b::bigint[], %(counts)b::bigint[], %(ends)b::text[], %(lasts)b::bigint[])
        AS a (name, after, count, ends, last)
), ended AS (
    UPDATE ratscrew.game SET ended = true
    FROM (SELECT ends, last FROM asked WHERE ends IS NOT NULL ORDER BY ends) AS a
    WHERE game.name = a.ends AND game.version = a.last AND NOT game.ended RETURNING game.name
), begun AS (
    INSERT INTO ratscrew.game (name, place, version)
    SELECT name, place, count FROM asked
    WHERE after = 0 AND (ends IS NULL OR ends IN (SELECT name FROM ended)) ORDER BY name
    ON CONFLICT DO NOTHING RETURNING name
), moved AS (
    UPDATE ratscrew.game SET version = version + count
    FROM (SELECT name, after, count FROM asked WHERE after > 0 ORDER BY name) AS a
    WHERE game.name = a.name AND game.version = a.after AND NOT game.ended RETURNING game.name
), won AS (
    SELECT name FROM begun UNION ALL SELECT name FROM moved
), stored AS (
    INSERT INTO ratscrew.entry (game, number, body, checksum, batch)
    SELECT game, number, body, checksum, %(batch)s
    FROM unnest(%(entry_games)b::text[], %(numbers)b::bigint[], %(bodies)b::bytea[], %(checksums)b::bigint[])
        AS e (game, number, body, checksum)
    JOIN won ON won.name = e.game
)
SELECT name FROM won
"""
"""Rows are locked by name, so that two writers rarely wait for each other; PostgreSQL ends one of them if they do."""

_LOOK_UP = """
SELECT a.name, coalesce(game.version, 0), entry.batch,
    coalesce(game.ended, false) OR (a.ends IS NOT NULL AND coalesce(other.ended OR other.version <> a.last, true))
FROM unnest(%(games)b::text[], %(afters)b::bigint[], %(ends)b::text[], %(lasts)b::bigint[])
    AS a (name, after, ends, last)
LEFT JOIN ratscrew.game ON game.name = a.name
LEFT JOIN ratscrew.game AS other ON other.name = a.ends
LEFT JOIN ratscrew.entry ON entry.game = a.name AND entry.number = a.after + 1
"""
