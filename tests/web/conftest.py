"""A whole server without pages, and a browser."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from aiohttp.test_utils import TestClient, TestServer

from ratscrew.log.memory import MemoryLog
from ratscrew.table.record.entries import Entry
from ratscrew.testing.clock import ManualClock
from ratscrew.web.access.community import CommunityOptions
from ratscrew.web.app import make_app
from ratscrew.web.http.static_files import StaticFiles
from ratscrew.web.rendering.worker import execute_here
from tests.web.http_requests import Client


@pytest.fixture
def log() -> MemoryLog[Entry]:
    """The log of the server."""
    return MemoryLog()


@pytest.fixture
async def client(log: MemoryLog[Entry], tmp_path: Path) -> AsyncIterator[Client]:
    """A browser of a server on this machine."""
    app = make_app(log, ManualClock(1), StaticFiles(tmp_path), execute=execute_here, community=CommunityOptions())
    async with TestClient(TestServer(app)) as some:
        yield some
