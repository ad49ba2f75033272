"""Arenas, accounts, friends and profiles, as scenes."""

from __future__ import annotations

import time
from typing import Any

from playwright.sync_api import Page

from tests.browser.scenes import (
    ACCOUNT,
    APPEARANCE,
    HOUSE,
    MINE,
    NAME,
    NOBODY,
    OTHERS,
    OWN,
    answer,
    answers,
    now_us,
    profile,
    scene,
    settings,
    shown,
    store,
)

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
        answer(page, "rooms/BEAR4821/arena/ask", me)
        if me:
            store(page, **{"in-arena:BEAR4821": str(me["player"])})
        page.goto(f"{url}/arena/BEAR4821")
        shown(page, "arena-time", testid)


ASKING = {"player": 0, "rank": 1, "points": 108, "doubles": True, "room": None, "seat": None}
arena_scene("before it", "join-arena", 3599, 7000, None, 0)
arena_scene("waiting for it", "arena-me", 3599, 7000, ASKING)
arena_scene("waiting for a table", "arena-me", -1, 3599, ASKING)
for why in ("players", "tables", "slap_in", "games"):
    wait = {"why": why, "most_s": 3599, "watch": "HAWK2816" if why == "games" else None}
    arena_scene(f"waiting, {why}", "arena-wait", -1, 3599, {**ASKING, "wait": wait})
arena_scene("with a table", "to-table", -1, 3599, {**ASKING, "room": "WOLF4821"})
arena_scene("after it", "arena-me", -3600, -1, ASKING)
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


@scene("an account in a new browser")
def sign_in(page: Page, url: str) -> None:
    answers(page, account=NOBODY)
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
