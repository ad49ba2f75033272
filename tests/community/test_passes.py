"""A pass for an account works once, however many devices redeem it at the same moment."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from threading import Barrier

import pytest

from ratscrew.accounts.passes import LASTS_US, create_pass, redeem_pass
from ratscrew.accounts.values import Values
from ratscrew.game.codec import Codec
from ratscrew.log.memory import MemoryLog
from ratscrew.log.protocol import EventLog
from ratscrew.log.sqlite import SqliteLog
from ratscrew.table.record.entries import Entry

DEVICES = 6


class Together:
    """Values that all devices read before any of them goes on."""

    def __init__(self, log: EventLog[Entry]) -> None:
        self._log, self._barrier = log, Barrier(DEVICES)
        self.put, self.delete_prefix, self.get_or_create = log.put, log.delete_prefix, log.get_or_create

    def get(self, prefix: str = "") -> dict[str, bytes]:
        """See `Values`."""
        found = self._log.get(prefix)
        self._barrier.wait(30)
        return found


@pytest.fixture(params=["memory", "sqlite"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[], EventLog[Entry]]:
    """Makes an empty store."""
    if request.param == "memory":
        return MemoryLog
    return lambda: SqliteLog(tmp_path / "values.sqlite3", Codec[Entry](Entry))


def test_of_many_devices_at_the_same_moment_one_redeems_a_pass(store: Callable[[], EventLog[Entry]]) -> None:
    with closing(store()) as log, ThreadPoolExecutor(DEVICES) as threads:
        create_pass(log, "secret", "ana", 0)
        together: Values = Together(log)
        found = [threads.submit(redeem_pass, together, "secret", 1) for _ in range(DEVICES)]
        redeemed = [each.result() for each in found]
    assert sorted(map(str, redeemed)) == ["None"] * (DEVICES - 1) + ["ana"]


def test_a_pass_that_is_over_or_was_used_gives_nothing() -> None:
    log = MemoryLog[Entry]()
    create_pass(log, "secret", "ana", 0)
    assert redeem_pass(log, "another", 1) is None
    assert (redeem_pass(log, "secret", 1), redeem_pass(log, "secret", 1)) == ("ana", None)
    create_pass(log, "secret", "ana", 0)
    assert redeem_pass(log, "secret", LASTS_US) is None
