"""A cookie that scripts cannot read holds a seat; a pass moves it; pages of other sites cannot use it."""

from __future__ import annotations

import logging
from http.cookies import Morsel
from pathlib import Path
from typing import Any

import pytest

from ratscrew.limits.limits import LIMITS, Limit
from ratscrew.log.memory import MemoryLog
from ratscrew.table.record.entries import Entry
from ratscrew.table.registry import code_registry
from ratscrew.table.registry.placement import Elsewhere
from ratscrew.table.registry.room_registry import RoomRegistry
from ratscrew.table.registry.tokens import TokenContent, Tokens, Use
from ratscrew.table.room.room import Room
from ratscrew.testing.clock import ManualClock, on_manual_clock
from ratscrew.web.app import COOKIES
from ratscrew.web.http.cookies import COOKIE, READ_MOST, Cookies
from ratscrew.web.http.proxy_policy import ProxyPolicy
from tests.web.http_requests import ASKED, Client, ask, socket_of
from tests.web.pages import Page, cookies, full_server, open_room

DAY_US = 24 * 3600 * 1_000_000


def name(client: Client, player_id: int) -> str:
    """The name of the cookie of a seat."""
    return client.app[COOKIES].name(COOKIE, player_id)


async def given(client: Client, path: str = "/api/rooms", body: Any = ASKED, **headers: str) -> list[Morsel[str]]:
    """The cookies that come with an answer."""
    answer = await client.post(path, json=body, headers=headers)
    assert answer.ok
    return list(answer.cookies.values())


async def seat_of(client: Client, room: str, *who: int) -> int | None:
    """The seat of a page with the cookies of a browser."""
    page = Page(await client.ws_connect(socket_of(room), autoping=False))
    await page.send("hello", player_ids=who)
    you: int | None = (await page.receive("welcome"))["you"]
    await page.socket.close()
    return you


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/api/rooms", ASKED),
        ("/api/quick", {"name": "Ana"}),
        ("/api/lessons", {"name": "Ana", "lesson": "turn"}),
    ],
)
async def test_whoever_sits_down_has_a_cookie_for_his_room_only(client: Client, path: str, body: Any) -> None:
    answer = await client.post(path, json=body)
    joined, (cookie,) = await answer.json(), answer.cookies.values()
    assert (cookie.key, cookie["path"]) == (name(client, 0), f"/api/rooms/{joined['room']}")
    assert (cookie["httponly"], cookie["samesite"], cookie["max-age"]) == (True, "Strict", str(14 * 24 * 3600))
    assert (cookie["secure"], cookie["domain"]) == ("", "")
    assert cookie.value not in await answer.text()


async def test_each_seat_of_a_browser_has_a_cookie_of_its_own(client: Client) -> None:
    (ana,) = await given(client)
    (bo,) = await given(client, f"{ana['path']}/seats", {"name": "Bo"})
    assert (ana["path"], ana.key, bo.key) == (bo["path"], name(client, 0), name(client, 3))
    assert ana.value != bo.value


@pytest.mark.parametrize(("proxy_policy", "secure"), [(ProxyPolicy(proxied=True), True), (ProxyPolicy(), "")])
async def test_what_came_by_https_goes_back_by_https_only(
    proxy_policy: ProxyPolicy, secure: bool | str, tmp_path: Path
) -> None:
    """What a proxy says counts where there is one."""
    async with full_server(ManualClock(1), MemoryLog(), tmp_path, proxy_policy=proxy_policy) as client:
        (cookie,) = await given(client, **{"X-Forwarded-Proto": "https"})
    assert cookie["secure"] == secure


@on_manual_clock
async def test_one_sits_where_one_has_the_cookie_and_says_so(clock: ManualClock, tmp_path: Path) -> None:
    async with full_server(clock, MemoryLog(), tmp_path) as client:
        room = (await open_room(client))["room"]
        _, bo = await ask(client, {"name": "Bo"}, f"/api/rooms/{room}/seats")
        assert [await seat_of(client, room, *who) for who in ((), (0,), (bo["player_id"],), (1,), (99,))] == [
            None,
            0,
            3,
            None,
            None,
        ]
        client.session.cookie_jar.clear()
        assert await seat_of(client, room, 0) is None


