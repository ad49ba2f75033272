"""The ladder: ten opponents with a name, chosen on each page where bots are, and played against."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from ratscrew.bots.ladder import LADDER
from tests.browser.axe import too_small, violations
from tests.browser.conftest import LAPTOP, PHONE, TABLET, OpenPage
from tests.browser.gathering import panel_ready, press, tap_away, until
from tests.browser.server import Server

pytestmark = pytest.mark.browser


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """A server of its own, whose tables go four times as fast."""
    with Server(tmp_path / "games.sqlite3", speed=4) as server:
        yield server


def listed(page: Page) -> list[str]:
    """The opponents on the ladder, as the page shows them."""
    expect(page.get_by_test_id("ladder-title")).to_be_visible()
    return page.locator("[data-testid^=opponent-] b").all_inner_texts()


def test_a_player_plays_against_three_opponents_chosen_by_name(server: Server, open_page: OpenPage) -> None:
    page = open_page(PHONE, touch=True)
    page.goto(server.url)
    page.get_by_test_id("friends").tap()
    expect(page.get_by_test_id("waiting-seat")).to_have_count(1)
    for count, who in enumerate(("bes", "seshat", "ra"), 2):
        page.get_by_test_id("bot-more").tap()
        assert listed(page) == [name.capitalize() for name in LADDER]
        tap_away(page.get_by_test_id(f"opponent-{who}"))
        expect(page.get_by_test_id("waiting-seat")).to_have_count(count)
    seats = page.get_by_test_id("waiting-seat").all_inner_texts()
    assert [who in seat for who, seat in zip(("Bes", "Seshat", "Ra"), seats[1:], strict=True)] == [True] * 3
    page.get_by_test_id("start").tap()
    until(page, "[data-testid=stage][data-n='12']")  # a slow player's cards are turned for them
    page.close()


@pytest.mark.parametrize("screen", [PHONE, LAPTOP, TABLET], ids=["phone", "laptop", "tablet"])
def test_who_is_chosen_at_the_start_is_kept_and_plays(
    server: Server, open_page: OpenPage, screen: dict[str, int]
) -> None:
    page = open_page(screen, touch=screen != LAPTOP, bypass_csp=True)
    page.goto(server.url)
    press(page, "against")
    press(page, "ladder")
    assert len(listed(page)) == 10
    assert (violations(page), too_small(page)) == ([], [])
    if screen == LAPTOP:
        panel_ready(page)
        page.get_by_test_id("opponent-osiris").click()
    else:
        tap_away(page.get_by_test_id("opponent-osiris"))
    expect(page.get_by_test_id("against")).to_contain_text("Osiris")
    expect(page.get_by_test_id("ladder")).to_have_text("Osiris")
    press(page, "play")
    until(page, "[data-phase=play]")
    assert "Osiris" in page.content()
    page.goto(server.url)
    expect(page.get_by_test_id("against")).to_contain_text("Osiris")
    page.close()


def test_opponents_join_at_one_screen_too(server: Server, open_page: OpenPage) -> None:
    page = open_page(TABLET, touch=True)
    page.goto(f"{server.url}/together")
    page.get_by_test_id("bots").locator("input[value='1']").check()
    page.get_by_test_id("ladder").tap()
    tap_away(page.get_by_test_id("opponent-taweret"))
    expect(page.get_by_test_id("ladder")).to_have_text("Taweret")
    page.get_by_test_id("deal").tap()
    until(page, "[data-phase=play]")
    assert "Taweret" in page.content()
    page.close()
