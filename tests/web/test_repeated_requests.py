"""Wishes over sockets that come twice: each is done once, and answered each time."""

from __future__ import annotations

import json
from typing import Any

from ratscrew.table.rooms.room_registry import RoomRequest
from ratscrew.testing.clock import ManualClock, on_manual_clock
from tests.table.people import names
from tests.web.talking import Page, Place, serve

ONE, OTHER = "one page of many", "another of many."
WAITING = RoomRequest("Ana", 0, wait=True)


async def come(place: Place, page: str | None = ONE) -> Page:
    """Ana's page by this name, which has been shown the room."""
    here = await place.enter(page=page)
    await here.hear("welcome")
    return here


async def done(page: Page) -> Any:
    """The number that is answered next."""
    return (await page.hear("done"))["s"]


@on_manual_clock
async def test_a_wish_that_comes_twice_is_done_once_and_answered_twice(clock: ManualClock) -> None:
    async with serve(clock, asked=WAITING) as place:
        ana = await come(place)
        for s in (1, 1, 2, 1):
            await ana.say("bot", s=s)
        assert [await done(ana) for _ in range(4)] == [1, 1, 2, 1]
        assert len(names(place.room)) == 3


@on_manual_clock
async def test_a_wish_that_comes_again_by_another_connection_is_done_once(clock: ManualClock) -> None:
    async with serve(clock, asked=WAITING) as place:
        await (await come(place)).say("bot", s=1)
        again = await come(place)
        await again.say("bot", s=1)
        await again.say("list", s=2, on=True)
        assert [await done(again), await done(again)] == [1, 2]
        assert (len(names(place.room)), place.room.table.listed) == (2, True)


@on_manual_clock
async def test_a_bot_that_the_log_has_does_not_come_twice_when_the_server_has_forgotten_it(clock: ManualClock) -> None:
    """It crashed between keeping the bot and answering: what it still has is the log."""
    async with serve(clock, asked=WAITING) as place:
        ana = await come(place)
        await ana.say("bot", s=1)
        assert ONE not in json.dumps(await ana.hear("told"))
        place.registry._rooms.clear()
        again = await come(place)
        await again.say("bot", s=1)
        assert await done(again) == 1
        room = await place.registry.find(place.code)
        assert room
        assert (room is not place.room, len(names(room))) == (True, 2)
        await again.say("bot", s=2)
        assert await done(again) == 2
        assert len(names(room)) == 3


@on_manual_clock
async def test_another_page_of_the_same_seat_counts_for_itself(clock: ManualClock) -> None:
    async with serve(clock, asked=WAITING) as place:
        for name in (ONE, OTHER):
            ana = await come(place, name)
            await ana.say("bot", s=1)
            assert await done(ana) == 1
        assert len(names(place.room)) == 3


@on_manual_clock
async def test_who_has_no_name_or_no_number_wishes_each_time_anew(clock: ManualClock) -> None:
    async with serve(clock, asked=WAITING) as place:
        for page, s in ((None, 1), (ONE, None)):
            ana = await come(place, page)
            for _ in range(2):
                await ana.say("bot", s=s)
                assert (await ana.hear("told", "done"))["e"]["e"] == "sat"
        assert len(names(place.room)) == 5


@on_manual_clock
async def test_a_refusal_is_an_answer(clock: ManualClock) -> None:
    async with serve(clock) as place:
        ana = await come(place)
        await ana.say("house", s=1, house="1;nonsense")
        assert (await ana.hear("refused", "done"))["why"] == "no_house"
        assert await done(ana) == 1
        await ana.say("again", s=2)
        assert (await ana.hear("refused", "done"))["why"] == "not_over"
        assert await done(ana) == 2


@on_manual_clock
async def test_a_hundred_pages_that_watch_do_not_have_a_request_of_somebody_else_done_twice(clock: ManualClock) -> None:
    async with serve(clock, asked=WAITING) as place:
        ana = await come(place)
        for s, on in ((1, True), (2, False)):
            await ana.say("list", s=s, on=on)
            assert await done(ana) == s
        cookie = dict(place.headers)
        place.bring()
        for number in range(100):
            eve = await come(place, f"a watcher's page {number}")
            await eve.say("list", s=1, on=True)
            assert await done(eve) == 1
            await eve.socket.close()
        place.headers.update(cookie)
        await ana.say("list", s=1, on=True)
        assert await done(ana) == 1
        assert not place.room.table.listed


@on_manual_clock
async def test_a_bot_does_not_come_twice_for_a_page_that_has_been_forgotten(clock: ManualClock) -> None:
    async with serve(clock, asked=WAITING) as place:
        ana = await come(place)
        await ana.say("bot", s=1)
        assert await done(ana) == 1
        for number in range(20):
            other = await come(place, f"one of many pages {number}")
            await other.say("react", s=1, what="wow")
            assert await done(other) == 1
        again = await come(place)
        await again.say("bot", s=1)
        assert await done(again) == 1
        assert len(names(place.room)) == 2


@on_manual_clock
async def test_a_request_that_went_unheard_is_done_though_a_later_one_came_before(clock: ManualClock) -> None:
    async with serve(clock, asked=WAITING) as place:
        ana = await come(place)
        for s in (2, 1, 1, 2):
            await ana.say("bot", s=s)
        assert [await done(ana) for _ in range(4)] == [2, 1, 1, 2]
        assert len(names(place.room)) == 3
