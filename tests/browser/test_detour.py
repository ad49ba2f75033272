"""Where no WebSocket gets through the page plays over an event stream and requests."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import LAPTOP, PHONE, OpenPage
from tests.browser.gathering import panel_ready
from tests.browser.player import Player
from tests.browser.proxies import behind, nginx
from tests.browser.server import Server
from tests.browser.test_obstacles import WITHOUT_UPGRADE

pytestmark = [pytest.mark.browser, pytest.mark.each_engine]


def refuse_sockets(page: Page) -> list[str]:
    """No WebSocket of this page opens; the addresses that it has tried."""
    tried: list[str] = []
    page.add_init_script("""
      window.WebSocket = class extends EventTarget {
        static CONNECTING = 0; static OPEN = 1; static CLOSING = 2; static CLOSED = 3
        readyState = 0
        constructor(url) {
          super()
          console.debug('refused ' + url)
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
        assert len(tried) - count == 1, "the page remembers that it needs the detour"
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
