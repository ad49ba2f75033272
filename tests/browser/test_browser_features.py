"""No optional feature of a browser is needed: each is taken away, refused or broken, and ten cards are played."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeAlias

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PHONE, TABLET, OpenPage
from tests.browser.one_screen import choose
from tests.browser.player import Player
from tests.browser.server import Server
from tests.browser.test_learning import follow

pytestmark = pytest.mark.browser

SPEED = 4
CARDS = 10
LISTED = Path(__file__).parents[2] / "client" / "browser-features.json"
OPTIONAL: dict[str, list[str]] = {
    feature: each["names"] for feature, each in json.loads(LISTED.read_text(encoding="utf-8"))["optional"].items()
}
"""The optional features, each with its names. The client's linter forbids to use any that is not listed."""

TAKE_AWAY = (Path(__file__).parent / "take_away.js").read_text(encoding="utf-8")
WAYS = ("missing", "throwing", "refusing", "silent")
"""How a feature fails: it is not there, throws, rejects its promises, or does nothing and answers nothing."""

STORED = {
    "ratscrew:settings": (
        "null",
        "[]",
        '{"appearance":null}',
        '{"appearance":{"hue":99,"shape":"octopus"}}',
        '{"name":5}',
        '{"strength":"zzz","volume":"loud","house":7,"bots":-1}',
        '{"beaten":3,"language":"xx","aloud":[]}',
        "{",
    ),
    "ratscrew:together": ('{"players":5,"keys":"x","count":99,"form":"round"}',),
    "ratscrew:bests": ('{"fastest":"x"}',),
    "ratscrew:daily": ('{"day":5}',),
    "ratscrew:hidden": ("7",),
    "ratscrew:lesson": ("{}",),
}
"""What another version, or another program, may have stored."""

COOKIES_REFUSED = "Object.defineProperty(Navigator.prototype, 'cookieEnabled', { get: () => false })"

OLD_SCRIPTS = """
  for (const [owner, ...names] of [
    [Array.prototype, 'at', 'findLast', 'findLastIndex'], [Object, 'hasOwn'], [Element.prototype, 'replaceChildren'],
  ])
    for (const name of names) delete owner[name]"""
"""Takes away what the oldest browsers lack of scripts: Chromium 85, of televisions of 2022, and Safari 15.0."""

