"""A finished game goes on from a moment of its replay, in real browsers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import ViewportSize, expect

from tests.browser.conftest import LAPTOP, PHONE, OpenPage
from tests.browser.large import whole_when_large
from tests.browser.server import Server
from tests.browser.test_replay import GAME, keep

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where the game is replayed."""
    file: Path = tmp_path_factory.mktemp("play-on") / "games.sqlite3"
    keep(file)
    with Server(file) as server:
        yield f"{server.url}/replay/{GAME}"


@pytest.mark.parametrize("screen", [PHONE, LAPTOP], ids=["phone", "laptop"])
def test_a_seat_is_taken_after_two_cards(open_page: OpenPage, url: str, screen: ViewportSize) -> None:
    page = open_page(screen, moving=True)
    page.goto(url)
    page.get_by_test_id("slap").click()
    expect(page.get_by_test_id("stage")).to_have_attribute("data-n", "2")
    page.get_by_test_id("play-on").click()
    whole_when_large(page)
    page.get_by_test_id("play-as-1").click()
    page.wait_for_url("**/room/*")
    expect(page.get_by_test_id("stage")).to_be_visible()
