"""A room on a television: it only watches, and shows how to join, the players, the first slap and the winner."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.browser.conftest import LAPTOP, PHONE, OpenPage
from tests.browser.gathering import Gather, gather, post, slap, turn
from tests.browser.server import Server
from tests.browser.stays import STAYS

__all__ = ["gather"]

pytestmark = pytest.mark.browser

TELEVISIONS: list[ViewportSize] = [{"width": 1920, "height": 1080}, {"width": 1280, "height": 720}]


@pytest.mark.parametrize("size", TELEVISIONS, ids=["1920x1080", "1280x720"])
def test_before_the_game_the_code_is_huge_and_everybody_who_comes_is_seen(
    open_page: OpenPage, tmp_path: Path, size: ViewportSize
) -> None:
    with Server(tmp_path / "games.sqlite3") as server:
        host, television = open_page(PHONE, touch=True), open_page(size, moving=True)
        palm = {"hue": 4, "shape": "paw"}
        room = post(host, f"{server.url}/api/rooms", name="Ana", bots=0, wait=True, appearance=palm)["room"]
        television.goto(f"{server.named_url}/tv/{room}")
        code = television.get_by_test_id("code")
        expect(code).to_have_text(f"{room[:4]} {room[4:]}")
        assert television.get_by_test_id("joining").get_by_test_id("qr").bounding_box()
        letters = code.bounding_box()
        assert letters
        assert letters["height"] >= size["height"] / 9
        expect(television.get_by_test_id("waiting-seat")).to_have_count(1)
        post(host, f"{server.url}/api/rooms/{room}/seats", name="Ben")
        expect(television.get_by_test_id("waiting-seat")).to_have_text(["Ana", "Ben"])
        assert fits(television)
        for page in (host, television):
            page.close()


@pytest.mark.parametrize("size", TELEVISIONS, ids=["1920x1080", "1280x720"])
def test_phones_play_and_the_television_shows_it(gather: Gather, open_page: OpenPage, size: ViewportSize) -> None:
    ana, ben = gather("1;classic;turn_ms=60000", "5H 9D", "5C 3D", speed=1)
    television = open_page(size)
    television.goto(ana.url.replace("/room/", "/tv/"))
    turn(ana, n=1)
    expect(television.get_by_test_id("stage")).to_have_attribute("data-top", "5H")
    turn(ben, n=2)
    slap(ana, n=2)
    expect(television.get_by_test_id("banner")).to_contain_text("Double!")
    first = television.get_by_test_id("first")
    expect(first).to_contain_text("Ana")
    expect(first).to_contain_text("ms")
    expect(television.locator("[data-seat='0']")).to_have_attribute("data-held", "3")
    code = television.get_by_test_id("joining").get_by_test_id("code")
    expect(code).to_have_attribute("data-code", ana.url.rpartition("/")[2])
    assert fits(television)
    assert television.locator("main button").count() == 0, "a television has no controls"
    television.close()


def test_the_first_slap_is_shown_until_the_next_card_lies_there(gather: Gather, open_page: OpenPage) -> None:
    ana, ben = gather("1;classic;turn_ms=60000", "5H 9D 2S", "5C 3D", speed=1)
    television = open_page(LAPTOP)
    television.add_init_script(STAYS)
    television.goto(ana.url.replace("/room/", "/tv/"))
    turn(ana, n=1)
    turn(ben, n=2)
    slap(ana, n=2)
    expect(television.get_by_test_id("first")).to_contain_text("Ana")
    turn(ana, n=3)
    expect(television.get_by_test_id("stage")).to_have_attribute("data-n", "3")
    expect(television.get_by_test_id("first")).to_have_count(0)
    expect(television.get_by_test_id("stage")).not_to_contain_text(" ms")
    television.close()


def test_the_winner_is_shown_to_the_whole_room(gather: Gather, open_page: OpenPage) -> None:
    ana, ben = gather("1;classic;turn_ms=60000;slap_in=no", "5H 9D 8D", "5C", speed=2)
    television = open_page(LAPTOP)
    television.goto(ana.url.replace("/room/", "/tv/"))
    turn(ana, n=1)
    turn(ben, n=2)
    slap(ana, n=2)
    expect(television.get_by_test_id("winner")).to_contain_text("Ana wins")
    expect(television.get_by_test_id("winner")).to_contain_text("Fastest slap")
    television.close()


def fits(page: Page) -> bool:
    """Whether nothing reaches beyond the screen, and no seat lies over another."""
    return bool(
        page.evaluate("""() => {
          const boxes = [...document.querySelectorAll('[data-seat]')].map((seat) => seat.getBoundingClientRect())
          const inside = (box) => box.left >= 0 && box.top >= 0 && box.right <= innerWidth && box.bottom <= innerHeight
          const apart = (a, b) => a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top
          return document.documentElement.scrollWidth <= innerWidth && boxes.every(inside)
            && boxes.every((box, i) => boxes.every((other, j) => i <= j || apart(box, other)))
        }""")
    )
