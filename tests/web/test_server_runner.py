"""A server: its URLs, for this machine and for others in the network, its threads, and what it logs."""

from __future__ import annotations

import asyncio
import ipaddress
import logging
import socket
import sys
from urllib.parse import urlsplit

import pytest
from aiohttp import StreamReader
from aiohttp.base_protocol import BaseProtocol

from ratscrew.testing.clock import ManualClock, on_manual_clock
from ratscrew.web.server_runner import WILDCARD_HOSTS, lan_address, listen
from tests.web.raw_connections import raw_server


def test_a_server_for_this_machine_only_has_no_address_for_others() -> None:
    assert lan_address("127.0.0.1", "http://127.0.0.1:8765/") is None


@pytest.mark.parametrize("host", WILDCARD_HOSTS)
def test_others_are_told_an_address_of_this_machine_that_is_no_loopback(host: str) -> None:
    address = lan_address(host, "http://localhost:8765/")
    if address is None:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, pytest.raises(OSError, match="nreachable"):
            probe.connect(("198.51.100.1", 9))  # a machine with no network at all
        return
    found = urlsplit(address)
    assert found.port == 8765
    assert not ipaddress.ip_address(str(found.hostname)).is_loopback
    with socket.socket() as ours:
        ours.bind((str(found.hostname), 0))  # only an address of this machine can be bound


@on_manual_clock
async def test_a_background_thread_holds_the_event_loop_up_for_half_a_millisecond_at_most(clock: ManualClock) -> None:
    """Python's own limit is 5 ms, for each time that one of them has to wait for the other."""
    usual_s = sys.getswitchinterval()
    async with raw_server(clock):
        assert sys.getswitchinterval() == pytest.approx(0.0005)
    assert sys.getswitchinterval() == usual_s


@on_manual_clock
async def test_a_client_that_leaves_while_the_rest_of_its_request_is_read_is_no_error_in_the_log(
    clock: ManualClock, caplog: pytest.LogCaptureFixture
) -> None:
    logger, loop = logging.getLogger("ratscrew.web.server_runner"), asyncio.get_running_loop()
    async with raw_server(clock):
        try:
            await StreamReader(BaseProtocol(loop), 1024, loop=loop).readany()  # its connection has ended
        except RuntimeError as error:
            logger.error("Unhandled exception", exc_info=error)
        assert caplog.records == []
        logger.error("Unhandled exception", exc_info=RuntimeError("a mistake"))
    assert len(caplog.records) == 1


def test_every_address_means_both_families() -> None:
    """asyncio alone accepts only IPv6 at `::`, and the address that the server prints would refuse."""
    (listener,) = listen("::", 0)
    with listener:
        port = listener.getsockname()[1]
        for address in ("127.0.0.1", "::1") if socket.has_dualstack_ipv6() else ("127.0.0.1",):
            socket.create_connection((address, port), timeout=10).close()


def test_a_machine_without_ipv6_serves_all_addresses_that_it_has(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "has_dualstack_ipv6", lambda: False)
    (listener,) = listen("::", 0)
    with listener:
        socket.create_connection(("127.0.0.1", listener.getsockname()[1]), timeout=10).close()


def test_in_a_network_without_ipv4_others_are_told_the_address_of_ipv6(monkeypatch: pytest.MonkeyPatch) -> None:
    class Probe:
        def __init__(self, family: int, _: int) -> None:
            self.family = family

        def __enter__(self) -> Probe:
            return self

        def __exit__(self, *_: object) -> None:
            pass

        def connect(self, _: tuple[str, int]) -> None:
            if self.family == socket.AF_INET:
                raise OSError(101, "Network is unreachable")

        def getsockname(self) -> tuple[str, int]:
            return "2001:db8::7", 50000

    monkeypatch.setattr(socket, "socket", Probe)
    assert lan_address("::", "http://localhost:8765/") == "http://[2001:db8::7]:8765/"
    assert lan_address("0.0.0.0", "http://localhost:8765/") is None
