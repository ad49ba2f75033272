"""The moments of a game that have a weight of their own: a close race, the last try of a challenge, the end."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.gathering import UNHURRIED, Gather, gather, slap, stands, turn

__all__ = ["gather"]

pytestmark = pytest.mark.browser

WATCH_FANS = """() => {
  window.fans = []
  const look = () => {
    for (const fan of document.querySelectorAll('.fan'))
      window.fans.push([fan.querySelectorAll('.card').length, fan.querySelectorAll('.hand-art').length])
  }
  new MutationObserver(look).observe(document.querySelector('.stage .middle'), { childList: true })
}"""
"""Notes the cards and the hands of each fan in the middle of the table."""

HOUSE = f"1;classic;{UNHURRIED}"


def test_the_last_try_of_a_challenge_darkens_the_table_until_it_is_over(gather: Gather) -> None:
    ana, ben = gather(HOUSE, "JC 5H", "4D 8S")
    stage = ana.get_by_test_id("stage")
    expect(stage).to_have_attribute("data-last", "false")
    turn(ana, n=1)  # a jack leaves one try
    expect(stage).to_have_attribute("data-last", "true")
    assert float(stage.evaluate("(one) => getComputedStyle(one, '::before').opacity")) > 0.5
    turn(ben, n=2)
    expect(stage).to_have_attribute("data-last", "false")


def test_the_end_fans_the_cards_under_the_winners_hand_before_its_panel(gather: Gather) -> None:
    ana, ben = gather(HOUSE, "9C 5H", "9D")
    turn(ana, n=1)
    stands(ana, n=1, phase="play")
    ana.evaluate(WATCH_FANS)
    turn(ben, n=2)
    slap(ana, n=2)
    expect(ana.get_by_test_id("winner")).to_be_visible()
    assert [13, 1] in ana.evaluate("window.fans")
    expect(ana.locator(".fan")).to_have_count(0)
