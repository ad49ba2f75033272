"""Text twice as large at my side of the table, at moments that a game seldom has."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, ViewportSize

from tests.browser.conftest import LAPTOP, SMALL
from tests.browser.gathering import UNHURRIED, Gather, gather, preferring, slap, turn, until
from tests.browser.large import DOUBLED, lost

__all__ = ["gather"]

pytestmark = pytest.mark.browser

LYING: ViewportSize = {"width": 844, "height": 390}


def found(page: Page, moment: str) -> list[str]:
    """What is lost of a page on each screen, in text twice as large."""
    usual, all_found = page.viewport_size, []
    for screen in (SMALL, LYING, LAPTOP):
        page.set_viewport_size(screen)
        page.evaluate(DOUBLED)
        page.wait_for_function("() => document.fonts.status === 'loaded'")
        all_found += [f"{moment}, {screen['width']} px: {fault}" for fault in lost(page)]
    assert usual
    page.set_viewport_size(usual)
    return all_found


@pytest.mark.parametrize("language", ["en", "de"])
def test_without_cards_and_while_a_slap_is_blocked(gather: Gather, language: str) -> None:
    house = f"1;classic;wrong_slap.kind=lockout;wrong_slap.until=pile;{UNHURRIED}"
    ana, ben = gather(house, "9S 4H", "5C 6D 8H", begin=preferring(language=language, hints=False))
    turn(ana, n=1)
    slap(ana, n=1)
    until(ana, ".slap.stopped")
    wrong = found(ana, "a blocked slap")
    turn(ben, n=2)
    turn(ana, n=3)
    until(ana, ".mine .note")
    wrong += found(ana, "no cards")
    assert not wrong, "\n".join(wrong)


@pytest.mark.each_engine
@pytest.mark.parametrize("language", ["en", "de"])
def test_with_a_debt(gather: Gather, language: str) -> None:
    house = f"1;classic;no_cards.kind=debt;{UNHURRIED}"
    ana, _ = gather(house, "9S", "5C 6D 8H", begin=preferring(language=language, hints=False))
    turn(ana, n=1)
    until(ana, ".mine .note")
    slap(ana, n=1)
    until(ana, ".mine small")
    wrong = found(ana, "a debt")
    assert not wrong, "\n".join(wrong)
