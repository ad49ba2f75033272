"""The judge over real WebSockets: near and far pages, honest and dishonest ones, and the second socket for slaps."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from ratscrew.cards import cards
from ratscrew.game.events import Dealt
from ratscrew.game.standing import Standing
from ratscrew.log.memory import MemoryLog
from ratscrew.protocol.rtt_probe import RttProbe
from ratscrew.rules.house import Rules
from ratscrew.table.record.clock import Clock
from ratscrew.testing.clock import ManualClock, on_manual_clock
from ratscrew.web.http.proxy_policy import ProxyPolicy
from tests.web.http_requests import socket_of
from tests.web.pages import Page, full_server, page_ms
from tests.web.streams import StreamSocket
from tests.web.test_hands import happens
from tests.web.test_waiting_room import Gathering, gather

KNOWN_S = 2.0
"""After so long the first burst of pings has been answered, even late."""


@asynccontextmanager
async def double(
    clock: Clock,
    folder: Path,
    bo_after_s: float = 0,
    signs: bool = True,
    proxy_policy: ProxyPolicy | None = None,
    bo_by_stream: bool = False,
) -> AsyncIterator[tuple[Gathering, Page, Page]]:
    """Ana's nine and Bo's nine on it, which both have been shown; Bo's page answers pings so late."""

    def lay(rules: Rules, seats: int) -> Dealt:
        return Dealt(rules, (cards("9S 2C"), cards("9H 3H")), Standing("play", 0))

    async with full_server(clock, MemoryLog(), folder, lay, proxy_policy) as client:
        room = await gather(client)
        ana, _ = await room.enter()
        joined = await room.sit("Bo")
        bo, _ = await room.enter(joined, bo_after_s, signs, bo_by_stream)
        ana.player_id, bo.player_id = room.host["player_id"], joined["player_id"]
        await asyncio.gather(lives(ana), lives(bo))
        await ana.send("start")
        await ana.send("play", n=0)
        await asyncio.gather(happens(ana, "played"), happens(bo, "played"))
        await bo.send("play", n=1)
        await asyncio.gather(happens(ana, "played"), happens(bo, "played"))
        yield room, ana, bo


async def lives(page: Page) -> None:
    """A page answers what it is asked for a while."""
    try:
        async with asyncio.timeout(KNOWN_S):
            await page.receive("bye")
    except TimeoutError:
        return


async def verdict(*pages: Page) -> dict[str, Any]:
    """The verdict, which every page receives."""
    heard = await asyncio.gather(*(happens(page, "judged") for page in pages))
    assert all(each == heard[0] for each in heard)
    return heard[0]


@on_manual_clock
async def test_everybody_is_shown_a_card_at_one_moment_of_his_own_clock(clock: ManualClock, tmp_path: Path) -> None:
    """Both pages of this test have the same clock."""
    async with double(clock, tmp_path) as (_, ana, bo):
        assert ana.painted.keys() == bo.painted.keys() == {1, 2}
        assert all(abs(ana.painted[n] - bo.painted[n]) < 2 for n in (1, 2))


