"""`ratscrew reports` and `ratscrew bans`: the operator's queue of reports, and bans. A server may run meanwhile."""

from __future__ import annotations

import re
import secrets
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path

from ratscrew.accounts.accounts import Account, Accounts
from ratscrew.accounts.bans import REASON_MOST, Ban, put_ban, read_bans, seat_name
from ratscrew.accounts.bans import remove_ban as delete_ban
from ratscrew.accounts.reports import Report, close_report, delete_old_reports, read_reports
from ratscrew.cli.storage import postgres
from ratscrew.cli.storage.location import Location, resolve
from ratscrew.cli.storage.log_lookup import find_file
from ratscrew.cli.terminal import echo, one_line
from ratscrew.errors import RatscrewError
from ratscrew.game.codec import Codec
from ratscrew.log.protocol import EventLog
from ratscrew.log.sqlite import SqliteLog
from ratscrew.table.names.names import looks
from ratscrew.table.record.entries import Entry, Sat
from ratscrew.table.registry.code_registry import room_of

DAY_US = 24 * 3600 * 1_000_000


def print_reports(where: Location, every: bool) -> None:
    """Print the open reports, or all, with their evidence.

    Raises: RatscrewError; LogError.
    """
    with open_beside_server(where) as log:
        delete_old_reports(log, _now_us())
        accounts = Accounts(log, looks)
        found = read_reports(log, closed=every)
        for report in found:
            names = _names(log, report.game)
            reporter, reported = (
                _who(accounts.get(account) if account else None, names.get(player))
                for player, account in (
                    (report.reporter, report.reporter_account),
                    (report.reported, report.reported_account),
                )
            )
            echo(f"{report.id}  {_when(report.at_us)}  {reported}: {report.reason} (reported by {reporter})")
            if report.text:
                echo(f"          {one_line(report.text)}")
            echo(f"          evidence: ratscrew replay {report.game}, entries 1 to {report.last}")
            echo(f"          network: {_network(report)}")
            if report.closed_us is not None:
                echo(f"          closed {_when(report.closed_us)}: {one_line(report.outcome) or 'no outcome'}")
    if not found:
        echo("no report is open" if not every else "there are no reports")


def close(report_id: str, outcome: str, where: Location) -> None:
    """Close a report.

    Raises: RatscrewError if there is no such report; LogError.
    """
    with open_beside_server(where) as log:
        close_report(log, _report(log, report_id), outcome[:REASON_MOST], _now_us())
    echo(f"report {report_id} is closed")


def add_ban(who: str, reason: str, days: float | None, where: Location, network: bool = False) -> None:
    """Ban a player, by their account or by a report of them; with `network` also everybody in the reported one's.

    Raises: RatscrewError if there is no such player or report, or no network of it is known; LogError.
    """
    if not reason.strip() or len(reason) > REASON_MOST:
        raise RatscrewError(f"--reason: the player reads it, so it needs 1 to {REASON_MOST} characters")
    with open_beside_server(where) as log:
        account, report = _whom(log, who)
        now_us = _now_us()
        until_us = None if days is None else now_us + round(days * DAY_US)
        seat = seat_name(room_of(report.game), report.reported) if report else None
        if network and (report is None or report.address is None):
            raise RatscrewError(f"--network: {_network(report) if report else 'an account has none; name a report'}")
        address = report.address if report and network else None
        ban = Ban(secrets.token_hex(4), now_us, until_us, " ".join(reason.split()), account, address, seat)
        put_ban(log, ban)
        if report and network:
            echo(f"their network is refused for a day at most: {_network(report)}")
        elif report and account is None:
            echo("this player has no account: the browser that holds the reported seat is banned")
            echo(f"its network: {_network(report)}")
    echo(f"ban {ban.id} {_until(ban)}; a running server knows it within ten seconds")


def print_bans(where: Location) -> None:
    """Print all bans.

    Raises: RatscrewError; LogError.
    """
    with open_beside_server(where) as log:
        accounts = Accounts(log, looks)
        bans = read_bans(log)
        for ban in bans:
            who = _who(accounts.get(ban.account), None) if ban.account else "a guest"
            state = "" if ban.active(_now_us()) else " (over)"
            echo(f"{ban.id}  {_when(ban.at_us)}  {who}, {_until(ban)}{state}: {one_line(ban.reason)}")
    if not bans:
        echo("nobody is banned")


def remove(ban_id: str, where: Location) -> None:
    """Remove a ban.

    Raises: RatscrewError if there is no such ban; LogError.
    """
    with open_beside_server(where) as log:
        if (ban := next((each for each in read_bans(log) if each.id == ban_id), None)) is None:
            raise RatscrewError(f"there is no ban {ban_id!r}; `ratscrew bans list` prints them")
        delete_ban(log, ban)
    echo(f"ban {ban_id} is removed; a running server knows it within ten seconds")


@contextmanager
def open_beside_server(where: Location) -> Iterator[EventLog[Entry]]:
    """Open a log beside a server that may use it. Only its values may be written, no entries of games.

    Raises: RatscrewError if there is no such file; LogError if it cannot be used.
    """
    place = resolve(where)
    if not isinstance(place, Path):
        with postgres.open_beside(place) as log:
            yield log
        return
    with closing(SqliteLog(find_file(place), Codec[Entry](Entry))) as log:
        yield log


def _whom(log: EventLog[Entry], who: str) -> tuple[str | None, Report | None]:
    """The account of a player, or of the one whom a report is about, and the report."""
    if re.fullmatch(r"[0-9a-f]{8}", who):
        report = _report(log, who)
        return report.reported_account, report
    accounts = Accounts(log, looks)
    if (account := accounts.find(who) or accounts.get(who)) is None:
        raise RatscrewError(f"there is no player {who!r}: write the name with its number, as in Ana#0042, or a report")
    return account.id, None


def _network(report: Report) -> str:
    """Whom a ban of the reported player's network would meet."""
    if report.address is None:
        return "not known; it cannot be banned"
    others = "no other player" if not report.neighbours else f"{report.neighbours} other player"
    came = f"{others}{'s' * (report.neighbours > 1)} came from it lately (bans add --network refuses all of them)"
    said = "; their page said that it is in Discord: if so, the network is that of everybody there" * report.framed
    return came + said


def _report(log: EventLog[Entry], report_id: str) -> Report:
    if (found := next((each for each in read_reports(log, closed=True) if each.id == report_id), None)) is None:
        raise RatscrewError(f"there is no report {report_id!r}; `ratscrew reports` prints them")
    return found


def _names(log: EventLog[Entry], game: str) -> dict[int, str]:
    """The names of a game's players as its log has them now, by player id."""
    sat = [entry.event for entry in log.read(game) if isinstance(entry.event, Sat)]
    return {each.seat if each.player_id is None else each.player_id: each.name for each in sat}


def _who(account: Account | None, name: str | None) -> str:
    return one_line(account.public_name if account else name or "(unknown)")


def _until(ban: Ban) -> str:
    return "for good" if ban.until_us is None else f"until {_when(ban.until_us)}"


def _when(us: int) -> str:
    return datetime.fromtimestamp(us / 1e6, UTC).strftime("%Y-%m-%d %H:%M UTC")


def _now_us() -> int:
    return time.time_ns() // 1000
