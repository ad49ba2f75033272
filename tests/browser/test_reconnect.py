"""The connection goes and comes back; nothing that the page has shown is lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.browser.conftest import LAPTOP, PHONE, OpenPage
from tests.browser.gathering import panel_ready
from tests.browser.player import Player
from tests.browser.server import Server

pytestmark = [pytest.mark.browser, pytest.mark.each_engine]


@pytest.mark.parametrize("crash", [False, True], ids=["stopped", "killed"])
def test_a_restart_of_the_server_goes_on_with_the_same_game(open_page: OpenPage, tmp_path: Path, crash: bool) -> None:
    with Server(tmp_path / "games.sqlite3", speed=3) as server:
        player = Player(open_page(PHONE, touch=True, offline=True, eager=True), touch=True, speed=3)
        room = player.start(server.url)
        before = player.play(until=lambda sight: sight.n >= 12)
        player.page.evaluate("window.mark = 'the same page'")
        if crash:
            server.kill()
        else:
            server.stop()
        player.page.get_by_test_id("reconnecting").wait_for()
        kept = server.log_of(room)
        server.start()
        player.page.get_by_test_id("reconnecting").wait_for(state="detached")
        after = player.play(until=lambda sight: sight.n >= before.n + 8)
        assert player.page.evaluate("window.mark") == "the same page"
    assert after.n > before.n
    assert server.log_of(room)[: len(kept)] == kept


def test_a_reload_comes_back_to_the_same_seat(open_page: OpenPage, tmp_path: Path) -> None:
    with Server(tmp_path / "games.sqlite3", speed=3) as server:
        player = Player(open_page(LAPTOP), touch=False, speed=3)
        player.start(server.url, bots=1)
        before = player.play(until=lambda sight: sight.n >= 6)
        player.page.reload()
        player.page.wait_for_selector("[data-n]")
        assert player.play(until=lambda sight: sight.n >= before.n + 4).n > before.n
        assert player.page.get_by_test_id("slap").is_visible()
        player.page.close()


def test_a_room_that_is_not_there_says_so_and_leads_on(open_page: OpenPage, tmp_path: Path) -> None:
    with Server(tmp_path / "games.sqlite3") as server:
        page = open_page(PHONE)
        page.goto(f"{server.url}/room/BCDF")
        page.get_by_test_id("bye").wait_for()
        panel_ready(page)
        page.get_by_test_id("home").click()
        page.get_by_test_id("play").wait_for()
        page.close()
