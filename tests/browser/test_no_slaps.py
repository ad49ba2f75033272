"""A table where nothing can be slapped has no slap pad."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import ViewportSize, expect

from tests.browser.conftest import LAPTOP, PHONE, TABLET, OpenPage
from tests.browser.server import Server

pytestmark = [pytest.mark.browser]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("games") / "games.sqlite3", speed=4) as running:
        yield running


@pytest.mark.parametrize("size", [PHONE, LAPTOP, TABLET], ids=["phone", "laptop", "tablet"])
def test_where_nothing_can_be_slapped_the_table_has_no_slap_pad(
    open_page: OpenPage, server: Server, size: ViewportSize
) -> None:
    page = open_page(size)
    page.goto(server.url)
    page.get_by_test_id("name").fill("Ana")
    page.get_by_test_id("house").click()
    page.get_by_test_id("preset-beggar").click()
    page.get_by_test_id("against").click()
    page.get_by_test_id("play").click()
    page.wait_for_url("**/room/*")
    deck = page.get_by_test_id("deck")
    expect(deck).to_be_visible()
    expect(page.get_by_test_id("slap")).to_have_count(0)
    box = deck.bounding_box()
    assert box
    assert box["width"] > 0.8 * min(size["width"], 400), "the deck has the width of both"
    expect(page.get_by_test_id("stage")).not_to_have_attribute("data-n", "0")
    page.close()
