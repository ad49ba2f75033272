"""The page of games to watch, on a phone and a laptop: public games and arenas are there, private ones never are."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.browser.conftest import LAPTOP, PHONE, OpenPage
from tests.browser.far import Far
from tests.browser.gathering import Gather, gather, post

__all__ = ["gather"]

pytestmark = [
    pytest.mark.browser,
    pytest.mark.one_engine("An ordinary list of links; the server chooses what is in it."),
]

ELSEWHERE = "127.0.0.9"


def refreshed(page: Page) -> Page:
    """The page with a new list."""
    with page.expect_response("**/api/watch"):
        page.get_by_test_id("watch-refresh").click()
    return page


@pytest.mark.parametrize("size", [PHONE, LAPTOP], ids=["phone", "laptop"])
def test_a_visitor_finds_a_public_game_and_an_arena_and_no_private_one(
    gather: Gather, open_page: OpenPage, size: ViewportSize
) -> None:
    ana, _ = gather("1;classic;turn_ms=60000", "5H 9D 2S", "6C 3D 4S", speed=1)
    server = ana.url.partition("/room/")[0]
    with Far(int(server.split(":")[2]), 0, ELSEWHERE) as elsewhere:
        eve = open_page(size, touch=size == PHONE)
        eve.goto(elsewhere.url)
        eve.get_by_test_id("watch-link").click()
        expect(eve.get_by_test_id("nothing-to-watch")).to_be_visible()
        ana.get_by_test_id("open-menu").click()
        ana.get_by_test_id("menu-access").click()
        ana.get_by_test_id("listed").click()
        expect(ana.get_by_test_id("listed")).to_be_checked()
        arena = post(ana, f"{server}/api/arenas", title="Friday night", minutes=30, starts_in_s=0)["code"]
        refreshed(eve)
        expect(eve.get_by_test_id("game-to-watch")).to_have_count(1)
        expect(eve.get_by_test_id("game-to-watch")).to_contain_text("Ana’s table")
        expect(eve.get_by_test_id("arena-to-watch")).to_have_count(0)  # nobody plays there yet
        post(ana, f"{server}/api/rooms/{arena}/arena/players", name="Ana", appearance={"hue": 1, "shape": "paw"})
        while not sum(each["players"] for each in ana.request.get(f"{server}/api/arenas").json()):
            ana.wait_for_timeout(100)
        refreshed(eve)
        expect(eve.get_by_test_id("arena-to-watch")).to_contain_text("Friday night")
        eve.get_by_test_id("game-to-watch").click()
        eve.get_by_test_id("just-watch").click()
        expect(eve.locator(".watch p")).to_have_text("Watching, 3 seconds behind")
        eve.go_back()
        ana.get_by_test_id("listed").click()
        expect(ana.get_by_test_id("listed")).not_to_be_checked()
        expect(refreshed(eve).get_by_test_id("nothing-to-watch")).to_be_visible()
        eve.close()
