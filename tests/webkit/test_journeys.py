"""What players do, on WebKit: the engine of every browser on an iPhone. At the widths of phones, upright and on their
side, and of a laptop."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import cast

import pytest
from playwright.sync_api import Page

from ratscrew.game.events import Fouled, Taken
from tests.browser.large import lost, over_the_newest_card
from tests.browser.player import KEEP_BANNERS, Player
from tests.browser.server import Server
from tests.browser.test_large_text import PAGES
from tests.browser.test_replay import GAME, keep
from tests.browser.test_whole_game import lucky_deal
from tests.webkit.conftest import OpenScreen
from tests.webkit.screen import Screen, await_until

pytestmark = pytest.mark.browser

SIZES = {320: (320, 568), 390: (390, 844), 844: (844, 390), 1280: (1280, 800)}
ROOM = re.compile(r"/room/[A-Z]{4}[0-9]{4,}$")
UNHURRIED = "1;classic;turn_ms=60000"
AWAY = """(away) => {
  const row = document.querySelector('main').lastElementChild.previousElementSibling // above the controls
  row.style.display = away ? 'none' : ''
}"""


@pytest.fixture(params=SIZES)
def open_one(open_screen: OpenScreen, request: pytest.FixtureRequest) -> Callable[..., Screen]:
    """Opens screens of each size in turn."""
    width, height = SIZES[request.param]

    def open_here(**more: object) -> Screen:
        return open_screen(width, height, **more)

    return open_here


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server, four times as fast as life, with a game in its log: tables of different tests do not meet."""
    file = tmp_path_factory.mktemp("games") / "games.sqlite3"
    keep(file)
    with Server(file, speed=4) as running:
        yield running


def host(screen: Screen, url: str) -> str:
    """Open a table for friends from the start page; the answer is its code."""
    screen.goto(url)
    screen.get_by_test_id("name").fill("Ana")
    screen.get_by_test_id("friends").click()
    screen.wait_for_url(ROOM)
    return screen.get_by_test_id("code").get_attribute("data-code") or ""


def play_alone(screen: Screen, url: str) -> str:
    """Start a game against the bots that are there without a choice; the answer is the room's code."""
    screen.goto(url)
    screen.get_by_test_id("play").click()
    screen.wait_for_url(ROOM)
    shows_phase(screen, "play")
    return screen.url.rpartition("/")[2]


def shows_phase(screen: Screen, phase: str) -> None:
    """Wait until play is in this phase."""
    screen.locator(f"[data-testid=stage][data-phase='{phase}']").wait_for()


def shows_card(screen: Screen, n: int) -> None:
    """Wait until card `n` or a later one lies there."""
    script = "Number(document.querySelector('[data-testid=stage]')?.dataset.n ?? -1)"
    await_until(lambda: screen.evaluate(script) >= n, f"card {n}")


LOOKS_APART_S = 0.3
"""Something that moves has gone on by then."""


def nothing_lost(screen: Screen, where: str) -> None:
    """No word is cut off and no control out of reach, and the page cannot be moved sideways, once its layout rests."""
    await_until(lambda: screen.evaluate("document.fonts.status === 'loaded'"), "the font")
    before = None
    while (found := lost(cast(Page, screen))) and found != before:  # until two looks find the same
        before = found
        time.sleep(LOOKS_APART_S)
    assert found == [], where
    assert screen.evaluate("document.documentElement.scrollWidth <= innerWidth"), where


def test_every_page_is_whole(open_one: Callable[..., Screen], server: Server) -> None:
    screen = open_one()
    for path, shown in {**PAGES, f"/game/{GAME}": "story-title"}.items():
        screen.goto(f"{server.url}{path}")
        (screen.get_by_test_id(shown) if shown else screen.locator("h1, h2")).wait_for()
        nothing_lost(screen, path)


