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
from tests.browser.player import Player
from tests.browser.server import Server

pytestmark = [
    pytest.mark.browser,
    pytest.mark.one_engine(
        "Which opponents there are, and who plays, is decided by the server and by the same code on each engine."
    ),
]


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
    player = Player(page, touch=True, speed=4)
    assert player.play(until=lambda sight: sight.n >= 12).n >= 12
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
    expect(page.locator("[data-deck]")).to_have_count(2)  # one on one
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


def test_an_opponent_who_is_beaten_is_ticked_and_the_next_one_is_a_tap_away(
    open_page: OpenPage, tmp_path: Path
) -> None:
    deal = tmp_path / "deal.txt"
    deal.write_text("ratscrew 1\nhouse 1;classic\nhand 1 AS 5H\nhand 2 2C\nlead 1\n", encoding="utf-8")
    with Server(tmp_path / "games.sqlite3", speed=4, deal=deal) as server:
        page = open_page(PHONE, touch=True)
        page.goto(server.url)
        page.evaluate('localStorage[\'ratscrew:settings\'] = \'{"games":3,"strength":"bes","house":"1;beggar"}\'')
        page.reload()
        expect(page.get_by_test_id("against")).to_have_text("Against Bes")
        page.get_by_test_id("play").tap()
        page.get_by_test_id("deck").tap()
        expect(page.get_by_test_id("winner")).to_have_text("You win!")
        expect(page.get_by_test_id("ladder-progress")).to_have_text("1 of 10 beaten")
        tap_away(page.get_by_test_id("next-opponent"))
        until(page, "[data-phase=play]")
        assert "Hapi" in page.content()
        page.goto(server.url)
        press(page, "against")
        press(page, "ladder")
        expect(page.get_by_test_id("opponent-bes")).to_contain_text("beaten")
        expect(page.get_by_test_id("opponent-hapi")).not_to_contain_text("beaten")
        page.close()
