"""The shuffle in real browsers: a page gives its number by itself, and the story of a game checks how it was dealt."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from ratscrew.cli.storage.log_lookup import open_log
from ratscrew.game.codec import Codec
from ratscrew.log.sqlite import SqliteLog
from ratscrew.table.record.entries import Entry, NonceGiven
from tests.browser.conftest import PHONE, OpenPage
from tests.browser.gathering import post
from tests.browser.server import Server
from tests.table.driver import LiveTable, new_table

pytestmark = pytest.mark.browser

GIVEN = """() => {
  const key = Object.keys(sessionStorage).find((name) => name.startsWith('ratscrew:shuffle:'))
  const given = key ? JSON.parse(sessionStorage[key]).given : []
  return given.length ? given : null
}"""
"""The numbers that a page knows to have been taken."""

FAIR, FALSE = "TEST-1-1", "WOLF-1f-1"


def keep_games(file: Path) -> None:
    """A game of two bots, and the same one under a name that its seal is not for."""
    live = LiveTable(new_table(5))
    live.table.add_seat("Thoth", "sharp")
    live.table.add_seat("Bes", "sharp")
    live.start().play_out()
    log = SqliteLog(file, Codec[Entry](Entry))
    log.append(FAIR, 0, live.entries)
    log.append(FALSE, 0, live.entries)
    log.close()


def test_the_story_of_a_game_checks_its_shuffle_on_this_page(open_page: OpenPage, tmp_path: Path) -> None:
    keep_games(tmp_path / "games.sqlite3")
    with Server(tmp_path / "games.sqlite3") as server:
        page = open_page(PHONE)
        for game, verdict, says in ((FAIR, "fair", "Fair: all "), (FALSE, "unfair", "Not fair")):
            page.goto(f"{server.url}/game/{game}")
            page.get_by_test_id("check-shuffle").click()
            told = page.get_by_test_id("shuffle-verdict")
            expect(told).to_have_attribute("data-verdict", verdict)
            expect(told).to_contain_text(says)
        expect(page.get_by_test_id("shuffle")).to_contain_text("Shuffled and dealt again, the cards are different.")
        page.close()


def test_a_page_gives_a_number_for_the_shuffle_that_it_is_promised(open_page: OpenPage, tmp_path: Path) -> None:
    with Server(tmp_path / "games.sqlite3") as server:
        page = open_page(PHONE)
        joined = post(page, f"{server.url}/api/rooms", name="Ana", bots=0, wait=True)
        page.add_init_script(f"localStorage.setItem('ratscrew:seat:{joined['room']}', '{joined['player_id']}')")
        page.goto(f"{server.url}/room/{joined['room']}")
        mine = page.wait_for_function(GIVEN).json_value()
        page.close()
    with open_log(tmp_path / "games.sqlite3") as log:
        (game,) = log.games(joined["room"])
        (given,) = [entry.event for entry in log.read(game) if isinstance(entry.event, NonceGiven)]
    assert mine == [given.nonce]
