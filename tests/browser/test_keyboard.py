"""By keyboard alone: whole games, and every page. It is always seen where the keyboard is, and nothing holds it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.by_keys import enter, go_round, leave, quiet, tab_to, where
from tests.browser.conftest import LAPTOP, OpenPage
from tests.browser.gathering import UNHURRIED, post, react, stands
from tests.browser.server import Server
from tests.browser.test_large_text import PAGES

pytestmark = pytest.mark.browser

SPEED = 2
HOUSE = f"1;classic;slap_in=no;collect_delay_ms=1000;{UNHURRIED}"
DEAL = "ratscrew 1\nhouse 1;classic\nhand 1 9S JC 4H\nhand 2 9H 5C\nlead 1\n"
"""Ana slaps the nines; for her jack Ben has no queen, and no card left."""


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """A server that deals these five cards."""
    deal = tmp_path / "deal.txt"
    deal.write_text(DEAL, encoding="utf-8")
    with Server(tmp_path / "games.sqlite3", speed=SPEED, deal=deal) as one:
        yield one


def laptop(open_page: OpenPage) -> Page:
    """A player's page, with this house chosen."""
    page = open_page(LAPTOP)
    page.add_init_script(f"window.tableSpeed = {SPEED}")
    page.add_init_script(f"localStorage.setItem('ratscrew:settings', '{json.dumps({'house': HOUSE})}')")
    return page


@pytest.mark.each_engine
def test_two_come_together_play_a_whole_game_and_another_without_touching_anything(
    server: Server, open_page: OpenPage
) -> None:
    ana, ben = laptop(open_page), laptop(open_page)
    ana.goto(server.url)
    tab_to(ana, "name")
    ana.keyboard.type("Ana")
    enter(ana, "friends")
    ana.wait_for_url(re.compile(r"/room/[A-Z]{4}[0-9]{4,}$"))
    ben.goto(server.url)
    tab_to(ben, "table-code")
    ben.keyboard.type(ana.url.rpartition("/")[2])
    ben.keyboard.press("Enter")
    ben.get_by_test_id("join-name").wait_for()
    tab_to(ben, "join-name")
    ben.keyboard.type("Ben")
    enter(ben, "join-go")
    expect(ana.get_by_test_id("waiting-seat")).to_have_count(2)
    enter(ana, "start")
    both = (ana, ben)
    for n, (page, key) in enumerate([(ana, "KeyF"), (ben, "KeyF"), (ana, "KeyF"), (ben, "KeyF")], 1):
        expect(page.locator("[data-turn]")).to_have_attribute("data-turn", "true")
        page.keyboard.press(key)
        for each in both:
            expect(each.get_by_test_id("stage")).to_have_attribute("data-n", str(n))
        if n == 2:
            react(ana)
            ana.keyboard.press("Space")
            expect(ana.get_by_test_id("banner")).to_contain_text("Double!")
    for page, says in ((ana, "You win!"), (ben, "Ana wins")):
        expect(page.get_by_test_id("winner")).to_have_text(says)
        assert where(page)["id"] == ""  # on the panel itself, so that a slap too many presses nothing
    quiet(ben)
    enter(ben, "again")
    for page in both:
        stands(page, n=0, phase="play")
    ana.keyboard.press("KeyF")
    stands(ben, n=1, phase="play")
    for page in both:
        page.close()


@pytest.mark.parametrize("path", ["/", "/rules", "/judge", "/practice", "/watch", "/learn", "/together", "/room/NOPE"])
def test_tab_goes_round_a_page_and_passes_everything(server: Server, open_page: OpenPage, path: str) -> None:
    page = open_page(LAPTOP, refused=True)
    page.goto(f"{server.url}{path}")
    page.get_by_role("heading", level=2 if "NOPE" in path else 1).first.wait_for()
    if shown := PAGES[path]:
        page.get_by_test_id(shown).first.wait_for()
    quiet(page)
    go_round(page)
    page.close()


@pytest.mark.each_engine
def test_what_opens_on_the_start_page_gives_the_keyboard_back(server: Server, open_page: OpenPage) -> None:
    page = open_page(LAPTOP)
    page.goto(server.url)
    for opener, panel in {"house": "choose-house", "open-rooms": "open-title", "settings-of-start": "settings"}.items():
        enter(page, opener)
        there_and_back(page, opener, panel)
    enter(page, "against")
    enter(page, "ladder")
    there_and_back(page, "ladder", "ladder-title")
    page.close()


@pytest.mark.each_engine
def test_at_the_table_tab_goes_round_and_what_opens_gives_the_keyboard_back(
    server: Server, open_page: OpenPage
) -> None:
    page = open_page(LAPTOP)
    joined = post(page, f"{server.url}/api/rooms", name="Ana", bots=1, house=HOUSE, wait=False)
    page.add_init_script(f"localStorage.setItem('ratscrew:seat:{joined['room']}', '{joined['player_id']}')")
    page.goto(f"{server.url}/room/{joined['room']}")
    stands(page, n=0, phase="play")
    go_round(page)
    for opener, panel in {"meter": "how-title", "rules": "house-title", "open-menu": "menu"}.items():
        enter(page, opener)
        there_and_back(page, opener, panel)
    enter(page, "open-menu")
    page.get_by_test_id("menu").wait_for()
    quiet(page)
    enter(page, "menu-settings")
    there_and_back(page, "open-menu", "settings")
    page.close()


def test_one_key_or_one_press_mutes_the_game_and_the_browser_remembers(server: Server, open_page: OpenPage) -> None:
    page = open_page(LAPTOP)
    joined = post(page, f"{server.url}/api/rooms", name="Ana", bots=1, house=HOUSE, wait=False)
    page.add_init_script(f"localStorage.setItem('ratscrew:seat:{joined['room']}', '{joined['player_id']}')")
    page.goto(f"{server.url}/room/{joined['room']}")
    stands(page, n=0, phase="play")
    sound = page.get_by_test_id("sound")
    expect(sound).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("KeyM")
    expect(sound).to_have_attribute("aria-pressed", "false")
    page.reload()
    stands(page, n=0, phase="play")
    expect(sound).to_have_attribute("aria-pressed", "false")
    sound.click()
    expect(sound).to_have_attribute("aria-pressed", "true")
    assert json.loads(page.evaluate("localStorage.getItem('ratscrew:settings')"))["sound"] is True
    page.close()


def there_and_back(page: Page, opener: str, panel: str) -> None:
    """The keyboard is in the panel, does not leave it by Tab, and is on what opened it when it is closed."""
    page.get_by_test_id(panel).wait_for()
    inside = "document.querySelector('[role=dialog]').contains(document.activeElement)"
    assert page.evaluate(inside)
    page.get_by_test_id(panel).locator("xpath=ancestor::*[@role='dialog']").get_by_role("button").last.wait_for()
    quiet(page)
    go_round(page)
    assert page.evaluate(inside)
    leave(page, panel)
    expect(page.get_by_test_id(opener)).to_be_focused()
    where(page)
