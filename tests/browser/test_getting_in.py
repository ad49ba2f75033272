"""How people come to a table and go from it, in real browsers: codes, links, QR codes, hands, hosts and strangers."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import LAPTOP, PHONE, TABLET, OpenPage
from tests.browser.gathering import UNHURRIED, Gather, code_on, gather, held, panel_ready, slap, stands, turn, until
from tests.browser.qr import decoded
from tests.browser.server import Server

__all__ = ["gather"]

pytestmark = pytest.mark.browser

SAME = "The server decides this; the page shows the answer with parts that other tests show on each engine."


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server, four times as fast as life: tables that are not open to strangers do not meet."""
    with Server(tmp_path_factory.mktemp("games") / "games.sqlite3", speed=4) as running:
        yield running


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[Server]:
    """Another one, without any table."""
    with Server(tmp_path / "games.sqlite3", speed=4) as running:
        yield running


def test_the_hand_that_one_chooses_is_the_hand_at_the_table(server: Server, open_page: OpenPage) -> None:
    ana = open_page(PHONE, touch=True)
    ana.goto(server.url)
    ana.get_by_test_id("hand").tap()
    ana.get_by_test_id("hue-3").check()
    ana.get_by_test_id("shape-wing").check()
    expect(ana.get_by_role("button", name="Your hand: Green, Wing. Change it")).to_be_visible()
    ana.reload()
    expect(ana.get_by_role("button", name="Your hand: Green, Wing. Change it")).to_be_visible()
    ana.get_by_test_id("friends").tap()
    expect(ana.get_by_test_id("waiting-seat").locator(".hue-3 [data-shape='wing']")).to_be_visible()


def test_a_friend_types_the_code_and_is_there(server: Server, open_page: OpenPage) -> None:
    ana, ben = open_page(LAPTOP), open_page(PHONE, touch=True)
    code = host(ana, server)
    ben.goto(server.url)
    field = ben.get_by_test_id("table-code")
    field.press_sequentially(code[:6].lower())
    expect(ben.get_by_test_id("table-code-go")).to_be_disabled()
    field.press_sequentially(code[6:])
    expect(field).to_have_value(f"{code[:4]} {code[4:]}")
    ben.get_by_test_id("table-code-go").tap()
    ben.wait_for_url(f"**/room/{code}")
    sit(ben, "Ben")
    expect(ben.get_by_test_id("waiting-for")).to_contain_text("Ana")
    expect(ana.get_by_test_id("waiting-seat")).to_have_count(2)


@pytest.mark.each_engine
def test_the_button_to_join_is_in_sight_and_does_not_move_under_the_finger(server: Server, open_page: OpenPage) -> None:
    """The choice of hands is fetched when it is opened; then its room is there at once."""
    ana, ben = open_page(LAPTOP), open_page(PHONE, touch=True)
    code = host(ana, server)
    late: list[Route] = []
    ben.route("**/assets/HandPicker*.js", lambda route: late.append(route))
    ben.goto(f"{server.url}/room/{code}")
    seat = ben.get_by_test_id("join-go")
    expect(seat).to_be_in_viewport(ratio=1)
    ben.wait_for_function("() => document.fonts.status === 'loaded'")
    assert not late
    with ben.expect_request("**/assets/HandPicker*.js"):
        ben.get_by_test_id("hand").tap()
    before = seat.bounding_box()
    late[0].continue_()
    ben.get_by_test_id("hand-picker").wait_for()
    after = seat.bounding_box()
    assert before
    assert after
    assert after["y"] == pytest.approx(before["y"], abs=1)


@pytest.mark.each_engine
def test_the_qr_code_leads_to_the_table(server: Server, open_page: OpenPage) -> None:
    ana = open_page(PHONE, touch=True)
    ana.goto(server.named_url)
    ana.get_by_test_id("friends").tap()
    assert decoded(ana) == f"{server.named_url}/room/{code_on(ana)}"


