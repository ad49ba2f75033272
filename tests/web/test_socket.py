"""Real WebSockets: admission, replies to `hello`, and pings."""

from __future__ import annotations

import asyncio
from pathlib import Path

import aiohttp
import pytest

from ratscrew.log.memory import MemoryLog
from ratscrew.protocol.ping_bursts import BURST, BURST_EVERY_S
from ratscrew.protocol.session import HELLO_WITHIN_S
from ratscrew.table.registry.room_registry import RoomRequest
from ratscrew.table.room.page_pinger import PROBE_AT_REST_EVERY_S, PROBE_EVERY_S
from ratscrew.testing.clock import ManualClock, on_manual_clock
from ratscrew.web.http.proxy_policy import ProxyPolicy
from ratscrew.web.typescript import wire_hash
from tests.web.http_requests import socket_of
from tests.web.pages import Page, ServedRoom, full_server, serve

# Hello


@on_manual_clock
async def test_hello_is_answered_with_the_whole_table(clock: ManualClock) -> None:
    async with serve(clock) as served:
        page = await served.enter()
        welcome = await page.receive()
        assert (welcome["t"], welcome["wire"], welcome["you"]) == ("welcome", wire_hash(), 0)
        assert (welcome["room"], welcome["game"]) == (served.code, served.room.table.log.public)
        assert welcome["version"] == 6  # three who joined, the commitment, the deal, and the next promise
        assert [seat["name"] for seat in welcome["seats"]] == [seat.name for seat in served.room.table.seats]
        assert [seat["bot"] for seat in welcome["seats"]] == [None, "sharp", "sharp"]
        assert [seat["here"] for seat in welcome["seats"]] == [True, True, True]
        assert sorted(welcome["view"]["cards_held"]) == [17, 17, 18]
        assert welcome["view"]["pile"] == []


@pytest.mark.usefixtures("tireless")
@on_manual_clock
async def test_after_the_welcome_every_event_is_told_with_its_number(clock: ManualClock) -> None:
    async with serve(clock) as served:
        page = await served.enter()
        version = (await page.receive("welcome"))["version"]
        told = [await page.receive("event") for _ in range(8)]
        assert [message["v"] for message in told] == list(range(version + 1, version + 9))
        assert told[0]["e"]["e"] == "played"


@pytest.mark.parametrize("token", [None, "", "0.0", "0." + "0" * 32, "\udcff"])
@on_manual_clock
async def test_without_the_cookie_one_may_only_watch(clock: ManualClock, token: str | None) -> None:
    async with serve(clock) as served:
        served.use_cookies(*[] if token is None else [token])
        page = await served.enter()
        welcome = await page.receive()
        assert (welcome["you"], welcome["seats"][0]["here"]) == (None, False)
        await page.send("play", n=0)
        assert await page.receive("refused") == {
            "t": "refused",
            "request": "play",
            "reason": "not_playing",
            "seat": None,
        }


@on_manual_clock
async def test_the_code_may_be_typed_in_small_letters(clock: ManualClock) -> None:
    async with serve(clock) as served:
        page = await served.enter(code=served.code.lower())
        assert (await page.receive())["room"] == served.code


@pytest.mark.parametrize("room", ["QQQQ", "%20", "x" * 3000, "🂡🂡🂡🂡"])
@on_manual_clock
async def test_there_is_no_such_room(clock: ManualClock, room: str) -> None:
    async with serve(clock) as served:
        page = await served.enter(code=room)
        await page.expect_close(after="no_room")


@on_manual_clock
async def test_hello_is_said_once(clock: ManualClock) -> None:
    async with serve(clock) as served:
        page = await served.enter()
        await page.receive("welcome")
        await page.send("hello")
        await page.expect_close(after="garbage")


@on_manual_clock
async def test_who_says_nothing_is_shown_out(clock: ManualClock) -> None:
    async with serve(clock) as served:
        page, before = await served.connect(), clock.now_us()
        await page.expect_close(after="garbage")
        assert HELLO_WITHIN_S <= (clock.now_us() - before) / 1e6 < HELLO_WITHIN_S + 1


@on_manual_clock
async def test_a_second_page_of_a_seat_sends_the_first_away(clock: ManualClock) -> None:
    async with serve(clock) as served:
        first = await served.enter()
        await first.receive("welcome")
        second = await served.enter()
        await second.receive("welcome")
        await first.expect_close(after="elsewhere")
        await second.receive("event")
        assert served.room.table.seats[0].here


# Time


@on_manual_clock
async def test_ten_pings_come_at_once_and_then_one_every_two_seconds(clock: ManualClock) -> None:
    async with serve(clock) as served:
        page = await served.enter()
        await page.receive("welcome")
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(BURST * BURST_EVERY_S + 5 * PROBE_EVERY_S):
                await page.receive("bye")
        assert page.pings - BURST in (4, 5)


@on_manual_clock
async def test_who_waits_for_a_game_is_pinged_every_eight_seconds(clock: ManualClock) -> None:
    async with serve(clock, asked=RoomRequest("Ana", 2, wait=True)) as served:
        page = await served.enter()
        await page.receive("welcome")
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(BURST * BURST_EVERY_S + 4 * PROBE_AT_REST_EVERY_S):
                await page.receive("bye")
        assert page.pings - BURST in (3, 4)


BEHIND_A_PROXY = ProxyPolicy(proxied=True)
"""There the kernel's round trip is the proxy's, and a page on this machine can be as far as it says."""


def round_trip_us(served: ServedRoom) -> int:
    """How far away the judge takes Ana's page to be."""
    page_state = served.room.table.seats[0].page_state
    assert page_state
    return page_state.link_estimate.rtt_us


