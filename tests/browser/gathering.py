"""Players in real browsers at one table: how they join, turn, press and slap, and what their pages show."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from playwright.sync_api import Locator, Page, TimeoutError, expect

from tests.browser.conftest import LAPTOP, PHONE, TABLET, OpenPage
from tests.browser.far import Far
from tests.browser.server import Server

NAMES = ("Ana", "Ben", "Cleo")
UNHURRIED = "turn_ms=60000"
"""No player's card is turned automatically while a test looks at the page."""

REACTION_MS = 200
"""A hand that is there sooner was moving before the card could be seen, and does not count."""

SIGN_MS = 900
"""A person's next sign goes no sooner than so long after the one before."""

Gather: TypeAlias = Callable[..., list[Page]]


@pytest.fixture
def gather(open_page: OpenPage, tmp_path: Path) -> Iterator[Gather]:
    """Opens a room with a house for people with these hands, on a phone, a laptop and a tablet; the cards are dealt.

    `far_ms` is how long everything takes to a seat's page and back, if it is far away. Only pages that are `moving`
    move their cards and hands, which is most of the work of a game. `begin` is a script that begins each page: to load
    one again during the game would leave the table waiting, and it goes on without its player.
    """
    with ExitStack() as stack:

        def sit(
            house: str,
            *hands: str,
            speed: float = 2,
            far_ms: dict[int, float] | None = None,
            moving: bool = False,
            begin: str = "",
        ) -> list[Page]:
            deal = tmp_path / "deal.txt"
            dealt = [f"hand {seat} {hand}" for seat, hand in enumerate(hands, 1)]
            deal.write_text("\n".join(["ratscrew 1", "house 1;classic", *dealt, "lead 1", ""]), encoding="utf-8")
            file = tmp_path / "games.sqlite3"
            server = stack.enter_context(Server(file, speed=speed, deal=deal, proxied=bool(far_ms)))
            ways = {seat: stack.enter_context(Far(server.port, rtt_ms)).url for seat, rtt_ms in (far_ms or {}).items()}
            views = (PHONE, LAPTOP, TABLET)
            pages = [open_page(view, touch=view != LAPTOP, moving=moving) for view in views[: len(hands)]]
            joined = post(pages[0], f"{server.url}/api/rooms", name=NAMES[0], bots=0, house=house, wait=True)
            room = joined["room"]
            for seat, page in enumerate(pages):
                if seat:
                    joined = post(page, f"{server.url}/api/rooms/{room}/seats", name=NAMES[seat])
                page.add_init_script(f"window.tableSpeed = {speed}; {begin}")
                page.add_init_script(f"localStorage.setItem('ratscrew:seat:{room}', '{joined['player_id']}')")
                page.goto(f"{ways.get(seat, server.url)}/room/{room}")
            pages[0].get_by_test_id("start").click()
            for page in pages:
                stands(page, n=0, phase="play")
                stack.callback(page.close)
            return pages

        yield sit


def preferring(**settings: object) -> str:
    """A script that begins a page with these settings."""
    return f"localStorage.setItem('ratscrew:settings', '{json.dumps(settings)}')"


def turn(page: Page, n: int) -> None:
    """Turn my card as soon as it is my turn, and see that it is the `n`-th."""
    until(page, "[data-turn=true]")
    press(page, "deck")
    until(page, f"[data-testid=stage][data-n='{n}']")


def press(page: Page, what: str) -> None:
    """Press a button or zone as the device does."""
    target = page.get_by_test_id(what)
    if page.viewport_size == LAPTOP:
        target.click()
    else:
        target.tap()


def slap(page: Page, n: int) -> None:
    """Slap as soon as a person can have seen the `n`-th card."""
    until(page, f"[data-testid=stage][data-n='{n}']")
    react(page)
    if page.viewport_size == LAPTOP:
        page.keyboard.press("Space")
    else:
        page.get_by_test_id("slap").tap()


def react(page: Page) -> None:
    """Wait until what is there has been painted, and then as long as a person needs at least, at the table's speed."""
    wait = f"setTimeout(done, {REACTION_MS} / window.tableSpeed)"
    page.evaluate(f"new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => {wait})))")


def panel_ready(page: Page) -> None:
    """Wait until a panel that opened by itself takes presses. At first it ignores them: they were for the table."""
    until(page, "body:has([role=dialog], [data-testid=winner]):not(:has([data-quiet]))")


def tap_away(button: Locator) -> None:
    """Wait for a button and tap it until it is gone: one tap may come too soon after what has just been shown."""
    button.wait_for()
    for _ in range(50):
        with suppress(TimeoutError):  # it has gone meanwhile
            button.tap(timeout=1000)
        button.page.wait_for_timeout(100)
        if not button.count():
            return
    expect(button).to_have_count(0)


def insist(page: Page, what: str) -> None:
    """Press what leads away from a panel until it has: one that has just come takes no press, it may be a slap."""
    button = page.get_by_test_id(what)
    button.wait_for()
    for _ in range(50):
        button.evaluate_all("there => there.forEach(one => one.click())")  # one that has just gone is not waited for
        page.wait_for_timeout(100)
        if not button.count():
            return
    expect(button).to_have_count(0)


def stands(page: Page, n: int, phase: str) -> None:
    """The page shows card `n`, and play in this phase."""
    until(page, f"[data-testid=stage][data-n='{n}'][data-phase='{phase}']")


def until(page: Page, css: str, ms: int = 20_000) -> None:
    """Wait until something on the page is so, and see it in the very frame: a look now and then costs time."""
    try:
        page.wait_for_function("css => document.querySelector(css)", arg=css, timeout=ms)
    except TimeoutError:
        there = page.locator("[data-n], [data-turn]").evaluate_all("all => all.map(one => ({...one.dataset}))")
        raise AssertionError(f"waited {ms} ms for {css}; there is {there}") from None


def held(page: Page) -> list[int]:
    """How many cards each seat holds, by seat, as the page shows it."""
    seats = page.locator("[data-seat][data-held]").evaluate_all("all => all.map(seat => ({...seat.dataset}))")
    return [int(seat["held"]) for seat in sorted(seats, key=lambda seat: int(seat["seat"]))]


def post(page: Page, url: str, **body: Any) -> dict[str, Any]:
    """What the server answers."""
    answer = page.request.post(url, data=body)
    assert answer.ok, answer.text()
    return dict(answer.json())


def code_on(page: Page) -> str:
    """The code that a page shows large, in one piece; what can be read of it has a space behind the word."""
    shown = page.get_by_test_id("code")
    code = shown.get_attribute("data-code") or ""
    assert shown.inner_text().split() == [code[:4], code[4:]]
    return code
