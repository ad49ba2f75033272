"""After the game, in real browsers: its end, its story, its replay, and the next one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from ratscrew.game import notation
from ratscrew.game.evolve import replay
from tests.browser.conftest import LAPTOP, PHONE, TABLET, OpenPage
from tests.browser.gathering import UNHURRIED, Gather, gather, press, slap, stands, turn

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


def play(ana: Page, ben: Page) -> dict[str, int]:
    """The whole game, which Ana wins; whose slaps took how many ms, as the pages say during the game."""
    turn(ana, n=1)
    turn(ben, n=2)
    slap(ben, n=2)  # he takes 2 and holds 4, she 3
    times = {"Ben": label(ana, "Ben")}
    turn(ben, n=3)
    slap(ana, n=3)  # nothing: she burns 2C
    expect(ben.get_by_test_id("banner")).to_contain_text("Wrong slap")
    turn(ana, n=4)
    slap(ana, n=4)  # she takes 3 and holds 4, he 3
    times["Ana"] = label(ben, "Ana")
    turn(ana, n=5)
    for n in (6, 7, 8):
        turn(ben, n)
    for page in (ana, ben):
        expect(page.get_by_test_id("winner")).to_be_visible(timeout=10_000)
    return times


def label(page: Page, who: str) -> int:
    """How many ms somebody's hand took, as it says itself."""
    tag = page.locator(".tag.first", has_text=who).locator("b")
    expect(tag).to_have_text(re.compile(r"^\d+ ms$"))
    return int(tag.inner_text().split()[0])


def quiet(page: Page) -> None:
    """Wait until a panel that has just come takes presses: before, they are slaps too many."""
    page.wait_for_timeout(800)


def figures(page: Page, of: str) -> dict[str, str]:
    """The figures that are shown of somebody, by what they are of."""
    page.get_by_test_id(of).wait_for()
    shown = page.get_by_test_id(of).locator("[data-of]")
    expect(shown.first).not_to_have_text("–")
    return {cell.get_attribute("data-of") or "": cell.inner_text() for cell in shown.all()}


def test_the_end_shows_the_figures_that_were_seen_during_the_game(gather: Gather) -> None:
    """Ana has come too late for the first pile and for the last, and slapped nothing once."""
    ana, ben = gather(HOUSE, *HANDS)
    times = play(ana, ben)
    expect(ana.get_by_test_id("winner")).to_have_text("You win!")
    expect(ben.get_by_test_id("winner")).to_have_text("Ana wins")
    for page, who, wrong in ((ana, "Ana", "1"), (ben, "Ben", "0")):
        time = f"{times[who]} ms"
        assert figures(page, "mine") == {"best": time, "median": time, "won": "1", "wrong": wrong}
        quiet(page)
        press(page, "look")
        expect(page.get_by_test_id("decided")).to_have_text(
            "With 3 cards at card 4, Ana went ahead and was never caught again."
        )
        expect(page.get_by_test_id("biggest")).to_have_text("Ana took 4 cards at card 8.")
        expect(page.get_by_test_id("length")).to_contain_text("8 cards turned, 3 piles taken")
        expect(page.get_by_test_id("mark")).to_have_count(3)
        shown = {"beaten": "0", "missed": "2", "won": "1"}
        for seat, name, fouls in ((0, "Ana", "1"), (1, "Ben", "0")):
            time = str(times[name])
            assert figures(page, f"figures-of-{seat}") == {**shown, "best": time, "median": time, "wrong": fouls}


def test_a_slap_too_many_presses_nothing_on_the_panel_that_comes(gather: Gather) -> None:
    ana, ben = gather(HOUSE, *HANDS)
    play(ana, ben)
    again = ben.get_by_test_id("again")
    again.dispatch_event("click")
    expect(ben.get_by_test_id("winner")).to_be_visible()
    quiet(ben)
    again.dispatch_event("click")
    stands(ben, n=0, phase="play")


