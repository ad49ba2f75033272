"""A game that waits for the host, a player who lets their turns pass, and a host who hands the role on."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.browser.conftest import LAPTOP, PHONE, OpenPage
from tests.browser.gathering import Gather, gather, post, press, stands, turn, until
from tests.browser.player import Player
from tests.browser.server import Server

__all__ = ("gather",)
pytestmark = pytest.mark.browser

HANDS = ("5H 9D 2C 4S 8H 3D 6C TC", "7C 3S TD 6S 9H 4C 8D 5S")
"""No card of these matches another nearby, and none is a challenge."""


def told(page: Page) -> str:
    """What the sign over the pile says."""
    sign = page.get_by_test_id("interruption")
    expect(sign).to_be_visible()
    return sign.inner_text()


def test_a_player_who_lets_turns_pass_is_asked_and_then_played_for(gather: Gather) -> None:
    ana, ben = gather("1;classic;turn_ms=8000", *HANDS)
    for n in (2, 4):
        turn(ben, n)
    assert "Still there?" in told(ana)
    turn(ben, 6)
    expect(ana.get_by_text("You’re away")).to_be_visible()
    expect(ben.locator("section.away[data-seat='0']")).to_contain_text("autopilot")
    press(ana, "here-again")
    expect(ana.get_by_test_id("interruption")).to_have_count(0)
    expect(ben.locator("section.away")).to_have_count(0)
    until(ana, "[data-turn=true]")
    press(ana, "deck")
    until(ana, "[data-testid=stage]:not([data-n='6'])")


def test_a_player_alone_with_bots_reads_that_the_game_waits(open_page: OpenPage, tmp_path: Path) -> None:
    with Server(tmp_path / "games.sqlite3", speed=8) as server:
        player = Player(open_page(PHONE, touch=True), touch=True, speed=8)
        player.start(server.url, bots=1)
        sign = player.page.get_by_test_id("interruption")
        expect(sign).to_contain_text("You’re away")
        expect(sign).to_contain_text("The game waits until you come back.")
        player.page.get_by_test_id("here-again").click()
        expect(sign).to_have_count(0)
        player.page.close()


@pytest.mark.each_engine
def test_the_host_pauses_the_game_for_everybody_and_goes_on(gather: Gather) -> None:
    ana, ben = gather("1;classic;turn_ms=60000", *HANDS)
    turn(ana, 1)
    press(ana, "open-menu")
    press(ana, "pause-all")
    assert "You paused the game" in told(ana)
    assert "Ana paused the game" in told(ben)
    expect(ben.get_by_test_id("interruption")).to_contain_text(re.compile(r"in [34]:\d\d"))
    expect(ben.get_by_test_id("resume")).to_have_count(0)
    press(ben, "deck")
    expect(ben.get_by_test_id("banner")).to_contain_text("The game is paused")
    press(ana, "resume")
    expect(ben.get_by_test_id("interruption")).to_have_count(0)
    turn(ben, 2)


def test_only_the_host_finds_the_pause_in_the_menu(gather: Gather) -> None:
    _, ben = gather("1;classic;turn_ms=60000", *HANDS)
    press(ben, "open-menu")
    expect(ben.get_by_test_id("menu-settings")).to_be_visible()
    expect(ben.get_by_test_id("pause-all")).to_have_count(0)


@pytest.mark.parametrize("size", [PHONE, LAPTOP], ids=["phone", "laptop"])
def test_the_host_of_a_waiting_room_makes_another_player_the_host(
    open_page: OpenPage, tmp_path: Path, size: ViewportSize
) -> None:
    with Server(tmp_path / "games.sqlite3") as server:
        ana, ben = open_page(size, touch=size == PHONE), open_page(LAPTOP)
        room = ""
        for page, name in ((ana, "Ana"), (ben, "Ben")):
            path = f"/api/rooms/{room}/seats" if room else "/api/rooms"
            asked = {"name": name} if room else {"name": name, "bots": 0, "wait": True}
            joined = post(page, f"{server.url}{path}", **asked)
            room = joined["room"]
            page.add_init_script(f"localStorage.setItem('ratscrew:seat:{room}', '{joined['player_id']}')")
            page.goto(f"{server.url}/room/{room}")
        ana.get_by_test_id("about-1").click()
        ana.get_by_test_id("pass-host").click()
        expect(ana.get_by_test_id("new-host")).to_have_text("Ben is the host now")
        expect(ben.get_by_test_id("new-host")).to_have_text("You’re the host now")
        expect(ana.get_by_test_id("start")).to_have_count(0)
        ben.get_by_test_id("start").click()
        stands(ana, n=0, phase="play")
        for page in (ana, ben):
            page.close()
