"""Whether the server is alive, and whether people may be sent to it."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from aiohttp import web

from ratscrew.errors import LogError
from ratscrew.game.codec import Codec
from ratscrew.log import sqlite as log_module
from ratscrew.log.memory import MemoryLog
from ratscrew.log.sqlite import SqliteLog
from ratscrew.table.clock import SystemClock
from ratscrew.table.record import Entry
from ratscrew.web import health as health_module
from tests.web.asking import Client, get
from tests.web.talking import whole

READY = (200, {"ready": True, "why": None})


class Disk(MemoryLog[Entry]):
    """A log on a disk that may be full."""

    full = False
    tried = 0

    def note(self, name: str, value: bytes) -> None:
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
    async with whole(SystemClock(), disk, tmp_path) as client:
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
    async with whole(SystemClock(), disk, tmp_path) as client:
        found = await asyncio.gather(*(get(client, "/api/ready") for _ in range(20)))
    assert (found, disk.tried) == ([READY] * 20, 1)


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
            log.note("probe", before[-8:])
            assert Path(f"{file}-wal").read_bytes() != before
        assert log.games() == []


def test_a_note_in_a_log_that_another_program_holds_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log_module, "NOTE_WITHIN_S", 0.01)
    with closing(SqliteLog(tmp_path / "log.sqlite3", Codec[Entry](Entry))) as log:
        with closing(sqlite3.connect(tmp_path / "log.sqlite3")) as other:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(LogError, match=r"cannot be written .*locked"):
                log.note("probe", b"")
        log.note("probe", b"")