def test_large_text_loses_nothing(open_one: Callable[..., Screen], server: Server) -> None:
    """Text twice as large, which the browser enlarges alone."""
    screen = open_one(text_size=2)
    for path, shown in {**PAGES, f"/game/{GAME}": "story-title", f"/replay/{GAME}": "stage"}.items():
        screen.goto(f"{server.url}{path}")
        (screen.get_by_test_id(shown) if shown else screen.locator("h1, h2")).wait_for()
        nothing_lost(screen, path)
    screen.evaluate("localStorage.setItem('ratscrew:settings', '{\"games\": 3}')")  # no tips of the first games
    play_alone(screen, server.url)
    shows_card(screen, 1)
    screen.locator(".stage [data-card]").wait_for()
    nothing_lost(screen, "the table")
    banner = screen.get_by_test_id("banner")
    await_until(lambda: not banner.text_content().strip(), "the end of a headline, which may lie over a card")
    assert over_the_newest_card(cast(Page, screen)) == []


def test_a_whole_game_with_good_and_wrong_slaps(open_one: Callable[..., Screen], tmp_path: Path) -> None:
    speed = 1  # a look at this page takes so long that bots would be there first at any higher one
    with Server(tmp_path / "games.sqlite3", speed=speed, deal=lucky_deal(tmp_path / "deal.txt")) as server:
        screen = open_one()
        screen.goto(server.url)
        screen.get_by_test_id("against").click()
        screen.locator("[data-testid=bots] input[value='2']").check()
        screen.locator("[data-testid=strength] input[value='gentle']").check()
        screen.get_by_test_id("house").click()
        screen.get_by_test_id("preset-sprint").click()
        screen.get_by_test_id("play").click()
        screen.wait_for_url(ROOM)
        shows_phase(screen, "play")
        screen.evaluate(KEEP_BANNERS)
        player = Player(cast(Page, screen), touch=False, speed=speed)
        player.play(until=lambda sight: sight.over, both=True)
        room = screen.url.rpartition("/")[2]
        assert screen.get_by_test_id("winner").text_content()
        screen.locator("body:not(:has([data-quiet]))").wait_for()
        screen.get_by_test_id("look").click()
        screen.get_by_test_id("story").wait_for()
        nothing_lost(screen, "the recap")
        screen.goto(f"{server.url}/")
    mine = [entry.event for entry in server.log_of(room) if getattr(entry.event, "seat", None) == 0]
    assert any(isinstance(event, Fouled) for event in mine), "no wrong slap in the whole game"
    assert any(isinstance(event, Taken) and event.reason.startswith("slap:") for event in mine), "no good slap"


def test_a_friend_joins_by_code_and_both_play(open_one: Callable[..., Screen], server: Server) -> None:
    ana, ben = open_one(), open_one()
    code = host(ana, server.url)
    nothing_lost(ana, "the waiting room")
    ben.goto(server.url)
    ben.get_by_test_id("table-code").fill(code)
    ben.get_by_test_id("table-code-go").click()
    ben.wait_for_url(ROOM)
    ben.get_by_test_id("join-name").wait_for()
    nothing_lost(ben, "the door")
    ben.get_by_test_id("join-name").fill("Ben")
    ben.get_by_test_id("join-go").click()
    ben.get_by_test_id("waiting-for").wait_for_text("Ana")
    await_until(lambda: ana.get_by_test_id("waiting-seat").count() == 2, "two seats")
    ana.get_by_test_id("start").click()
    for screen in (ana, ben):
        shows_phase(screen, "play")
    ana.locator("[data-turn=true]").wait_for()
    ana.get_by_test_id("deck").click()
    for screen in (ana, ben):
        shows_card(screen, 1)


def test_a_reload_keeps_the_seat_and_back_offers_it(open_one: Callable[..., Screen], server: Server) -> None:
    screen = open_one()
    play_alone(screen, server.url)
    screen.reload()
    screen.get_by_test_id("deck").wait_for()
    screen.go_back()
    screen.get_by_test_id("back-to-seat").click()
    screen.wait_for_url(ROOM)
    screen.get_by_test_id("deck").wait_for()