def test_a_link_that_works_on_this_device_only_has_no_qr_code(server: Server, open_page: OpenPage) -> None:
    ana = open_page(PHONE, touch=True)
    host(ana, server)
    expect(ana.get_by_text("only works on this device")).to_be_visible()
    expect(ana.get_by_test_id("qr")).to_have_count(0)


def test_the_button_that_deals_is_in_sight_and_guests_hear_of_new_rules(server: Server, open_page: OpenPage) -> None:
    ana, ben = open_page(LAPTOP), open_page(PHONE, touch=True)
    code = host(ana, server)
    ben.goto(f"{server.url}/room/{code}")
    ben.get_by_test_id("join-name").fill("Ben")
    ben.get_by_test_id("join-go").tap()
    for seats in range(2, 5):  # each new seat moves the buttons
        expect(ana.get_by_test_id("waiting-seat")).to_have_count(seats)
        ana.get_by_test_id("bot-steady").click()
    expect(ana.get_by_test_id("waiting-seat")).to_have_count(5)
    expect(ana.get_by_test_id("start")).to_be_in_viewport(ratio=1)
    expect(ben.get_by_test_id("rules-changed")).to_have_count(0)
    ana.get_by_test_id("change-house").click()
    ana.get_by_test_id("preset-wiki").click()
    ana.get_by_test_id("use-house").click()
    expect(ben.get_by_test_id("rules-changed")).to_have_text("New rules: Sandwich Shop")
    expect(ana.get_by_test_id("house-title")).to_have_text("Sandwich Shop")
    expect(ana.get_by_test_id("rules-changed")).to_have_count(0)


@pytest.mark.one_engine(SAME)
def test_the_host_adds_and_removes_bots(server: Server, open_page: OpenPage) -> None:
    ana = open_page(PHONE, touch=True)
    host(ana, server)
    expect(ana.get_by_test_id("start")).to_be_disabled()
    ana.get_by_test_id("bot-sharp").tap()
    seats = ana.get_by_test_id("waiting-seat")
    expect(seats).to_have_count(2)
    expect(seats.nth(1)).to_contain_text("Sharp")
    ana.get_by_test_id("bot-gentle").tap()
    expect(seats).to_have_count(3)
    ana.get_by_test_id("remove-1").tap()
    expect(seats).to_have_count(2)
    expect(seats.nth(1)).to_contain_text("Gentle")
    ana.get_by_test_id("start").tap()
    until(ana, "[data-phase=play]")
    assert len(held(ana)) == 2


@pytest.mark.one_engine(SAME)
def test_a_removed_player_cannot_come_back_before_the_host_says_so(server: Server, open_page: OpenPage) -> None:
    ana, ben = open_page(LAPTOP), open_page(PHONE, touch=True)
    code = host(ana, server)
    ben.goto(f"{server.url}/room/{code}")
    sit(ben, "Ben")
    ana.get_by_test_id("about-1").click()
    expect(ana.get_by_test_id("waiting-seat")).to_have_count(2)  # people go only when that was meant
    ana.get_by_test_id("remove-yes").click()
    expect(ana.get_by_test_id("waiting-seat")).to_have_count(1)
    expect(ben.get_by_test_id("bye-removed")).to_be_visible()
    panel_ready(ben)
    ben.reload()
    expect(ben.get_by_test_id("bye-removed")).to_be_visible()  # neither to play nor to watch
    ana.get_by_test_id("readmit").click()
    expect(ana.get_by_test_id("readmit")).to_have_count(0)
    ben.reload()
    sit(ben, "Ben")
    expect(ana.get_by_test_id("waiting-seat")).to_have_count(2)


