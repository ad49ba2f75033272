"""Every text fits wherever it may stand, at every size that is promised and in every language; no game is played."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.browser import (
    community_scenes,
    end_scenes,
    learning_scenes,
    page_scenes,
    panel_scenes,
    screen_scenes,
    seat_scenes,
    table_scenes,
    waiting_scenes,
)
from tests.browser.catalogue import SHOWN, lost_at_any_size, may_stand_in, record, shows
from tests.browser.conftest import PHONE, Pages
from tests.browser.engines import Launcher
from tests.browser.scenes import SCENES, TABLE, as_new, shown
from tests.browser.server import Server
from tests.browser.tables import CARD, RACE, change, gather, happens

__all__ = [
    "community_scenes",
    "end_scenes",
    "learning_scenes",
    "page_scenes",
    "panel_scenes",
    "screen_scenes",
    "seat_scenes",
    "table_scenes",
    "waiting_scenes",
]  # they add their screens

pytestmark = [
    pytest.mark.browser,
    pytest.mark.one_engine(
        "Each screen is laid out in twenty ways; how engines differ is seen at the screens of games."
    ),
]

TEXTS = tomllib.loads(Path(__file__).with_name("texts.toml").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server for all screens."""
    with Server(Path(tmp_path_factory.mktemp("texts")) / "games.sqlite3") as one:
        yield one


@pytest.fixture(scope="module")
def pages(browser: Launcher) -> Iterator[Pages]:
    """Opens the page for all screens."""
    pages = Pages(browser)
    yield pages
    pages.close()


@pytest.fixture(scope="module")
def page(pages: Pages) -> Page:
    """A page with its texts recorded."""
    page = pages.open(PHONE, offline=True, refused=True, locale=SHOWN)
    page.add_init_script(TABLE)
    record(page, SHOWN)
    return page


@pytest.mark.parametrize("scene", SCENES)
def test_every_text_fits(page: Page, pages: Pages, server: Server, scene: str) -> None:
    page.set_viewport_size(PHONE)
    with as_new(page, server.url):
        SCENES[scene].open(page, server.url)
        shows(page, {*TEXTS["screens"].get(scene, [])} - may_stand_in(SCENES[scene].places))
        found = lost_at_any_size(page, SCENES[scene], server.url)
    assert not found, "\n".join(found)
    assert not (complaints := pages.complaints()), complaints


def test_a_table_that_stands_still_shows_the_same_to_a_new_connection(page: Page, pages: Pages, server: Server) -> None:
    """On a busy machine a page may take a server for gone, and connects again."""
    with as_new(page, server.url):
        gather(page, server.url)
        change(page, CARD)
        happens(page, RACE)
        page.evaluate("window.before = table.socket; table.socket.close(4000)")
        page.wait_for_function("() => table.socket !== window.before")
        shown(page, "how")
        happens(page, {"e": "given", "seat": 1, "to_seat": 2, "card": None})
        page.wait_for_function("() => document.querySelector('[data-testid=banner] b')?.textContent.includes('V')")
    assert not (complaints := pages.complaints()), complaints
