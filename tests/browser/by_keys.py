"""A user of the keyboard alone: goes from control to control by Tab, and must see the focus each time."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.gathering import panel_ready

SPARE = 20
"""So many more stops than controls there may be on a round: what can be scrolled, and the browser itself."""

_WHERE = """() => {
  const one = document.activeElement
  if (!document.hasFocus()) return { id: '', name: '', fault: '' } // the browser's own bars, after the last control
  const whole = one === document.body || one.tabIndex < 0 // a panel, or what has just come
  if (whole) return { id: '', name: '', fault: '' }
  const name = one.getAttribute('aria-label') ?? (one.textContent.trim() || one.value || one.placeholder || one.tagName)
  const id = (one.closest('[data-testid]') ?? one).dataset.testid ?? ''
  const visible = { opacityProperty: true, visibilityProperty: true }
  const ringed = (node) => parseFloat(getComputedStyle(node).outlineWidth) >= 2 && node.checkVisibility(visible)
  const outlined = (node) => node && getComputedStyle(node).outlineStyle !== 'none' && ringed(node)
  const seen = [one, one.nextElementSibling].find(outlined)
  if (!seen) return { id, name, fault: 'has no ring' }
  const { left, top, width, height } = seen.getBoundingClientRect()
  const [x, y] = [left + width / 2, top + Math.min(height / 2, 20)]
  const on = document.elementFromPoint(x, y)
  if (!on) return { id, name, fault: 'is out of sight' }
  const own = seen.contains(on) || on.contains(seen) || one.closest('label')?.contains(on)
  return { id, name, fault: own ? '' : `is covered by ${on.outerHTML.slice(0, 80)}` }
}"""

_PASSED = """(target) => {
  const there = document.querySelector(`[data-testid="${target}"]`)
  return !!there && (there.compareDocumentPosition(document.activeElement) & Node.DOCUMENT_POSITION_FOLLOWING) > 0
}"""
"""Whether the keyboard is behind a control: the way round would go through the browser's own bars."""

_CONTROLS = """() => {
  const all = document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex="0"]')
  const seen = (one) => (one.closest('label') ?? one).checkVisibility({ visibilityProperty: true })
  const free = (one) => !one.matches(':disabled') && !one.closest('[inert]') && one.getBoundingClientRect().width > 0
  const first = (one) => one.type !== 'radio' || (one.form ?? document).querySelector(`[name="${one.name}"]`) === one
  window.unreached = new Set([...all].filter((one) => seen(one) && free(one) && first(one)))
  return window.unreached.size
}"""

_REACH = """() => {
  const one = document.activeElement
  const group = one.type === 'radio' ? (one.form ?? document).querySelector(`[name="${one.name}"]`) : one
  const anew = !window.unreached.delete(group)
  return { anew: anew && one !== document.body, left: window.unreached.size }
}"""

_LEFT = "[...window.unreached].map((one) => one.outerHTML.slice(0, 100))"


def where(page: Page) -> dict[str, Any]:
    """On what the keyboard is; it is an error not to see it."""
    found: dict[str, Any] = page.evaluate(_WHERE)
    assert not found["fault"], f"{found['name']} {found['fault']}"
    return found


def in_front(page: Page) -> None:
    """Bring the page to the front, and wait until it is there: Firefox shows the focus in its front window only."""
    page.bring_to_front()
    page.wait_for_function("() => document.hasFocus()")


def tab_to(page: Page, target: str) -> None:
    """Go by Tab, or back by Shift and Tab, until the keyboard is on what has this name."""
    in_front(page)
    for _ in range(60):
        if where(page)["id"] == target:
            return
        page.keyboard.press("Shift+Tab" if page.evaluate(_PASSED, target) else "Tab")
    raise AssertionError(f"no way by keys to {target}")


def enter(page: Page, target: str) -> None:
    """Go to a button and press it."""
    tab_to(page, target)
    page.keyboard.press("Enter")


def go_round(page: Page) -> None:
    """Once through the whole page by Tab: every control is reached and is seen to be, and none holds one."""
    in_front(page)
    controls = page.evaluate(_CONTROLS)
    assert controls > 0
    for _ in range(controls + SPARE):
        page.keyboard.press("Tab")
        where(page)
        if page.evaluate(_REACH)["left"] == 0:
            return
    left = page.evaluate(_LEFT)
    assert not left, f"never reached: {left}"


def quiet(page: Page) -> None:
    """Wait until a panel, if there is one, takes presses."""
    if page.get_by_role("dialog").count():
        panel_ready(page)


def leave(page: Page, panel: str) -> None:
    """Close a panel by Escape."""
    page.keyboard.press("Escape")
    expect(page.get_by_test_id(panel)).to_have_count(0)
