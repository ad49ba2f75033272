"""The start page and other pages of their own, as scenes."""

from __future__ import annotations

import time

from playwright.sync_api import Page

from tests.browser.scenes import (
    ACCOUNT,
    HOUSE,
    MINE,
    NAME,
    NOBODY,
    answer,
    answers,
    now_us,
    plain,
    scene,
    settings,
    shown,
    store,
)

# Pages of their own


@scene(
    "the start page",
    {
        "[data-testid=against]": ["home.against", "home.duel"],
        "form [role=alert] li": ["problem.*", "start.unreachable", "start.refused"],
        "[data-testid=todays]": ["{daily.today}: {daily.lost}"],
    },
)
def start(page: Page, url: str) -> None:
    answers(
        page,
        account=MINE,
        friends={
            "friends": [],
            "asking": [],
            "invitations": [{"id": "b2", "name": ACCOUNT, "room": "BEAR4821", "at_us": now_us()}],
        },
    )
    settings(page, account=True)
    day = time.strftime("%Y-%m-%d")
    store(
        page,
        bests={"fastest": 250_000, "games": 108, "won": 54, "streak": 12},
        daily={"day": day, "room": "X", "result": {"won": True, "cards": 108, "fastest": 1}},
    )
    store(page, **{"seat:WOLF4821": f"1@{time.time_ns() // 1_000_000}"})
    answer(page, "rooms", {"code": "busy", "problems": ["x"], "wait_s": 1}, 429)
    page.goto(url)
    shown(page, "invitation", "bests", "back-to-seat")
    page.get_by_test_id("against").click()
    page.get_by_text("Got a code").or_(page.locator("details summary")).first.click()
    page.get_by_test_id("play").click()
    page.locator("[role=alert] li").wait_for()


@scene("the start page without the server")
def alone(page: Page, url: str) -> None:
    page.add_init_script(
        "Object.defineProperty(navigator, 'serviceWorker', { value: { controller: {}, register: async () => ({}) } })"
    )
    answer(page, "health", {}, 404)
    page.goto(url)
    shown(page, "alone")


@scene("the start page with today's deal ahead")
def start_daily(page: Page, url: str) -> None:
    settings(page, strength="sekhmet")
    store(page, bests={"fastest": None, "games": 1, "won": 0, "streak": 0})
    page.goto(url)
    page.get_by_test_id("play-daily").wait_for()
    page.get_by_test_id("hand").click()
    page.locator(".picker button, .picker input").first.wait_for()


@scene("the opponents")
def opponents(page: Page, url: str) -> None:
    settings(page, beaten=["bes", "hapi", "khonsu", "min", "taweret", "sobek", "sekhmet", "seshat", "osiris", "ra"])
    page.goto(url)
    page.get_by_test_id("against").click()
    page.get_by_test_id("ladder").click()
    page.get_by_test_id("opponent-ra").wait_for()


@scene("the choice of rules")
def choose_house(page: Page, url: str) -> None:
    page.goto(url)
    page.get_by_test_id("house").click()
    page.get_by_test_id("own-house").wait_for()


@scene("open tables")
def open_rooms(page: Page, url: str) -> None:
    one = {"room": "WOLF4821", "host": NAME, "house": HOUSE, "people": 3, "bots": 4, "most": 8, "playing": True}
    answers(page, account=NOBODY, arenas=[])
    answer(page, "rooms", [one, {**one, "room": "BEAR4821", "playing": False}])
    page.goto(url)
    page.get_by_test_id("open-rooms").click()
    shown(page, "open-room", "arenas-link")


@scene("no open tables")
def no_rooms(page: Page, url: str) -> None:
    answer(page, "rooms", [])
    page.goto(url)
    page.get_by_test_id("open-rooms").click()
    shown(page, "open-none")


@scene("settings")
def change_settings(page: Page, url: str) -> None:
    answers(page, account=NOBODY)
    page.goto(url)
    page.get_by_test_id("settings-of-start").click()
    shown(page, "keep-my-games")


plain("how slaps are judged", "/judge", "")
plain("the rule editor", "/rules", "sheet-title")
plain("shared rules", "/rules?shared=1%3Bclassic", "play-with-friends")
plain("a page that is not there", "/nowhere", "missing")
plain("nothing to watch", "/watch", "nothing-to-watch")
plain("a table that is not there", "/room/NOPE0000", "bye-no_room")


@scene("rules that do not go together", {"[data-testid=problems] button": ["editor.show"]})
def bad_rules(page: Page, url: str) -> None:
    page.goto(f"{url}/rules")
    shown(page, "sheet-title")
    page.evaluate("location.hash = '#1;classic;redneck=all;forehead=x'")
    page.get_by_test_id("problems").locator("small").wait_for()


@scene("games to watch")
def watch(page: Page, url: str) -> None:
    one = {"room": "WOLF4821", "host": NAME, "house": HOUSE, "people": 3, "bots": 4, "most": 8, "playing": True}
    arena = {
        "code": "BEAR1",
        "title": NAME,
        "house": HOUSE,
        "begins_s": 1,
        "ends_s": time.time() + 3000,
        "players": 108,
        "hourly": False,
    }
    answers(page, account=NOBODY, watch=[one], arenas=[arena])
    page.goto(f"{url}/watch")
    shown(page, "game-to-watch", "arena-to-watch")
