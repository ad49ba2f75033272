"""Clients that watch from another network see the table later than its players; one beside a player sees it live."""

from __future__ import annotations

import pytest

from ratscrew.limits import limits
from ratscrew.table.room.audience import ALIVE_EVERY_S, DELAY_S, GATHER_S
from ratscrew.testing.clock import ManualClock, on_manual_clock
from ratscrew.web.http.proxy_policy import ProxyPolicy
from tests.web.pages import Page, ServedRoom, serve

LATER_S = DELAY_S + GATHER_S


async def enter_from(served: ServedRoom, address: str, player_ids: tuple[int, ...] = ()) -> Page:
    """A page at this address."""
    served.headers["X-Forwarded-For"] = address
    page = await served.connect()
    await page.send("hello", player_ids=list(player_ids))
    return page


@on_manual_clock
async def test_a_watcher_elsewhere_sees_the_table_later_and_a_television_beside_a_player_at_once(
    clock: ManualClock,
) -> None:
    async with serve(clock, proxy_policy=ProxyPolicy(proxied=True)) as served:
        ana = await enter_from(served, "192.0.2.1", (0,))
        began_us = clock.now_us()
        assert (await ana.receive("welcome"))["delay_ms"] == 0
        television, stranger = await enter_from(served, "192.0.2.1"), await enter_from(served, "192.0.2.2")
        assert (await television.receive("welcome"))["delay_ms"] == 0
        assert clock.now_us() - began_us < 500_000
        welcome = await stranger.receive("welcome")
        assert (welcome["delay_ms"], welcome["you"]) == (3000, None)
        assert clock.now_us() - began_us >= LATER_S * 1e6 - 1


@on_manual_clock
async def test_a_watcher_can_do_nothing(clock: ManualClock) -> None:
    async with serve(clock, proxy_policy=ProxyPolicy(proxied=True)) as served:
        stranger = await enter_from(served, "192.0.2.2")
        await stranger.receive("welcome")
        for t, fields in {"play": {"n": 0}, "slap": {"n": 1, "p_ms": 0, "t_ms": 1, "s": 1}, "leave": {}}.items():
            await stranger.send(t, **fields)
            assert await stranger.receive("refused") == {
                "t": "refused",
                "request": t,
                "reason": "not_playing",
                "seat": None,
            }


@on_manual_clock
async def test_a_room_has_only_so_many_watchers_and_an_address_only_so_many_of_them(
    clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "WATCHERS_MOST", 3)
    monkeypatch.setattr(limits, "WATCHERS_KEPT", 0)
    monkeypatch.setattr(limits, "WATCHERS_OF_ADDRESS", 2)
    async with serve(clock, proxy_policy=ProxyPolicy(proxied=True)) as served:
        pages = [await enter_from(served, f"192.0.2.{number}") for number in (2, 2, 3)]
        for page in pages:
            await page.receive("welcome")
        for address in ("192.0.2.2", "192.0.2.4"):
            assert (await (await enter_from(served, address)).receive("bye"))["reason"] == "crowded"
        await pages[0].socket.close()
        await (await enter_from(served, "192.0.2.4")).receive("welcome")


@on_manual_clock
async def test_a_watcher_that_answers_no_pings_is_disconnected(clock: ManualClock) -> None:
    async with serve(clock, proxy_policy=ProxyPolicy(proxied=True)) as served:
        stranger = await enter_from(served, "192.0.2.2")
        stranger.pong_after_s = None
        await stranger.receive("welcome")
        began_us = clock.now_us()
        await stranger.expect_close()
        assert clock.now_us() - began_us > ALIVE_EVERY_S * 1e6
