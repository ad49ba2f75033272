"""What the browser's tab says of a game, for a player who looks at another tab."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.gathering import UNHURRIED, Gather, gather, panel_ready, press, slap, turn

__all__ = ["gather"]
pytestmark = pytest.mark.browser


def test_the_tab_says_whose_turn_it_is_that_the_game_waits_who_has_won_and_that_others_want_another(
    gather: Gather,
) -> None:
    """Ana wins with Ben's two on hers: then she holds every card."""
    ana, ben = gather(f"1;classic;{UNHURRIED}", "2H 3C", "2S")
    titled(ana, "Your turn · Ratscrew")
    titled(ben, "Ratscrew")
    press(ana, "open-menu")
    press(ana, "pause-all")
    for page in (ana, ben):
        titled(page, "Paused · Ratscrew")
    press(ana, "resume")
    titled(ana, "Your turn · Ratscrew")  # after a countdown
    turn(ana, n=1)
    titled(ana, "Ratscrew")
    titled(ben, "Your turn · Ratscrew")
    turn(ben, n=2)
    slap(ana, n=2)
    titled(ana, "You win! · Ratscrew")
    titled(ben, "Ana wins · Ratscrew")
    panel_ready(ben)
    press(ben, "again")
    titled(ana, "Play again · Ratscrew")


def titled(page: Page, what: str) -> None:
    """The page gets this title."""
    expect(page).to_have_title(what)
