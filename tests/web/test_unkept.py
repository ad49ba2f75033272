"""The log fails during a game, or has lost one: only the clients concerned are informed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ratscrew.errors import Corrupt, LogError
from ratscrew.log.memory import MemoryLog
from ratscrew.table.history.game_names import GameNames
from ratscrew.table.record.entries import Entry
from ratscrew.table.registry.lessons import LESSONS
from ratscrew.testing.clock import ManualClock, on_manual_clock
from tests.web.http_requests import ASKED, Client, ask, get, socket_of
from tests.web.pages import Page, cookies, full_server, open_room


class Ailing(MemoryLog[Entry]):
    """A log whose disk is full from time to time, and that may have lost a game."""

    full = False
    lost = ""

    def append(self, game: str, after: int, events: Sequence[Entry]) -> int:
        """See `EventLog`."""
        if self.full:
            raise LogError("games.sqlite3: 1 writes could not be stored: database or disk is full")
        return super().append(game, after, events)

    def read(self, game: str, after: int = 0) -> list[Entry]:
        """See `EventLog`."""
        if self.lost and game.startswith(self.lost):
            raise Corrupt(f"games.sqlite3: game {game}, entry 2 cannot be read")
        return super().read(game, after)


async def enter(client: Client, room: str, *who: int) -> Page:
    """A page that comes to a room."""
    page = Page(await client.ws_connect(socket_of(room), autoping=False))
    await page.send("hello", player_ids=who)
    return page


@on_manual_clock
async def test_a_game_that_cannot_be_kept_waits_and_is_found_as_it_was_told_last(
    clock: ManualClock, tmp_path: Path
) -> None:
    """Of the card that could not be kept nobody hears; later the same seat is there, with the same cards."""
    log = Ailing()
    async with full_server(clock, log, tmp_path) as client:
        joined = await open_room(client, bots=1)
        room, who = joined["room"], joined["player_id"]
        page = await enter(client, room, who)
        before = await page.receive("welcome")
        log.full = True
        assert (await page.receive("event", "bye")) == {"t": "bye", "reason": "unkept", "wait_s": 0}
        again = await enter(client, room, who)
        now = await again.receive("welcome")  # as far as it goes it can be looked at
        assert await again.receive("event", "bye") == {"t": "bye", "reason": "unkept", "wait_s": 0}
        log.full = False
        again = await enter(client, room, who)
        after = await again.receive("welcome")
        for name in ("game", "version", "you", "view", "seats"):
            assert before[name] == now[name] == after[name]
        assert (await again.receive("event"))["v"] == before["version"] + 1


@on_manual_clock
async def test_while_nothing_can_be_kept_no_room_is_opened_and_nobody_sits_down(
    clock: ManualClock, tmp_path: Path
) -> None:
    log = Ailing()
    async with full_server(clock, log, tmp_path) as client:
        room = (await open_room(client, bots=1))["room"]
        log.full = True
        told = "the game cannot be saved at the moment; nothing that you saw is lost: try again"
        for path, body in (
            ("/api/rooms", ASKED),
            ("/api/quick", {"name": "Ana"}),
            ("/api/lessons", {"name": "Ana", "lesson": next(iter(LESSONS))}),
            (f"/api/rooms/{room}/seats", {"name": "Bo"}),
        ):
            assert await ask(client, body, path) == (503, {"code": "unkept", "problems": [told]})
        log.full = False
        status, joined = await ask(client, {"name": "Bo"}, f"/api/rooms/{room}/seats")
        assert (status, joined["seat"]) == (201, 2)


@on_manual_clock
async def test_a_damaged_game_is_told_as_such_and_is_nobody_elses_matter(clock: ManualClock, tmp_path: Path) -> None:
    """As after a stop of the server: what is in the log is read anew."""
    log, jar = Ailing(), cookies()
    async with full_server(clock, log, tmp_path, jar=jar) as client:
        lost, other = (await open_room(client))["room"], await open_room(client)
    log.lost = lost
    async with full_server(clock, log, tmp_path, jar=jar) as client:
        page = await enter(client, lost)
        assert await page.expect_close(after="damaged")
        problem = {"code": "damaged", "problems": ["the record of this game is damaged and cannot be read"]}
        assert await ask(client, {"name": "Bo"}, f"/api/rooms/{lost}/seats") == (500, problem)
        (game,) = log.games(lost)
        public = GameNames.read(log).public(game)
        assert await get(client, f"/api/games/{public}") == (500, problem)
        page = await enter(client, other["room"], other["player_id"])
        assert (await page.receive("welcome"))["you"] == 0
        assert (await page.receive("event"))["v"] > 0
