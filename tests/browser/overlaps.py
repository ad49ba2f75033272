"""Layout faults of a page: text off the screen or out of its box, texts drawn on each other, and names cut at their
beginning."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page

_FAULTS = Path(__file__).with_name("overlaps.js").read_text(encoding="utf-8")

_HIDDEN_BEGINNINGS = """() => [...document.querySelectorAll('.cut, .tag span')].filter((one) => {
  if (one.scrollWidth <= one.clientWidth || !one.textContent.trim()) return false // all of it is seen
  if (!one.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return false
  const walk = document.createTreeWalker(one, NodeFilter.SHOW_TEXT)
  const range = document.createRange()
  range.setStart(walk.nextNode(), 0)
  range.setEnd(range.startContainer, 1)
  const [first, box] = [range.getBoundingClientRect(), one.getBoundingClientRect()]
  return first.left < box.left - 1 || first.right > box.right + 1
}).map((one) => `${one.closest('[data-testid], section, li, p')?.className}: ${one.textContent}`)"""


def faults(page: Page) -> list[str]:
    """Controls and texts that are off the screen or outside of their box, and texts that overlap."""
    page.wait_for_function("() => document.fonts.status === 'loaded'")
    found: list[str] = page.evaluate(_FAULTS)
    return found


def hidden_beginnings(page: Page) -> list[str]:
    """Texts that are cut off where they begin, instead of where they end."""
    found: list[str] = page.evaluate(_HIDDEN_BEGINNINGS)
    return found
