"""A rated game over real sockets: ratings change in the running server, and the logs alone give the same numbers."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any

import pytest
from aiohttp import ClientSession, CookieJar, TCPConnector
from aiohttp.test_utils import TestClient, TestServer
from openskill.models import PlackettLuce

from ratscrew.cli.people.ratings import rebuild
from ratscrew.game.codec import Codec
from ratscrew.log.memory import MemoryLog
from ratscrew.log.protocol import EventLog
from ratscrew.log.sqlite import SqliteLog
from ratscrew.rules.link import from_link, to_link
from ratscrew.table.record.entries import Entry, Measured
from ratscrew.testing.clock import ManualClock, on_manual_clock
from ratscrew.web.access.community import CommunityOptions
from ratscrew.web.app import make_app
from ratscrew.web.http.static_files import StaticFiles
from ratscrew.web.rendering.worker import execute_here
from tests.web.http_requests import Client, ask, get, socket_of
from tests.web.pages import Page

HOUSE = to_link(from_link("1;classic;turn_ms=1000;endgame=sole_holder"))
"""Rules of which the operator says that they are rated; nobody needs to turn a card themselves."""


@asynccontextmanager
async def two_people(clock: ManualClock, log: EventLog[Entry], folder: Path) -> AsyncIterator[list[Client]]:
    """Two browsers with accounts, in networks of their own, whose round trips the kernel measures."""
    app = make_app(log, clock, StaticFiles(folder), execute=execute_here, community=CommunityOptions((HOUSE,)))
    server = TestServer(app)
    async with server:
        networks = [TCPConnector(local_addr=(f"127.1.{number}.1", 0)) for number in (1, 2)]
        browsers: list[Client] = [
            TestClient(server, cookie_jar=CookieJar(unsafe=True), connector=network) for network in networks
        ]
        for browser, name in zip(browsers, ("Ana", "Bo"), strict=True):
            assert (await ask(browser, {"name": name}, "/api/account"))[0] == 201
        try:
            yield browsers
        finally:
            for browser in browsers:
                await browser.session.close()


async def play(ana: Client, bo: Client) -> int:
    """A whole game: Ana slaps once for nothing, then both only say that they are still here.

    Returns: the seat of the winner.
    """
    _, joined = await ask(ana, {"name": "Ana", "bots": 0, "wait": True, "house": HOUSE})
    _, other = await ask(bo, {"name": "Bo"}, f"/api/rooms/{joined['room']}/seats")
    pages = []
    for browser, seat in ((ana, joined), (bo, other)):
        page = Page(await browser.ws_connect(socket_of(joined["room"]), autoping=False))
        await page.send("hello", player_ids=[seat["player_id"]])
        await page.receive("welcome")
        pages.append(page)
    await pages[0].send("start")

    async def watch(page: Page, slaps: bool) -> int:
        while True:
            said = await page.receive("event", "idle_warning")
            if said["t"] == "idle_warning":
                await page.send("come_back")
                continue
            event: dict[str, Any] = said["e"]
            if event["e"] == "played" and slaps and not page.slaps:
                await page.slap(1, after_ms=300)
            if event["e"] == "won":
                return int(event["seat"])

    winners = await asyncio.gather(watch(pages[0], True), watch(pages[1], False))
    for page in pages:
        await page.socket.close()
    assert len(set(winners)) == 1
    return winners[0]


async def rated(browser: Client) -> dict[str, Any]:
    """A browser's only rating, as soon as it has one."""
    async with asyncio.timeout(60):
        while not (found := (await get(browser, "/api/account"))[1]["account"]["ratings"]):
            await asyncio.sleep(1)
    (row,) = found
    return dict(row)


