"""Reports of players by players: a queue for the operator, with the game as evidence. No I/O besides a store of values.

A report has no names: they are read from the game's log, so a deleted name is gone from here too.
"""

from __future__ import annotations

import hashlib
from typing import Annotated, Literal, TypeAlias, get_args

from msgspec import Meta, Struct
from msgspec.structs import replace

from ratscrew.accounts.values import PREFIX, Values
from ratscrew.errors import Overloaded, Refusal, RefusalReason
from ratscrew.game.codec import Codec
from ratscrew.rules.words import say

Reason: TypeAlias = Literal["cheating", "name", "stalling", "abuse", "other"]
"""Why a player reports another: for cheating, for an offensive name, for holding up the game, for insults by signs."""
REASONS: tuple[Reason, ...] = get_args(Reason)

TEXT_MOST = 200
Text: TypeAlias = Annotated[str, Meta(max_length=TEXT_MOST)]

REPORTS_MOST = 2000
"""How many reports are stored in all. Closed ones make room for new ones; while all are open, there are no new ones."""

KEEP_CLOSED_US = 90 * 24 * 3600 * 1_000_000
"""How long a closed report is kept at most, without its text."""

FULL_WAIT_S = 3600.0


class Report(Struct, frozen=True):
    """A player's report of another. Unit: `at_us`, `closed_us` microseconds since 1970.

    The evidence are the entries of `game` up to number `last`. `reporter` and `reported` are ids of players in the
    game's room, with their accounts where they have one. `address` is the keyed hash of the reported player's address,
    null if it is not known. `neighbours` is how many other players came from there lately. `framed`: their page said
    that it is in Discord, so the address may be that of Discord's proxy, which all its players share.
    """

    at_us: int
    game: str
    last: int
    reporter: int
    reported: int
    reason: Reason
    text: Text = ""
    reporter_account: str | None = None
    reported_account: str | None = None
    address: str | None = None
    closed_us: int | None = None
    outcome: str = ""
    neighbours: int = 0
    framed: bool = False

    @property
    def id(self) -> str:
        """A short name, by which the operator closes it."""
        return hashlib.blake2b(_key(self).encode(), digest_size=4).hexdigest()


_REPORT = Codec[Report](Report)


def file_report(values: Values, report: Report) -> None:
    """Store a report: one for each reporter, reported player and game.

    Raises: Refusal (twice); Overloaded if there are too many open ones; LogError.
    """
    if values.get(_key(report)):
        raise Refusal(RefusalReason.TWICE, say("you have already reported this player in this game"))
    stored = read_reports(values, closed=True)
    if len(stored) >= REPORTS_MOST:
        closed = [each for each in stored if each.closed_us is not None]
        if not closed:
            raise Overloaded(FULL_WAIT_S)
        values.delete_prefix(_key(min(closed, key=lambda each: each.closed_us or 0)))
    values.put(_key(report), _REPORT.encode(report))


def read_reports(values: Values, closed: bool = False) -> list[Report]:
    """The open reports, or all with those `closed`, oldest first."""
    found = map(_REPORT.decode, values.get(f"{PREFIX}report/").values())
    return sorted((each for each in found if closed or each.closed_us is None), key=lambda each: each.at_us)


def close_report(values: Values, report: Report, outcome: str, now_us: int) -> None:
    """Close a report. Its text is deleted, and the report itself after some months.

    Raises: LogError.
    """
    values.put(_key(report), _REPORT.encode(replace(report, text="", closed_us=now_us, outcome=outcome)))


def delete_old_reports(values: Values, now_us: int) -> None:
    """Delete reports that were closed long ago.

    Raises: LogError.
    """
    for report in read_reports(values, closed=True):
        if report.closed_us is not None and now_us - report.closed_us > KEEP_CLOSED_US:
            values.delete_prefix(_key(report))


def forget_in_reports(values: Values, account: str) -> None:
    """Delete an account from the reports by it and of it, and their texts: these may have its name.

    Raises: LogError.
    """
    for report in read_reports(values, closed=True):
        accounts = (report.reporter_account, report.reported_account)
        if account in accounts:
            reporter, reported = (None if each == account else each for each in accounts)
            left = replace(report, text="", reporter_account=reporter, reported_account=reported)
            values.put(_key(report), _REPORT.encode(left))


def _key(report: Report) -> str:
    return f"{PREFIX}report/{report.game}/{report.reported}/{report.reporter}/"
