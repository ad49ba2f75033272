"""Televisions, and one screen for several players, as scenes."""

from __future__ import annotations

import json

from playwright.sync_api import Page

from tests.browser.conftest import LAPTOP, PHONE, TABLET
from tests.browser.gathering import UNHURRIED, post
from tests.browser.scenes import NAME, OTHERS, scene, shown
from tests.browser.seat_scenes import BLOCKED, PLAIN
from tests.browser.table_scenes import BANNER, DETAILS, HEADLINES
from tests.browser.tables import CARD, NORMAL, OVER, RACE, change, gather, happens, hit

# A television


@scene("a television before the game", {".come h1": ["tv.here", "tv.waiting"], ".come p": ["tv.begin"]})
def tv_waiting(page: Page, url: str) -> None:
    room = gather(page, url, deal=False)
    page.goto(f"{url}/tv/{room}")
    shown(page, "waiting")
    change(page)


@scene("a television", {**BANNER, "[data-testid=first]": ["tv.first"]}, NORMAL)  # its text grows with the screen
def tv(page: Page, url: str) -> None:
    room = gather(page, url)
    page.goto(f"{url}/tv/{room}")
    shown(page, "stage")
    page.locator("[data-held]").first.wait_for()
    change(page, CARD, "w.seats[1].idle = true")
    happens(page, RACE)
    shown(page, "first")


@scene("a television after the game", {"[data-testid=winner] h1": ["end.won", "end.lost", "end.drawn"]})
def tv_over(page: Page, url: str) -> None:
    room = gather(page, url)
    page.goto(f"{url}/tv/{room}")
    page.locator("[data-held]").first.wait_for()
    change(page, CARD)
    happens(page, RACE)
    change(page, *OVER)
    shown(page, "winner")


# One screen for all

SHARED = ("280 px", "1180 px", "1280 px", "1280 px, spaced")
"""Tablets and laptops, and a window that is too small. On a phone, and with text twice as large, the sides of the
players have no room for the longest names and texts; test_every_shape looks at what can be pressed there."""


@scene("the set-up for one screen", {"[role=alert]": ["together.twice", "together.tooMany"]})
def together_setup(page: Page, url: str) -> None:
    page.goto(f"{url}/together")
    page.get_by_test_id("form").locator("input[value='tablet']").check()
    page.get_by_test_id("player-0").fill(NAME)
    page.get_by_test_id("player-1").fill(NAME)
    page.get_by_test_id("deal").click()
    page.locator("[role=alert]").wait_for()


@scene("a browser that stores nothing", {"[data-testid=stores-nothing]": ["storage.*"]})
def stores_nothing(page: Page, url: str) -> None:
    page.add_init_script("Object.defineProperty(window, 'localStorage', { get() { throw new Error('blocked') } })")
    page.goto(f"{url}/together")
    shown(page, "stores-nothing")


@scene("no games to keep in a browser that stores nothing")
def keeps_nothing(page: Page, url: str) -> None:
    page.add_init_script("Object.defineProperty(window, 'localStorage', { get() { throw new Error('blocked') } })")
    page.goto(f"{url}/me")
    shown(page, "not-kept")


@scene(
    "the keys of each player",
    {
        "[data-testid=key-says] b": ["together.keys.reserved", "together.keys.taken"],
        "[data-testid=key-test]": ["together.keys.all", "together.keys.some"],
    },
)
def keys(page: Page, url: str) -> None:
    page.goto(f"{url}/together")
    page.get_by_test_id("form").locator("input[value='keys']").check()
    page.get_by_test_id("player-0").fill(NAME)
    page.get_by_test_id("player-1").fill(OTHERS[0])
    page.get_by_test_id("key-turn-0").click()
    page.keyboard.press("KeyY")
    page.get_by_test_id("key-slap-0").click()
    page.keyboard.press("Enter")
    page.locator("[data-testid=key-says] b").wait_for()


@scene("a key to be pressed", {"[data-testid=key-says]": ["together.keys.waiting"]})
def key_pressed(page: Page, url: str) -> None:
    page.goto(f"{url}/together")
    page.get_by_test_id("form").locator("input[value='keys']").check()
    page.get_by_test_id("player-0").fill(NAME)
    page.get_by_test_id("key-turn-0").click()


