"""House rules that classic does not have, each played by people in real browsers from a deal that brings it about."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.gathering import UNHURRIED, Gather, gather, held, press, slap, stands, tap_away, turn

__all__ = ["gather"]

pytestmark = [
    pytest.mark.browser,
    pytest.mark.one_engine("The server plays the rules; what pages do with them is the same code on each engine."),
]


UNRUSHED = 0.7
"""At such a table there is time to object on a busy machine too."""


def test_a_false_claim_that_is_contested_costs_a_card_to_each_contester(gather: Gather) -> None:
    ana, ben, cleo = gather(
        f"1;classic;judge=honour;contest_ms=6000;{UNHURRIED}", "5H 8C 2S", "9S 3C 4H", "7D TD KS", speed=UNRUSHED
    )
    turn(ana, n=1)
    slap(cleo, n=1)
    expect(ben.get_by_test_id("banner")).to_contain_text("Cleo claims the pile")
    expect(cleo.get_by_test_id("contest")).to_have_count(0)
    press(ana, "contest")
    ben.keyboard.press("KeyX")
    expect(cleo.get_by_test_id("banner")).to_contain_text("Contested: Ana, Ben")
    for page in (ana, ben, cleo):
        stands(page, n=1, phase="play")
        assert held(page) == [3, 4, 1]  # 3 dealt to each; Ana has turned one, and Cleo gives one to either
    expect(ana.get_by_test_id("stage")).to_have_attribute("data-top", "5H")


def test_a_true_claim_wins_the_pile_and_a_card_of_who_contested_it(gather: Gather) -> None:
    ana, ben, cleo = gather(
        f"1;classic;judge=honour;contest_ms=4000;{UNHURRIED}", "5H 8C 2S", "5S 3C 4H", "7D TD KS", speed=UNRUSHED
    )
    turn(ana, n=1)
    turn(ben, n=2)
    slap(cleo, n=2)
    press(ana, "contest")
    expect(ben.get_by_test_id("banner")).to_contain_text("Cleo takes 2")
    assert held(ben) == [1, 2, 6]


def test_a_card_out_of_turn_is_dead_and_a_slap_over_it_is_wrong(gather: Gather) -> None:
    ana, ben, cleo = gather(f"1;classic;out_of_turn=dead;dead_place=top;{UNHURRIED}", "5H 8C", "9S 3C", "5C TD")
    turn(ana, n=1)
    press(cleo, "deck")
    for page in (ana, ben, cleo):
        expect(page.locator(".card.spoilt[data-card='5C']")).to_be_visible()
        expect(page.get_by_test_id("stage")).to_have_attribute("data-top", "5H")
    slap(ben, n=1)
    expect(ana.get_by_test_id("banner")).to_contain_text("Ben burns 9♠")
    assert held(ana) == [1, 1, 1]


def test_a_card_that_lies_aside_is_placed_by_anybody_in_its_owners_turn(gather: Gather) -> None:
    ana, ben, cleo = gather(f"1;classic;out_of_turn=aside;{UNHURRIED}", "5H 8C", "QS 3C", "7D TD")
    ben.keyboard.press("KeyR")
    aside = cleo.get_by_test_id("asides").locator("[data-card='QS']")
    expect(aside).to_be_visible()
    expect(cleo.get_by_test_id("asides").get_by_role("button")).to_have_count(0)
    assert held(cleo) == [2, 2, 2]
    turn(ana, n=1)
    placing = cleo.get_by_test_id("asides").get_by_role("button")
    tap_away(placing)
    for page in (ana, ben, cleo):
        stands(page, n=2, phase="play")
        expect(page.get_by_test_id("stage")).to_have_attribute("data-top", "QS")
        expect(page.get_by_test_id("asides")).to_have_count(0)
    assert held(cleo) == [1, 1, 2]


@pytest.mark.parametrize("by", ["collect", "deck"])
def test_the_winner_of_a_challenge_takes_the_pile_by_hand(gather: Gather, by: str) -> None:
    ana, ben, cleo = gather(f"1;classic;collect=manual;{UNHURRIED}", "JH 8C", "4S 3C", "7D TD")
    turn(ana, n=1)
    turn(ben, n=2)
    for page in (ana, ben, cleo):
        stands(page, n=2, phase="won")
    expect(ben.get_by_test_id("collect")).to_have_count(0)
    expect(cleo.get_by_test_id("waits")).to_contain_text("Ana can take the pile")
    press(ana, by)
    for page in (ana, ben, cleo):
        stands(page, n=2, phase="play")
        assert held(page) == [3, 1, 2]


def test_a_pile_picked_up_by_no_right_goes_back_when_somebody_notices(gather: Gather) -> None:
    ana, ben, cleo = gather(
        f"1;classic;collect=manual;cheat=split;contest_ms=6000;{UNHURRIED}", "5H 8C", "4S 3C", "7D TD"
    )
    turn(ana, n=1)
    press(cleo, "collect")
    expect(ben.get_by_test_id("picked")).to_be_visible()
    expect(ben.get_by_test_id("banner")).to_contain_text("Cleo picks up the pile")
    ben.keyboard.press("KeyX")
    expect(cleo.get_by_test_id("banner")).to_contain_text("Caught!")
    stands(ana, n=1, phase="play")
    expect(ana.locator(".card[data-card='5H']")).to_be_visible()
    assert held(ana) == [1, 2, 2]


def test_a_last_chance_brings_back_who_slaps_in_it(gather: Gather) -> None:
    house = f"1;classic;last_chance=3;collect_delay_ms=1000;{UNHURRIED}"
    ana, ben = gather(house, "AH 9C 9D 3S", "4S 6C 7D 8H")
    turn(ana, n=1)
    for n in (2, 3, 4, 5):
        turn(ben, n=n)
    stands(ben, n=5, phase="last_chance")
    expect(ben.get_by_test_id("banner")).to_contain_text("Ana flips 3 more. You can slap")
    expect(ben.get_by_test_id("deck")).to_contain_text("Last chance")
    turn(ana, n=6)
    turn(ana, n=7)
    slap(ben, n=7)
    for page in (ana, ben):
        stands(page, n=7, phase="play")
        assert held(page) == [6, 2]


def test_three_sixes_close_the_room_until_the_host_opens_it(gather: Gather) -> None:
    house = f"1;classic;slaps.triple=pile;slaps.triple_six=all_lose;triple_six_ban=true;{UNHURRIED}"
    ana, ben, cleo = gather(house, "6H 8C", "6S 3C", "6C TD")
    turn(ana, n=1)
    turn(ben, n=2)
    turn(cleo, n=3)
    slap(cleo, n=3)
    for page in (ana, ben, cleo):
        expect(page.get_by_test_id("winner")).to_have_text("Everyone loses")
        expect(page.get_by_test_id("closed")).to_contain_text("burned by midnight")
        expect(page.get_by_test_id("closed")).to_contain_text("borrowed")
        expect(page.get_by_test_id("again")).to_be_disabled()
    expect(ben.get_by_test_id("lift")).to_have_count(0)
    ana.reload()
    expect(ana.get_by_test_id("again")).to_be_disabled()
    tap_away(ana.get_by_test_id("lift"))
    for page in (ana, ben, cleo):
        expect(page.get_by_test_id("again")).to_be_enabled()
    ben.get_by_test_id("again").click()
    for page in (ana, ben, cleo):
        stands(page, n=0, phase="play")
        assert held(page) == [2, 2, 2]
