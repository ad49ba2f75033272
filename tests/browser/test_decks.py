"""A card starts at its deck, also after something else at the table has changed its size and moved the deck."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.browser.conftest import LAPTOP, TABLET, OpenPage
from tests.browser.gathering import UNHURRIED, Gather, gather, post, press, turn, until
from tests.browser.one_screen import Sit, deal, sit
from tests.browser.one_screen import turn as turn_at
from tests.browser.server import Server
from tests.browser.test_replay import url

__all__ = ["gather", "sit", "url"]

pytestmark = pytest.mark.browser

HOUSE = f"1;classic;{UNHURRIED}"
SIDEWAYS: ViewportSize = {"width": 844, "height": 390}
TELEVISION: ViewportSize = {"width": 1280, "height": 720}

WATCH = """(deck) => {
  const measure = Element.prototype.getBoundingClientRect
  window.middleOf = (element) => {
    const { x, y, width, height } = measure.call(element)
    return [x + width / 2, y + height / 2]
  }
  const cards = () => document.querySelectorAll('.stage .card').length
  const before = cards()
  let late = false
  Element.prototype.getBoundingClientRect = function () {
    if (this.matches('.deck') && cards() > before) late = true
    return measure.call(this)
  }
  const animate = Element.prototype.animate
  window.start = new Promise((done) => {
    Element.prototype.animate = function (frames, ...how) {
      const there = this.closest('.stage')?.parentElement.querySelector(deck)
      if (there && this.matches('.card:not(:has(.face))')) {
        const { transform } = this.style
        this.style.transform = frames[0].transform
        const [x, y] = middleOf(this)
        this.style.transform = transform
        const [left, top] = middleOf(there)
        done({ off: [x - left, y - top], late })
      }
      return animate.call(this, frames, ...how)
    }
  })
}"""
"""Sees how far beside its deck the next card starts, and whether a deck is measured only when the card is there."""


@contextmanager
def starting_at_its_deck(page: Page, deck: str, grows: str, line: bool = False) -> Iterator[None]:
    """Move a deck, from which the next card then has to start, while the stage keeps its size.

    It moves because something else `grows` by some words, or by another `line`.
    """
    page.evaluate(WATCH, deck)
    before, after = page.evaluate(
        """async ([deck, grows, line]) => {
          const look = () => {
            const { width, height } = document.querySelector('.stage').getBoundingClientRect()
            return { place: middleOf(document.querySelector(deck)), stage: [width, height] }
          }
          const before = look()
          const words = document.createElement('span')
          words.append('and some more words')
          if (line) words.style.display = 'block'
          document.querySelector(grows).append(words)
          for (let frames = 0; frames < 2; frames++) await new Promise((done) => requestAnimationFrame(done))
          return [before, look()]
        }""",
        [deck, grows, line],
    )
    assert before["stage"] == after["stage"], "a stage that changes its size lays out everything again"
    assert max(abs(one - other) for one, other in zip(before["place"], after["place"], strict=True)) > 5
    yield
    start = page.evaluate("window.start")
    assert max(map(abs, start["off"])) < 3, "a deck itself moves by 2 pixels while it is pressed"
    assert not start["late"], "the browser lays out the page again to measure a deck after a change"


def test_at_a_table(gather: Gather) -> None:
    ana, ben = gather(HOUSE, "5H 9D 2S 3C", "8C 3D 4C 6S", speed=1, moving=True)
    turn(ana, n=1)
    turn(ben, n=2)
    turn(ana, n=3)
    until(ben, "[data-turn=true]")
    with starting_at_its_deck(ben, ".mine .deck", ".mine .label strong"):
        ben.keyboard.press("f")


def test_on_a_television(open_page: OpenPage, tmp_path: Path) -> None:
    hands = ["2H 8D", "5C 4D", "7S TD", "9H 6D"]
    dealt = [f"hand {seat} {hand}" for seat, hand in enumerate(hands, 1)]
    (tmp_path / "deal.txt").write_text("\n".join(["ratscrew 1", "house 1;classic", *dealt, "lead 1", ""]), "utf-8")
    with Server(tmp_path / "games.sqlite3", speed=2, deal=tmp_path / "deal.txt") as server:
        ana, television = open_page(LAPTOP), open_page(TELEVISION, moving=True)
        joined = post(ana, f"{server.url}/api/rooms", name="Ana", bots=3, house=HOUSE)
        room = joined["room"]
        television.goto(f"{server.url}/tv/{room}")
        until(television, "[data-testid=stage][data-n='0'][data-phase=play]")
        ana.add_init_script(f"localStorage.setItem('ratscrew:seat:{room}', '{joined['player_id']}')")
        ana.goto(f"{server.url}/room/{room}")
        turn(ana, n=1)
        for page in (ana, television):
            until(page, "[data-testid=stage][data-n='4']")
        with starting_at_its_deck(television, "[data-deck='0']", "[data-seat='1'] .who", line=True):
            until(ana, "[data-turn=true]")
            press(ana, "deck")
            until(television, "[data-testid=stage]:not([data-n='4'])")
        for page in (ana, television):
            page.close()


@pytest.mark.parametrize(
    ("form", "view"), [pytest.param("tablet", TABLET, id="face to face"), pytest.param("keys", LAPTOP, id="keyboard")]
)
def test_on_one_screen(sit: Sit, form: str, view: ViewportSize) -> None:
    page, _ = sit(form, "9S 2C 4H", "8H 3H 5H", view=view)
    deal(page, 2)

    def play(player: int, n: int) -> None:
        if form == "tablet":
            return turn_at(page, player, n)
        page.keyboard.press("KeyP" if player else "KeyQ")
        return until(page, f"[data-testid=stage][data-n='{n}']")

    play(0, n=1)
    play(1, n=2)
    with starting_at_its_deck(page, "[data-seat='0'] [data-deck='0']", "[data-seat='0'] .label strong"):
        play(0, n=3)


def test_in_a_replay(url: str, open_page: OpenPage) -> None:
    page = open_page(SIDEWAYS, moving=True)
    page.goto(url)
    until(page, "[data-testid=stage][data-n='0']")
    page.keyboard.press("Space")
    until(page, "[data-testid=stage][data-n='2']")
    page.keyboard.press("Space")
    with starting_at_its_deck(page, "[data-deck='1']", "[data-player='0'] .art", line=True):
        page.keyboard.press("Space")
        expect(page.get_by_test_id("stage")).to_have_attribute("data-n", "3")


def test_in_a_practice(url: str, open_page: OpenPage) -> None:
    page = open_page(LAPTOP, moving=True)
    page.goto(url.replace(urlsplit(url).path, "/practice"))
    page.get_by_test_id("begin").click()
    until(page, "[data-testid=drill][data-count='1']")
    with starting_at_its_deck(page, ".dealer .deck", ".dealer b"):
        expect(page.get_by_test_id("drill")).to_have_attribute("data-count", "2")
