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


DRAWN = """
  window.drawn = {}
  const note = (what) => (window.drawn[what] ??= performance.now())
  const animate = Element.prototype.animate
  Element.prototype.animate = function (frames, how) {
    if (how.pseudoElement) note('ring')
    return animate.call(this, frames, how)
  }
  new MutationObserver(() => {
    if (document.querySelector('[data-press=deck], [data-press=slap]')) note('press')
    if (document.querySelector('[data-turn=true]')) note('turn')
    if (document.querySelector('[data-turn=true] .countdown')) note('countdown')
  }).observe(document, { subtree: true, childList: true, attributeFilter: ['data-press', 'data-turn'] })
"""
"""When I was first told what to press, my first turn began, a ring beat and the countdown was there."""


def test_no_ring_beats_and_no_countdown_is_drawn_for_players_who_turn_their_card_at_once(
    open_page: OpenPage, gather: Gather, tmp_path: Path
) -> None:
    """Each would be made, started and removed in every turn. A timer is never early."""
    with Server(tmp_path / "games.sqlite3") as server:
        page = open_page(PHONE, touch=True, moving=True, newcomer=True)
        page.add_init_script(DRAWN)
        page.goto(server.url)
        page.get_by_test_id("play").click()
        page.wait_for_function("() => window.drawn.ring")
        assert page.evaluate("window.drawn.ring - window.drawn.press") > 900
        page.close()
    ana, ben = gather(HOUSE, "5H 9D 2S 3C", "8C 3D 4C 6S", speed=1)
    ben.evaluate(f"() => {{ {DRAWN} }}")
    turn(ana, n=1)
    ben.wait_for_function("() => window.drawn.countdown")
    assert ben.evaluate("window.drawn.countdown - window.drawn.turn") > 900


def test_the_ring_around_the_deck_that_i_am_to_press_needs_no_frame_of_the_page(
    open_page: OpenPage, tmp_path: Path
) -> None:
    """The browser moves and fades what has been painted by itself; for any other change the page draws each frame."""
    with Server(tmp_path / "games.sqlite3") as server:
        page = open_page(PHONE, touch=True, moving=True, newcomer=True)
        page.goto(server.url)
        page.get_by_test_id("play").click()
        until(page, "[data-testid=first-game][data-press=deck] ~ [data-turn=true]")
        ring = page.evaluate("""() => {
          const { outlineStyle, opacity } = getComputedStyle(document.querySelector('[data-testid=deck]'), '::after')
          return [outlineStyle, Number(opacity) > 0]
        }""")
        assert ring == ["solid", True], "the ring is there at once"
        page.wait_for_function(f"() => ({PLAYED})().length")
        assert {*page.evaluate(PLAYED)} <= {"transform", "opacity"}
        # The outline of a button is painted again whenever something on it moves, as the ring and the countdown do.
        assert page.evaluate("getComputedStyle(document.querySelector('[data-testid=deck]')).outlineStyle") == "none"
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
            queueMicrotask(() => (one.waits = one.pending))
            return one
          }
        }""")
    turn(pages[0], n=1)
    turn(pages[1], n=2)
    for page in pages:
        slap(page, n=2)
    for page in pages:
        until(page, "[data-phase=play] .middle:not(:has(.card, .hand))")
        moves = page.evaluate("window.moves.map((one) => [one.playState, one.effect.getTiming().delay, one.waits])")
        assert len(moves) > 10
        assert [move for move in moves if move != ["idle", 0, False]] == []
        # The browser asks for a frame when an animation would have ended, also if it was removed long before.
        assert page.evaluate("Math.min(...window.moves.map((one) => one.effect.getTiming().duration))") > 30_000


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


def test_the_countdown_moves_in_steps_and_the_browser_needs_no_frame_to_start_it(gather: Gather) -> None:
    """Between two steps nothing is drawn."""
    ana, _ = gather(HOUSE, "5H 9D 2S 3C", "8C 3D 4C 6S", speed=1, moving=True)
    until(ana, "[data-turn=true] .countdown i")
    width, easing = ana.evaluate("""() => {
      const bar = document.querySelector('[data-turn=true] .countdown i')
      return [bar.offsetWidth, bar.getAnimations()[0].effect.getTiming().easing]
    }""")
    steps = int(easing.removeprefix("steps(").removesuffix(")"))
    assert 0.75 < width / steps < 2, "a step that nobody can see is a frame too many"
    layer = ana.evaluate("getComputedStyle(document.querySelector('[data-turn=true] .countdown i')).willChange")
    assert layer == "transform"


def test_a_card_whose_frame_is_known_asks_for_no_second_frame(gather: Gather) -> None:
    ana, ben = gather(HOUSE, "5H 9D 2S 3C", "8C 3D 4C 6S", speed=1, moving=True)
    turn(ana, n=1)
    ana.evaluate("""() => {
      const stage = document.querySelector('[data-n]')
      const request = window.requestAnimationFrame
      window.before = window.after = 0
      window.requestAnimationFrame = (callback) => {
        if (stage.dataset.n === '1') window.before++
        else window.after++
        return request(callback)
      }
      window.settled = new Promise((done) => {
        new MutationObserver(() => setTimeout(done, 80)).observe(stage, { attributeFilter: ['data-n'] })
      })
    }""")
    turn(ben, n=2)
    stands(ana, n=2, phase="play")
    ana.evaluate("window.settled")
    assert ana.evaluate("window.before") > 0, "the card came without a frame of its own"
    assert ana.evaluate("window.after") == 0
