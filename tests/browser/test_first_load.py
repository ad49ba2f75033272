"""The first load: few bytes, all from our own server, and neither page carries the other."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import PHONE, OpenPage
from tests.browser.gathering import post
from tests.browser.server import Server

pytestmark = pytest.mark.browser

MOST = 70_000
"""Bytes as they come over the line, headers included."""

TABLE_MOST = 88_900
"""What a game takes at present: a bound that may only fall, to MOST. Who opens a link waits, or joins, before that."""

CHUNKS = {"start": "StartPage", "arriving": "JoinRunningGame", "waiting": "WaitingRoom", "table": "TablePage"}
"""The scripts of the pages, by their names in the build, and the components that they bring."""


@dataclass
class Load:
    """What a page has fetched, as the browser counts it."""

    bytes: dict[str, int] = field(default_factory=dict)
    hosts: set[str] = field(default_factory=set)

    @property
    def total(self) -> int:
        """All of it."""
        return sum(self.bytes.values())

    def listen(self, page: Page) -> None:
        """Count from now on, without the browser's cache."""
        screen, paths = page.context.new_cdp_session(page), {}

        def sent(event: dict[str, Any]) -> None:
            url = urlsplit(event["request"]["url"])
            paths[event["requestId"]] = url.path
            if url.scheme != "data":  # a picture within a style
                self.hosts.add(url.netloc)

        def came(event: dict[str, Any]) -> None:
            path = paths.get(event["requestId"], "")
            self.bytes[path] = self.bytes.get(path, 0) + int(event["encodedDataLength"])

        screen.on("Network.requestWillBeSent", sent)
        screen.on("Network.loadingFinished", came)
        screen.send("Network.enable")
        screen.send("Network.setCacheDisabled", {"cacheDisabled": True})


def test_the_start_page_is_small_and_brings_no_table(open_page: OpenPage, tmp_path: Path) -> None:
    with Server(tmp_path / "games.sqlite3") as server:
        load = load_of(open_page(PHONE, touch=True), server, "/", "play")
    assert 20_000 < load.total < MOST, load.bytes
    assert pages_in(load) == {"StartPage"}
    assert not any("/room-" in path for path in load.bytes)


@pytest.mark.parametrize(
    ("playing", "seated", "ready", "brings", "most"),
    [
        (True, False, "join-go", "JoinRunningGame", MOST),
        (False, False, "join-go", "WaitingRoom", MOST),
        (False, True, "start", "WaitingRoom", MOST),
        (True, True, "deck", "TablePage", TABLE_MOST),
    ],
    ids=["arriving", "coming", "waiting", "playing"],
)
def test_a_room_brings_what_is_seen_of_it(
    open_page: OpenPage, tmp_path: Path, playing: bool, seated: bool, ready: str, brings: str, most: int
) -> None:
    with Server(tmp_path / "games.sqlite3") as server:
        bots = 2 if playing else 0
        page = open_page(PHONE, touch=True)
        joined = post(page, f"{server.url}/api/rooms", name="Ana", bots=bots, wait=not playing)
        if seated:
            page.add_init_script(f"localStorage.setItem('ratscrew:seat:{joined['room']}', '{joined['player_id']}')")
        load = load_of(page, server, f"/room/{joined['room']}", ready)
    assert 20_000 < load.total < most, load.bytes
    assert pages_in(load) == {brings}
    assert any("/game-" in path for path in load.bytes) == playing  # a room without a game does without


def test_a_german_reader_waits_for_no_script_to_ask_for_the_words(open_page: OpenPage, tmp_path: Path) -> None:
    with Server(tmp_path / "games.sqlite3") as server:
        page = open_page(PHONE, locale="de-DE")
        scripts, asked = list[Route](), list[str]()
        page.route(re.compile(r"/common[^/]*\.js$"), lambda script: scripts.append(script))  # which all others import
        page.on("request", lambda request: asked.append(request.url))
        page.goto(server.url, wait_until="commit")
        named = page.locator('head link[rel="modulepreload"][href*="/de-"]')
        expect(named).to_have_count(2)  # the words of all pages, and those of the start page
        for link in named.all():
            url = f"{server.url}{link.get_attribute('href')}"
            while url not in asked:  # it would be asked for too late, or never: the test's timeout ends this
                page.wait_for_timeout(20)
        assert scripts
        for script in scripts:
            script.continue_()
        expect(page.locator("html")).to_have_attribute("lang", "de")
        expect(page.get_by_test_id("play")).to_be_visible()
        assert not any("/en-" in url for url in asked)
        page.close()


def test_what_is_wanted_next_is_fetched_when_the_page_rests(open_page: OpenPage, tmp_path: Path) -> None:
    with Server(tmp_path / "games.sqlite3") as server:
        page = open_page(PHONE, eager=True)
        with page.expect_response(lambda answer: "/assets/table-" in answer.url) as fetched:
            page.goto(server.url)
        assert fetched.value.ok
        page.close()


def pages_in(load: Load) -> set[str]:
    """The pages whose scripts were fetched."""
    names = {re.match(r"/assets/([\w.]+)-[\w-]{7}\.js$", path) for path in load.bytes}
    return {CHUNKS[name[1]] for name in names if name and name[1] in CHUNKS}


def load_of(page: Page, server: Server, path: str, ready: str) -> Load:
    """What a phone that saves bytes fetches until it can be used."""
    load = Load()
    load.listen(page)
    page.goto(f"{server.url}{path}")
    expect(page.get_by_test_id(ready)).to_be_visible()
    page.wait_for_load_state("networkidle")
    page.close()
    assert load.hosts == {f"127.0.0.1:{server.port}"}
    return load
