"""The page speaks the language of the browser or the one that is chosen, and in no language is a word cut off."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import Page, Request, ViewportSize, expect

from tests.browser.conftest import LAPTOP, PHONE, OpenPage
from tests.browser.server import Server

pytestmark = pytest.mark.browser

CUT = Path(__file__).with_name("cut.js").read_text(encoding="utf-8")
"""What is cut off on a page: each text that reaches over its button, its box or the screen."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server: the tables of different tests do not meet."""
    with Server(tmp_path_factory.mktemp("games") / "games.sqlite3") as running:
        yield running


def play(page: Page, url: str) -> None:
    """A table with bots."""
    page.goto(url)
    page.get_by_test_id("play").click()
    expect(page.get_by_test_id("stage")).to_have_attribute("data-phase", re.compile("."))


# Which language


def note(fetched: list[str], request: Request) -> None:
    """One more address that a page has asked for."""
    fetched.append(request.url)


@pytest.mark.each_engine
def test_a_german_browser_sees_german_and_an_english_one_fetches_none_of_it(
    server: Server, open_page: OpenPage
) -> None:
    for locale, lang, says in (("de-AT", "de", "Spielen"), ("en-GB", "en", "Play"), ("fr-FR", "en", "Play")):
        page = open_page(PHONE, locale=locale)
        fetched: list[str] = []
        page.on("request", partial(note, fetched))
        page.goto(server.url)
        expect(page.get_by_test_id("play")).to_have_text(says)
        expect(page.locator("html")).to_have_attribute("lang", lang)
        german = [url for url in fetched if re.search(r"/de-[\w-]+\.js", url)]
        assert len(german) == (2 if lang == "de" else 0)  # the words of all pages, and those of the start page


def test_rules_and_their_problems_are_shown_in_the_language_of_the_page(server: Server, open_page: OpenPage) -> None:
    page = open_page(LAPTOP, refused=True, locale="de-DE")
    page.goto(f"{server.url}/rules#1;classic;max_players=1")
    expect(page.get_by_test_id("problem")).to_contain_text("erlaubt ist 0 (beliebig viele)")
    page.goto(f"{server.url}/rules#1;beggar;turn_ms=5000")
    page.reload()
    expect(page.get_by_test_id("preset-beggar")).to_contain_text("Bettelmann")
    expect(page.get_by_test_id("differences")).to_contain_text("Wie „Bettelmann“, aber:")
    expect(page.get_by_test_id("differences")).to_contain_text("Du hast 5 Sekunden Zeit")


def test_another_language_is_chosen_at_the_table_and_the_seat_is_kept(server: Server, open_page: OpenPage) -> None:
    page = open_page(LAPTOP, locale="en-GB")
    play(page, server.url)
    expect(page.locator("[data-turn]")).to_have_attribute("data-turn", "true")
    page.get_by_test_id("open-menu").click()
    while not page.get_by_test_id("set-language").is_visible():  # a panel that has just come is deaf for a moment
        page.get_by_test_id("menu-settings").click()
        page.wait_for_timeout(100)
    page.get_by_test_id("set-language").select_option("de")
    expect(page.locator("html")).to_have_attribute("lang", "de")
    expect(page.get_by_test_id("slap")).to_contain_text("Klatsch")
    expect(page.get_by_test_id("deck")).to_have_accessible_name(re.compile("Karten Du bist dran$"))
    page.goto(server.url)
    expect(page.get_by_test_id("play")).to_have_text("Spielen")


# Nothing is cut off


def shows(path: str, testid: str) -> Callable[[Page, str], None]:
    """How a page is opened, and what is to be seen on it."""

    def open_it(page: Page, url: str) -> None:
        page.goto(url + path)
        expect(page.get_by_test_id(testid)).to_be_visible()

    return open_it


SCREENS: dict[str, Callable[[Page, str], None]] = {
    "start": shows("", "play"),
    "table": play,
    "rules": shows("/rules#1;chaos", "sheet"),
    "judge": shows("/judge", "judge"),
}


@pytest.mark.parametrize("locale", ["de-DE", "en-GB"])
@pytest.mark.parametrize("viewport", [PHONE, LAPTOP], ids=["phone", "laptop"])
def test_no_word_is_cut_off(server: Server, open_page: OpenPage, viewport: ViewportSize, locale: str) -> None:
    page = open_page(viewport, locale=locale)
    for screen, show in SCREENS.items():
        show(page, server.url)
        assert page.evaluate(CUT) == [], screen


@pytest.mark.each_engine
def test_a_word_that_is_cut_off_is_seen(server: Server, open_page: OpenPage) -> None:
    page = open_page(PHONE)
    page.goto(server.url)
    expect(page.get_by_test_id("play")).to_be_visible()
    assert page.evaluate(CUT) == []
    narrow = "button => { button.style.cssText = 'width: 24px; padding: 0; white-space: nowrap' }"
    page.get_by_test_id("play").evaluate(narrow)
    assert [text for text in page.evaluate(CUT) if "Play" in text]
