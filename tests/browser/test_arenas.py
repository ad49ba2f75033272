"""Arenas on a phone and a laptop: opened by a player or each hour; two are led to a table and back; a television."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import LAPTOP, PHONE, OpenPage
from tests.browser.large import whole_when_large
from tests.browser.scenes import TABLE
from tests.browser.server import Server
from tests.browser.tables import change, gather

pytestmark = [
    pytest.mark.browser,
    pytest.mark.one_engine("The server pairs the players; the pages of an arena have ordinary lists and links."),
]

SPEED = 4
"""The arena's minute of waiting takes a quarter of one."""


READ = """
  const texts = new Set()
  window.wasTold = () => [...texts]
  new MutationObserver(() => {
    const place = document.querySelector('[data-testid=arena-me]')
    if (place) texts.add(place.textContent.trim())
  }).observe(document, { childList: true, subtree: true, characterData: true })
"""
"""Notes what an arena's page says to its player, as some of it stands there for a second and a half only."""
DEAL = "ratscrew 1\nhouse 1;classic\nhand 1 JH 2H 3H\nhand 2 5C\nlead 1\n"
"""A game of two that ends by itself after two cards, as nobody can answer the jack."""


def join(page: Page, url: str, name: str) -> None:
    """Go to an arena and join it."""
    page.add_init_script(f"localStorage.setItem('ratscrew:settings', JSON.stringify({{name: '{name}'}}))")
    page.goto(url)
    join_here(page)


def join_here(page: Page) -> None:
    """Join the arena that the page shows."""
    page.get_by_test_id("join-arena").click()
    page.get_by_test_id("arena-me").wait_for()  # looks in each frame


def has_points(page: Page) -> None:
    """The standings show points; how many depends on how many games have ended meanwhile."""
    points = page.get_by_test_id("standing").first.locator("strong")
    expect(points).to_have_text(re.compile("[1-9]"), timeout=60_000)


def test_people_open_an_arena_and_are_led_to_a_table_and_back(open_page: OpenPage, tmp_path: Path) -> None:
    deal = tmp_path / "deal.txt"
    deal.write_text(DEAL, encoding="utf-8")
    with Server(tmp_path / "games.sqlite3", speed=SPEED, deal=deal) as server:
        laptop, phone, television = (
            open_page(LAPTOP),
            open_page(PHONE, touch=True),
            open_page({"width": 1920, "height": 1080}),
        )
        laptop.goto(server.url)
        laptop.get_by_test_id("open-rooms").click()
        laptop.get_by_test_id("arenas-link").click()
        laptop.get_by_test_id("arena-title").fill("Friday night")
        laptop.get_by_test_id("open-arena").click()
        expect(laptop.get_by_role("heading", level=1)).to_have_text("Friday night")
        url = laptop.url
        laptop.get_by_test_id("join-arena").click()
        expect(laptop.get_by_test_id("standing")).to_have_count(1)
        join(phone, url, "Ben")
        whole_when_large(phone)
        television.goto(url)
        expect(television.get_by_test_id("standing")).to_have_count(2)
        for page in (laptop, phone):
            page.wait_for_url("**/room/*", timeout=40_000)
        expect(television.get_by_role("link", name="Watch Ben play")).to_be_visible(timeout=15_000)
        for page in (laptop, phone):
            expect(page.get_by_test_id("back-to-arena")).to_be_visible(timeout=60_000)
        phone.get_by_test_id("back-to-arena").click()
        phone.wait_for_url("**/arena/*")
        laptop.wait_for_url("**/arena/*", timeout=15_000)  # by itself
        has_points(television)
        for page in (laptop, phone, television):
            page.close()


def test_people_find_the_hourly_arena_and_are_led_to_a_table(open_page: OpenPage, tmp_path: Path) -> None:
    """Whatever the time is: here each hour's arena begins with its hour, and ends ten minutes after it.

    So there are one or two, the newest has ten minutes left at least, and both take that one.
    """
    (deal := tmp_path / "deal.txt").write_text(DEAL, encoding="utf-8")
    server = Server(tmp_path / "games.sqlite3", SPEED, deal, more=("--hourly-arena", "1;classic"))
    hourly = "ratscrew.table.arenas.hourly"
    server.constants = {f"{hourly}.EARLY_S": 0, f"{hourly}.LASTS_S": 4200}
    with server:
        laptop, phone = open_page(LAPTOP, locale="de-DE"), open_page(PHONE, touch=True)
        newest = ""
        for page, title in ((laptop, "Arena jede Stunde"), (phone, "Hourly arena")):
            page.goto(server.url)
            page.get_by_test_id("open-rooms").click()
            page.get_by_test_id("arenas-link").click()
            links = page.locator(f"[data-testid=arena-link]{newest}").filter(has_text=title)
            while not links.count():  # it opens within five seconds
                page.reload()
                page.get_by_test_id("arena-title").wait_for()
                page.wait_for_timeout(100)
            newest = f"[href='{links.last.get_attribute('href')}']"
            links.last.click()
            expect(page.get_by_role("heading", level=1)).to_have_text(title)
            join_here(page)
        whole_when_large(phone)
        for page in (laptop, phone):
            page.wait_for_url("**/room/*", timeout=40_000)
        for page in (laptop, phone):
            page.close()


def test_three_play_at_one_table_and_one_who_comes_later_reads_when_they_slap_in(
    open_page: OpenPage, tmp_path: Path
) -> None:
    with Server(tmp_path / "games.sqlite3", speed=SPEED) as server:
        ana, ben, cleo, dan = (open_page(view) for view in (LAPTOP, PHONE, PHONE, LAPTOP))
        ana.goto(f"{server.url}/arena")
        ana.get_by_test_id("arena-title").fill("Three of us")
        ana.get_by_test_id("open-arena").click()
        expect(ana.get_by_role("heading", level=1)).to_have_text("Three of us")
        url = ana.url
        ana.get_by_test_id("join-arena").click()
        join(ben, url, "Ben")
        join(cleo, url, "Cleo")
        for page in (ana, ben, cleo):
            page.wait_for_url("**/room/*", timeout=40_000)
        assert ana.url == ben.url == cleo.url
        expect(ana.get_by_test_id("stage")).to_be_visible()
        dan.add_init_script(READ)
        join(dan, url, "Dan")
        dan.wait_for_url(ana.url, timeout=40_000)
        told = dan.evaluate("wasTold()")
        assert any("You slap in at one of their tables in:" in text for text in told), told
        expect(dan.get_by_test_id("stage")).to_be_visible()
        for page in (ana, ben, cleo, dan):
            page.close()


def test_the_table_of_an_arena_invites_nobody(open_page: OpenPage, tmp_path: Path) -> None:
    """The arena seats its players: a friend with the table's code could only watch."""
    with Server(tmp_path / "games.sqlite3") as server:
        page, television = open_page(PHONE), open_page(LAPTOP)
        for each in (page, television):
            each.add_init_script(TABLE)
        code = gather(page, server.url, deal=False)
        expect(page.get_by_test_id("copy-room")).to_be_visible()
        change(page, "w.host = null; w.kind = 'arena'")
        expect(page.get_by_test_id("gathering")).to_be_visible()
        expect(page.get_by_test_id("copy-room")).to_have_count(0)
        television.goto(f"{server.url}/tv/{code}")
        expect(television.get_by_test_id("joining")).to_be_visible()
        change(television, "w.host = null; w.kind = 'arena'")
        expect(television.get_by_test_id("joining")).to_have_count(0)
        for each in (page, television):
            each.close()
