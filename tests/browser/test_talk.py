"""Players react with one of six emojis; the host may silence a player, and none of it covers a card."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.gathering import SIGN_MS, UNHURRIED, Gather, gather, press, turn

__all__ = ["gather"]

pytestmark = pytest.mark.browser

SAME = "The server decides this; the page shows the answer with parts that other tests show on each engine."

HOUSE = f"1;classic;{UNHURRIED}"


def test_a_sign_by_touch_is_seen_by_all_at_the_seat_of_who_gave_it_and_goes_away(gather: Gather) -> None:
    ana, ben, cleo = gather(HOUSE, "5H 9D", "8C 3D", "7S TD", speed=1)
    turn(ana, n=1)
    press(ana, "say")
    row, card = ana.get_by_test_id("signs"), ana.locator(".stage .card:has(.face)").last
    expect(row).to_be_visible()
    boxes = (row.bounding_box(), card.bounding_box())
    assert boxes[0]
    assert boxes[1]
    assert boxes[0]["y"] + boxes[0]["height"] <= boxes[1]["y"], "the row lies over a card"
    for button in row.get_by_role("button").all():
        box = button.bounding_box()
        assert box
        assert min(box["width"], box["height"]) >= 44
    press(ana, "sign-laugh")
    expect(row).to_have_count(0)
    for page in (ben, cleo):
        shown = page.locator("[data-seat='0']").get_by_test_id("bubble")
        expect(shown).to_have_attribute("data-what", "laugh")
        expect(page.locator("[aria-live=polite]").filter(has_text="Ana: Ha ha!")).to_have_count(1)
    expect(ana.locator(".me").get_by_test_id("bubble")).to_have_attribute("data-what", "laugh")
    for page in (ana, ben, cleo):
        expect(page.get_by_test_id("bubble")).to_have_count(0, timeout=4000)


def test_signs_go_by_keys_while_they_are_offered_and_mean_nothing_else(gather: Gather) -> None:
    ana, ben = gather(HOUSE, "5H 9D", "8C 3D", speed=1)
    ben.keyboard.press("Digit3")
    expect(ana.get_by_test_id("bubble")).to_have_count(0)
    ben.keyboard.press("KeyE")
    expect(ben.get_by_test_id("signs")).to_be_visible()
    ben.keyboard.press("Digit3")
    expect(ben.get_by_test_id("signs")).to_have_count(0)
    expect(ana.locator("[data-seat='1']").get_by_test_id("bubble")).to_have_attribute("data-what", "wow")
    ben.keyboard.press("KeyE")
    ben.keyboard.press("Escape")
    expect(ben.get_by_test_id("signs")).to_have_count(0)


@pytest.mark.one_engine(SAME)
def test_the_host_silences_a_player_and_lets_them_speak_again(gather: Gather) -> None:
    ana, ben, cleo = gather(HOUSE, "5H 9D", "8C 3D", "7S TD", speed=1)
    ask(cleo, 1)
    expect(cleo.get_by_test_id("mute")).to_have_count(0)  # she is not the host
    quiet(cleo, "close-person")
    ask(ana, 1)
    quiet(ana, "mute")
    ben.keyboard.press("KeyE")
    ben.keyboard.press("Digit1")
    expect(ben.locator(".no")).to_contain_text("muted", ignore_case=True)
    expect(cleo.get_by_test_id("bubble")).to_have_count(0)
    ask(ana, 1)
    quiet(ana, "mute")
    ben.wait_for_timeout(SIGN_MS)
    ben.keyboard.press("KeyE")
    ben.keyboard.press("Digit1")
    expect(cleo.locator("[data-seat='1']").get_by_test_id("bubble")).to_have_attribute("data-what", "clap")


@pytest.mark.one_engine(SAME)
def test_the_host_makes_another_player_the_host_and_every_page_sees_it(gather: Gather) -> None:
    ana, ben, cleo = gather(HOUSE, "5H 9D", "8C 3D", "7S TD", speed=1)
    ask(ben, 2)
    expect(ben.get_by_test_id("pass-host")).to_have_count(0)  # he is not the host
    quiet(ben, "close-person")
    ask(ana, 1)
    quiet(ana, "pass-host")
    ask(cleo, 1)
    expect(cleo.get_by_test_id("is-host")).to_be_visible()
    ask(ben, 2)
    expect(ben.get_by_test_id("pass-host")).to_be_visible()
    ask(ana, 1)
    expect(ana.get_by_test_id("is-host")).to_be_visible()
    expect(ana.get_by_test_id("pass-host")).to_have_count(0)


def ask(page: Page, seat: int) -> None:
    """Open what is told about a seat."""
    page.locator(f"[data-testid=about][data-of='{seat}']").click()
    expect(page.get_by_test_id("person")).to_be_visible()


def quiet(page: Page, button: str) -> None:
    """Press a button of a panel until it is gone: at first a panel takes no click, it may be a slap too many."""
    target = page.get_by_test_id(button)
    for _ in range(30):
        if target.count():
            target.click()
            page.wait_for_timeout(100)
    expect(target).to_have_count(0)
