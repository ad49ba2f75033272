"""People choose a house in a browser, read it, send it to each other, and gather to play it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import unquote

import pytest
from playwright.sync_api import Page, Route, expect

from ratscrew.game.events import Dealt
from ratscrew.rules.house import Rules
from ratscrew.rules.link import from_link
from ratscrew.rules.presets import house
from tests.browser.conftest import LAPTOP, PHONE, OpenPage
from tests.browser.gathering import code_on
from tests.browser.server import Server

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server: the tables of different tests do not meet."""
    with Server(tmp_path_factory.mktemp("games") / "games.sqlite3", speed=6) as running:
        yield running


def test_the_link_of_a_house_that_was_built_here_shows_the_same_sheet_elsewhere(
    open_page: OpenPage, server: Server
) -> None:
    builder = open_page(LAPTOP, permissions=["clipboard-read", "clipboard-write"])
    builder.goto(f"{server.url}/rules")
    switch(builder, "hoagie", on=True)
    switch(builder, "sandwich", on=False)
    switch(builder, "run", on=True)
    cards = builder.get_by_test_id("slap-run").get_by_role("spinbutton")
    cards.press("ControlOrMeta+A")  # Firefox's driver cannot select what a field for numbers has
    cards.press("5")
    cards.press("Enter")
    value(builder, "run_out", "challenger_takes")
    builder.get_by_test_id("option-jokers").get_by_role("button", name="more").click()
    expect(builder).to_have_url(re.compile(r"slaps\.run\.len=5"))
    expect(builder).to_have_url(re.compile(r"jokers=1"))
    builder.get_by_test_id("copy-house").click()
    expect(builder.get_by_test_id("copy-house")).to_have_text("Copied")
    link = builder.evaluate("navigator.clipboard.readText()")

    reader = open_page(PHONE, touch=True)
    reader.goto(link)
    expect(reader.get_by_test_id("shared-title")).to_be_in_viewport()
    expect(reader.get_by_test_id("differences")).to_be_in_viewport()
    expect(reader.get_by_test_id("play-house")).to_be_in_viewport(ratio=1)
    reader.get_by_test_id("edit-house").tap()
    expect(reader.get_by_test_id("switch-hoagie")).to_be_checked()
    expect(reader.get_by_test_id("switch-sandwich")).not_to_be_checked()
    assert sheet(reader) == sheet(builder)
    assert "Hoagie" in sheet(reader)
    assert "Sandwich: doesn't count" in reader.get_by_test_id("differences").inner_text()
    built = from_link(unquote(link.partition("?shared=")[2]))
    slaps = {"hoagie": True, "sandwich": False, "run": {"len": 5}}
    assert built == house("classic", jokers=1, run_out="challenger_takes", slaps=slaps)


def test_a_reloaded_page_has_the_house_that_was_being_made(open_page: OpenPage, server: Server) -> None:
    page = open_page(PHONE, touch=True)
    page.goto(f"{server.url}/rules#1;wiki")
    expect(page.get_by_test_id("preset-wiki")).to_have_attribute("aria-pressed", "true")
    switch(page, "double", on=False)
    expect(page).to_have_url(re.compile(r"slaps\.double=off"))
    page.reload()
    expect(page.get_by_test_id("switch-hoagie")).to_be_checked()
    expect(page.get_by_test_id("switch-double")).not_to_be_checked()


def test_what_does_not_go_together_is_explained_where_it_is_chosen(open_page: OpenPage, server: Server) -> None:
    page = open_page(LAPTOP, refused=True)
    page.goto(f"{server.url}/rules#1;classic")
    cheat, collect = page.get_by_test_id("option-cheat"), page.get_by_test_id("option-collect")
    cheat.locator("summary").click()
    expect(cheat.get_by_test_id("value-split")).to_be_disabled()
    expect(cheat.locator("label", has=page.get_by_test_id("value-split"))).to_contain_text("Needs Taking the pile")
    value(page, "collect", "manual")
    cheat.get_by_test_id("value-split").check()
    expect(page).to_have_url(re.compile(r"#1;classic;collect=manual;cheat=split$"))
    good = sheet(page)

    collect.get_by_test_id("value-auto").check()
    expect(cheat.get_by_test_id("problem")).to_contain_text("needs collect = 'manual'")
    expect(page.get_by_test_id("problems")).to_contain_text("cheat = 'split'")
    expect(page.get_by_test_id("play-house")).to_be_disabled()
    assert sheet(page) == good

    cheat.get_by_test_id("value-off").check()
    expect(page.get_by_test_id("problems")).to_have_count(0)
    expect(page.get_by_test_id("play-house")).to_be_enabled()
    expect(page).to_have_url(re.compile(r"#1;classic$"))


