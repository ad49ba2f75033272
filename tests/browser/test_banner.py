"""The texts over the pile: they do not contradict each other, cover no card, and lie beside the controls."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import LAPTOP, PHONE, SMALL, TABLET, OpenPage
from tests.browser.gathering import UNHURRIED, Gather, gather, slap, stands, turn
from tests.browser.stays import STAYS
from tests.browser.test_table_layouts import SIDEWAYS, UPRIGHT, fit

__all__ = ["gather"]

pytestmark = [pytest.mark.browser, pytest.mark.each_engine]

HOUSE = f"1;classic;{UNHURRIED}"
SCREENS = (PHONE, SMALL, SIDEWAYS, LAPTOP, TABLET, UPRIGHT)
WIDE = "Wolfeschlegelsteinha"
"""As long as a name may be."""

TOUCHING = """() => {
  const all = (css) => [...document.querySelectorAll(css)]
  const box = (node) => node.getBoundingClientRect()
  const lines = (node) => {
    const text = document.createRange()
    text.selectNodeContents(node)
    return [...text.getClientRects()]
  }
  const meet = (a, b, c, d) => Math.min(b, d) - Math.max(a, c) > 3 // a line is higher than its ink
  const across = (one, other) => meet(one.left, one.right, other.left, other.right)
  const cut = (one, other) => across(one, other) && meet(one.top, one.bottom, other.top, other.bottom)
  const seen = (css) => all(css).filter((node) => getComputedStyle(node).display !== 'none').map(box)
  const said = all('.banner b, .banner span').flatMap(lines)
  const how = seen('[data-testid=how]'), hint = seen('[data-testid=hint]')
  const card = all('.stage .card:has(.face)').slice(-1).map(box)
  const over = [...said, ...how, ...hint]
  const on = (boxes, these) => these.filter((one) => boxes.some((other) => cut(one, other))).length
  const beyond = over.filter((one) => one.left < 0 || one.right > innerWidth).length
  return { how: on(said, how), hint: on(said, hint), card: on(card, over), beyond }
}"""
"""How many buttons and hints lie on the headline, what lies on the newest card, and what goes beyond the screen."""

CLEAR = {"how": 0, "hint": 0, "card": 0, "beyond": 0}


def miss_a_double(gather: Gather, bens: str) -> tuple[Page, Page]:
    """Two pages at a table where nobody slapped a double, and Ana's tells her so; these are Ben's cards."""
    ana, ben = gather(HOUSE, "5H 9D 2S", bens, begin=STAYS)
    turn(ana, n=1)
    turn(ben, n=2)
    turn(ana, n=3)
    expect(ana.get_by_test_id("hint")).to_contain_text("That was a double.")
    return ana, ben


def test_a_hint_goes_when_the_next_pile_is_slapped(gather: Gather) -> None:
    ana, ben = miss_a_double(gather, "5S 9C 3C")
    turn(ben, n=4)
    expect(ana.get_by_test_id("hint")).to_contain_text(
        "That was a double."
    )  # a card that is turned contradicts nothing
    slap(ana, n=4)
    for page in (ana, ben):
        expect(page.get_by_test_id("banner")).to_contain_text("Double!")
        expect(page.get_by_test_id("hint")).to_have_count(0)


def test_a_hint_goes_when_another_player_slaps_wrong(gather: Gather) -> None:
    ana, ben = miss_a_double(gather, "5S 8C 3C")
    slap(ben, n=3)
    expect(ana.get_by_test_id("banner")).to_contain_text("Wrong slap")
    expect(ana.get_by_test_id("hint")).to_have_count(0)
    expect(ben.get_by_test_id("hint")).to_contain_text("Nothing to slap")  # the player's own, which says why


def test_headline_and_hint_cover_no_card_on_any_screen(gather: Gather) -> None:
    ana, ben = gather(HOUSE, "5H 9D 2S", "TS 9C 3C", begin=STAYS)
    turn(ana, n=1)
    turn(ben, n=2)
    slap(ana, n=2)
    expect(ana.get_by_test_id("banner")).to_contain_text("You burn 9♦")
    expect(ana.get_by_test_id("hint")).to_contain_text("Nothing to slap")
    on_every_screen(ana)


def test_a_slap_in_is_shown_with_the_pattern_and_a_long_headline_lies_beside_the_question(
    gather: Gather, open_page: OpenPage
) -> None:
    """The newcomer takes two kings, leads with one of them, and nobody beats it."""
    ana, ben = gather(HOUSE, "KH 8C 9D 2S", "KS 3C TD", begin=STAYS)
    dora = open_page(PHONE, touch=True, moving=True)
    dora.add_init_script(STAYS)
    dora.add_init_script("window.tableSpeed = 2")
    dora.goto(ana.url)
    dora.get_by_test_id("join-name").fill(WIDE)
    dora.get_by_test_id("join-go").tap()
    stands(dora, n=0, phase="play")
    turn(ana, n=1)
    turn(ben, n=2)
    slap(dora, n=2)
    expect(dora.get_by_test_id("banner")).to_have_text("Double!You take 2 and are in the game")
    expect(ana.get_by_test_id("banner")).to_have_text(f"Double!{WIDE} takes 2 and is in the game")
    for page in (dora, ana):
        expect(page.get_by_test_id("how")).to_be_visible()
        on_every_screen(page)
    turn(dora, n=3)
    for n in (4, 5, 6):
        turn(ana, n)
    expect(ana.get_by_test_id("banner")).to_have_text(f"{WIDE} takes 4No one beat {WIDE}’s king.")
    on_every_screen(ana)
    dora.close()


def on_every_screen(page: Page) -> None:
    """On each screen nothing of what is said lies on something else."""
    for screen in SCREENS:
        fit(page, screen)
        assert page.evaluate(TOUCHING) == CLEAR, screen
