"""The relay of the browser tests closes everything whenever it ends: its warnings would fail some other test."""

from __future__ import annotations

import gc
import socket
import time
import warnings

import pytest

from tests.browser.far import Far


@pytest.mark.parametrize("ends", ["at once", "while the end is on its way"])
def test_a_relay_that_ends_closes_every_connection(ends: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server, warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for _ in range(20):
            with Far(server.getsockname()[1], rtt_ms=2000) as far:
                client = socket.create_connection(("127.0.0.1", far.port))
                if ends != "at once":
                    reached, _ = server.accept()
                    reached.close()
                client.close()
                time.sleep(0.0 if ends == "at once" else 0.05)
        gc.collect()
    assert [str(warning.message) for warning in caught] == []