def test_an_answer_that_comes_late_does_not_undo_what_was_chosen_since(open_page: OpenPage, server: Server) -> None:
    page = open_page(LAPTOP)
    page.goto(f"{server.url}/rules#1;classic")
    held: list[Route] = []
    page.route("**/api/house", lambda route: route.continue_() if held else held.append(route))
    with page.expect_request("**/api/house"):
        switch(page, "hoagie", on=True)
    switch(page, "marriage", on=True)
    both = re.compile(r"slaps\.hoagie=true;slaps\.marriage=true$")
    expect(page).to_have_url(both)
    with page.expect_response("**/api/house"):
        held[0].continue_()
    page.evaluate("new Promise(requestAnimationFrame)")
    expect(page).to_have_url(both)
    assert "Marriage" in sheet(page)


def test_while_a_house_is_on_its_way_the_one_before_is_not_used_in_its_place(
    open_page: OpenPage, server: Server
) -> None:
    page = open_page(LAPTOP)
    page.goto(server.url)
    page.get_by_test_id("name").fill("Ana")
    page.get_by_test_id("friends").click()
    page.get_by_test_id("change-house").click()
    use = page.get_by_test_id("use-house")
    expect(use).to_be_enabled()
    held: list[Route] = []
    page.route("**/api/house**", lambda route: route.continue_() if held else held.append(route))
    with page.expect_request("**/api/house**"):
        page.get_by_test_id("preset-beggar").click()
    expect(use).to_be_disabled()
    held[0].continue_()
    use.click()
    expect(page.get_by_test_id("house-title")).to_have_text("Beggar")
    page.close()


def test_rules_for_two_leave_one_bot_and_the_game_begins(open_page: OpenPage, server: Server) -> None:
    page = open_page(LAPTOP)
    page.goto(server.url)
    page.get_by_test_id("name").fill("Ana")
    against = page.get_by_test_id("against")
    expect(against).to_contain_text(re.compile("[2-7] bots"))
    page.get_by_test_id("house").click()
    page.get_by_test_id("preset-beggar").click()
    expect(against).to_contain_text("1 bot")
    against.click()
    expect(page.get_by_test_id("bots").locator("input")).to_have_count(1)
    page.get_by_test_id("play").click()
    page.wait_for_url("**/room/*")
    assert played(server, page.url.rpartition("/")[2]) == house("beggar")
    page.close()


def test_a_text_that_is_no_house_is_explained(open_page: OpenPage, server: Server) -> None:
    page = open_page(PHONE, touch=True, refused=True)
    page.goto(f"{server.url}/rules#1;nowhere;turn_ms=5000")
    expect(page.get_by_test_id("problems")).to_contain_text("nowhere")
    expect(page.get_by_test_id("play-house")).to_be_disabled()
    page.get_by_test_id("preset-chaos").click()
    expect(page.get_by_test_id("problems")).to_have_count(0)
    expect(page).to_have_url(re.compile("#1;chaos$"))


@pytest.mark.each_engine
def test_fingers_are_counted_only_where_there_are_fingers(open_page: OpenPage, server: Server) -> None:
    for touch in (True, False):
        page = open_page(LAPTOP, touch=touch)
        page.goto(f"{server.url}/rules")
        page.get_by_test_id("option-tie").locator("summary").click()
        assert page.get_by_test_id("value-contact").is_enabled() is touch
        expect(page.locator("label", has=page.get_by_test_id("value-contact"))).to_contain_text("touch screens only")


@pytest.mark.each_engine
def test_every_preset_goes_through_the_page_unchanged(open_page: OpenPage, server: Server) -> None:
    page = open_page(LAPTOP)
    page.goto(f"{server.url}/rules#1;tournament")
    expect(page.get_by_test_id("preset-tournament")).to_have_attribute("aria-pressed", "true")
    presets = page.get_by_test_id("presets").get_by_role("button").all()
    assert len(presets) > 5
    for preset in presets:
        preset.click()
        expect(preset).to_have_attribute("aria-pressed", "true")
        address = page.url
        feints = page.get_by_test_id("option-feints").get_by_role("switch")
        feints.click()
        expect(page).to_have_url(re.compile("feints=(true|false)$"))
        feints.click()
        expect(page).to_have_url(address)


@pytest.mark.each_engine
def test_a_house_is_played_from_its_page(open_page: OpenPage, server: Server) -> None:
    page = open_page(LAPTOP)
    page.goto(f"{server.url}/rules#1;tournament")
    switch(page, "marriage", on=True)
    expect(page).to_have_url(re.compile(r"slaps\.marriage=true"))
    page.get_by_test_id("play-house").click()
    page.wait_for_url(re.compile(r"/room/[A-Z]{4}[0-9]{4,}$"))
    room = page.url.rpartition("/")[2]
    page.wait_for_selector("[data-n]")
    page.goto(server.url)
    expect(page.get_by_test_id("house")).to_contain_text("Tournament, 1 change")
    page.close()
    assert played(server, room) == house("tournament", slaps={"marriage": True})


