"""Text twice as large, and text set wide: nothing is lost, everything can be pressed, and the newest card is free."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from ratscrew.table.registry.codes import WORDS
from tests.browser.conftest import LAPTOP, PHONE, SMALL, OpenPage
from tests.browser.gathering import UNHURRIED, post, stands
from tests.browser.large import DOUBLED, SPACED, WIDEST_WORD, lost, over_the_newest_card
from tests.browser.server import Server

pytestmark = pytest.mark.browser

PAGES = {
    "/": "play",
    "/rules": "sheet",
    "/judge": "",
    "/practice": "begin",
    "/watch": "nothing-to-watch",
    "/learn": "coach",
    "/together": "deal",
    "/room/NOPE": "",
    "/nowhere": "missing",
    "/arena": "open-arena",
    "/me": "keep-games",
    "/me/friends": "friends",
    "/players": "choose-rules",
}
"""What each shows last."""

DEAL = "ratscrew 1\nhouse 1;classic\nhand 1 9S JC 4H 8D\nhand 2 9H 5C 7D 8C\nhand 3 QH KC 2D\nlead 1\n"
ZOOMED: dict[str, dict[str, Any]] = {
    "laptop at 200 %": {"viewport": {"width": 640, "height": 400}, "device_scale_factor": 2},
    "320 px wide": {"viewport": {"width": 320, "height": 568}, "device_scale_factor": 2, "has_touch": True},
}
WIDE: dict[str, dict[str, Any]] = {
    "laptop, spaced": {"viewport": LAPTOP},
    "phone, spaced": {"viewport": PHONE, "has_touch": True},
}
TWICE: dict[str, dict[str, Any]] = {
    "320 px wide, text twice as large": {"viewport": SMALL},
    "320 px wide, text twice as large, in German": {"viewport": SMALL, "locale": "de-DE"},
}
VIEWS = {**ZOOMED, **WIDE, **TWICE}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that deals three hands."""
    place = Path(tmp_path_factory.mktemp("large"))
    (place / "deal.txt").write_text(DEAL, encoding="utf-8")
    with Server(place / "games.sqlite3", deal=place / "deal.txt") as one:
        yield one


@pytest.fixture(params=VIEWS)
def page(open_page: OpenPage, request: pytest.FixtureRequest) -> Page:
    """A page shown large, one way or the other."""
    how = dict(VIEWS[request.param])
    touch = bool(how.pop("has_touch", False))
    page = open_page(how.pop("viewport"), touch, refused=True, **how)
    change = SPACED if request.param in WIDE else DOUBLED if request.param in TWICE else "() => {}"
    page.add_init_script(f"window.enlarge = {change}")
    return page


def whole(page: Page, screen: str) -> None:
    """Nothing of a screen is lost."""
    page.evaluate("enlarge()")
    page.wait_for_function("() => document.fonts.status === 'loaded'")
    found = lost(page)
    assert not found, f"{screen}: {found}"


def test_every_page_of_its_own(page: Page, server: Server) -> None:
    for path, shown in PAGES.items():
        page.goto(f"{server.url}{path}")
        (page.get_by_test_id(shown) if shown else page.get_by_role("heading")).first.wait_for()
        whole(page, path)
    page.close()


def test_a_room_from_its_door_to_the_table(page: Page, server: Server) -> None:
    house = f"1;classic;{UNHURRIED}"
    joined = post(page, f"{server.url}/api/rooms", name="Ana", bots=2, house=house, wait=True)
    room = f"{server.url}/room/{joined['room']}"
    page.goto(room)
    page.get_by_test_id("join-go").wait_for()
    page.evaluate(WIDEST_WORD, WORDS)
    whole(page, "the door")
    page.evaluate(f"localStorage.setItem('ratscrew:seat:{joined['room']}', '{joined['player_id']}')")
    page.goto(room)
    page.get_by_test_id("start").wait_for()
    page.evaluate(WIDEST_WORD, WORDS)
    whole(page, "the waiting room")
    page.get_by_test_id("start").click()
    stands(page, n=0, phase="play")
    whole(page, "the table before its first card")
    page.get_by_test_id("deck").click()
    expect(page.get_by_test_id("stage")).not_to_have_attribute("data-top", "")
    page.wait_for_function("() => document.querySelector('.stage [data-card]')")
    whole(page, "the table")
    assert over_the_newest_card(page) == []
    for opener, panel in {"rules": "house-title", "open-menu": "menu", "meter": "how-title"}.items():
        page.get_by_test_id(opener).click()
        page.get_by_test_id(panel).wait_for()
        whole(page, panel)
        for _ in range(50):
            if page.get_by_test_id(panel).count():
                page.keyboard.press("Escape")
                page.wait_for_timeout(50)
    page.close()