def one_screen(page: Page, url: str, players: int, form: str) -> str:
    """Deal to players at this page, which is large enough for them; the room's code."""
    page.set_viewport_size(TABLET if form == "tablet" else LAPTOP)
    joined = post(page, f"{url}/api/rooms", name="Ana", bots=0, house=f"1;classic;{UNHURRIED}", wait=True)
    room, ids = str(joined["room"]), [joined["player_id"]]
    for name in ("Ben", "Cleo", "Dan")[: players - 1]:
        ids.append(post(page, f"{url}/api/rooms/{room}/seats", name=name)["player_id"])
    plan = json.dumps({"form": form, "bots": 0, "strength": "steady", "deal": True})
    page.add_init_script(
        f"try {{ localStorage['ratscrew:seat:{room}'] = '{'+'.join(map(str, ids))}'; "
        f"sessionStorage['ratscrew:together:{room}'] = JSON.stringify({plan}) }} catch {{}}"
    )
    page.goto(f"{url}/room/{room}")
    page.get_by_test_id("pad").nth(players - 1).wait_for()
    page.evaluate("table.still = true")
    return room


SAID = {
    "[data-testid=said]": [
        "together.pile",
        "together.challenge",
        "together.takes",
        "status.leads",
        "link.lost",
        "hint.missed.*",
        "hint.other",
        "hint.nothing",
        "hint.alone",
        "hint.dead",
    ],
    "[data-testid=slap] .word": [
        *BLOCKED["[data-testid=slap] .word"],
        *["refused.not_playing", "refused.no_game", "refused.slow_down", "refused.too_soon", "refusedInGame.*"],
    ],
    "[data-testid=deck] strong": ["together.due", "me.take", "me.turn"],
}


FEWER = {css: texts for css, texts in SAID.items() if ".word" not in css}
"""The pads of four players have no room yet for the longest reasons why a press has no effect."""


def at_one_screen(name: str, players: int, form: str, views: tuple[str, ...] = SHARED) -> None:
    """The table of players who share a screen."""

    @scene(name, SAID if players == 2 else FEWER, views)
    def table(page: Page, url: str) -> None:
        one_screen(page, url, players, form)
        change(page, CARD, "v.standing.turn = 0")

    @scene(f"{name}, without cards", {"[data-testid=deck] .note": BLOCKED[".mine .note"]}, views)
    def bare(page: Page, url: str) -> None:
        one_screen(page, url, players, form)
        change(page, CARD, "v.cards_held[0] = 0; v.seat_states[0].debt = 12")

    @scene(f"{name}, after the game", {"[data-testid=winner]": ["end.iWon", "end.won", "end.lost", "end.drawn"]}, views)
    def over(page: Page, url: str) -> None:
        one_screen(page, url, players, form)
        change(page, *OVER)
        shown(page, "winner")


at_one_screen("two at one screen", 2, "tablet")
at_one_screen("four at one screen", 4, "tablet")
at_one_screen("four at one keyboard", 4, "keys", ("280 px", "1180 px", "1280 px"))  # spaced text is wider than keys


@scene("a screen that is too small for its players", views=SHARED)
def too_small(page: Page, url: str) -> None:
    one_screen(page, url, 4, "tablet")
    page.set_viewport_size(PHONE)
    shown(page, "too-small")


@scene(
    "a headline at one screen",
    {"[data-testid=said] b": HEADLINES, "[data-testid=said] b + span": DETAILS},
    SHARED,
)
def one_screen_race(page: Page, url: str) -> None:
    one_screen(page, url, 2, "tablet")
    change(page, CARD)
    happens(page, {**RACE, "order": [hit(0, 1_400_000), hit(1, 1_409_000)]})
    page.locator("[data-testid=said] b + span").first.wait_for()


@scene("actions at one screen", {".deeds .plain": PLAIN}, SHARED)
def one_screen_deeds(page: Page, url: str) -> None:
    one_screen(page, url, 2, "tablet")
    change(page, CARD, "Object.assign(v.rules, { judge: 'honour', out_of_turn: 'aside' }); v.thief = 1")
    page.locator(".deeds .plain").first.wait_for()


@scene("the menu of one screen")
def one_screen_menu(page: Page, url: str) -> None:
    one_screen(page, url, 2, "tablet")
    page.get_by_test_id("menu").click()
    shown(page, "together-menu")
