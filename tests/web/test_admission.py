"""Access to rooms: wrong codes are limited on every path, and removed players stay out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import aiohttp
import pytest

from ratscrew.limits import guessing
from ratscrew.limits.limits import LIMITS, Limit
from ratscrew.log.memory import MemoryLog
from ratscrew.table.record.entries import Entry
from ratscrew.testing.clock import ManualClock, on_manual_clock
from ratscrew.web.http.proxy_policy import ProxyPolicy
from tests.web.http_requests import Client, socket_of
from tests.web.pages import Page, full_server

WAYS = ["seats", "pass", "device", "name", "socket"]
HOST, EVE, BEN = "198.51.100.1", "203.0.113.5", "192.0.2.9"


class Browser:
    """A browser at an address, behind a proxy that names it; it keeps its cookies by itself."""

    def __init__(self, client: Client, address: str) -> None:
        self.client, self.address = client, address
        self.cookies: dict[str, str] = {}

    @property
    def headers(self) -> dict[str, str]:
        """What it sends along."""
        cookies = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        return {"X-Forwarded-For": self.address, **({"Cookie": cookies} if cookies else {})}

    async def post(self, path: str, method: str = "POST", **body: Any) -> tuple[int, Any]:
        """The status and the JSON of an answer."""
        async with self.client.request(method, path, json=body, headers=self.headers) as answer:
            self.cookies |= {name: cookie.value for name, cookie in answer.cookies.items()}
            return answer.status, await answer.json()

    async def join(self, room: str, name: str) -> tuple[int, Any]:
        """Ask for a seat."""
        return await self.post(f"/api/rooms/{room}/seats", name=name)

    async def come(self, room: str, *who: int) -> tuple[Page, str]:
        """Open the room's socket: the page, and how it is answered."""
        socket = await self.client.ws_connect(socket_of(room), headers=self.headers, autoping=False)
        page = Page(socket)
        await page.send("hello", player_ids=who)
        said = await page.receive("bye", "welcome")
        return page, said.get("reason", "welcome")

    async def ask(self, way: str, room: str) -> str:
        """Ask for a room in one of `WAYS`: whether it was too much, or what else came of it."""
        if way == "socket":
            page, why = await self.come(room)
            await page.socket.close()
            return why
        method = "DELETE" if way == "name" else "POST"
        body: dict[str, Any] = {"seats": {"name": "Eve"}, "device": {"text": "x"}}.get(way, {"player_ids": [0]})
        status, answer = await self.post(f"/api/rooms/{room}/{way}", method, **body)
        return "too_much" if status == 429 else str(answer.get("code", "joined"))


def server(clock: ManualClock, folder: Path, log: MemoryLog[Entry] | None = None) -> Any:
    """A whole server behind a proxy; its test client keeps no cookies."""
    jar: Any = aiohttp.DummyCookieJar()
    return full_server(clock, log if log is not None else MemoryLog(), folder, proxy_policy=ProxyPolicy(True), jar=jar)


async def hosted(client: Client) -> tuple[Browser, str, Page]:
    """A host with a private room and its socket."""
    host = Browser(client, HOST)
    _, joined = await host.post("/api/rooms", name="Ana", bots=0, wait=True)
    page, said = await host.come(joined["room"], 0)
    assert said == "welcome"
    return host, joined["room"], page


# Guessing


