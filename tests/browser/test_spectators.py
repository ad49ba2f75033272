"""A visitor from another network watches a table some seconds behind its players; a television beside them is live."""

from __future__ import annotations

import pytest
from playwright.sync_api import ViewportSize, expect

from tests.browser.conftest import LAPTOP, PHONE, OpenPage
from tests.browser.far import Far
from tests.browser.gathering import Gather, gather, turn

__all__ = ["gather"]

pytestmark = [
    pytest.mark.browser,
    pytest.mark.one_engine("The server delays what strangers see."),
]

ELSEWHERE = "127.0.0.9"


@pytest.mark.parametrize("size", [PHONE, LAPTOP], ids=["phone", "laptop"])
def test_a_visitor_from_elsewhere_watches_a_little_later(
    gather: Gather, open_page: OpenPage, size: ViewportSize
) -> None:
    ana, ben = gather("1;classic;turn_ms=60000", "5H 9D 2S", "6C 3D 4S", speed=1)
    port, path = int(ana.url.split(":")[2].partition("/")[0]), ana.url.partition("/room/")[2]
    television = open_page(LAPTOP)
    television.goto(ana.url.replace("/room/", "/tv/"))
    with Far(port, 0, ELSEWHERE) as elsewhere:
        eve = open_page(size, touch=size == PHONE)
        eve.goto(f"{elsewhere.url}/room/{path}")
        eve.get_by_test_id("just-watch").click()
        expect(eve.locator(".watch p")).to_have_text("Watching, 3 seconds behind")
        turn(ana, n=1)
        expect(television.get_by_test_id("stage")).to_have_attribute("data-n", "1")
        assert eve.get_by_test_id("stage").get_attribute("data-n") == "0"
        expect(eve.get_by_test_id("stage")).to_have_attribute("data-top", "5H", timeout=10_000)
        turn(ben, n=2)
        expect(eve.get_by_test_id("stage")).to_have_attribute("data-top", "6C", timeout=10_000)
        eve.close()
    television.close()