@pytest.mark.parametrize("may_lose", [True, False])
@on_manual_clock
async def test_on_a_line_that_loses_packets_an_empty_frame_follows_each_card(
    clock: ManualClock, tmp_path: Path, may_lose: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(RttProbe, "may_lose_packets", may_lose)
    async with double(clock, tmp_path) as (_, ana, bo):
        await asyncio.gather(lives(ana), lives(bo))
        assert ana.unasked_pongs == bo.unasked_pongs == (2 if may_lose else 0)


@on_manual_clock
async def test_the_verdict_tells_every_reaction_and_what_it_was_judged_by(clock: ManualClock, tmp_path: Path) -> None:
    async with double(clock, tmp_path) as (_, ana, bo):
        await asyncio.gather(bo.slap(2, after_ms=310), ana.slap(2, after_ms=350))
        told = await verdict(ana, bo)
        first, second = told["order"]
        assert (told["n"], told["pattern"], told["tie"], first["seat"], second["seat"]) == (2, "double", False, 1, 0)
        assert (first["us"], second["us"]) == (pytest.approx(310_000, abs=3000), pytest.approx(350_000, abs=3000))
        assert first["proof"]["pressed_us"] == pytest.approx(310_000, abs=10)
        assert (first["proof"]["free_us"], first["proof"]["purse_us"]) == (25_000, 50_000)
        assert (first["proof"]["kernel_us"], first["proof"]["rtt_us"]) == (None, 0), "measurements are their owner's"


@pytest.mark.parametrize("by_stream", [False, True])
@on_manual_clock
async def test_who_puts_off_his_answers_by_100_ms_gains_nothing(
    clock: ManualClock, tmp_path: Path, by_stream: bool
) -> None:
    """Bo needs 330 ms, claims 220, and Bo's page and browser answer every ping 100 ms late.

    The kernel knows better: he is credited 25 + 50 and half of what it may be off by, as he would be without that.
    Nothing of his that came after 240 + 75 + 2 + 1 could win, so he is not even waited for.
    """
    async with double(clock, tmp_path, bo_after_s=0.1, signs=False, bo_by_stream=by_stream) as (_, ana, bo):
        await asyncio.gather(ana.slap(2, after_ms=240), bo.slap(2, after_ms=330, less_ms=110))
        assert [hit["seat"] for hit in (await verdict(ana, bo))["order"]] == [0]
        late = await bo.receive("late")
        assert (late["seat"], 330_000 - late["us"]) == (1, pytest.approx(77_000, abs=2500))


@on_manual_clock
async def test_without_the_kernel_he_would_have_robbed_her(clock: ManualClock, tmp_path: Path) -> None:
    """The control of the last test: behind a proxy that reports nothing, the whole claim is accepted."""
    async with double(clock, tmp_path, bo_after_s=0.1, signs=False, proxy_policy=ProxyPolicy(proxied=True)) as (
        _,
        ana,
        bo,
    ):
        await asyncio.gather(ana.slap(2, after_ms=240), bo.slap(2, after_ms=330, less_ms=110))
        first, _ = (await verdict(ana, bo))["order"]
        assert (first["seat"], first["us"]) == (1, pytest.approx(220_000, abs=3000))


@on_manual_clock
async def test_where_no_kernel_measures_a_stream_nothing_is_made_up_for(clock: ManualClock, tmp_path: Path) -> None:
    """The same lie: no browser answers pings there either, so that nobody would know better. Credit is all he has."""
    policy = ProxyPolicy(proxied=True)
    async with double(clock, tmp_path, 0.1, proxy_policy=policy, bo_by_stream=True) as (_, ana, bo):
        await asyncio.gather(ana.slap(2, after_ms=240), bo.slap(2, after_ms=330, less_ms=110))
        assert [hit["seat"] for hit in (await verdict(ana, bo))["order"]] == [0]
        late = await bo.receive("late")
        assert (late["seat"], 330_000 - late["us"]) == (1, pytest.approx(75_000, abs=2500))


@pytest.mark.parametrize("near", [False, True])
@on_manual_clock
async def test_a_slap_by_a_nearer_way_than_the_cards_is_not_made_up_for(
    clock: ManualClock, tmp_path: Path, near: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bo's stream and answers take a way of 100 ms; he slaps 330 ms after the card, and claims 220.

    By the far way that is a slap after 280 ms, and with his credit 220 is believed. By a near one it is one after 330.
    All of the 100 ms are on the way up, so by his own clock he has the card 50 ms before the others.
    """

    def connection(_: ProxyPolicy, request: web.BaseRequest, __: object) -> Far | Near:
        return Far() if "X-Far" in request.headers else Near()

    monkeypatch.setattr(ProxyPolicy, "connection", connection)
    monkeypatch.setattr(StreamSocket, "usual", {"X-Far": "yes"})
    async with double(clock, tmp_path, 0.1, bo_by_stream=True) as (_, ana, bo):
        if near:
            monkeypatch.setattr(StreamSocket, "usual", {})
        await asyncio.gather(ana.slap(2, after_ms=240), bo.slap(2, after_ms=380, less_ms=160))
        assert (await verdict(ana, bo))["order"][0]["seat"] == (0 if near else 1)


class Far:
    """A connection of 100 ms."""

    rtt_us = 100_000

    def min_rtt_us(self) -> int:
        return self.rtt_us

    def has_lost_packets(self) -> bool:
        return False


class Near(Far):
    """One of 0.1 ms."""

    rtt_us = 100


@on_manual_clock
async def test_a_slap_cannot_be_sent_first_and_decided_on_later(clock: ManualClock, tmp_path: Path) -> None:
    """Bo's slap is there 200 ms after the card, in a request that comes before an earlier one: it counts when that one
    is there too, after 320 ms."""
    async with double(clock, tmp_path, bo_by_stream=True) as (_, ana, bo):
        stream: Any = bo.socket
        at_ms = bo.painted[2] + 200
        await asyncio.sleep((at_ms - page_ms()) / 1000)
        slap = json.dumps({"t": "slap", "n": 2, "p_ms": bo.painted[2], "t_ms": at_ms, "s": 1})
        await stream.post(stream.number + 2, slap)
        await asyncio.sleep(0.12)
        await stream.post(stream.number + 1, json.dumps({"t": "visibility", "visible": True}))
        stream.number += 2
        (bos,) = (await verdict(ana, bo))["order"]
        assert bos["us"] == pytest.approx(320_000 - 75_000, abs=3000)


@on_manual_clock
async def test_a_slap_counts_once_by_whichever_way_it_comes_first(clock: ManualClock, tmp_path: Path) -> None:
    async with double(clock, tmp_path) as (room, ana, bo):
        lane = await lane_of(room, ana.player_id)
        at_ms = ana.painted[2] + 300
        await asyncio.sleep((at_ms - page_ms()) / 1000)
        for page in (lane, ana):
            await page.send("slap", n=2, p_ms=ana.painted[2], t_ms=at_ms, s=1)
        (mine,) = (await verdict(ana, bo))["order"]
        assert (mine["seat"], mine["us"]) == (0, pytest.approx(300_000, abs=3000))
        assert (await ana.receive("refused", "event"))["t"] == "event"


@on_manual_clock
async def test_a_slap_that_is_sent_again_by_the_same_way_is_refused_and_counted(
    clock: ManualClock, tmp_path: Path
) -> None:
    async with double(clock, tmp_path) as (_, ana, bo):
        await ana.slap(2, after_ms=300)
        await ana.send("slap", n=2, p_ms=ana.painted[2], t_ms=ana.painted[2] + 200, s=1)
        assert await ana.receive("refused") == {"t": "refused", "request": "slap", "reason": "twice", "seat": None}
        (mine,) = (await verdict(bo))["order"]
        assert (mine["seat"], mine["us"]) == (0, pytest.approx(300_000, abs=3000))


@on_manual_clock
async def test_a_slap_that_comes_by_the_second_way_alone_counts(clock: ManualClock, tmp_path: Path) -> None:
    async with double(clock, tmp_path) as (room, ana, bo):
        lane = await lane_of(room, bo.player_id)
        at_ms = bo.painted[2] + 300
        await asyncio.sleep((at_ms - page_ms()) / 1000)
        await lane.send("slap", n=2, p_ms=bo.painted[2], t_ms=at_ms, s=1)
        assert [hit["seat"] for hit in (await verdict(ana, bo))["order"]] == [1]


@on_manual_clock
async def test_the_second_way_is_for_slaps_of_who_sits_there(clock: ManualClock, tmp_path: Path) -> None:
    async with double(clock, tmp_path) as (room, ana, bo):
        stranger = await lane_of(room, 2)
        await stranger.send("slap", n=2, p_ms=ana.painted[2], t_ms=ana.painted[2] + 300, s=1)
        lane = await lane_of(room, ana.player_id)
        await lane.send("play", n=2)
        await lane.expect_close(after="garbage")
        await bo.slap(2, after_ms=400)
        assert [hit["seat"] for hit in (await verdict(ana, bo))["order"]] == [1]


@pytest.mark.parametrize(
    ("t", "fields", "why"),
    [
        ("beat", {"c_ms": 1e9}, "future_stamp"),
        ("beat", {"c_ms": -1e9}, "out_of_order"),
        ("slap", {"n": 2, "p_ms": 1e9, "t_ms": 1e9, "s": 0}, "future_stamp"),
        ("slap", {"n": 2, "p_ms": 0.0, "t_ms": -1e9, "s": 0}, "moving"),
        ("slap", {"n": 99, "p_ms": 0.0, "t_ms": 0.0, "s": 0}, "too_soon"),
    ],
)
@on_manual_clock
async def test_what_no_honest_page_says_is_refused_and_harms_nobody(
    clock: ManualClock, t: str, fields: dict[str, Any], why: str, tmp_path: Path
) -> None:
    async with double(clock, tmp_path) as (_, ana, bo):
        await bo.send("beat", c_ms=page_ms())
        await bo.send(t, **fields)
        assert await bo.receive("refused") == {"t": "refused", "request": t, "reason": why, "seat": None}
        await asyncio.gather(ana.slap(2, after_ms=300), bo.slap(2, after_ms=310))
        assert [hit["seat"] for hit in (await verdict(ana, bo))["order"]] == [0, 1]


async def lane_of(room: Gathering, who: int) -> Page:
    """The second socket of somebody's page."""
    lane = Page(await room.client.ws_connect(socket_of(room.code), autoping=False))
    await lane.send("hello", player_ids=[who], only="slaps")
    return lane
