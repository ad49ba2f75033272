"""Where no WebSocket gets through the page plays over an event stream and requests."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.browser.conftest import LAPTOP, PHONE, OpenPage
from tests.browser.gathering import panel_ready, post
from tests.browser.player import Player
from tests.browser.proxies import behind, nginx
from tests.browser.server import Server
from tests.browser.test_arenas import DEAL, has_points, join, join_here
from tests.browser.test_obstacles import WITHOUT_STREAMS, WITHOUT_UPGRADE

pytestmark = [pytest.mark.browser, pytest.mark.each_engine]

TELEVISION: ViewportSize = {"width": 1920, "height": 1080}


def refuse_sockets(page: Page) -> list[str]:
    """No WebSocket of this page opens; the addresses that it has tried, and whether it had the detour's script then."""
    tried: list[str] = []
    page.add_init_script("""
      window.WebSocket = class extends EventTarget {
        static CONNECTING = 0; static OPEN = 1; static CLOSING = 2; static CLOSED = 3
        readyState = 0
        constructor(url) {
          super()
          const knows = performance.getEntriesByType('resource').some(({ name }) => name.includes('/event-stream-'))
          console.debug(`refused ${url}${knows ? ' although it knows the detour' : ''}`)
          setTimeout(() => { this.readyState = 3; this.onclose?.(new CloseEvent('close')) }, 20)
        }
        send() {}
        close() {}
      }""")
    page.on("console", lambda said: tried.append(said.text) if said.text.startswith("refused") else None)
    return tried


@pytest.mark.parametrize(("locale", "says"), [("en-US", "takes a detour"), ("de-DE", "nimmt das Spiel einen Umweg")])
def test_behind_a_proxy_without_sockets_a_game_is_played_and_goes_on_after_a_restart(
    open_page: OpenPage, tmp_path: Path, locale: str, says: str
) -> None:
    with (
        Server(tmp_path / "games.sqlite3", speed=3, proxied=True) as server,
        behind(nginx, WITHOUT_UPGRADE, tmp_path, server) as host,
    ):
        page = open_page(PHONE, touch=True, offline=True, refused=True, eager=True, locale=locale)
        player = Player(page, touch=True, speed=3)
        room = player.start(host)
        expect(page.get_by_test_id("detour")).to_contain_text(says)
        before = player.play(until=lambda sight: sight.n >= 10 and player.presses > 0)
        server.stop()
        page.get_by_test_id("reconnecting").wait_for()
        kept = server.log_of(room)
        server.start()
        page.get_by_test_id("reconnecting").wait_for(state="detached")
        assert player.play(until=lambda sight: sight.n >= before.n + 4).n > before.n
        assert server.log_of(room)[: len(kept)] == kept
        page.close()


def test_a_page_without_sockets_plays_a_whole_game_and_another_one(open_page: OpenPage, tmp_path: Path) -> None:
    with Server(tmp_path / "games.sqlite3", speed=10) as server:
        page = open_page(LAPTOP, eager=True, moving=True)
        tried = refuse_sockets(page)
        player = Player(page, touch=False, speed=10)
        player.start(server.url, bots=1)
        player.play(until=lambda sight: sight.over)
        assert player.presses
        player.slapped.clear()
        panel_ready(page)
        page.get_by_test_id("again").click()
        player.play(until=lambda sight: not sight.over and sight.n >= 4)
        count = len(tried)
        page.reload()
        page.wait_for_selector("[data-n]")
        assert tried[count:], "after a reload, the first attempt is a WebSocket"
        needless = [one for one in tried[count:] if one.endswith("knows the detour")]
        assert not needless, "the page remembers that it needs the detour, and takes it once it has its script"
        page.get_by_test_id("meter").click()
        expect(page.get_by_test_id("takes-detour")).to_be_visible()
        page.close()


