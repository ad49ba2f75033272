"""What iPhones do on their own: a notch at the side, a zoom at two fast taps, and another into small fields."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, ViewportSize

from tests.browser.conftest import OpenPage
from tests.browser.gathering import UNHURRIED, panel_ready, post, stands
from tests.browser.server import Server
from tests.browser.test_large_text import PAGES

pytestmark = pytest.mark.browser

ON_ITS_SIDE: ViewportSize = {"width": 844, "height": 390}
LARGE: ViewportSize = {"width": 956, "height": 440}
NOTCH = 62
"""As wide as an iPhone's is, in CSS pixels."""

_FAULTS = """(notch) => {
  const found = []
  const shown = (one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true })
  const slides = (box) => box && (getComputedStyle(box).overflowX === 'auto' || slides(box.parentElement))
  for (const one of document.querySelectorAll('#app *')) {
    const control = one.matches('a[href], button, input, select, textarea, summary')
    const text = [...one.childNodes].find((node) => node.nodeType === 3 && node.data.trim())
    if (!shown(one) || one.closest('.sr, svg, [inert]')) continue
    const name = `${one.dataset.testid ?? ''} ${one.textContent.trim().slice(0, 30)}`
    if ((control || text) && !slides(one.parentElement)) {
      const range = document.createRange()
      if (text) range.selectNodeContents(text)
      const { left, right, width } = (text ? range : one).getBoundingClientRect()
      if (width > 1 && (left < notch - 1 || right > innerWidth - notch + 1)) found.push(`under the notch: ${name}`)
    }
    const style = getComputedStyle(one)
    if (control && style.touchAction === 'auto') found.push(`zooms at two taps: ${name}`)
    const typed = one.matches('select, textarea, input:not([type=radio], [type=checkbox], [type=range])')
    if (typed && parseFloat(style.fontSize) < 16) found.push(`zooms when it is typed in: ${name}`)
  }
  return found
}"""


def faults(page: Page, where: str) -> list[str]:
    """What a page does wrong on an iPhone that lies on its side, of either size."""
    found = []
    for size in (ON_ITS_SIDE, LARGE):
        page.set_viewport_size(size)
        found += [f"{where}, {size['width']} px: {one}" for one in page.evaluate(_FAULTS, NOTCH)]
    return found


def test_nothing_lies_under_the_notch_and_no_tap_zooms(open_page: OpenPage, tmp_path: Path) -> None:
    with Server(tmp_path / "games.sqlite3") as server:
        page = open_page(ON_ITS_SIDE, touch=True, refused=True)
        screen = page.context.new_cdp_session(page)
        screen.send("Emulation.setSafeAreaInsetsOverride", {"insets": {"left": NOTCH, "right": NOTCH, "bottom": 21}})
        wrong = []
        for path, shown in PAGES.items():
            page.goto(f"{server.url}{path}")
            (page.get_by_test_id(shown) if shown else page.get_by_role("heading")).first.wait_for()
            wrong += faults(page, path)
        page.goto(server.url)
        page.get_by_test_id("settings-of-start").click()
        page.get_by_test_id("settings").wait_for()
        wrong += faults(page, "the settings")
        joined = post(page, f"{server.url}/api/rooms", name="Ana", bots=3, house=f"1;classic;{UNHURRIED}", wait=True)
        room = f"{server.url}/room/{joined['room']}"
        page.goto(room)
        page.get_by_test_id("join-go").wait_for()
        wrong += faults(page, "the door")
        page.evaluate(f"localStorage.setItem('ratscrew:seat:{joined['room']}', '{joined['player_id']}')")
        page.goto(room)
        page.get_by_test_id("start").wait_for()
        wrong += faults(page, "the waiting room")
        page.get_by_test_id("start").click()
        stands(page, n=0, phase="play")
        wrong += faults(page, "the table")
        page.get_by_test_id("open-menu").click()
        panel_ready(page)
        wrong += faults(page, "the menu")
        page.close()
    assert not wrong, "\n".join(wrong)
