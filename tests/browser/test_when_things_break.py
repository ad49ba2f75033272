"""A network goes, a server is renewed, a seat is opened twice, a table is gone: what people read, and the way on."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from tests.browser.conftest import LAPTOP, PHONE, OpenPage
from tests.browser.gathering import code_on, held, panel_ready, post, stands, until
from tests.browser.server import Server

pytestmark = pytest.mark.browser


NOTE_ORDER = """
  window.order = []
  let last
  WebSocket = class extends WebSocket { constructor(...all) { super(...all); last = this; order.push('a socket') } }
  addEventListener('online', () => {
    order = last.readyState === WebSocket.OPEN ? ['a socket'] : []
    setTimeout(() => order.push('another task'))
  })
"""
"""Notes what comes first when the network is back: a socket to the server, or whatever the page does afterwards."""


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """A server, four times as fast as life."""
    with Server(tmp_path / "games.sqlite3", speed=4) as running:
        yield running


@pytest.mark.each_engine
def test_a_phone_that_was_offline_comes_back_with_its_network_and_has_lost_nothing(
    server: Server, open_page: OpenPage
) -> None:
    ana, ben = open_page(LAPTOP), open_page(PHONE, touch=True, offline=True, eager=True)
    network = Network(ben)
    ben.add_init_script(NOTE_ORDER)
    ana.goto(server.url)
    ana.get_by_test_id("name").fill("Ana")
    ana.get_by_test_id("friends").click()
    ana.wait_for_url(re.compile(r"/room/[A-Z]{4}[0-9]{4,}$"))
    room = ana.url.rpartition("/")[2]
    joined = post(ben, f"{server.url}/api/rooms/{room}/seats", name="Ben")
    ben.add_init_script(f"localStorage.setItem('ratscrew:seat:{room}', '{joined['player_id']}')")
    ben.goto(ana.url)
    expect(ben.get_by_test_id("waiting-for")).to_be_visible()
    ben.evaluate("window.mark = 'the same page'")
    expect(ana.get_by_test_id("waiting-seat")).to_have_count(2)
    network.cut()
    expect(ben.get_by_test_id("lost")).to_contain_text("Your seat is saved")
    ana.get_by_test_id("start").click()
    stands(ana, n=2, phase="play")  # meanwhile the cards of both are turned for them
    network.mend()
    ben.wait_for_function("() => order.includes('another task')")
    assert ben.evaluate("order[0]") == "a socket"  # it waits for no retry
    ben.wait_for_function("() => document.querySelector('[data-testid=stage]')?.dataset.n >= 2")
    expect(ben.get_by_test_id("lost")).to_have_count(0)
    told = [(held(ben), held(ana))]  # the game goes on meanwhile, and one page may be a card ahead of the other
    while told[-1][0] != told[-1][1] and len(told) < 20:
        ben.wait_for_timeout(50)
        told.append((held(ben), held(ana)))
    assert told[-1][0] == told[-1][1], told
    assert ben.evaluate("window.mark") == "the same page"
    ben.close()


@pytest.mark.each_engine
def test_a_player_who_leaves_while_offline_is_gone_for_the_others_when_the_page_is_back(
    server: Server, open_page: OpenPage
) -> None:
    ana, ben = open_page(LAPTOP), open_page(PHONE, touch=True, offline=True, eager=True)
    network = Network(ben)
    ana.goto(server.url)
    ana.get_by_test_id("friends").click()
    expect(ana.get_by_test_id("waiting-seat")).to_have_count(1)
    room = ana.url.rpartition("/")[2]
    joined = post(ben, f"{server.url}/api/rooms/{room}/seats", name="Ben")
    ben.add_init_script(f"localStorage.setItem('ratscrew:seat:{room}', '{joined['player_id']}')")
    ben.goto(ana.url)
    expect(ben.get_by_test_id("waiting-for")).to_be_visible()
    expect(ana.get_by_test_id("waiting-seat")).to_have_count(2)
    network.cut()
    expect(ben.get_by_test_id("lost")).to_be_visible()
    ben.get_by_test_id("leave").tap()
    ben.wait_for_url(f"{server.url}/")
    expect(ana.get_by_test_id("waiting-seat")).to_have_count(2)
    network.mend()
    expect(ana.get_by_test_id("waiting-seat")).to_have_count(1)
    ben.close()


@pytest.mark.each_engine
def test_of_two_tabs_in_one_seat_the_first_says_so_and_can_take_it_back(server: Server, open_page: OpenPage) -> None:
    first = open_page(LAPTOP)
    first.goto(server.url)
    first.get_by_test_id("friends").click()
    expect(first.get_by_test_id("waiting-seat")).to_have_count(1)
    second = first.context.new_page()
    second.goto(first.url)
    expect(second.get_by_test_id("start")).to_be_visible()
    expect(first.get_by_test_id("bye")).to_have_text("You’re playing somewhere else")
    panel_ready(first)
    first.get_by_test_id("here").click()
    expect(first.get_by_test_id("start")).to_be_visible()
    expect(second.get_by_test_id("bye-elsewhere")).to_be_visible()


def test_a_code_that_leads_nowhere_can_be_typed_again_or_a_table_opened(server: Server, open_page: OpenPage) -> None:
    ana, ben = open_page(LAPTOP), open_page(PHONE, touch=True)
    ana.goto(server.url)
    ana.get_by_test_id("friends").click()
    code = code_on(ana)
    wrong = "BCDF"
    ben.goto(f"{server.url}/room/{wrong}")
    expect(ben.get_by_test_id("bye")).to_have_text("Table not found")
    panel_ready(ben)
    ben.get_by_test_id("table-code").fill(f"{server.url}/room/{code.lower()}")
    ben.wait_for_url(f"**/room/{code}")
    expect(ben.get_by_test_id("join")).to_be_visible()
    ben.goto(f"{server.url}/room/{wrong}")
    ben.get_by_test_id("bye").wait_for()
    panel_ready(ben)
    ben.get_by_test_id("open-own").tap()
    expect(ben.get_by_test_id("start")).to_be_visible()
    assert code_on(ben) not in (code, wrong)


@pytest.mark.each_engine
def test_an_old_page_loads_itself_anew_once_and_then_says_what_to_do(server: Server, open_page: OpenPage) -> None:
    ana = open_page(PHONE, touch=True)
    loads: list[str] = []
    ana.on("framenavigated", lambda frame: loads.append(frame.url))
    ana.route_web_socket(re.compile("/socket$"), renewed)
    code = post(ana, f"{server.url}/api/rooms", name="Ana", bots=1, wait=True)["room"]
    ana.goto(f"{server.url}/room/{code}")
    expect(ana.get_by_test_id("bye-old")).to_be_visible()
    assert len(loads) == 2
    panel_ready(ana)
    with ana.expect_navigation():
        ana.get_by_test_id("anew").tap()
    expect(ana.get_by_test_id("bye-old")).to_be_visible()


def test_a_page_that_is_asked_to_stay_away_says_for_how_long_and_comes_back_by_itself(
    server: Server, open_page: OpenPage
) -> None:
    ana = open_page(PHONE, touch=True)
    lines: list[WebSocketRoute] = []

    def meet(line: WebSocketRoute) -> None:
        lines.append(line)
        if len(lines) > 1:
            line.connect_to_server()
        else:
            line.on_message(lambda _: line.send(json.dumps({"t": "bye", "reason": "too_much", "wait_s": 3})))

    ana.route_web_socket(re.compile("/socket$"), meet)
    ana.goto(server.url)
    ana.get_by_test_id("friends").tap()
    expect(ana.get_by_text("Trying again in 3 s.")).to_be_visible()
    expect(ana.get_by_test_id("start")).to_be_visible()
    expect(ana.get_by_test_id("bye")).to_be_hidden()


def test_a_server_that_waits_for_its_log_says_so_and_the_clock_is_gone(server: Server, open_page: OpenPage) -> None:
    ana = open_page(PHONE, touch=True)
    lines: list[WebSocketRoute] = []

    def meet(line: WebSocketRoute) -> None:
        line.connect_to_server()
        lines.append(line)

    ana.route_web_socket(re.compile("/socket$"), meet)
    ana.goto(server.url)
    ana.get_by_test_id("play").tap()
    until(ana, "[data-turn=true]")
    lines[0].send(json.dumps({"t": "saving", "on": True}))
    expect(ana.get_by_test_id("saving")).to_be_visible()
    lines[0].send(json.dumps({"t": "saving", "on": False}))
    expect(ana.get_by_test_id("saving")).to_have_count(0)
    ana.close()


def test_a_server_that_cannot_be_reached_is_named_at_the_start(server: Server, open_page: OpenPage) -> None:
    ana = open_page(PHONE, touch=True, offline=True, eager=True)
    ana.goto(server.url)
    ana.get_by_test_id("play").wait_for()
    ana.route("**/api/**", lambda route: route.abort("connectionrefused"))
    ana.get_by_test_id("play").tap()
    expect(ana.get_by_role("alert")).to_have_text("Can’t reach the server. Check your connection.")
    ana.unroute("**/api/**")
    ana.get_by_test_id("play").tap()
    expect(ana.get_by_test_id("stage")).to_be_visible()


def test_a_waiting_room_that_does_not_come_is_fetched_again(server: Server, open_page: OpenPage) -> None:
    ana = open_page(PHONE, touch=True, offline=True, eager=True)
    ana.route("**/assets/waiting-*.js", lambda route: route.abort("connectionfailed"))
    ana.goto(server.url)
    ana.get_by_test_id("friends").tap()
    expect(ana.get_by_role("alert")).to_contain_text("didn’t load")
    ana.unroute("**/assets/waiting-*.js")
    ana.get_by_role("button", name="Try again").tap()
    expect(ana.get_by_test_id("start")).to_be_visible()


def test_a_restart_of_the_server_leaves_a_waiting_table_as_it_was(server: Server, open_page: OpenPage) -> None:
    ana = open_page(PHONE, touch=True, offline=True, eager=True)
    ana.goto(server.url)
    ana.get_by_test_id("friends").tap()
    ana.get_by_test_id("bot-sharp").tap()
    expect(ana.get_by_test_id("waiting-seat")).to_have_count(2)
    server.kill()
    expect(ana.get_by_test_id("lost")).to_be_visible()
    server.start()
    expect(ana.get_by_test_id("lost")).to_have_count(0)
    expect(ana.get_by_test_id("waiting-seat").nth(1)).to_contain_text("Sharp")
    ana.get_by_test_id("start").tap()
    until(ana, "[data-phase=play]")
    ana.close()


def test_a_game_that_cannot_be_kept_says_so_and_goes_on_where_it_was_when_it_can(
    server: Server, open_page: OpenPage
) -> None:
    """What is written into the file is refused for a while."""
    ana = open_page(PHONE, touch=True)
    ana.goto(server.url)
    ana.get_by_test_id("friends").tap()
    ana.get_by_test_id("bot-sharp").tap()
    expect(ana.get_by_test_id("waiting-seat")).to_have_count(2)
    with closing(sqlite3.connect(server.file)) as file:
        file.execute("CREATE TRIGGER ill BEFORE INSERT ON entry BEGIN SELECT RAISE(ABORT, 'the disk is full'); END")
    ana.get_by_test_id("start").tap()
    expect(ana.get_by_test_id("bye-unkept")).to_contain_text("Nothing you’ve seen is lost")
    with closing(sqlite3.connect(server.file)) as file:
        file.execute("DROP TRIGGER ill")
    panel_ready(ana)
    ana.get_by_test_id("try-again").tap()
    expect(ana.get_by_test_id("waiting-seat").nth(1)).to_contain_text("Sharp")
    ana.get_by_test_id("start").tap()
    expect(ana.get_by_test_id("stage")).to_be_visible()


def renewed(socket: WebSocketRoute) -> None:
    """The server's greeting is that of another version."""
    server = socket.connect_to_server()

    def pass_on(text: str | bytes) -> None:
        message = json.loads(text)
        welcome = isinstance(message, dict) and message["t"] == "welcome"
        socket.send(json.dumps({**message, "wire": "another"}) if welcome else text)

    server.on_message(pass_on)


class Network:
    """The way of one page to its server, which can be cut; the browser's own switch leaves sockets as they are.

    A socket that is opened while it is cut stays silent: closing it in `_open`, a handler of the driver's synchronous
    interface, would never return.
    """

    def __init__(self, page: Page) -> None:
        self.page, self.up = page, True
        self._sockets: list[WebSocketRoute] = []
        self._silent: list[WebSocketRoute] = []
        page.route_web_socket(re.compile("/socket$"), self._open)

    def cut(self) -> None:
        """The network goes."""
        self.up = False
        self.page.context.set_offline(True)
        while self._sockets:
            self._sockets.pop().close()

    def mend(self) -> None:
        """The network is there again."""
        while self._silent:
            self._silent.pop().close()
        self.up = True
        self.page.context.set_offline(False)

    def _open(self, socket: WebSocketRoute) -> None:
        if self.up:
            self._sockets += [socket, socket.connect_to_server()]
        else:
            self._silent.append(socket)
