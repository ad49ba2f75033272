"""Games that nobody can go on with, and hands under the pile, in real browsers."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.gathering import UNHURRIED, Gather, gather, held, slap, stands, turn

__all__ = ["gather"]

pytestmark = [
    pytest.mark.browser,
    pytest.mark.one_engine("The server ends games; what pages do with that is the same code on each engine."),
]


def test_where_nobody_holds_a_card_the_game_can_be_a_draw(gather: Gather) -> None:
    ana, ben = gather(f"1;classic;stalemate=draw;collect_delay_ms=1000;{UNHURRIED}", "2H", "9C")
    turn(ana, n=1)
    turn(ben, n=2)
    for page in (ana, ben):
        expect(page.get_by_test_id("winner")).to_have_text("It’s a draw")
        expect(page.get_by_test_id("again")).to_be_enabled()


def test_or_all_cards_are_dealt_anew(gather: Gather) -> None:
    ana, ben = gather(f"1;classic;stalemate=redeal;collect_delay_ms=1000;{UNHURRIED}", "2H", "9C")
    turn(ana, n=1)
    turn(ben, n=2)
    for page in (ana, ben):
        stands(page, n=2, phase="play")
        assert held(page) == [1, 1]
    turn(ana, n=3)
    expect(ben.get_by_test_id("stage")).to_have_attribute("data-n", "3")


def test_a_burned_hand_lies_under_the_pile_until_somebody_slaps(gather: Gather) -> None:
    ana, ben, cleo = gather(f"1;classic;no_cards.kind=burn_hand;{UNHURRIED}", "5H 8C", "4S", "7D TD")
    turn(ana, n=1)
    turn(ben, n=2)
    slap(ben, n=2)
    for page in (ana, ben, cleo):
        expect(page.get_by_test_id("burned-hand")).to_contain_text("Ben" if page != ben else "You")
    turn(cleo, n=3)
    slap(cleo, n=3)
    for page in (ana, ben, cleo):
        expect(page.get_by_test_id("burned-hand")).to_have_count(0)
        assert held(page) == [1, 0, 0]
