"""Streamer mode: a setting after which no code of a table is on the screen, and no QR code."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import ViewportSize, expect

from tests.browser.conftest import LAPTOP, PHONE, OpenPage
from tests.browser.gathering import post
from tests.browser.server import Server

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("size", [PHONE, LAPTOP], ids=["phone", "laptop"])
def test_no_code_is_on_the_screen(open_page: OpenPage, tmp_path: Path, size: ViewportSize) -> None:
    with Server(tmp_path / "games.sqlite3") as server:
        page = open_page(size, touch=size == PHONE)
        page.goto(server.url)
        page.get_by_test_id("settings-of-start").click()
        page.get_by_test_id("set-streamer").click()
        joined = post(page, f"{server.url}/api/rooms", name="Ana", bots=0, wait=True)
        room = joined["room"]
        page.evaluate(f"localStorage.setItem('ratscrew:seat:{room}', '{joined['player_id']}')")
        for path in ("room", "tv"):
            page.goto(f"{server.url}/{path}/{room}")
            expect(page.get_by_test_id("code")).to_have_text("••••")
            expect(page.get_by_test_id("qr")).to_have_count(0)
            assert room[4:] not in page.locator("body").inner_text().replace(" ", "")
        page.close()