@pytest.mark.one_engine(SAME)
def test_nobody_new_joins_a_locked_table_and_who_has_a_seat_comes_back(server: Server, open_page: OpenPage) -> None:
    ana, ben, cleo = open_page(LAPTOP), open_page(PHONE, touch=True), open_page(PHONE, touch=True)
    code = host(ana, server)
    ben.goto(f"{server.url}/room/{code}")
    sit(ben, "Ben")
    cleo.goto(f"{server.url}/room/{code}")
    cleo.get_by_test_id("join-name").fill("Cleo")
    ana.get_by_test_id("locked").click()
    expect(ben.get_by_test_id("locked-note")).to_be_visible()
    expect(cleo.get_by_test_id("locked-note")).to_be_visible()
    expect(cleo.get_by_test_id("join")).to_have_count(0)
    ben.reload()
    expect(ben.get_by_test_id("waiting-for")).to_contain_text("Ana")
    ana.get_by_test_id("locked").click()
    sit(cleo, "Cleo")
    expect(ana.get_by_test_id("waiting-seat")).to_have_count(3)


@pytest.mark.one_engine(SAME)
def test_where_the_hosts_phone_dies_another_player_deals_and_the_host_comes_back_as_host(
    server: Server, open_page: OpenPage
) -> None:
    ana, ben, cleo = open_page(PHONE, touch=True), open_page(LAPTOP), open_page(TABLET, touch=True)
    code = host(ana, server)
    for page, name in ((ben, "Ben"), (cleo, "Cleo")):
        page.goto(f"{server.url}/room/{code}")
        sit(page, name)
    expect(cleo.get_by_test_id("waiting-for")).to_have_text("Waiting for Ana to deal")
    ana.goto("about:blank")
    expect(ben.get_by_test_id("host-away")).to_contain_text(re.compile(r"Ana is away\. .* in \d+ s, you can deal\."))
    expect(cleo.get_by_test_id("host-away")).to_contain_text(re.compile(r"Ana is away\. .* in \d+ s, Ben can deal\."))
    expect(ben.get_by_test_id("start")).to_be_visible()
    expect(cleo.get_by_test_id("waiting-for")).to_have_text("Waiting for Ben to deal")
    ana.go_back()
    expect(ana.get_by_test_id("start")).to_be_visible()
    expect(ben.get_by_test_id("waiting-for")).to_have_text("Waiting for Ana to deal")
    ana.goto("about:blank")
    ben.get_by_test_id("start").click()
    for page in (ben, cleo):
        expect(page.get_by_test_id("stage")).to_be_visible()


@pytest.mark.one_engine(SAME)
def test_players_begin_without_a_host_who_is_here_and_does_nothing_unless_somebody_asks_to_wait(
    server: Server, open_page: OpenPage
) -> None:
    ana, ben = open_page(PHONE, touch=True), open_page(LAPTOP)
    code = host(ana, server)
    ben.goto(f"{server.url}/room/{code}")
    sit(ben, "Ben")
    begin = ben.get_by_test_id("begin-anyway")
    expect(begin).to_have_text("Don’t wait for Ana")
    begin.click()
    for page in (ana, ben):
        expect(page.get_by_test_id("rematch")).to_contain_text(re.compile(r"Ben\s*✓ Ready.*Dealing in \d+ s", re.S))
    expect(begin).to_have_count(0)
    ana.get_by_test_id("hold").tap()
    expect(ben.get_by_test_id("hold")).to_have_count(0)
    expect(ana.get_by_test_id("start")).to_be_visible()
    begin.click()
    for page in (ana, ben):
        expect(page.get_by_test_id("stage")).to_be_visible(timeout=20_000)


def test_where_the_host_leaves_the_next_one_is_host(server: Server, open_page: OpenPage) -> None:
    ana, ben = open_page(LAPTOP), open_page(PHONE, touch=True)
    code = host(ana, server)
    ben.goto(f"{server.url}/room/{code}")
    sit(ben, "Ben")
    expect(ben.get_by_test_id("waiting-for")).to_contain_text("Ana")
    ana.get_by_test_id("leave").click()
    expect(ana.get_by_test_id("play")).to_be_visible()
    expect(ben.get_by_test_id("start")).to_be_visible()
    expect(ben.get_by_test_id("waiting-seat")).to_have_count(1)