def test_both_play_again_by_one_press_each_and_sit_where_they_sat(gather: Gather) -> None:
    ana, ben = gather(HOUSE, *HANDS)
    play(ana, ben)
    quiet(ana)
    for page in (ana, ben):  # neither page has heard of the other's wish when its own is said
        page.evaluate("setTimeout(() => document.querySelector('[data-testid=again]').click(), 300 - Date.now() % 300)")
    for page in (ana, ben):
        expect(page.get_by_test_id("winner")).to_have_count(0)
        stands(page, n=0, phase="play")
        expect(page.get_by_test_id("banner")).not_to_contain_text("not over")
    expect(ana.locator("[data-seat='1']")).to_contain_text("Ben")
    expect(ben.locator("[data-seat='0']")).to_contain_text("Ana")
    turn(ana, n=1)  # it is one game: both see its first card
    stands(ben, n=1, phase="play")


def test_the_next_game_takes_the_story_of_the_last_one_away(gather: Gather) -> None:
    ana, ben = gather(HOUSE, *HANDS)
    play(ana, ben)
    quiet(ana)
    press(ana, "look")
    expect(ana.get_by_test_id("story")).to_be_visible()
    press(ben, "again")
    expect(ana.get_by_test_id("story")).to_have_count(0)
    turn(ana, n=1)


def test_the_story_has_a_link_for_whoever_was_not_there(gather: Gather, visit: OpenPage) -> None:
    ana, ben = gather(HOUSE, *HANDS)
    times = play(ana, ben)
    quiet(ben)
    press(ben, "look")
    watch = ben.get_by_test_id("watch").get_attribute("href")
    assert watch
    story = watch.replace("/replay/", "/game/")
    stranger = visit(PHONE, touch=True, refused=True)
    url = re.sub(r"/room/.*", "", ben.url)
    stranger.goto(url + story)
    expect(stranger.get_by_test_id("story-title")).to_have_text("Ana wins")
    assert figures(stranger, "figures-of-1")["best"] == str(times["Ben"])
    with stranger.expect_download() as download:
        stranger.get_by_test_id("download").tap()
    assert "hand 1 9S 2C 4D KD" in download.value.path().read_text()
    stranger.goto(f"{url}/game/WOLF-1-1")
    expect(stranger.get_by_test_id("gone")).to_contain_text("There is no game of this name")
    ben.get_by_test_id("close-story").click()
    quiet(ben)
    press(ben, "again")
    stands(ana, n=0, phase="play")
    stranger.goto(url + re.sub(r"-1$", "-2", story))
    expect(stranger.get_by_test_id("gone")).to_contain_text("It still goes on")


def moment(page: Page, n: int, top: str, pile: int, held: list[int]) -> None:
    """What lies there, and what everybody holds."""
    stage = page.get_by_test_id("stage")
    for name, value in (("data-n", str(n)), ("data-top", top), ("data-pile", str(pile))):
        expect(stage).to_have_attribute(name, value)
    if top:
        expect(stage.locator(f"[data-card='{top}']").first).to_be_visible()
    for seat, cards in enumerate(held):
        expect(page.locator(f"[data-player='{seat}']")).to_have_attribute("data-held", str(cards))


def replay_of(ana: Page, ben: Page) -> tuple[str, dict[str, int]]:
    """The address of a replay of the whole game, and the times that were seen in it."""
    times = play(ana, ben)
    quiet(ben)
    press(ben, "look")
    path = ben.get_by_test_id("watch").get_attribute("href")
    return f"{re.sub(r'/room/.*', '', ben.url)}{path}", times


def test_a_replay_shows_the_piles_that_were_there(gather: Gather, visit: OpenPage) -> None:
    url, times = replay_of(*gather(HOUSE, *HANDS))
    page = visit(PHONE, touch=True)
    page.goto(url)
    moment(page, n=0, top="", pile=0, held=[4, 3])
    page.get_by_test_id("slap").tap()
    moment(page, n=2, top="9H", pile=2, held=[3, 2])
    assert label(page, "Ben") == times["Ben"]
    expect(page.get_by_test_id("caption")).to_have_text(f"Double! Ben {times['Ben']} ms")
    page.get_by_test_id("slider").fill("14")  # two seats, the deal, 9S 9H, the race (3), 4S, the wrong slap (4), 4D
    moment(page, n=4, top="4D", pile=3, held=[1, 3])
    page.get_by_test_id("pile").tap()
    moment(page, n=4, top="", pile=0, held=[4, 3])
    expect(page.get_by_test_id("caption")).to_contain_text("Ana takes 3")
    page.get_by_test_id("pile").tap()
    moment(page, n=8, top="", pile=0, held=[7, 0])
    page.get_by_test_id("step-back").tap()
    moment(page, n=8, top="9H", pile=4, held=[3, 0])


