"""The tables in PostgreSQL, of the log and of the directory, as migrations. A published migration never changes.

Only `migrate` creates or changes tables; a log refuses a database whose schema is not the present one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import LiteralString

import psycopg

from ratscrew.errors import LogError
from ratscrew.log.postgres.address import PostgresAddress
from ratscrew.log.postgres.session import Session, connect, one_line, unreachable

MIGRATION_LOCK = int.from_bytes(b"ratscrew")
"""The advisory lock of a migration, the same for every version."""

BATCHES_PER_WRITER = 2**40
"""How many batch numbers a writer reserves at its start: 1,000 a second for 34 years. 2**23 writers can start."""

MIGRATIONS: Mapping[int, tuple[LiteralString, ...]] = {
    1: (
        "CREATE SCHEMA IF NOT EXISTS ratscrew",
        "CREATE TABLE ratscrew.schema_version (version integer NOT NULL)",
        "INSERT INTO ratscrew.schema_version VALUES (0)",
        'CREATE TABLE ratscrew.game (name text COLLATE "C" PRIMARY KEY, place bigint NOT NULL, '
        "version integer NOT NULL CHECK (version > 0), ended boolean NOT NULL DEFAULT false"
        ") WITH (fillfactor = 70)",  # each append updates a row in its page
        "CREATE SEQUENCE ratscrew.game_place",
        "CREATE TABLE ratscrew.entry (batch bigint NOT NULL, checksum bigint NOT NULL, number integer NOT NULL, "
        'game text COLLATE "C" NOT NULL, body bytea NOT NULL, PRIMARY KEY (game, number))',
        'CREATE TABLE ratscrew.value (name text COLLATE "C" PRIMARY KEY, value bytea NOT NULL)',
        f"CREATE SEQUENCE ratscrew.batch MINVALUE 0 INCREMENT BY {BATCHES_PER_WRITER}",
        'CREATE TABLE ratscrew.node (name text COLLATE "C" PRIMARY KEY, url text NOT NULL, instance text NOT NULL, '
        "epoch bigint NOT NULL, alive_until timestamptz NOT NULL, load real NOT NULL DEFAULT 0, "
        "draining boolean NOT NULL DEFAULT false, version text NOT NULL, "
        "last_alive timestamptz NOT NULL DEFAULT now()) WITH (fillfactor = 50)",
        'CREATE TABLE ratscrew.room (name text COLLATE "C" PRIMARY KEY, code text COLLATE "C" NOT NULL, '
        'active boolean NOT NULL DEFAULT true, owner text COLLATE "C", epoch bigint NOT NULL DEFAULT 0, '
        "lease_until timestamptz NOT NULL DEFAULT '-infinity', last_used timestamptz NOT NULL DEFAULT now(), "
        "played boolean NOT NULL DEFAULT false, listed boolean NOT NULL DEFAULT false, "
        "playing boolean NOT NULL DEFAULT false, free_chairs integer NOT NULL DEFAULT 0, "
        "reserved timestamptz[] NOT NULL DEFAULT '{}', fill_until timestamptz, opener text, summary bytea"
        ") WITH (fillfactor = 50)",  # a renewal updates lease_until of every room, in its page: it is in no index
        "CREATE UNIQUE INDEX room_code ON ratscrew.room (code) WHERE active",
        "CREATE INDEX room_owner ON ratscrew.room (owner) WHERE owner IS NOT NULL",
        "CREATE INDEX room_listed ON ratscrew.room (name) WHERE listed",
        'CREATE UNLOGGED TABLE ratscrew.charge (writer text COLLATE "C" NOT NULL, number bigint NOT NULL, '
        "at timestamptz NOT NULL DEFAULT now(), body bytea NOT NULL, PRIMARY KEY (writer, number))",
    ),
}
"""The statements to each version of the schema from the one before, in order.

- `game`: a game, its position in the order of creation, and the number of its last entry; `ended` if its room has begun
  another one.
- `entry`: an entry with the CRC-32 of its body and the number of the batch that wrote it, which no other batch has.
- `value`: values stored by name.
- `batch`: gives each writer a range of batch numbers.
- `node`: the processes of a cluster, each with the time until which it counts as alive; `last_alive` is its last
  renewal.
- `room`: rooms with their codes, their owners and until when these have their leases, and what strangers see of them.
  The name of an `active` room has its code; `reserved` holds until when chairs are reserved for players on their way.
- `charge`: what the nodes have charged to the rate limits that they share, in the last seconds.

Games are referred to by their names, and every statement touches rows by them, so the tables can be sharded by game.
The same is true of rooms, except for a node's renewal.
"""

SCHEMA = max(MIGRATIONS)
"""The present version of the schema."""


def check_schema(session: Session, address: PostgresAddress) -> None:
    """Check that the tables are those of this version.

    Raises: LogError that says what to do if they are not; psycopg.Error.
    """
    found = _version(session)
    if found == 0:
        raise LogError(f"{address} has no tables for games yet: create them by `ratscrew migrate` with the same --log")
    if found < SCHEMA:
        raise LogError(
            f"{address} has the tables of an earlier Ratscrew (schema {found}; this one needs {SCHEMA}): "
            "upgrade them by `ratscrew migrate` with the same --log"
        )
    if found > SCHEMA:
        raise _unknown(address, found)


def migrate(address: PostgresAddress) -> tuple[int, int]:
    """Create or upgrade the tables, all or nothing. Of several calls at a time the first does it, the others wait.

    Returns the version of the schema before and after; 0 is an empty database.

    Raises: LogError if that is not possible; then nothing is changed.
    """
    try:
        session = connect(address)
    except psycopg.Error as error:
        raise unreachable(address, error) from error
    try:
        with session, session.transaction():
            session.execute("SELECT pg_advisory_xact_lock(%s)", (MIGRATION_LOCK,))
            _check_encoding(session, address)
            if (before := _version(session)) > SCHEMA:
                raise _unknown(address, before)
            for version, statements in MIGRATIONS.items():
                if version > before:
                    for statement in statements:
                        session.execute(statement)
            session.execute("UPDATE ratscrew.schema_version SET version = %s", (SCHEMA,))
    except psycopg.Error as error:
        raise LogError(f"{address}: the tables could not be created or upgraded: {one_line(error)}") from error
    return before, SCHEMA


def _version(session: Session) -> int:
    """The version of the schema; 0 if there is none."""
    (there,) = session.execute("SELECT to_regclass('ratscrew.schema_version') IS NOT NULL").fetchone() or (False,)
    if not there:
        return 0
    (version,) = session.execute("SELECT max(version) FROM ratscrew.schema_version").fetchone() or (0,)
    return int(version)


def _check_encoding(session: Session, address: PostgresAddress) -> None:
    encoding = session.info.parameter_status("server_encoding")
    if encoding != "UTF8":
        raise LogError(f"{address} has the encoding {encoding}: create the database with ENCODING 'UTF8'")


def _unknown(address: PostgresAddress, found: int) -> LogError:
    return LogError(
        f"{address} has the tables of another version of Ratscrew (schema {found}; this one uses {SCHEMA}): use the "
        "version that made them, or another database; `ratscrew migrate` only upgrades tables"
    )
