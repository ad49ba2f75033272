"""Ports for servers that tests start in other processes: nothing else is given one before the server has it."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from ratscrew.testing import ports


def test_no_connection_and_no_server_without_a_port_of_its_own_is_given_a_free_port() -> None:
    found = ports.free_port()
    with socket.create_server(("127.0.0.1", 0)) as server:
        first, last = map(int, Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split())
        assert first <= server.getsockname()[1] <= last, "the system chooses from that range"
    assert not first <= found <= last


def test_a_port_that_is_taken_is_not_free(monkeypatch: pytest.MonkeyPatch) -> None:
    free = ports.free_port()
    with socket.create_server(("127.0.0.1", ports.free_port())) as server:
        taken = server.getsockname()[1]

        class Chosen:
            @staticmethod
            def sample(_: range, count: int) -> list[int]:
                return [*[taken] * (count - 1), free]

        monkeypatch.setattr(ports, "SystemRandom", Chosen)
        assert ports.free_port() == free
