"""After the game, in real browsers: its end, its story, and the next one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PHONE, OpenPage
from tests.browser.gathering import UNHURRIED, Gather, gather, insist, panel_ready, slap, stands, turn

__all__ = ["gather"]

pytestmark = pytest.mark.browser

HOUSE = f"1;classic;collect_delay_ms=1000;{UNHURRIED}"
HANDS = "9S 2C 4D KD", "9H 4S 7C"
"""Ben slaps the nines; Ana slaps nothing, and then the fours; her king takes the rest, two nines on it."""


@pytest.fixture
def visit(gather: Gather, open_page: OpenPage) -> Iterator[OpenPage]:
    """Opens pages of people who did not play, and closes them before the server ends."""
    pages = list[Page]()

    def come(*how: Any, **more: Any) -> Page:
        pages.append(open_page(*how, **more))
        return pages[-1]

    yield come
    for page in pages:
        page.context.close()


SHORT = f"1;classic;slap_in=no;collect_delay_ms=1000;{UNHURRIED}"

PRESS_AT_ONCE = """() => new MutationObserver((_, watch) => {
  const again = document.querySelector('[data-testid=again]')
  if (!again) return
  watch.disconnect()
  again.click()
  window.pressed = true
}).observe(document.body, { childList: true, subtree: true })"""
"""Presses a button of the panel in the moment in which it comes, however slow the machine is."""

TWO_CARDS = "JC 4H", "5C"
"""Ben has no queen for the jack, and no card left."""


def play_short(ana: Page, ben: Page) -> None:
    """A game of two cards, which Ana wins."""
    turn(ana, n=1)
    turn(ben, n=2)
    for page in (ana, ben):
        expect(page.get_by_test_id("winner")).to_be_visible()


def play(ana: Page, ben: Page) -> dict[str, int]:
    """The whole game, which Ana wins; the times of all slaps in ms by player, as the pages show them in the game."""
    turn(ana, n=1)
    turn(ben, n=2)
    slap(ben, n=2)  # Ben takes 2 and holds 4, Ana 3
    times = {"Ben": label(ana, "Ben")}
    turn(ben, n=3)
    slap(ana, n=3)  # nothing: Ana burns 2C
    expect(ben.get_by_test_id("banner")).to_contain_text("Wrong slap")
    turn(ana, n=4)
    slap(ana, n=4)  # Ana takes 3 and holds 4, Ben 3
    times["Ana"] = label(ben, "Ana")
    turn(ana, n=5)
    for n in (6, 7, 8):
        turn(ben, n)
    for page in (ana, ben):
        expect(page.get_by_test_id("winner")).to_be_visible()
    return times


def label(page: Page, who: str) -> int:
    """The time of a player's slap in ms, as their page shows it."""
    tag = page.locator(".tag.first", has_text=who).locator("b")
    expect(tag).to_have_text(re.compile(r"^\d+ ms$"))
    return int(tag.inner_text().split()[0])


def figures(page: Page, of: str) -> dict[str, str]:
    """The figures shown for a player, by name."""
    page.get_by_test_id(of).wait_for()
    shown = page.get_by_test_id(of).locator("[data-of]")
    expect(shown.first).not_to_have_text("–")
    return {cell.get_attribute("data-of") or "": cell.inner_text() for cell in shown.all()}


def test_the_end_shows_the_figures_that_were_seen_during_the_game_and_so_does_the_story_by_its_link(
    gather: Gather, visit: OpenPage
) -> None:
    """Ana has come too late for the first pile and for the last, and slapped nothing once."""
    ana, ben = gather(HOUSE, *HANDS)
    times = play(ana, ben)
    expect(ana.get_by_test_id("winner")).to_have_text("You win!")
    expect(ben.get_by_test_id("winner")).to_have_text("Ana wins")
    for page, who, wrong in ((ana, "Ana", "1"), (ben, "Ben", "0")):
        time = f"{times[who]} ms"
        assert figures(page, "mine") == {"best": time, "median": time, "won": "1", "wrong": wrong}
        insist(page, "look")
        expect(page.get_by_test_id("decided")).to_have_text(
            "Ana took the lead with 3 cards at card 4 and never lost it."
        )
        expect(page.get_by_test_id("biggest")).to_have_text("Ana took 4 cards at card 8.")
        expect(page.get_by_test_id("length")).to_contain_text("8 cards flipped, 3 piles taken")
        expect(page.get_by_test_id("mark")).to_have_count(3)
        shown = {"beaten": "0", "missed": "2", "won": "1"}
        for seat, name, fouls in ((0, "Ana", "1"), (1, "Ben", "0")):
            time = str(times[name])
            assert figures(page, f"figures-of-{seat}") == {**shown, "best": time, "median": time, "wrong": fouls}
    look_by_link(ana, ben, visit(PHONE, touch=True, refused=True), times)


def look_by_link(ana: Page, ben: Page, stranger: Page, times: dict[str, int]) -> None:
    """Ben's recap has a link for people who were not there."""
    watch = ben.get_by_test_id("watch").get_attribute("href")
    assert watch
    story = watch.replace("/replay/", "/game/")
    url = re.sub(r"/room/.*", "", ben.url)
    stranger.goto(url + story)
    expect(stranger.get_by_test_id("story-title")).to_have_text("Ana wins")
    assert figures(stranger, "figures-of-1")["best"] == str(times["Ben"])
    with stranger.expect_download() as download:
        stranger.get_by_test_id("download").tap()
    assert "hand 1 9S 2C 4D KD" in download.value.path().read_text()
    stranger.goto(url + watch)
    expect(stranger.locator("[data-player='1']")).to_have_attribute("data-held", "3")
    stranger.goto(f"{url}/game/WOLF-1-1")
    expect(stranger.get_by_test_id("gone")).to_contain_text("We can’t find this game")
    ben.get_by_test_id("close-story").click()
    insist(ben, "again")
    stands(ana, n=0, phase="play")
    stranger.goto(url + re.sub(r"-1$", "-2", story))
    expect(stranger.get_by_test_id("gone")).to_contain_text("It’s still being played")


def test_a_slap_too_many_presses_nothing_on_the_end_and_the_next_game_takes_its_story_away(gather: Gather) -> None:
    ana, ben = gather(SHORT, *TWO_CARDS)
    ben.evaluate(PRESS_AT_ONCE)
    play_short(ana, ben)
    ben.wait_for_function("() => window.pressed")
    insist(ana, "look")
    expect(ana.get_by_test_id("story")).to_be_visible()
    expect(ben.get_by_test_id("winner")).to_be_visible()
    insist(ben, "again")
    expect(ana.get_by_test_id("story")).to_have_count(0)
    stands(ben, n=0, phase="play")
    turn(ana, n=1)


def test_both_play_again_by_one_press_each_and_sit_where_they_sat(gather: Gather) -> None:
    ana, ben = gather(SHORT, *TWO_CARDS)
    play_short(ana, ben)
    panel_ready(ana)
    for page in (ana, ben):  # neither page has received the other's request when it sends its own
        page.evaluate(
            "setTimeout(() => document.querySelector('[data-testid=again]')?.click(), 300 - Date.now() % 300)"
        )
    for page in (ana, ben):
        expect(page.get_by_test_id("winner")).to_have_count(0)
        stands(page, n=0, phase="play")
        expect(page.get_by_test_id("banner")).not_to_contain_text("not over")
    expect(ana.locator("[data-seat='1']")).to_contain_text("Ben")
    expect(ben.locator("[data-seat='0']")).to_contain_text("Ana")
    turn(ana, n=1)  # it is one game: both see its first card
    stands(ben, n=1, phase="play")
