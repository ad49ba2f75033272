"""Lessons, the tips of a first game, practice and the start in Discord, as scenes."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page

from tests.browser.scenes import HOUSE, Places, answer, press, scene, settings, shown, store
from tests.browser.tables import LARGER, change, gather

BUBBLE: Places = {
    "[data-testid=coach-says]": [
        "learn.lesson.task.*",
        "learn.lesson.done.*",
        "learn.lesson.slapped.*",
        "learn.lesson.missed.*",
        "learn.lesson.early",
    ],
    ".coach button": ["learn.lesson.next", "learn.lesson.again", "learn.lesson.skip"],
}


@scene("a lesson", BUBBLE)
def lesson(page: Page, url: str) -> None:
    page.goto(f"{url}/learn")
    page.locator("[data-testid=coach]:not(.empty)").wait_for()


@scene("the end of the lessons")
def lessons_done(page: Page, url: str) -> None:
    store(page, lesson="5")
    page.goto(f"{url}/learn")
    press(page, "skip-lesson", "finished")


@scene(
    "tips in a first game",
    {
        "[data-testid=coach-says]": [
            "firstGame.turn",
            "firstGame.watch",
            "firstGame.beat",
            "firstGame.won",
            "firstGame.lost",
            "firstGame.slapped",
            "firstGame.wrong",
            "firstGame.out",
        ]
    },
)
def first_game(page: Page, url: str) -> None:
    settings(page, games=0)
    gather(page, url, house="1;classic")
    change(page)
    page.locator("[data-testid=first-game]:not(.empty)").wait_for()


PAST: dict[str, Any] = {
    "at": 1_900_000_000_000,
    "house": HOUSE,
    "hits": 45,
    "misses": 45,
    "wrong": 45,
    "best": 1500,
    "median": 1500,
}


@scene("practice")
def practice(page: Page, url: str) -> None:
    store(page, practices=[PAST, {**PAST, "at": PAST["at"] + 1, "best": None, "median": None}])
    page.goto(f"{url}/practice")
    shown(page, "begin", "pasts")


@scene(
    "practice under way",
    {
        "[data-testid=drill-says]": [
            "practice.hit",
            "hint.missed.*",
            "hint.other",
            "hint.nothing",
            "hint.alone",
            "say.wrong",
        ]
    },
    LARGER,
)
def drill(page: Page, url: str) -> None:
    page.goto(f"{url}/practice?seed=7&cards=14")
    press(page, "begin", "drill")
    page.locator("[data-testid=drill][data-count='1']").wait_for()
    page.evaluate("table.still = true; window.setTimeout = () => 0")
    page.get_by_test_id("slap").dispatch_event("pointerdown")
    page.keyboard.press("Space")
    page.locator("[data-testid=drill-says]:not(:empty)").wait_for()


@scene(
    "the times of a practice",
    {"[data-testid=false-alarms]": ["practice.falseAlarms"], "[data-testid=practice-over]": ["practice.summary"]},
)
def practice_over(page: Page, url: str) -> None:
    store(page, practices=[PAST])
    cards = [
        {"card": "9S", "slaps": [], "fresh": True},
        {"card": "9H", "slaps": ["double"], "fresh": False},
    ]
    answer(page, "drill", {"cards": cards})
    page.goto(f"{url}/practice")
    press(page, "begin", "drill")
    page.locator("[data-testid=drill][data-count='2']").wait_for()
    while not page.locator(".said.good").count():  # a slap that comes too soon is not for this card
        page.keyboard.press("Space")
    shown(page, "practice-over")


@scene("the start in Discord")
def activity(page: Page, url: str) -> None:
    page.route(f"{url}/activity?*", lambda route: route.fulfill(response=route.fetch(url=url)))
    page.goto(f"{url}/activity?instance_id=a&frame_id=a&platform=desktop&application=1")
    shown(page, "activity-play")
