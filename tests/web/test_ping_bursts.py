"""New pages are pinged often at first; after a restart of the server thousands are new, and take turns."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from functools import partial

import pytest

from ratscrew.protocol.ping_bursts import AT_ONCE, BURST, BURST_EVERY_S, BUSY_EVERY_S, EVERY_S, PingBursts
from ratscrew.protocol.player_connection import PROOF_EVERY
from ratscrew.protocol.rtt_probe import RttProbe
from ratscrew.testing.clock import ManualClock, on_manual_clock
from ratscrew.web.http.proxy_policy import ProxyPolicy
from tests.web.pages import serve

MANY = 200


def new_pages(bursts: PingBursts, pinged: Counter[int]) -> list[Callable[[], None]]:
    """Many pages that come at one moment; each ping is counted."""

    def ping(page: int) -> None:
        pinged[page] += 1

    pages: list[Callable[[], None]] = [partial(ping, page) for page in range(MANY)]
    for each in pages:
        bursts.begin(each)
    return pages


@on_manual_clock
async def test_a_new_page_gets_its_pings_at_equal_distances(clock: ManualClock) -> None:
    bursts, at_us, began_us = PingBursts(), list[int](), clock.now_us()
    bursts.begin(lambda: at_us.append(clock.now_us() - began_us))
    await asyncio.sleep(2 * BURST * BURST_EVERY_S)
    assert at_us == pytest.approx([BURST_EVERY_S * 1e6 * number for number in range(1, BURST + 1)], abs=1000)
    assert len(bursts) == 0


@on_manual_clock
async def test_many_new_pages_share_a_bounded_number_of_pings_a_second(clock: ManualClock) -> None:
    bursts, pinged = PingBursts(), Counter[int]()
    new_pages(bursts, pinged)
    await asyncio.sleep(1)
    assert 0.8 * AT_ONCE / EVERY_S <= pinged.total() <= AT_ONCE / EVERY_S
    assert max(pinged.values()) - min(pinged[page] for page in range(MANY)) <= 1
    await asyncio.sleep(BURST * MANY * EVERY_S / AT_ONCE + 1)
    assert pinged == Counter(dict.fromkeys(range(MANY), BURST))


@on_manual_clock
async def test_while_rooms_are_being_restored_their_pages_are_pinged_less_often(clock: ManualClock) -> None:
    busy = True
    bursts, pinged = PingBursts(lambda: busy), Counter[int]()
    new_pages(bursts, pinged)
    await asyncio.sleep(1)
    few = pinged.total()
    assert 0.8 * AT_ONCE / BUSY_EVERY_S <= few <= AT_ONCE / BUSY_EVERY_S
    busy = False
    await asyncio.sleep(1)
    assert pinged.total() - few >= 0.8 * AT_ONCE / EVERY_S


@on_manual_clock
async def test_a_page_that_has_gone_is_pinged_no_more(clock: ManualClock) -> None:
    bursts, pinged = PingBursts(), Counter[int]()
    for page in new_pages(bursts, pinged)[1:]:
        bursts.end(page)
    await asyncio.sleep(1)
    assert pinged == {0: BURST}


@on_manual_clock
async def test_a_ping_that_fails_does_not_stop_those_of_other_pages(clock: ManualClock) -> None:
    asyncio.get_running_loop().set_exception_handler(lambda *_: None)
    bursts, pinged = PingBursts(), Counter[int]()

    def fail() -> None:
        raise ValueError

    bursts.begin(fail)
    new_pages(bursts, pinged)
    await asyncio.sleep(BURST * MANY * EVERY_S / AT_ONCE + 1)
    assert pinged.total() >= BURST * (MANY - 1)


@pytest.mark.parametrize(
    ("proxied", "proofs"), [(False, -(-BURST // PROOF_EVERY)), (True, BURST)], ids=["kernel", "no kernel"]
)
@on_manual_clock
async def test_the_browser_proves_few_of_the_first_pings_where_the_kernel_tells_the_round_trip(
    clock: ManualClock, monkeypatch: pytest.MonkeyPatch, proxied: bool, proofs: int
) -> None:
    proved, ping = list[int](), RttProbe.ping

    def count(probe: RttProbe) -> None:
        proved.append(clock.now_us())
        ping(probe)

    monkeypatch.setattr(RttProbe, "ping", count)
    async with serve(clock, proxy_policy=ProxyPolicy(proxied=proxied)) as served:
        page = await served.enter()
        await page.receive("welcome")
        assert (page.pings, proved) == (0, [])  # the snapshot comes first
        with suppress(TimeoutError):
            async with asyncio.timeout((BURST + 1) * BURST_EVERY_S):
                await page.receive("bye")
    assert BURST <= page.pings <= BURST + 1  # the room's regular ping may be among them
    assert proofs <= len(proved) <= proofs + 1
