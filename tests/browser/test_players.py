"""The pages of players: leaderboard, profiles and friends, on phone and laptop."""

from __future__ import annotations

import calendar
import time
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from ratscrew.accounts.played import AccountGame, put_played
from ratscrew.accounts.results import GameResult, RankedPlayer, put_result
from ratscrew.game.codec import Codec
from ratscrew.judge.suspicion import SlapTrace
from ratscrew.log.sqlite import SqliteLog
from ratscrew.table.record.entries import Entry
from tests.browser.axe import violations
from tests.browser.conftest import LAPTOP, PHONE, OpenPage
from tests.browser.gathering import post
from tests.browser.large import whole_when_large
from tests.browser.server import Server
from tests.browser.test_accounts import keep

pytestmark = pytest.mark.browser

ANAS = (310_000, 330_000, 350_000)
"""Ana's reactions in each game: their median is 330 ms. A fourth slap is at nothing, so three of four are good."""


def id_of(page: Page) -> str:
    """The id of a page's account."""
    return str(page.evaluate("fetch('/api/account').then(answer => answer.json())")["account"]["id"])


def store_games(file: Path, ana: str, ben: str, ends: list[bool], now_us: int | None = None) -> None:
    """Rated games of two players, one a minute until now; `ends` says which of them Ana won."""
    now_us = now_us or time.time_ns() // 1000
    slaps = (*(SlapTrace(us, "double") for us in ANAS), SlapTrace(400_000, None))
    with closing(SqliteLog(file, Codec[Entry](Entry))) as log:
        for number, won in enumerate(ends):
            game, end_us = f"BEAR4821-{number + 1:x}-1", now_us - (len(ends) - number) * 60_000_000
            ranks = {ana: int(not won), ben: int(won)}
            times = {"double": tuple(us // 1000 for us in ANAS)}
            places = tuple(RankedPlayer(each, seat, rank) for seat, (each, rank) in enumerate(ranks.items()))
            put_result(log, GameResult(game, end_us, "1;classic", places, (), times))
            for seat, (mine, other) in enumerate(((ana, ben), (ben, ana))):
                own = slaps if mine == ana else ()
                put_played(
                    log, mine, AccountGame(game, end_us, "1;classic", ranks[mine], 2, seat, {other: ranks[other]}, own)
                )


def reload_until(page: Page, what: Locator, count: int) -> None:
    """Reload a page until it shows so many of these: the server reads the games in the background."""
    deadline = time.monotonic() + 30
    while what.count() < count:
        assert time.monotonic() < deadline
        page.reload(wait_until="networkidle")


def test_games_lead_to_a_place_on_the_leaderboard_and_to_a_profile(open_page: OpenPage, tmp_path: Path) -> None:
    file = tmp_path / "games.sqlite3"
    with Server(file) as server:
        ana, ben = open_page(PHONE, touch=True, bypass_csp=True), open_page(LAPTOP, bypass_csp=True)
        names = keep(ana, server.url, "Ana"), keep(ben, server.url, "Ben")
        ids = id_of(ana), id_of(ben)
        server.stop()
        store_games(file, *ids, [True, False, True, True])
        server.start()
        for page in (ana, ben):
            page.goto(f"{server.url}/players", wait_until="networkidle")
            leaders = page.get_by_test_id("leader")
            reload_until(page, leaders, 2)
            assert [leader.get_by_role("link").inner_text() for leader in leaders.all()] == list(names)
            assert not violations(page)
            leaders.first.get_by_role("link").click()
            expect(page.get_by_role("heading", level=1)).to_have_text(names[0])
            assert page.url == f"{server.url}/players/{ids[0]}"
            figures = {
                of: page.locator(f"[data-of={of}]").inner_text() for of in ("games", "wins", "streak", "accuracy")
            }
            assert figures == {"games": "4", "wins": "3", "streak": "2", "accuracy": "75%"}
            expect(page.get_by_role("row").filter(has_text="Double")).to_contain_text("330 ms")
            expect(page.get_by_text("4 games together: ahead in 3, behind in 1")).to_be_visible()
            assert not violations(page)
        whole_when_large(ana)
        ana.go_back()
        ana.get_by_test_id("leader").first.wait_for()
        whole_when_large(ana)
        for page in (ana, ben):
            page.close()


def test_friends_add_each_other_see_who_is_online_and_meet_at_a_table(open_page: OpenPage, tmp_path: Path) -> None:
    with Server(tmp_path / "games.sqlite3") as server:
        ana, ben = open_page(PHONE, touch=True, bypass_csp=True), open_page(LAPTOP, bypass_csp=True)
        names = keep(ana, server.url, "Ana"), keep(ben, server.url, "Ben")
        ana.goto(f"{server.url}/players/{id_of(ben)}")
        ana.get_by_test_id("add-friend").click()
        expect(ana.get_by_test_id("friend")).to_contain_text(names[1])
        expect(ana.get_by_test_id("invite")).to_have_count(0)  # he has not added her
        ben.goto(f"{server.url}/me/friends")
        expect(ben.get_by_test_id("asking")).to_contain_text(names[0])
        ben.get_by_test_id("add-friend").click()
        expect(ben.get_by_test_id("friend")).to_contain_text("online")
        assert not violations(ben)
        whole_when_large(ben)
        ben.get_by_test_id("invite").click()
        ben.wait_for_url("**/room/*")
        ana.goto(f"{server.url}/me/friends")
        ana.get_by_test_id("accept").click()
        ana.wait_for_url(ben.url)
        ben.goto(server.url)  # and the other way round: she has a table open, and invites him there
        ana.goto(server.url)
        room = post(ana, f"{server.url}/api/rooms", name="Ana", bots=0, wait=True)["room"]
        ana.add_init_script(f"localStorage['ratscrew:seat:{room}'] ??= '0@' + Date.now()")
        ana.goto(f"{server.url}/room/{room}")
        expect(ana.get_by_test_id("friend")).to_contain_text(names[1])
        ana.get_by_test_id("invite-friend").click()
        expect(ana.get_by_test_id("invite-friend")).to_have_text("Invited")
        assert not violations(ana)
        ben.goto(f"{server.url}/me/friends")
        ben.get_by_test_id("accept").click()
        ben.wait_for_url(f"**/room/{room}")
        for page in (ana, ben):
            page.close()


def test_the_players_of_a_game_meet_at_the_same_table_again_and_a_friend_is_removed(
    open_page: OpenPage, tmp_path: Path
) -> None:
    with Server(file := tmp_path / "games.sqlite3") as server:
        ana, ben = open_page(PHONE, touch=True), open_page(LAPTOP)
        names = keep(ana, server.url, "Ana"), keep(ben, server.url, "Ben")
        ids = id_of(ana), id_of(ben)
        server.stop()
        store_games(file, *ids, [True])
        server.start()
        ana.goto(f"{server.url}/me/friends")
        again = ana.get_by_test_id("past-table")
        reload_until(ana, again, 1)
        expect(again).to_contain_text(names[1])
        again.get_by_test_id("same-table").click()
        ana.wait_for_url("**/room/*")
        ben.goto(f"{server.url}/me/friends")
        ben.get_by_test_id("accept").click()
        ben.wait_for_url(ana.url)
        for page, other in ((ana, 1), (ben, 0)):
            page.goto(f"{server.url}/players/{ids[other]}")
            page.get_by_test_id("add-friend").click()
            page.goto(f"{server.url}/me/friends")
            expect(page.get_by_test_id("friend")).to_contain_text(names[other])
        ben.get_by_test_id("remove-friend").click()
        expect(ben.get_by_test_id("no-friend")).to_be_visible()
        for page in (ana, ben):
            page.close()


def test_a_past_season_is_chosen_on_the_leaderboard(open_page: OpenPage, tmp_path: Path) -> None:
    """The games of last year's first season are archived when the server starts; this season has none."""
    year = time.gmtime().tm_year - 1
    with Server(file := tmp_path / "games.sqlite3") as server:
        pages = open_page(PHONE, touch=True), open_page(LAPTOP)
        names = [keep(page, server.url, name) for page, name in zip(pages, ("Ana", "Ben"), strict=True)]
        ana, ben = (id_of(page) for page in pages)
        server.stop()
        store_games(file, ana, ben, [True, True], calendar.timegm((year, 2, 1, 0, 0, 0)) * 1_000_000)
        server.start()
        for page in pages:
            page.goto(f"{server.url}/players")
            expect(page.get_by_test_id("no-leader")).to_be_visible()
            past = page.get_by_test_id("choose-season").locator(f"option[value='{year}-1']")
            reload_until(page, past, 1)
            page.get_by_test_id("choose-season").select_option(f"{year}-1")
            expect(page.get_by_test_id("leader")).to_have_count(2)
            links = [leader.get_by_role("link").inner_text() for leader in page.get_by_test_id("leader").all()]
            assert links == names
            page.close()
