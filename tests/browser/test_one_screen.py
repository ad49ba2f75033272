"""Several people before one screen: around a tablet with their fingers, or at one keyboard with their own keys."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from playwright.sync_api import Locator, Page, ViewportSize, expect

from ratscrew.game.events import Fouled, Taken
from ratscrew.table.record import Judged
from tests.browser.conftest import LAPTOP, PHONE, TABLET, OpenPage
from tests.browser.gathering import NAMES, UNHURRIED, held, post, react
from tests.browser.server import Server

pytestmark = pytest.mark.browser

SPEED = 2
QUIET_MS = 800
"""What has just been shown takes no tap for a moment."""

Sit: TypeAlias = Callable[..., tuple[Page, Server]]


@pytest.fixture
def sit(open_page: OpenPage, tmp_path: Path) -> Iterator[Sit]:
    """Opens the page for one screen with so many players chosen, who will have these hands."""
    with ExitStack() as stack:

        def prepare(
            form: str, *hands: str, view: ViewportSize = TABLET, players: int = 0, house: str = f"1;classic;{UNHURRIED}"
        ) -> tuple[Page, Server]:
            deal = tmp_path / "deal.txt"
            dealt = [f"hand {seat} {hand}" for seat, hand in enumerate(hands, 1)]
            deal.write_text("\n".join(["ratscrew 1", "house 1;classic", *dealt, "lead 1", ""]), encoding="utf-8")
            server = stack.enter_context(Server(tmp_path / "games.sqlite3", speed=SPEED, deal=deal))
            page = open_page(view, touch=view != LAPTOP)
            stack.callback(page.close)
            page.add_init_script(f"window.tableSpeed = {SPEED}")
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
    return page.url[-4:]


def pad(page: Page, player: int) -> Locator:
    """A player's side."""
    return page.get_by_test_id("pad").nth(player)


def shows(page: Page, n: int) -> None:
    """Every pile of the page shows card `n`."""
    for stage in page.get_by_test_id("stage").all():
        expect(stage).to_have_attribute("data-n", str(n), timeout=10_000)


def turn(page: Page, player: int, n: int) -> None:
    """A player turns card `n`."""
    pad(page, player).get_by_test_id("deck").tap()
    shows(page, n)


def touch(page: Page, *pads: Locator) -> None:
    """As many fingers as pads come down in one and the same event of the screen, and are lifted again."""
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


# Around a tablet


def test_three_fingers_that_come_down_in_one_event_are_three_slaps_and_one_wins(sit: Sit, open_page: OpenPage) -> None:
    page, server = sit("tablet", "9S 2C 4H", "9H 3H 5H", "7H KC")
    room = deal(page, 3)
    watcher = open_page(LAPTOP)
    watcher.goto(f"{server.url}/room/{room}")
    turn(page, 0, n=1)
    turn(page, 1, n=2)
    react(page)
    touch(page, *(pad(page, player).get_by_test_id("slap") for player in range(3)))
    expect(page.get_by_test_id("said").first).to_contain_text("Double!")
    expect(page.locator(".hand")).to_have_count(3)
    expect(page.get_by_test_id("stage")).not_to_have_attribute("data-top", "9H")
    counts = held(page)
    assert sum(counts) == 8
    expect(watcher.locator("[data-seat='0'][data-held]")).to_have_attribute("data-held", str(counts[0]))
    assert held(watcher) == counts
    watcher.close()
    page.close()
    (race,) = events(server, room, Judged)
    assert sorted(hit.seat for hit in race.order) == [0, 1, 2]
    assert {hit.page for hit in race.order} == {0}
    (taken,) = events(server, room, Taken)
    assert taken.seat == race.order[0].seat


def test_two_fingers_with_one_time_are_drawn_by_lot(sit: Sit) -> None:
    page, server = sit("tablet", "9S 2C 4H", "9H 3H 5H")
    room = deal(page, 2)
    turn(page, 0, n=1)
    turn(page, 1, n=2)
    react(page)
    touch(page, pad(page, 0).get_by_test_id("slap"), pad(page, 1).get_by_test_id("slap"))
    expect(page.get_by_test_id("said").first).to_contain_text("by lot")
    page.close()
    (race,) = events(server, room, Judged)
    first, second = race.order
    assert race.tie
    assert first.us == second.us


