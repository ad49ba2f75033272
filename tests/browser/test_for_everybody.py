"""Accessibility: axe finds nothing on any screen, and every control is large enough for a thumb."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import too_small, violations
from tests.browser.conftest import LAPTOP, PHONE, OpenPage
from tests.browser.gathering import UNHURRIED, panel_ready, post
from tests.browser.one_screen import choose
from tests.browser.server import Server
from tests.browser.test_learning import LESSONS
from tests.browser.test_replay import GAME, keep

pytestmark = pytest.mark.browser

START = {"": "play", "against": "bots", "hand": "hand-picker", "house": "choose-house", "open-rooms": "open-none"}
"""What the start page shows after a press on each of its buttons, the first without any."""

PAGES = {
    "/rules": "sheet",
    "/judge": None,
    "/practice": None,
    "/watch": "nothing-to-watch",
    "/learn": "stage",
    "/room/NOPE": None,
    "/nowhere": "missing",
    "/together": "deal",
    f"/game/{GAME}": "story-title",
    f"/replay/{GAME}": "stage",
}

TABLE = {"": "stage", "rules": "sheet", "open-menu": "menu", "meter": "close-how", "say": "stage"}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for all screens; a game is in its log."""
    file = Path(tmp_path_factory.mktemp("screens")) / "games.sqlite3"
    keep(file)
    with Server(file) as one:
        yield one


