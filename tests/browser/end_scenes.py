"""The end of a game, its recap and its replay, as scenes."""

from __future__ import annotations

import time
from typing import Any

from playwright.sync_api import Page

from tests.browser.panel_scenes import REASONS
from tests.browser.scenes import APPEARANCE, HOUSE, NAME, OTHERS, press, scene, shown, store
from tests.browser.table_scenes import DETAILS, HEADLINES
from tests.browser.tables import OVER, PROOF, RACE, change, gather, hit, watch


def finished(view: dict[str, Any], slaps: bool = True) -> dict[str, Any]:
    """A game that is over, from the view after its deal: with every kind of slap, a comeback and a winner."""
    seats = [
        {"e": "sat", "seat": i, "name": name, "bot": None, "player_id": i, "appearance": APPEARANCE}
        for i, name in enumerate((NAME, *OTHERS))
    ]
    cards = ["9S", "9H", "5C", "QD", "9D"]
    events: list[tuple[dict[str, Any], dict[str, Any]]] = []

    def to(n: int, held: list[int], **more: Any) -> dict[str, Any]:
        return {**view, "n": n, "cards_held": held, "pile": [[card, "live"] for card in cards[:n]], **more}

    playing = {**view["standing"], "phase": "play", "turn": 0}
    over = {**playing, "phase": "over"}
    events.append(
        (
            {"e": "dealt_public", "rules": view["rules"], "cards_held": [2, 2, 2], "standing": playing, "pile": []},
            to(0, [2, 2, 2]),
        )
    )
    for n, seat in enumerate((0, 1, 2, 0), 1):
        held = [[1, 2, 2], [1, 1, 2], [1, 1, 1], [0, 1, 1]][n - 1]
        events.append(({"e": "played", "seat": seat, "card": cards[n - 1], "n": n, "standing": playing}, to(n, held)))
    after = to(4, [0, 1, 1])
    if slaps:
        events += [
            ({"e": "measured", "n": 3, "slap": hit(2, 1_500_000)}, after),
            ({"e": "slapped", "seats": [2], "under": False}, after),
            ({"e": "fouled", "seat": 2, "streak": 1}, after),
            ({**RACE, "n": 4, "order": [hit(0, 1_409_000, PROOF), hit(1, 1_409_100, PROOF)]}, after),
            ({"e": "slapped", "seats": [0, 1], "under": False}, after),
        ]
    reason = "slap:top_bottom" if slaps else "challenge"
    events.append(
        ({"e": "taken", "seat": 0, "count": 4, "reason": reason, "standing": playing}, to(4, [4, 1, 1], pile=[]))
    )
    events.append(({"e": "won", "seat": 0, "standing": over}, to(4, [6, 0, 0], pile=[], standing=over, end="won")))
    happened = [{"at_ms": i * 400_000, "e": event, "view": after} for i, (event, after) in enumerate(events)]
    return {
        "game": "WOLF4821-1-1",
        "house": HOUSE,
        "seats": seats,
        "events": happened,
        "openings": [{"v": 3, "pattern": "double"}],
        "seed": None,
    }


def game(page: Page, url: str, slaps: bool = True) -> dict[str, Any]:
    """Any finished game that this page asks for is this one."""
    gather(page, url)
    ended = finished(page.evaluate("table.welcome.view"), slaps)
    serve(page, ended)
    return ended


def serve(page: Page, ended: dict[str, Any]) -> None:
    """Any game that this page asks for is this one."""
    page.route(
        "**/api/games/*", lambda route: route.fulfill(json={**ended, "game": route.request.url.rpartition("/")[2]})
    )


AWARDS = {
    "[data-testid=improved] li": ["bests.fastest", "bests.biggest", "bests.longest"],
    "[data-testid=awards] li > span:last-child": ["awards.*"],
}


@scene("the end of a game", AWARDS)
def end(page: Page, url: str) -> None:
    store(
        page, bests={"fastest": 9_000_000, "biggest": 1, "games": 9, "won": 9, "streak": 9, "longest": 9, "game": "x"}
    )
    game(page, url)
    room = page.url.rpartition("/")[2]
    page.evaluate(
        "([room, day]) => localStorage.setItem('ratscrew:daily', JSON.stringify({ day, room, result: null }))",
        [room, time.strftime("%Y-%m-%d")],
    )
    change(page, *OVER)
    shown(page, "winner", "improved", "daily-result", "series")


@scene("a player who wants another game", {"[data-testid=rematch] span": ["rematch.ready", "rematch.deciding"]})
def rematch(page: Page, url: str) -> None:
    game(page, url)
    change(page, *OVER, "w.ready = [0, 1]; w.clock = { t: 'clock', seat: 0, awaited: 'again', left_ms: 3_599_000 }")
    shown(page, "rematch", "hold")


@scene(
    "the end for a watcher of a draw",
    {"[role=dialog] [data-testid=winner] ~ p": ["outcome.drawnWhy.*", "outcome.mostCards"]},
)
def drawn(page: Page, url: str) -> None:
    watch(page, url)
    serve(page, finished(page.evaluate("table.welcome.view")))
    change(page, *OVER, "v.end = 'drawn'")
    shown(page, "winner")


@scene(
    "a table that is closed",
    {
        "[data-testid=closed]": ["{outcome.closed} {outcome.borrowed}"],
        "[role=dialog] [data-testid=winner] ~ p": ["outcome.iLost", "outcome.lostBy"],
    },
)
def closed(page: Page, url: str) -> None:
    game(page, url)
    change(page, *OVER, "v.end = 'lost'; w.closed_ms = Date.now() + 36e5")
    shown(page, "closed", "lift")


