"""A replay, in real browsers: a game that is over is looked at again, card by card and slap by slap."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from ratscrew.game import notation
from ratscrew.game.codec import Codec
from ratscrew.game.events import Slapped
from ratscrew.game.evolve import replay
from ratscrew.log.sqlite import SqliteLog
from ratscrew.table.record.entries import Entry, Judged, Measured, Recorded, Sat, SlapRecord
from tests.browser.conftest import LAPTOP, PHONE, TABLET, OpenPage
from tests.browser.gathering import tap_away
from tests.browser.server import Server
from tests.table.test_continuing import TEXT

pytestmark = pytest.mark.browser

GAME = "WOLF-1f-1"


def recorded() -> list[Recorded]:
    """The whole game as it is kept, with what each hand was judged by before it counts."""
    hands = iter(
        (
            Judged(2, "double", (SlapRecord(1, 243_000),)),
            Measured(3, SlapRecord(0, 187_000)),
            Judged(4, "double", (SlapRecord(0, 301_000),)),
        )
    )
    noted: list[Recorded] = [Sat(0, "Ana"), Sat(1, "Ben")]
    for event in notation.read_game(TEXT).events:
        noted += [next(hands), event] if isinstance(event, Slapped) else [event]
    return noted


def keep(file: Path) -> None:
    """Put the game into a log."""
    log = SqliteLog(file, Codec[Entry](Entry))
    log.append(GAME, 0, [Entry(500_000 * number, event) for number, event in enumerate(recorded())])
    log.close()


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where the game is replayed: at a server that has it in its log."""
    file = tmp_path_factory.mktemp("replay") / "games.sqlite3"
    keep(file)
    with Server(file) as server:
        yield f"{server.url}/replay/{GAME}"


def moment(page: Page, n: int, top: str, pile: int, held: list[int]) -> None:
    """What lies there, and what everybody holds."""
    stage = page.get_by_test_id("stage")
    for name, value in (("data-n", str(n)), ("data-top", top), ("data-pile", str(pile))):
        expect(stage).to_have_attribute(name, value)
    if top:
        expect(stage.locator(f"[data-card='{top}']").first).to_be_visible()
    for seat, cards in enumerate(held):
        expect(page.locator(f"[data-player='{seat}']")).to_have_attribute("data-held", str(cards))


def copy(page: Page, button: str) -> None:
    """Press a button of a panel that copies something."""
    page.get_by_test_id(button).click()
    expect(page.get_by_test_id(button)).to_have_text("Copied")


def test_a_replay_shows_the_piles_that_were_there(url: str, open_page: OpenPage) -> None:
    page = open_page(PHONE, touch=True, moving=True)
    page.goto(url)
    moment(page, n=0, top="", pile=0, held=[4, 3])
    page.get_by_test_id("slap").tap()
    moment(page, n=2, top="9H", pile=2, held=[3, 2])
    expect(page.locator(".tag.first")).to_contain_text("243 ms")
    expect(page.get_by_test_id("caption")).to_have_text("Double! Ben 243 ms")
    page.get_by_test_id("slider").fill("14")  # two seats, the deal, 9S 9H, the race (3), 4S, the wrong slap (4), 4D
    moment(page, n=4, top="4D", pile=3, held=[1, 3])
    page.get_by_test_id("pile").tap()
    moment(page, n=4, top="", pile=0, held=[4, 3])
    expect(page.get_by_test_id("caption")).to_contain_text("Ana takes 3")
    page.get_by_test_id("pile").tap()
    moment(page, n=8, top="", pile=0, held=[7, 0])
    page.get_by_test_id("step-back").tap()
    moment(page, n=8, top="9H", pile=4, held=[3, 0])


@pytest.mark.each_engine
def test_a_race_in_it_can_be_looked_into(url: str, open_page: OpenPage) -> None:
    page = open_page(PHONE, touch=True, moving=True)
    page.goto(url)
    page.get_by_test_id("slap").tap()
    page.get_by_test_id("how").tap()
    expect(page.get_by_test_id("hand")).to_contain_text("243 ms")
    tap_away(page.get_by_test_id("close"))
    expect(page.get_by_test_id("how")).to_be_focused()


def test_a_link_leads_to_a_moment_and_the_text_to_the_same_game(url: str, open_page: OpenPage) -> None:
    page = open_page(LAPTOP, permissions=["clipboard-read", "clipboard-write"])
    page.goto(url)
    page.get_by_test_id("slider").fill("14")
    page.wait_for_url(f"{url}#14")
    page.get_by_test_id("keep").click()
    copy(page, "copy-text")
    written = notation.read_game(page.evaluate("navigator.clipboard.readText()"))
    game = replay(written.events)
    assert (written.names, game.winner, len(game.hands[0])) == (("Ana", "Ben"), 0, 7)
    copy(page, "copy-link")
    shared = page.evaluate("navigator.clipboard.readText()")
    other = open_page(TABLET)
    other.goto(shared)
    moment(other, n=4, top="4D", pile=3, held=[1, 3])


@pytest.mark.each_engine
def test_it_plays_by_itself_and_by_the_keys(url: str, open_page: OpenPage) -> None:
    page = open_page(LAPTOP, moving=True)
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


@pytest.mark.each_engine
def test_a_player_who_wants_no_motion_sees_each_card_where_it_lies(url: str, open_page: OpenPage) -> None:
    page = open_page(PHONE, touch=True)
    page.goto(url)
    page.get_by_test_id("step").tap()
    moment(page, n=1, top="9S", pile=1, held=[3, 3])
    longest = "Math.max(0, ...document.getAnimations().map(each => each.effect.getComputedTiming().duration))"
    page.get_by_test_id("pile").tap()
    assert page.evaluate(longest) <= 1