@pytest.mark.one_engine(SAME)
def test_a_stranger_finds_a_table_that_is_listed_and_no_other(empty: Server, open_page: OpenPage) -> None:
    ana, ben = open_page(LAPTOP), open_page(PHONE, touch=True)
    code = host(ana, empty)
    ben.goto(empty.url)
    ben.get_by_test_id("open-rooms").tap()
    expect(ben.get_by_test_id("open-none")).to_be_visible()
    ana.get_by_test_id("listed").click()
    expect(ana.get_by_test_id("listed")).to_be_checked()
    ben.get_by_role("button", name="Refresh").tap()
    expect(ben.get_by_test_id("open-room")).to_contain_text("Ana’s table")
    expect(ben.get_by_test_id("open-room")).to_contain_text("1 of 8 seats taken")
    ben.get_by_test_id("open-room").tap()
    ben.wait_for_url(f"**/room/{code}")
    expect(ben.get_by_test_id("join")).to_be_visible()


@pytest.mark.one_engine(SAME)
def test_two_strangers_meet_by_quick_play_and_need_not_wait_for_the_bots(open_page: OpenPage, tmp_path: Path) -> None:
    with Server(tmp_path / "games.sqlite3", speed=0.2) as server:  # the countdown runs for 40 seconds of life
        ana, ben = open_page(LAPTOP), open_page(PHONE, touch=True)
        for page, name in ((ana, "Ana"), (ben, "Ben")):
            page.goto(server.url)
            page.get_by_test_id("name").fill(name)
            page.get_by_test_id("quick").click()
            expect(page.get_by_test_id("filling")).to_be_visible()
        assert ana.url == ben.url
        expect(ana.get_by_test_id("start")).to_have_count(0)  # nobody is the host of a stranger
        ana.get_by_test_id("begin-now").click()
        expect(ben.get_by_test_id("begin-now")).to_contain_text("1/2")
        ben.get_by_test_id("begin-now").tap()
        for page in (ana, ben):
            stands(page, n=0, phase="play")
            page.close()


@pytest.mark.one_engine(SAME)
def test_nobody_else_comes_and_bots_take_the_empty_chairs(empty: Server, open_page: OpenPage) -> None:
    ana = open_page(PHONE, touch=True)
    ana.goto(empty.url)
    ana.get_by_test_id("quick").tap()
    expect(ana.get_by_test_id("filling")).to_be_visible()
    expect(ana.locator("[data-turn]")).to_be_visible()
    assert len(held(ana)) == 4


@pytest.mark.one_engine(SAME)
def test_a_name_that_is_taken_gets_a_number(server: Server, open_page: OpenPage) -> None:
    ana, other = open_page(LAPTOP), open_page(PHONE, touch=True, refused=True)
    code = host(ana, server)
    other.goto(f"{server.url}/room/{code}")
    sit(other, "ana")
    expect(other.get_by_test_id("join-problem")).to_contain_text("already has that name")
    other.get_by_test_id("join-other").tap()
    expect(ana.get_by_test_id("waiting-seat").nth(1)).to_contain_text("ana 2")


@pytest.mark.one_engine(SAME)
def test_a_full_table_can_be_watched(server: Server, open_page: OpenPage) -> None:
    ana, ben, cleo = open_page(LAPTOP), open_page(PHONE, touch=True), open_page(TABLET, touch=True)
    code = host(ana, server, house="1;classic;max_players=2")
    ben.goto(f"{server.url}/room/{code}")
    sit(ben, "Ben")
    ana.get_by_test_id("start").click()
    cleo.goto(f"{server.url}/room/{code}")
    expect(cleo.get_by_test_id("full")).to_contain_text("This table is full")
    expect(cleo.get_by_test_id("join-go")).to_have_count(0)
    cleo.get_by_test_id("just-watch").tap()
    expect(cleo.get_by_test_id("arrive")).to_have_count(0)
    expect(cleo.get_by_test_id("stage")).to_be_visible()


