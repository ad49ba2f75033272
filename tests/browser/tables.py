"""A table in any state, without a game: how its screens are opened, and what is shown on them."""

from __future__ import annotations

import json
from typing import Any

from playwright.sync_api import Page

from tests.browser.catalogue import VIEWS
from tests.browser.gathering import UNHURRIED, post, stands
from tests.browser.scenes import NAME, OTHERS, shown

WIDE = f"w.seats = w.seats.map((seat, i) => ({{ ...seat, name: {json.dumps((NAME, *OTHERS))}[i] }}))"
"""A change of a table: its players have the widest names."""

TURN = "if (v) { v.standing = { ...v.standing, turn: 1 }; v.cards_held = [18, 17, 17] }"
"""It is not my turn, however the cards were dealt."""

PROOF = {
    "arrived_us": 700_000,
    "rtt_us": 100_000,
    "pressed_us": 400_000,
    "free_us": 25_000,
    "purse_us": 100_000,
    "granted_us": 60_000,
    "beat_us": 450_000,
    "lag_us": None,
    "frame_us": None,
    "shown_us": None,
}


def hit(seat: int, us: int, proof: dict[str, Any] | None = None) -> dict[str, Any]:
    """A slap as the server publishes it."""
    return {"seat": seat, "us": us, "proof": proof, "page": 1 if proof else None}


RACE = {
    "e": "judged",
    "n": 1,
    "pattern": "top_bottom",
    "order": [hit(1, 1_400_000, PROOF), hit(0, 1_409_000, PROOF), hit(2, 1_500_000)],
    "tie": False,
    "confidence": 77,
    "unseen": 0,
}


def gather(page: Page, url: str, deal: bool = True, house: str = f"1;classic;{UNHURRIED}") -> str:
    """Three players at a table, the host at this page, which no longer hears the server; the code of the room."""
    joined = post(page, f"{url}/api/rooms", name="Ana", bots=0, house=house, wait=True)
    room = str(joined["room"])
    for name in ("Ben", "Cleo"):
        post(page, f"{url}/api/rooms/{room}/seats", name=name)
    page.add_init_script(f"try {{ localStorage['ratscrew:seat:{room}'] = '{joined['player_id']}' }} catch {{}}")
    page.goto(f"{url}/room/{room}")
    shown(page, "start")
    if deal:
        page.get_by_test_id("start").click()
        stands(page, n=0, phase="play")
    page.evaluate("table.still = true")
    return room


def change(page: Page, *changes: str) -> None:
    """Change the table `w` with its view `v`, as if the server had sent it so."""
    page.evaluate(f"table.show((w, v) => {{ {'; '.join((WIDE, TURN, *changes))} }})")


def happens(page: Page, *events: dict[str, Any]) -> None:
    """These events happen at the table."""
    for event in events:
        page.evaluate("event => table.event(event)", event)


def says(page: Page, **message: Any) -> None:
    """The server sends this message."""
    page.evaluate("message => table.send(message)", message)


ROOMY = tuple(name for name in VIEWS if name != "844 px, doubled")
LARGER = tuple(name for name in VIEWS if name != "320 px, doubled")
"""Where that size has no room for all there is at once: two long names in buttons, or German words of my turn."""
NORMAL = tuple(name for name in VIEWS if "doubled" not in name)
LINES = [{"rtt_ms": 1500, "jitter_ms": 450}] * 3
CARD = "v.n = 1; v.pile = [['9S', 'live']]"
OVER = [
    CARD,
    "v.standing = { ...v.standing, phase: 'over', turn: 0 }; v.end = 'won'; "
    "v.cards_held = [52, 0, 0]; w.seats.forEach((seat) => (seat.wins = 108))",
]


def watch(page: Page, url: str) -> None:
    """Watch the game of a table without a seat."""
    visit(page, url, deal=True)
    page.get_by_test_id("just-watch").click()
    shown(page, "stage", "sit")


def visit(page: Page, url: str, deal: bool) -> None:
    """Come to a table without a seat."""
    room = gather(page, url, deal)
    page.add_init_script("try { localStorage.clear() } catch {}")
    page.goto("about:blank")
    page.goto(f"{url}/room/{room}")
