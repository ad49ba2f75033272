"""No third-party requests: every browser test fails if a page sends a request to any server but its own; here is the
proof that this is noticed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.browser.engines import Launcher
from tests.browser.server import Server
from tests.browser.strangers import asked_of_strangers

pytestmark = pytest.mark.browser


def test_what_a_page_asks_of_a_stranger_is_noticed_and_what_it_asks_of_its_server_is_not(
    browser: Launcher, tmp_path: Path
) -> None:
    with Server(tmp_path / "games.sqlite3") as server:
        context = browser.new_context(bypass_csp=True)
        strangers = asked_of_strangers(context)
        page = context.new_page()
        page.route("https://stranger.example/**", lambda route: route.abort())
        page.goto(server.url)
        page.get_by_test_id("play").wait_for()
        assert strangers == []
        page.evaluate("fetch('https://stranger.example/letters.woff2').catch(() => null)")
        with page.expect_websocket():
            page.evaluate("void new WebSocket('ws://stranger.example/ear')")
        context.close()
    assert strangers == ["https://stranger.example/letters.woff2", "ws://stranger.example/ear"]
