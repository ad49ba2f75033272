"""A player can have their name deleted: at the table, in every game of the room, and in the file itself."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Collection
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from aiohttp import hdrs
from msgspec.structs import replace

from ratscrew.game.codec import Codec
from ratscrew.log.sqlite import SqliteLog
from ratscrew.table.history.game_names import GameNames
from ratscrew.table.record.clock import SystemClock
from ratscrew.table.record.entries import Entry
from ratscrew.web.rendering import purging
from tests.web.http_requests import Client, ask, get, socket_of
from tests.web.pages import Page, full_server
from tests.web.test_games import ANA, TEXT, events

WAITING = {"name": "Persephone", "bots": 0, "wait": True}


def log_in(file: Path) -> SqliteLog[Entry]:
    """The log of a server."""
    return SqliteLog(file, Codec[Entry](Entry))


async def forget(client: Client, room: str, *who: int) -> tuple[int, Any]:
    """The response to a request to delete a name."""
    answer = await client.request(hdrs.METH_DELETE, f"/api/rooms/{room}/name", json={"player_ids": who})
    return answer.status, await answer.json()


async def forget_all(client: Client, room: str, *who: int) -> tuple[int, Any]:
    """The same, asked again until nothing is left: the server itself may be writing to the file at that moment."""
    async with asyncio.timeout(30):
        while (answer := await forget(client, room, *who)) == (202, {"player_ids": [*who], "done": False}):
            await asyncio.sleep(0.01)
    return answer


async def enter(client: Client, room: str, *who: int, **have: Any) -> Page:
    """A page that has said hello."""
    page = Page(await client.ws_connect(socket_of(room), autoping=False))
    await page.send("hello", player_ids=who, **have)
    return page


async def names(page: Page) -> list[str]:
    """Who sits there, as a page is shown the table."""
    return [seat["name"] for seat in (await page.receive("welcome"))["seats"]]


def holding(folder: Path, name: str) -> list[str]:
    """The files in which a name stands."""
    return [file.name for file in folder.iterdir() if name.encode() in file.read_bytes()]


async def test_a_deleted_name_is_in_no_file_and_in_nothing_that_is_told(tmp_path: Path) -> None:
    """Persephone's room has a game that is over, whose story somebody has read."""
    persephone = replace(ANA, name="Persephone", player_id=0)
    played = [Entry(1, persephone if event == ANA else event) for event in events()]
    with closing(log_in(tmp_path / "games")) as log:
        async with full_server(SystemClock(), log, tmp_path) as client:
            room = (await ask(client, WAITING))[1]["room"]
            (waiting,) = log.games(room)
            log.append(stored := waiting.removesuffix("0") + "1", 0, played)
            game = GameNames.read(log).public(stored)
            assert (await get(client, f"/api/games/{game}"))[1]["seats"][0]["name"] == "Persephone"
            watching = await enter(client, room)
            assert (await names(watching), bool(holding(tmp_path, "Persephone"))) == (["Persephone"], True)
            assert await forget_all(client, room, 0) == (200, {"player_ids": [0], "done": True})
            assert (await watching.receive("event"))["e"] == {"e": "name_deleted", "seat": 0}
            assert holding(tmp_path, "Persephone") == []
            assert [seat["name"] for seat in (await get(client, f"/api/games/{game}"))[1]["seats"]] == ["–", "Bo"]
            assert await (await client.get(f"/api/games/{game}.txt")).text() == TEXT.replace("Ana", "–")
            assert await names(await enter(client, room)) == ["–"]
            back = await enter(client, room, game=GameNames.read(log).public(waiting), version=1)
            assert (await back.receive("event"))["e"]["name"] == "–"


async def test_a_deleted_name_stays_away_after_a_stop_and_in_the_next_game(tmp_path: Path) -> None:
    with closing(log_in(tmp_path / "games")) as log:
        async with full_server(SystemClock(), log, tmp_path) as client:
            room = (await ask(client, WAITING))[1]["room"]
            await ask(client, {"name": "Bo"}, f"/api/rooms/{room}/seats")
            assert await forget_all(client, room, 0) == (200, {"player_ids": [0], "done": True})
            page = await enter(client, room, 0)
            assert await names(page) == ["–", "Bo"]
            await page.send("start")
            assert await names(page) == ["–", "Bo"]
        async with full_server(SystemClock(), log, tmp_path) as client:
            assert await names(await enter(client, room)) == ["–", "Bo"]


async def test_a_name_is_called_deleted_only_when_nothing_of_it_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another program reads the file, as a backup does; tables go on, and when it has ended the rest is cleared."""
    monkeypatch.setattr(purging, "FIRST_RETRY_S", 0.001)
    file = tmp_path / "games"
    with closing(log_in(file)) as log:
        async with full_server(SystemClock(), log, tmp_path) as client:
            room = (await ask(client, WAITING))[1]["room"]
            with closing(sqlite3.connect(file)) as backup:
                backup.execute("BEGIN")
                backup.execute("SELECT count(*) FROM entry").fetchall()
                assert await forget(client, room, 0) == (202, {"player_ids": [0], "done": False})
                assert await names(await enter(client, room)) == ["–"]
                assert (await ask(client, {"name": "Bo"}, f"/api/rooms/{room}/seats"))[0] == 201
                assert holding(tmp_path, "Persephone")
            async with asyncio.timeout(30):
                while holding(tmp_path, "Persephone"):
                    await asyncio.sleep(0.01)
            assert await forget_all(client, room, 0) == (200, {"player_ids": [0], "done": True})


async def test_a_server_clears_the_files_of_what_the_one_before_has_left(tmp_path: Path) -> None:
    """The one before was killed between the deletion and the clearing: its files lie as they were then."""
    file, before = tmp_path / "games", tmp_path / "before"
    with closing(log_in(before)) as log:
        log.append("QUIZ-1f-1", 0, [Entry(1, replace(ANA, name="Persephone", player_id=0))])
        log.redact("QUIZ-1f-1", lambda entry: replace(entry, event=replace(ANA, name="–", player_id=0)))
        for ending in ("", "-wal"):
            Path(f"{file}{ending}").write_bytes(Path(f"{before}{ending}").read_bytes())
    assert holding(tmp_path, "Persephone") == ["games-wal"]
    with closing(log_in(file)) as log:
        async with full_server(SystemClock(), log, tmp_path), asyncio.timeout(30):
            while holding(tmp_path, "Persephone"):
                await asyncio.sleep(0.01)


async def test_only_who_holds_a_seat_can_have_its_name_deleted(client: Client) -> None:
    _, host = await ask(client, WAITING)
    client.session.cookie_jar.clear()
    _, bo = await ask(client, {"name": "Bo"}, f"/api/rooms/{host['room']}/seats")
    refused = {"code": "not_held", "problems": ["this browser holds no such seat in this room"]}
    player_ids: list[Collection[int]] = [(), (host["player_id"],), (99,)]
    for who in player_ids:
        assert await forget(client, host["room"], *who) == (403, refused)
    assert (await forget(client, "QQQQ", bo["player_id"]))[0] == 404
    page = await enter(client, host["room"])
    assert await names(page) == ["Persephone", "Bo"]
    deleted = {"player_ids": [bo["player_id"]], "done": True}
    assert await forget(client, host["room"], host["player_id"], bo["player_id"]) == (200, deleted)
    assert (await page.receive("event"))["e"] == {"e": "name_deleted", "seat": 1}


async def test_nobody_can_choose_what_stands_for_a_deleted_name(client: Client) -> None:
    assert (await ask(client, {**WAITING, "name": "–"}))[0] == 422
