"""A translated page stays true: its texts follow the game, and figures, codes and names are not translated."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import LAPTOP, PHONE, OpenPage
from tests.browser.gathering import UNHURRIED, Gather, gather, post, turn
from tests.browser.server import Server

__all__ = ["gather"]

pytestmark = pytest.mark.browser

TRANSLATOR = (Path(__file__).parent / "translator.js").read_text(encoding="utf-8")

SHOWN = """() => document.querySelector('main').innerText
  .replaceAll(/[«»]/g, '').replaceAll(/\\w+ connection: [0-9]+ ms round trip(, usually up to [0-9]+ more)?/g, '')
  .replaceAll(/\\s+/g, ' ')"""
"""What a page shows, without the marks of the translator, and without the connection, which is measured anew."""

TRANSLATED_DATA = """(kept) => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), found = []
  while (walker.nextNode()) {
    const text = walker.currentNode, data = text.data.trim()
    const figure = /^[+×–-]?[0-9][0-9.,:]*( ?(ms|%))?$/.test(data)
    if ((figure || kept.includes(data)) && !text.parentElement.closest('[translate=no]')) found.push(data)
  }
  return found
}"""
"""The figures, codes and names on a page that a translator would translate."""


FOLLOWS = "() => performance.getEntriesByType('resource').find(({ name }) => /when-idle.*\\.js$/.test(name))?.name"
"""The script that follows translators, once the page has asked for it."""


def translate(page: Page) -> None:
    """Translate the page from now on, when it can follow."""
    script = page.wait_for_function(FOLLOWS).json_value()
    page.evaluate("(script) => import(script).then(() => {})", script)  # it is loaded once, and has run then
    page.evaluate(TRANSLATOR)


def test_a_translated_table_shows_what_the_table_shows(gather: Gather) -> None:
    ana, ben = gather(f"1;classic;{UNHURRIED}", "2C 4C 6C 8C JC", "3D 5D 7D 9D 2D")
    translate(ana)
    for n in range(1, 10, 2):
        turn(ana, n)
        if n < 9:
            turn(ben, n + 1)
    expect(ana.get_by_test_id("banner")).to_have_text("")  # the last headline is gone
    assert "«" in ana.inner_text("main")
    translated = ana.evaluate(SHOWN)
    ana.reload()
    expect(ana.locator("[data-turn]")).to_be_visible()
    expect(ana.get_by_test_id("banner")).to_have_text("")
    assert translated == ana.evaluate(SHOWN)


def test_a_translated_text_follows_its_changes_and_comes_back(open_page: OpenPage, tmp_path: Path) -> None:
    with Server(tmp_path / "games.sqlite3") as server:
        page = open_page(PHONE, touch=True)
        page.goto(server.url)
        against = page.get_by_test_id("against")
        against.tap()
        before = page.evaluate(SHOWN)
        translate(page)
        for bots in (1, 5, 3):
            page.get_by_test_id("bots").locator(f"input[value='{bots}']").check()
            expect(against).to_have_text(re.compile(f"^«{bots} bot.*»$"))
        against.tap()  # what was opened goes, with its translations
        expect(page.get_by_test_id("bots")).to_have_count(0)
        against.tap()
        assert page.evaluate(SHOWN) == before
        page.evaluate("showOriginal()")
        expect(against).to_have_text(re.compile(r"^3 bots"))
        assert "«" not in page.inner_text("main")
        page.close()


def test_a_page_that_is_translated_before_it_can_follow_is_shown_again(open_page: OpenPage, tmp_path: Path) -> None:
    with Server(tmp_path / "games.sqlite3") as server:
        page = open_page(PHONE, touch=True)
        page.goto(server.url)
        first = page.get_by_test_id("against").element_handle()
        page.evaluate(TRANSLATOR)
        page.wait_for_function("(element) => !element.isConnected", arg=first)  # the page is shown again
        expect(page.get_by_test_id("against")).to_have_text(re.compile("^«3 bots.*»$"))
        page.get_by_test_id("against").tap()
        page.get_by_test_id("bots").locator("input[value='5']").check()
        expect(page.get_by_test_id("against")).to_have_text(re.compile("^«5 bots.*»$"))
        page.close()


def test_figures_codes_and_names_are_not_translated(gather: Gather, open_page: OpenPage) -> None:
    ana, ben = gather(f"1;classic;{UNHURRIED}", "2C 4C 6C", "3D 5D 7D")
    room = ana.url.rpartition("/")[2]
    kept = ["Ana", "Ben", "Cleo", room, f"{room[:4]} {room[4:]}", room[:4], room[4:]]
    turn(ana, 1)
    turn(ben, 2)
    origin = ana.url.removesuffix(f"/room/{room}")
    television, waiting = open_page(LAPTOP), open_page(PHONE, touch=True)
    television.goto(f"{origin}/tv/{room}")
    expect(television.get_by_test_id("stage")).to_be_visible()
    code = post(waiting, f"{origin}/api/rooms", name="Cleo", bots=1, wait=True)["room"]
    waiting.goto(f"{origin}/room/{code}")
    expect(waiting.get_by_test_id("join-go")).to_be_visible()
    kept += [code, f"{code[:4]} {code[4:]}", code[:4], code[4:]]
    for page in (ana, ben, television, waiting):
        assert page.evaluate(TRANSLATED_DATA, kept) == []
    television.close()
    waiting.close()