@pytest.mark.parametrize("way", WAYS)
@on_manual_clock
async def test_wrong_codes_are_limited_and_right_ones_then_too(
    clock: ManualClock, way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A guesser over the limit cannot tell a right code from a wrong one; neighbours with a seat are let in."""
    monkeypatch.setattr(guessing, "ADDRESS", Limit(5, 60))
    async with server(clock, tmp_path) as client:
        host, room, page = await hosted(client)
        host.address = EVE
        eve = Browser(client, EVE)
        assert [await eve.ask(way, "BEAR0001") for _ in range(5)] == ["no_room"] * 5
        assert [await eve.ask(way, code) for code in ("BEAR0001", room, "nonsense")] == ["too_much"] * 3
        assert (await host.come(room, 0))[1] == "welcome"
        assert (await host.post(f"/api/rooms/{room}/pass", player_ids=[0]))[0] == 201
        await page.socket.close()


@on_manual_clock
async def test_the_ways_share_one_budget(clock: ManualClock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guessing, "ADDRESS", Limit(5, 60))
    async with server(clock, tmp_path) as client:
        eve = Browser(client, EVE)
        assert [await eve.ask(way, "BEAR0001") for way in WAYS] == ["no_room"] * 5
        assert [await eve.ask(way, "BEAR0001") for way in WAYS] == ["too_much"] * 5


@on_manual_clock
async def test_a_page_of_a_room_tells_nothing_of_the_room(clock: ManualClock, tmp_path: Path) -> None:
    (tmp_path / "room.html").write_text("room")
    (tmp_path / "index.html").write_text("index")
    async with server(clock, tmp_path) as client:
        _, room, page = await hosted(client)
        for path in ("room", "tv"):
            found = [await client.get(f"/{path}/{code}") for code in (room, "BEAR0001")]
            assert found[0].status == found[1].status == 200
            assert await found[0].text() == await found[1].text()
        await page.socket.close()


# Removal


async def removed(client: Client, room: str, host: Page, eve: Browser, name: str = "Eve", seat: int = 1) -> None:
    """Eve took a seat, and the host has removed her."""
    status, joined = await eve.join(room, name)
    assert (status, joined["seat"]) == (201, seat)
    await host.send("remove", seat=seat)
    while (await host.receive("event"))["e"].get("e") != "left":
        pass


@on_manual_clock
async def test_a_removed_player_comes_back_neither_to_play_nor_to_watch(clock: ManualClock, tmp_path: Path) -> None:
    async with server(clock, tmp_path) as client:
        _, room, host = await hosted(client)
        eve = Browser(client, EVE)
        await removed(client, room, host, eve)
        eve.address = "203.0.113.77"  # another network, the same browser
        refusal = {"code": "removed", "problems": ["the host removed you from this table"]}
        assert await eve.join(room, "Mallory") == (409, refusal)
        assert (await eve.come(room))[1] == (await eve.come(room, 1))[1] == "removed"
        new_browser = Browser(client, EVE)  # another browser, the same network
        assert await new_browser.join(room, "Mallory") == (409, refusal)
        assert (await new_browser.come(room))[1] == "removed"
        assert (await Browser(client, BEN).join(room, "Ben"))[0] == 201
        await host.send("readmit")
        while (await host.receive("event"))["e"]["e"] != "readmitted":
            pass
        assert (await eve.join(room, "Eve"))[0] == (await new_browser.join(room, "Mallory"))[0] == 201


@on_manual_clock
async def test_a_home_with_many_networks_of_ipv6_is_one(clock: ManualClock, tmp_path: Path) -> None:
    """A customer may have a /48: 65,536 networks that count as one address each for limits."""
    async with server(clock, tmp_path) as client:
        _, room, host = await hosted(client)
        await removed(client, room, host, Browser(client, "2001:db8:1:1::1"))
        assert (await Browser(client, "2001:db8:1:2::1").join(room, "Mallory"))[1]["code"] == "removed"
        assert (await Browser(client, "2001:db8:2:1::1").join(room, "Ben"))[0] == 201


@on_manual_clock
async def test_a_removed_player_stays_out_after_a_restart(clock: ManualClock, tmp_path: Path) -> None:
    log = MemoryLog[Entry]()
    async with server(clock, tmp_path, log) as client:
        _, room, host = await hosted(client)
        eve = Browser(client, EVE)
        await removed(client, room, host, eve)
        before = dict(log._values)
    async with server(clock, tmp_path, log) as client:
        again = Browser(client, "203.0.113.77")
        again.cookies = eve.cookies
        assert (await again.join(room, "Mallory"))[1]["code"] == "removed"
        assert (await again.come(room))[1] == "removed"
    assert not any(EVE.encode() in value for value in [*before.values(), *log._values.values()])
    assert EVE not in repr([log.read(game) for game in log.games()])


@on_manual_clock
async def test_at_a_party_the_network_of_a_removed_player_is_not_held_against_the_others(
    clock: ManualClock, tmp_path: Path
) -> None:
    async with server(clock, tmp_path) as client:
        _, room, host = await hosted(client)
        assert (await Browser(client, EVE).join(room, "Ben"))[0] == 201
        eve = Browser(client, EVE)
        await removed(client, room, host, eve, seat=2)
        assert (await eve.join(room, "Eve 2"))[1]["code"] == "removed"
        assert (await Browser(client, EVE).join(room, "Cleo"))[0] == 201


@on_manual_clock
async def test_a_stranger_with_several_seats_does_not_refill_the_room(clock: ManualClock, tmp_path: Path) -> None:
    """Seven seats from one network, each in a browser of its own: after two removals nobody new comes from there."""
    async with server(clock, tmp_path) as client:
        _, room, host = await hosted(client)
        for number in range(1, 8):
            assert (await Browser(client, EVE).join(room, f"Eve {number}"))[0] == 201
        came = 0
        for number in range(1, 8):
            await host.send("remove", seat=number)
            while (await host.receive("event"))["e"].get("e") != "left":
                pass
            came += (await Browser(client, EVE).join(room, f"Again {number}"))[0] == 201
        assert came == 1
        assert (await Browser(client, BEN).join(room, "Ben"))[0] == 201


@on_manual_clock
async def test_the_hosts_own_device_and_network_may_always_add_players(clock: ManualClock, tmp_path: Path) -> None:
    """Around one tablet the host removes a player and adds another one."""
    async with server(clock, tmp_path) as client:
        tablet, room, host = await hosted(client)
        for number in (1, 2):
            await removed(client, room, host, tablet, f"Guest {number}")
        assert (await tablet.join(room, "Guest 3"))[0] == 201
        assert (await Browser(client, HOST).join(room, "Guest 4"))[0] == 201


@on_manual_clock
async def test_one_address_cannot_join_a_room_again_and_again(
    clock: ManualClock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(LIMITS, "room_seats", Limit(3, 20))
    async with server(clock, tmp_path) as client:
        _, room, page = await hosted(client)
        found = [(await Browser(client, EVE).join(room, f"Eve {number}"))[0] for number in range(5)]
        assert found == [201] * 3 + [429] * 2
        assert (await Browser(client, BEN).join(room, "Ben"))[0] == 201
        await page.socket.close()


@on_manual_clock
async def test_a_locked_room_refuses_newcomers_with_a_sentence_and_lets_seats_back_in(
    clock: ManualClock, tmp_path: Path
) -> None:
    async with server(clock, tmp_path) as client:
        _, room, host = await hosted(client)
        ben = Browser(client, BEN)
        await ben.join(room, "Ben")
        await host.send("lock", on=True)
        while (await host.receive("event"))["e"].get("e") != "room_locked":
            pass
        sentence = "the host has locked this table: no new players can join now"
        assert await Browser(client, EVE).join(room, "Eve") == (409, {"code": "locked", "problems": [sentence]})
        page, said = await ben.come(room, 1)
        assert said == "welcome"
        status, made = await ben.post(f"/api/rooms/{room}/pass", player_ids=[1])
        assert status == 201
        phone = Browser(client, EVE)
        assert (await phone.post(f"/api/rooms/{room}/device", **made))[0] == 200
        assert (await phone.come(room, 1))[1] == "welcome"
        await page.socket.close()
