"""Games in the log: the server decodes none of them, and reads one only if the worker has nothing of it."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator

import pytest
from aiohttp.test_utils import TestClient, TestServer

from ratscrew.log.memory import MemoryLog
from ratscrew.log.rows import Packed
from ratscrew.table.history.game_names import GameNames
from ratscrew.table.record.entries import Entry, Left
from ratscrew.testing.clock import ManualClock
from ratscrew.web.app import make_app
from ratscrew.web.http.static_files import StaticFiles
from ratscrew.web.rendering.worker import execute_here
from tests.web.http_requests import ASKED, Client, ask, get
from tests.web.test_games import GAME, events, keep


class CountingLog(MemoryLog[Entry]):
    """A log that notes which games are read, and which are decoded; a read of packed entries waits for `go`."""

    def __init__(self) -> None:
        super().__init__()
        self.packed: list[str] = []
        self.decoded: list[str] = []
        self.go = threading.Event()
        self.go.set()

    def read(self, game: str, after: int = 0) -> list[Entry]:
        """See `EventLog`."""
        self.decoded.append(game)
        return super().read(game, after)

    def read_packed(self, game: str) -> Packed:
        """See `EventLog`."""
        self.go.wait(30)
        self.packed.append(game)
        found = super().read_packed(game)
        self.decoded.pop()  # here a log in memory encodes its entries
        return found


@pytest.fixture
def log() -> CountingLog:
    """The log of the server, with a finished game."""
    log = CountingLog()
    keep(log, *events())
    return log


@pytest.fixture
async def client(log: CountingLog, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Client]:
    """A client of a server with pages."""
    folder = tmp_path_factory.mktemp("page")
    (folder / "index.html").write_text("<html><head></head><body></body></html>")
    async with TestClient(TestServer(make_app(log, ManualClock(1), StaticFiles(folder), execute=execute_here))) as some:
        yield some


PATHS = (f"/game/{GAME}", f"/replay/{GAME}", f"/api/games/{GAME}", f"/api/games/{GAME}.txt")


@pytest.mark.parametrize("path", PATHS)
async def test_a_finished_game_is_read_once_and_decoded_by_the_worker_alone(
    client: Client, log: CountingLog, path: str
) -> None:
    for _ in range(3):
        assert (await client.get(path)).status == 200
    assert (log.packed, log.decoded) == ([GAME], [])


@pytest.mark.parametrize("path", PATHS)
async def test_a_game_that_goes_on_elsewhere_is_read_again_only_when_it_has_grown(
    client: Client, log: CountingLog, path: str
) -> None:
    keep(log, *events()[:-1], game="WOLF-1f-2")
    path = path.replace(GAME, "WOLF-1f-2")
    for _ in range(3):
        await client.get(path)
    assert (log.packed, log.decoded) == (["WOLF-1f-2"], [])
    log.append("WOLF-1f-2", len(events()) - 1, [Entry(9_000_000, Left(0))])
    await client.get(path)
    assert len(log.packed) == 2


@pytest.mark.parametrize("path", PATHS)
async def test_of_a_game_that_is_played_here_nothing_is_read(client: Client, log: CountingLog, path: str) -> None:
    _, joined = await ask(client, ASKED)
    (game,) = log.games(f"{joined['room']}-")
    await client.get(path.replace(GAME, game))
    assert (log.packed, log.decoded) == ([], [])


async def test_going_on_from_a_game_that_is_not_over_is_refused_before_it_is_read(
    client: Client, log: CountingLog
) -> None:
    _, joined = await ask(client, ASKED)
    (stored,) = log.games(f"{joined['room']}-")
    game = GameNames.read(log).public(stored)
    status, body = await ask(client, {"name": "Cleo", "v": 5, "seat": 0}, f"/api/games/{game}/continue")
    assert (status, body["code"], log.packed, log.decoded) == (409, "not_over", [], [])


async def test_rooms_are_opened_and_joined_while_a_long_game_is_read(client: Client, log: CountingLog) -> None:
    """Only opening the room of the game that goes on takes the lock that all others need."""
    log.go.clear()
    continuing = asyncio.create_task(ask(client, {"name": "Cleo", "v": 4, "seat": 0}, f"/api/games/{GAME}/continue"))
    try:
        async with asyncio.timeout(20):
            status, room = await ask(client, ASKED | {"wait": True, "bots": 0})
            assert status == 201
            assert (await ask(client, {"name": "Dora"}, f"/api/rooms/{room['room']}/seats"))[0] == 201
            assert (await ask(client, {"name": "Emil"}, "/api/quick"))[0] == 201
        assert not continuing.done()
    finally:
        log.go.set()
    assert (await continuing)[0] == 201
    assert log.decoded == []


async def test_deleting_a_name_drops_the_games_of_that_room_alone_from_the_cache(
    client: Client, log: CountingLog
) -> None:
    """Otherwise each deletion would have all games read anew."""
    _, room = await ask(client, ASKED)
    await get(client, f"/api/games/{GAME}")
    async with client.delete(f"/api/rooms/{room['room']}/name", json={"player_ids": [0]}) as deleted:
        assert deleted.status == 200
    await get(client, f"/api/games/{GAME}")
    assert log.packed == [GAME]
