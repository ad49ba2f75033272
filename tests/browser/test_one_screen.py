"""Several people around one tablet, or two with a phone between them, with their fingers."""

from __future__ import annotations

import pytest
from playwright.sync_api import ViewportSize, expect

from ratscrew.game.events import Taken
from ratscrew.table.record.entries import Judged, Left
from tests.browser.conftest import LAPTOP, PHONE, TABLET, OpenPage
from tests.browser.gathering import NAMES, UNHURRIED, code_on, held, panel_ready, post, react, tap_away
from tests.browser.one_screen import Sit, choose, deal, events, pad, shows, sit, touch, turn

__all__ = ["sit"]

pytestmark = pytest.mark.browser


MOST_TAGS = """() => {
  window.mostTags = 0
  new MutationObserver(() => (window.mostTags = Math.max(window.mostTags, document.querySelectorAll('.tag').length)))
    .observe(document.querySelector('[data-testid=stage]'), { childList: true, subtree: true })
}"""
"""From now on, the most slaps that were seen at once: they are gone before a busy machine looks again."""


@pytest.mark.each_engine
def test_three_fingers_that_come_down_in_one_event_are_three_slaps_and_one_wins(sit: Sit, open_page: OpenPage) -> None:
    page, server = sit("tablet", "9S 2C 4H", "9H 3H 5H", "7H KC", speed=0.25)  # of three events one may be late
    room = deal(page, 3)
    watcher = open_page(LAPTOP)
    watcher.goto(f"{server.url}/room/{room}")
    watcher.get_by_test_id("just-watch").click()
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
    page, server = sit("tablet", "9S 2C 4H", "9H 3H 5H", speed=0.25)  # a busy machine may be late with one of them
    room = deal(page, 2)
    turn(page, 0, n=1)
    turn(page, 1, n=2)
    react(page)
    touch(page, pad(page, 0).get_by_test_id("slap"), pad(page, 1).get_by_test_id("slap"))
    expect(page.get_by_test_id("said").first).to_contain_text("at random")
    page.close()
    (race,) = events(server, room, Judged)
    first, second = race.order
    assert race.tie
    assert first.us == second.us


@pytest.mark.each_engine
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
    page.evaluate(MOST_TAGS)
    browser.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [palm]})
    page.wait_for_function("() => document.querySelectorAll('.pressed').length === 1")
    both = [palm, {"x": finger["x"] + 40, "y": finger["y"] + 40, "id": 1}]
    browser.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": both})
    expect(page.locator(".pressed")).to_have_count(2)
    browser.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    page.wait_for_function("() => window.mostTags === 2")  # both slaps were received


@pytest.mark.each_engine
@pytest.mark.parametrize("view", [pytest.param(TABLET, id="tablet"), pytest.param(PHONE, id="phone")])
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
    panel_ready(page)
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


SLOW = 0.25
"""Players whose page is loaded again are away: at such a table their cards are turned for them after six seconds."""


def test_after_a_reload_all_sit_where_they_sat(sit: Sit) -> None:
    page, _ = sit("tablet", "9S 2C 4H", "8H 3H 5H", "7H KC", speed=SLOW)
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
    room = code_on(page)
    phone = open_page(PHONE, touch=True)
    joined = post(phone, f"{server.url}/api/rooms/{room}/seats", name=NAMES[2])
    phone.add_init_script(f"localStorage.setItem('ratscrew:seat:{room}', '{joined['player_id']}')")
    phone.goto(f"{server.url}/room/{room}")
    page.get_by_test_id("start").tap()
    expect(page.get_by_test_id("pad")).to_have_count(2)
    turn(page, 0, n=1)
    turn(page, 1, n=2)
    expect(phone.locator("[data-turn=true]").first).to_be_visible()  # the phone may show the card later than the tablet
    phone.get_by_test_id("deck").tap()
    shows(page, n=3)
    expect(page.locator("[data-of='2'] em")).to_have_text(["1", "1"])  # on either half of the tablet
    phone.get_by_test_id("say").tap()
    phone.get_by_test_id("sign-wow").tap()
    for half in page.get_by_test_id("half").all():
        expect(half.locator("[data-of='2']").get_by_test_id("bubble")).to_have_attribute("data-what", "wow")
    phone.close()


def test_each_bot_has_a_name_of_its_own(sit: Sit) -> None:
    """Seven of the twelve bots, at a table with four people."""
    page, _ = sit("tablet", *["2S 3H"] * 11, players=4, house=f"1;classic;max_players=0;{UNHURRIED}")
    choose(page, "bots", "7")
    deal(page, 4)
    expect(page.locator("[data-of] b")).to_have_count(7)
    assert len(set(page.locator("[data-of] b").all_inner_texts())) == 7


def test_house_rules_have_room_for_fewer_bots_and_the_choice_adapts(sit: Sit) -> None:
    page, _ = sit("tablet", "2S 3H", "2C 3D", "4S 5S", players=2, house=f"1;classic;max_players=3;{UNHURRIED}")
    offered = page.get_by_test_id("bots").locator("input")
    expect(offered).to_have_count(2)  # none or one
    choose(page, "bots", "1")
    deal(page, 2)
    expect(page.locator("[data-of='2']").first).to_be_visible()
    expect(page.locator("[data-of='3']")).to_have_count(0)


def test_a_house_with_too_few_chairs_says_so_before_a_room_is_opened(sit: Sit) -> None:
    page, server = sit("tablet", "2S 3H", "2C 3D", players=3, house=f"1;classic;max_players=2;{UNHURRIED}")
    page.get_by_test_id("deal").click()
    expect(page.get_by_role("alert")).to_have_text("These rules allow up to 2 players, bots included.")
    assert page.request.get(f"{server.url}/api/health").json()["rooms"] == 0


def test_a_player_who_leaves_takes_all_of_this_screen_along(sit: Sit) -> None:
    page, server = sit("tablet", "9S 2C 4H", "8H 3H 5H")
    room = deal(page, 2)
    page.get_by_test_id("menu").tap()
    tap_away(page.get_by_test_id("menu-leave"))
    tap_away(page.get_by_test_id("leave-for-good"))
    page.wait_for_url(f"{server.url}/")
    assert page.evaluate(f"localStorage.getItem('ratscrew:seat:{room}')") is None
    page.close()
    assert [event.seat for event in events(server, room, Left)] == [0, 1]