def test_a_game_over_sockets_changes_both_ratings_as_the_logs_do(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One game between new players by openskill alone; then the command computes it from the file."""
    file, places = tmp_path / "games.sqlite3", list[int]()

    @on_manual_clock
    async def story(clock: ManualClock) -> None:
        with closing(SqliteLog(file, Codec[Entry](Entry))) as log:
            async with two_people(clock, log, tmp_path) as people:
                winner = await play(*people)
                places.extend([0, 1] if winner == 0 else [1, 0])
                rows = [await rated(each) for each in people]
                entries = log.read(log.games()[-1])
        assert [entry for entry in entries if isinstance(entry.event, Measured)], "the slap is in the log"
        assert [(row["rules"], row["games"], row["provisional"]) for row in rows] == [(HOUSE, 1, True)] * 2
        for row, (rating,) in zip(rows, independently(places), strict=True):
            assert row["points"] == max(0, round(1000 + 40 * (rating.mu - 3 * rating.sigma)))

    story()
    rebuild(file, (HOUSE,))
    printed = capsys.readouterr().out
    assert "games: 1, of which not rated: 0" in printed
    for name, (rating,) in zip(("Ana", "Bo"), independently(places), strict=True):
        (line,) = [line for line in printed.splitlines() if f" {name}#" in line]
        assert f"mu {rating.mu!r} sigma {rating.sigma!r} games 1" in line


async def leads_nowhere_for_strangers(people: list[Client], log: MemoryLog[Entry]) -> None:
    """The profiles of two players of a room that is not listed tell a stranger neither its code nor its game."""
    await rated(people[0])
    code = log.games()[0].partition("-")[0]
    ids = [(await get(each, "/api/account"))[1]["account"]["id"] for each in people]
    async with ClientSession() as session:
        answer = await session.get(people[0].make_url(f"/api/players/{ids[0]}"))
        told = await answer.json()
    assert [each["game"] for each in told["figures"]["recent"]] == [None]
    for browser in people:
        _, profile = await get(browser, f"/api/players/{ids[0]}")
        (recent,) = profile["figures"]["recent"]
        status, game = await get(browser, f"/api/games/{recent['game']}")
        assert (status, game["game"]) == (200, recent["game"])
        for shown in (json.dumps(told), json.dumps(profile), json.dumps(game)):
            assert code not in shown
        assert not [account for account in ids if account in json.dumps(game)]


def independently(places: list[int]) -> list[list[Any]]:
    """The ratings of new players after one game, by openskill alone."""
    model = PlackettLuce(limit_sigma=True)
    return model.rate([[model.rating()] for _ in places], ranks=[float(place) for place in places])


@on_manual_clock
async def test_a_profile_and_the_leaderboard_show_a_game_that_has_just_ended(
    clock: ManualClock, tmp_path: Path
) -> None:
    async with two_people(clock, log := MemoryLog[Entry](), tmp_path) as people:
        winner = await play(*people)
        await leads_nowhere_for_strangers(people, log)
        rows = [await rated(each) for each in people]
        ids = [(await get(each, "/api/account"))[1]["account"]["id"] for each in people]
        _, board = await get(people[0], "/api/leaderboard", rules=HOUSE)
        assert [each["id"] for each in board["players"]] == [ids[winner], ids[1 - winner]]
        assert [each["points"] for each in board["players"]] == [rows[winner]["points"], rows[1 - winner]["points"]]
        assert (board["season"], board["seasons"], board["rules"]) == ("1970-1", ["1970-1"], HOUSE)
        assert board["rated"] == ["1;classic", "1;tournament", HOUSE]
        _, profile = await get(people[1], f"/api/players/{ids[0]}")
        figures = profile["figures"]
        assert (figures["games"], figures["wins"], figures["accuracy_percent"]) == (1, 1 - winner, 0)
        assert [each["account"] for each in figures["rivals"]] == [ids[1]]
        assert profile["names"][ids[1]].startswith("Bo#")
        assert [each["points"] for each in profile["history"][0]["games"]] == [rows[0]["points"]]
        assert figures["recent"][0]["rated"]
        await people[1].delete("/api/account")
        _, board = await get(people[0], "/api/leaderboard", rules=HOUSE)
        assert [each["id"] for each in board["players"]] == [ids[0]]
        _, profile = await get(people[0], f"/api/players/{ids[0]}")
        assert profile["names"] == {}
        assert (await get(people[0], f"/api/players/{ids[1]}"))[0] == 404


@on_manual_clock
async def test_unknown_players_rules_and_seasons_are_not_found(clock: ManualClock, tmp_path: Path) -> None:
    async with two_people(clock, MemoryLog(), tmp_path) as (ana, _):
        for path in ("players/0123456789abcdef", "players/x", "leaderboard?rules=1;chaos", "leaderboard?season=2001-1"):
            status, problem = await get(ana, f"/api/{path}")
            assert (status, len(problem["problems"])) == (404, 1)
