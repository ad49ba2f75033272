"""Small phones and long names: every control is on the screen, and no text leaves its box or covers another one."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import FloatRect, Page, ViewportSize, expect

from tests.browser.conftest import PHONE, SMALL, USUAL, OpenPage
from tests.browser.gathering import UNHURRIED, Gather, gather, panel_ready, post, preferring, slap, stands, turn, until
from tests.browser.overlaps import faults, hidden_beginnings
from tests.browser.server import Server

__all__ = ["gather"]

pytestmark = pytest.mark.browser

FOLDED: ViewportSize = {"width": 280, "height": 653}
SCREENS = (FOLDED, SMALL, USUAL, PHONE)
HOUSE = f"1;classic;collect_delay_ms=1000;wrong_slap.kind=lockout;{UNHURRIED}"
WIDE = "W" * 20
HEBREW = "אברהם־יצחק בן־ישראלי"
"""Twenty letters that are read from the right; its first letter is א."""


def found(page: Page, moment: str, screens: tuple[ViewportSize, ...] = SCREENS) -> list[str]:
    """What is wrong with the layout on any of these screens."""
    all_found = []
    for screen in screens:
        page.set_viewport_size(screen)
        page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        all_found += [f"{moment}, {screen['width']} px: {fault}" for fault in faults(page)]
    return all_found


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_words_of_a_choice_are_in_the_middle_and_do_not_touch_its_edge(
    open_page: OpenPage, tmp_path: Path, language: str
) -> None:
    with Server(tmp_path / "games.sqlite3") as server:
        page = open_page(SMALL)
        page.add_init_script(preferring(language=language))
        page.goto(f"{server.url}/together")
        options = page.get_by_test_id("form").locator("label span")
        expect(options).to_have_count(2)
        margins = options.evaluate_all("""(all) => all.map((option) => {
          const words = document.createRange()
          words.selectNodeContents(option)
          const [inner, outer] = [words.getBoundingClientRect(), option.getBoundingClientRect()]
          return [inner.left - outer.left, outer.right - inner.right]
        })""")
        for left, right in margins:
            assert left == pytest.approx(right, abs=1)
            assert left > 4
        page.close()


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_table_fits_small_phones(gather: Gather, language: str) -> None:
    ana, ben, _ = gather(HOUSE, "KS 4H", "5C 6D", "7H 8S", begin=preferring(language=language, hints=False))
    wrong = []
    for page in (ana, ben):
        wrong += found(page, "before the first card")
    turn(ana, n=1)
    stands(ben, n=1, phase="play")
    wrong += found(ana, "a challenge of mine")
    wrong += found(ben, "a challenge to me")
    slap(ana, n=1)
    until(ana, ".slap.stopped")
    wrong += found(ana, "a pad that is locked")
    ben.keyboard.press("KeyE")
    ben.locator("header .row").wait_for()
    wrong += [fault for fault in found(ben, "the signs are offered") if "drawn on" not in fault]  # they lie over seats
    assert not wrong, "\n".join(wrong)


def wide_table(page: Page, server: Server, host: str, *others: str) -> tuple[str, str]:
    """A table with people of these names; its address, and who the host is."""
    house = f"1;classic;slap_in=no;{UNHURRIED}"
    joined = post(page, f"{server.url}/api/rooms", name=host, bots=0, house=house, wait=True)
    room = joined["room"]
    for name in others:
        post(page, f"{server.url}/api/rooms/{room}/seats", name=name)
    return room, joined["player_id"]


def at_every_place(page: Page, server: Server, names: tuple[str, str, str]) -> list[str]:
    """Layout faults on all pages that show these names: from joining a table to the end of a game, and its replay."""
    room, who = wide_table(page, server, *names)
    url = f"{server.url}/room/{room}"
    wrong = []

    def look(moment: str) -> None:
        wrong.extend(found(page, moment, (FOLDED, PHONE)))
        wrong.extend(f"{moment}: hidden beginning: {text}" for text in hidden_beginnings(page))

    page.goto(url)
    page.get_by_test_id("join-go").wait_for()
    look("at the door")
    page.evaluate(f"localStorage.setItem('ratscrew:seat:{room}', '{who}')")
    page.goto(url)
    page.get_by_test_id("start").wait_for()
    look("the waiting room")
    page.get_by_test_id("about-1").click()
    page.get_by_test_id("seat-options").wait_for()
    look("what the host can do about a player")
    page.reload()
    page.get_by_test_id("start").click()
    stands(page, n=0, phase="play")
    look("the table")
    page.get_by_test_id("about").first.click()
    page.get_by_test_id("person").wait_for()
    look("about a player")
    page.reload()
    page.get_by_test_id("deck").click()
    page.get_by_test_id("winner").wait_for()
    look("the end")
    page.evaluate("localStorage.clear()")
    page.goto(url)
    page.get_by_test_id("just-watch").click()
    page.get_by_test_id("winner").wait_for()
    look("the end for a watcher")
    panel_ready(page)
    page.get_by_test_id("look").click()
    page.get_by_test_id("biggest").wait_for()
    look("the story")
    page.goto(page.get_by_test_id("watch").evaluate("link => link.href"))
    page.get_by_test_id("stage").wait_for()
    look("the replay")
    return wrong


DEAL = "ratscrew 1\nhouse 1;classic\nhand 1 JC 4H\nhand 2 5C\nhand 3 6D\nlead 1\n"
"""Ana's jack is not beaten, and nobody else has a card left."""


