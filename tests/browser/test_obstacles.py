"""What players read when something between them and the server is in the way."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import PHONE, OpenPage
from tests.browser.proxies import PASSED_ON, behind, nginx
from tests.browser.server import Server

pytestmark = pytest.mark.browser

ONWARD = "location / {{ proxy_pass http://127.0.0.1:8765; {} }}"
WITHOUT_UPGRADE = ONWARD.format(re.sub("proxy_set_header (Upgrade|Connection) .*\n", "", PASSED_ON))
WITHOUT_STREAMS = "location ~ /stream { return 403; }" + WITHOUT_UPGRADE
WITHOUT_HOST = ONWARD.format(re.sub("proxy_set_header Host .*\n", "", PASSED_ON))


@pytest.mark.parametrize(
    ("locale", "says"), [("en-US", "blocks live connections"), ("de-DE", "keine Live-Verbindungen")]
)
def test_where_neither_sockets_nor_streams_get_through_the_page_says_so(
    open_page: OpenPage, tmp_path: Path, locale: str, says: str
) -> None:
    with (
        Server(tmp_path / "games.sqlite3", proxied=True) as server,
        behind(nginx, WITHOUT_STREAMS, tmp_path, server) as host,
    ):
        page = open_page(PHONE, offline=True, refused=True, locale=locale)
        page.goto(host)
        page.get_by_test_id("play").click()
        expect(page.get_by_test_id("no-connection")).to_contain_text(says)
        page.close()


def test_a_server_behind_a_proxy_that_is_away_is_not_a_refusal(open_page: OpenPage, tmp_path: Path) -> None:
    with (
        Server(tmp_path / "games.sqlite3", proxied=True) as server,
        behind(nginx, ONWARD.format(PASSED_ON), tmp_path, server) as host,
    ):
        page = open_page(PHONE, offline=True, refused=True)
        page.goto(host)
        page.get_by_test_id("play").click()
        expect(page.get_by_test_id("pile")).to_be_visible()
        server.stop()
        expect(page.get_by_test_id("reconnecting")).to_contain_text("The server doesn’t answer")
        server.start()
        expect(page.get_by_test_id("reconnecting")).to_have_count(0)
        page.goto(host)
        server.stop()
        page.get_by_test_id("play").click()
        expect(page.get_by_role("alert")).to_contain_text("Can’t reach the server")
        page.close()


def test_a_page_of_an_address_that_the_server_does_not_know_says_that(open_page: OpenPage, tmp_path: Path) -> None:
    with (
        Server(tmp_path / "games.sqlite3", proxied=True) as server,
        behind(nginx, WITHOUT_HOST, tmp_path, server) as host,
    ):
        page = open_page(PHONE, offline=True, refused=True)
        page.goto(host)
        page.get_by_test_id("play").click()
        expect(page.get_by_role("alert")).to_contain_text("doesn’t know the address")
        page.close()
