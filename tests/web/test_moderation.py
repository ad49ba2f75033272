"""Reports, blocks and bans over HTTP: what players send, and what a banned one reads."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from aiohttp import CookieJar
from aiohttp.test_utils import TestClient, TestServer

from ratscrew.accounts.bans import Ban, put_ban, remove_ban, seat_name
from ratscrew.accounts.blocks import set_blocked
from ratscrew.accounts.reports import read_reports
from ratscrew.limits.limits import LIMITS
from ratscrew.log.memory import MemoryLog
from ratscrew.table.record.entries import Entry
from ratscrew.testing.clock import ManualClock, on_manual_clock
from ratscrew.web.app import MODERATION, REGISTRY, make_app
from ratscrew.web.http.static_files import StaticFiles
from ratscrew.web.rendering.worker import execute_here
from tests.web.http_requests import Client, ask, get, socket_of
from tests.web.pages import Page
from tests.web.test_accounts import client as client
from tests.web.test_accounts import clock as clock
from tests.web.test_accounts import other as other
from tests.web.test_accounts import server as server
from tests.web.test_rated_games import two_people


async def together(client: Client, other: Client) -> str:
    """Ana opens a room, and Bo takes a seat in it. Returns its code."""
    _, room = await ask(client, {"name": "Ana", "bots": 0, "wait": True})
    code: str = room["room"]
    assert (await ask(other, {"name": "Bo"}, f"/api/rooms/{code}/seats"))[0] == 201
    return code


async def reported(client: Client, code: str, **more: Any) -> tuple[int, Any]:
    """Ana reports the player at seat 1."""
    return await ask(client, {"player_id": 0, "seat": 1, "reason": "stalling", **more}, f"/api/rooms/{code}/reports")


async def test_a_report_has_the_game_as_evidence_and_no_names(
    client: Client, other: Client, log: MemoryLog[Entry]
) -> None:
    code = await together(client, other)
    assert (await reported(client, code, text="  waits\nfor ever "))[0] == 201
    (report,) = read_reports(log)
    assert (report.game, report.last) == (log.games()[0], len(log.read(log.games()[0])))
    assert (report.reporter, report.reported, report.text) == (0, 1, "waits for ever")
    assert report.address
    assert "Bo" not in repr(log.get("community/report/"))


async def test_nobody_reports_twice_themselves_a_bot_or_without_a_seat(client: Client, other: Client) -> None:
    code = await together(client, other)
    await reported(client, code)
    assert (await reported(client, code))[0] == 409
    for seat in (0, 2, -1):
        assert (await reported(client, code, seat=seat))[0] == 409
    path = f"/api/rooms/{code}/reports"
    assert (await ask(other, {"player_id": 0, "seat": 1, "reason": "name"}, path))[0] == 403
    assert (await reported(client, "WOLF0000"))[0] == 404
    assert (await reported(client, code, reason="ugly"))[0] == 400
    assert (await reported(client, code, text="x" * 201))[0] == 400


async def test_a_flood_of_reports_is_refused(client: Client, other: Client) -> None:
    code = await together(client, other)
    most = LIMITS["reports"].most
    answers = [(await reported(client, code))[0] for _ in range(most + 3)]
    assert answers == [201, *[409] * (most - 1), 429, 429, 429]


async def test_a_banned_account_reads_why_and_until_when(
    client: Client, log: MemoryLog[Entry], server: TestServer
) -> None:
    _, state = await ask(client, {"name": "Bo"}, "/api/account")
    ban = Ban("0a0b0c0d", 0, 86_400_000_000, "stalling", account=state["account"]["id"])
    put_ban(log, ban)
    await read_bans_now(server)
    sentence = "You can't play here until 1970-01-02 00:00 UTC. The reason: stalling"
    for path, body in (("/api/rooms", {"name": "Bo", "bots": 1}), ("/api/quick", {"name": "Bo"})):
        status, problem = await ask(client, body, path)
        assert (status, problem) == (403, {"code": "banned", "problems": [sentence]})
    answer = await client.post("/api/quick", json={"name": "Bo"}, headers={"Accept-Language": "de"})
    assert (await answer.json())["problems"] == [
        "Du kannst hier bis 1970-01-02 00:00 UTC nicht spielen. Der Grund: stalling"
    ]
    remove_ban(log, ban)
    await read_bans_now(server)
    assert (await ask(client, {"name": "Bo", "bots": 1}))[0] == 201


async def test_a_banned_guest_is_known_by_the_seat_and_then_by_the_browser(
    client: Client, other: Client, log: MemoryLog[Entry], server: TestServer, clock: ManualClock
) -> None:
    """The innocent ones who share the address are refused for a day if the operator wants it, and never marked."""
    code = await together(client, other)
    await reported(client, code)
    (report,) = read_reports(log)
    assert report.neighbours == 1, "Ana is at the same address"
    seat = seat_name(report.game.rpartition("-")[0], report.reported)
    put_ban(log, Ban("0a0b0c0d", clock.now_us(), None, "insults", None, report.address, seat))
    await read_bans_now(server)
    innocent = await client.post("/api/account", json={"name": "Ana"})
    assert (innocent.status, "Set-Cookie" in innocent.headers) == (403, False)
    answer = await other.post(f"/api/rooms/{code}/seats", json={"name": "Cy"})
    assert (answer.status, (await answer.json())["code"]) == (403, "banned")
    (mark,) = answer.cookies.values()
    assert (mark["httponly"], mark["samesite"], mark["path"]) == (True, "Strict", "/api")
    clock.advance(86_400_000_001)  # the address may be another person's by now; the browser is not
    assert (await ask(other, {"name": "Cy", "bots": 1}))[0] == 403
    assert (await ask(client, {"name": "Ana", "bots": 1}))[0] == 201
    async with TestClient(server, cookie_jar=CookieJar(unsafe=True)) as third:
        assert (await ask(third, {"name": "Di", "bots": 1}))[0] == 201


async def test_the_page_of_a_banned_player_that_connects_again_is_marked(
    client: Client, other: Client, log: MemoryLog[Entry], server: TestServer, clock: ManualClock
) -> None:
    code = await together(client, other)
    await reported(client, code)
    (report,) = read_reports(log)
    put_ban(log, Ban("0a0b0c0d", clock.now_us(), None, "insults", seat=seat_name(report.game.rpartition("-")[0], 1)))
    await read_bans_now(server)
    for browser in (client, other):
        await (await browser.ws_connect(socket_of(code))).close()
    assert (await ask(client, {"name": "Ana", "bots": 1}))[0] == 201
    assert (await ask(other, {"name": "Cy", "bots": 1}))[0] == 403


async def test_a_player_blocks_the_account_of_another(client: Client, other: Client) -> None:
    await ask(client, {"name": "Ana"}, "/api/account")
    _, state = await ask(other, {"name": "Bo"}, "/api/account")
    code = await together(client, other)
    path = f"/api/rooms/{code}/blocks"
    assert await ask(client, {"player_id": 0, "seat": 1, "on": True}, path) == (200, {"stored": True})
    assert await get(client, path) == (200, {"seats": [1]})
    bo = {"account": state["account"]["id"], "name": state["account"]["name"]}
    assert await get(client, "/api/account/blocks") == (200, [bo])
    assert (await get(other, "/api/account/blocks"))[1] == []
    assert (await client.delete(f"/api/account/blocks/{bo['account']}")).status == 200
    assert await get(client, path) == (200, {"seats": []})


async def test_only_accounts_block_and_are_blocked(client: Client, other: Client) -> None:
    code = await together(client, other)
    path, body = f"/api/rooms/{code}/blocks", {"player_id": 0, "seat": 1, "on": True}
    assert (await ask(client, body, path))[0] == 403
    await ask(client, {"name": "Ana"}, "/api/account")
    assert await ask(client, body, path) == (200, {"stored": False})


@pytest.mark.parametrize("what", ["account", "seat"])
@on_manual_clock
async def test_a_ban_ends_the_seat_in_a_running_game_which_goes_on(
    clock: ManualClock, tmp_path: Path, what: str
) -> None:
    log = MemoryLog[Entry]()
    async with two_people(clock, log, tmp_path) as (ana, bo):
        _, joined = await ask(ana, {"name": "Ana", "bots": 1, "wait": True})
        path = f"/api/rooms/{joined['room']}/seats"
        _, other = await ask(bo, {"name": "Bo"}, path)
        pages = []
        for browser, seat in ((ana, joined), (bo, other)):
            pages.append(page := Page(await browser.ws_connect(socket_of(joined["room"]), autoping=False)))
            await page.send("hello", player_ids=[seat["player_id"]])
            await page.receive("welcome")
        await pages[0].send("start")
        app, account = bo.server.app, (await get(bo, "/api/account"))[1]["account"]["id"]  # type: ignore[attr-defined]
        (room,) = app[REGISTRY]
        whom = {"account": account, "seat": seat_name(room.table.room, other["player_id"])}
        put_ban(log, Ban("0a0b0c0d", clock.now_us(), None, "insults", **{what: whom[what]}))
        assert (await pages[1].receive("bye"))["reason"] == "removed"
        left = await until(pages[0], lambda event: event["e"] == "left")
        assert (left["seat"], left["removed"]) == (2, True)
        await until(pages[0], lambda event: event["e"] == "played" and event["seat"] == 2)  # a card is turned for him
        assert (await ask(bo, {"name": "Bo"}, path))[1]["code"] == "banned"
        assert (await ask(ana, {"name": "Ana", "bots": 1}))[0] == 201


async def until(page: Page, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """The first event of this kind; the player never acts, but says that they are here."""
    while True:
        said = await page.receive("event", "idle_warning")
        if said["t"] == "idle_warning":
            await page.send("come_back")
        elif wanted(said["e"]):
            return dict(said["e"])


@pytest.mark.parametrize("path", ["/api/rooms/WOLF0000/reports", "/api/rooms/WOLF0000/blocks"])
async def test_without_a_community_there_is_neither(log: MemoryLog[Entry], tmp_path: Any, path: str) -> None:
    app = make_app(log, ManualClock(1), StaticFiles(tmp_path), execute=execute_here)
    async with TestClient(TestServer(app)) as alone:
        assert (await ask(alone, {"player_id": 0, "seat": 1}, path))[0] in (404, 405)


async def read_bans_now(server: TestServer) -> None:
    """What the server does every ten seconds."""
    await server.app[MODERATION].read()


async def test_a_deleted_account_is_gone_from_reports_and_blocks(
    client: Client, other: Client, log: MemoryLog[Entry]
) -> None:
    await ask(client, {"name": "Ana"}, "/api/account")
    _, state = await ask(other, {"name": "Xanthippe"}, "/api/account")
    deleted = state["account"]["id"]
    code = await together(client, other)
    assert (await reported(client, code, text="Xanthippe never plays"))[0] == 201
    path = f"/api/rooms/{code}/reports"
    assert (await ask(other, {"player_id": 1, "seat": 0, "reason": "other", "text": "Xanthippe"}, path))[0] == 201
    set_blocked(log, (await get(client, "/api/account"))[1]["account"]["id"], deleted, True, 1)
    assert (await other.delete("/api/account")).status == 200
    assert not [name for name, value in log.get().items() if deleted in f"{name}{value!r}" or b"Xan" in value]
    assert [report.reason for report in read_reports(log)] == ["stalling", "other"]
    assert read_reports(log)[0].reporter_account  # the other one's is untouched
