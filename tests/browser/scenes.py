"""Every screen of the page, opened without a game being played: with answers and messages that a server might send."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, Route

from tests.browser import seed
from tests.browser.catalogue import VIEWS

NAME = "W" * 20
OTHERS = ("V" + NAME[1:], "M" + NAME[1:])
ACCOUNT = f"{NAME}#9999"
DAY_US = 86_400_000_000
TABLE = Path(__file__).with_name("table.js").read_text(encoding="utf-8")
HOUSE = "1;classic"

Open = Callable[[Page, str], None]
Places = Mapping[str, list[str]]


@dataclass(frozen=True)
class Scene:
    """A screen: how it is opened, and which texts may stand in its places besides those that do."""

    open: Open
    places: Places = field(default_factory=dict)
    views: tuple[str, ...] = tuple(VIEWS)


SCENES: dict[str, Scene] = {}


def scene(name: str, places: Places | None = None, views: tuple[str, ...] = tuple(VIEWS)) -> Callable[[Open], Open]:
    """Decorator: the function opens the screen of this name."""

    def keep(function: Open) -> Open:
        assert name not in SCENES
        SCENES[name] = Scene(function, places or {}, views)
        return function

    return keep


@contextmanager
def as_new(page: Page, url: str) -> Iterator[None]:
    """A page as if nothing had been on it: what is stored, answered or run there for a screen is gone afterwards."""
    begin = page.add_init_script
    scripts: list[Any] = []
    setattr(page, "add_init_script", lambda script: scripts.append(begin(script)))  # noqa: B010
    page.add_init_script(f"{seed.DRAW}({json.dumps(seed.seed_for('page'))})")
    try:
        yield
    finally:
        setattr(page, "add_init_script", begin)  # noqa: B010
        page.goto("about:blank")
        page.evaluate("window.name = ''")  # it counts what was drawn
        for script in scripts:
            script.dispose()
        page.unroute_all(behavior="ignoreErrors")
        session = page.context.new_cdp_session(page)
        session.send("Storage.clearDataForOrigin", {"origin": url, "storageTypes": "all"})
        session.detach()


# What a server might answer


def answer(page: Page, path: str, value: Any, status: int = 200) -> None:
    """Answer requests for this path of the API with this value."""

    def respond(route: Route) -> None:
        route.fulfill(status=status, json=value)

    page.route(re.compile(rf"/api/{re.escape(path)}(\?.*)?$"), respond)


def answers(page: Page, **values: Any) -> None:
    """Answer requests for these parts of the API with these values."""
    for path, value in values.items():
        answer(page, path, value)


def store(page: Page, **values: Any) -> None:
    """Store values in the browser before the page is loaded, as the page itself stores them."""
    for key, value in values.items():
        text = json.dumps(f"ratscrew:{key}"), json.dumps(value if isinstance(value, str) else json.dumps(value))
        page.add_init_script(f"try {{ localStorage[{text[0]}] = {text[1]} }} catch {{}}")


def settings(page: Page, **values: Any) -> None:
    """Settings of this browser; those that are there stay."""
    page.add_init_script(
        f"try {{ localStorage['ratscrew:settings'] = JSON.stringify({{ "
        f"...JSON.parse(localStorage['ratscrew:settings'] ?? '{{}}'), ...{json.dumps(values)} }}) }} catch {{}}"
    )


def shown(page: Page, *testids: str) -> None:
    """Wait until these are on the page."""
    for testid in testids:
        page.get_by_test_id(testid).first.wait_for()


def press(page: Page, testid: str, then: str) -> None:
    """Press a button as soon as it takes presses, until what it opens is there."""
    page.get_by_test_id(testid).first.wait_for()
    for _ in range(50):
        if page.get_by_test_id(testid).count():
            page.get_by_test_id(testid).first.dispatch_event("click")
        page.wait_for_timeout(100)
        if page.get_by_test_id(then).count():
            return
    raise AssertionError(f"{testid} does not open {then}")


APPEARANCE = {"hue": 0, "shape": "palm"}
OWN = {
    "id": "a1",
    "name": ACCOUNT,
    "since_us": 1_700_000_000_000_000,
    "devices": 12,
    "passkeys": 2,
    "ratings": [{"rules": HOUSE, "points": 2345, "provisional": True, "games": 108}],
}
MINE = {"community": True, "account": OWN}
NOBODY = {"community": True, "account": None}


def now_us() -> int:
    """Microseconds since 1970."""
    return time.time_ns() // 1000


def profile() -> dict[str, Any]:
    """A player with everything that a profile may show."""
    hist = [3, 5, 8, 2] * 7 + [1] * 2
    times = [
        {"pattern": pattern, "slaps": 108, "median_ms": 350, "faster_than_percent": 99, "mine": hist, "everyone": hist}
        for pattern in ("double", "sandwich", "top_bottom", "colour_run", "sixty_nine", "marriage")
    ]
    recent = [
        {
            "game": f"BEAR4821-{i}-1",
            "end_us": now_us(),
            "rules": HOUSE,
            "rank": i,
            "seats": 8,
            "rated": True,
            "others": {"b2": 0, "c3": 1},
        }
        for i in range(2)
    ]
    return {
        "id": "a1",
        "name": ACCOUNT,
        "since_us": 1_700_000_000_000_000,
        "ratings": OWN["ratings"],
        "history": [
            {
                "rules": HOUSE,
                "games": [
                    {"game": f"g{i}", "end_us": now_us() + i * DAY_US, "points": 1000 + 90 * i} for i in range(9)
                ],
            }
        ],
        "figures": {
            "games": 1080,
            "wins": 540,
            "streak": 12,
            "best_streak": 34,
            "comebacks": 56,
            "accuracy_percent": 100,
            "times": times,
            "recent": recent,
            "rivals": [
                {"account": "b2", "games": 108, "ahead": 54, "behind": 54},
                {"account": "z", "games": 1, "ahead": 1, "behind": 0},
            ],
        },
        "names": {"b2": f"{OTHERS[0]}#9998", "c3": f"{OTHERS[1]}#9997"},
    }


def plain(name: str, path: str, testid: str) -> None:
    """A page that needs nothing but its address."""

    @scene(name)
    def open_it(page: Page, url: str) -> None:
        page.goto(f"{url}{path}")
        (page.get_by_test_id(testid) if testid else page.get_by_role("heading")).first.wait_for()
