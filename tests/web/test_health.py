"""Health and readiness of the server."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from contextlib import closing
from pathlib import Path

import pytest
from aiohttp import web

from ratscrew.errors import LogError
from ratscrew.game.codec import Codec
from ratscrew.log import sqlite as log_module
from ratscrew.log.memory import MemoryLog
from ratscrew.log.sqlite import SqliteLog
from ratscrew.table.record.clock import SystemClock
from ratscrew.table.record.entries import Entry
from ratscrew.web import app as app_module
from ratscrew.web.api import health as health_module
from tests.web.http_requests import ASKED, Client, get, socket_of
from tests.web.pages import Page, full_server, open_room

READY = (200, {"ready": True, "why": None})


class Disk(MemoryLog[Entry]):
    """A log on a disk that may be full."""

    full = False
    tried = 0

    def put(self, name: str, value: bytes) -> None:
        """See `EventLog`."""
        self.tried += name == "probe"
        if self.full:
            raise LogError("/var/lib/games: the disk is full")


async def test_a_server_is_alive_with_so_many_rooms(client: Client) -> None:
    assert await get(client, "/api/health") == (200, {"ok": True, "rooms": 0})


async def test_nobody_is_sent_where_the_log_cannot_be_written_until_it_can_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(health_module, "LOOK_EVERY_S", 0)
    disk = Disk()
    async with full_server(SystemClock(), disk, tmp_path) as client:
        assert await get(client, "/api/ready") == READY
        disk.full = True
        for _ in range(2):
            assert await get(client, "/api/ready") == (503, {"ready": False, "why": "the log cannot be written"})
        disk.full = False
        assert await get(client, "/api/ready") == READY
    (told,) = (vars(record) for record in caplog.records if record.levelname == "ERROR")
    assert (told["message"], told["error"]) == ("the log cannot be written", "/var/lib/games: the disk is full")


async def test_however_many_ask_the_log_is_tried_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health_module, "LOOK_EVERY_S", 3600)
    disk = Disk()
    async with full_server(SystemClock(), disk, tmp_path) as client:
        found = await asyncio.gather(*(get(client, "/api/ready") for _ in range(20)))
    assert (found, disk.tried) == ([READY] * 20, 1)


async def test_a_log_that_does_not_answer_keeps_nobody_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is tried once, by however many who ask; none of them waits for its end."""
    monkeypatch.setattr(health_module, "ANSWER_WITHIN_S", 0.01)
    release = threading.Event()
    disk = Disk()

    def hang(*_: object) -> None:
        disk.tried += 1
        release.wait()

    disk.put = hang  # type: ignore[method-assign,assignment]
    readiness = health_module.Readiness(disk)
    try:
        found = await asyncio.gather(*(readiness.why_not() for _ in range(20)))
    finally:
        release.set()
    assert (set(found), disk.tried) == ({"the log does not answer"}, 1)


async def test_nobody_is_sent_where_a_background_task_fails() -> None:
    readiness = health_module.Readiness(Disk(), lambda: ("sweep",))
    assert await readiness.why_not() == "a background task fails: sweep"


async def test_nobody_is_sent_to_a_server_that_stops() -> None:
    readiness = health_module.Readiness(Disk())
    assert await readiness.why_not() is None
    await readiness.stop(web.Application())
    assert await readiness.why_not() == "the server is stopping"


def test_a_note_in_the_log_is_in_its_file_and_no_entry(tmp_path: Path) -> None:
    file = tmp_path / "log.sqlite3"
    with closing(SqliteLog(file, Codec[Entry](Entry))) as log:
        for _ in range(2):
            before = Path(f"{file}-wal").read_bytes()
            log.put("probe", before[-8:])
            assert Path(f"{file}-wal").read_bytes() != before
        assert log.games() == []


def test_a_note_in_a_log_that_another_program_holds_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log_module, "PUT_TIMEOUT_S", 0.01)
    with closing(SqliteLog(tmp_path / "log.sqlite3", Codec[Entry](Entry))) as log:
        with closing(sqlite3.connect(tmp_path / "log.sqlite3")) as other:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(LogError, match=r"could not be written within 0\.01 s"):
                log.put("probe", b"")
        monkeypatch.undo()
        log.put("probe", b"")


async def test_where_the_data_file_was_deleted_nobody_is_told_what_would_be_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pages learn that nothing can be saved, `ready` says why, and no file is created in the old place."""
    monkeypatch.setattr(health_module, "LOOK_EVERY_S", 0)
    monkeypatch.setattr(app_module, "LIVE_EVERY_S", 0.01)
    folder = tmp_path / "games"
    folder.mkdir()
    gone = (503, {"ready": False, "why": "the data file was deleted or replaced"})
    with closing(SqliteLog(folder / "log.sqlite3", Codec[Entry](Entry))) as log:
        async with full_server(SystemClock(), log, tmp_path) as client:
            joined = await open_room(client, bots=1)
            page = Page(await client.ws_connect(socket_of(joined["room"]), autoping=False))
            await page.send("hello", player_ids=[joined["player_id"]])
            await page.receive("welcome")
            for file in folder.iterdir():
                file.unlink()
            assert await page.receive("bye") == {"t": "bye", "reason": "unkept", "wait_s": 0}
            assert await get(client, "/api/ready") == gone
            assert (await client.post("/api/rooms", json=ASKED)).status == 503
            again = Page(await client.ws_connect(socket_of(joined["room"]), autoping=False))
            await again.send("hello", player_ids=[joined["player_id"]])
            assert await again.receive("welcome", "bye") == {"t": "bye", "reason": "unkept", "wait_s": 0}
            assert [*folder.iterdir()] == []
