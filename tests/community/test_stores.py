"""The community's facts are the same in SQLite and PostgreSQL, because both logs store values by name."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from ratscrew.accounts.accounts import DEVICES_MOST, Accounts
from ratscrew.accounts.passes import LASTS_US, create_pass, redeem_pass
from ratscrew.accounts.values import Values
from ratscrew.game.codec import Codec
from ratscrew.log.postgres.event_log import PostgresLog
from ratscrew.log.sqlite import SqliteLog
from ratscrew.table.names.names import looks
from ratscrew.table.record.entries import Entry
from ratscrew.testing.postgres_server import PostgresServer


@pytest.fixture(params=["sqlite", "postgres"])
def values(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Values]:
    """A store of each kind."""
    if request.param == "sqlite":
        with closing(SqliteLog(tmp_path / "games.sqlite3", Codec[Entry](Entry))) as log:
            yield log
        return
    server: PostgresServer = request.getfixturevalue("postgres_server")
    address = server.create_log()
    with closing(PostgresLog(address, Codec[Entry](Entry))) as log:
        yield log


def test_an_account_lasts_until_it_is_deleted(values: Values) -> None:
    accounts = Accounts(values, looks)
    ana = accounts.create("Ana", "a1", 5, lambda most: 7)
    numbers = iter((7, 8))
    other = accounts.create("Аna", "b2", 6, lambda most: next(numbers))  # the first letter is Cyrillic
    assert (ana.public_name, other.number) == ("Ana#0007", 8)
    accounts.add_device("a1", "d1", 5)
    accounts.add_device("a1", "d2", 6)
    assert accounts.holds("a1", "d2") == accounts.find("Ana#0007") == ana
    accounts.remove_devices("a1", keep="d1")
    assert accounts.holds("a1", "d2") is None
    renamed = accounts.rename(ana, "Zoë", lambda most: 9)
    assert (renamed.public_name, accounts.find("Ana#0007")) == ("Zoë#0007", None)
    accounts.delete(renamed)
    assert (accounts.get("a1"), accounts.holds("a1", "d1"), accounts.get("b2")) == (None, None, other)
    assert not [name for name in values.get("community/") if "a1" in name]


def test_a_device_more_than_an_account_can_have_takes_the_place_of_the_oldest(values: Values) -> None:
    accounts = Accounts(values, looks)
    ana = accounts.create("Ana", "a1", 5, lambda most: 7)
    for number in range(DEVICES_MOST + 1):
        accounts.add_device("a1", f"d{number}", number)
    assert len(accounts.devices("a1")) == DEVICES_MOST
    assert (accounts.holds("a1", "d0"), accounts.holds("a1", "d1")) == (None, ana)


def test_a_pass_works_once_and_for_ten_minutes(values: Values) -> None:
    create_pass(values, "one", "a1", 0)
    assert redeem_pass(values, "one", LASTS_US - 1) == "a1"
    assert redeem_pass(values, "one", LASTS_US - 1) is None
    create_pass(values, "two", "a1", 0)
    assert redeem_pass(values, "two", LASTS_US) is None
