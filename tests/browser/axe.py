"""The findings of axe-core on a page: WCAG 2.2 AA and its best practices. Run it in a context with `bypass_csp`."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page

SOURCE = Path(__file__).parents[2] / "client" / "node_modules" / "axe-core" / "axe.min.js"
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
RULES = {"label-content-name-mismatch": {"enabled": True}}
"""An experimental rule of axe: users of voice control say the words that they see on a button."""

_RUN = """async ([tags, rules]) => {
  const { violations } = await axe.run(document, { runOnly: tags, rules, resultTypes: ['violations'] })
  const told = (id, { target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary}`
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => told(id, node)))
}"""

_SMALL = """(least) => {
  const pressed = document.querySelectorAll('a, button, input, select, textarea, [role=button], summary')
  const boxOf = (one) => (one.closest('label') ?? one).getBoundingClientRect()
  const small = [...pressed].filter((one) => {
    const { width, height } = boxOf(one)
    const seen = one.closest('label') || one.checkVisibility({ visibilityProperty: true, opacityProperty: true })
    const inText = getComputedStyle(one).display === 'inline'
    return seen && !one.closest('[inert], .sr') && width > 0 && !inText && (width < least || height < least)
  })
  return small.map((one) => {
    const { width, height } = boxOf(one)
    const name = one.dataset.testid ?? one.getAttribute('aria-label') ?? one.textContent
    return `${Math.round(width)} x ${Math.round(height)}: ${name}`
  })
}"""


def violations(page: Page) -> list[str]:
    """Each element that breaks a rule, and why."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(SOURCE.read_text(encoding="utf-8"))
    found: list[str] = page.evaluate(_RUN, [TAGS, RULES])
    return found


def too_small(page: Page, least: float = 43.5) -> list[str]:
    """Everything to press that a finger may miss; a link within a sentence is as large as its words."""
    found: list[str] = page.evaluate(_SMALL, least)
    return found
