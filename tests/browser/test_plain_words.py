"""What pages say in easily forgotten places: names of houses, refusals, a full table, words beside a switch."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import LAPTOP, PHONE, OpenPage
from tests.browser.server import Server

pytestmark = [
    pytest.mark.browser,
    pytest.mark.one_engine("Words are the same on each engine."),
]

ZALGO = "Z\u0337\u0338\u0334\u0335\u0336"
"""One letter with five marks; four are allowed."""


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """A server of this test's own."""
    with Server(tmp_path / "games.sqlite3", speed=4) as running:
        yield running


@pytest.mark.parametrize(
    ("locale", "classic", "changed"),
    [("en-GB", "Classic", "Classic, 1 change"), ("de-DE", "Klassisch", "Klassisch, 1 Änderung")],
)
def test_open_tables_call_their_houses_by_name(
    server: Server, open_page: OpenPage, locale: str, classic: str, changed: str
) -> None:
    page = open_page(PHONE, touch=True, locale=locale)
    for name, house in (("Ana", "1;classic"), ("Ben", "1;classic"), ("Cleo", "1;classic;max_players=3")):
        waits_for_strangers(open_page(LAPTOP), server, name, house)
    asked: list[str] = []
    page.goto(server.url)
    expect(page.get_by_test_id("house")).to_contain_text(classic)
    page.on("request", lambda request: asked.append(request.url))
    page.get_by_test_id("open-rooms").tap()
    rooms = page.get_by_test_id("open-room")
    expect(rooms).to_have_count(3)
    for name, house in (("Ana", classic), ("Ben", classic), ("Cleo", changed)):
        expect(rooms.filter(has_text=name).locator("span").last).to_have_text(re.compile(f"[a-z] · {house}$"))
    expect(page.get_by_role("dialog")).not_to_contain_text(";")
    assert sum("/api/house" in url for url in asked) == 2, "each house is asked for once"


@pytest.mark.parametrize(
    ("locale", "marks", "bots"),
    [
        (
            "en-GB",
            "In the name, leave out some of the marks on one letter",
            "Number of bots: at most 1 with these rules, not 3",
        ),
        (
            "de-DE",
            "Lass im Namen ein paar der Zeichen auf einem Buchstaben weg",
            "Anzahl der Bots: höchstens 1 nach diesen Regeln, nicht 3",
        ),
    ],
)
def test_a_refusal_reads_as_a_sentence_and_names_no_field(
    server: Server, open_page: OpenPage, locale: str, marks: str, bots: str
) -> None:
    """The page itself offers no more bots than the rules allow: here the request has another number on its way."""
    page = open_page(PHONE, touch=True, refused=True, locale=locale)
    page.goto(server.url)
    page.get_by_test_id("name").fill(ZALGO)
    page.get_by_test_id("play").tap()
    expect(page.get_by_role("alert")).to_have_text(re.compile(f"^{marks}"))
    page.get_by_test_id("name").fill("Ana")
    page.get_by_test_id("house").tap()
    page.get_by_test_id("preset-beggar").tap()
    page.route("**/api/rooms", lambda route: route.continue_(post_data={**route.request.post_data_json, "bots": 3}))
    page.get_by_test_id("play").tap()
    expect(page.get_by_role("alert")).to_have_text(bots)


def test_where_the_name_of_the_house_is_not_known_nothing_is_left_open(server: Server, open_page: OpenPage) -> None:
    page = open_page(PHONE, touch=True, offline=True)
    page.route("**/api/house**", lambda route: route.abort("connectionrefused"))
    for path in ("/", "/together", "/practice"):
        page.goto(f"{server.url}{path}")
        expect(page.get_by_test_id("house")).to_have_text("House rules")
        page.wait_for_load_state("networkidle")
        expect(page.get_by_test_id("house")).to_have_text("House rules")


def test_words_beside_a_switch_toggle_it(server: Server, open_page: OpenPage) -> None:
    page = open_page(PHONE, touch=True)
    page.goto(server.url)
    page.get_by_test_id("settings-of-start").tap()
    for name, words in (("sound", "Sound"), ("hints", "Hints"), ("leftHanded", "Slap with the left hand")):
        toggles(page, f"set-{name}", words)
    page.get_by_test_id("close-settings").tap()
    page.get_by_test_id("friends").tap()
    toggles(page, "listed", "Public table")
    page.goto(f"{server.url}/rules")
    toggles(page, "switch-marriage", "Marriage")


def test_a_full_table_offers_no_chair_to_anybody(server: Server, open_page: OpenPage) -> None:
    ana, ben, cleo = open_page(LAPTOP), open_page(PHONE, touch=True), open_page(PHONE, touch=True)
    opens(ana, server, "Ana", "1;classic;max_players=2")
    expect(ana.get_by_test_id("bot-gentle")).to_be_visible()
    room = ana.url
    cleo.goto(room)
    expect(cleo.get_by_test_id("join-go")).to_be_visible()
    ben.goto(room)
    ben.get_by_test_id("join-name").fill("Ben")
    ben.get_by_test_id("join-go").tap()
    expect(ana.get_by_test_id("all-taken")).to_be_visible()
    expect(ana.locator("[data-testid^=bot-]")).to_have_count(0)
    expect(cleo.get_by_test_id("full")).to_contain_text("This table is full")
    expect(cleo.get_by_test_id("join-go")).to_have_count(0)
    ana.get_by_test_id("start").click()
    expect(cleo.get_by_test_id("arrive")).to_be_visible()
    expect(cleo.get_by_test_id("join-go")).to_have_count(0)
    cleo.get_by_test_id("just-watch").tap()
    expect(cleo.get_by_test_id("stage")).to_be_visible()
    expect(cleo.get_by_test_id("sit")).to_have_count(0)


def opens(page: Page, server: Server, name: str, house: str) -> None:
    """Open a table for friends in a house."""
    settings = json.dumps(json.dumps({"name": name, "house": house}))
    page.add_init_script(f"localStorage.setItem('ratscrew:settings', {settings})")
    page.goto(server.url)
    page.get_by_test_id("friends").click()
    page.get_by_test_id("code").wait_for()


def waits_for_strangers(page: Page, server: Server, name: str, house: str) -> None:
    """Open a table that is among the open ones."""
    opens(page, server, name, house)
    page.get_by_test_id("listed").click()
    expect(page.get_by_test_id("listed")).to_be_checked()


def toggles(page: Page, switch: str, words: str) -> None:
    """A press on the words beside a switch is one on the switch, and no more than one."""
    control = page.get_by_test_id(switch)
    before = control.get_attribute("aria-checked")
    page.get_by_text(words, exact=True).last.click()
    expect(control).to_have_attribute("aria-checked", "false" if before == "true" else "true")
    control.click()
    expect(control).to_have_attribute("aria-checked", before or "")