def test_shared_rules_open_with_what_is_special_and_are_played_at_one_tap(open_page: OpenPage, server: Server) -> None:
    page = open_page(PHONE, touch=True)
    page.goto(f"{server.url}/rules?shared#1;beggar;turn_ms=5000")
    expect(page.get_by_test_id("shared-title")).to_have_text("Beggar, 1 change")
    page.get_by_test_id("play-house").tap()
    page.wait_for_url(re.compile(r"/room/[A-Z]{4}[0-9]{4,}$"))
    room = page.url.rpartition("/")[2]
    page.wait_for_selector("[data-n]")
    page.close()
    assert played(server, room) == house("beggar", turn_ms=5000)


def test_the_editor_keeps_the_preset_that_was_chosen(open_page: OpenPage, server: Server) -> None:
    page = open_page(LAPTOP)
    page.goto(f"{server.url}/rules#1;classic")
    for pattern in ("tens", "marriage", "top_bottom"):
        switch(page, pattern, on=True)
    expect(page.get_by_test_id("sheet-title")).to_have_text("Like Classic, with changes")
    expect(page.get_by_test_id("differences").locator("li")).to_have_count(3)


def test_a_player_who_chooses_nothing_plays_classic_at_one_tap(open_page: OpenPage, server: Server) -> None:
    page = open_page(PHONE, touch=True)
    page.goto(server.url)
    page.get_by_test_id("play").tap()
    page.wait_for_url(re.compile(r"/room/[A-Z]{4}[0-9]{4,}$"))
    room = page.url.rpartition("/")[2]
    page.wait_for_selector("[data-n]")
    page.close()
    assert played(server, room) == Rules()


def test_a_part_of_the_page_that_does_not_come_is_said_and_fetched_again(open_page: OpenPage, server: Server) -> None:
    page = open_page(PHONE, touch=True, offline=True)
    page.route("**/assets/RulesPage*.js", lambda route: route.abort("connectionfailed"))
    page.goto(f"{server.url}/rules#1;wiki")
    expect(page.get_by_role("alert")).to_contain_text("didn’t load")
    page.unroute("**/assets/RulesPage*.js")
    page.get_by_role("button", name="Try again").tap()
    expect(page.get_by_test_id("preset-wiki")).to_have_attribute("aria-pressed", "true")


def test_a_table_for_friends_says_how_many_are_best(open_page: OpenPage, server: Server) -> None:
    page = open_page(PHONE, touch=True)
    page.goto(server.url)
    page.get_by_test_id("friends").tap()
    expect(page.get_by_text("Best with four or more")).to_be_visible()


def test_friends_gather_choose_a_house_and_begin(open_page: OpenPage, server: Server) -> None:
    host, guest = open_page(LAPTOP), open_page(PHONE, touch=True)
    host.goto(server.url)
    host.get_by_test_id("name").fill("Ana")
    host.get_by_test_id("friends").click()
    code = code_on(host)
    expect(host.get_by_test_id("start")).to_be_disabled()

    guest.goto(f"{server.url}/room/{code}")
    guest.get_by_test_id("join-name").fill("Ben")
    guest.get_by_test_id("join-go").click()
    expect(guest.get_by_test_id("waiting-for")).to_contain_text("Ana")
    expect(host.get_by_test_id("waiting-seat")).to_have_count(2)

    host.get_by_test_id("change-house").click()
    host.get_by_test_id("preset-beggar").click()
    host.get_by_test_id("use-house").click()
    expect(host.get_by_test_id("house-title")).to_have_text("Beggar")
    expect(guest.get_by_test_id("house-title")).to_have_text("Beggar")

    host.get_by_test_id("start").click()
    for page in (host, guest):
        expect(page.get_by_test_id("waiting")).to_have_count(0)
        page.close()
    assert played(server, code) == house("beggar")


def switch(page: Page, pattern: str, on: bool) -> None:
    """Switch a pattern on or off."""
    control = page.get_by_test_id(f"switch-{pattern}")
    expect(control).to_be_checked(checked=not on)
    control.click()
    expect(control).to_be_checked(checked=on)


def value(page: Page, option: str, chosen: str) -> None:
    """Open an option and choose one of its values."""
    field = page.get_by_test_id(f"option-{option}")
    field.locator("summary").click()
    field.get_by_test_id(f"value-{chosen}").check()


def sheet(page: Page) -> str:
    """The rules of the house as they can be read."""
    return page.get_by_test_id("sheet").inner_text()


def played(server: Server, room: str) -> Rules:
    """The house of a room's latest game, from the log."""
    return next(entry.event.rules for entry in server.log_of(room) if isinstance(entry.event, Dealt))