@pytest.fixture(scope="module")
def short(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Here Ana wins with her first card: nobody else holds one that beats it, or any more."""
    place = Path(tmp_path_factory.mktemp("short"))
    (place / "deal.txt").write_text("ratscrew 1\nhouse 1;classic\nhand 1 JC 4H\nhand 2 5C\nlead 1\n", encoding="utf-8")
    with Server(place / "games.sqlite3", speed=6, deal=place / "deal.txt") as one:
        yield one


@pytest.fixture
def page(open_page: OpenPage) -> Page:
    """A page that lets axe in, and does not move while it looks."""
    return open_page(LAPTOP, refused=True, bypass_csp=True)


def test_the_start_page_and_what_opens_on_it(page: Page, server: Server) -> None:
    for button, shown in START.items():
        page.goto(server.url)
        press(page, button)
        look(page, f"start {button}", shown)
    page.close()


def test_each_page_of_its_own(page: Page, server: Server) -> None:
    for path, shown in PAGES.items():
        page.goto(f"{server.url}{path}")
        look(page, path, shown)
    page.close()


@pytest.mark.each_engine
def test_a_room_from_the_door_to_the_table(page: Page, server: Server) -> None:
    house = f"1;classic;{UNHURRIED}"
    joined = post(page, f"{server.url}/api/rooms", name="Ana", bots=2, house=house, wait=True)
    room = f"{server.url}/room/{joined['room']}"
    for path, shown in ((room, "join-go"), (room.replace("/room/", "/tv/"), None)):
        page.goto(path)
        look(page, f"before the game {path}", shown)
    page.evaluate(f"localStorage.setItem('ratscrew:seat:{joined['room']}', '{joined['player_id']}')")
    for button, shown in {"": "start", "other-device": "copy-seat", "change-house": "use-house"}.items():
        page.goto(room)
        expect(page.get_by_test_id("start")).to_be_visible()
        press(page, button)
        look(page, f"waiting {button}", shown)
    page.goto(room)
    page.get_by_test_id("start").click()
    for button, shown in TABLE.items():
        page.goto(room)
        expect(page.get_by_test_id("deck")).to_be_visible()
        press(page, button)
        look(page, f"table {button}", shown)
    page.goto(room.replace("/room/", "/tv/"))
    look(page, "television", "stage")
    page.evaluate("localStorage.clear()")
    page.goto(room)
    page.get_by_test_id("just-watch").click()
    expect(page.get_by_test_id("sit")).to_be_visible()
    look(page, "without a seat", "stage")
    page.close()


def test_what_a_guest_sees_until_the_cards_are_dealt(page: Page, server: Server, open_page: OpenPage) -> None:
    host = open_page(LAPTOP)
    joined = post(host, f"{server.url}/api/rooms", name="Ana", bots=0, house="1;classic", wait=True)
    room = joined["room"]
    host.add_init_script(f"localStorage.setItem('ratscrew:seat:{room}', '{joined['player_id']}')")
    host.goto(f"{server.url}/room/{room}")
    host.get_by_test_id("start").wait_for()
    page.goto(f"{server.url}/room/{room}")
    page.get_by_test_id("join-name").fill("Ben")
    page.get_by_test_id("join-go").click()
    look(page, "a guest waits", "waiting-for")
    host.close()
    look(page, "the host is away", "host-away")
    page.close()


_EDGELESS = """(css) => [...document.querySelectorAll(css)].filter((one) => {
  const drawn = (style, side) => style[`${side}Style`] !== 'none' && parseFloat(style[`${side}Width`]) > 0
  const styles = [getComputedStyle(one), getComputedStyle(one, '::before')]
  return !styles.some((style) => drawn(style, 'outline') || drawn(style, 'borderTop'))
}).map((one) => one.outerHTML.slice(0, 90))"""


@pytest.mark.each_engine
def test_in_forced_colours_everything_has_an_edge_and_what_a_colour_says_is_seen(
    open_page: OpenPage, server: Server
) -> None:
    page = open_page(PHONE, forced_colors="active")
    page.goto(server.url)
    press(page, "against")
    checked = page.get_by_test_id("bots").locator("input:checked + span")
    expect(checked).to_have_css("forced-color-adjust", "none")
    backgrounds = "all => new Set(all.map(one => getComputedStyle(one).backgroundColor)).size"
    assert page.get_by_test_id("bots").locator("input + span").evaluate_all(backgrounds) == 2
    sit(page, server, f"1;classic;{UNHURRIED}")
    press(page, "deck")
    page.locator(".stage .card .face").first.wait_for()
    assert (
        page.evaluate(_EDGELESS, ".stage .card, main section.seat, main button:not(.about, .meter), .deck, .pill") == []
    )
    press(page, "open-menu")
    panel = page.get_by_role("dialog")
    assert panel.evaluate("one => getComputedStyle(one).backgroundImage") == "none"
    assert panel.evaluate("one => getComputedStyle(one).backgroundColor") == "rgb(255, 255, 255)", "it is no window"
    mark = "one => getComputedStyle(one, '::after').borderLeftColor"
    turn = page.locator("main section.seat").first
    turn.evaluate("one => one.classList.add('turn')")
    assert turn.evaluate(mark) == "rgba(0, 0, 0, 0)", "a triangle is drawn as a block"
    expect(turn.locator(".avatar")).to_have_css("forced-color-adjust", "none")
    page.close()


def test_the_settings_and_all_that_is_in_the_menu(page: Page, server: Server) -> None:
    page.goto(server.url)
    press(page, "settings-of-start")
    look(page, "settings", "settings")
    sit(page, server, f"1;classic;{UNHURRIED}")
    for entry, shown in {"settings": "settings", "share": "code", "device": "device-title", "leave": "leaving"}.items():
        page.reload()
        press(page, "open-menu")
        press(page, f"menu-{entry}")
        look(page, f"menu {entry}", shown)
    page.close()


def test_the_end_of_a_game_and_its_story(page: Page, short: Server) -> None:
    sit(page, short, f"1;classic;slap_in=no;{UNHURRIED}")
    press(page, "deck")
    look(page, "the end", "winner")
    panel_ready(page)
    press(page, "look")
    look(page, "the story", "biggest")
    page.close()


@pytest.mark.parametrize("form", ["tablet", "keys"])
def test_one_screen_before_the_game_at_it_and_at_its_end(page: Page, short: Server, form: str) -> None:
    house = f"1;classic;slap_in=no;{UNHURRIED}"
    page.add_init_script(f"localStorage.setItem('ratscrew:settings', '{json.dumps({'house': house})}')")
    page.goto(f"{short.url}/together")
    choose(page, "form", form)
    press(page, "hand-0")
    look(page, f"setup {form}", "deal")
    press(page, "deal")
    expect(page.get_by_test_id("pad")).to_have_count(2)
    look(page, f"table {form}", "stage")
    press(page, "menu")
    look(page, f"menu {form}", "together-menu")
    page.reload()
    expect(page.get_by_test_id("pad")).to_have_count(2)
    for player in range(2):
        expect(page.get_by_test_id("pad").nth(player)).to_have_class(re.compile("due"))
        page.get_by_test_id("pad").nth(player).get_by_test_id("deck").click()
    look(page, f"end {form}", "winner")
    page.close()


def test_the_end_of_the_lessons_and_of_a_practice(page: Page, server: Server) -> None:
    page.goto(f"{server.url}/learn")
    for lesson in LESSONS:
        expect(page.get_by_test_id("coach")).to_have_attribute("data-lesson", lesson)
        if lesson != LESSONS[-1]:
            press(page, "skip-lesson")
    look(page, "a lesson", "coach-says")
    press(page, "skip-lesson")
    look(page, "all lessons", "finished")
    page.goto(f"{server.url}/practice?seed=7&cards=2")
    press(page, "begin")
    look(page, "practising", "drill")
    expect(page.get_by_test_id("practice-over")).to_be_visible()
    look(page, "a practice", "practice-over")
    page.close()


def sit(page: Page, server: Server, house: str) -> None:
    """Sit at a table with a bot."""
    joined = post(page, f"{server.url}/api/rooms", name="Ana", bots=1, house=house)
    page.goto(server.url)
    page.evaluate(f"localStorage.setItem('ratscrew:seat:{joined['room']}', '{joined['player_id']}')")
    page.goto(f"{server.url}/room/{joined['room']}")
    expect(page.get_by_test_id("deck")).to_be_visible()


def press(page: Page, button: str) -> None:
    """Press a button, if one is named."""
    if button:
        page.get_by_test_id(button).first.click()


def look(page: Page, screen: str, shown: str | None) -> None:
    """The screen has come, breaks no rule on a phone or a laptop, and a thumb finds everything on it."""
    found = page.get_by_test_id(shown) if shown else page.get_by_role("heading", level=1)
    expect(found.first).to_be_attached()
    page.wait_for_function("() => document.fonts.status === 'loaded'")
    for view in (PHONE, LAPTOP):
        page.set_viewport_size(view)
        assert violations(page) == [], (screen, view)
        assert too_small(page) == [], (screen, view)
