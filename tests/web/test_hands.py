"""What a page sends about a hand besides its time arrives at the table: fingers, a seat, whose card, which half."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from ratscrew.cards import cards
from ratscrew.game.events import Dealt
from ratscrew.game.standing import Standing
from ratscrew.log.memory import MemoryLog
from ratscrew.rules.house import Rules
from ratscrew.table.record.clock import Clock
from ratscrew.testing.clock import ManualClock, on_manual_clock
from tests.web.pages import Page, full_server, page_ms
from tests.web.test_waiting_room import Gathering, gather


@asynccontextmanager
async def playing(clock: Clock, folder: Path, house: str, *hands: str) -> AsyncIterator[tuple[Gathering, Page, Page]]:
    """Ana and Bo have been dealt these hands, Ana leads, and each has turned a card; both are near."""

    def lay(rules: Rules, seats: int) -> Dealt:
        return Dealt(rules, tuple(map(cards, hands)), Standing("play", 0))

    async with full_server(clock, MemoryLog(), folder, lay) as client:
        room = await gather(client, house=house)
        (ana, _), (bo, _) = await room.enter(), await room.enter(await room.sit("Bo"))
        await asyncio.sleep(0.1)  # until they are pinged
        for page in (ana, bo):
            await near(page)
        await ana.send("start")
        for page, n in ((ana, 0), (bo, 1)):
            await page.send("play", n=n)
            await happens(bo, "played")
        yield room, ana, bo


async def near(page: Page) -> None:
    """Answer the pings that have come before the clock goes on."""
    await page.send("play", n=99)
    assert (await page.receive("refused"))["request"] == "play"


async def happens(page: Page, kind: str) -> dict[str, Any]:
    """The next event of a kind."""
    while (event := (await page.receive("event"))["e"])["e"] != kind:
        pass
    return dict(event)


@pytest.mark.parametrize(("anas", "bos", "winner"), [(1, 5, 1), (5, 1, 0), (3, 4, 1), (2, 2, 0)])
@on_manual_clock
async def test_of_hands_together_the_one_with_most_fingers_wins_and_of_equal_ones_the_first(
    clock: ManualClock, anas: int, bos: int, winner: int, tmp_path: Path
) -> None:
    """Bo's hand comes down 100 ms after Ana's, in a house where that is together."""
    house = "1;classic;tie=contact;tie_window_ms=500"
    async with playing(clock, tmp_path, house, "9S 2C", "9H 3H") as (_, ana, bo):
        await happens(ana, "played"), await happens(ana, "played")
        await ana.slap(2, after_ms=300, contact=anas)
        await bo.slap(2, after_ms=400, contact=bos)
        slapped, taken = await happens(bo, "slapped"), await happens(bo, "taken")
        assert (slapped["seats"], taken["seat"]) == ([0, 1], winner)


@pytest.mark.parametrize(("after", "circle"), [(0, [0, 2, 1]), (1, [0, 1, 2])])
@on_manual_clock
async def test_who_slaps_himself_in_sits_behind_whom_he_likes(
    clock: ManualClock, after: int, circle: list[int], tmp_path: Path
) -> None:
    async with playing(clock, tmp_path, "1;classic;join_seat=choose", "9S 2C", "9H 3H") as (room, _, bo):
        cy, _ = await room.enter(await room.sit("Cy"))
        await asyncio.sleep(0.3)
        await cy.send("slap", n=2, p_ms=page_ms(), t_ms=page_ms(), s=1, after=after)  # Cy did not see it on time
        joined = await happens(bo, "joined")
        assert (joined["seat"], joined["circle"]) == (2, circle)


@on_manual_clock
async def test_a_card_aside_is_laid_for_the_owner_who_is_named(clock: ManualClock, tmp_path: Path) -> None:
    """Bo has shown their three early; once Ana has turned her two she lays it for Bo, long before the clock would."""
    house = "1;classic;out_of_turn=aside;turn_ms=600000"
    async with playing(clock, tmp_path, house, "9S 2C 5D", "TH 3H 4H") as (_, ana, bo):
        await bo.send("act", action="reveal")
        assert (await happens(bo, "exposed"))["card"] == "3H"
        await ana.send("play", n=2)
        assert (await happens(bo, "played"))["card"] == "2C"
        await asyncio.sleep(0.6)
        await ana.send("act", action="place", target=1)
        laid = await happens(bo, "played")
        assert (laid["seat"], laid["card"], laid["aside"]) == (1, "3H", True)


@pytest.mark.parametrize(("half", "count"), [("top", 2), ("bottom", 3)])
@on_manual_clock
async def test_the_cheated_player_has_the_half_that_he_names(
    clock: ManualClock, half: str, count: int, tmp_path: Path
) -> None:
    """Ana picks up two cards that are not hers and has five: cut in the middle, the odd one is below."""
    house = "1;classic;collect=manual;cheat=split;turn_ms=600000"
    async with playing(clock, tmp_path, house, "9S 2C 5D 6D", "TH 3H 4H 7D") as (_, ana, bo):
        await ana.send("act", action="collect")
        await happens(bo, "stowed")
        await bo.send("act", action="notice")
        await happens(bo, "split")
        await bo.send("act", action="choose", half=half)
        got = await happens(bo, "half_taken")
        assert (got["seat"], got["cheater"], got["half"], got["count"]) == (1, 0, half, count)