def test_a_palm_that_rests_on_its_pad_keeps_nobody_else_from_slapping(sit: Sit) -> None:
    page, _ = sit("tablet", "9S 2C 4H", "9H 3H 5H", "7H KC")
    deal(page, 3)
    box = pad(page, 2).get_by_test_id("slap").bounding_box()
    assert box
    browser = page.context.new_cdp_session(page)
    palm = {"x": box["x"] + 40, "y": box["y"] + 40, "id": 9}
    turn(page, 0, n=1)
    turn(page, 1, n=2)
    react(page)
    finger = pad(page, 1).get_by_test_id("slap").bounding_box()
    assert finger
    browser.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [palm]})
    page.wait_for_function("document.querySelectorAll('.pressed').length === 1")
    both = [palm, {"x": finger["x"] + 40, "y": finger["y"] + 40, "id": 1}]
    browser.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": both})
    expect(page.locator(".pressed")).to_have_count(2)
    browser.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(page.locator(".tag")).to_have_count(2)  # both hands were heard


@pytest.mark.parametrize("view", [TABLET, PHONE], ids=["tablet", "phone"])
def test_two_face_each_other_through_a_whole_game_and_another_and_nothing_else_is_fetched(
    sit: Sit, view: ViewportSize
) -> None:
    """Ana slaps the nines, her jack takes Ben's last card: she holds all five."""
    house = f"1;classic;slap_in=no;collect_delay_ms=1000;{UNHURRIED}"
    page, server = sit("tablet", "9S JC 4H", "9H 5C", view=view, house=house)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("websocket", lambda socket: asked.append(socket.url.replace("ws:", "http:")))
    deal(page, 2)
    turn(page, 0, n=1)
    turn(page, 1, n=2)
    faces = page.locator("[data-card='9H']")
    expect(faces).to_have_count(2)
    near, far, size = faces.first.bounding_box(), faces.last.bounding_box(), page.viewport_size
    assert near
    assert far
    assert size
    assert far["y"] + far["height"] < size["height"] / 2 < near["y"]
    assert near["x"] + near["width"] + far["x"] == pytest.approx(size["width"], abs=3)  # one is the other, turned
    react(page)
    pad(page, 0).get_by_test_id("slap").tap()
    expect(pad(page, 0)).to_have_attribute("data-held", "4")
    turn(page, 0, n=3)
    turn(page, 1, n=4)
    expect(page.get_by_test_id("winner")).to_have_text(["You win!", "Ana wins"])
    page.wait_for_timeout(QUIET_MS)
    pad(page, 1).get_by_test_id("again").tap()
    expect(page.get_by_test_id("winner")).to_have_count(0)
    shows(page, n=0)
    assert held(page) == [3, 2]
    assert asked
    assert all(url.startswith(f"{server.url}/") for url in asked)


def test_nines_and_sixes_have_a_line_below_them_on_all_four_sides(sit: Sit) -> None:
    page, _ = sit("tablet", "9S 2C", "6H 3H", "7H KC", "8C 4C")
    deal(page, 4)
    for player, (card, lines) in enumerate([("9S", 4), ("6H", 4), ("7H", 0)]):
        turn(page, player, n=player + 1)
        expect(page.locator(f"[data-card='{card}'] .ink rect")).to_have_count(lines)


def test_after_a_reload_all_sit_where_they_sat(sit: Sit) -> None:
    page, _ = sit("tablet", "9S 2C 4H", "8H 3H 5H", "7H KC")
    deal(page, 3)
    turn(page, 0, n=1)
    turn(page, 1, n=2)
    page.reload()
    expect(page.get_by_test_id("pad")).to_have_count(3)
    shows(page, n=2)
    assert held(page) == [2, 2, 2]
    turn(page, 2, n=3)
    turn(page, 0, n=4)


