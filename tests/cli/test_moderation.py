"""`ratscrew reports` and `ratscrew bans`: the operator's queue with its evidence, and bans; beside a running server."""

from __future__ import annotations

import re
from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import replace

from ratscrew.accounts.accounts import Accounts
from ratscrew.accounts.bans import read_bans
from ratscrew.accounts.reports import Report, file_report
from ratscrew.game.codec import Codec
from ratscrew.log.postgres.event_log import PostgresLog
from ratscrew.log.sqlite import SqliteLog
from ratscrew.table.names.names import looks
from ratscrew.table.record.entries import Entry, Sat
from ratscrew.testing.postgres_server import PostgresServer
from tests.cli.sample_room import ROOM, Run

GAME = f"{ROOM}-1"
REPORT = Report(1_000_000, GAME, 12, 0, 1, "stalling", "waits for ever", None, None, "f00d")


def words(out: str, pattern: str) -> str:
    """The first group of a pattern in what a command prints."""
    found = re.search(pattern, out)
    assert found, out
    return found[1]


def test_the_queue_lists_names_reason_and_evidence_and_closes(file: Path, run: Run) -> None:
    with closing(SqliteLog(file, Codec[Entry](Entry))) as log:
        file_report(log, REPORT)
    status, out, _ = run("reports", "--data", file)
    assert status == 0
    assert f"{REPORT.id}  1970-01-01 00:00 UTC  Bo: stalling (reported by Ana)" in out
    assert "waits for ever" in out
    assert f"evidence: ratscrew replay {GAME}, entries 1 to 12" in out
    assert run("reports", "close", REPORT.id, "--outcome", "warned", "--data", file)[0] == 0
    assert run("reports", "--data", file)[1] == "no report is open\n"
    out = run("reports", "--all", "--data", file)[1]
    assert "warned" in out
    assert "waits for ever" not in out


def test_a_ban_is_added_listed_and_removed_while_the_log_is_open_elsewhere(file: Path, run: Run) -> None:
    with closing(SqliteLog(file, Codec[Entry](Entry))) as server:  # a running server has it open
        Accounts(server, looks).create("Bo", "b0", 1, lambda most: 42)
        status, out, _ = run("bans", "add", "Bo#0042", "--reason", "stalls games", "--days", "7", "--data", file)
        assert status == 0
        (ban,) = read_bans(server)
        assert (ban.account, ban.reason) == ("b0", "stalls games")
        assert ban.until_us == ban.at_us + 7 * 86_400_000_000
        assert words(out, r"ban ([0-9a-f]{8}) until") == ban.id
        assert server.append(GAME + "9", 0, [Entry(1, Sat(0, "Ana"))]) == 1
        assert f"{ban.id}  " in run("bans", "list", "--data", file)[1]
        assert "Bo#0042, until " in run("bans", "list", "--data", file)[1]
        assert run("bans", "remove", ban.id, "--data", file)[0] == 0
        assert read_bans(server) == []
    assert run("bans", "list", "--data", file)[1] == "nobody is banned\n"


def test_a_reported_guest_is_banned_by_the_seat_and_with_the_network_only_on_request(file: Path, run: Run) -> None:
    report = replace(REPORT, neighbours=3)
    with closing(SqliteLog(file, Codec[Entry](Entry))) as log:
        file_report(log, report)
    assert "network: 3 other players came from it lately" in run("reports", "--data", file)[1]
    for more in ((), ("--network",)):
        told = run("bans", "add", report.id, "--reason", "insults", *more, "--data", file)[1]
        assert "3 other players" in told
    with closing(SqliteLog(file, Codec[Entry](Entry))) as log:
        bans = read_bans(log)
    assert [(ban.account, ban.address, ban.seat) for ban in bans] == [
        (None, None, f"{ROOM}/1"),
        (None, "f00d", f"{ROOM}/1"),
    ]


def test_a_report_says_if_the_network_may_be_that_of_discord(file: Path, run: Run) -> None:
    with closing(SqliteLog(file, Codec[Entry](Entry))) as log:
        file_report(log, replace(REPORT, framed=True))
    assert "their page said that it is in Discord" in run("reports", "--data", file)[1]


def test_a_network_that_is_not_known_cannot_be_banned(file: Path, run: Run) -> None:
    report = replace(REPORT, address=None)
    with closing(SqliteLog(file, Codec[Entry](Entry))) as log:
        file_report(log, report)
    status, _, error = run("bans", "add", report.id, "--reason", "insults", "--network", "--data", file)
    assert (status, "not known" in error) == (1, True)
    assert run("bans", "list", "--data", file)[1] == "nobody is banned\n"


@pytest.mark.parametrize(
    ("command", "why"),
    [
        (("bans", "add", "Cy#0001", "--reason", "x"), "there is no player 'Cy#0001'"),
        (("bans", "add", "0a0b0c0d", "--reason", "x"), "there is no report '0a0b0c0d'"),
        (("bans", "add", "Cy#0001", "--reason", " "), "the player reads it"),
        (("bans", "remove", "0a0b0c0d"), "there is no ban '0a0b0c0d'"),
        (("reports", "close", "0a0b0c0d"), "there is no report '0a0b0c0d'"),
    ],
)
def test_what_is_not_there_is_said(file: Path, run: Run, command: tuple[str, ...], why: str) -> None:
    status, _, error = run(*command, "--data", file)
    assert status == 1
    assert why in error


def test_the_commands_work_on_postgresql_beside_a_server(postgres_server: PostgresServer, run: Run) -> None:
    address = postgres_server.create_log()
    with closing(PostgresLog(address, Codec[Entry](Entry))) as server:
        server.append(GAME, 0, [Entry(1, Sat(0, "Ana")), Entry(1, Sat(1, "Bo"))])
        file_report(server, REPORT)
        assert "Bo: stalling" in run("reports", "--log", address.url)[1]
        assert run("bans", "add", REPORT.id, "--reason", "insults", "--log", address.url)[0] == 0
        assert len(read_bans(server)) == 1
