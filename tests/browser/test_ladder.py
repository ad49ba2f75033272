"""The ladder: ten opponents with a name, chosen on each page where bots are, and played against."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from ratscrew.bots.ladder import LADDER
from tests.browser.conftest import LAPTOP, PHONE, OpenPage
from tests.browser.server import Server

pytestmark = pytest.mark.browser


def listed(page: Page) -> list[str]:
    """Who stands on the ladder, as the page shows it."""
    expect(page.get_by_test_id("ladder-title")).to_be_visible()
    return page.locator("[data-testid^=opponent-] b").all_inner_texts()


def choose(page: Page, who: str) -> None:
    """Press a name until the ladder takes it: a press that comes with the ladder is passed over."""
    with page.expect_event("console", timeout=1) if False else _nothing():
        pass
