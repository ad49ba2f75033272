"""What a screen reader says during a game: what has happened and nothing besides; every card for who wants it."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import Page, expect

from tests.browser.gathering import UNHURRIED, Gather, gather, slap, stands, turn

__all__ = ["gather"]

pytestmark = pytest.mark.browser

HOUSE = f"1;classic;collect_delay_ms=1000;{UNHURRIED}"
HANDS = "9S 2C 4D KD", "9H 4S 7C"
"""Ben slaps the nines; Ana slaps nothing, and then the fours; her king takes the rest, two nines on it."""

_LISTEN = """() => {
  const LIVE = '[aria-live]:not([aria-live=off]), [role=status], [role=alert]'
  window.heard = [...document.querySelectorAll(LIVE)].map((region) => region.textContent).filter(Boolean)
  const hear = (node) => {
    const region = (node instanceof Element ? node : node.parentElement)?.closest(LIVE)
    if (region && node.textContent) window.heard.push(node.textContent)
  }
  new MutationObserver((changes) => {
    for (const { type, target, addedNodes } of changes) (type === 'characterData' ? [target] : addedNodes).forEach(hear)
  }).observe(document.body, { subtree: true, childList: true, characterData: true })
}"""


def listen(page: Page, **settings: object) -> None:
    """Hear all that is read from now on with these settings, and no lessons."""
    page.evaluate(f"localStorage.setItem('ratscrew:settings', '{json.dumps({'hints': False, **settings})}')")
    page.reload()
    stands(page, n=0, phase="play")
    page.evaluate(_LISTEN)


def play(ana: Page, ben: Page) -> None:
    """The whole game, which Ana wins."""
    turn(ana, n=1)
    turn(ben, n=2)
    slap(ben, n=2)
    turn(ben, n=3)
    slap(ana, n=3)
    expect(ben.get_by_test_id("banner")).to_contain_text("Wrong slap")
    turn(ana, n=4)
    slap(ana, n=4)
    turn(ana, n=5)
    for n in (6, 7, 8):
        turn(ben, n)
    for page in (ana, ben):
        expect(page.get_by_test_id("winner")).to_be_visible()


def heard(page: Page) -> list[str]:
    """All that was read out, in its order."""
    said: list[str] = page.evaluate("window.heard")
    return said


def test_my_turn_verdicts_challenges_who_is_out_and_who_has_won_are_read_and_not_every_card(gather: Gather) -> None:
    ana, ben = gather(HOUSE, *HANDS)
    for page in (ana, ben):
        listen(page)
    play(ana, ben)
    assert heard(ana) == [
        "Your turn",
        "Your turn",
        "Double! Ben takes the pile, 2 cards.",
        "Your turn",
        "Wrong slap: You burn 2 of clubs",
        "Double! You take the pile, 3 cards.",
        "Your turn",
        "You: king of diamonds",
        "Ben has no cards left",
        "You take the pile, 4 cards.",
        "You win!",
    ]
    assert heard(ben) == [
        "Your turn",
        "Double! You take the pile, 2 cards.",
        "Your turn",
        "Wrong slap: Ana burns 2 of clubs",
        "Your turn",
        "Double! Ana takes the pile, 3 cards.",
        "Ana: king of diamonds",
        "Your turn: Ana’s king, 3 chances left",
        "No cards: slap a pattern to get back in (3 strikes left)",
        "Ana takes the pile, 4 cards.",
        "Ana wins the game.",
    ]


def test_who_wants_every_card_hears_every_card(gather: Gather) -> None:
    ana, ben = gather(HOUSE, *HANDS)
    listen(ben, aloud="all")
    turn(ana, n=1)
    turn(ben, n=2)
    turn(ana, n=3)
    stands(ben, n=3, phase="play")
    assert [line for line in heard(ben) if " of " in line] == [
        "Ana: 9 of spades",
        "You: 9 of hearts",
        "Ana: 2 of clubs",
    ]
