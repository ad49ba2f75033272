"""Hands at the table, in real browsers: fingers counted, the other hand, hovering, ties, halves, and newcomers."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PHONE, OpenPage
from tests.browser.gathering import UNHURRIED, Gather, gather, held, press, react, slap, stands, turn

__all__ = ["gather"]

pytestmark = pytest.mark.browser

SAME = "The server decides this; the page shows the answer with parts that other tests show on each engine."

TOGETHER = "tie_window_ms=500"
SLOW = 0.1
"""Half a second at such a table is five: time for two hands to come down together, on a busy machine too."""


def test_the_finger_that_has_turned_a_card_does_not_slap_it_but_another_does(gather: Gather) -> None:
    ana, ben = gather(f"1;classic;slap_hand=other;{UNHURRIED}", "5H 9D 2S", "9C 3C 4C")
    turn(ana, n=1)
    turn(ben, n=2)
    expect(ana.locator("[data-turn]")).to_have_attribute("data-turn", "true")
    finger(ana, 7, {"deck": "body", "slap": "[data-testid=stage][data-n='3'][data-phase='play']"})
    expect(ana.get_by_test_id("banner")).to_contain_text("Your hand was still on the card")
    react(ana)
    press(ana, "slap")
    expect(ben.get_by_test_id("banner")).to_contain_text("Ana takes 3")
    assert held(ben) == [4, 2]


def test_most_fingers_win_also_when_they_come_down_one_by_one(gather: Gather) -> None:
    ana, ben, cleo = gather(f"1;classic;tie=contact;{TOGETHER};{UNHURRIED}", "5H 8C", "5S 3C", "7D TD", speed=SLOW)
    turn(ana, n=1)
    turn(ben, n=2)
    expect(cleo.get_by_test_id("stage")).to_have_attribute("data-n", "2")
    cleos = palm(cleo)  # ready at once: there is little time from the first hand to the last
    slap(ana, n=2)
    cleos(3)
    for page in (ana, ben, cleo):
        expect(page.get_by_test_id("banner")).to_contain_text("takes 2" if page != cleo else "You take 2")
        assert held(page) == [1, 1, 4]


@pytest.mark.one_engine(SAME)
def test_a_tie_is_judged_by_who_was_not_in_it(gather: Gather) -> None:
    ana, ben, cleo = gather(
        f"1;classic;tie=judge;{TOGETHER};contest_ms=9000;{UNHURRIED}", "5H 8C", "5S 3C", "7D TD", speed=SLOW
    )
    turn(ana, n=1)
    turn(ben, n=2)
    slap(ana, n=2)
    slap(ben, n=2)
    stands(cleo, n=2, phase="tie")
    expect(ana.get_by_test_id("award")).to_have_count(0)
    cleo.locator("[data-testid=award][data-target='1']").tap()
    for page in (ana, ben, cleo):
        stands(page, n=2, phase="play")
        assert held(page) == [1, 3, 2]


@pytest.mark.one_engine(SAME)
def test_a_player_who_was_cheated_takes_half_of_the_cheaters_hand(gather: Gather) -> None:
    ana, ben, cleo = gather(
        f"1;classic;collect=manual;cheat=split;contest_ms=6000;{UNHURRIED}", "5H 8C", "4S 3C", "7D TD", speed=0.7
    )
    turn(ana, n=1)
    press(cleo, "collect")
    stands(ben, n=1, phase="grab")
    stands(ben, n=1, phase="play")
    assert held(ben) == [1, 2, 3]
    press(ben, "notice")
    stands(ana, n=1, phase="split")
    expect(ben.get_by_test_id("choose-top")).to_have_count(0)
    press(ana, "choose-bottom")
    for page in (ana, ben, cleo):
        stands(page, n=1, phase="play")
        assert held(page) == [3, 2, 1]  # the odd card lies in the lower half


def test_a_hand_that_hovers_is_slapped_down_and_that_is_its_own_slap(gather: Gather) -> None:
    ana, ben, cleo = gather(f"1;classic;hover=slap_down;hover_ms=600;{UNHURRIED}", "5H 8C", "4S 3C", "7D TD")
    turn(ana, n=1)
    ben.get_by_test_id("pile").hover()
    expect(ana.get_by_test_id("hovering")).to_be_visible()
    expect(ben.get_by_test_id("slap_down")).to_have_count(0)
    cleo.get_by_role("button", name="Slap Ben’s hand down").tap()
    for page in (ana, ben, cleo):
        expect(page.get_by_test_id("banner")).to_contain_text("4♠")
        assert held(page) == [1, 1, 2]


@pytest.mark.one_engine(SAME)
def test_a_newcomer_slaps_in_and_sits_where_they_chose(gather: Gather, open_page: OpenPage) -> None:
    house = f"1;classic;join_seat=choose;{UNHURRIED}"
    ana, ben, _ = gather(house, "5H 8C", "5S 3C", "7D TD")
    turn(ana, n=1)
    dora = open_page(PHONE, touch=True)
    dora.goto(ana.url)
    dora.get_by_test_id("join-name").fill("Dora")
    press(dora, "join-go")
    press(dora, "behind")
    expect(dora.get_by_test_id("behind")).to_contain_text("Ana")
    turn(ben, n=2)
    slap(dora, n=2)
    expect(ben.get_by_test_id("banner")).to_contain_text("Dora takes 2 and is in the game")
    others = ben.locator("section[data-seat]").evaluate_all("all => all.map(seat => seat.dataset.seat)")
    assert others == ["2", "0", "3"]  # Cleo, Ana, and Dora behind her
    dora.close()


def finger(page: Page, number: int, presses: dict[str, str]) -> None:
    """One finger of a touch screen goes down on several things, and up, each as soon as there is what it waits for.

    One command for all of them: on a busy machine the finger would come too late to be the same hand.
    """
    page.evaluate(
        """async ([id, presses]) => {
          for (const [what, when] of presses) {
            while (!document.querySelector(when)) await new Promise(requestAnimationFrame)
            const touch = { pointerId: id, pointerType: 'touch', bubbles: true }
            document.querySelector(`[data-testid=${what}]`).dispatchEvent(new PointerEvent('pointerdown', touch))
            window.dispatchEvent(new PointerEvent('pointerup', touch))
          }
        }""",
        [number, list(presses.items())],
    )


def palm(page: Page) -> Callable[[int], None]:
    """A palm above the pad, which comes down on it with so many fingers, one by one, as a screen tells it.

    The page counts what comes within 150 ms as one palm. One command makes the browser send an event for each finger by
    itself; a command for each finger would take longer than that on a busy machine.
    """
    box = page.get_by_test_id("slap").bounding_box()
    assert box
    screen = page.context.new_cdp_session(page)
    left, middle = box["x"] + 30, box["y"] + box["height"] / 2

    def down(fingers: int) -> None:
        points = [{"x": left + 40 * number, "y": middle, "id": number} for number in range(fingers)]
        screen.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": points})
        screen.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    return down
