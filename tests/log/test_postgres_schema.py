"""The tables in PostgreSQL are made and upgraded by `migrate` only; with others a log does not open."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor

import pytest

from ratscrew.errors import LogError
from ratscrew.game.codec import Codec
from ratscrew.log.postgres import schema
from ratscrew.log.postgres.address import PostgresAddress
from ratscrew.log.postgres.event_log import PostgresLog
from ratscrew.log.postgres.reader import PostgresReader
from ratscrew.log.postgres.schema import MIGRATIONS, SCHEMA, migrate
from ratscrew.testing.postgres_server import PostgresServer
from tests.log.conftest import OpenLog, sql

TEXT = Codec[str](str)


@pytest.fixture
def empty(postgres_server: PostgresServer) -> PostgresAddress:
    """A database without tables."""
    return PostgresAddress(postgres_server.url(postgres_server.create_database()))


def refused(address: PostgresAddress) -> str:
    """Why a log does not open, the same for reading and writing."""
    said = set[str]()
    for kind in (PostgresReader, PostgresLog):
        with pytest.raises(LogError) as caught:
            kind(address, TEXT)
        said.add(str(caught.value))
    (one,) = said
    return one


def tables(address: PostgresAddress) -> list[str]:
    """The tables in a database."""
    return sorted(name for (name,) in sql(address, "SELECT tablename FROM pg_tables WHERE schemaname = 'ratscrew'"))


def test_an_empty_database_is_refused_and_stays_empty(empty: PostgresAddress) -> None:
    assert refused(empty) == (
        f"{empty} has no tables for games yet: create them by `ratscrew migrate` with the same --log"
    )
    assert tables(empty) == []


def test_tables_are_created_once(empty: PostgresAddress, open_log: OpenLog) -> None:
    assert migrate(empty) == (0, SCHEMA)
    open_log(empty).append("g", 0, ["a"])
    assert migrate(empty) == (SCHEMA, SCHEMA)
    assert open_log(empty).read("g") == ["a"]


def test_of_several_migrations_at_once_one_creates_the_tables(empty: PostgresAddress) -> None:
    with ThreadPoolExecutor(5) as threads:
        found = list(threads.map(migrate, [empty] * 5))
    assert sorted(found) == [(0, SCHEMA), *[(SCHEMA, SCHEMA)] * 4]


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> Mapping[int, tuple[str, ...]]:
    """A later version with one more table."""
    more: dict[int, tuple[str, ...]] = {**MIGRATIONS, SCHEMA + 1: ("CREATE TABLE ratscrew.later (code text)",)}
    monkeypatch.setattr(schema, "MIGRATIONS", more)
    monkeypatch.setattr(schema, "SCHEMA", SCHEMA + 1)
    return more


def test_the_tables_of_an_earlier_version_are_refused_until_they_are_upgraded(
    empty: PostgresAddress, open_log: OpenLog, request: pytest.FixtureRequest
) -> None:
    migrate(empty)
    open_log(empty).append("g", 0, ["a"])
    request.getfixturevalue("later")
    assert refused(empty) == (
        f"{empty} has the tables of an earlier Ratscrew (schema {SCHEMA}; this one needs {SCHEMA + 1}): "
        "upgrade them by `ratscrew migrate` with the same --log"
    )
    assert migrate(empty) == (SCHEMA, SCHEMA + 1)
    assert open_log(empty).read("g") == ["a"]


def test_the_tables_of_another_version_are_refused_and_left_alone(empty: PostgresAddress) -> None:
    migrate(empty)
    sql(empty, "UPDATE ratscrew.schema_version SET version = 99")
    says = f"{empty} has the tables of another version of Ratscrew (schema 99; this one uses {SCHEMA}): use the version"
    assert refused(empty).startswith(says)
    with pytest.raises(LogError, match="another version of Ratscrew"):
        migrate(empty)
    assert sql(empty, "SELECT version FROM ratscrew.schema_version") == [(99,)]


def test_a_migration_that_fails_changes_nothing(empty: PostgresAddress) -> None:
    """A table of this name is somebody else's."""
    sql(empty, "CREATE SCHEMA ratscrew")
    sql(empty, "CREATE TABLE ratscrew.value (theirs text)")
    with pytest.raises(LogError, match=r"could not be created or upgraded: .*already exists"):
        migrate(empty)
    assert tables(empty) == ["value"]


def test_a_database_that_cannot_store_every_name_is_refused(postgres_server: PostgresServer) -> None:
    postgres_server.execute("CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0")
    with pytest.raises(LogError, match="has the encoding LATIN1: create the database with ENCODING 'UTF8'"):
        migrate(PostgresAddress(postgres_server.url("latin")))
