"""Nodes as processes: they are killed, paused and stopped, and players go on; and what keeps one from starting."""

from __future__ import annotations

import json
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from ratscrew.game.codec import Codec
from ratscrew.log.postgres.address import PostgresAddress
from ratscrew.log.postgres.reader import PostgresReader
from ratscrew.table.record.entries import Entry, Owned
from ratscrew.testing.ports import free_port
from tests.cli.process import Server as Process
from tests.cli.process import address as printed
from tests.cli.process import end, starting
from tests.cli.sample_room import Run
from tests.cluster.servers import Server, browsing, receive
from tests.log.conftest import address as address


@contextmanager
def node(folder: Path, log: PostgresAddress, name: str, url: str | None = None) -> Iterator[tuple[Process, str]]:
    """A node that has begun to start, and its address."""
    port = free_port()
    words = ("--log", log.url, "--node", name, "--port", str(port), "--log-level", "error")
    with starting(folder, *words, "--public-url", url or f"http://127.0.0.1:{port}") as process:
        yield process, f"http://127.0.0.1:{port}"


def as_home(name: str, url: str) -> Server:
    """A node as a browser needs it; its inside is in another process."""
    return Server(name, url, None, None)  # type: ignore[arg-type]


def owners(log: PostgresAddress) -> list[str | None]:
    """The nodes that have taken a room over, in their order."""
    reader = PostgresReader(log, Codec[Entry](Entry))
    entries = [entry for game in reader.games() for entry in reader.read(game)]
    reader.close()
    return [entry.event.node for entry in entries if isinstance(entry.event, Owned)]


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGSTOP, signal.SIGTERM])
async def test_players_go_on_at_another_node_when_theirs_is_gone(
    tmp_path: Path, address: PostgresAddress, how: signal.Signals
) -> None:
    """Their pages come from the other one. A node that is paused wakes when its room is elsewhere."""
    with node(tmp_path, address, "a") as (a, a_url), node(tmp_path, address, "b") as (b, b_url):
        printed(a), printed(b)
        async with browsing(as_home("a", a_url)) as browser:
            await browser.open(bots=3)
            browser.home = as_home("b", b_url)
            socket, welcome = await browser.follow()
            assert (welcome["you"], welcome["epoch"]) == (0, 1)
            event = await receive(socket, "event")
            a.send_signal(how)
            socket, welcome = await browser.follow()
            while welcome["epoch"] == 1:  # the page was faster than the signal
                socket, welcome = await browser.follow()
            assert (welcome["you"], welcome["epoch"]) == (0, 2)
            assert welcome["version"] >= event["v"]
            assert (await receive(socket, "event"))["v"] == welcome["version"] + 1
            if how == signal.SIGSTOP:
                a.send_signal(signal.SIGCONT)
                browser.home = as_home("a", a_url)
                _, again = await browser.follow()
                assert again["epoch"] == 2
        if how == signal.SIGTERM:
            assert (end(a)[1], a.returncode) == ("", 0)
    assert owners(address) == ["b"]


def test_what_keeps_a_node_from_starting(tmp_path: Path, address: PostgresAddress, run: Run) -> None:
    with node(tmp_path, address, "a") as (a, a_url):
        printed(a)
        with node(tmp_path, address, "a") as (twin, _), node(tmp_path, address, "b", a_url) as (astray, _):
            assert "a node named a is alive at" in end(twin)[1]
            assert f"--public-url {a_url} leads to node a" in end(astray)[1]
            assert (twin.returncode, astray.returncode) == (1, 1)
        code, _, err = run("serve", "--port", "0", "--log", address.url)
        assert (code, "another Ratscrew is using" in err) == (1, True)
        assert run("drain", "c", "--log", address.url)[::2] == (
            1,
            "ratscrew: there is no node c; registered are: a\n",
        )
        code, out, _ = run("nodes", "--json", "--log", address.url)
        found = {line["name"]: line["alive"] for line in map(json.loads, out.splitlines())}
        assert (code, found) == (0, {"a": True})
        assert run("drain", "a", "--log", address.url)[0] == 0
        until_s = time.monotonic() + 30
        while "drains, 0 rooms" not in run("nodes", "--log", address.url)[1]:
            assert time.monotonic() < until_s
            time.sleep(0.1)


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--node", "a"), "a node of a cluster needs --node NAME, --public-url URL and --log"),
        (("--node", "a", "--public-url", "http://here"), "a node of a cluster needs"),
        (("--node", "a b", "--public-url", "http://here", "--log", "postgresql://h/d"), "--node a b: a name has"),
        (("--node", "a", "--public-url", "here", "--log", "postgresql://h/d"), "--public-url here: it looks like"),
    ],
)
def test_a_node_needs_a_name_an_address_and_postgresql(run: Run, words: tuple[str, ...], why: str) -> None:
    code, _, err = run("serve", *words)
    assert code == 1
    assert why in err
