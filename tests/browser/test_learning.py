"""Learning in a real browser: the lessons played well and played wrong, hints, and the practice of reactions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeAlias

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import LAPTOP, PHONE, OpenPage
from tests.browser.gathering import UNHURRIED, Gather, gather, react, turn, until
from tests.browser.server import Server

__all__ = ["gather"]

pytestmark = pytest.mark.browser

SAME = "It is decided by the same code on each engine."

SPEED = 1
LESSONS = ("turn", "challenge", "double", "sandwich", "wrong", "slap_in")

SAID = """() => {
  const coach = document.querySelector('[data-testid=coach-says]')
  window.said = [coach.textContent]
  new MutationObserver(() => {
    if (window.said.at(-1) !== coach.textContent) window.said.push(coach.textContent)
  }).observe(coach, { childList: true, characterData: true, subtree: true })
}"""
"""Notes each sentence of the teacher's from now on."""

Visit: TypeAlias = Callable[..., Page]


@pytest.fixture
def visit(open_page: OpenPage, tmp_path: Path) -> Iterator[Visit]:
    """Opens a page of a server whose tables go as fast as life: a lesson asks for slaps in time."""
    with Server(tmp_path / "games.sqlite3", speed=SPEED) as server:

        def go(path: str, phone: bool = True) -> Page:
            page = open_page(PHONE if phone else LAPTOP, touch=phone)
            page.add_init_script(f"window.tableSpeed = {SPEED}")
            page.goto(server.url + path)
            return page

        yield go


def press(page: Page, what: str) -> None:
    """Turn a card, or slap: by finger on a phone, by key on a laptop."""
    if page.viewport_size == PHONE:
        page.get_by_test_id(what).tap()
    else:
        page.keyboard.press({"deck": "KeyF", "slap": "Space"}[what])


def follow(page: Page, lesson: str) -> None:
    """Do what the teacher says until the lesson is over."""
    coach = page.get_by_test_id("coach")
    expect(coach).to_have_attribute("data-lesson", lesson)
    expect(coach).to_have_attribute("data-course", "on")  # not the text from before the restart
    expect(page.locator("[data-turn]")).to_be_visible()
    for _ in range(40):
        page.wait_for_selector("[data-testid=coach]:not([data-press='']), [data-course=done], [data-course=missed]")
        if coach.get_attribute("data-course") != "on":
            return
        what, n = coach.get_attribute("data-press"), page.get_by_test_id("stage").get_attribute("data-n")
        react(page)
        if what and coach.get_attribute("data-press") == what:
            press(page, what)
            changed = f"[data-testid=stage]:not([data-n='{n}']), [data-testid=coach]:not([data-press='{what}'])"
            page.wait_for_selector(changed)


def go_on(page: Page, button: str) -> None:
    """Press what brings one on: it has the focus."""
    expect(page.get_by_test_id(button)).to_be_focused()
    if page.viewport_size == PHONE:
        page.get_by_test_id(button).tap()
    else:
        page.keyboard.press("Enter")


# The lessons


@pytest.mark.parametrize("phone", [True, False], ids=["by touch on a phone", "by keys alone"])
def test_a_player_who_does_what_the_teacher_says_learns_it_all(visit: Visit, phone: bool) -> None:
    page = visit("/learn", phone)
    for number, lesson in enumerate(LESSONS, 1):
        follow(page, lesson)
        coach = page.get_by_test_id("coach")
        expect(coach).to_have_attribute("data-course", "done")
        expect(coach).to_contain_text(f"{number} of 6")
        says = page.get_by_test_id("coach-says").inner_text()
        assert (" ms" in says) == (lesson in ("double", "sandwich", "slap_in"))
        go_on(page, "next-lesson")
    expect(page.get_by_test_id("finished")).to_be_visible()
    page.get_by_test_id("play-now").press("Enter")
    page.wait_for_url("**/room/*")
    expect(page.locator("[data-turn]")).to_be_visible()
    page.close()


@pytest.mark.one_engine(SAME)
@pytest.mark.parametrize("phone", [True, False], ids=["phone", "laptop"])
def test_the_teacher_admits_a_failed_challenge_while_the_pile_still_lies_there(visit: Visit, phone: bool) -> None:
    page = visit("/learn", phone)
    page.get_by_test_id("skip-lesson").click()
    expect(page.get_by_test_id("coach")).to_have_attribute("data-lesson", "challenge")
    page.evaluate(SAID)
    follow(page, "challenge")
    said = page.evaluate("window.said")
    beaten = next(i for i, words in enumerate(said) if "queen beats it" in words)
    left = [words.partition("Now Thoth has ")[2] for words in said[beaten : beaten + 2]]
    assert left == ["2 tries.", "1 try."]
    assert said[beaten + 2 :] == [
        "Thoth couldn’t beat it: the pile is yours.",
        "The pile is yours: a challenge no one beats takes it.",
    ]
    page.close()


