"""For everybody: axe finds nothing on any screen, and whatever is pressed is large enough for a thumb."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.browser.axe import too_small, violations
from tests.browser.conftest import LAPTOP, PHONE, OpenPage
from tests.browser.gathering import UNHURRIED, post
from tests.browser.server import Server

pytestmark = pytest.mark.browser

START = {"": "play", "against": "bots", "hand": "hand-picker", "house": "choose-house", "open-rooms": "open-none"}
"""What the start page shows after a press on each of its buttons, the first without any."""

PAGES = {"/rules": "sheet", "/judge": None, "/practice": None, "/learn": "stage", "/room/NOPE": None}
TABLE = {"": "stage", "rules": "sheet", "open-menu": "menu", "meter": "close-how", "say": "stage"}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for all screens."""
    with Server(Path(tmp_path_factory.mktemp("screens")) / "games.sqlite3") as one:
        yield one


@pytest.fixture(params=[PHONE, LAPTOP], ids=["phone", "laptop"])
def page(open_page: OpenPage, request: pytest.FixtureRequest) -> Page:
    """A page that lets axe in, and does not move while it looks."""
    view: ViewportSize = request.param
    return open_page(view, refused=True, bypass_csp=True, service_workers="allow", reduced_motion="reduce")


def test_the_start_page_and_what_opens_on_it(page: Page, server: Server) -> None:
    for button, shown in START.items():
        page.goto(server.url)
        press(page, button)
        look(page, f"start {button}", shown)
    page.close()


@pytest.mark.parametrize("path", PAGES)
def test_each_page_of_its_own(page: Page, server: Server, path: str) -> None:
    page.goto(f"{server.url}{path}")
    look(page, path, PAGES[path])
    page.close()


def test_a_room_from_the_door_to_the_table(page: Page, server: Server) -> None:
    house = f"1;classic;{UNHURRIED}"
    joined = post(page, f"{server.url}/api/rooms", name="Ana", bots=2, house=house, wait=True)
    room = f"{server.url}/room/{joined['room']}"
    for path, shown in ((room, "join-go"), (room.replace("/room/", "/tv/"), None)):
        page.goto(path)
        look(page, f"before the game {path}", shown)
    page.evaluate(f"localStorage.setItem('ratscrew:seat:{joined['room']}', '{joined['token']}')")
    for button, shown in {"": "start", "other-device": "copy-seat", "change-house": "use-house"}.items():
        page.goto(room)
        expect(page.get_by_test_id("start")).to_be_visible()
        press(page, button)
        look(page, f"waiting {button}", shown)
    page.goto(room)
    page.get_by_test_id("start").click()
    for button, shown in TABLE.items():
        page.goto(room)
        expect(page.get_by_test_id("deck")).to_be_visible()
        press(page, button)
        look(page, f"table {button}", shown)
    page.goto(room.replace("/room/", "/tv/"))
    look(page, "television", "stage")
    page.close()


def press(page: Page, button: str) -> None:
    """Press a button, if one is named."""
    if button:
        page.get_by_test_id(button).first.click()


def look(page: Page, screen: str, shown: str | None) -> None:
    """The screen has come, breaks no rule, and a thumb finds everything on it."""
    found = page.get_by_test_id(shown) if shown else page.get_by_role("heading", level=1)
    expect(found.first).to_be_attached()
    page.wait_for_function("document.fonts.status === 'loaded'")
    assert violations(page) == [], screen
    assert too_small(page) == [], screen
