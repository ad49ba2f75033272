"""The way back to a seat from the start page, however the player left the table."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PHONE, OpenPage
from tests.browser.gathering import UNHURRIED, Gather, gather, panel_ready, press, turn
from tests.browser.server import Server

__all__ = ["gather"]

pytestmark = pytest.mark.browser

SAME = "It is decided by the same code on each engine."

HOUR_MS = 3_600_000


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """A server of this test's own, which may be stopped."""
    with Server(tmp_path / "games.sqlite3", speed=4) as running:
        yield running


def test_the_browsers_back_leads_to_a_start_page_that_offers_the_seat(server: Server, open_page: OpenPage) -> None:
    ana = open_page(PHONE, touch=True)
    room = play(ana, server)
    ana.go_back()
    ana.get_by_test_id("back-to-seat").tap()
    ana.wait_for_url(room)
    expect(ana.get_by_test_id("deck")).to_be_visible()  # the seat, not an invitation to take one


def test_a_new_tab_offers_the_seat_of_one_that_was_closed(server: Server, open_page: OpenPage) -> None:
    ana = open_page(PHONE, touch=True)
    room = play(ana, server)
    ana.close()
    tab = ana.context.new_page()
    tab.goto(server.url)
    expect(tab.get_by_test_id("back-to-seat")).to_contain_text(spoken(room))
    tab.get_by_test_id("back-to-seat").tap()
    expect(tab.get_by_test_id("deck")).to_be_visible()


@pytest.mark.one_engine(SAME)
def test_the_newest_of_several_seats_is_offered_and_after_a_day_none(server: Server, open_page: OpenPage) -> None:
    ana = open_page(PHONE, touch=True)
    play(ana, server)
    ana.go_back()
    ana.clock.install()
    newest = play(ana, server)
    ana.go_back()
    expect(ana.get_by_test_id("back-to-seat")).to_contain_text(spoken(newest))
    ana.clock.fast_forward(25 * HOUR_MS)
    ana.goto(f"{server.url}/learn")
    ana.goto(server.url)
    expect(ana.get_by_test_id("play")).to_be_visible()
    expect(ana.get_by_test_id("back-to-seat")).to_have_count(0)


@pytest.mark.one_engine(SAME)
def test_a_seat_that_was_left_for_good_is_not_offered(server: Server, open_page: OpenPage) -> None:
    ana = open_page(PHONE, touch=True)
    ana.goto(server.url)
    ana.get_by_test_id("friends").tap()
    ana.get_by_test_id("leave").tap()
    expect(ana.get_by_test_id("play")).to_be_visible()
    expect(ana.get_by_test_id("back-to-seat")).to_have_count(0)


@pytest.mark.one_engine(SAME)
def test_a_seat_at_a_table_that_is_gone_is_offered_once(open_page: OpenPage, tmp_path: Path) -> None:
    ana = open_page(PHONE, touch=True, offline=True)
    server = Server(tmp_path / "games.sqlite3", speed=4)
    with server:
        play(ana, server)
        ana.go_back()
    for file in tmp_path.glob("games.sqlite3*"):
        file.unlink()
    with server:
        ana.reload()
        ana.get_by_test_id("back-to-seat").tap()
        expect(ana.get_by_test_id("bye-no_room")).to_be_visible()
        ana.goto(server.url)
        expect(ana.get_by_test_id("play")).to_be_visible()
        expect(ana.get_by_test_id("back-to-seat")).to_have_count(0)


def test_a_player_whose_seat_the_browser_holds_no_more_is_offered_none(server: Server, open_page: OpenPage) -> None:
    ana = open_page(PHONE, touch=True)
    room = play(ana, server)
    ana.context.clear_cookies()
    ana.goto(room)
    expect(ana.get_by_test_id("arrive")).to_be_visible()
    ana.goto(server.url)
    expect(ana.get_by_test_id("play")).to_be_visible()
    expect(ana.get_by_test_id("back-to-seat")).to_have_count(0)


def test_after_a_game_the_seat_is_offered_where_others_may_deal_again_and_not_to_one_alone(gather: Gather) -> None:
    ana, ben = gather(f"1;classic;stalemate=draw;collect_delay_ms=1000;{UNHURRIED}", "2H", "9C")
    turn(ana, n=1)
    turn(ben, n=2)
    expect(ana.get_by_test_id("winner")).to_be_visible()
    start_page(ana)
    expect(ana.get_by_test_id("back-to-seat")).to_be_visible()
    ana.get_by_test_id("back-to-seat").tap()
    expect(ana.get_by_test_id("winner")).to_be_visible()
    start_page(ben)
    ben.get_by_test_id("back-to-seat").click()
    press_in_result(ben, "gather")
    ben.get_by_test_id("leave").click()
    expect(ben.get_by_test_id("play")).to_be_visible()
    expect(ana.get_by_test_id("again")).to_be_visible()
    start_page(ana)
    expect(ana.get_by_test_id("play")).to_be_visible()
    expect(ana.get_by_test_id("back-to-seat")).to_have_count(0)


@pytest.mark.one_engine(SAME)
def test_a_lesson_is_no_table_to_go_back_to(server: Server, open_page: OpenPage) -> None:
    ana = open_page(PHONE, touch=True)
    ana.goto(server.url)
    ana.get_by_test_id("learn").tap()
    expect(ana.get_by_test_id("coach")).to_be_visible()
    ana.go_back()
    expect(ana.get_by_test_id("play")).to_be_visible()
    expect(ana.get_by_test_id("back-to-seat")).to_have_count(0)


def play(page: Page, server: Server) -> str:
    """Press Play on the start page; the answer is the address of the table."""
    page.goto(server.url)
    page.get_by_test_id("play").tap()
    page.wait_for_url(re.compile(r"/room/\w+$"))
    page.wait_for_selector("[data-n]")
    return page.url


def spoken(room: str) -> re.Pattern[str]:
    """The code of a table's address as pages show it: the word and the digits."""
    return re.compile(" ?".join(re.findall(r"[A-Z]+|[0-9]+", room.rpartition("/")[2])))


def start_page(page: Page) -> None:
    """Leave the result of a game by its own button."""
    press_in_result(page, "fresh")
    expect(page.get_by_test_id("play")).to_be_visible()


def press_in_result(page: Page, button: str) -> None:
    """Press a button of the result, which has come by itself and takes no press at once."""
    page.get_by_test_id(button).wait_for()
    panel_ready(page)
    press(page, button)
