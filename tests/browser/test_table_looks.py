"""How the table looks: every state of it has a picture that is not a colour, and every name can be heard."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.gathering import UNHURRIED, Gather, gather, press, react, slap, stands, tap_away, turn

__all__ = ["gather"]

pytestmark = [
    pytest.mark.browser,
    pytest.mark.one_engine(
        "Which marks a seat has is decided by the same code on each engine; test_table_layouts shows where they lie."
    ),
]

HOUSE = f"1;classic;{UNHURRIED}"


def test_a_challenge_shows_whose_it_is_and_the_chances_that_are_left(gather: Gather) -> None:
    ana, ben = gather(HOUSE, "KH 9D 4D", "8C 3D 5C")
    turn(ana, n=1)
    status = ben.locator(".status")
    expect(status).to_contain_text(re.compile("Ana ?’s king: beat it, 3 tries left"))
    expect(status.locator(".dots i:not(.spent)")).to_have_count(3)
    turn(ben, n=2)
    expect(ana.locator(".status")).to_contain_text("Your king: 2 tries left")
    expect(status.locator(".dots i:not(.spent)")).to_have_count(2)
    expect(status.locator(".dots .spent")).to_have_count(1)


def test_dead_and_burned_cards_lie_askew_beside_the_one_that_counts(gather: Gather) -> None:
    house = f"{HOUSE};wrong_slap.place=top;out_of_turn=dead;dead_place=top"
    ana, ben = gather(house, "5H 9D 4D", "8C 3D 5C")
    turn(ana, n=1)
    press(ana, "deck")  # it is Ben's turn
    for page in (ana, ben):
        expect(lying(page, "9D")).to_have_attribute("data-lean", "13")
        expect(page.locator(".status")).to_contain_text("1 of them burned or dead")
    slap(ben, n=1)
    for page in (ana, ben):
        expect(lying(page, "8C")).to_have_attribute("data-lean", "-13")
        expect(page.locator(".status")).to_contain_text("2 of them burned or dead")
        assert "lean" not in lying(page, "5H").evaluate("card => ({...card.dataset})")


def test_a_card_that_was_shown_too_soon_lies_at_its_seat(gather: Gather) -> None:
    ana, ben = gather(f"{HOUSE};out_of_turn=aside", "5H 9D 4D", "8C 3D 5C")
    turn(ana, n=1)
    press(ana, "deck")
    expect(seat(ben, 0).get_by_role("img", name="9 of diamonds, set aside")).to_be_visible()
    expect(ana.locator(".me").get_by_role("img", name="9 of diamonds, set aside")).to_be_visible()


def test_a_claim_and_its_contesters_are_shown(gather: Gather) -> None:
    ana, ben, cleo = gather(f"{HOUSE};judge=honour;contest_ms=60000", "5H 9D", "5C 3D", "7S TD")
    turn(ana, n=1)
    turn(ben, n=2)
    react(ana)
    press(ana, "collect")
    expect(ana.get_by_test_id("banner")).to_contain_text("You claim the pile")
    for page in (ben, cleo):
        expect(page.get_by_test_id("banner")).to_contain_text("Ana claims the pile")
        expect(page.get_by_test_id("waits")).to_contain_text("Time left to contest")
    press(cleo, "contest")
    for page in (ana, ben):
        expect(page.get_by_test_id("banner")).to_contain_text("Contested: Cleo")


def test_strikes_are_counted_at_the_seat_until_it_is_out(gather: Gather) -> None:
    ana, ben = gather(f"{HOUSE};no_cards.limit=2", "5H 9D 4D", "8C")
    turn(ana, n=1)
    turn(ben, n=2)
    slap(ben, n=2)
    expect(mark(ana, 1, "strike")).to_have_text("11 strike")
    turn(ana, n=3)
    slap(ben, n=3)
    expect(mark(ana, 1, "out")).to_have_text("out")
    expect(mark(ana, 1, "strike")).to_have_count(0)


def test_a_debt_is_noted_at_its_seat(gather: Gather) -> None:
    ana, ben = gather(f"{HOUSE};no_cards.kind=debt", "5H 9D 4D", "8C")
    turn(ana, n=1)
    turn(ben, n=2)
    slap(ben, n=2)
    expect(mark(ana, 1, "owes")).to_have_text("1owes 1")


def test_a_player_who_may_not_slap_for_some_cards_is_shown_with_their_number(gather: Gather) -> None:
    ana, ben = gather(f"{HOUSE};wrong_slap.kind=lockout;wrong_slap.until=2", "5H 9D 4D", "8C 3D 5C")
    turn(ana, n=1)
    slap(ben, n=1)
    expect(mark(ana, 1, "lock")).to_have_text("2no slap: 2")
    turn(ben, n=2)
    expect(mark(ana, 1, "lock")).to_have_text("1no slap: 1")
    turn(ana, n=3)
    expect(mark(ana, 1, "lock")).to_have_count(0)


def test_the_last_chance_says_how_many_cards_are_to_come_and_who_may_slap(gather: Gather) -> None:
    ana, ben = gather(f"{HOUSE};last_chance=2;collect_delay_ms=500", "JH 9D 4D", "8C")
    turn(ana, n=1)
    turn(ben, n=2)
    stands(ben, n=2, phase="last_chance")
    expect(ana.get_by_test_id("banner")).to_contain_text("Last chance!You flip 2 more. Ben can slap")
    expect(ben.get_by_test_id("banner")).to_contain_text("Last chance!Ana flips 2 more. You can slap")
    expect(ben.get_by_test_id("waits")).to_contain_text("2 cards to go")


def test_a_player_who_is_away_has_a_badge_and_one_who_left_is_shown_as_gone(gather: Gather) -> None:
    ana, ben, cleo = gather(HOUSE, "5H 9D 4D", "8C 3D 5C", "7S TD 2C")
    ben.close()
    expect(seat(ana, 1)).to_contain_text("away – autopilot")
    expect(seat(ana, 1).locator(".asleep")).to_be_visible()
    press(cleo, "open-menu")
    tap_away(cleo.get_by_test_id("menu-leave"))
    tap_away(cleo.get_by_test_id("leave-for-good"))
    expect(seat(ana, 2)).to_contain_text("left – autopilot")
    expect(seat(ana, 2).locator(".asleep")).to_be_visible()


def seat(page: Page, number: int) -> Locator:
    """Another player's seat."""
    return page.locator(f"section[data-seat='{number}']")


