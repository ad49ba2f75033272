"""The page can be installed: its worker keeps it, it starts without its server, and a new one is taken up."""

from __future__ import annotations

import shutil
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from ratscrew.web.http.static_files import PAGE
from tests.browser.conftest import PHONE, OpenPage
from tests.browser.gathering import post
from tests.browser.server import Server

pytestmark = [pytest.mark.browser, pytest.mark.each_engine]

KEPT = "navigator.serviceWorker.ready.then(({ active }) => active.state)"
CACHES = "caches.keys()"
NEW = "shell of tomorrow"


def test_the_browser_finds_nothing_missing_for_installing(open_page: OpenPage, tmp_path: Path) -> None:
    with Server(tmp_path / "games.sqlite3") as server:
        page = open_page(PHONE, eager=True)
        page.goto(server.url)
        screen = page.context.new_cdp_session(page)
        assert screen.send("Page.getAppManifest")["errors"] == []
        found = screen.send("Page.getInstallabilityErrors")["installabilityErrors"]
        assert [error["errorId"] for error in found] == ["in-incognito"]  # as every page of a test
        manifest: dict[str, Any] = page.request.get(f"{server.url}/manifest.webmanifest").json()
        sizes = {(icon["sizes"], icon["purpose"]) for icon in manifest["icons"] if icon["type"] == "image/png"}
        assert sizes == {("192x192", "any"), ("512x512", "any"), ("512x512", "maskable")}
        for icon in manifest["icons"]:
            if icon["sizes"] != "any":
                assert page.evaluate(SIZE_OF, icon["src"]) == icon["sizes"]
        page.close()


def test_without_its_server_the_page_starts_and_says_so_calmly(open_page: OpenPage, tmp_path: Path) -> None:
    with Server(tmp_path / "games.sqlite3") as server:
        page = open_page(PHONE, offline=True, eager=True)
        page.goto(server.url)
        assert page.evaluate(KEPT) in ("activating", "activated")
        page.reload()  # now the worker stands between the page and the network
        server.stop()
        page.goto(f"{server.url}/")
        expect(page.get_by_test_id("play")).to_be_visible()
        expect(page.get_by_test_id("alone")).to_be_visible()
        server.start()
        expect(page.get_by_test_id("alone")).to_have_count(0)
        page.close()


def test_behind_a_proxy_that_answers_for_a_server_that_is_away_the_page_starts(
    open_page: OpenPage, tmp_path: Path
) -> None:
    with Server(tmp_path / "games.sqlite3") as server:
        page = open_page(PHONE, offline=True, eager=True)
        page.goto(server.url)
        assert page.evaluate(KEPT) in ("activating", "activated")
        page.reload()
        server.stop()
        for status in (b"502 Bad Gateway", b"503 Service Unavailable", b"504 Gateway Timeout"):
            with answering(server.port, status):
                page.goto(f"{server.url}/")
                expect(page.get_by_test_id("play")).to_be_visible()
                expect(page.get_by_test_id("alone")).to_be_visible()
        server.start()
        expect(page.get_by_test_id("alone")).to_have_count(0)
        page.close()


def test_what_is_said_between_page_and_server_is_never_kept(open_page: OpenPage, tmp_path: Path) -> None:
    with Server(tmp_path / "games.sqlite3") as server:
        page = open_page(PHONE, eager=True)
        page.goto(server.url)
        page.evaluate(KEPT)
        page.reload()
        room = post(page, f"{server.url}/api/rooms", name="Ana", bots=2)["room"]
        page.goto(f"{server.url}/room/{room}")
        expect(page.get_by_test_id("join-go")).to_be_visible()
        kept = page.evaluate(ALL_KEPT)
        paths = {urlsplit(url).path for url in kept}
        assert "/index.html" in paths
        assert not any(path.startswith("/api") for path in paths)
        page.close()


def test_a_new_worker_waits_for_the_next_start_and_then_the_old_page_is_gone(
    open_page: OpenPage, tmp_path: Path
) -> None:
    with Server(tmp_path / "games.sqlite3") as server:
        page = open_page(PHONE, offline=True, eager=True)
        page.add_init_script(REGISTERED)
        page.goto(server.url)
        page.evaluate(KEPT)
        page.reload()
        page.wait_for_function("() => window.registered")  # from here on this page lets no other worker take over
        [old] = page.evaluate(CACHES)
        server.stop()
        server.page = renewed(tmp_path / "page", old)
        server.start()
        page.evaluate("navigator.serviceWorker.ready.then((worker) => worker.update())")
        page.wait_for_function("async () => (await navigator.serviceWorker.getRegistration()).waiting !== null")
        assert set(page.evaluate(CACHES)) == {old, NEW}
        page.reload()
        page.wait_for_function(f"async () => (await caches.keys()).join() === '{NEW}'")
        page.close()


REGISTERED = """
const { serviceWorker } = navigator
const register = serviceWorker.register.bind(serviceWorker)
serviceWorker.register = (...all) => {
  const done = register(...all)
  done.then(() => { window.registered = true })
  return done
}
"""

ALL_KEPT = """async () => {
  const shells = await Promise.all((await caches.keys()).map((name) => caches.open(name)))
  return (await Promise.all(shells.map((shell) => shell.keys()))).flat().map(({ url }) => url)
}"""

SIZE_OF = """async (source) => {
  const image = new Image()
  image.src = source
  await image.decode()
  return `${image.naturalWidth}x${image.naturalHeight}`
}"""


def renewed(folder: Path, old: str) -> Path:
    """The built page of another day: the same, but its worker says that it is another."""
    shutil.copytree(PAGE, folder)
    (folder / "sw.js.br").unlink()
    worker = folder / "sw.js"
    text = worker.read_text(encoding="utf-8")
    version = old.removeprefix("shell ")
    assert text.count(version) == 1
    worker.write_text(text.replace(version, NEW.removeprefix("shell ")), encoding="utf-8")
    return folder


@contextmanager
def answering(port: int, status: bytes) -> Iterator[None]:
    """A proxy at this port whose server is away: it answers every request with this status."""

    def answer(connection: socket.socket) -> None:
        with connection, suppress(OSError):
            connection.recv(65536)
            connection.sendall(b"HTTP/1.1 " + status + b"\r\nContent-Length: 4\r\nConnection: close\r\n\r\naway")

    def serve() -> None:
        with suppress(OSError):
            while True:
                threading.Thread(target=answer, args=(listener.accept()[0],), daemon=True).start()

    with socket.create_server(("127.0.0.1", port)) as listener:
        threading.Thread(target=serve, daemon=True).start()
        yield
        listener.shutdown(socket.SHUT_RDWR)