@pytest.mark.one_engine(SAME)
def test_a_player_who_does_everything_wrong_is_never_stuck(visit: Visit) -> None:
    page = visit("/learn")
    coach = page.get_by_test_id("coach")
    page.get_by_test_id("skip-lesson").tap()
    expect(coach).to_have_attribute("data-lesson", "challenge")
    page.get_by_test_id("skip-lesson").tap()

    expect(coach).to_have_attribute("data-lesson", "double")
    slap_nothing(page)
    expect(coach).to_have_attribute("data-course", "missed")
    expect(coach).to_contain_text("Too early")
    go_on(page, "once-more")
    expect(coach).to_have_attribute("data-course", "on")
    for n in (1, 3, 5):  # the fourth card makes the double, and the fifth goes over it
        turn(page, n)
    expect(coach).to_contain_text("There was a double")
    expect(page.get_by_test_id("hint")).to_contain_text("That was a double.")
    go_on(page, "once-more")
    follow(page, "double")
    expect(coach).to_have_attribute("data-course", "done")
    go_on(page, "next-lesson")

    expect(coach).to_have_attribute("data-lesson", "sandwich")
    page.get_by_test_id("skip-lesson").tap()
    expect(coach).to_have_attribute("data-lesson", "wrong")
    page.get_by_test_id("skip-lesson").tap()

    expect(coach).to_have_attribute("data-lesson", "slap_in")
    turn(page, 1)
    for words in ("Nothing to slap", "Nothing to slap", "last chance"):  # three wrong slaps, and no more slaps
        seen = page.get_by_test_id("stage").get_attribute("data-n")
        react(page)
        press(page, "slap")
        expect(coach).to_contain_text(words)
        if words != "last chance":
            until(page, f"[data-testid=stage][data-n]:not([data-n='{seen}'])")
    expect(coach).to_have_attribute("data-course", "missed")
    go_on(page, "once-more")
    follow(page, "slap_in")
    expect(coach).to_have_attribute("data-course", "done")
    page.close()


@pytest.mark.one_engine(SAME)
def test_the_lessons_can_be_left_and_taken_up_where_they_were(visit: Visit) -> None:
    page = visit("/learn")
    for lesson in LESSONS[:3]:
        expect(page.get_by_test_id("coach")).to_have_attribute("data-lesson", lesson)
        page.get_by_test_id("skip-lesson").tap()
    expect(page.get_by_test_id("coach")).to_have_attribute("data-lesson", "sandwich")
    page.get_by_role("link", name="Ratscrew: home").tap()
    expect(page.get_by_test_id("play")).to_be_visible()
    page.get_by_test_id("learn").tap()
    expect(page.get_by_test_id("coach")).to_have_attribute("data-lesson", "sandwich")
    page.get_by_test_id("rules").tap()
    expect(page.get_by_test_id("sheet")).to_be_visible()
    page.close()


def slap_nothing(page: Page) -> None:
    """Turn a card, and slap where there is nothing."""
    turn(page, 1)
    react(page)
    press(page, "slap")


# Hints


def test_what_nobody_slapped_is_said_behind_the_next_card_until_it_is_switched_off(gather: Gather) -> None:
    ana, ben = gather(f"1;classic;{UNHURRIED}", "5H 9D 2S 2C", "5S 9C 3C 3H")
    turn(ana, n=1)
    turn(ben, n=2)
    expect(ana.get_by_test_id("stage")).to_have_attribute("data-n", "2")
    assert ana.get_by_test_id("hint").count() == 0
    turn(ana, n=3)
    for page in (ana, ben):
        expect(page.get_by_test_id("hint")).to_contain_text("That was a double.")
    expect(ana.get_by_test_id("aloud").locator("p").last).to_have_text("That was a double.")
    ben.get_by_test_id("no-hints").click()
    expect(ben.get_by_test_id("hint")).to_have_count(0)
    turn(ben, n=4)
    turn(ana, n=5)
    expect(ana.get_by_test_id("hint")).to_contain_text("That was a double.")  # the nines
    assert ben.get_by_test_id("hint").count() == 0


def test_a_wrong_slap_of_mine_is_explained(gather: Gather) -> None:
    ana, ben = gather(f"1;classic;{UNHURRIED}", "5H 9D 2S", "TS 9C 3C")
    turn(ana, n=1)
    turn(ben, n=2)
    expect(ana.get_by_test_id("stage")).to_have_attribute("data-n", "2")
    react(ana)
    ana.get_by_test_id("slap").tap()
    expect(ana.get_by_test_id("hint")).to_contain_text("Nothing to slap: 10♠\ufe0e on 5♥\ufe0e")
    assert ben.get_by_test_id("hint").count() == 0


# Practice


FIRST_MS, FLIGHT_MS, TEMPO_MS = 900, 160, 1200
"""When the first card of a practice leaves the dealer's hand, how long it flies, and when the next one follows."""

SOON_MS = 407
"""When a hand comes down after its card was there; a frame passes before the card is seen."""


