"""Seasons end: their standings are archived once, from the results, and a deleted account is in none of them."""

from __future__ import annotations

from ratscrew.accounts.accounts import Account
from ratscrew.accounts.export import exported, read_stored
from ratscrew.accounts.past_seasons import archive_seasons, archived_standings, read_archive
from ratscrew.accounts.results import GameResult, RankedPlayer, put_result, season_of, seasons
from ratscrew.log.memory import MemoryLog
from ratscrew.table.record.entries import Entry
from ratscrew.web.access.account_erasure import delete_games_of
from tests.community.rated_games import NOVEMBER_US

CLASSIC = "1;classic"
SUMMER_US = NOVEMBER_US - 120 * 24 * 3600 * 1_000_000
"""120 days earlier: in July."""


def store(log: MemoryLog[Entry], number: int, end_us: int, *accounts: str) -> None:
    """Store a game that the accounts finish in this order."""
    places = tuple(RankedPlayer(account, seat, seat) for seat, account in enumerate(accounts))
    put_result(log, GameResult(f"G-{number}", end_us + number, CLASSIC, places))


def two_seasons() -> MemoryLog[Entry]:
    """Ana beats Ben twice in summer, and Ben beats Ana in autumn."""
    log = MemoryLog[Entry]()
    for number in (1, 2):
        store(log, number, SUMMER_US, "ana", "ben")
    store(log, 3, NOVEMBER_US, "ben", "ana")
    return log


def test_a_season_is_archived_when_it_is_over_and_not_before() -> None:
    log = two_seasons()
    assert (season_of(SUMMER_US), seasons(log)) == ("2026-3", ["2026-3", "2026-4"])
    archive_seasons(log, "2026-4", [CLASSIC], ())
    assert [(each.account, each.games) for each in read_archive(log, "2026-3", CLASSIC)] == [("ana", 2), ("ben", 2)]
    assert read_archive(log, "2026-4", CLASSIC) == []
    best, last = read_archive(log, "2026-3", CLASSIC)
    assert best.points > last.points


def test_an_archived_season_stays_as_it_is() -> None:
    log = two_seasons()
    archive_seasons(log, "2026-4", [CLASSIC], ())
    before = read_archive(log, "2026-3", CLASSIC)
    store(log, 4, SUMMER_US, "ben", "ana")
    archive_seasons(log, "2026-4", [CLASSIC], ())
    assert read_archive(log, "2026-3", CLASSIC) == before


def test_games_of_an_excluded_player_are_not_in_the_archive() -> None:
    log = two_seasons()
    archive_seasons(log, "2026-4", [CLASSIC], ["ben"])
    assert read_archive(log, "2026-3", CLASSIC) == []


def test_a_deleted_account_is_in_no_archive_and_an_export_has_its_seasons() -> None:
    log = two_seasons()
    archive_seasons(log, "2026-4", [CLASSIC], ())
    assert list(archived_standings(log, "ana")) == [f"2026-3/{CLASSIC}"]
    ana = Account("ana", "Ana", 1, 1)
    assert f"2026-3/{CLASSIC}" in exported(ana, read_stored(log, ana)).decode()
    delete_games_of(log, "ana", "gone-1")
    assert [each.account for each in read_archive(log, "2026-3", CLASSIC)] == ["ben"]
