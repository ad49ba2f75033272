"""Every shape of window: half a phone, 400 % zoom, foldables, tablets, televisions, 280 to 3840 pixels wide."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PHONE, OpenPage
from tests.browser.gathering import post
from tests.browser.one_screen import Sit, deal, sit
from tests.browser.server import Server
from tests.browser.test_table_layouts import HOUSE, SPEED, dealt, my_turn

__all__ = ["sit"]

pytestmark = pytest.mark.browser

SHAPES = [
    *(
        (280, 653),
        (320, 480),
        (320, 568),
        (360, 560),
        (375, 553),
        (390, 664),
        (390, 844),
        (390, 1200),
    ),  # phones upright
    *((320, 256), (360, 340), (390, 360), (412, 400), (412, 430), (427, 240), (480, 320), (500, 450)),  # halves, zoom
    *((320, 180), (568, 232), (568, 320), (600, 500), (667, 325), (740, 300), (844, 390)),  # phones on their side
    *((600, 600), (717, 512), (768, 1024), (884, 1104), (1024, 600), (1180, 820), (1280, 501)),  # foldables, tablets
    *((1280, 720), (1366, 650), (1920, 1080), (2560, 1080), (3840, 700), (3840, 2160)),  # laptops, televisions
]
TELEVISIONS = [(1024, 768), (1280, 720), (1366, 768), (1920, 1080), (2560, 1080), (3840, 2160)]

STYLED = """() => innerWidth >= 720 || innerHeight > 500 || !document.querySelector('.at-table') ||
  [...document.styleSheets].some(({ href }) => href?.includes('compact'))"""
"""A table whose window has become small has fetched the styles for that."""

LEAST = 48
"""The width of the pile's cards in CSS pixels: about a thumb, 9 mm where a pixel is 0.19 mm."""

LOOK = (Path(__file__).parent / "shapes.js").read_text(encoding="utf-8")
PICTURES = os.environ.get("SHAPES_PICTURES")
"""A folder for a picture of each, to look at."""


def in_every_shape(page: Page, name: str, *wanted: str, shapes: list[tuple[int, int]] = SHAPES) -> None:
    """Whatever the window, all can be reached, nothing covers a control, and the pile is no smaller than a thumb."""
    wrong = []
    for width, height in shapes:
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_function(STYLED)
        page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        found = page.evaluate(LOOK, {"least": LEAST, "wanted": list(wanted)})
        wrong += [f"{width}x{height}: {fault}" for fault in found]
        if PICTURES:
            page.screenshot(path=f"{PICTURES}/{name}-{width}x{height}.png")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("seats", [2, 4, 8])
def test_a_table_in_every_shape(open_page: OpenPage, tmp_path: Path, seats: int) -> None:
    with Server(tmp_path / "games.sqlite3", speed=SPEED, deal=dealt(tmp_path / "deal.txt", seats)) as server:
        page = open_page(PHONE, locale="de-DE")
        joined = post(page, f"{server.url}/api/rooms", name="Ana", bots=seats - 1, house=HOUSE)
        room = joined["room"]
        page.add_init_script(f"localStorage.setItem('ratscrew:seat:{room}', '{joined['player_id']}')")
        page.goto(f"{server.url}/room/{room}")
        my_turn(page, n=0)
        page.keyboard.press("KeyF")
        my_turn(page, n=seats)
        in_every_shape(page, f"table-{seats}", "[data-testid=pile]", "[data-testid=deck]", "[data-testid=slap]")
        page.close()


def test_a_first_game_with_its_tips_in_every_shape(open_page: OpenPage, tmp_path: Path) -> None:
    with Server(tmp_path / "games.sqlite3", speed=0.2, deal=dealt(tmp_path / "deal.txt", 4)) as server:
        page = open_page(PHONE, newcomer=True, locale="de-DE")
        joined = post(page, f"{server.url}/api/rooms", name="Ana", bots=3, house="1;classic")
        room = joined["room"]
        page.add_init_script(f"localStorage.setItem('ratscrew:seat:{room}', '{joined['player_id']}')")
        page.goto(f"{server.url}/room/{room}")
        page.locator("[data-turn=true]").wait_for()
        page.get_by_test_id("coach-says").wait_for()
        shapes = [(width, height) for width, height in SHAPES if height > 200]  # below, the tips leave no room for all
        in_every_shape(page, "first", "[data-testid=pile]", "[data-testid=deck]", "[data-testid=slap]", shapes=shapes)
        page.close()


def test_the_start_the_rules_and_a_waiting_room_in_every_shape(open_page: OpenPage, tmp_path: Path) -> None:
    with Server(tmp_path / "games.sqlite3") as server:
        page = open_page(PHONE, locale="de-DE")
        page.goto(server.url)
        page.get_by_test_id("play").wait_for()
        in_every_shape(page, "start")
        page.goto(f"{server.url}/rules")
        page.get_by_test_id("preset-classic").first.wait_for()
        in_every_shape(page, "rules")
        room = post(page, f"{server.url}/api/rooms", name="Ana", bots=0, wait=True)
        page.evaluate(f"localStorage.setItem('ratscrew:seat:{room['room']}', '{room['player_id']}')")
        page.goto(f"{server.url}/room/{room['room']}")
        page.get_by_test_id("start").wait_for()
        in_every_shape(page, "waiting")
        page.close()


def test_a_television_of_every_size(open_page: OpenPage, tmp_path: Path) -> None:
    with Server(tmp_path / "games.sqlite3", speed=SPEED, deal=dealt(tmp_path / "deal.txt", 6)) as server:
        page = open_page(PHONE, locale="de-DE")
        joined = post(page, f"{server.url}/api/rooms", name="Ana", bots=5, house=HOUSE)
        page.goto(f"{server.url}/tv/{joined['room']}")
        expect(page.get_by_test_id("stage")).to_have_attribute("data-phase", "play")
        in_every_shape(page, "tv", shapes=[*SHAPES, *TELEVISIONS])
        page.close()


@pytest.mark.parametrize(("form", "players"), [("tablet", 2), ("tablet", 4), ("keys", 3)])
def test_one_screen_in_every_shape(sit: Sit, form: str, players: int) -> None:
    cards = [f"{rank}{suit}" for suit in "SHDC" for rank in "23456789T"]
    page, _ = sit(form, *(" ".join(cards[seat::players]) for seat in range(players)))
    deal(page, players)
    in_every_shape(page, f"one-{form}-{players}", "[data-testid=deck]", "[data-testid=slap]")


def test_a_screen_that_is_too_small_for_its_players_says_so(sit: Sit) -> None:
    page, _ = sit("tablet", "2S 3S", "4S 5S", "6S 7S")
    deal(page, 3)
    page.set_viewport_size({"width": 390, "height": 844})
    expect(page.get_by_test_id("too-small")).to_contain_text("too small for 3 players")
    expect(page.get_by_test_id("pad")).to_have_count(0)
    page.set_viewport_size({"width": 1180, "height": 820})
    expect(page.get_by_test_id("pad")).to_have_count(3)
