"""House rules that classic does not have, each played by people in real browsers from a deal that brings it about."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import LAPTOP, PHONE, TABLET, OpenPage
from tests.browser.server import Server

pytestmark = pytest.mark.browser

NAMES = ("Ana", "Ben", "Cleo")
UNHURRIED = "turn_ms=60000"
"""Nobody's card is turned for him while a test looks at the page."""

Gather: TypeAlias = Callable[..., list[Page]]


@pytest.fixture
def gather(open_page: OpenPage, tmp_path: Path) -> Iterator[Gather]:
    """Opens a room with a house for people with these hands, on a phone, a laptop and a tablet; the cards are dealt."""
    with ExitStack() as stack:

        def sit(house: str, *hands: str) -> list[Page]:
            deal = tmp_path / "deal.txt"
            dealt = [f"hand {seat} {hand}" for seat, hand in enumerate(hands, 1)]
            deal.write_text("\n".join(["ratscrew 1", "house 1;classic", *dealt, "lead 1", ""]), encoding="utf-8")
            server = stack.enter_context(Server(tmp_path / "games.sqlite3", speed=2, deal=deal))
            views = (PHONE, LAPTOP, TABLET)
            pages = [open_page(view, touch=view != LAPTOP) for view in views[: len(hands)]]
            joined = _post(pages[0], f"{server.url}/api/rooms", name=NAMES[0], bots=0, house=house, wait=True)
            room = joined["room"]
            for seat, page in enumerate(pages):
                if seat:
                    joined = _post(page, f"{server.url}/api/rooms/{room}/seats", name=NAMES[seat])
                page.add_init_script(f"localStorage.setItem('ratscrew:seat:{room}', '{joined['token']}')")
                page.goto(f"{server.url}/room/{room}")
            pages[0].get_by_test_id("start").click()
            for page in pages:
                _stands(page, n=0, phase="play")
                stack.callback(page.close)
            return pages

        yield sit


def test_a_false_claim_that_is_contested_costs_a_card_to_each_contester(gather: Gather) -> None:
    ana, ben, cleo = gather(f"1;classic;judge=honour;contest_ms=6000;{UNHURRIED}", "5H 8C 2S", "9S 3C 4H", "7D TD KS")
    _turn(ana, n=1)
    _slap(cleo, n=1)
    expect(ben.get_by_test_id("banner")).to_contain_text("Cleo claims the pile")
    expect(cleo.get_by_test_id("contest")).to_have_count(0)
    _press(ana, "contest")
    ben.keyboard.press("KeyX")
    expect(cleo.get_by_test_id("banner")).to_contain_text("Contested: Ana, Ben")
    for page in (ana, ben, cleo):
        _stands(page, n=1, phase="play")
        assert _held(page) == [3, 4, 1]  # 3 dealt to each; Ana has turned one, and Cleo gives one to either
    expect(ana.get_by_test_id("stage")).to_have_attribute("data-top", "5H")


def test_a_true_claim_wins_the_pile_and_a_card_of_who_contested_it(gather: Gather) -> None:
    ana, ben, cleo = gather(f"1;classic;judge=honour;contest_ms=4000;{UNHURRIED}", "5H 8C 2S", "5S 3C 4H", "7D TD KS")
    _turn(ana, n=1)
    _turn(ben, n=2)
    _slap(cleo, n=2)
    _press(ana, "contest")
    expect(ben.get_by_test_id("banner")).to_contain_text("Cleo takes 2")
    assert _held(ben) == [1, 2, 6]


def test_a_card_out_of_turn_is_dead_and_a_slap_over_it_is_wrong(gather: Gather) -> None:
    ana, ben, cleo = gather(f"1;classic;out_of_turn=dead;dead_place=top;{UNHURRIED}", "5H 8C", "9S 3C", "5C TD")
    _turn(ana, n=1)
    _press(cleo, "deck")
    for page in (ana, ben, cleo):
        expect(page.locator(".card.spoilt[data-card='5C']")).to_be_visible()
        expect(page.get_by_test_id("stage")).to_have_attribute("data-top", "5H")
    _slap(ben, n=1)
    expect(ana.get_by_test_id("banner")).to_contain_text("Ben burns 9♠")
    assert _held(ana) == [1, 1, 1]


def test_a_card_that_lies_aside_is_placed_by_anybody_in_its_owners_turn(gather: Gather) -> None:
    ana, ben, cleo = gather(f"1;classic;out_of_turn=aside;{UNHURRIED}", "5H 8C", "QS 3C", "7D TD")
    ben.keyboard.press("KeyR")
    aside = cleo.get_by_test_id("asides").locator("[data-card='QS']")
    expect(aside).to_be_visible()
    expect(cleo.get_by_test_id("asides").get_by_role("button")).to_have_count(0)
    assert _held(cleo) == [2, 2, 2]
    _turn(ana, n=1)
    placing = cleo.get_by_test_id("asides").get_by_role("button")
    _tap_away(placing)
    for page in (ana, ben, cleo):
        _stands(page, n=2, phase="play")
        expect(page.get_by_test_id("stage")).to_have_attribute("data-top", "QS")
        expect(page.get_by_test_id("asides")).to_have_count(0)
    assert _held(cleo) == [1, 1, 2]