def mark(page: Page, number: int, sign: str) -> Locator:
    """A reaction at another player's seat."""
    return seat(page, number).locator(f"[data-testid=mark][data-sign={sign}]")


def lying(page: Page, card: str) -> Locator:
    """A card of the pile."""
    return page.locator(f".stage .card[data-card='{card}']")


def test_a_pile_says_what_it_is_worth_at_the_deck_that_gets_it(gather: Gather) -> None:
    ana, ben = gather("1;classic;turn_ms=60000", "5H 9D", "5C 3D", speed=1)
    turn(ana, n=1)
    turn(ben, n=2)
    with ana.expect_event("console", lambda message: message.text == "gain +2"):
        ana.evaluate(
            """new MutationObserver((all) => all.forEach(({ addedNodes }) => addedNodes.forEach((node) =>
              node.className === 'gain' && console.info('gain ' + node.textContent)))
            ).observe(document.querySelector('.stage .middle'), { childList: true })"""
        )
        slap(ana, n=2)
    expect(ana.get_by_test_id("stage").locator(".gain")).to_have_count(0)


def test_the_last_five_seconds_of_my_turn_are_counted(gather: Gather) -> None:
    ana, _ = gather("1;classic;turn_ms=9000", "5H 9D", "8C 3D", speed=1)
    ana.evaluate("""() => {
      window.counted = []
      const look = () => {
        const shown = document.querySelector('.mine .seconds')?.textContent
        if (shown && shown !== window.counted.at(-1)) window.counted.push(shown)
      }
      new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true })
    }""")
    ana.wait_for_function("() => window.counted.includes('3')")
    assert ana.evaluate("window.counted") == ["5", "4", "3"]
