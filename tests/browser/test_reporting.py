"""A player reports another at the table, and hides them: on phone, laptop and tablet."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from ratscrew.accounts.reports import read_reports
from ratscrew.game.codec import Codec
from ratscrew.log.sqlite import SqliteLog
from ratscrew.table.record.entries import Entry
from tests.browser.axe import violations
from tests.browser.gathering import UNHURRIED, Gather, gather, post, press, turn
from tests.browser.large import whole_when_large

__all__ = ("gather",)
pytestmark = pytest.mark.browser

HANDS = ("5H 9D 2C", "7C 3S TD", "6S 9H 4C")


def about(page: Page, seat: int) -> None:
    """Open what there is to do about another player, and the report of them."""
    page.locator(f"[data-testid=about][data-of='{seat}']").click()
    press(page, "report")


def test_a_report_reaches_the_operator_with_the_game_as_evidence(gather: Gather, tmp_path: Path) -> None:
    ana, ben, _ = gather(f"1;classic;{UNHURRIED}", *HANDS)
    turn(ana, 1)
    about(ben, 0)
    expect(ben.get_by_test_id("report-title")).to_contain_text("Ana")
    expect(ben.get_by_test_id("send-report")).to_be_disabled()
    assert not violations(ben)
    whole_when_large(ben)
    ben.get_by_test_id("reason-abuse").check()
    ben.get_by_test_id("report-text").fill("insults everyone")
    press(ben, "send-report")
    expect(ben.get_by_test_id("reported")).to_be_visible()
    with closing(SqliteLog(tmp_path / "games.sqlite3", Codec[Entry](Entry))) as log:
        (report,) = read_reports(log)
        assert (report.reporter, report.reported, report.reason, report.text) == (1, 0, "abuse", "insults everyone")
        assert (report.game, report.last) == (log.games()[-1], len(log.read(report.game)))


def test_a_hidden_player_has_neither_name_nor_signs(gather: Gather) -> None:
    ana, ben, cleo = gather(f"1;classic;{UNHURRIED}", *HANDS)
    about(ana, 1)
    press(ana, "block")
    for _ in range(2):
        expect(ana.locator("section[data-seat='1']")).to_contain_text("Hidden player")
        expect(ana.locator("section[data-seat='2']")).to_contain_text("Cleo")
        expect(ana.get_by_text("Ben", exact=True)).to_have_count(0)
        ana.reload()
    press(ben, "say")
    press(ben, "sign-laugh")
    bubble = "section[data-seat='1'] [data-testid=bubble]"
    expect(cleo.locator(bubble)).to_be_visible()
    expect(ana.locator(bubble)).to_have_count(0)
    expect(ben.locator("section[data-seat='0']")).to_contain_text("Ana")


def test_whom_my_account_has_blocked_is_hidden_at_each_of_its_devices(gather: Gather) -> None:
    ana, ben = gather(f"1;classic;{UNHURRIED}", *HANDS[:2])
    server, _, code = ana.url.rpartition("/room/")
    post(ana, f"{server}/api/account", name="Ana")
    post(ben, f"{server}/api/account", name="Ben")
    post(ben, f"{server}/api/rooms/{code}/account", player_ids=[1])
    post(ana, f"{server}/api/rooms/{code}/blocks", player_id=0, seat=1, on=True)  # as another device does
    ana.evaluate("localStorage.setItem('ratscrew:settings', JSON.stringify({ account: true }))")
    ana.reload()
    expect(ana.locator("section[data-seat='1']")).to_contain_text("Hidden player")
    assert not ana.evaluate("'ratscrew:hidden' in localStorage")
