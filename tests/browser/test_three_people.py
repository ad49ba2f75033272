"""Three people, on a phone, a laptop and a tablet, play a whole game, and another one."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.gathering import UNHURRIED, Gather, gather, held, panel_ready, press, slap, stands, tap_away, turn

__all__ = ["gather"]

pytestmark = pytest.mark.browser

HANDS = "9S 4C KD", "9H 4S", "6D"
"""Cleo slaps the nines, Ben the fours, Ana the fours again and then the nines, and holds all."""


def test_three_people_play_a_whole_game_and_another_one(gather: Gather) -> None:
    pages = gather(f"1;classic;{UNHURRIED}", *HANDS)
    ana, ben, cleo = pages
    turn(ana, n=1)
    turn(ben, n=2)
    slap(cleo, n=2)
    all_hold(pages, [2, 1, 3])
    turn(cleo, n=3)
    turn(ana, n=4)
    turn(ben, n=5)
    slap(ben, n=5)
    all_hold(pages, [1, 3, 2])
    turn(ben, n=6)
    turn(cleo, n=7)
    turn(ana, n=8)
    turn(ben, n=9)  # two of the three chances that Ana's king gives
    turn(ben, n=10)
    slap(ana, n=10)
    all_hold(pages, [5, 0, 1])
    turn(ana, n=11)
    turn(cleo, n=12)
    turn(ana, n=13)
    slap(ana, n=13)
    for page, winner in ((ana, "You win!"), (ben, "Ana wins"), (cleo, "Ana wins")):
        expect(page.get_by_test_id("winner")).to_have_text(winner)
        assert held(page) == [6, 0, 0]
    told = [story(page) for page in pages]
    assert told[0] == told[1] == told[2]
    assert [next(name for name in ("Ana", "Ben", "Cleo") if name in line) for line in told[0]] == [
        "Cleo",
        "Ben",
        "Ana",
        "Ana",
    ]
    for page in pages:
        expect(page.get_by_test_id("length")).to_contain_text("13 cards flipped, 4 piles taken")
    tap_away(cleo.get_by_test_id("close-story"))
    tap_away(cleo.get_by_test_id("again"))
    for page in pages:
        stands(page, n=0, phase="play")
        assert held(page) == [3, 2, 1]
    turn(ana, n=1)
    for page in pages:
        stands(page, n=1, phase="play")


def all_hold(pages: list[Page], cards: list[int]) -> None:
    """All pages agree on how many cards everybody holds, when the pile has been taken."""
    for page in pages:
        expect(page.locator(".status")).to_contain_text(re.compile("lead"))
        assert held(page) == cards


def story(page: Page) -> list[str]:
    """Every slap of the game, in a page's own words."""
    panel_ready(page)
    press(page, "look")
    lines = page.get_by_test_id("every-slap").locator("li")
    expect(lines.first).to_be_attached()
    return [re.sub(r"\s+", " ", line) for line in lines.all_text_contents()]
