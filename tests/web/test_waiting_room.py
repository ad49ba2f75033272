"""A room over WebSockets before its first game and between two: players join, and the host chooses rules and start."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ratscrew.cards import cards
from ratscrew.game.codec import Codec
from ratscrew.game.events import Dealt
from ratscrew.game.standing import Standing
from ratscrew.log.memory import MemoryLog
from ratscrew.log.sqlite import SqliteLog
from ratscrew.rules.house import Rules
from ratscrew.table.record.entries import Entry
from ratscrew.testing.clock import ManualClock, on_manual_clock
from tests.web.http_requests import Client, ask, socket_of
from tests.web.pages import Page, cookies, full_server, stream_page
from tests.web.streams import StreamSocket, stream_of

WAITING = {"name": "Ana", "bots": 0, "wait": True}
DOUBLE = ("9S 2C", "9H 3H")


def lay_double(rules: Rules, seats: int) -> Dealt:
    """Ana leads, and after two cards there is a double."""
    return Dealt(rules, tuple(map(cards, DOUBLE)), Standing("play", 0))


class Gathering:
    """A room, its host, and the way in."""

    def __init__(self, client: Client, host: dict[str, Any]) -> None:
        self.client, self.host, self.code = client, host, host["room"]

    async def sit(self, name: str) -> dict[str, Any]:
        """Somebody takes a seat."""
        status, joined = await ask(self.client, {"name": name}, f"/api/rooms/{self.code}/seats")
        assert status == 201
        return dict(joined)

    async def enter(
        self,
        joined: dict[str, Any] | None = None,
        pong_after_s: float = 0,
        signs: bool = True,
        by_stream: bool = False,
    ) -> tuple[Page, dict[str, Any]]:
        """The page of the host, or of a player who has joined, and its welcome."""
        page = (
            stream_page(StreamSocket(self.client, stream_of(self.code)), pong_after_s)
            if by_stream
            else Page(await self.client.ws_connect(socket_of(self.code), autoping=False), pong_after_s, signs)
        )
        await page.send("hello", player_ids=[(joined or self.host)["player_id"]])
        return page, await page.receive("welcome")


async def gather(client: Client, **asked: Any) -> Gathering:
    """A room that waits for people."""
    status, host = await ask(client, WAITING | asked)
    assert status == 201
    return Gathering(client, host)


def refused(what: str, why: str) -> dict[str, Any]:
    """The answer to who asks in vain."""
    return {"t": "refused", "request": what, "reason": why, "seat": None}


def seen(name: str, hue: int, shape: str) -> dict[str, Any]:
    """A connected person, as all clients see them."""
    appearance = {"hue": hue, "shape": shape}
    never = {"gone": False, "muted": False, "idle": False, "wins": 0}
    return {"name": name, "bot": None, "here": True, "appearance": appearance, **never}


# Gathering


@on_manual_clock
async def test_who_enters_is_shown_the_house_and_the_seats_and_no_game(clock: ManualClock, tmp_path: Path) -> None:
    async with full_server(clock, MemoryLog(), tmp_path) as client:
        room = await gather(client, house="1;wiki;turn_ms=5000")
        _, welcome = await room.enter()
        assert (welcome["view"], welcome["clock"], welcome["closed_ms"]) == (None, None, None)
        assert (welcome["you"], welcome["host"], welcome["house"]) == (0, 0, "1;wiki;turn_ms=5000")
        assert (welcome["game"][-2:], welcome["version"]) == ("-0", 3)  # the house, who joined, and the promise
        assert welcome["seats"] == [seen("Ana", 0, "palm")]


@on_manual_clock
async def test_everybody_is_told_who_sits_down(clock: ManualClock, tmp_path: Path) -> None:
    async with full_server(clock, MemoryLog(), tmp_path) as client:
        room = await gather(client)
        ana, _ = await room.enter()
        bo = await room.sit("Bo")
        looks = {"hue": 1, "shape": "paw"}
        sat = {"e": "sat", "seat": 1, "name": "Bo", "bot": None, "player_id": 1, "appearance": looks}
        assert await ana.receive("event") == {"t": "event", "v": 4, "e": sat}
        _, welcome = await room.enter(bo)
        assert (welcome["you"], welcome["host"], welcome["version"]) == (1, 0, 4)
        assert await ana.receive("presence") == {"t": "presence", "seat": 1, "here": True}


# The house


@on_manual_clock
async def test_the_host_chooses_the_house_and_nobody_else(clock: ManualClock, tmp_path: Path) -> None:
    async with full_server(clock, MemoryLog(), tmp_path) as client:
        room = await gather(client)
        ana, _ = await room.enter()
        bo, _ = await room.enter(await room.sit("Bo"))
        await bo.send("house", house="1;blog")
        assert await bo.receive("refused", "event") == refused("house", "not_host")
        await ana.send("house", house="1;wiki;slaps.hoagie=off")
        for page in (ana, bo):
            while (told := await page.receive("event"))["e"]["e"] != "rules_changed":
                pass
            assert told["e"]["link"] == "1;wiki;slaps.hoagie=off"
        _, welcome = await room.enter()
        assert welcome["house"] == "1;wiki;slaps.hoagie=off"


@on_manual_clock
async def test_a_house_too_small_for_those_who_sit_here_is_refused(clock: ManualClock, tmp_path: Path) -> None:
    """Beggar is for two."""
    async with full_server(clock, MemoryLog(), tmp_path) as client:
        room = await gather(client)
        ana, _ = await room.enter()
        for name in ("Bo", "Cy"):
            await room.sit(name)
        await ana.send("house", house="1;beggar")
        assert await ana.receive("refused") == refused("house", "room_full")


@on_manual_clock
async def test_while_a_game_is_on_its_house_stays(clock: ManualClock, tmp_path: Path) -> None:
    async with full_server(clock, MemoryLog(), tmp_path) as client:
        room = await gather(client, bots=1)
        ana, _ = await room.enter()
        await ana.send("start")
        assert (await ana.receive("welcome"))["house"] == "1;classic"
        await ana.send("house", house="1;blog")
        assert await ana.receive("refused") == refused("house", "not_over")
        await ana.send("start")
        assert await ana.receive("refused") == refused("start", "not_over")
        await ana.send("reopen")
        assert await ana.receive("refused") == refused("reopen", "not_so_here")


# The start


@on_manual_clock
async def test_the_first_game_needs_two_and_the_word_of_the_host(clock: ManualClock, tmp_path: Path) -> None:
    async with full_server(clock, MemoryLog(), tmp_path) as client:
        room = await gather(client, house="1;blog")
        ana, _ = await room.enter()
        await ana.send("start")
        assert await ana.receive("refused") == refused("start", "too_few")
        bo, _ = await room.enter(await room.sit("Bo"))
        await bo.send("start")
        assert await bo.receive("refused") == refused("start", "not_host")
        await bo.send("again")
        assert await bo.receive("refused") == refused("again", "not_over")
        await bo.send("play", n=0)
        assert await bo.receive("refused") == refused("play", "no_game")
        await ana.send("start")
        for page in (ana, bo):
            welcome = await page.receive("welcome")
            assert (welcome["game"][-2:], welcome["version"]) == ("-1", 5)
            assert (sum(welcome["view"]["cards_held"]), welcome["house"]) == (52, "1;blog")


# Coming late


@on_manual_clock
async def test_who_comes_late_slaps_himself_in_where_the_house_lets_him(clock: ManualClock, tmp_path: Path) -> None:
    async with full_server(clock, MemoryLog(), tmp_path, lay_double) as client:
        room = await gather(client)
        ana, _ = await room.enter()
        bo, _ = await room.enter(await room.sit("Bo"))
        await ana.send("start")
        cy, welcome = await room.enter(await room.sit("Cy"))
        assert (welcome["you"], welcome["view"]["cards_held"], welcome["view"]["circle"]) == (2, [2, 2, 0], [0, 1])
        for page, n in ((ana, 0), (bo, 1)):
            await page.send("play", n=n)
            assert (await cy.receive("event"))["e"]["n"] == n + 1
        await cy.slap(2, 300)
        told: dict[str, Any] = {}
        while not {"taken", "joined"} <= told.keys():
            event = (await cy.receive("event"))["e"]
            told[event["e"]] = event
        assert (told["joined"]["seat"], told["joined"]["circle"]) == (2, [0, 1, 2])
        assert (told["taken"]["seat"], told["taken"]["count"], told["taken"]["reason"]) == (2, 2, "slap:double")


@on_manual_clock
async def test_who_comes_late_waits_for_the_next_game_where_the_house_does_not(
    clock: ManualClock, tmp_path: Path
) -> None:
    async with full_server(clock, MemoryLog(), tmp_path, lay_double) as client:
        room = await gather(client, house="1;wiki")
        ana, _ = await room.enter()
        await room.enter(await room.sit("Bo"))
        await ana.send("start")
        cy, welcome = await room.enter(await room.sit("Cy"))
        assert (welcome["you"], welcome["view"]["cards_held"], len(welcome["seats"])) == (2, [2, 2], 3)
        for what, fields in (
            ("play", {"n": 0}),
            ("slap", {"n": 0, "p_ms": 0, "t_ms": 0, "s": 1}),
            ("act", {"action": "feint"}),
        ):
            await cy.send(what, **fields)
            assert await cy.receive("refused") == refused(what, "not_playing")


# A stop of the server


async def test_what_was_settled_before_the_first_game_survives_a_stop_of_the_server(tmp_path: Path) -> None:
    """The host, a guest and their house come back from the file; the host deals, and the guest's cookie is good."""
    codec, jar = Codec[Entry](Entry), cookies()
    log = SqliteLog(tmp_path / "log.sqlite3", codec)
    async with full_server(ManualClock(1_000_000), log, tmp_path, jar=jar) as client:
        room = await gather(client)
        ana, before = await room.enter()
        bo = await room.sit("Bo")
        await ana.send("house", house="1;blog;turn_ms=5000")
        while (await ana.receive("event"))["e"]["e"] != "rules_changed":
            pass
        await ana.socket.close()
    log.close()
    log = SqliteLog(tmp_path / "log.sqlite3", codec)
    async with full_server(ManualClock(9_000_000), log, tmp_path, jar=jar) as client:
        room.client = client
        ana, after = await room.enter()
        assert (after["game"], after["version"], after["view"]) == (before["game"], 5, None)
        assert (after["house"], after["you"]) == ("1;blog;turn_ms=5000", 0)
        assert [seat["name"] for seat in after["seats"]] == ["Ana", "Bo"]
        assert (await room.enter(bo))[1]["you"] == 1
        assert (await room.sit("Cy"))["seat"] == 2
        await ana.send("start")
        dealt = await ana.receive("welcome")
        assert (dealt["game"][-2:], sum(dealt["view"]["cards_held"])) == ("-1", 52)
        assert dealt["view"]["rules"]["turn_ms"] == 5000
    log.close()


@pytest.mark.parametrize("game", [0, 1])
@on_manual_clock
async def test_who_knows_it_all_has_lost_nothing_by_a_stop(clock: ManualClock, game: int, tmp_path: Path) -> None:
    """A page that has the last entry of the log learns that nothing is lost."""
    log, jar = MemoryLog[Entry](), cookies()
    async with full_server(clock, log, tmp_path, jar=jar) as client:
        room = await gather(client, bots=1)
        ana, welcome = await room.enter()
        if game:
            await ana.send("start")
            welcome = await ana.receive("welcome")
        await ana.socket.close()
    async with full_server(clock, log, tmp_path, jar=jar) as client:
        page = Page(await client.ws_connect(socket_of(room.code)))
        known = {"game": welcome["game"], "version": welcome["version"]}
        await page.send("hello", player_ids=[room.host["player_id"]], **known)
        back = await page.receive()
        assert (back["t"], back["version"]) == ("reconnected", welcome["version"])
