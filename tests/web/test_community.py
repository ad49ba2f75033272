"""The results that a server has in memory: read at its start, and again if that failed."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from aiohttp import CookieJar
from aiohttp.test_utils import TestClient, TestServer

from ratscrew.accounts.accounts import Account, Accounts
from ratscrew.accounts.results import GameResult, RankedPlayer, put_result
from ratscrew.errors import LogError
from ratscrew.log.memory import MemoryLog
from ratscrew.table.names.names import looks
from ratscrew.table.record.entries import Entry
from ratscrew.testing.clock import ManualClock
from ratscrew.web.access import community
from ratscrew.web.access.community import Community, CommunityOptions
from ratscrew.web.app import make_app
from ratscrew.web.http.browser_cookies import BrowserCookies
from ratscrew.web.http.proxy_policy import ProxyPolicy
from ratscrew.web.http.static_files import StaticFiles
from ratscrew.web.rendering.worker import execute_here
from tests.web.http_requests import ask, get

DAY_US = 24 * 3600 * 1_000_000


def played_by(log: MemoryLog[Entry]) -> Account:
    """An account that has won a rated game on the first day, which is longer ago than the latest hours."""
    account = Accounts(log, looks).create("Ana", "0123456789abcdef", 1, lambda _: 42)
    places = (RankedPlayer(account.id, 1, 0), RankedPlayer("fedcba9876543210", 2, 1))
    put_result(log, GameResult("BEAR4821-1-1", 1, "1;classic", places))
    return account


async def test_results_are_read_again_after_a_failure(log: MemoryLog[Entry], monkeypatch: pytest.MonkeyPatch) -> None:
    people = Community(log, ManualClock(2 * DAY_US), ProxyPolicy(), BrowserCookies(log, ProxyPolicy()))
    account = played_by(log)
    with monkeypatch.context() as patch:

        def fail(*_: object) -> None:
            raise LogError("the disk is full")

        patch.setattr(community, "_whole_season", fail)
        with pytest.raises(LogError):
            await people.read()
    await people.read()
    assert [row.games for row in people.rows(account.id)] == [1]


async def test_a_server_knows_the_results_of_earlier_days_from_its_start(
    log: MemoryLog[Entry], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    account, read, was_read = played_by(log), Community.read, asyncio.Event()

    async def note(people: Community) -> None:
        await read(people)
        was_read.set()

    monkeypatch.setattr(Community, "read", note)
    clock = ManualClock(2 * DAY_US)  # it stands still: what is due later does not happen
    app = make_app(log, clock, StaticFiles(tmp_path), execute=execute_here, community=CommunityOptions())
    async with TestClient(TestServer(app)) as client:
        async with asyncio.timeout(30):
            await was_read.wait()
        _, profile = await get(client, f"/api/players/{account.id}")
        assert [row["games"] for row in profile["ratings"]] == [1]


async def test_a_deletion_reads_no_season_again(
    log: MemoryLog[Entry], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its results are renamed in the log and in memory, and the others' ratings are as they were."""
    read, whole, servers, loads = Community.read, community._whole_season, list[Community](), list[str]()

    async def note(people: Community) -> None:
        await read(people)
        servers.append(people)

    def counted(*asked: Any) -> Any:
        loads.append(asked[1])
        return whole(*asked)

    monkeypatch.setattr(Community, "read", note)
    monkeypatch.setattr(community, "_whole_season", counted)
    pages = StaticFiles(tmp_path)
    app = make_app(log, ManualClock(2 * DAY_US), pages, execute=execute_here, community=CommunityOptions())
    async with TestClient(TestServer(app), cookie_jar=CookieJar(unsafe=True)) as client:
        _, state = await ask(client, {"name": "Ana"}, "/api/account")
        account, other = state["account"]["id"], "fedcba9876543210"
        async with asyncio.timeout(30):
            while not servers:
                await asyncio.sleep(0.01)
        people = servers[0]
        people.add(
            [GameResult("BEAR4821-1-1", 1, "1;classic", (RankedPlayer(account, 1, 0), RankedPlayer(other, 2, 1)))]
        )
        before = [people.ratings.rating("1;classic", each) for each in (account, other)]
        async with client.delete("/api/account") as deleted:
            assert deleted.status == 200
        await people.read()
        assert (len(loads), people.rows(account)) == (1, ())
        ((pseudonym, _),) = [each for each in people.ratings.leaders("1;classic") if each[0].startswith("gone-")]
        assert [people.ratings.rating("1;classic", each) for each in (pseudonym, other)] == before
