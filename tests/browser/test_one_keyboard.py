"""Several players side by side at one keyboard, each with their own keys."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from ratscrew.game.events import Fouled
from ratscrew.table.record.entries import Judged
from tests.browser.conftest import LAPTOP
from tests.browser.gathering import react
from tests.browser.one_screen import Sit, choose, deal, events, pad, shows, sit

__all__ = ["sit"]

pytestmark = pytest.mark.browser


def test_four_play_with_keys_of_their_own_and_a_key_that_is_held_slaps_once(sit: Sit) -> None:
    page, server = sit("keys", "9S 2C 4H", "8H 3H 5H", "9D KC", "4S TS", view=LAPTOP)
    room = deal(page, 4)
    for n, key in enumerate(["KeyQ", "KeyP", "KeyV"], 1):
        page.keyboard.press(key)
        shows(page, n)
    react(page)
    for _ in range(3):
        page.keyboard.down("KeyL")  # Ben; what follows the first is the key repeating
    page.keyboard.up("KeyL")
    expect(page.get_by_test_id("said")).to_contain_text("Sandwich!")
    expect(pad(page, 1)).to_have_attribute("data-held", "5")
    shows(page, 3)
    page.keyboard.press("KeyP")
    shows(page, 4)
    react(page)
    page.keyboard.press("ArrowRight")  # Dan, and there is nothing to slap
    expect(pad(page, 3)).to_have_attribute("data-held", "1")
    expect(page.get_by_test_id("said")).to_contain_text("Nothing to slap yet: just 3♥\ufe0e")
    page.close()
    (race,) = events(server, room, Judged)
    assert [hit.seat for hit in race.order] == [1]
    assert [foul.seat for foul in events(server, room, Fouled)] == [3]


def test_keys_can_be_tried_and_changed_and_nobody_gets_a_key_that_is_needed(sit: Sit) -> None:
    page, _ = sit("keys", "9S 2C 4H", "8H 3H 5H", view=LAPTOP)
    says, mine = page.get_by_test_id("key-says"), page.get_by_test_id("key-slap-0")
    mine.click()
    for key, why in {
        "Space": "does something else",
        "KeyL": "Ben already uses that key to slap",
        "KeyQ": "Ana already uses that key to flip",
    }.items():
        page.keyboard.press(key)
        expect(says).to_contain_text(why)
    page.keyboard.press("KeyF")
    expect(mine).to_contain_text("F")
    expect(says).to_be_empty()
    lamps = [page.get_by_test_id(f"lamp-{player}") for player in (0, 1)]
    page.keyboard.down("KeyF")
    expect(lamps[0]).to_have_attribute("data-lit", "true")
    expect(page.get_by_test_id("key-test")).to_contain_text("stays dark")
    page.keyboard.down("KeyL")
    expect(lamps[1]).to_have_attribute("data-lit", "true")
    expect(page.get_by_test_id("key-test")).to_contain_text("They all work")
    page.keyboard.up("KeyF")
    expect(lamps[0]).to_have_attribute("data-lit", "false")
    page.reload()
    choose(page, "form", "keys")
    expect(page.get_by_test_id("key-slap-0")).to_contain_text("F")
    deal(page, 2)
    expect(pad(page, 0).get_by_test_id("slap")).to_contain_text("F")
    page.keyboard.press("KeyQ")
    shows(page, 1)
    react(page)
    page.keyboard.press("KeyA")
    page.keyboard.press("KeyF")
    expect(pad(page, 0)).to_have_attribute("data-held", "1")  # F slaps, and wrongly; A does nothing any more