Broken: TypeAlias = Callable[..., Page]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for all: each test plays at tables of its own."""
    with Server(tmp_path_factory.mktemp("features") / "games.sqlite3", speed=SPEED) as running:
        yield running


@pytest.fixture
def broken(open_page: OpenPage) -> Broken:
    """Opens a page in which these names fail in this way; with `eager`, a service worker may be registered."""

    def open_broken(names: list[str], how: str, tablet: bool = False) -> Page:
        page = open_page(TABLET if tablet else PHONE, touch=True, eager=True, moving=True)
        page.add_init_script(f"({TAKE_AWAY})({json.dumps(names)}, {json.dumps(how)})")
        page.add_init_script(f"window.tableSpeed = {SPEED}")
        return page

    return open_broken


def names_but(*features: str) -> list[str]:
    """The names of all optional features but these."""
    return [name for feature, names in OPTIONAL.items() if feature not in features for name in names]


def play_cards(page: Page) -> None:
    """Play on a table until it has shown ten cards, or its game is over."""
    Player(page, touch=True, speed=SPEED).play(until=lambda sight: sight.n >= CARDS or sight.over, seconds=90)


def start(page: Page, server: Server) -> None:
    """Play from the start page."""
    page.goto(server.url)
    page.get_by_test_id("play").tap()
    page.wait_for_selector("[data-n]")


@pytest.mark.parametrize("how", WAYS)
def test_ten_cards_are_played_from_the_start_page(broken: Broken, server: Server, how: str) -> None:
    page = broken(names_but("web socket"), how)
    start(page, server)
    play_cards(page)
    page.close()


@pytest.mark.parametrize("how", WAYS)
def test_ten_cards_are_played_without_sockets(broken: Broken, server: Server, how: str) -> None:
    page = broken(OPTIONAL["web socket"], how)
    start(page, server)
    expect(page.get_by_test_id("detour")).to_be_attached()
    play_cards(page)
    page.close()


def test_a_browser_with_old_scripts_gets_what_it_lacks_also_when_it_comes_back(
    open_page: OpenPage, server: Server
) -> None:
    """What src/polyfills.ts has must not be needed before it is loaded: the stored settings are read first of all."""
    page, television = open_page(PHONE, touch=True, moving=True), open_page(TABLET)
    for each in (page, television):
        each.add_init_script(OLD_SCRIPTS)
    page.add_init_script(f"window.tableSpeed = {SPEED}")
    start(page, server)
    television.goto(page.url.replace("/room/", "/tv/"))
    play_cards(page)
    expect(television.get_by_test_id("stage")).to_have_attribute("data-n", re.compile(r"^\d\d+$"))
    page.reload()
    page.wait_for_selector("[data-n]")
    page.close()
    television.close()


@pytest.mark.parametrize("how", WAYS)
def test_a_room_is_opened_and_joined_and_ten_cards_are_played(broken: Broken, server: Server, how: str) -> None:
    host, guest = broken(names_but("web socket"), how), broken(names_but("web socket"), how)
    host.goto(server.url)
    host.get_by_test_id("friends").tap()
    code = host.get_by_test_id("waiting").locator("[data-code]").first.get_attribute("data-code")
    guest.goto(f"{server.url}/room/{code}")
    guest.get_by_test_id("join-name").fill("Ben")
    guest.get_by_test_id("join-go").tap()
    expect(host.get_by_text("Ben")).to_be_visible()
    host.get_by_test_id("start").tap()
    guest.wait_for_selector("[data-n]")
    for page in (host, guest):
        expect(page.locator("[data-turn]")).to_be_visible()
    play_cards(host)  # the guest's cards are turned for them
    host.close()
    guest.close()


@pytest.mark.parametrize("how", WAYS)
def test_ten_cards_are_played_at_one_screen(broken: Broken, server: Server, how: str) -> None:
    page = broken(names_but("web socket"), how, tablet=True)
    page.goto(f"{server.url}/together")
    choose(page, "form", "tablet")
    page.get_by_test_id("deal").tap()
    expect(page.get_by_test_id("pad")).to_have_count(2)
    stage = page.get_by_test_id("stage").first
    for _ in range(300):
        if int(stage.get_attribute("data-n") or 0) >= CARDS:
            break
        for deck in page.get_by_test_id("pad").get_by_test_id("deck").all():
            deck.tap()
            page.wait_for_timeout(100)
    assert int(stage.get_attribute("data-n") or 0) >= CARDS
    page.close()


@pytest.mark.parametrize("how", WAYS)
def test_lessons_are_played(broken: Broken, server: Server, how: str) -> None:
    page = broken(names_but("web socket"), how)
    page.goto(f"{server.url}/learn")
    follow(page, "turn")
    expect(page.get_by_test_id("coach")).to_have_attribute("data-course", "done")
    page.close()


@pytest.mark.parametrize("how", WAYS)
def test_a_television_shows_ten_cards(broken: Broken, open_page: OpenPage, server: Server, how: str) -> None:
    player, television = open_page(PHONE, touch=True), broken(names_but("web socket"), how, tablet=True)
    start(player, server)
    television.goto(player.url.replace("/room/", "/tv/"))
    expect(television.get_by_test_id("stage")).to_be_visible()
    play_cards(player)
    expect(television.get_by_test_id("stage")).to_have_attribute("data-n", re.compile(r"^\d\d+$"))
    player.close()
    television.close()


@pytest.mark.parametrize("feature", OPTIONAL)
def test_each_feature_alone_may_throw(broken: Broken, server: Server, feature: str) -> None:
    """One that fails may only be harmful while another works."""
    page = broken(OPTIONAL[feature], "throwing")
    start(page, server)
    expect(page.locator("[data-turn]")).to_be_visible()
    page.close()


def test_a_browser_that_stores_nothing_says_so(broken: Broken, server: Server) -> None:
    for names, how in (
        (["localStorage"], "throwing"),
        (["localStorage"], "missing"),
        (["Storage.setItem"], "throwing"),
    ):
        page = broken(names, how)
        page.goto(server.url)
        expect(page.get_by_test_id("stores-nothing")).to_contain_text("stores nothing")
        page.close()


@pytest.mark.parametrize("sockets", [True, False], ids=["sockets", "detour"])
@pytest.mark.parametrize(
    "blocked",
    ["delete window.localStorage; delete window.sessionStorage", COOKIES_REFUSED],
    ids=["storage", "cookies"],
)
def test_a_browser_that_takes_no_cookies_plays_as_long_as_the_page_is_open(
    open_page: OpenPage, broken: Broken, server: Server, blocked: str, sockets: bool
) -> None:
    friend = open_page(PHONE, touch=True)
    page = broken([] if sockets else OPTIONAL["web socket"], "missing")
    page.add_init_script(blocked)
    page.goto(server.url)
    expect(page.get_by_test_id("stores-nothing")).to_contain_text("close or reload this page, your seat is gone")
    page.get_by_test_id("friends").tap()
    code = page.get_by_test_id("waiting").locator("[data-code]").first.get_attribute("data-code")
    friend.goto(f"{server.url}/room/{code}")
    friend.get_by_test_id("join-name").fill("Ben")
    friend.get_by_test_id("join-go").tap()
    page.get_by_test_id("start").tap()
    page.wait_for_selector("[data-n]")
    play_cards(page)
    page.get_by_test_id("open-menu").tap()
    page.get_by_test_id("menu-device").tap()  # a request for the seat
    expect(page.get_by_test_id("copy-seat")).to_be_visible()
    page.goto(f"{server.url}/me")
    expect(page.get_by_test_id("not-kept")).to_be_visible()
    expect(page.get_by_test_id("keep-games")).to_have_count(0)
    assert page.context.cookies() == []
    page.close()
    friend.close()


@pytest.mark.parametrize("key", STORED)
def test_whatever_is_stored_can_be_played_with(open_page: OpenPage, server: Server, key: str) -> None:
    for text in STORED[key]:
        page = open_page(PHONE, touch=True, newcomer=True)
        page.add_init_script(f"localStorage.setItem({json.dumps(key)}, {json.dumps(text)})")
        for path in ("/together", "/learn"):
            page.goto(server.url + path)
            expect(page.locator("main").first).to_be_visible()
        start(page, server)
        expect(page.locator("[data-turn]")).to_be_visible()
        page.close()
