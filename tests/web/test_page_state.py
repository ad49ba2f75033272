"""The state that a page makes the server keep is bounded, for any messages and by both sockets."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import fields

import pytest

from ratscrew.errors import RefusalReason
from ratscrew.judge.page_state import PageState
from ratscrew.protocol.ping_bursts import BURST, BURST_EVERY_S
from ratscrew.protocol.player_connection import PlayerConnection
from ratscrew.table.registry.room_registry import RoomRequest
from ratscrew.testing.clock import ManualClock, on_manual_clock
from tests.web.pages import Page, ServedRoom, serve

MESSAGES = 100
"""Fewer than a new connection may send at once, so that each of them is handled."""

TWO_PEOPLE = RoomRequest("Ana", 0, wait=True)


def stored(page_state: PageState) -> int:
    """How many things the growing containers of a page's state have; ping samples aside, which the server asks for."""
    values = [getattr(page_state, field.name) for field in fields(page_state) if field.name != "pings_us"]
    return sum(len(value) for value in values if isinstance(value, dict | list | set))


def page_states(served: ServedRoom) -> list[PageState]:
    """The state of every page in the room."""
    return [each.page_state for each in served.room._subscribers if isinstance(each, PlayerConnection)]


async def slap_for_others(page: Page) -> None:
    """Slap for many seats that nobody holds."""
    for number in range(MESSAGES):
        await page.send("slap", n=1, p_ms=0, t_ms=0, s=number + 1, seat=10**12 + number)


@pytest.mark.parametrize("held", [True, False], ids=["a page with a seat", "a page that watches"])
@on_manual_clock
async def test_a_slap_for_a_seat_that_the_page_does_not_hold_is_refused_and_leaves_nothing(
    clock: ManualClock, held: bool
) -> None:
    async with serve(clock, asked=TWO_PEOPLE) as served:
        if not held:
            served.use_cookies()
        page = await served.enter()
        await page.receive("welcome")
        await slap_for_others(page)
        for _ in range(MESSAGES):
            refused = await page.receive("refused")
            assert (refused["request"], refused["reason"]) == ("slap", "not_playing")
        assert [stored(page_state) for page_state in page_states(served)] == ([0] if held else [])


@on_manual_clock
async def test_slaps_of_a_page_that_watches_without_a_seat_number_leave_nothing(clock: ManualClock) -> None:
    async with serve(clock, asked=TWO_PEOPLE) as served:
        served.use_cookies()
        page = await served.enter()
        await page.receive("welcome")
        for number in range(MESSAGES):
            await page.send("slap", n=1, p_ms=0, t_ms=0, s=number + 1)
        for _ in range(MESSAGES):
            assert (await page.receive("refused"))["reason"] == "not_playing"
        assert page_states(served) == []  # a page that only watches has no state for the judge


@on_manual_clock
async def test_the_second_socket_leaves_nothing_for_seats_that_its_page_does_not_hold(clock: ManualClock) -> None:
    async with serve(clock, asked=TWO_PEOPLE) as served:
        page = await served.enter()
        await page.receive("welcome")
        second = await served.enter(only="slaps")
        await slap_for_others(second)
        for _ in range(MESSAGES):
            assert (await page.receive("refused"))["reason"] == "not_playing"
        assert [stored(page_state) for page_state in page_states(served)] == [0]


@on_manual_clock
async def test_one_number_is_kept_for_each_seat_and_way(clock: ManualClock) -> None:
    async with serve(clock, asked=TWO_PEOPLE) as served:
        page = await served.enter()
        await page.receive("welcome")
        for number in range(MESSAGES):
            await page.send("slap", n=1, p_ms=0, t_ms=0, s=number + 1)
        for _ in range(MESSAGES):
            assert (await page.receive("refused"))["reason"] == "no_game"
        assert [len(page_state._serials) for page_state in page_states(served)] == [1]


@on_manual_clock
async def test_reports_of_cards_that_were_never_shown_leave_only_a_count_for_each_reason(clock: ManualClock) -> None:
    async with serve(clock, asked=TWO_PEOPLE) as served:
        page = await served.enter()
        await page.receive("welcome")
        page.painted = {10**9: 0.0}  # reported with each answer to a ping
        with suppress(TimeoutError):
            async with asyncio.timeout(BURST * BURST_EVERY_S):
                await page.receive("bye")
        (page_state,) = page_states(served)
        assert page_state.refused == {RefusalReason.NOT_SHOWN: page.pings}
        assert page.pings >= BURST - 1
        assert stored(page_state) == 1
