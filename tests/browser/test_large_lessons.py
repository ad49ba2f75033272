"""Lessons and tips on the smallest phone with text twice as large: pads and pile are free, and all is read."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import SMALL, OpenPage
from tests.browser.large import DOUBLED, lost
from tests.browser.player import Player
from tests.browser.server import Server

pytestmark = pytest.mark.browser

LESSONS = 6

COVERED = """() => {
  const found = []
  for (const name of ['deck', 'slap', 'pile']) {
    const pad = document.querySelector(`[data-testid=${name}]`)
    const { left, top, width, height } = pad.getBoundingClientRect()
    if (width < 40 || height < 40) found.push(`${name} is ${width} x ${height}`)
    for (const x of [.1, .3, .5, .7, .9]) for (const y of [.1, .3, .5, .7, .9]) {
      const on = document.elementFromPoint(left + width * x, top + height * y)
      if (on?.closest('.coach') || !on) found.push(`${name} at ${x} ${y}: ${on?.outerHTML.slice(0, 80)}`)
    }
  }
  return found
}"""
"""Where the bubble, or the end of the screen, covers a pad or the pile."""

UNREAD = """() => {
  const text = document.querySelector('.coach p'), node = text.firstChild
  const end = document.createRange()
  end.setStart(node, node.length - 1)
  end.setEnd(node, node.length)
  const scrolls = document.querySelector('.coach .inside')
  scrolls.scrollTop = end.getBoundingClientRect().bottom - scrolls.getBoundingClientRect().bottom + 10
  const { left, right, top, bottom } = end.getBoundingClientRect()
  return document.elementFromPoint((left + right) / 2, (top + bottom) / 2) === text ? '' : text.textContent
}"""
"""The text of the bubble, if its end cannot be scrolled into view."""


def check(page: Page) -> None:
    """With text twice as large nothing is covered, and everything can be read and pressed."""
    page.wait_for_function("() => document.fonts.status === 'loaded'")
    page.evaluate(DOUBLED)
    found = page.evaluate(COVERED)
    assert found == []
    assert page.evaluate(UNREAD) == ""
    assert lost(page) == []


def test_the_bubble_of_a_lesson_covers_neither_pads_nor_pile(open_page: OpenPage, tmp_path: Path) -> None:
    with Server(tmp_path / "games.sqlite3") as server:
        page = open_page(SMALL, touch=True)
        page.goto(f"{server.url}/rules")
        for lesson in range(LESSONS):
            page.evaluate(f"localStorage.setItem('ratscrew:lesson', '{lesson}')")
            page.goto(f"{server.url}/learn")
            page.wait_for_selector("[data-testid=coach]:not(.empty)")
            page.get_by_test_id("deck").wait_for()
            check(page)
        page.close()


def test_nor_does_the_tip_of_a_first_game(open_page: OpenPage, tmp_path: Path) -> None:
    with Server(tmp_path / "games.sqlite3") as server:
        page = open_page(SMALL, touch=True, newcomer=True)
        Player(page, touch=True, speed=1).start(server.url)
        page.wait_for_selector("[data-testid=first-game]:not(.empty)")
        check(page)
        page.close()
