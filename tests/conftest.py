"""Settings for all tests: how hard properties are tried, and how long a browser test may take. A PostgreSQL server.

Properties are tried quickly and always alike, or for long with `RATSCREW_HYPOTHESIS=deep`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from ratscrew.testing.postgres_server import PostgresServer

settings.register_profile("ci", max_examples=100, stateful_step_count=50, derandomize=True, deadline=None)
settings.register_profile("deep", max_examples=5000, stateful_step_count=150, deadline=None, print_blob=True)
settings.load_profile(os.environ.get("RATSCREW_HYPOTHESIS", "ci"))

BROWSER_TIMEOUT_S = 360
"""For one browser test with its fixtures: several pages share a core with other tests."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give browser tests their own timeout, where they do not have one."""
    for item in items:
        if item.get_closest_marker("browser") and not item.get_closest_marker("timeout"):
            item.add_marker(pytest.mark.timeout(BROWSER_TIMEOUT_S))


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[PostgresServer]:
    """A PostgreSQL server for all tests of this process, started by the first that uses it: others pay nothing."""
    import postgres
    from ratscrew.testing.postgres_server import PostgresServer

    found = postgres.find()
    assert found, f"{postgres.NEEDED} {postgres.advice()}"
    with PostgresServer(Path(found)) as server:
        yield server


@pytest.fixture
def tireless(monkeypatch: pytest.MonkeyPatch) -> None:
    """Players may let any number of turns pass: no bot plays for them."""
    from ratscrew.table.core import table

    monkeypatch.setattr(table, "WARN_AFTER", 10**9)
    monkeypatch.setattr(table, "IDLE_AFTER", 10**9)
