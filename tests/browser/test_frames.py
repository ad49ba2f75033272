"""How often a page has to draw: cards, hands and rings move beside its own work, and an event draws nothing anew that
it does not change."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.browser.conftest import PHONE, OpenPage
from tests.browser.gathering import UNHURRIED, Gather, gather, slap, stands, turn, until
from tests.browser.server import Server

__all__ = ["gather"]

pytestmark = pytest.mark.browser

HOUSE = f"1;classic;{UNHURRIED}"


PLAYED = """() => document.getAnimations().filter((one) => one.playState === 'running').flatMap((one) =>
  one.effect.getKeyframes().flatMap(({ offset, computedOffset, easing, composite, ...what }) => Object.keys(what)))"""
"""What the animations that run change."""


def test_the_ring_around_the_deck_that_i_am_to_press_needs_no_frame_of_the_page(
    open_page: OpenPage, tmp_path: Path
) -> None:
    """The browser moves and fades what has been painted by itself; for any other change the page draws each frame."""
    with Server(tmp_path / "games.sqlite3") as server:
        page = open_page(PHONE, touch=True, moving=True, newcomer=True)
        page.goto(server.url)
        page.get_by_test_id("play").click()
        until(page, "[data-testid=first-game][data-press=deck] ~ [data-turn=true]")
        page.wait_for_function(f"({PLAYED})().length")
        assert {*page.evaluate(PLAYED)} <= {"transform", "opacity"}
        page.close()


def test_the_animations_of_cards_and_hands_are_removed_together_before_they_end(gather: Gather) -> None:
    """Around each end, also that of a delay, the browser asks the page for several frames."""
    pages = gather(HOUSE, "5H 9D 2S 3C", "5C 3D 4C 6S", speed=1, moving=True)
    for page in pages:
        page.evaluate("""() => {
          window.moves = []
          const animate = Element.prototype.animate
          Element.prototype.animate = function (...how) {
            const one = animate.apply(this, how)
            if (this.closest('.card, .hand, .tag')) window.moves.push(one)
            return one
          }
        }""")
    turn(pages[0], n=1)
    turn(pages[1], n=2)
    for page in pages:
        slap(page, n=2)
    for page in pages:
        until(page, "[data-phase=play] .middle:not(:has(.card, .hand))")
        moves = page.evaluate("window.moves.map((one) => [one.playState, one.effect.getTiming().delay])")
        assert len(moves) > 10
        assert [move for move in moves if move != ["idle", 0]] == []


def test_a_turned_card_settles_and_the_hands_of_the_seats_are_not_drawn_again(gather: Gather) -> None:
    ana, ben = gather(HOUSE, "5H 9D 2S 3C", "8C 3D 4C 6S", speed=1, moving=True)
    turn(ana, n=1)
    ana.evaluate("""() => {
      window.hand = document.querySelector('.seat .hand-art')
      window.moves = new Promise((done) => new MutationObserver(() => setTimeout(() => {
        done([...document.querySelectorAll('.stage .card:has(.face)')].at(-1).getAnimations().length)
      }, 30)).observe(document.querySelector('[data-n]'), { attributeFilter: ['data-n'] }))
    }""")
    turn(ben, n=2)
    stands(ana, n=2, phase="play")
    assert ana.evaluate("window.moves") == 1
    assert ana.evaluate("window.hand.isConnected")
