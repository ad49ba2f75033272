"""Who holds a seat can have his name deleted: at the table, in every game of the room, and in the file itself."""

from __future__ import annotations

from collections.abc import Collection
from contextlib import closing
from pathlib import Path
from typing import Any

from aiohttp import hdrs
from msgspec.structs import replace

from ratscrew.game.codec import Codec
from ratscrew.log.sqlite import SqliteLog
from ratscrew.table.clock import SystemClock
from ratscrew.table.record import Entry
from tests.web.asking import Client, ask, get, socket_of
from tests.web.talking import Page, whole
from tests.web.test_games import ANA, TEXT, events

WAITING = {"name": "Persephone", "bots": 0, "wait": True}


def log_in(file: Path) -> SqliteLog[Entry]:
    """The log of a server."""
    return SqliteLog(file, Codec[Entry](Entry))


async def forget(client: Client, room: str, *who: int) -> tuple[int, Any]:
    """The answer to who would like to have his name deleted."""
    answer = await client.request(hdrs.METH_DELETE, f"/api/rooms/{room}/name", json={"who": who})
    return answer.status, await answer.json()


async def enter(client: Client, room: str, *who: int, **have: Any) -> Page:
    """A page that has said hello."""
    page = Page(await client.ws_connect(socket_of(room), autoping=False))
    await page.say("hello", who=who, **have)
    return page


async def names(page: Page) -> list[str]:
    """Who sits there, as a page is shown the table."""
    return [seat["name"] for seat in (await page.hear("welcome"))["seats"]]


def holding(folder: Path, name: str) -> list[str]:
    """The files in which a name stands."""
    return [file.name for file in folder.iterdir() if name.encode() in file.read_bytes()]


async def test_a_deleted_name_is_in_no_file_and_in_nothing_that_is_told(tmp_path: Path) -> None:
    """Persephone's room has a game that is over, whose story somebody has read."""
    persephone = replace(ANA, name="Persephone", who=0)
    played = [Entry(1, persephone if event == ANA else event) for event in events()]
    with closing(log_in(tmp_path / "games")) as log:
        async with whole(SystemClock(), log, tmp_path) as client:
            room = (await ask(client, WAITING))[1]["room"]
            (waiting,) = log.games(room)
            game = waiting.removesuffix("0") + "1"
            log.append(game, 0, played)
            assert (await get(client, f"/api/games/{game}"))[1]["seats"][0]["name"] == "Persephone"
            watching = await enter(client, room)
            assert (await names(watching), bool(holding(tmp_path, "Persephone"))) == (["Persephone"], True)
            assert await forget(client, room, 0) == (200, {"who": [0]})
            assert (await watching.hear("told"))["e"] == {"e": "unnamed", "seat": 0}
            assert holding(tmp_path, "Persephone") == []
            assert [seat["name"] for seat in (await get(client, f"/api/games/{game}"))[1]["seats"]] == ["–", "Bo"]
            assert await (await client.get(f"/api/games/{game}.txt")).text() == TEXT.replace("Ana", "–")
            assert await names(await enter(client, room)) == ["–"]
            back = await enter(client, room, game=waiting, version=1)
            assert (await back.hear("told"))["e"]["name"] == "–"


async def test_a_deleted_name_stays_away_after_a_stop_and_in_the_next_game(tmp_path: Path) -> None:
    with closing(log_in(tmp_path / "games")) as log:
        async with whole(SystemClock(), log, tmp_path) as client:
            room = (await ask(client, WAITING))[1]["room"]
            await ask(client, {"name": "Bo"}, f"/api/rooms/{room}/seats")
            assert await forget(client, room, 0) == (200, {"who": [0]})
            page = await enter(client, room, 0)
            assert await names(page) == ["–", "Bo"]
            await page.say("start")
            assert await names(page) == ["–", "Bo"]
        async with whole(SystemClock(), log, tmp_path) as client:
            assert await names(await enter(client, room)) == ["–", "Bo"]


async def test_only_who_holds_a_seat_can_have_its_name_deleted(client: Client) -> None:
    _, host = await ask(client, WAITING)
    client.session.cookie_jar.clear()
    _, bo = await ask(client, {"name": "Bo"}, f"/api/rooms/{host['room']}/seats")
    refused = {"code": "not_held", "problems": ["this browser holds no such seat in this room"]}
    whos: list[Collection[int]] = [(), (host["who"],), (99,)]
    for who in whos:
        assert await forget(client, host["room"], *who) == (403, refused)
    assert (await forget(client, "QQQQ", bo["who"]))[0] == 404
    page = await enter(client, host["room"])
    assert await names(page) == ["Persephone", "Bo"]
    assert await forget(client, host["room"], host["who"], bo["who"]) == (200, {"who": [bo["who"]]})
    assert (await page.hear("told"))["e"] == {"e": "unnamed", "seat": 1}


async def test_nobody_can_choose_what_stands_for_a_deleted_name(client: Client) -> None:
    assert (await ask(client, {**WAITING, "name": "–"}))[0] == 422
