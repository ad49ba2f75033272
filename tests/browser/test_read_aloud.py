"""What a screen reader says during a game, each card in brief and what has happened, and what it finds of the pile."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PHONE, OpenPage
from tests.browser.gathering import UNHURRIED, Gather, gather, preferring, slap, stands, turn

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


def listen(page: Page) -> None:
    """Hear all that is read from now on."""
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


def test_each_card_my_turn_verdicts_challenges_who_is_out_and_who_has_won_are_read(gather: Gather) -> None:
    ana, ben = gather(HOUSE, *HANDS, begin=preferring(hints=False))
    for page in (ana, ben):
        listen(page)
    play(ana, ben)
    assert heard(ana) == [
        "Your turn",
        "9, spades",
        "9, hearts. Your turn",
        "Double! Ben takes the pile, 2 cards.",
        "4, spades. Your turn",
        "Wrong slap: You burn 2 of clubs",
        "4, diamonds",
        "Double! You take the pile, 3 cards.",
        "Your turn",
        "You: king of diamonds",
        "7, clubs",
        "9, spades",
        "9, hearts",
        "Ben has no cards left",
        "You take the pile, 4 cards. No one beat your king.",
        "You win!",
    ]
    assert heard(ben) == [
        "9, spades. Your turn",
        "9, hearts",
        "Double! You take the pile, 2 cards.",
        "Your turn",
        "4, spades",
        "Wrong slap: Ana burns 2 of clubs",
        "4, diamonds. Your turn",
        "Double! Ana takes the pile, 3 cards.",
        "Ana: king of diamonds",
        "Your turn: Ana’s king, 3 tries left",
        "7, clubs",
        "9, spades",
        "9, hearts",
        "You have no cards left. Slap back in! (3 tries left)",
        "Ana takes the pile, 4 cards. No one beat Ana’s king.",
        "Ana wins the game.",
    ]


def test_every_card_is_read_in_full_to_players_who_want_that(gather: Gather) -> None:
    ana, ben = gather(HOUSE, *HANDS, begin=preferring(hints=False, aloud="all"))
    listen(ben)
    turn(ana, n=1)
    turn(ben, n=2)
    turn(ana, n=3)
    stands(ben, n=3, phase="play")
    assert [line for line in heard(ben) if " of " in line] == [
        "Ana: 9 of spades. Your turn",
        "You: 9 of hearts",
        "Ana: 2 of clubs. Your turn",
    ]


def test_the_pile_is_in_the_accessibility_tree_with_its_newest_card_first(gather: Gather) -> None:
    ana, ben = gather(HOUSE, *HANDS)
    tree = ana.locator("main").aria_snapshot()
    assert "No cards on the pile" in tree
    turn(ana, n=1)
    turn(ben, n=2)
    stands(ana, n=2, phase="play")
    for page in (ana, ben):
        assert "The pile, newest card first: 9 of hearts, 9 of spades" in page.locator("main").aria_snapshot()
        assert page.get_by_test_id("aloud-card").locator("p").count() <= 1


def test_cards_in_brief_are_not_read_to_a_page_that_only_watches(gather: Gather, open_page: OpenPage) -> None:
    ana, ben = gather(HOUSE, *HANDS)
    watcher = open_page(PHONE)
    watcher.goto(ana.url)
    watcher.get_by_test_id("just-watch").click()
    stands(watcher, n=0, phase="play")
    watcher.evaluate(_LISTEN)
    turn(ana, n=1)
    turn(ben, n=2)
    slap(ben, n=2)
    expect(watcher.get_by_test_id("banner")).to_contain_text("Double!")
    expect(watcher.get_by_test_id("aloud")).to_contain_text("Ben takes the pile")
    assert heard(watcher) == ["Double! Ben takes the pile, 2 cards."]
    watcher.close()
