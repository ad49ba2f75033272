"""Every screen of the page, opened without a game being played: with answers and messages that a server might send."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, Route

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


# Pages of their own


@scene(
    "the start page",
    {
        "[data-testid=against]": ["home.against", "home.duel"],
        "form [role=alert] li": ["problem.*", "start.unreachable", "start.refused"],
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


def plain(name: str, path: str, testid: str) -> None:
    """A page that needs nothing but its address."""

    @scene(name)
    def open_it(page: Page, url: str) -> None:
        page.goto(f"{url}{path}")
        (page.get_by_test_id(testid) if testid else page.get_by_role("heading")).first.wait_for()


plain("how slaps are judged", "/judge", "")
plain("the rule editor", "/rules", "sheet-title")
plain("shared rules", "/rules?shared=1%3Bclassic", "play-with-friends")
plain("a page that is not there", "/nowhere", "missing")
plain("nothing to watch", "/watch", "nothing-to-watch")
plain("a table that is not there", "/room/NOPE0000", "bye-no_room")


@scene("rules that do not go together")
def bad_rules(page: Page, url: str) -> None:
    page.goto(f"{url}/rules#1;classic;redneck=all;forehead=x")
    shown(page, "problems")


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


# Arenas


def arena_with(begins_in: float, ends_in: float, me: dict[str, Any] | None, players: int = 3) -> dict[str, Any]:
    """What a server answers about an arena."""
    row = {"appearance": APPEARANCE, "points": 108, "games": 108, "wins": 54, "doubles": True, "room": "WOLF4821"}
    rows = [{**row, "id": i, "name": name} for i, name in enumerate((NAME, OTHERS[0], ""))]
    arena = {
        "code": "BEAR4821",
        "title": "W" * 24,
        "house": HOUSE,
        "begins_s": 1,
        "ends_s": 2,
        "players": 3,
        "hourly": False,
    }
    return {"arena": arena, "begins_in_s": begins_in, "ends_in_s": ends_in, "players": rows[:players]}


def arena_scene(
    name: str, testid: str, begins_in: float, ends_in: float, me: dict[str, Any] | None, players: int = 3
) -> None:
    """An arena at one moment, for a player or a visitor."""

    @scene(f"an arena: {name}")
    def open_it(page: Page, url: str) -> None:
        standings = arena_with(begins_in, ends_in, me, players)
        answer(page, "rooms/BEAR4821/arena", standings)
        answer(page, "rooms/BEAR4821/arena/players", {"player": 0, "name": NAME})
        answer(page, "rooms/BEAR4821/arena/ask", me)
        page.goto(f"{url}/arena/BEAR4821")
        shown(page, "arena-time")
        if me:
            page.evaluate("0")
            if page.get_by_test_id("join-arena").count():
                page.get_by_test_id("join-arena").click()
        shown(page, testid)


ASKING = {"player": 0, "rank": 1, "points": 108, "doubles": True, "room": None, "seat": None}
arena_scene("before it", "join-arena", 3599, 7000, None, 0)
arena_scene("waiting for it", "arena-me", 3599, 7000, ASKING)
arena_scene("waiting for a table", "arena-me", -1, 3599, ASKING)
arena_scene("for a visitor", "standings", -1, 3599, None)


@scene("arenas")
def arenas(page: Page, url: str) -> None:
    at = time.time()
    one = {
        "code": "B1",
        "title": "W" * 24,
        "house": HOUSE,
        "begins_s": at + 3500,
        "ends_s": at + 7000,
        "players": 108,
        "hourly": False,
    }
    answers(page, account=NOBODY, arenas=[one, {**one, "code": "B2", "begins_s": 1, "hourly": True}])
    page.goto(f"{url}/arena")
    shown(page, "arena-link", "open-arena")


@scene("no arena")
def no_arenas(page: Page, url: str) -> None:
    answers(page, account=NOBODY, arenas=[])
    page.goto(f"{url}/arena")
    shown(page, "no-arena")


@scene("an arena that is not there")
def no_arena(page: Page, url: str) -> None:
    page.goto(f"{url}/arena/BEAR4821")
    page.locator("[role=alert]").wait_for()


# Players


@scene("my account")
def own_account(page: Page, url: str) -> None:
    answers(page, account=MINE)
    page.goto(f"{url}/me")
    shown(page, "delete-account")


@scene("a new name", {"[role=alert]": ["account.passkeyFailed", "account.passkeyUnknown", "account.passOver"]})
def new_name(page: Page, url: str) -> None:
    answers(page, account=MINE)
    page.goto(f"{url}/me")
    page.get_by_test_id("rename").click()
    answer(page, "account/name", {"code": "", "problems": ["x"]}, 422)
    page.get_by_test_id("save-name").click()
    page.locator("[role=alert]").wait_for()


@scene("another device for my account")
def account_device(page: Page, url: str) -> None:
    answers(page, account=MINE)
    answer(page, "account/pass", {"text": "x" * 40})
    page.goto(f"{url}/me")
    page.get_by_test_id("add-device").click()
    shown(page, "copy-pass")


@scene(
    "deleting my account",
    {"[data-testid=no-account] p, [role=dialog] p": ["account.deletion.text", "account.deletion.pending"]},
)
def delete_account(page: Page, url: str) -> None:
    answers(page, account=MINE)
    page.goto(f"{url}/me")
    page.get_by_test_id("delete-account").click()
    shown(page, "no-account")


@scene("another account in this browser")
def replace_account(page: Page, url: str) -> None:
    answers(page, account=MINE)
    page.goto(f"{url}/me#pass=abc")
    shown(page, "replace-account")


@scene("no account")
def no_account(page: Page, url: str) -> None:
    answers(page, account=NOBODY)
    page.goto(f"{url}/me")
    shown(page, "keep-games")


@scene("no friends without an account")
def no_friends(page: Page, url: str) -> None:
    answers(page, account=NOBODY)
    page.goto(f"{url}/me/friends")
    page.locator("a.primary").wait_for()


@scene("friends", {"[data-testid=friend] small": ["friends.online.*", "friends.offline", "friends.waiting"]})
def friends(page: Page, url: str) -> None:
    people = [
        {"id": "f1", "name": ACCOUNT, "mutual": True, "online": "playing"},
        {"id": "f2", "name": ACCOUNT, "mutual": False, "online": None},
    ]
    answers(
        page,
        account=MINE,
        friends={
            "friends": people,
            "asking": [{"id": "q", "name": ACCOUNT}],
            "invitations": [{"id": "i", "name": ACCOUNT, "room": "BEAR4821", "at_us": now_us()}],
        },
    )
    answer(page, "players/a1", profile())
    page.goto(f"{url}/me/friends")
    shown(page, "friend", "asking", "past-table", "met")


@scene("no friends yet")
def none_yet(page: Page, url: str) -> None:
    answers(page, account=MINE, friends={"friends": [], "asking": [], "invitations": []})
    answer(page, "players/a1", {**profile(), "names": {}})
    page.goto(f"{url}/me/friends")
    shown(page, "no-friend")


@scene("a profile")
def a_profile(page: Page, url: str) -> None:
    settings(page, account=True)
    answers(page, account={**MINE, "account": {**OWN, "id": "me"}})
    answer(page, "players/a1", profile())
    page.goto(f"{url}/players/a1")
    shown(page, "add-friend", "distribution", "rating-chart")


@scene("a profile without games")
def empty_profile(page: Page, url: str) -> None:
    empty = profile()
    empty["figures"].update(games=0, recent=[], rivals=[], times=[])
    answer(page, "players/a1", empty)
    page.goto(f"{url}/players/a1")
    shown(page, "no-games")


@scene("a profile without slaps and ratings")
def slow_profile(page: Page, url: str) -> None:
    empty = {**profile(), "ratings": []}
    empty["figures"].update(rivals=[], times=[], accuracy_percent=None)
    answer(page, "players/a1", empty)
    page.goto(f"{url}/players/a1")
    shown(page, "no-rating")


@scene("no such player")
def no_profile(page: Page, url: str) -> None:
    answer(page, "players/a1", {"code": "no_player", "problems": ["x"]}, 404)
    page.goto(f"{url}/players/a1")
    page.locator("[role=alert]").wait_for()


@scene("the leaderboard")
def leaderboard(page: Page, url: str) -> None:
    leader = {"id": "a1", "name": ACCOUNT, "points": 2345, "provisional": True, "games": 108}
    answer(
        page,
        "leaderboard",
        {
            "season": "2028-4",
            "rules": HOUSE,
            "seasons": ["2028-4", "2028-3"],
            "rated": [HOUSE],
            "players": [leader, {**leader, "id": "b"}],
        },
    )
    page.goto(f"{url}/players")
    shown(page, "leader")


@scene("an empty leaderboard")
def no_leaders(page: Page, url: str) -> None:
    answer(
        page,
        "leaderboard",
        {"season": "2028-4", "rules": HOUSE, "seasons": ["2028-4"], "rated": [HOUSE], "players": []},
    )
    page.goto(f"{url}/players")
    shown(page, "no-leader")