def test_a_newcomer_in_the_middle_of_a_game_reads_how_to_get_in(gather: Gather, open_page: OpenPage) -> None:
    ana, ben = gather(f"1;classic;{UNHURRIED}", "5H 8C", "5S 3C")
    dora = open_page(PHONE, touch=True)
    dora.goto(ana.url)
    expect(dora.get_by_test_id("happens")).to_contain_text("slap your way in")
    dora.get_by_test_id("just-watch").tap()
    turn(ana, n=1)
    stands(dora, n=1, phase="play")
    dora.get_by_test_id("sit").tap()
    sit(dora, "Dora")
    expect(dora.get_by_test_id("slap")).to_be_visible()
    turn(ben, n=2)
    slap(dora, n=2)
    expect(ana.get_by_test_id("banner")).to_contain_text("Dora takes 2 and is in the game")
    dora.close()


def test_a_newcomer_plays_from_the_next_game_on_where_nobody_can_slap_in(gather: Gather, open_page: OpenPage) -> None:
    ana, ben = gather(f"1;classic;late_join=no;stalemate=draw;collect_delay_ms=1000;{UNHURRIED}", "2H", "9C")
    dora = open_page(PHONE, touch=True)
    dora.goto(ana.url)
    expect(dora.get_by_test_id("happens")).to_contain_text("play in the next")
    turn(ana, n=1)
    turn(ben, n=2)
    expect(dora.get_by_test_id("happens")).to_contain_text("just ended")
    sit(dora, "Dora")
    expect(ana.get_by_test_id("winner")).to_be_visible()
    panel_ready(ana)
    ana.get_by_test_id("gather").tap()
    expect(ana.get_by_test_id("waiting-seat")).to_have_count(3)
    dora.close()


def test_leaving_asks_once_and_a_seat_that_is_kept_is_found_again(gather: Gather) -> None:
    ana, ben = gather("1;classic;turn_ms=600000", "5H 8C 2S", "9D 3C 5S")
    room = ana.url
    turn(ana, n=1)  # it is Ben's turn while Ana is away, so the table does not play for her, however long she takes
    home(ana)
    ana.get_by_test_id("stay").tap()
    expect(ana.get_by_test_id("leaving")).to_have_count(0)
    home(ana)
    ana.get_by_test_id("look-away").tap()
    expect(ana.get_by_test_id("play")).to_be_visible()
    ana.get_by_test_id("back-to-seat").tap()
    assert ana.url == room
    stands(ana, n=1, phase="play")
    assert held(ana) == [2, 3]
    turn(ben, n=2)
    stands(ana, n=2, phase="play")
    home(ana)
    ana.get_by_test_id("leave-for-good").tap()
    expect(ana.get_by_test_id("play")).to_be_visible()
    expect(ana.get_by_test_id("back-to-seat")).to_have_count(0)
    ana.goto(room)
    expect(ana.get_by_test_id("arrive")).to_be_visible()
    stands(ben, n=3, phase="play")  # the table plays for a player who has left
    assert held(ben) == [1, 2]


def host(page: Page, server: Server, house: str = "") -> str:
    """Ana opens a table for friends; the answer is its code."""
    if house:
        page.add_init_script(f"localStorage.setItem('ratscrew:settings', {json.dumps(json.dumps({'house': house}))})")
    page.goto(server.url)
    page.get_by_test_id("name").fill("Ana")
    page.get_by_test_id("friends").click()
    page.wait_for_url(re.compile(r"/room/[A-Z]{4}[0-9]{4,}$"))
    return code_on(page)


def sit(page: Page, name: str) -> None:
    """Enter a name and join."""
    page.get_by_test_id("join-name").fill(name)
    page.get_by_test_id("join-go").click()


def home(page: Page) -> None:
    """Press the game's name at the top, which asks whether to leave."""
    page.get_by_role("link", name="Ratscrew: home").click()
    page.get_by_test_id("leaving").wait_for()