@pytest.mark.parametrize("by", ["collect", "deck"])
def test_the_winner_of_a_challenge_takes_the_pile_by_hand(gather: Gather, by: str) -> None:
    ana, ben, cleo = gather(f"1;classic;collect=manual;{UNHURRIED}", "JH 8C", "4S 3C", "7D TD")
    _turn(ana, n=1)
    _turn(ben, n=2)
    for page in (ana, ben, cleo):
        _stands(page, n=2, phase="won")
    expect(ben.get_by_test_id("collect")).to_have_count(0)
    expect(cleo.get_by_test_id("waits")).to_contain_text("Ana may take the pile")
    _press(ana, by)
    for page in (ana, ben, cleo):
        _stands(page, n=2, phase="play")
        assert _held(page) == [3, 1, 2]


def test_a_pile_picked_up_by_no_right_goes_back_when_somebody_notices(gather: Gather) -> None:
    ana, ben, cleo = gather(
        f"1;classic;collect=manual;cheat=split;contest_ms=6000;{UNHURRIED}", "5H 8C", "4S 3C", "7D TD"
    )
    _turn(ana, n=1)
    _press(cleo, "collect")
    expect(ben.get_by_test_id("picked")).to_be_visible()
    expect(ben.get_by_test_id("banner")).to_contain_text("Cleo picks up the pile")
    ben.keyboard.press("KeyX")
    expect(cleo.get_by_test_id("banner")).to_contain_text("Caught!")
    _stands(ana, n=1, phase="play")
    expect(ana.locator(".card[data-card='5H']")).to_be_visible()
    assert _held(ana) == [1, 2, 2]


def test_a_last_chance_brings_back_who_slaps_in_it(gather: Gather) -> None:
    house = f"1;classic;last_chance=3;collect_delay_ms=1000;{UNHURRIED}"
    ana, ben = gather(house, "AH 9C 9D 3S", "4S 6C 7D 8H")
    _turn(ana, n=1)
    for n in (2, 3, 4, 5):
        _turn(ben, n=n)
    _stands(ben, n=5, phase="last")
    expect(ben.get_by_test_id("banner")).to_contain_text("Ana turns 3 more. You may slap")
    expect(ben.get_by_test_id("deck")).to_contain_text("Last chance")
    _turn(ana, n=6)
    _turn(ana, n=7)
    _slap(ben, n=7)
    for page in (ana, ben):
        _stands(page, n=7, phase="play")
        assert _held(page) == [6, 2]


def test_three_sixes_close_the_room_until_the_host_opens_it(gather: Gather) -> None:
    house = f"1;classic;slaps.triple=pile;slaps.triple_six=all_lose;triple_six_ban=true;{UNHURRIED}"
    ana, ben, cleo = gather(house, "6H 8C", "6S 3C", "6C TD")
    _turn(ana, n=1)
    _turn(ben, n=2)
    _turn(cleo, n=3)
    _slap(cleo, n=3)
    for page in (ana, ben, cleo):
        expect(page.get_by_test_id("winner")).to_have_text("Everybody loses")
        expect(page.get_by_test_id("closed")).to_contain_text("burned by midnight")
        expect(page.get_by_test_id("again")).to_be_disabled()
    expect(ben.get_by_test_id("lift")).to_have_count(0)
    ana.reload()
    expect(ana.get_by_test_id("again")).to_be_disabled()
    _tap_away(ana.get_by_test_id("lift"))
    for page in (ana, ben, cleo):
        expect(page.get_by_test_id("again")).to_be_enabled()
    ben.get_by_test_id("again").click()
    for page in (ana, ben, cleo):
        _stands(page, n=0, phase="play")
        assert _held(page) == [2, 2, 2]


def _turn(page: Page, n: int) -> None:
    """Turn my card as soon as it is my turn, and see that it is the `n`-th."""
    expect(page.locator("[data-turn]")).to_have_attribute("data-turn", "true")
    _press(page, "deck")
    expect(page.get_by_test_id("stage")).to_have_attribute("data-n", str(n))


def _press(page: Page, what: str) -> None:
    target = page.get_by_test_id(what)
    if page.viewport_size == LAPTOP:
        target.click()
    else:
        target.tap()


def _slap(page: Page, n: int) -> None:
    """Slap as soon as I have seen the `n`-th card."""
    expect(page.get_by_test_id("stage")).to_have_attribute("data-n", str(n))
    page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    if page.viewport_size == LAPTOP:
        page.keyboard.press("Space")
    else:
        page.get_by_test_id("slap").tap()


def _tap_away(button: Locator) -> None:
    """Tap a button until it is gone: one tap may come too soon after what has just been shown."""
    for _ in range(50):
        if button.count():
            button.tap()
            button.page.wait_for_timeout(100)
    expect(button).to_have_count(0)


def _stands(page: Page, n: int, phase: str) -> None:
    stage = page.get_by_test_id("stage")
    expect(stage).to_have_attribute("data-n", str(n), timeout=10_000)
    expect(stage).to_have_attribute("data-phase", phase, timeout=10_000)


def _held(page: Page) -> list[int]:
    """How many cards each seat holds, by seat, as the page shows it."""
    seats = page.locator("[data-seat][data-held]").evaluate_all("all => all.map(seat => ({...seat.dataset}))")
    return [int(seat["held"]) for seat in sorted(seats, key=lambda seat: int(seat["seat"]))]


def _post(page: Page, url: str, **body: Any) -> dict[str, Any]:
    answer = page.request.post(url, data=body)
    assert answer.ok, answer.text()
    return dict(answer.json())
