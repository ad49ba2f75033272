"""The judge in real browsers: the faster hand wins from far away, and both pages show how that was found."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.gathering import Gather, gather, insist, stands, turn
from tests.browser.stays import STAYS

__all__ = ["gather"]

pytestmark = pytest.mark.browser

HOUSE = "1;classic;turn_ms=60000"
FAR_MS, SOONER_MS, HAND_MS = 300, 25, 250
"""The far page is 300 ms away, so its hand arrives 150 ms later; the far player slaps a little sooner, after 250 ms."""


def hands(page: Page, n: int) -> list[tuple[str, int]]:
    """The hands of the race for card `n` as a page shows them on request, the winner first: whose, and how many ms.

    The panel keeps the list with which it was opened: until the verdict has come, that is a list of earlier races.
    """
    for _ in range(100):
        page.get_by_test_id("how").click()
        page.get_by_test_id("how-title").wait_for()
        race = page.get_by_test_id("race").filter(has=page.locator(".n", has_text=re.compile(rf"\b{n}$")))
        found = [hand(row) for row in race.get_by_test_id("hand").all()]
        insist(page, "close-how")
        if found:
            return found
    raise AssertionError(f"no verdict for card {n}")


def hand(row: Locator) -> tuple[str, int]:
    """Whose hand a row of the panel is, and how many ms it took."""
    time = re.search(r"(\d+) ms", row.inner_text())
    assert time, row.inner_text()
    return row.locator("b").inner_text(), int(time[1])


def leads(page: Page) -> bool:
    return page.locator("[data-turn]").get_attribute("data-turn") == "true"


@pytest.mark.each_engine
def test_from_far_away_the_faster_hand_wins_and_both_pages_show_why(gather: Gather) -> None:
    """Ben is near, Ana 300 ms away. She slaps a little sooner, and her slap arrives last.

    Two cards are a double, whichever of them leads. A busy machine may press the keys closer together or farther apart,
    and then it was another race: there are several.
    """
    ana, ben = gather(HOUSE, "9S 8S 7S 6S 5S", "9H 8H 7H 6H 5H", speed=1, far_ms={0: FAR_MS}, begin=STAYS)
    for n in (2, 4, 6, 8, 10):
        first, second = (ana, ben) if leads(ana) else (ben, ana)
        turn(first, n - 1)
        turn(second, n)
        stands(ben, n=n, phase="play")
        ana.wait_for_timeout(HAND_MS)
        ana.get_by_test_id("slap").tap()
        ben.wait_for_timeout(SOONER_MS)
        ben.keyboard.press("Space")
        shown = {page: hands(page, n) for page in (ana, ben)}
        for _ in range(20):  # a slap after the ruling is shown when a page hears of it: on the far one a moment later
            if len(shown[ana]) != len(shown[ben]):
                shown = {page: hands(page, n) for page in (ana, ben)}
        (winner, best_ms), *others = shown[ben]
        assert (winner == "Ana") == (shown[ana][0][0] == "You")
        assert [ms for _, ms in shown[ana]] == [ms for _, ms in shown[ben]]
        assert all(best_ms <= ms for _, ms in others)
        if winner == "Ana" and any(ms - best_ms < FAR_MS / 2 for _, ms in others):  # so hers was the second to arrive
            return
    raise AssertionError("in no race was the faster hand the later to arrive")


def test_everybodys_line_is_to_be_seen(gather: Gather) -> None:
    ana, _ = gather(HOUSE, "9S 8S 7S", "9H 8H 7H", speed=1, far_ms={1: FAR_MS})
    ana.get_by_test_id("meter").click()
    lines = ana.get_by_test_id("lines")
    expect(lines).to_contain_text(re.compile(r"Ben\D*3\d\d ms"))
    expect(lines).to_contain_text(re.compile(r"Ana\D*\d\d? ms|You\D*\d\d? ms"))
