"""A player deletes their name in the menu: the page asks once, and all at the table see it at once."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.gathering import UNHURRIED, Gather, gather

__all__ = ["gather"]

pytestmark = [
    pytest.mark.browser,
    pytest.mark.one_engine("The server deletes names."),
]


def test_a_name_is_deleted_when_that_was_said_twice(gather: Gather) -> None:
    ana, ben = gather(f"1;classic;{UNHURRIED}", "5H 8C 2S", "5S 3C 9D")
    expect(ben.get_by_text("Ana", exact=True).first).to_be_visible()
    for answer in ("keep", "confirm-deletion"):
        ana.get_by_test_id("open-menu").tap()
        ana.get_by_test_id("menu-name").tap()
        expect(ben.get_by_text("Ana", exact=True).first).to_be_visible()
        ana.get_by_test_id(answer).tap()
        expect(ana.get_by_test_id("no-name")).to_have_count(0)
    expect(ben.get_by_text("–", exact=True).first).to_be_visible()
    expect(ben.get_by_text("Ana", exact=True)).to_have_count(0)


def test_while_the_server_still_clears_its_files_the_page_says_so(gather: Gather) -> None:
    """The answer 202, as while a backup reads the file (`tests/web/test_forgetting.py`)."""
    ana, _ = gather(f"1;classic;{UNHURRIED}", "5H 8C 2S", "5S 3C 9D")
    ana.route("**/api/rooms/*/name", lambda route: route.fulfill(status=202, json={"player_ids": [0], "done": False}))
    ana.get_by_test_id("open-menu").tap()
    ana.get_by_test_id("menu-name").tap()
    ana.get_by_test_id("confirm-deletion").tap()
    expect(ana.get_by_text("still clearing its files")).to_be_visible()
    expect(ana.get_by_test_id("confirm-deletion")).to_have_count(0)
    ana.get_by_test_id("deletion-seen").tap()
    expect(ana.get_by_test_id("no-name")).to_have_count(0)
