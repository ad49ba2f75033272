"""Two people play at a table of a cluster; the node that has it is killed in the middle of the game."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.request import urlopen

import pytest
from playwright.sync_api import Page, expect

from ratscrew.game.codec import Codec
from ratscrew.table.record.entries import Entry, Owned
from tests.browser.conftest import LAPTOP, PHONE, OpenPage
from tests.browser.gathering import UNHURRIED, held, post, press, slap, stands, turn
from tests.browser.server import Server
from tests.browser.test_three_people import all_hold
from tests.log.conftest import address, sql

if TYPE_CHECKING:
    from ratscrew.log.postgres.address import PostgresAddress

__all__ = ["address"]

pytestmark = [
    pytest.mark.browser,
    pytest.mark.one_engine("Servers decide who has a table; test_reconnect shows how pages come back on each engine."),
]

SPEED = 0.5
"""A player who is away has twice the usual time to come back, before their card is turned for them."""

DEAL = """ratscrew 1
house 1;classic
hand 1 9S 4C KD
hand 2 9H 4S 2D
lead 1
"""


class Node(Server):
    """One server of a cluster."""

    def __init__(self, name: str, log: PostgresAddress, deal: Path) -> None:
        super().__init__(deal, speed=SPEED, deal=deal)
        self.name, self._log = name, log

    def words(self) -> list[str]:
        """See `Server`."""
        own = ["--log", self._log.url, "--node", self.name, "--public-url", self.url]
        return ["serve", "--port", str(self.port), "--speed", str(self.speed), "--deal", str(self.deal), *own]

    def wait_until_forgotten(self) -> None:
        """Wait until its name is free, which it keeps for as long as a lease lasts."""
        while sql(self._log, "SELECT FROM ratscrew.node WHERE name = %s AND alive_until > now()", self.name):
            time.sleep(0.05)

    def log_of(self, room: str) -> list[Entry]:
        """See `Server`."""
        from ratscrew.log.postgres.reader import PostgresReader

        with closing(PostgresReader(self._log, Codec[Entry](Entry))) as log:
            return log.read(log.games(f"{room}-")[-1])


@pytest.fixture
def nodes(address: PostgresAddress, tmp_path: Path) -> Iterator[list[Node]]:
    """Two running nodes that know each other: their pages may connect to both."""
    deal = tmp_path / "deal.txt"
    deal.write_text(DEAL)
    with ExitStack() as stack:
        started = [stack.enter_context(Node(name, address, deal)) for name in "ab"]
        ports = {str(node.port) for node in started}
        for node in started:
            while not ports <= set(re.findall(r":(\d+)", policy(node))):
                time.sleep(0.05)
        yield started


def begin(open_page: OpenPage, a: Node, b: Node) -> tuple[Page, Page, str]:
    """Ana at the node that has the table, and Ben at the other one, after her first card; and the room's code."""
    ana = open_page(PHONE, touch=True, moving=True, offline=True)
    ben = open_page(LAPTOP, moving=True, offline=True)
    joined = post(ana, f"{a.url}/api/rooms", name="Ana", bots=0, house=f"1;classic;{UNHURRIED}", wait=True)
    room = joined["room"]
    sit(ana, a, room, joined["player_id"])
    sit(ben, b, room, post(ben, f"{b.url}/api/rooms/{room}/seats", name="Ben")["player_id"])
    expect(ana.get_by_test_id("waiting-seat")).to_have_count(2)
    press(ana, "start")
    turn(ana, n=1)
    return ana, ben, room


def test_a_game_goes_on_at_another_node_when_its_own_is_killed(open_page: OpenPage, nodes: list[Node]) -> None:
    """Ana's pages come from the node that has the table, which is killed, Ben's from the other one."""
    a, b = nodes
    ana, ben, room = begin(open_page, a, b)
    turn(ben, n=2)
    slap(ben, n=2)
    all_hold([ana, ben], [2, 4])  # Ben has taken both nines
    turn(ben, n=3)
    for page in (ana, ben):
        stands(page, n=3, phase="play")
    kept = a.log_of(room)

    a.kill()
    for page in (ana, ben):
        page.get_by_test_id("reconnecting").wait_for()
    for page in (ana, ben):
        page.get_by_test_id("reconnecting").wait_for(state="detached")
        stands(page, n=3, phase="play")
        expect(page.get_by_test_id("stage")).to_have_attribute("data-top", "4S")
        assert held(page) == [2, 3]

    turn(ana, n=4)
    slap(ana, n=4)
    all_hold([ana, ben], [3, 3])  # Ana has taken both fours
    stored = b.log_of(room)
    assert stored[: len(kept)] == kept
    assert [entry.event for entry in stored if isinstance(entry.event, Owned)] == [Owned(2, "b")]


def test_pages_say_that_no_node_answers_and_go_on_when_one_does(open_page: OpenPage, nodes: list[Node]) -> None:
    """Both nodes are killed at once; later one is started again."""
    a, b = nodes
    ana, ben, room = begin(open_page, a, b)
    stands(ben, n=1, phase="play")

    for node in nodes:
        node.kill()
    for page in (ana, ben):
        expect(page.get_by_test_id("reconnecting")).to_have_text("The server doesn’t answer – reconnecting…")
        for port in [f":{node.port}/" for node in nodes * 2]:
            page.wait_for_event("websocket", lambda socket, port=port: port in socket.url)
        expect(page.get_by_test_id("reconnecting")).to_be_visible()
    a.wait_until_forgotten()
    a.start()
    for page in (ana, ben):
        page.get_by_test_id("reconnecting").wait_for(state="detached")
        stands(page, n=1, phase="play")
        assert held(page) == [2, 3]
    turn(ben, n=2)
    stands(ana, n=2, phase="play")
    assert [entry.event for entry in a.log_of(room) if isinstance(entry.event, Owned)] == [Owned(2, "a")]


def policy(node: Node) -> str:
    """The policy of a node's pages, which names the other nodes."""
    with urlopen(f"{node.url}/", timeout=20) as answer:
        return str(answer.headers["Content-Security-Policy"])


def sit(page: Page, node: Node, room: str, player_id: int) -> None:
    """Open the table at a node, on a seat that this browser holds."""
    page.add_init_script(f"window.tableSpeed = {node.speed}")
    page.add_init_script(f"localStorage.setItem('ratscrew:seat:{room}', '{player_id}')")
    page.goto(f"{node.url}/room/{room}")
