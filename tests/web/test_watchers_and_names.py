"""Deleting a name makes watchers wait again, once for each name: nobody can keep them from seeing anything."""

from __future__ import annotations

from pathlib import Path

import pytest

from ratscrew.log.memory import MemoryLog
from ratscrew.protocol.spectators import Spectators
from ratscrew.table.record.entries import Entry
from ratscrew.table.room.room import Room
from ratscrew.testing.clock import ManualClock, on_manual_clock
from tests.web.http_requests import ask
from tests.web.pages import full_server


@on_manual_clock
async def test_a_name_that_is_deleted_again_restarts_no_watchers(
    clock: ManualClock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    restarted = list[Room]()
    monkeypatch.setattr(Spectators, "restart", lambda _, room: restarted.append(room))
    async with full_server(clock, MemoryLog[Entry](), tmp_path) as client:
        _, joined = await ask(client, {"name": "Ana", "bots": 0, "wait": True})
        path = f"/api/rooms/{joined['room']}"
        _, second = await ask(client, {"name": "Bo"}, f"{path}/seats")
        for player_ids in ([0], [0], [0, second["player_id"]], [0, second["player_id"]]):
            answer = await client.delete(f"{path}/name", json={"player_ids": player_ids})
            assert answer.status == 200
    assert len(restarted) == 2, "once for each of the two names"