def test_a_race_in_it_can_be_looked_into(gather: Gather, visit: OpenPage) -> None:
    url, times = replay_of(*gather(HOUSE, *HANDS))
    page = visit(PHONE, touch=True)
    page.goto(url)
    page.get_by_test_id("slap").tap()
    page.get_by_test_id("how").tap()
    expect(page.get_by_test_id("hand")).to_contain_text(f"{times['Ben']} ms")
    quiet(page)
    page.get_by_test_id("close").tap()
    expect(page.get_by_test_id("how")).to_be_focused()


def test_a_link_leads_to_a_moment_and_the_text_to_the_same_game(gather: Gather, visit: OpenPage) -> None:
    url, _ = replay_of(*gather(HOUSE, *HANDS))
    page = visit(LAPTOP, permissions=["clipboard-read", "clipboard-write"])
    page.goto(url)
    page.get_by_test_id("slider").fill("14")
    page.wait_for_url(f"{url}#14")
    page.get_by_test_id("keep").click()
    quiet(page)
    page.get_by_test_id("copy-text").click()
    expect(page.get_by_test_id("copy-text")).to_have_text("Copied")
    written = notation.read(page.evaluate("navigator.clipboard.readText()"))
    game = replay(written.events)
    assert (written.names, game.winner, len(game.hands[0])) == (("Ana", "Ben"), 0, 7)
    page.get_by_test_id("copy-link").click()
    expect(page.get_by_test_id("copy-link")).to_have_text("Copied")
    shared = page.evaluate("navigator.clipboard.readText()")
    other = visit(TABLET)
    other.goto(shared)
    moment(other, n=4, top="4D", pile=3, held=[1, 3])


def test_it_plays_by_itself_and_by_the_keys(gather: Gather, visit: OpenPage) -> None:
    url, _ = replay_of(*gather(HOUSE, *HANDS))
    page = visit(LAPTOP)
    page.goto(url)
    moment(page, n=0, top="", pile=0, held=[4, 3])
    page.keyboard.press("ArrowRight")
    moment(page, n=1, top="9S", pile=1, held=[3, 3])
    page.keyboard.press("ArrowLeft")
    moment(page, n=0, top="", pile=0, held=[4, 3])
    page.get_by_label("4×").check()
    page.locator("h1").click()
    page.keyboard.press("Space")
    expect(page.get_by_test_id("toggle")).to_have_attribute("aria-label", "Pause")
    moment(page, n=8, top="", pile=0, held=[7, 0])
    expect(page.get_by_test_id("toggle")).to_have_attribute("aria-label", "Play")
    expect(page.get_by_test_id("caption")).to_contain_text("Ana wins")
    page.keyboard.press("Home")
    moment(page, n=0, top="", pile=0, held=[4, 3])
    page.keyboard.press("End")
    moment(page, n=8, top="", pile=0, held=[7, 0])


def test_who_wants_no_motion_sees_each_card_where_it_lies(gather: Gather, visit: OpenPage) -> None:
    url, _ = replay_of(*gather(HOUSE, *HANDS))
    page = visit(PHONE, touch=True, reduced_motion="reduce")
    page.goto(url)
    page.get_by_test_id("step").tap()
    moment(page, n=1, top="9S", pile=1, held=[3, 3])
    longest = "Math.max(0, ...document.getAnimations().map(each => each.effect.getComputedTiming().duration))"
    page.get_by_test_id("pile").tap()
    assert page.evaluate(longest) <= 1