@on_manual_clock
async def test_who_comes_back_after_a_day_has_his_whole_time_again(
    clock: ManualClock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The player returns after thirteen days, and after thirteen more. The room is kept although nobody played."""
    monkeypatch.setattr(code_registry, "UNPLAYED_KEPT_US", code_registry.KEPT_US)
    async with full_server(clock, MemoryLog(), tmp_path) as client:
        room = (await open_room(client))["room"]
        jar = client.session.cookie_jar
        (first,) = [cookie.value for cookie in jar]
        assert await seat_of(client, room, 0) == 0
        assert [cookie.value for cookie in jar] == [first]
        for _ in range(2):
            clock.advance(13 * DAY_US)
            assert await seat_of(client, room, 0) == 0
        assert [cookie.value for cookie in jar] != [first]
        clock.advance(14 * DAY_US)
        assert await seat_of(client, room, 0) is None


@on_manual_clock
async def test_a_room_that_is_restored_to_renew_a_cookie_is_restored_in_the_turn_of_its_address(
    clock: ManualClock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Addresses take turns, and a client that has gone is not waited for; so each look-up names its client."""
    monkeypatch.setattr(code_registry, "UNPLAYED_KEPT_US", code_registry.KEPT_US)
    found, find = list[tuple[object, ...]](), RoomRegistry.find

    async def recorded(registry: RoomRegistry, typed: str, *client: Any) -> Room | Elsewhere | None:
        found.append(client)
        return await find(registry, typed, *client)

    async with full_server(clock, MemoryLog(), tmp_path) as client:
        room = (await open_room(client))["room"]
        clock.advance(2 * DAY_US)
        monkeypatch.setattr(RoomRegistry, "find", recorded)
        assert await seat_of(client, room, 0) == 0
    assert [address for address, _ in found] == ["127.0.0.1"] * 2  # renewed, and let in


@on_manual_clock
async def test_junk_among_the_cookies_costs_nothing_and_hides_no_seat(
    clock: ManualClock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A browser on localhost brings the cookies of every server there; an attacker brings as many as there is room."""
    read = list[str]()
    reads = Tokens.read

    def counted(self: Tokens, use: Use, room: str, token: str, now_us: int) -> TokenContent | None:
        read.append(token)
        return reads(self, use, room, token, now_us)

    monkeypatch.setattr(Tokens, "read", counted)
    async with full_server(clock, MemoryLog(), tmp_path) as client:
        room = (await open_room(client))["room"]
        (cookie,) = client.session.cookie_jar
        client.session.cookie_jar.clear()
        junk = [f"{name(client, number)}=a" for number in range(300)]
        junk += ["seat-x=0.1.y", "seat-", "=", "theme=dark", "a" * 900, f"seat-0={cookie.value}"]
        forged = [f"{name(client, number)}={number}.1900000000.{'x' * 43}" for number in range(100, 140)]

        async def sits(*cookies: str) -> int | None:
            read.clear()
            path, headers = socket_of(room), {"Cookie": "; ".join(cookies)}
            page = Page(await client.ws_connect(path, headers=headers, autoping=False))
            await page.send("hello", player_ids=[0])
            you: int | None = (await page.receive("welcome"))["you"]
            await page.socket.close()
            return you

        assert (await sits(*junk, f"{name(client, 0)}={cookie.value}"), set(read)) == (0, {cookie.value})
        assert (await sits(*junk), read) == (None, [])
        assert await sits(f"{name(client, 0)}={cookie.value}", *forged) == 0
        assert len(set(read)) <= READ_MOST
        old = clock.now_us() // 1_000_000 + 3600
        forged = [f"{name(client, number)}={number}.{old}.{'x' * 43}" for number in range(100, 140)]
        assert await sits(*forged, f"{name(client, 0)}={cookie.value}") is None
        assert len(set(read)) == READ_MOST
        assert len(read) <= 3 * READ_MOST  # renewed, let in, and seated


@on_manual_clock
async def test_no_cookie_is_looked_at_before_the_handshake_is_paid_for(
    clock: ManualClock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[str] = []

    def look(*_: object) -> bool:
        looked.append("here")
        return False

    monkeypatch.setattr(Cookies, "may_renew", look)
    monkeypatch.setitem(LIMITS, "sockets", Limit(1, 3600))
    async with full_server(clock, MemoryLog(), tmp_path) as client:
        room = (await open_room(client))["room"]
        for _ in range(3):
            page = Page(await client.ws_connect(socket_of(room), autoping=False))
        await page.expect_close(after="too_much")
    assert looked == ["here"]


# Another device


@on_manual_clock
async def test_a_pass_brings_the_seats_to_another_device(clock: ManualClock, tmp_path: Path) -> None:
    log = MemoryLog[Entry]()
    async with full_server(clock, log, tmp_path) as client:
        room = (await open_room(client))["room"]
        await ask(client, {"name": "Bo"}, f"/api/rooms/{room}/seats")
        status, made = await ask(client, {"player_ids": [3, 0, 1]}, f"/api/rooms/{room}/pass")
        assert status == 201
        client.session.cookie_jar.clear()
        status, moved = await ask(client, made, f"/api/rooms/{room}/device")
        assert (status, moved) == (200, {"room": room, "player_ids": [3, 0]})
        assert await seat_of(client, room, 3) == 3


@on_manual_clock
async def test_a_pass_is_for_ten_minutes_and_is_no_cookie(clock: ManualClock, tmp_path: Path) -> None:
    async with full_server(clock, MemoryLog(), tmp_path) as client:
        room = (await open_room(client))["room"]
        _, made = await ask(client, {"player_ids": [0]}, f"/api/rooms/{room}/pass")
        (cookie,) = client.session.cookie_jar
        refused = (403, "pass_over")
        status, told = await ask(client, {"text": cookie.value}, f"/api/rooms/{room}/device")
        assert (status, told["code"]) == refused
        clock.advance(600 * 1_000_000)
        status, told = await ask(client, made, f"/api/rooms/{room}/device")
        assert (status, told["code"]) == refused


@on_manual_clock
async def test_a_pass_is_used_once_also_across_a_restart_and_not_after_its_seat_was_left(
    clock: ManualClock, tmp_path: Path
) -> None:
    log, jar = MemoryLog[Entry](), cookies()
    async with full_server(clock, log, tmp_path, jar=jar) as client:
        room = (await open_room(client))["room"]
        made = [(await ask(client, {"player_ids": [0]}, f"/api/rooms/{room}/pass"))[1] for _ in range(2)]
        found = [(await ask(client, each, f"/api/rooms/{room}/device"))[0] for each in (*made, made[1])]
        assert found == [403, 200, 403]  # the first was revoked by the second, which is used up
        _, unused = await ask(client, {"player_ids": [0]}, f"/api/rooms/{room}/pass")
    async with full_server(clock, log, tmp_path, jar=jar) as client:
        assert (await ask(client, made[1], f"/api/rooms/{room}/device"))[0] == 403
        assert (await ask(client, unused, f"/api/rooms/{room}/device"))[0] == 403
        _, bo = await ask(client, {"name": "Bo"}, f"/api/rooms/{room}/seats")
        _, made_for_bo = await ask(client, {"player_ids": [bo["player_id"]]}, f"/api/rooms/{room}/pass")
        async with client.ws_connect(socket_of(room)) as socket:
            await socket.send_json({"t": "hello", "player_ids": [bo["player_id"]]})
            await socket.send_json({"t": "leave"})
            page = Page(socket)
            while (await page.receive("event"))["e"]["e"] != "left":
                pass
        assert (await ask(client, made_for_bo, f"/api/rooms/{room}/device"))[0] == 403
        assert (await ask(client, {"player_ids": [bo["player_id"]]}, f"/api/rooms/{room}/pass"))[0] == 403


async def test_a_pass_is_made_for_who_holds_the_seat(client: Client) -> None:
    room = (await open_room(client))["room"]
    assert (await ask(client, {"player_ids": [1]}, f"/api/rooms/{room}/pass"))[0] == 403
    client.session.cookie_jar.clear()
    status, told = await ask(client, {"player_ids": [0]}, f"/api/rooms/{room}/pass")
    assert (status, told["code"]) == (403, "not_held")


@pytest.mark.parametrize(("what", "body"), [("pass", {"player_ids": [0]}), ("device", {"text": "0.1.x"})])
async def test_in_no_room_there_is_nothing_to_bring(client: Client, what: str, body: Any) -> None:
    assert (await ask(client, body, f"/api/rooms/QQQQ/{what}"))[0] == 404


# Strangers' pages


@pytest.mark.parametrize("path", ["/api/rooms", "/api/quick", "/api/rooms/BEAR/pass", "/api/lessons", "/api/house"])
@pytest.mark.parametrize("origin", ["https://elsewhere.example", "null"])
async def test_a_page_of_somebody_else_may_ask_for_nothing(client: Client, path: str, origin: str) -> None:
    answer = await client.post(path, json=ASKED, headers={"Origin": origin})
    told = {"code": "elsewhere", "problems": ["Only pages of this server may send this request."]}
    assert (answer.status, await answer.json(), answer.cookies) == (403, told, {})


async def test_our_own_pages_may_ask(client: Client) -> None:
    assert await given(client, Origin=str(client.make_url("/")).rstrip("/"))


# What is sent to no one


@on_manual_clock
async def test_no_secret_is_in_what_is_told_or_written_down(
    clock: ManualClock, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    log = MemoryLog[Entry]()
    async with full_server(clock, log, tmp_path, jar=cookies()) as client:
        room = (await open_room(client))["room"]
        _, made = await ask(client, {"player_ids": [0]}, f"/api/rooms/{room}/pass")
        (cookie,) = client.session.cookie_jar
        page = Page(await client.ws_connect(socket_of(room), autoping=False))
        await page.send("hello", player_ids=[0])
        heard = [str(await page.receive()) for _ in range(10)]
        heard += [str(await ask(client, {"text": made["text"][:-2]}, f"/api/rooms/{room}/device"))]
        heard += [str(await ask(client, {"player_ids": made["text"]}, f"/api/rooms/{room}/pass"))]
    heard += [record.getMessage() for record in caplog.records] + [str(log.read(game)) for game in log.games()]
    secrets = [text.rpartition(".")[2][:-2] for text in (cookie.value, made["text"])]
    assert not [text for text in heard if any(secret in text for secret in secrets)]
