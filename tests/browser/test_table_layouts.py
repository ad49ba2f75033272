"""Where things lie on every screen, for few seats and for a crowd, for right hands and for left ones."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Route, ViewportSize, expect

from tests.browser.conftest import LAPTOP, PHONE, SMALL, TABLET, USUAL, OpenPage
from tests.browser.covering import COVERING
from tests.browser.gathering import Gather, gather, post, turn, until
from tests.browser.server import Server
from tests.browser.stays import STAYS

__all__ = ["gather"]

pytestmark = pytest.mark.browser

SIDEWAYS: ViewportSize = {"width": 844, "height": 390}
UPRIGHT: ViewportSize = {"width": 820, "height": 1180}
SCREENS = (PHONE, SMALL, USUAL, SIDEWAYS, LAPTOP, TABLET, UPRIGHT)
SPEED = 10
HOUSE = "1;classic;turn_ms=600000;max_players=0;wrong_slap.kind=none"
PARTS = "main section, main button, .pill, .banner, .hand, .tag, .bubble, .me .deck, .asides"

_LOOK = """(parts) => {
  const wide = innerWidth, high = innerHeight, root = document.documentElement, beyond = []
  const code = document.querySelector('header h1')
  if (code.clientWidth > 1 && code.scrollWidth > code.clientWidth) beyond.push('the code is cut')
  if (root.scrollWidth > wide || root.scrollHeight > high) beyond.push('the page can be scrolled')
  for (const node of document.querySelectorAll(parts)) {
    const strip = node.closest('.strip')
    if (strip && strip.scrollWidth > strip.clientWidth) continue // the strip goes on beyond the edge
    const box = node.getBoundingClientRect()
    const out = box.left < -1 || box.top < -1 || box.right > wide + 1 || box.bottom > high + 1
    if (out && box.width) beyond.push(`${node.className} ${[box.left, box.top, box.right, box.bottom].map(Math.round)}`)
  }
  const card = [...document.querySelectorAll('.stage .card:has(.face)')].at(-1)
  const { left, top, right, bottom } = card.getBoundingClientRect()
  const whole = left >= 0 && top >= 0 && right <= wide && bottom <= high
  const box = (node) => node.getBoundingClientRect()
  const heads = [...document.querySelectorAll('header a, header button, header h1')]
  for (const seat of document.querySelectorAll('main section[data-seat]')) {
    const { left, top, right, bottom } = box(seat), strip = seat.closest('.strip')
    const edge = strip && strip.scrollWidth > strip.clientWidth ? box(strip) : { left: 0, right: wide }
    const under = heads.filter((head) => {
      const it = box(head), beside = Math.max(left, edge.left) >= it.right || it.left >= Math.min(right, edge.right)
      return !beside && top < it.bottom && it.top < bottom
    })
    beyond.push(...under.map((head) => `seat ${seat.dataset.seat} lies under ${head.className}`))
  }
  const [deck, slap] = ['.mine', '.slap'].map((what) => document.querySelector(what).getBoundingClientRect().x)
  return { card: card.dataset.card, place: [left, top, right, bottom].map(Math.round), whole, beyond,
    covers: covering(card), deck, slap }
}"""

_AT_REST = """async () => {
  const frame = () => new Promise((done) => requestAnimationFrame(done))
  const card = () => [...document.querySelectorAll('.stage .card:has(.face)')].at(-1)?.getBoundingClientRect()
  for (let before = ''; before !== JSON.stringify(card()); ) {
    before = JSON.stringify(card())
    const motions = document.getAnimations().filter((it) => it.effect.getComputedTiming().endTime < 1000)
    await Promise.all(motions.map((motion) => motion.finished.catch(() => undefined)))
    for (let frames = 0; frames < 3; frames++) await frame()
  }
}"""
"""Nothing moves any more but countdowns, and the newest card stays where it is."""


def dealt(file: Path, seats: int) -> Path:
    """Number cards in an order in which nothing is to be slapped, one for each seat by turns."""
    cards = [f"{rank}{suit}" for suit in "SHDC" for rank in "23456789T"]
    lines = [f"hand {seat + 1} {' '.join(cards[seat::seats])}" for seat in range(seats)]
    file.write_text("\n".join(["ratscrew 1", "house 1;classic", *lines, "lead 1", ""]), encoding="utf-8")
    return file


def on_every_screen(page: Page, hand: bool = False) -> dict[int, dict[str, Any]]:
    """What one table looks like on one screen after the other, each of which is told by its place in the list.

    With `hand`, I say something and slap on each of them, and that lies beside what the newest card is read by.
    """
    page.evaluate(COVERING)
    page.evaluate("document.querySelector('header h1').lastChild.data = ' SWIM 00000'")  # the widest word
    looks = {}
    for number, screen in enumerate(SCREENS):
        fit(page, screen)
        looks[number] = page.evaluate(_LOOK, PARTS)
        assert looks[number]["beyond"] == [], screen
        assert looks[number]["covers"] == [], screen
        assert looks[number]["whole"], screen
        if hand:
            for key in ("KeyE", "Digit1", "Space"):
                page.keyboard.press(key)
            page.locator(".stage .hand").first.wait_for(state="attached")
            assert page.evaluate(_LOOK, PARTS)["covers"] == [], screen
    return looks


def fit(page: Page, screen: ViewportSize) -> None:
    """Another screen, on which everything has found its place; hands that lay on the one before are gone."""
    page.set_viewport_size(screen)
    expect(page.locator(".stage .hand, .stage .tag")).to_have_count(0)
    page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 50))))")
    page.evaluate(_AT_REST)


@pytest.mark.parametrize("seats", [2, 4, 8, 12])
def test_on_every_screen_all_is_in_sight_and_the_newest_card_has_one_place(
    open_page: OpenPage, tmp_path: Path, seats: int
) -> None:
    with Server(tmp_path / "games.sqlite3", speed=SPEED, deal=dealt(tmp_path / "deal.txt", seats)) as server:
        page = open_page(PHONE, moving=True)
        joined = post(page, f"{server.url}/api/rooms", name="Ana", bots=seats - 1, house=HOUSE)
        room = joined["room"]
        page.add_init_script(f"localStorage.setItem('ratscrew:seat:{room}', '{joined['player_id']}')")
        page.goto(f"{server.url}/room/{room}")
        my_turn(page, n=0)
        page.keyboard.press("KeyF")
        my_turn(page, n=seats)
        first = on_every_screen(page, hand=True)
        page.evaluate("localStorage.setItem('ratscrew:settings', JSON.stringify({leftHanded: true}))")
        page.reload()
        my_turn(page, n=seats)
        page.keyboard.press("KeyF")
        my_turn(page, n=min(2 * seats, 36))
        left = on_every_screen(page)
        page.close()
    for number, screen in enumerate(SCREENS):
        assert first[number]["deck"] < first[number]["slap"], screen
        assert left[number]["slap"] < left[number]["deck"], "not mirrored"
        assert left[number]["card"] != first[number]["card"]
        assert left[number]["place"] == first[number]["place"], screen


def test_a_crowd_of_which_most_are_away_is_in_sight_on_every_screen(open_page: OpenPage, tmp_path: Path) -> None:
    with Server(tmp_path / "games.sqlite3", speed=SPEED, deal=dealt(tmp_path / "deal.txt", 30)) as server:
        page = open_page(PHONE)
        joined = post(page, f"{server.url}/api/rooms", name="Ana", bots=0, house=HOUSE, wait=True)
        room = joined["room"]
        for number in range(2, 31):
            post(page, f"{server.url}/api/rooms/{room}/seats", name=f"Guest {number}")
        page.add_init_script(f"localStorage.setItem('ratscrew:seat:{room}', '{joined['player_id']}')")
        page.goto(f"{server.url}/room/{room}")
        page.get_by_test_id("start").click()
        my_turn(page, n=0)
        page.keyboard.press("KeyF")
        until(page, "[data-testid=stage]:not([data-n='0'])")
        on_every_screen(page)
        assert page.locator("section[data-seat]").count() == 29
        page.close()


def my_turn(page: Page, n: int) -> None:
    """All others have turned their cards, and I am next."""
    expect(page.get_by_test_id("stage")).to_have_attribute("data-n", str(n), timeout=30_000)
    expect(page.locator("[data-turn]")).to_have_attribute("data-turn", "true")


def test_signs_at_the_seats_lie_over_no_card_on_any_screen(gather: Gather) -> None:
    pages = gather("1;classic;turn_ms=600000", "5H 9D", "8C 3D", "7S TD", speed=1, begin=STAYS)
    turn(pages[0], n=1)
    ana = pages[0]
    ana.evaluate(COVERING)
    for page in pages:
        page.keyboard.press("KeyE")
        page.keyboard.press("Digit5")
    expect(ana.get_by_test_id("bubble")).to_have_count(3)
    for screen in SCREENS:
        fit(ana, screen)
        look = ana.evaluate(_LOOK, PARTS)
        assert look["beyond"] == [], screen
        assert look["covers"] == [], screen


@pytest.mark.parametrize(
    ("size", "styles"), [((640, 400), "compact"), ((1920, 1080), "wide")], ids=["small window", "large screen"]
)
def test_a_table_waits_for_the_styles_of_its_window(
    open_page: OpenPage, tmp_path: Path, size: tuple[int, int], styles: str
) -> None:
    """Without them a small window shows a table that is cut off."""
    with Server(tmp_path / "games.sqlite3") as server:
        page = open_page({"width": size[0], "height": size[1]})
        held: list[Route] = []
        page.route(f"**/assets/{styles}*.css", lambda route: held.append(route))
        page.goto(f"{server.url}/learn")
        page.wait_for_function(
            "() => performance.getEntriesByType('resource').some((one) => /table-.*js$/.test(one.name))"
        )
        page.wait_for_timeout(100)  # it would have been drawn
        assert held, "the styles were not asked for"
        expect(page.get_by_test_id("stage")).to_have_count(0)
        held[0].continue_()
        expect(page.get_by_test_id("stage")).to_be_visible()
