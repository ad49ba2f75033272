"""Reports, bans and blocks are the same in SQLite and PostgreSQL, and each is bounded."""

from __future__ import annotations

import pytest

from ratscrew.accounts import blocks, reports
from ratscrew.accounts.bans import ADDRESS_MOST_US, Ban, Bans, hash_address, put_ban, read_bans, remove_ban, seat_name
from ratscrew.accounts.blocks import read_blocked, set_blocked
from ratscrew.accounts.reports import (
    KEEP_CLOSED_US,
    Report,
    close_report,
    delete_old_reports,
    file_report,
    read_reports,
)
from ratscrew.accounts.values import Values
from ratscrew.errors import Overloaded, Refusal, RulesError
from tests.community.test_stores import values as values

REPORT = Report(5, "WOLF-1-1", 40, 0, 1, "stalling", "waits for ever", "ana", "bo", "f00d")


def test_a_report_is_filed_once_for_each_game_and_closed_without_its_text(values: Values) -> None:
    file_report(values, REPORT)
    with pytest.raises(Refusal, match="already reported"):
        file_report(values, REPORT)
    file_report(values, Report(6, "WOLF-1-2", 9, 0, 1, "name"))
    assert [(each.game, each.text) for each in read_reports(values)] == [
        ("WOLF-1-1", "waits for ever"),
        ("WOLF-1-2", ""),
    ]
    close_report(values, REPORT, "warned", 100)
    assert [each.game for each in read_reports(values)] == ["WOLF-1-2"]
    (closed, _) = read_reports(values, closed=True)
    assert (closed.id, closed.text, closed.outcome) == (REPORT.id, "", "warned")
    with pytest.raises(Refusal):
        file_report(values, REPORT)
    delete_old_reports(values, 100 + KEEP_CLOSED_US)
    assert len(read_reports(values, closed=True)) == 2
    delete_old_reports(values, 101 + KEEP_CLOSED_US)
    assert [each.game for each in read_reports(values, closed=True)] == ["WOLF-1-2"]


def test_while_all_are_open_no_more_reports_are_stored_and_closed_ones_make_room(
    values: Values, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reports, "REPORTS_MOST", 3)
    first, second, third, new, newer = (Report(5, "WOLF-1-1", 40, 0, seat, "other") for seat in range(1, 6))
    for each in (first, second, third):
        file_report(values, each)
    with pytest.raises(Overloaded):
        file_report(values, new)
    close_report(values, second, "warned", 100)
    close_report(values, first, "nothing", 200)
    file_report(values, new)
    assert {each.reported for each in read_reports(values, closed=True)} == {1, 3, 4}  # the one closed first is gone
    file_report(values, newer)
    with pytest.raises(Overloaded):
        file_report(values, second)
    assert [each.reported for each in read_reports(values)] == [3, 4, 5]


def test_a_ban_applies_to_account_seat_and_browser_and_for_a_day_to_the_network(values: Values) -> None:
    address, seat = hash_address(b"secret", "203.0.113.7"), seat_name("WOLF-1f", 1)
    put_ban(values, Ban("0a0b0c0d", 0, 3 * ADDRESS_MOST_US, "stalling", "bo", address, seat))
    bans = Bans(read_bans(values))
    assert bans.of_player("bo", (), (), 1)
    assert bans.of_player(None, (seat,), (), 1)
    assert bans.of_player(None, (), ("0a0b0c0d",), 1)
    assert not bans.of_player("ana", (seat_name("WOLF-1f", 0), seat_name("WOLF-20", 1)), ("ffffffff",), 1)
    assert not bans.of_player("bo", (seat,), ("0a0b0c0d",), 3 * ADDRESS_MOST_US)
    assert bans.of_network(address, ADDRESS_MOST_US - 1)
    assert not bans.of_network(address, ADDRESS_MOST_US)
    assert not bans.of_network(hash_address(b"secret", "203.0.113.8"), 1)
    assert not bans.of_network(None, 1)
    (ban,) = read_bans(values)
    remove_ban(values, ban)
    assert read_bans(values) == []


def test_blocked_accounts_are_remembered_and_bounded(values: Values, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "BLOCKED_MOST", 2)
    for other in ("bo", "cy"):
        set_blocked(values, "ana", other, True, 1)
    with pytest.raises(RulesError, match="at most"):
        set_blocked(values, "ana", "di", True, 1)
    set_blocked(values, "ana", "bo", False, 2)
    assert read_blocked(values, "ana") == {"cy"}
    assert read_blocked(values, "bo") == frozenset()