NAMES = {
    "wide": (WIDE, WIDE[1:], WIDE[2:]),
    "right to left": (HEBREW, "ב" + HEBREW[1:], "ג" + HEBREW[1:]),
}


@pytest.mark.parametrize("kind", NAMES)
def test_long_names_widen_no_page_and_are_cut_at_their_end(open_page: OpenPage, tmp_path: Path, kind: str) -> None:
    (tmp_path / "deal.txt").write_text(DEAL, encoding="utf-8")
    with Server(tmp_path / "games.sqlite3", speed=6, deal=tmp_path / "deal.txt") as server:
        page = open_page(PHONE)
        wrong = at_every_place(page, server, NAMES[kind])
        page.close()
    assert not wrong, "\n".join(wrong)


@pytest.mark.one_engine("For a picture, Playwright gives other browsers a style that the page's policy forbids.")
def test_a_replay_shows_four_names_whole_and_no_deck_in_front_of_them(open_page: OpenPage, tmp_path: Path) -> None:
    (tmp_path / "deal.txt").write_text(DEAL.replace("lead", "hand 4 7H\nlead"), encoding="utf-8")
    with Server(tmp_path / "games.sqlite3", speed=6, deal=tmp_path / "deal.txt") as server:
        page = open_page(PHONE, offline=True)
        room, who = wide_table(page, server, "Imhoteph", "Nefertari", "Cleomenes", "Penelope")
        page.goto(server.url)
        page.evaluate(f"localStorage.setItem('ratscrew:seat:{room}', '{who}')")
        page.goto(f"{server.url}/room/{room}")
        page.get_by_test_id("start").click()
        page.get_by_test_id("deck").click()
        page.get_by_test_id("winner").wait_for()
        panel_ready(page)
        page.get_by_test_id("look").click()
        page.goto(page.get_by_test_id("watch").evaluate("link => link.href"))
        page.get_by_test_id("stage").wait_for()
        page.keyboard.press("End")
        expect(page.locator(".players .none")).to_have_count(3)
        cut = "all => all.filter(b => b.scrollWidth > b.clientWidth).map(b => b.textContent)"
        assert page.locator(".players b").evaluate_all(cut) == []
        for seat in range(4):
            chip = page.locator(f"[data-player='{seat}']")
            box = chip.bounding_box()
            assert box
            inside: FloatRect = {
                "x": box["x"] + 3,
                "y": box["y"] + 3,
                "width": box["width"] - 6,
                "height": box["height"] - 6,
            }
            seen = page.screenshot(clip=inside)
            chip.locator(".deck").evaluate("deck => { deck.style.visibility = 'hidden' }")
            assert page.screenshot(clip=inside) == seen, f"the deck of seat {seat} lies in front of its chip"
        page.close()
