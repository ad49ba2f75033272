"""The daily deal: one press opens it, everybody gets the same cards, and its result is on the start page afterwards."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest
from playwright.sync_api import expect

from ratscrew.game.events import Dealt
from tests.browser.conftest import LAPTOP, PHONE, OpenPage
from tests.browser.gathering import post
from tests.browser.large import whole_when_large
from tests.browser.server import Server

pytestmark = [
    pytest.mark.browser,
    pytest.mark.one_engine("The server deals; what the page stores is the same code on each engine."),
]

TODAY = date.today()
NOON = f"super({TODAY.year}, {TODAY.month - 1}, {TODAY.day}, 12)"
DATE = f"Date = class extends Date {{ constructor(...at) {{ at.length ? super(...at) : {NOON} }} }}"
"""It is the same day for all, also around midnight."""


def test_two_people_get_the_same_cards_of_the_day(open_page: OpenPage, tmp_path: Path) -> None:
    hands = []
    with Server(tmp_path / "games.sqlite3") as server:
        for page in (open_page(PHONE, touch=True), open_page(LAPTOP)):
            page.add_init_script(DATE)
            page.goto(server.url)
            page.get_by_test_id("daily").click()
            page.get_by_test_id("deck").wait_for()
            room = page.url.rpartition("/")[2]
            hands += [entry.event.hands for entry in server.log_of(room) if isinstance(entry.event, Dealt)]
            page.close()
    assert len(hands) == 2
    assert hands[0] == hands[1]


def test_a_result_of_the_day_and_personal_bests_are_on_the_start_page(open_page: OpenPage, tmp_path: Path) -> None:
    deal = tmp_path / "deal.txt"
    deal.write_text("ratscrew 1\nhouse 1;classic\nhand 1 JC 4H\nhand 2 5C\nlead 1\n", encoding="utf-8")
    with Server(tmp_path / "games.sqlite3", speed=6, deal=deal) as server:
        page = open_page(PHONE, touch=True)
        page.add_init_script(DATE)
        page.goto(server.url)
        joined = post(page, f"{server.url}/api/rooms", name="Ana", bots=1)
        daily = json.dumps({"day": TODAY.isoformat(), "room": joined["room"], "result": None})
        page.evaluate("daily => localStorage.setItem('ratscrew:daily', daily)", daily)  # a game that is soon over
        page.evaluate(f"localStorage.setItem('ratscrew:seat:{joined['room']}', '{joined['player_id']}')")
        page.goto(f"{server.url}/room/{joined['room']}")
        page.get_by_test_id("deck").tap()
        expect(page.get_by_test_id("winner")).to_have_text("You win!")
        expect(page.get_by_test_id("daily-result")).to_contain_text("won after 2 cards")
        page.goto(server.url)
        expect(page.get_by_test_id("bests")).to_contain_text("1")
        expect(page.get_by_test_id("todays")).to_contain_text("2 cards")
        whole_when_large(page)
        page.close()