def test_a_friend_with_a_phone_joins_those_at_the_tablet(sit: Sit, open_page: OpenPage) -> None:
    page, server = sit("tablet", "9S 2C 4H", "8H 3H 5H", "7H KC", players=2)
    page.get_by_test_id("wait-for-friends").tap()
    room = page.get_by_test_id("code").inner_text()
    phone = open_page(PHONE, touch=True)
    joined = post(phone, f"{server.url}/api/rooms/{room}/seats", name=NAMES[2])
    phone.add_init_script(f"localStorage.setItem('ratscrew:seat:{room}', '{joined['token']}')")
    phone.goto(f"{server.url}/room/{room}")
    page.get_by_test_id("start").tap()
    expect(page.get_by_test_id("pad")).to_have_count(2)
    turn(page, 0, n=1)
    turn(page, 1, n=2)
    phone.get_by_test_id("deck").tap()
    shows(page, n=3)
    expect(page.locator("[data-of='2'] em")).to_have_text(["1", "1"])  # on either half of the tablet
    phone.close()


# At one keyboard


def test_four_play_with_keys_of_their_own_and_a_key_that_is_held_slaps_once(sit: Sit) -> None:
    page, server = sit("keys", "9S 2C 4H", "8H 3H 5H", "9D KC", "4S TS", view=LAPTOP)
    room = deal(page, 4)
    for n, key in enumerate(["KeyQ", "KeyP", "KeyV"], 1):
        page.keyboard.press(key)
        shows(page, n)
    react(page)
    for _ in range(3):
        page.keyboard.down("KeyL")  # Ben; what follows the first is the key repeating
    page.keyboard.up("KeyL")
    expect(page.get_by_test_id("said")).to_contain_text("Sandwich!")
    expect(pad(page, 1)).to_have_attribute("data-held", "5")
    shows(page, 3)
    page.keyboard.press("KeyP")
    shows(page, 4)
    react(page)
    page.keyboard.press("ArrowRight")  # Dan, and there is nothing to slap
    expect(pad(page, 3)).to_have_attribute("data-held", "1")
    page.close()
    (race,) = events(server, room, Judged)
    assert [hit.seat for hit in race.order] == [1]
    assert [foul.seat for foul in events(server, room, Fouled)] == [3]


def test_keys_can_be_tried_and_changed_and_nobody_gets_a_key_that_is_needed(sit: Sit) -> None:
    page, _ = sit("keys", "9S 2C 4H", "8H 3H 5H", view=LAPTOP)
    says, mine = page.get_by_test_id("key-says"), page.get_by_test_id("key-slap-0")
    mine.click()
    for key, why in {"Space": "needed elsewhere", "KeyL": "Ben slaps", "KeyQ": "Ana turns"}.items():
        page.keyboard.press(key)
        expect(says).to_contain_text(why)
    page.keyboard.press("KeyF")
    expect(mine).to_contain_text("F")
    expect(says).to_be_empty()
    lamps = [page.get_by_test_id(f"lamp-{player}") for player in (0, 1)]
    page.keyboard.down("KeyF")
    expect(lamps[0]).to_have_attribute("data-lit", "true")
    expect(page.get_by_test_id("key-test")).to_contain_text("stays dark")
    page.keyboard.down("KeyL")
    expect(lamps[1]).to_have_attribute("data-lit", "true")
    expect(page.get_by_test_id("key-test")).to_contain_text("All arrive")
    page.keyboard.up("KeyF")
    expect(lamps[0]).to_have_attribute("data-lit", "false")
    page.reload()
    choose(page, "form", "keys")
    expect(page.get_by_test_id("key-slap-0")).to_contain_text("F")
    deal(page, 2)
    expect(pad(page, 0).get_by_test_id("slap")).to_contain_text("F")
    page.keyboard.press("KeyQ")
    shows(page, 1)
    react(page)
    page.keyboard.press("KeyA")
    page.keyboard.press("KeyF")
    expect(pad(page, 0)).to_have_attribute("data-held", "1")  # F slaps, and wrongly; A does nothing any more
