"""Repeated requests over WebSockets: each runs once, and gets a reply each time."""

from __future__ import annotations

import json
from typing import Any

from ratscrew.table.registry.room_registry import RoomRequest
from ratscrew.testing.clock import ManualClock, on_manual_clock
from tests.table.people import here, names
from tests.web.pages import Page, ServedRoom, serve

ONE, OTHER = "one page of many", "another of many."
WAITING = RoomRequest("Ana", 0, wait=True)


async def come(served: ServedRoom, page: str | None = ONE) -> Page:
    """Ana's page by this name, which has been shown the room."""
    here = await served.enter(page=page)
    await here.receive("welcome")
    return here


async def done(page: Page) -> Any:
    """The number that is answered next."""
    return (await page.receive("done"))["s"]


@on_manual_clock
async def test_a_wish_that_comes_twice_is_done_once_and_answered_twice(clock: ManualClock) -> None:
    async with serve(clock, asked=WAITING) as served:
        ana = await come(served)
        for s in (1, 1, 2, 1):
            await ana.send("bot", s=s)
        assert [await done(ana) for _ in range(4)] == [1, 1, 2, 1]
        assert len(names(served.room)) == 3


@on_manual_clock
async def test_a_wish_that_comes_again_by_another_connection_is_done_once(clock: ManualClock) -> None:
    async with serve(clock, asked=WAITING) as served:
        await (await come(served)).send("bot", s=1)
        again = await come(served)
        await again.send("bot", s=1)
        await again.send("list", s=2, on=True)
        assert [await done(again), await done(again)] == [1, 2]
        assert (len(names(served.room)), served.room.table.state.listed) == (2, True)


@on_manual_clock
async def test_a_bot_that_the_log_has_does_not_come_twice_when_the_server_has_forgotten_it(clock: ManualClock) -> None:
    """It crashed between keeping the bot and answering: what it still has is the log."""
    async with serve(clock, asked=WAITING) as served:
        ana = await come(served)
        await ana.send("bot", s=1)
        assert ONE not in json.dumps(await ana.receive("event"))
        served.registry._rooms.clear()
        again = await come(served)
        await again.send("bot", s=1)
        assert await done(again) == 1
        room = here(await served.registry.find(served.code))
        assert room
        assert (room is not served.room, len(names(room))) == (True, 2)
        await again.send("bot", s=2)
        assert await done(again) == 2
        assert len(names(room)) == 3


@on_manual_clock
async def test_another_page_of_the_same_seat_counts_for_itself(clock: ManualClock) -> None:
    async with serve(clock, asked=WAITING) as served:
        for name in (ONE, OTHER):
            ana = await come(served, name)
            await ana.send("bot", s=1)
            assert await done(ana) == 1
        assert len(names(served.room)) == 3


@on_manual_clock
async def test_who_has_no_name_or_no_number_wishes_each_time_anew(clock: ManualClock) -> None:
    async with serve(clock, asked=WAITING) as served:
        for page, s in ((None, 1), (ONE, None)):
            ana = await come(served, page)
            for _ in range(2):
                await ana.send("bot", s=s)
                assert (await ana.receive("event", "done"))["e"]["e"] == "sat"
        assert len(names(served.room)) == 5


@on_manual_clock
async def test_a_refusal_is_an_answer(clock: ManualClock) -> None:
    async with serve(clock) as served:
        ana = await come(served)
        await ana.send("house", s=1, house="1;nonsense")
        assert (await ana.receive("refused", "done"))["reason"] == "no_house"
        assert await done(ana) == 1
        await ana.send("again", s=2)
        assert (await ana.receive("refused", "done"))["reason"] == "not_over"
        assert await done(ana) == 2


@on_manual_clock
async def test_a_hundred_pages_that_watch_do_not_have_a_request_of_somebody_else_done_twice(clock: ManualClock) -> None:
    async with serve(clock, asked=WAITING) as served:
        ana = await come(served)
        for s, on in ((1, True), (2, False)):
            await ana.send("list", s=s, on=on)
            assert await done(ana) == s
        cookie = dict(served.headers)
        served.use_cookies()
        for number in range(100):
            eve = await come(served, f"a watcher's page {number}")
            await eve.send("list", s=1, on=True)
            assert await done(eve) == 1
            await eve.socket.close()
        served.headers.update(cookie)
        await ana.send("list", s=1, on=True)
        assert await done(ana) == 1
        assert not served.room.table.state.listed


@on_manual_clock
async def test_a_bot_does_not_come_twice_for_a_page_that_has_been_forgotten(clock: ManualClock) -> None:
    async with serve(clock, asked=WAITING) as served:
        ana = await come(served)
        await ana.send("bot", s=1)
        assert await done(ana) == 1
        for number in range(20):
            other = await come(served, f"one of many pages {number}")
            await other.send("react", s=1, reaction="wow")
            assert await done(other) == 1
        again = await come(served)
        await again.send("bot", s=1)
        assert await done(again) == 1
        assert len(names(served.room)) == 2


@on_manual_clock
async def test_a_request_that_went_unheard_is_done_though_a_later_one_came_before(clock: ManualClock) -> None:
    async with serve(clock, asked=WAITING) as served:
        ana = await come(served)
        for s in (2, 1, 1, 2):
            await ana.send("bot", s=s)
        assert [await done(ana) for _ in range(4)] == [2, 1, 1, 2]
        assert len(names(served.room)) == 3
