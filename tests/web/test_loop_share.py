"""An address is read as fast as its share of the event loop's time allows; figures are computed by hand."""

from __future__ import annotations

import asyncio
from functools import partial
from pathlib import Path

import pytest

from ratscrew.limits import loop_share
from ratscrew.limits.limits import Bucket, Limit
from ratscrew.limits.loop_share import (
    BUSY,
    FULL,
    GUARANTEED,
    HTTP_SLICE,
    MEASURE_EVERY_S,
    OF_ADDRESS,
    OF_ALL,
    OVER_S,
    PRICE_MOST,
    RETRY_S,
    SETTLE_US,
    LoopShare,
)
from ratscrew.testing.clock import ManualClock, on_manual_clock
from ratscrew.web.socket.websocket import FRAMES_AT_ONCE

ADDRESS, OTHERS = "192.0.2.1", [f"198.51.100.{number}" for number in range(20)]


def test_an_address_that_takes_more_than_its_part_waits_until_it_has_paid() -> None:
    clock = ManualClock()
    share = LoopShare(now_us=clock.now_us)
    share.charge(ADDRESS, OF_ADDRESS.most)
    assert share.wait_s(ADDRESS) == 0  # 50 ms at once
    share.charge(ADDRESS, 10_000)
    wait_s = share.wait_s(ADDRESS)
    assert wait_s == pytest.approx(0.05)  # 10 ms too many, at a fifth of the time
    clock.advance(50_000)
    assert share.wait_s(ADDRESS) == 0


def test_while_all_take_too_much_an_address_has_its_ensured_share_at_once() -> None:
    clock = ManualClock()
    share = LoopShare(now_us=clock.now_us)
    for each in OTHERS:
        share.charge(each, OF_ALL.most / 10)  # twice what all may take together, and each the ensured share
    share.charge(ADDRESS, GUARANTEED.most - 1)
    assert share.wait_s(ADDRESS) == 0
    assert share.wait_s(OTHERS[0]) == 0
    share.charge(OTHERS[0], 1000)
    wait_s = share.wait_s(OTHERS[0])
    assert wait_s == pytest.approx(0.04)  # 1 ms too much, at a fortieth of the time
    clock.advance(40_000)
    assert share.wait_s(OTHERS[0]) == 0


def test_an_address_that_nobody_knows_never_waits() -> None:
    share = LoopShare()
    for each in OTHERS:
        share.charge(each, 10**6)
    assert share.wait_s(ADDRESS) == 0


@on_manual_clock
async def test_connections_of_one_address_wait_in_one_line_and_go_on_in_their_order(clock: ManualClock) -> None:
    """Each takes 10 ms, a fifth of the time is theirs: one goes on each 50 ms."""
    share, done = LoopShare(now_us=clock.now_us), list[tuple[int, int]]()

    def work(number: int) -> None:
        done.append((number, clock.now_us()))
        share.charge(ADDRESS, 10_000)

    share.charge(ADDRESS, OF_ADDRESS.most + 10_000)
    began_us = clock.now_us()
    places = [share.run(ADDRESS, partial(work, number)) for number in range(5)]
    assert share.waiting == 5
    assert places[1]
    places[1].cancel()
    await asyncio.sleep(1)
    assert [number for number, _ in done] == [0, 2, 3, 4]
    times_us = [us - began_us for _, us in done]
    assert times_us == pytest.approx([50_000, 100_000, 150_000, 200_000], abs=4 * RETRY_S * 1e6)
    assert share.waiting == 0
    assert share.run(ADDRESS, partial(work, 5)) is None  # nobody waits any more: at once
    assert done[-1] == (5, clock.now_us())


@on_manual_clock
async def test_while_a_thousand_connections_wait_the_loop_is_woken_for_one_of_them(
    clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    share = LoopShare(now_us=clock.now_us)
    share.charge(ADDRESS, OF_ADDRESS.most + 10_000)
    looked, wait_s = 0, LoopShare.wait_s

    def counted(share: LoopShare, address: str) -> float:
        nonlocal looked
        looked += 1
        return wait_s(share, address)

    for _ in range(1000):
        assert share.run(ADDRESS, lambda: share.charge(ADDRESS, 10_000))
    monkeypatch.setattr(LoopShare, "wait_s", counted)
    await asyncio.sleep(1)
    assert share.waiting == pytest.approx(1000 - 20, abs=2)
    assert looked <= 3 * 20


def test_of_many_addresses_those_with_their_whole_share_are_forgotten_and_no_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Looking at all of them is done so seldom that it costs each new address the same."""
    asked, unused = 0, Bucket.unused

    def counted(bucket: Bucket, now_us: int) -> bool:
        nonlocal asked
        asked += 1
        return unused(bucket, now_us)

    monkeypatch.setattr(loop_share, "_EVICT_AT", 100)
    monkeypatch.setattr(Bucket, "unused", counted)
    clock = ManualClock()
    share = LoopShare(now_us=clock.now_us)
    share.charge(ADDRESS, 2 * OF_ADDRESS.most)
    for number in range(1000):
        share.charge(f"of a crowd: {number}", 1000)
    assert share.wait_s(ADDRESS) > 0
    assert 0 < asked <= 4 * 1000
    clock.advance(10**6)
    share.charge(ADDRESS, 2 * OF_ADDRESS.most)
    for number in range(1000):
        share.charge(f"of another: {number}", 1000)
        clock.advance(100_000)
    assert len(share) < 500


def test_prices_rise_while_the_loop_is_busy_and_fall_again() -> None:
    clock = ManualClock()
    share = LoopShare(now_us=clock.now_us)
    for _ in range(50):
        share.record_load(0.9)
    share.charge(ADDRESS, OF_ADDRESS.most / PRICE_MOST)
    assert share.wait_s(ADDRESS) == 0
    share.charge(ADDRESS, SETTLE_US)
    assert share.wait_s(ADDRESS) > 0
    for _ in range(50):
        share.record_load(0.1)
    clock.advance(10**6)
    share.charge(OTHERS[0], OF_ADDRESS.most - 1)
    assert share.wait_s(OTHERS[0]) == 0


def test_a_server_is_full_after_half_a_second_and_not_by_one_busy_moment() -> None:
    share = LoopShare()
    share.record_load(1)
    assert not share.full
    for _ in range(round(0.5 / MEASURE_EVERY_S)):
        share.record_load(1)
    assert share.full
    for _ in range(round(0.5 / MEASURE_EVERY_S)):
        share.record_load(0.2)
    assert not share.full


def test_the_page_for_operators_has_these_figures() -> None:
    text = (Path(__file__).parents[2] / "docs" / "operations.md").read_text(encoding="utf-8")

    def row(who: str, limit: Limit) -> str:
        return f"| {who} | {limit.most / 1000:g} ms | {1e-4 / limit.every_s:g} % of the time |"

    rows = (
        row("an address", OF_ADDRESS),
        row("all addresses together", OF_ALL),
        row("ensured to each address", GUARANTEED),
    )
    assert [line for line in rows if line not in text] == []
    words = " ".join(text.split())
    assert f"more than {BUSY:.0%} of the time, everything costs up to four times".replace("%", " %") in words
    assert PRICE_MOST == 4
    assert f"more than {FULL:.0%} over {OVER_S:g} s, the server opens no new rooms".replace("%", " %") in words
    assert f"slices of {HTTP_SLICE // 1024} kB, {FRAMES_AT_ONCE} frames of a socket" in words