def test_where_sockets_get_through_again_the_page_goes_back_to_them(open_page: OpenPage, tmp_path: Path) -> None:
    with Server(tmp_path / "games.sqlite3", speed=3) as server:
        page = open_page(LAPTOP, offline=True, refused=True)
        page.add_init_script("window.Free = WebSocket")
        refuse_sockets(page)
        player = Player(page, touch=False, speed=3)
        player.start(server.url, bots=1)
        expect(page.get_by_test_id("detour")).to_be_attached()
        page.evaluate("window.WebSocket = window.Free; dispatchEvent(new Event('online'))")
        server.stop()
        page.get_by_test_id("reconnecting").wait_for()
        server.start()
        page.get_by_test_id("reconnecting").wait_for(state="detached")
        expect(page.get_by_test_id("detour")).to_have_count(0)
        assert player.play(until=lambda sight: sight.n >= 2).n >= 2
        page.close()


def test_a_television_without_sockets_shows_the_players_and_their_game(open_page: OpenPage, tmp_path: Path) -> None:
    with Server(tmp_path / "games.sqlite3", speed=3) as server:
        ana, ben, television = open_page(LAPTOP), open_page(PHONE, touch=True), open_page(TELEVISION)
        tried = refuse_sockets(television)
        room = post(ana, f"{server.url}/api/rooms", name="Ana", bots=0, wait=True)["room"]
        television.goto(f"{server.url}/tv/{room}")
        expect(television.get_by_test_id("waiting-seat")).to_have_text(["Ana"])
        assert tried
        post(ben, f"{server.url}/api/rooms/{room}/seats", name="Ben")
        expect(television.get_by_test_id("waiting-seat")).to_have_text(["Ana", "Ben"])
        ana.add_init_script(f"localStorage.setItem('ratscrew:seat:{room}', '0')")
        ana.goto(f"{server.url}/room/{room}")
        ana.get_by_test_id("start").click()
        player = Player(ana, touch=False, speed=3)
        player.play(until=lambda sight: sight.n >= 10)
        expect(television.get_by_test_id("stage")).to_have_attribute("data-n", re.compile(r"^\d\d+$"))
        for page in (ana, ben, television):
            page.close()


def test_where_a_television_gets_no_connection_it_says_so(open_page: OpenPage, tmp_path: Path) -> None:
    with (
        Server(tmp_path / "games.sqlite3", proxied=True) as server,
        behind(nginx, WITHOUT_STREAMS, tmp_path, server) as host,
    ):
        phone, television = open_page(PHONE), open_page(TELEVISION, offline=True, refused=True)
        room = post(phone, f"{server.url}/api/rooms", name="Ana", bots=0, wait=True)["room"]
        television.goto(f"{host}/tv/{room}")
        expect(television.get_by_role("status")).to_contain_text("blocks live connections")
        for page in (phone, television):
            page.close()


@pytest.mark.one_engine("The pages of an arena are ordinary requests; its tables are those of the other tests.")
def test_players_without_sockets_are_led_from_an_arena_to_a_table_and_back(open_page: OpenPage, tmp_path: Path) -> None:
    (deal := tmp_path / "deal.txt").write_text(DEAL, encoding="utf-8")
    with Server(tmp_path / "games.sqlite3", speed=4, deal=deal) as server:
        ana, ben = open_page(LAPTOP), open_page(PHONE, touch=True)
        for page in (ana, ben):
            refuse_sockets(page)
        ana.goto(f"{server.url}/arena")
        ana.get_by_test_id("arena-title").fill("Friday night")
        ana.get_by_test_id("open-arena").click()
        expect(ana.get_by_role("heading", level=1)).to_have_text("Friday night")
        join(ben, ana.url, "Ben")
        join_here(ana)
        for page in (ana, ben):
            page.wait_for_url("**/room/*", timeout=40_000)
            expect(page.get_by_test_id("back-to-arena")).to_be_visible(timeout=60_000)
            page.get_by_test_id("back-to-arena").click()
            page.wait_for_url("**/arena/*")
        has_points(ana)
        for page in (ana, ben):
            page.close()
