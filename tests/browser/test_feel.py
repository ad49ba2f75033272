"""How the table feels: my hand is there at once, every card comes to the same place whole, and motion can be done
without."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page

from tests.browser.covering import COVERING
from tests.browser.gathering import UNHURRIED, Gather, gather, press, react, slap, stands, turn, until

__all__ = ["gather"]

pytestmark = pytest.mark.browser

HOUSE = f"1;classic;{UNHURRIED}"

_WATCH_CARDS = """() => {
  window.seen = []
  const middle = document.querySelector('.stage .middle')
  const top = () => [...middle.querySelectorAll('.card:not(.spoilt):has(.face)')].at(-1)
  let last = null
  const look = () => {
    const card = top()
    if (!card || card === last) return
    last = card
    const box = card.getBoundingClientRect(), style = getComputedStyle(card)
    window.seen.push({
      card: card.dataset.card, x: box.x + box.width / 2, y: box.y + box.height / 2, wide: card.offsetWidth,
      shown: new DOMMatrix(style.transform).a, opaque: Number(style.opacity),
    })
  }
  // Told before the frame is painted in which the card is turned up.
  new MutationObserver(look).observe(middle, { childList: true, subtree: true })
}"""


def seen(page: Page) -> list[dict[str, Any]]:
    """The newest cards in the very frames in which they were turned up."""
    return list(page.evaluate("window.seen"))


def test_every_card_is_turned_up_in_the_same_place_whole_in_its_own_frame(gather: Gather) -> None:
    pages = gather(HOUSE, "5H 9D 2S 3C", "8C 3D 4C 6S", "7S TD 6H 9C", moving=True)
    for page in pages:
        page.evaluate(_WATCH_CARDS)
    for n in range(1, 7):
        turn(pages[(n - 1) % 3], n=n)
    for page in pages:
        stands(page, n=6, phase="play")
        cards = seen(page)
        assert [card["card"] for card in cards] == ["5H", "8C", "7S", "9D", "3D", "TD"]
        first = cards[0]
        for card in cards:
            assert abs(card["x"] - first["x"]) < 1, "another place"
            assert abs(card["y"] - first["y"]) < 1, "another place"
            assert card["opaque"] == 1
            assert 0.98 <= card["shown"] <= 1.06, "not at its full size"


_WATCH_COVERS = """() => {
  window.looked = 0
  window.covers = []
  window.said = new Set() // in the frames in which it stood there
  const look = () => {
    window.said.add(document.querySelector('[data-testid=banner] b')?.textContent)
    const card = [...document.querySelectorAll('.stage .card:has(.face)')].at(-1)
    const box = card?.getBoundingClientRect()
    if (box) window.home ??= box.x + box.width / 2
    const lies = box && Math.abs(box.x + box.width / 2 - window.home) < 3 // not on its way to who has won it
    if (lies && document.querySelector('.stage .hand')) window.covers.push(...covering(card)), window.looked++
    requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}"""


def test_no_hand_and_no_word_lies_over_the_rank_of_the_newest_card(gather: Gather) -> None:
    pages = gather(HOUSE, "5H 9D 2S 3C", "5C 3D 4C 6S", "7S TD 6H 9C", moving=True)
    for page in pages:
        page.evaluate(COVERING)
        page.evaluate(_WATCH_COVERS)
    turn(pages[0], n=1)
    turn(pages[1], n=2)
    for page in pages:
        slap(page, n=2)
    for page in pages:
        page.wait_for_function("() => window.looked > 0 && window.said.has('Double!')")
        assert page.evaluate("[...new Set(window.covers)]") == []


def test_my_hand_is_there_in_the_same_task_as_the_touch(gather: Gather) -> None:
    ana, ben = gather(HOUSE, "5H 9D", "5C 3D")
    turn(ana, n=1)
    turn(ben, n=2)
    for page in (ana, ben):
        page.evaluate("""() => {
          const look = () => (window.hands ??= document.querySelectorAll('.stage .hand').length)
          for (const kind of ['pointerdown', 'keydown']) addEventListener(kind, look)
        }""")
    slap(ana, n=2)
    slap(ben, n=2)
    assert ana.evaluate("window.hands") == 1
    assert ben.evaluate("window.hands") >= 1


def test_a_player_who_wants_no_motion_gets_none(gather: Gather) -> None:
    """A countdown that becomes shorter once a second does not move."""
    pages = gather(HOUSE, "5H 9D 2S 3C", "5C 3D 4C 6S", "7S TD 6H 9C")
    for page in pages:
        page.evaluate("""() => {
          window.moved = []
          const animate = Element.prototype.animate
          Element.prototype.animate = function (frames, options) {
            const ms = typeof options === 'number' ? options : options.duration + (options.delay ?? 0)
            const steps = /^steps\\((\\d+)\\)$/.exec(options.easing)
            const still = steps && ms / Number(steps[1]) > 950
            if (JSON.stringify(frames).includes('transform') && !still) window.moved.push([this.className, ms])
            return animate.call(this, frames, options)
          }
          for (const kind of ['animationstart', 'transitionstart'])
            addEventListener(kind, (event) => window.moved.push([event.animationName ?? event.propertyName, 99]), true)
        }""")
    turn(pages[0], n=1)
    react(pages[2])
    press(pages[2], "slap")  # nothing there: a card is burned
    turn(pages[1], n=2)
    for page in pages:
        slap(page, n=2)
    for page in pages:
        stands(page, n=2, phase="play")
        until(page, ".countdown i")
        moved = page.evaluate("window.moved")
        assert len(moved) >= 4, "nothing was moved at all: the test sees nothing"
        assert [how for how in moved if how[1] > 2] == []
