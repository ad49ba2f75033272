"""Below a path of a host, behind nginx and Caddy set up as in the documentation, a game can be played."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import PHONE, OpenPage
from tests.browser.proxies import Proxy, behind, caddy, nginx
from tests.browser.server import Server

pytestmark = pytest.mark.browser

DOCS = (Path(__file__).resolve().parents[2] / "docs/operations.md").read_text()
BASE = "/ratscrew"


def snippet(kind: str) -> str:
    """The lines of the documentation for a proxy."""
    (found,) = re.findall(rf"^```{kind}\n(.*?)^```", DOCS[DOCS.index("### Below a path") :], re.MULTILINE | re.DOTALL)
    return str(found)


PROXIES: dict[str, tuple[Proxy, Callable[[], str]]] = {
    "nginx": (nginx, lambda: snippet("nginx")),
    "nginx_removes_it": (nginx, lambda: snippet("nginx").replace("8765;", "8765/;")),
    "caddy": (caddy, lambda: snippet("caddy")),
    "caddy_removes_it": (caddy, lambda: snippet("caddy").replace("handle /", "handle_path /")),
}


@pytest.mark.parametrize("name", PROXIES)
def test_a_game_below_a_path(open_page: OpenPage, tmp_path: Path, name: str) -> None:
    command, lines = PROXIES[name]
    with (
        Server(tmp_path / "games.sqlite3", proxied=True, more=("--base-path", BASE)) as server,
        behind(command, lines(), tmp_path, server) as host,
    ):
        page = open_page(PHONE, eager=True)
        page.goto(f"{host}{BASE}/")
        assert page.evaluate("navigator.serviceWorker.ready.then(({ scope }) => scope)") == f"{host}{BASE}/"
        page.get_by_test_id("play").click()
        expect(page.get_by_test_id("pile")).to_be_visible()
        expect(page).to_have_url(re.compile(rf"{host}{BASE}/room/\w+$"))
        cookies = page.context.cookies()
        assert cookies
        assert all(cookie["path"].startswith(f"{BASE}/api/") for cookie in cookies)
        page.reload()  # the seat is still this browser's
        expect(page.get_by_test_id("pile")).to_be_visible()
        expect(page.get_by_test_id("join")).to_have_count(0)
        page.goto(f"{host}{BASE}/judge/")
        expect(page).to_have_url(f"{host}{BASE}/judge")
        page.locator("a.home").click()
        expect(page).to_have_url(f"{host}{BASE}/")
        manifest = page.request.get(f"{host}{BASE}/manifest.webmanifest")
        assert manifest.ok
        page.close()
