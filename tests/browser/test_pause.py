"""A game that one device plays stops while a panel covers it; everybody is asked before another game."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import ViewportSize, expect

from tests.browser.conftest import LAPTOP, PHONE, TABLET, OpenPage
from tests.browser.gathering import Gather, gather, insist, stands, turn, until
from tests.browser.server import Server
from tests.browser.test_after import SHORT, TWO_CARDS, play_short

__all__ = ("gather",)
pytestmark = [
    pytest.mark.browser,
    pytest.mark.one_engine("The server stops and begins games."),
]

BOT_TURNS_MS = 1500
"""Longer than a bot waits at this speed before it flips a card."""


@pytest.mark.parametrize("size", [PHONE, LAPTOP, TABLET], ids=["phone", "laptop", "tablet"])
def test_a_game_against_bots_stops_while_the_menu_is_open(
    open_page: OpenPage, tmp_path: Path, size: ViewportSize
) -> None:
    with Server(tmp_path / "games.sqlite3", speed=2) as server:
        page = open_page(size, touch=size != LAPTOP)
        page.goto(server.url)
        page.get_by_test_id("play").click()
        stage = page.get_by_test_id("stage")
        expect(stage).to_have_attribute("data-phase", "play")
        page.get_by_test_id("open-menu").click()
        expect(page.get_by_test_id("paused")).to_be_visible()
        before = stage.get_attribute("data-n")
        page.wait_for_timeout(BOT_TURNS_MS)
        assert stage.get_attribute("data-n") == before
        page.get_by_test_id("close-menu").click()
        expect(page.get_by_test_id("paused")).to_have_count(0)
        expect(stage).not_to_have_attribute("data-n", before or "")
        page.close()


def test_a_game_with_a_second_device_goes_on_behind_the_menu(gather: Gather) -> None:
    ana, ben = gather("1;classic;turn_ms=60000", "5H 9D", "7C 3D")
    turn(ana, n=1)
    ana.get_by_test_id("open-menu").tap()
    expect(ana.get_by_test_id("menu")).to_be_visible()
    turn(ben, n=2)
    expect(ana.get_by_test_id("stage")).to_have_attribute("data-n", "2")
    expect(ana.get_by_test_id("paused")).to_have_count(0)


def test_everybody_is_asked_before_another_game_and_anyone_can_stop_the_countdown(gather: Gather) -> None:
    ana, ben = gather(SHORT, *TWO_CARDS)
    play_short(ana, ben)
    insist(ben, "again")
    for page in (ana, ben):
        expect(page.get_by_test_id("rematch-1")).to_contain_text("Ready")
        expect(page.get_by_test_id("rematch-0")).to_contain_text("Deciding")
        expect(page.get_by_test_id("rematch")).to_contain_text("Dealing in")
    insist(ana, "hold")
    for page in (ana, ben):
        expect(page.get_by_test_id("rematch")).not_to_contain_text("Dealing in")
        expect(page.get_by_test_id("winner")).to_be_visible()
    insist(ana, "again")
    for page in (ana, ben):
        stands(page, n=0, phase="play")


def test_a_player_who_looks_at_the_recap_hears_that_their_table_has_started(gather: Gather) -> None:
    ana, ben = gather(SHORT, *TWO_CARDS)
    play_short(ana, ben)
    room = ana.url
    insist(ana, "look")
    insist(ana, "watch")
    expect(ana.get_by_test_id("caption")).to_be_visible()
    insist(ben, "again")
    expect(ana.get_by_test_id("table-watch")).to_contain_text("Your table has started")
    ana.get_by_test_id("back-to-table").tap()
    expect(ana).to_have_url(room)
    until(ana, "[data-testid=stage][data-phase=play]")  # her card may have been turned while she was away
