"""Panels: one that was asked for takes the next press; one that comes by itself lets a press meant for the table go."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PHONE
from tests.browser.gathering import UNHURRIED, Gather, gather, panel_ready, press, turn

__all__ = ["gather"]

pytestmark = pytest.mark.browser

SHORT = f"1;classic;stalemate=draw;collect_delay_ms=1000;{UNHURRIED}"
TWO_CARDS = ("2H", "9C")

PRESS_AT_ONCE = """button => {
  const seen = new MutationObserver(() => {
    const there = document.querySelector(`[data-testid='${button}']`)
    if (!there) return
    seen.disconnect()
    there.click()
    window.pressed = true
  })
  seen.observe(document.body, { childList: true, subtree: true })
}"""
"""Press a button in the moment in which it comes: no hand is quicker."""


def test_what_was_asked_for_takes_the_next_press_at_once(gather: Gather) -> None:
    ana, _ = gather(f"1;classic;{UNHURRIED}", "5H 8C 2S", "5S 3C 9D")
    for button in ("menu-settings", "close-settings"):
        ana.evaluate(PRESS_AT_ONCE, button)
    press(ana, "open-menu")
    expect(ana.get_by_test_id("deck")).to_be_visible()
    ana.wait_for_function("() => window.pressed")
    expect(ana.get_by_role("dialog")).to_have_count(0)  # through the menu and the settings, and back at the table


def test_the_result_of_a_game_takes_no_press_that_was_meant_for_the_table(gather: Gather) -> None:
    ana, ben = gather(SHORT, *TWO_CARDS)
    ana.evaluate(PRESS_AT_ONCE, "fresh")
    end(ana, ben)
    ana.wait_for_function("() => window.pressed")
    expect(ana.get_by_test_id("winner")).to_have_text("It’s a draw")
    assert "/room/" in ana.url


def test_the_result_takes_a_press_at_once_where_a_press_has_led_back_to_it(gather: Gather) -> None:
    ana, ben = gather(SHORT, *TWO_CARDS)
    end(ana, ben)
    panel_ready(ana)
    press(ana, "look")
    expect(ana.get_by_test_id("story-title")).to_be_visible()
    ana.evaluate(PRESS_AT_ONCE, "gather")
    press(ana, "close-story")
    expect(ana.get_by_test_id("waiting")).to_be_visible()
    ana.evaluate(PRESS_AT_ONCE, "fresh")
    press(ana, "back-to-result")
    expect(ana.get_by_test_id("play")).to_be_visible()


def end(ana: Page, ben: Page) -> None:
    """Each turns the only card, and nobody wins."""
    assert ana.viewport_size == PHONE
    turn(ana, n=1)
    turn(ben, n=2)
    expect(ana.get_by_test_id("winner")).to_be_visible()