def test_a_practice_counts_hits_misses_and_false_alarms_and_draws_them(visit: Visit) -> None:
    page = visit("/practice?seed=7&cards=14")
    answer = page.request.get(page.url.partition("/practice")[0] + "/api/drill?house=1;classic&cards=14&seed=7")
    slaps = [card["slaps"] for card in answer.json()["cards"]]
    there = [n for n, names in enumerate(slaps, 1) if names]
    skipped, fooled = there[1], slaps.index([]) + 1
    expect(page.get_by_test_id("begin")).to_be_visible()
    page.clock.install()
    page.clock.pause_at(page.evaluate("Date.now()") + 1000)
    page.get_by_test_id("begin").tap()
    page.wait_for_selector("[data-testid=drill]")
    page.clock.run_for(FIRST_MS + FLIGHT_MS)
    for n in range(1, 15):
        page.wait_for_selector(f"[data-testid=drill][data-count='{n}']")
        page.clock.run_for(SOON_MS)
        if n == fooled or (n in there and n != skipped):
            page.get_by_test_id("slap").tap()
            says = page.get_by_test_id("drill-says")
            expect(says).to_contain_text("Nothing to slap" if n == fooled else " ms")
        page.clock.run_for(TEMPO_MS - SOON_MS)
    page.clock.resume()
    expect(page.get_by_test_id("practice-over")).to_have_text(f"You slapped {len(there) - 1} of {len(there)}")
    expect(page.get_by_test_id("practice-over")).to_be_focused()
    figures = page.locator("[data-testid=times] [data-pattern=all] td").all_inner_texts()
    assert figures[:2] == [str(len(there) - 1), "1"]
    assert all(SOON_MS - 50 < int(time.removesuffix(" ms")) <= SOON_MS for time in figures[2:])
    chart = page.get_by_test_id("chart")
    assert [chart.locator(mark).count() for mark in ("circle", "path.miss", "path.wrong")] == [len(there) - 1, 1, 1]
    assert chart.locator("line.median").count() == 1
    expect(page.get_by_test_id("false-alarms")).to_have_text("1 false alarm")
    page.reload()
    expect(page.locator("[data-testid=pasts] tbody tr")).to_have_count(1)
    expect(page.locator("[data-testid=pasts] tbody td").first).to_have_text(str(len(there) - 1))


def test_a_practice_by_keys_can_be_stopped_and_its_house_changed_and_read(visit: Visit) -> None:
    page = visit("/practice?seed=3&cards=8", phone=False)
    page.get_by_test_id("house").click()
    page.get_by_test_id("preset-wiki").click()
    expect(page.get_by_test_id("house")).to_contain_text("Sandwich Shop")
    page.get_by_test_id("rules").click()
    expect(page.get_by_test_id("sheet")).to_contain_text("hoagie", ignore_case=True)
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("sheet")).to_have_count(0)
    page.clock.install()
    page.clock.pause_at(page.evaluate("Date.now()") + 1000)
    page.get_by_test_id("begin").press("Enter")
    drill = page.get_by_test_id("drill")
    drill.wait_for()
    page.clock.run_for(FIRST_MS + FLIGHT_MS + SOON_MS)
    while not drill.get_attribute("data-slaps"):
        page.clock.run_for(TEMPO_MS)
    page.keyboard.press("Space")
    expect(page.get_by_test_id("drill-says")).to_contain_text(" ms")
    page.get_by_test_id("stop").click()
    expect(drill).to_have_count(0)
    expect(page.get_by_test_id("begin")).to_be_visible()
    assert page.get_by_test_id("times").count() == 0


def test_the_first_game_teaches_itself_and_the_second_one_does_not(open_page: OpenPage, tmp_path: Path) -> None:
    deal = tmp_path / "deal.txt"
    hands = "hand 1 5H 9C QD\nhand 2 7C 4D 2H\nhand 3 8D KS 3S\n"
    deal.write_text(f"ratscrew 1\nhouse 1;classic\n{hands}lead 1\n", encoding="utf-8")
    with Server(tmp_path / "games.sqlite3", speed=2, deal=deal) as server:
        page = open_page(PHONE, touch=True, newcomer=True)
        page.goto(server.url)
        expect(page.get_by_text("Egyptian Ratscrew, a card game")).to_be_in_viewport()
        expect(page.get_by_text("How to play")).to_be_in_viewport(ratio=1)
        expect(page.get_by_test_id("against")).to_have_text("2 bots · Gentle")
        page.get_by_test_id("play").tap()
        says = page.get_by_test_id("coach-says")
        expect(says).to_have_text("Your turn: press your deck to flip a card onto the pile.")
        expect(page.get_by_test_id("fake_slap")).to_have_count(0)
        page.get_by_test_id("deck").tap()
        expect(says).to_contain_text("Watch the pile!")
        page.get_by_test_id("deck").tap()
        expect(says).to_have_text("A challenge: king. You have 3 tries to flip a jack, queen, king or ace.")
        page.get_by_test_id("hide-tips").tap()
        expect(says).to_have_count(0)
        page.goto(server.url)
        page.get_by_test_id("play").tap()
        expect(page.get_by_test_id("deck")).to_be_visible()
        expect(page.get_by_test_id("deeds")).to_be_visible()
        expect(says).to_have_count(0)
        page.close()
