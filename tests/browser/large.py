"""Whether a page that is shown large has lost anything: words that are cut off or run over the newest card, and
controls that cannot be come at."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page

from tests.browser.conftest import SMALL

SPACED = """() => {
  const spacing = new CSSStyleSheet()
  spacing.replaceSync(`
    * { line-height: 1.5 !important; letter-spacing: .12em !important; word-spacing: .16em !important }
    p { margin-bottom: 2em !important }`)
  document.adoptedStyleSheets = [spacing]
}"""
"""The text spacing that any user may apply to a page, WCAG 1.4.12."""

DOUBLED = """() => {
  const all = [...document.querySelectorAll('#app *')]
  for (const one of all) one.style.fontSize = ''
  const sizes = all.map((one) => parseFloat(getComputedStyle(one).fontSize))
  all.forEach((one, i) => { one.style.fontSize = `${sizes[i] * 2}px` })
}"""
"""Text twice as large, and nothing else, as browsers do it whose user reads large text."""

WIDEST_WORD = """(words) => {
  const word = document.querySelector('[data-testid=code] span')
  const ruler = document.body.appendChild(word.parentElement.cloneNode())
  ruler.style.cssText += 'display: inline-block; font-size: 40px'
  const width = (text) => { ruler.textContent = text; return ruler.getBoundingClientRect().width }
  word.textContent = words.reduce(([widest, most], text) => {
    const wide = width(text)
    return wide > most ? [text, wide] : [widest, most]
  }, ['', 0])[0]
  ruler.remove()
  return word.textContent
}"""
"""Shows a room's code with the widest of the words given."""

_AS_USUAL = "() => document.querySelectorAll('#app *').forEach((one) => { one.style.fontSize = '' })"

LARGE = f"window.large ??= {Path(__file__).with_name('lost.js').read_text(encoding='utf-8')}"
"""`window.large` from then on: finds what of a page is lost."""

_OVER = """() => {
  const top = document.querySelector('[data-testid=stage]').dataset.top
  const all = document.querySelectorAll(`.stage [data-card="${top}"]`)
  if (!all.length) return null
  const card = all[all.length - 1].getBoundingClientRect()
  const across = ({ left, right }) => Math.min(right, card.right) - Math.max(left, card.left) > 2
  const down = ({ top, bottom }) => Math.min(bottom, card.bottom) - Math.max(top, card.top) > 2
  const shown = (one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true })
  const found = []
  for (const one of document.querySelectorAll('main *')) {
    const text = [...one.childNodes].find((node) => node.nodeType === 3 && node.data.trim())
    const pressed = one.matches('button, a')
    if ((!text && !pressed) || one.closest('[data-card], .sr, [aria-hidden=true]') || !shown(one)) continue
    const range = document.createRange()
    range.selectNodeContents(pressed ? one : text)
    const box = (pressed ? one : range).getBoundingClientRect()
    if (across(box) && down(box)) found.push(one.outerHTML.slice(0, 120))
  }
  const whole = card.left >= 0 && card.top >= 0 && card.right <= innerWidth && card.bottom <= innerHeight
  if (!whole) found.push('the card is not whole')
  return found
}"""


def lost(page: Page) -> list[str]:
    """Words that are cut off, and controls that are nowhere to be pressed."""
    page.evaluate(LARGE)
    found: list[str] = page.evaluate("large.faults()")
    return found


def whole_when_large(page: Page) -> None:
    """On a small phone with text twice as large the page still has all words and controls; then it is as it was."""
    before = page.viewport_size
    page.set_viewport_size(SMALL)
    page.evaluate(DOUBLED)
    found = lost(page)
    page.evaluate(_AS_USUAL)
    if before:
        page.set_viewport_size(before)
    assert not found, found


def over_the_newest_card(page: Page) -> list[str]:
    """What lies over the newest card, or keeps it from being whole; between two piles it waits for the next card."""
    for _ in range(400):
        found: list[str] | None = page.evaluate(_OVER)
        if found is not None:
            return found
        page.wait_for_timeout(50)
    raise AssertionError("no card came in 20 s")