async def known(served: ServedRoom, delay_ms: float, signs: bool = False) -> Page:
    """Ana's page, which answers so late, once its round trip is known."""
    page = await served.enter(pong_after_s=delay_ms / 1000, signs=signs)
    await page.receive("welcome")
    await measured(page)
    return page


async def measured(page: Page) -> list[dict[str, int] | None]:
    """The quality of all connections, once that of seat 0 is known: it is sent before its first pong too."""
    while True:
        links: list[dict[str, int] | None] = (await page.receive("link_stats"))["links"]
        if links[0]:
            return links


@pytest.mark.parametrize("delay_ms", [0, 50, 300])
@on_manual_clock
async def test_the_round_trip_is_what_a_ping_takes_there_and_back(clock: ManualClock, delay_ms: int) -> None:
    async with serve(clock, proxy_policy=BEHIND_A_PROXY) as served:
        await known(served, delay_ms)
        assert delay_ms * 1000 <= round_trip_us(served) < delay_ms * 1000 + 40_000


@on_manual_clock
async def test_a_page_that_answers_late_is_no_farther_than_the_kernel_says(clock: ManualClock) -> None:
    """On this machine the packets take less than a millisecond; 4 more are allowed for."""
    async with serve(clock) as served:
        await known(served, delay_ms=300)
        assert round_trip_us(served) < 6_000


@on_manual_clock
async def test_nor_farther_than_the_browser_itself_which_answers_signs_of_life(clock: ManualClock) -> None:
    async with serve(clock, proxy_policy=BEHIND_A_PROXY) as served:
        await known(served, delay_ms=300, signs=True)
        assert round_trip_us(served) < 40_000


@pytest.mark.parametrize(("told", "least_us", "most_us"), [("20000", 24_000, 24_000), ("x", 100_000, 140_000)])
@on_manual_clock
async def test_behind_a_proxy_its_header_is_believed_if_the_operator_names_it(
    clock: ManualClock, told: str, least_us: int, most_us: int
) -> None:
    async with serve(clock, proxy_policy=ProxyPolicy(proxied=True, header="X-Rtt")) as served:
        served.headers["X-Rtt"] = told
        await known(served, delay_ms=100)
        assert least_us <= round_trip_us(served) <= most_us


@on_manual_clock
async def test_without_a_word_of_the_operator_nobody_can_write_that_header(clock: ManualClock) -> None:
    async with serve(clock, proxy_policy=BEHIND_A_PROXY) as served:
        served.headers["X-Rtt"] = "20000"
        await known(served, delay_ms=100)
        assert 100_000 <= round_trip_us(served) < 140_000


@on_manual_clock
async def test_the_shortest_of_the_last_round_trips_counts(clock: ManualClock) -> None:
    async with serve(clock, proxy_policy=BEHIND_A_PROXY) as served:
        page = await known(served, delay_ms=20)
        page.pong_after_s = 0.3
        for _ in range(3):
            await page.receive("event")
        assert round_trip_us(served) < 60_000


@on_manual_clock
async def test_who_never_answers_a_ping_is_given_nothing(clock: ManualClock) -> None:
    async with serve(clock) as served:
        page = await served.enter(pong_after_s=None)
        await page.receive("welcome")
        for k in (-1, 0, 999, 10**12):
            await page.send("pong", k=k, c_ms=0)  # answers to pings that were never sent
        await page.receive("event")
        assert round_trip_us(served) == 0


@on_manual_clock
async def test_an_answer_counts_once(clock: ManualClock) -> None:
    """Pongs said again and again do not make a round trip look slow: that would be worth something in a race."""
    async with serve(clock, proxy_policy=BEHIND_A_PROXY) as served:
        page = await known(served, delay_ms=100)
        for _ in range(35):
            await page.send("pong", k=1, c_ms=0)
        await page.receive("event")
        assert 100_000 <= round_trip_us(served) < 140_000


@on_manual_clock
async def test_the_room_shows_how_everybodys_line_is(clock: ManualClock) -> None:
    """In steps of 5 ms; bots have none."""
    async with serve(clock, proxy_policy=BEHIND_A_PROXY) as served:
        page = await served.enter(pong_after_s=0.1, signs=False)
        await page.receive("welcome")
        mine, *bots = await measured(page)
        assert mine
        assert mine["rtt_ms"] in (100, 105, 110, 115, 120, 125)
        assert bots == [None, None]


# Who may come


@pytest.mark.parametrize(
    ("origin", "allowed"),
    [
        (None, True),
        ("http://{host}", True),
        ("https://{host}", True),
        ("http://elsewhere.example", False),
        ("http://{host}.elsewhere.example", False),
        ("http://elsewhere.example/{host}", False),
        ("http://localhost", False),
        ("null", False),
        ("", False),
        ("{host}", False),
    ],
)
@on_manual_clock
async def test_a_socket_is_opened_from_our_own_pages_only(
    clock: ManualClock, origin: str | None, allowed: bool, tmp_path: Path
) -> None:
    async with full_server(clock, MemoryLog(), tmp_path) as client:
        headers = {} if origin is None else {"Origin": origin.format(host=f"127.0.0.1:{client.port}")}
        if allowed:
            await (await client.ws_connect(socket_of("BEAR"), headers=headers)).close()
        else:
            with pytest.raises(aiohttp.WSServerHandshakeError, match="403"):
                await client.ws_connect(socket_of("BEAR"), headers=headers)


@on_manual_clock
async def test_the_upgrade_carries_the_headers_and_nothing_is_deflated(clock: ManualClock, tmp_path: Path) -> None:
    async with full_server(clock, MemoryLog(), tmp_path) as client:
        socket = await client.ws_connect(socket_of("BEAR"), compress=15)
        assert socket.compress == 0
        await socket.close()
