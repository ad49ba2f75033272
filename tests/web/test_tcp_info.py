"""Round trips of the kernel: of a connection of this process, and of one that a proxy on this machine holds."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import pytest

from ratscrew.protocol.tcp_info import NeighbourConnection, OwnConnection
from ratscrew.table.room.room import Room
from ratscrew.testing.clock import ManualClock, on_manual_clock
from ratscrew.web.http.proxy_policy import ProxyPolicy
from tests.web.http_requests import socket_of
from tests.web.pages import Page, serve

linux = pytest.mark.skipif(not hasattr(socket, "AF_NETLINK"), reason="only Linux answers")


@pytest.mark.parametrize("family", [socket.AF_INET, socket.AF_INET6])
@linux
def test_the_kernel_tells_the_round_trip_of_a_connection_of_another_program(family: socket.AddressFamily) -> None:
    host = "::1" if family is socket.AF_INET6 else "127.0.0.1"
    with (
        socket.create_server((host, 0), family=family) as server,
        socket.create_connection(server.getsockname()[:2]) as far,
    ):
        near, _ = server.accept()
        with near:
            far.send(b"x")
            near.recv(1)
            near.send(b"x")
            far.recv(1)
            ends = " ".join(map(str, (*far.getsockname()[:2], *near.getsockname()[:2])))
            found = NeighbourConnection.parse(ends)
            assert found
            assert found.min_rtt_us() is not None
            assert found.min_rtt_us() == OwnConnection(near).min_rtt_us()
        assert found.min_rtt_us() is None  # the port still listens: that is not a connection


@pytest.mark.parametrize(
    "text",
    ["", "x", "127.0.0.1 1 127.0.0.1", "127.0.0.1 1 127.0.0.1 70000", "127.0.0.1 1 ::1 2", "a 1 b 2", "1 2 3 4 5"],
)
def test_other_texts_name_no_connection(text: str) -> None:
    assert NeighbourConnection.parse(text) is None


@asynccontextmanager
async def proxy(port: int) -> AsyncIterator[int]:
    """A proxy that names each client's connection, and that measured 380 ms to each when it came."""
    writers = list[asyncio.StreamWriter]()

    async def copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError):
            while data := await reader.read(65536):
                writer.write(data)
        writer.close()

    async def relay(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        client, own = writer.get_extra_info("peername"), writer.get_extra_info("sockname")
        upstream_reader, upstream = await asyncio.open_connection("127.0.0.1", port)
        writers.extend((writer, upstream))
        headers = {
            "X-Forwarded-For": client[0],
            "X-Client-Socket": f"{client[0]} {client[1]} {own[0]} {own[1]}",
            "X-Rtt": "380000",
        }
        first = await reader.readline()
        upstream.write(first + "".join(f"{name}: {text}\r\n" for name, text in headers.items()).encode())
        await asyncio.gather(copy(reader, upstream), copy(upstream_reader, writer))

    server = await asyncio.start_server(relay, "127.0.0.1", 0)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
        for writer in writers:
            writer.close()


async def play_one_slap(policy: ProxyPolicy, clock: ManualClock) -> tuple[int, int | None]:
    """A client that was slow only when it connected, and answers all pings 390 ms late.

    Returns: how far away the judge takes it to be, and what the kernel says in the proof of its slaps; microseconds.
    """
    async with serve(clock, proxy_policy=policy) as served, proxy(served.client.port or 0) as port:
        url = f"http://127.0.0.1:{port}{socket_of(served.code)}"
        page = Page(await served.client.session.ws_connect(url, headers=served.headers, autoping=False), 0.39, False)
        await page.send("hello", player_ids=[0])
        while True:
            if (await page.receive("link_stats"))["links"][0]:
                return known(served.room)


def known(room: Room) -> tuple[int, int | None]:
    page_state = room.table.seats[0].page_state
    assert page_state
    return page_state.link_estimate.rtt_us, page_state.rtt_estimator.kernel_us


@linux
@on_manual_clock
async def test_a_client_that_is_slow_only_at_first_is_no_farther_than_its_packets_are_later(clock: ManualClock) -> None:
    policy = ProxyPolicy(proxied=True, header="X-Rtt", socket_header="X-Client-Socket")
    rtt_us, kernel_us = await play_one_slap(policy, clock)
    assert rtt_us < 6_000
    assert kernel_us is not None


@on_manual_clock
async def test_a_client_is_no_farther_than_its_packets_are_at_each_card(
    clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its packets become quick just after a ping, and the next ping is far off."""
    rtt_us = [380_000]
    monkeypatch.setattr(OwnConnection, "min_rtt_us", lambda _: rtt_us[0])
    async with serve(clock) as served:
        page = await served.enter(0.39, signs=False)
        while not (await page.receive("link_stats"))["links"][0]:
            pass
        assert known(served.room) == (384_000, 380_000)
        page_state = served.room.table.seats[0].page_state
        assert page_state
        rtt_us[0] = 5_000
        page_state.add_card(1, clock.now_us(), 0)
        display = page_state.card_display(1)
        assert display
        assert display.link_estimate.rtt_us == 9_000


@on_manual_clock
async def test_what_a_proxy_measured_only_at_first_vouches_for_nothing(clock: ManualClock) -> None:
    rtt_us, kernel_us = await play_one_slap(ProxyPolicy(proxied=True, header="X-Rtt"), clock)
    assert (rtt_us, kernel_us) == (384_000, None)
