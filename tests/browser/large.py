"""Whether a page that is shown large has lost anything: words that are cut off or run over the newest card, and
controls that cannot be come at."""

from __future__ import annotations

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

_LOST = """() => {
  const found = []
  const nameOf = (one) => one.dataset.testid ?? one.getAttribute('aria-label') ?? ''
  const called = (one) => `${nameOf(one)} ${one.textContent.trim().slice(0, 40)}`
  const shown = (one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true })
  const forEars = (one) => getComputedStyle(one).clipPath === 'inset(50%)' // words that only a screen reader says
  const free = (one) => !one.closest('[inert], [aria-hidden=true], .sr, .cut, .tag span, svg') && !forEars(one)
  const clips = (box) => ['hidden', 'clip'].includes(getComputedStyle(box).overflowX) && !box.matches('body, html')
  const scrolls = (box) => ['auto', 'scroll'].includes(getComputedStyle(box).overflowX)
  const slides = (box) => !box.matches('main, .veil') && scrolls(box) && box.scrollWidth > box.clientWidth
  const fixed = document.documentElement.scrollHeight <= innerHeight + 1
  const tall = (box) => box.scrollHeight > box.clientHeight
  const high = (box) => tall(box) && ['auto', 'scroll'].includes(getComputedStyle(box).overflowY)
  const rolls = (one) => one && (high(one) || rolls(one.parentElement))
  const slid = (one) => one && (slides(one) || slid(one.parentElement)) // what is out of sight is moved into it
  for (const one of document.querySelectorAll('#app *')) {
    const text = [...one.childNodes].filter((node) => node.nodeType === 3 && node.data.trim())
    const low = one.matches('.cut') && !forEars(one) && one.scrollHeight > one.clientHeight + 1
    if (low && text.length && shown(one)) found.push('cut off below: ' + called(one))
    if (!text.length || !shown(one) || !free(one)) continue
    const range = document.createRange()
    range.selectNodeContents(text[0])
    const { left, right, top, bottom, width } = range.getBoundingClientRect()
    if (!width) continue
    let bounds = [0, innerWidth]
    for (let box = one; box; box = box.parentElement) if (clips(box)) {
      const around = box.getBoundingClientRect()
      bounds = [Math.max(bounds[0], around.left), Math.min(bounds[1], around.right)]
    }
    if (slid(one)) continue
    if (left < bounds[0] - 1.5 || right > bounds[1] + 1.5) found.push('cut off: ' + called(one))
    const beyond = top < -1.5 || bottom > innerHeight + 1.5
    if (fixed && beyond && !rolls(one)) found.push('beyond the edge: ' + called(one))
    const button = one.closest('button')?.getBoundingClientRect()
    const out = button && (top < button.top - 1.5 || bottom > button.bottom + 1.5)
    if (out) found.push('out of its button: ' + called(one))
  }
  for (const one of document.querySelectorAll('a[href], button, input, select, textarea, summary')) {
    const body = one.closest('label') ?? one
    if (!shown(body) || one.closest('[inert], .sr') || !body.getBoundingClientRect().width) continue
    body.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' })
    const { left, top, width, height } = body.getBoundingClientRect()
    const on = document.elementFromPoint(left + width / 2, top + height / 2)
    if (!on || !(body.contains(on) || on.contains(body))) found.push('not to be reached: ' + called(one))
  }
  return found
}"""

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
    found: list[str] = page.evaluate(_LOST)
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