@scene("a table that is closed, for a guest")
def closed_guest(page: Page, url: str) -> None:
    game(page, url)
    change(page, *OVER, "v.end = 'lost'; w.closed_ms = Date.now() + 36e5; w.host = 1")
    shown(page, "closed")


@scene("a table that was opened again")
def lifted(page: Page, url: str) -> None:
    game(page, url)
    change(page, *OVER, "v.end = 'lost'; v.rules.triple_six_ban = true")
    shown(page, "lifted")


@scene("a win over an opponent of the ladder")
def ladder_won(page: Page, url: str) -> None:
    game(page, url)
    change(page, *OVER, "w.seats.length = 2; w.seats[1].bot = 'sekhmet'")
    shown(page, "next-opponent")


@scene("the end of a game of an arena")
def end_in_an_arena(page: Page, url: str) -> None:
    game(page, url)
    room = page.url.rpartition("/")[2]
    page.evaluate("room => (sessionStorage[`ratscrew:arena:${room}`] = 'BEAR4821')", room)
    change(page, *OVER)
    shown(page, "back-to-arena")


@scene("between two games")
def between(page: Page, url: str) -> None:
    game(page, url)
    change(page, *OVER)
    press(page, "gather", "back-to-result")
    shown(page, "deal-again")


# Recap and replay

STORY = {
    "[data-testid=length]": ["after.length"],
    "[data-testid=biggest]": ["after.biggest.slapped", "after.biggest.taken"],
    "[data-testid=decided]": ["after.decided.first", "after.decided.own", "after.decided.other"],
    "[data-testid=comebacks]": ["after.comeback.once", "after.comeback.often"],
}


def recap_page(page: Page, url: str, slaps: bool = True) -> None:
    """Open the recap of the finished game."""
    game(page, url, slaps)
    page.goto(f"{url}/game/WOLF4821-1-1")
    shown(page, "story")


@scene("a recap", {**STORY, "[data-testid=copy-text] span": ["after.keep.copied"]})
def recap(page: Page, url: str) -> None:
    game(page, url)
    room = page.url.rpartition("/")[2]
    seat = page.evaluate("room => localStorage[`ratscrew:seat:${room}`]", room)
    store(page, **{f"seat:{room}": f"{seat}@{time.time_ns() // 1_000_000}"})
    page.goto(f"{url}/game/WOLF4821-1-1")
    page.locator("[data-testid=story] details summary").click()
    shown(page, "comebacks", "every-slap", "table-watch")


@scene("a slap in a recap", {".told b": ["after.times.one"]})
def recap_slap(page: Page, url: str) -> None:
    recap_page(page, url)
    box = page.get_by_test_id("times").get_by_test_id("mark").first.bounding_box()
    assert box
    page.get_by_test_id("times").dispatch_event("pointerdown", {"clientX": box["x"] + 5, "clientY": box["y"] + 5})
    page.locator(".told b").wait_for()


@scene("a recap without slaps")
def recap_calm(page: Page, url: str) -> None:
    recap_page(page, url, slaps=False)


SHUFFLE = {
    "[data-testid=shuffle-verdict]": [
        "after.shuffle.fair",
        "after.shuffle.unfair",
        "after.shuffle.laid_out",
        "after.shuffle.uncommitted",
    ],
    "[data-testid=shuffle] ul": [
        f"after.shuffle.{what}.{holds}"
        for what in ("promise", "mine", "commitment", "dealer", "deck")
        for holds in ("yes", "no", "none")
        if what not in ("commitment", "dealer", "deck") or holds != "none"
    ],
}


@scene("a check of a shuffle", SHUFFLE)
def shuffle(page: Page, url: str) -> None:
    ended = game(page, url)
    dealt = ended["events"][0]
    committed = {"e": "committed", "promise": "x", "commitment": "x", "nonces": []}
    ended["events"].insert(0, {**dealt, "e": committed})
    page.goto(f"{url}/game/WOLF4821-1-1")
    press(page, "check-shuffle", "shuffle-verdict")


@scene("a game that is not there", {"[data-testid=gone] p": ["after.gone.*"]})
def gone(page: Page, url: str) -> None:
    page.goto(f"{url}/game/WOLF4821-1-1")
    shown(page, "gone")


CAPTIONS = {
    "[data-testid=caption] b": [
        "replay.dealt",
        "replay.turns",
        "say.pattern",
        "say.wrong",
        "say.takes",
        "notice.claims",
        "say.contests",
        *HEADLINES,
    ],
    "[data-testid=caption] b + span": ["replay.hand", "replay.wrongHand", *DETAILS],
}


def replay_page(page: Page, url: str, at: int) -> None:
    """Open the replay of the finished game after so many events."""
    game(page, url)
    page.goto(f"{url}/replay/WOLF4821-1-1#{at}")
    shown(page, "caption")


@scene("a replay", CAPTIONS)
def replay(page: Page, url: str) -> None:
    replay_page(page, url, 9)
    shown(page, "how")


@scene("a race of a replay", REASONS)
def replay_race(page: Page, url: str) -> None:
    replay_page(page, url, 9)
    press(page, "how", "race-title")


@scene("a moment to share")
def replay_share(page: Page, url: str) -> None:
    replay_page(page, url, 3)
    press(page, "keep", "keep-title")


@scene("a game that goes on")
def play_on(page: Page, url: str) -> None:
    replay_page(page, url, 3)
    press(page, "play-on", "play-on-title")
