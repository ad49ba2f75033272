"""What each node has charged to rate limits lately, for the other nodes. The table is not durable: it is empty after a
crash of PostgreSQL.
"""

from __future__ import annotations

from collections.abc import Mapping

from ratscrew.log.postgres.session import Session

KEPT_S = 10.0
"""How long the nodes can read charges: one that could not for longer never gets them."""


def exchange(
    session: Session, writer: str, number: int, body: bytes | None, seen: Mapping[str, int]
) -> list[tuple[str, int, bytes]]:
    """Publish the charges `body` as the `number`-th of this writer, and read those of the other writers after the ones
    that are `seen`, by writer. To publish the same number again does nothing.

    Raises: psycopg.Error.
    """
    asked = {
        "writer": writer,
        "number": number,
        "body": body,
        "kept_s": KEPT_S,
        "writers": list(seen),
        "numbers": list(seen.values()),
    }
    rows = session.execute(_EXCHANGE, asked).fetchall()
    return [(row[0], row[1], bytes(row[2])) for row in rows]


_EXCHANGE = """
WITH forgotten AS (
    DELETE FROM ratscrew.charge WHERE at < now() - make_interval(secs => 2 * %(kept_s)s)
), published AS (
    INSERT INTO ratscrew.charge (writer, number, body) SELECT %(writer)s, %(number)s, %(body)s::bytea
    WHERE %(body)s::bytea IS NOT NULL ON CONFLICT DO NOTHING
)
SELECT charge.writer, charge.number, charge.body FROM ratscrew.charge
LEFT JOIN unnest(%(writers)s::text[], %(numbers)s::bigint[]) AS seen (writer, number) ON seen.writer = charge.writer
WHERE charge.writer <> %(writer)s AND charge.number > coalesce(seen.number, 0)
    AND at > now() - make_interval(secs => %(kept_s)s)
ORDER BY charge.writer, charge.number
"""
