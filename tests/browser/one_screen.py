"""Several players at one screen: how they choose their places, turn and touch, and the events of their games."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from playwright.sync_api import Locator, Page, ViewportSize, expect

from tests.browser.conftest import LAPTOP, TABLET, OpenPage
from tests.browser.gathering import UNHURRIED
from tests.browser.server import Server

SPEED = 2
Sit: TypeAlias = Callable[..., tuple[Page, Server]]


@pytest.fixture
def sit(open_page: OpenPage, tmp_path: Path) -> Iterator[Sit]:
    """Opens the page for one screen with so many players chosen, who will have these hands."""
    with ExitStack() as stack:

        def prepare(
            form: str,
            *hands: str,
            view: ViewportSize = TABLET,
            players: int = 0,
            house: str = f"1;classic;{UNHURRIED}",
            speed: float = SPEED,
        ) -> tuple[Page, Server]:
            deal = tmp_path / "deal.txt"
            dealt = [f"hand {seat} {hand}" for seat, hand in enumerate(hands, 1)]
            deal.write_text("\n".join(["ratscrew 1", "house 1;classic", *dealt, "lead 1", ""]), encoding="utf-8")
            server = stack.enter_context(Server(tmp_path / "games.sqlite3", speed=speed, deal=deal))
            page = open_page(view, touch=view != LAPTOP, moving=True)
            stack.callback(page.close)
            page.add_init_script(f"window.tableSpeed = {speed}")
            page.add_init_script(f"localStorage.setItem('ratscrew:settings', '{json.dumps({'house': house})}')")
            page.goto(f"{server.url}/together")
            choose(page, "form", form)
            if (players or len(hands)) > 2:
                choose(page, "players", str(players or len(hands)))
            return page, server

        yield prepare


def choose(page: Page, what: str, value: str) -> None:
    """Choose one of a row."""
    page.get_by_test_id(what).locator(f"input[value='{value}']").check()


def deal(page: Page, players: int) -> str:
    """Deal, and see a pad for each; the answer is the room's code."""
    page.get_by_test_id("deal").click()
    expect(page.get_by_test_id("pad")).to_have_count(players)
    shows(page, n=0)
    return page.url.rpartition("/")[2]


def pad(page: Page, player: int) -> Locator:
    """A player's side."""
    return page.get_by_test_id("pad").nth(player)


def shows(page: Page, n: int) -> None:
    """Every pile of the page shows card `n`."""
    for stage in page.get_by_test_id("stage").all():
        expect(stage).to_have_attribute("data-n", str(n))


def turn(page: Page, player: int, n: int) -> None:
    """A player turns card `n`, in their turn."""
    expect(pad(page, player)).to_have_class(re.compile(r"\bdue\b"))
    pad(page, player).get_by_test_id("deck").tap()
    shows(page, n)


def touch(page: Page, *pads: Locator) -> None:
    """As many fingers as pads come down at one moment, and are lifted again.

    The browser gives the page an event of each finger, one after the other, all with the same time stamp.
    """
    points = []
    for number, each in enumerate(pads):
        box = each.bounding_box()
        assert box
        points.append({"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2, "id": number})
    browser = page.context.new_cdp_session(page)
    browser.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": points})
    browser.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def events(server: Server, room: str, kind: type) -> list[Any]:
    """What of this kind has happened in a room's latest game."""
    server.stop()
    found = [entry.event for entry in server.log_of(room) if isinstance(entry.event, kind)]
    server.start()
    return found