def test_a_server_that_stops_in_mid_game_is_waited_for(open_one: Callable[..., Screen], tmp_path: Path) -> None:
    with Server(tmp_path / "games.sqlite3", speed=4) as server:
        screen = open_one(offline=True)
        play_alone(screen, server.url)
        shows_card(screen, 1)
        server.kill()
        screen.get_by_test_id("reconnecting").wait_for()
        nothing_lost(screen, "without the server")
        server.start()
        screen.get_by_test_id("reconnecting").wait_gone()
        shows_card(screen, screen.evaluate("Number(document.querySelector('[data-testid=stage]').dataset.n)") + 1)
        screen.goto("about:blank")


def test_a_row_that_comes_late_moves_nothing_out_of_the_window(open_one: Callable[..., Screen], server: Server) -> None:
    """As where the tips cannot be loaded: it takes its room from the pile."""
    screen = open_one()
    play_alone(screen, server.url)
    screen.get_by_test_id("slap").wait_for()
    for away in (True, False):
        screen.evaluate(AWAY, away)
        time.sleep(0.5)  # several frames
        nothing_lost(screen, f"row away: {away}")


def test_rules_that_were_edited_are_in_the_link(open_one: Callable[..., Screen], server: Server) -> None:
    screen = open_one()
    screen.goto(f"{server.url}/rules#1;wiki")
    screen.locator("[data-testid=preset-wiki][aria-pressed=true]").wait_for()
    screen.get_by_test_id("switch-double").click()
    screen.wait_for_url(re.compile(r"slaps\.double=off"))
    screen.reload()
    screen.get_by_test_id("sheet").wait_for()
    screen.locator("[data-testid=switch-double][aria-checked=false]").wait_for()


def test_two_players_at_one_screen(open_one: Callable[..., Screen], tmp_path: Path) -> None:
    deal = tmp_path / "deal.txt"
    deal.write_text("ratscrew 1\nhouse 1;classic\nhand 1 9S 2C 4H\nhand 2 9H 3H 5H\nlead 1\n", encoding="utf-8")
    with Server(tmp_path / "games.sqlite3", speed=2, deal=deal) as server:
        screen = open_one()
        screen.goto(f"{server.url}/together")
        screen.locator("[data-testid=form] input[value='tablet']").check()
        nothing_lost(screen, "the places")
        screen.get_by_test_id("deal").click()
        await_until(lambda: screen.get_by_test_id("pad").count() == 2, "two pads")
        for turn in (1, 2):
            screen.locator(f"[data-testid=pad][data-seat='{turn - 1}'] [data-testid=deck]").click()
            shows_card(screen, turn)
        screen.wait_for_paint()
        screen.wait_for_timeout(250)  # a hand that is there sooner cannot have seen the card
        screen.locator("[data-testid=pad] [data-testid=slap]").click()
        screen.get_by_test_id("said").wait_for_text("Double!")
        screen.goto("about:blank")


def test_a_replay_is_stepped_through(open_one: Callable[..., Screen], server: Server) -> None:
    screen = open_one()
    screen.goto(f"{server.url}/replay/{GAME}")
    screen.locator("[data-testid=stage][data-n='0']").wait_for()
    screen.get_by_test_id("slap").click()
    nothing_lost(screen, "the replay")
    screen.locator("[data-testid=stage]:not([data-n='0'])").wait_for()


def test_settings_are_kept_and_german_is_spoken(open_one: Callable[..., Screen], server: Server) -> None:
    screen = open_one(language="de")
    screen.goto(server.url)
    screen.get_by_test_id("play").wait_for_text("Spielen")
    nothing_lost(screen, "the German start page")
    screen.get_by_test_id("settings-of-start").click()
    screen.get_by_test_id("set-language").wait_for()
    nothing_lost(screen, "the settings")
    assert screen.get_by_test_id("set-vibration").count() == 0  # nothing here vibrates
    screen.get_by_test_id("set-language").select("en")  # the page loads itself again
    screen.get_by_test_id("play").wait_for_text("Play")
    screen.reload()
    screen.get_by_test_id("play").wait_for_text("Play")
